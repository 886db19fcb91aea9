import {isRegexLike} from '../checks/wildcard.ts';
import type {Correction, Span} from '../grammar/problem.ts';
import {type Reading, shown} from '../grammar/reading.ts';
import type {ComparisonOperator, Expression, Literal, Operand} from '../grammar/tree.ts';
import type {Field} from '../vocabulary/entries.ts';
import {fieldNamed} from '../vocabulary/fields.ts';
import {unlikely} from './hints.ts';
import {checkList} from './lists.ts';
import {type Around, emptyAll, missingAndEmpty, missingAndUnequal} from './missing.ts';
import {alwaysOrNever} from './numbers.ts';
import {unlikelyTogether} from './together.ts';
import {type Misfit, misfit, type TextComparison} from './values.ts';

type Comparison = Expression & {kind: 'comparison'};
type Text = Literal & {kind: 'string'};

/** A compared field: itself, an element of a map, or through `lower` or `upper`. */
type Subject = {
	readonly field: Field;
	readonly span: Span;
	readonly via: 'lower' | 'upper' | undefined;
	/** True for an element that some requests lack. */
	readonly mayBeMissing: boolean;
};

/**
 * Warns of valid expressions that never match, always match, or do the opposite of what is intended; adds a
 * hint where that is only likely. Warnings are certain by the documented values of the fields.
 */
export function checkMeaning(reading: Reading, tree: Expression): void {
	walk(reading, tree, {negated: false});
	revokedCertificates(reading, tree);
	unlikelyTogether(reading, tree);
}

function walk(reading: Reading, expression: Expression, around: Around): void {
	switch (expression.kind) {
		case 'logical':
			for (const operand of expression.operands) walk(reading, operand, around);
			return;
		case 'not':
			walk(reading, expression.operand, {negated: !around.negated});
			return;
		case 'group':
			walk(reading, expression.inner, around);
			return;
		case 'comparison':
			comparison(reading, expression, around);
			return;
		case 'bare':
			bare(reading, expression.operand, around);
			return;
		default:
			expression satisfies never;
	}
}

/** Checks a Boolean function: its conditions, or what it compares. */
function bare(reading: Reading, operand: Operand, around: Around): void {
	if (operand.kind !== 'call') return;
	const [first, second] = operand.arguments;
	if (first?.kind === 'expression') {
		if (operand.name === 'all') emptyAll(reading, operand, first.expression);
		const {expression} = first;
		const isAny = operand.name === 'any' && expression.kind === 'comparison';
		walk(reading, expression, {negated: around.negated, ...(isAny && {any: operand})});
		return;
	}
	if (!first || second?.kind !== 'string') return;
	if (operand.name === 'has_key') {
		missingKey(reading, first, second);
		return;
	}
	if (
		operand.name === 'ends_with' &&
		first.kind === 'field' &&
		/(?:uri|full_uri)$/.test(first.name) &&
		/^\.\w+$/.test(second.value)
	)
		reading.hint(second, 'Behind this the query may follow: http.request.uri.path has none.');
	const how = operand.name === 'starts_with' ? 'beginning' : operand.name === 'ends_with' ? 'end' : undefined;
	const subject = how && subjectOf(first);
	if (how && subject) text(reading, {subject, how, literal: second, whole: operand, ...around});
}

function comparison(reading: Reading, one: Comparison, around: Around): void {
	const {left, operator, right} = one;
	missingAndUnequal(reading, one, around);
	unlikely(reading, one);
	if (right.kind === 'list') checkList(reading, one, right);
	if (right.kind === 'integer') lengthOf(reading, one, right.value, around);
	if (/^[lg][te]$/.test(operator)) tlsOrder(reading, one);
	missingAndEmpty(reading, one, around);
	const subject = subjectOf(left);
	if (!subject) return;
	if (right.kind === 'integer') number(reading, one, subject, right.value, around);
	if (subject.field.name === 'http.request.jwt.claims' && right.kind === 'string' && operator === 'eq')
		jwt(reading, one);
	if (right.kind === 'string' && isEverything(operator, right.value) && !subject.mayBeMissing) {
		alwaysTrue(reading, one, around);
		return;
	}
	const how = howOf(operator);
	if (!how) return;
	if (right.kind === 'string') {
		text(reading, {subject, how, operator, literal: right, whole: one, ...around});
	} else if (right.kind === 'set')
		for (const item of right.items)
			if (item.kind === 'string')
				text(reading, {subject, how, operator, literal: item, whole: one, isItem: true, ...around});
			else if (item.kind === 'integer') numberInSet(reading, item, subject, item.value);
}

function howOf(operator: ComparisonOperator): TextComparison | undefined {
	switch (operator) {
		case 'eq':
		case 'ne':
		case 'in':
			return 'whole';
		case 'contains':
			return 'part';
		case 'wildcard':
		case 'strict wildcard':
			return 'pattern';
		default:
			return undefined;
	}
}

/** True if any text satisfies the comparison. A regular expression need not match all of it. */
function isEverything(operator: ComparisonOperator, value: string): boolean {
	if (operator === 'contains') return value === '';
	if (operator === 'matches') return value === '' || value === '.*';
	return howOf(operator) === 'pattern' && value === '*';
}

function subjectOf(operand: Operand): Subject | undefined {
	if (operand.kind === 'call') {
		const [argument, ...more] = operand.arguments;
		if ((operand.name !== 'lower' && operand.name !== 'upper') || more.length > 0) return undefined;
		const inner = argument && argument.kind !== 'expression' ? subjectOf(argument) : undefined;
		return inner && {...inner, via: operand.name};
	}
	if (operand.kind !== 'field') return undefined;
	const field = fieldNamed(operand.name);
	const [named] = operand.name.split('[');
	return (
		field && {
			field,
			span: {start: operand.start, end: operand.start + (named ?? operand.name).length},
			via: undefined,
			mayBeMissing: field.type?.kind === 'Map' || operand.indexes.some(({kind}) => kind === 'position'),
		}
	);
}

type TextCheck = Around & {
	readonly subject: Subject;
	readonly how: TextComparison;
	readonly operator?: ComparisonOperator;
	readonly literal: Text;
	readonly whole: Span;
	readonly isItem?: true;
};

function text(reading: Reading, check: TextCheck): void {
	const {subject, how, operator, literal} = check;
	const {field, via} = subject;
	const {value} = literal;
	if (via) {
		const cased = via === 'lower' ? value.toLowerCase() : value.toUpperCase();
		if (operator === 'wildcard' || cased === value) return;
		const form = via === 'lower' ? 'lower case' : 'capitals';
		never(reading, check, `${via}(…) is in ${form}`, {span: literal, text: written(reading, literal, cased)});
		return;
	}
	if (operator === 'wildcard' && field.domain?.case) return;
	const found = patternAsText(check) ?? (isPlain(subject) ? misfit(field, how, value) : undefined);
	if (!found) return;
	never(reading, check, reasonOf(found, field), correctionOf(reading, check, found));
}

/** True if the values are those of the field, not of a map element. */
const isPlain = ({field}: Subject): boolean => field.type?.kind !== 'Map';

/** Finds a regular expression that is compared as plain text. */
function patternAsText({how, literal: {value}, isItem}: TextCheck): (Misfit & {matches?: true}) | undefined {
	if ((how !== 'whole' && how !== 'part') || isItem || !isRegexLike(value)) return undefined;
	return {why: 'a regular expression needs matches', becomes: {text: value}, matches: true};
}

function correctionOf(
	reading: Reading,
	check: TextCheck,
	found: Misfit & {matches?: true},
): Correction | undefined {
	const {becomes} = found;
	const {subject, literal, whole, operator, isItem} = check;
	if (!becomes) return undefined;
	const span = {start: literal.start, end: literal.end};
	if (found.matches) {
		if (operator !== 'eq' && operator !== 'contains') return undefined;
		const left = reading.text.slice(whole.start, literal.start).replace(/(==|eq|contains)\s*$/, 'matches ');
		const raw = becomes.text.includes('"#') ? undefined : `r#"${becomes.text}"#`;
		return raw === undefined
			? undefined
			: {span: {start: whole.start, end: literal.end}, text: `${left}${raw}`};
	}
	if (becomes.field === undefined) return {span, text: written(reading, literal, becomes.text)};
	if (isItem) return undefined;
	const name = reading.slice(subject.span);
	const other = name.replace(/(full_uri|uri\.path)$/, becomes.field);
	return {
		span: {start: whole.start, end: literal.end},
		text: `${reading.text.slice(whole.start, subject.span.start)}${other}${reading.text.slice(subject.span.end, literal.end)}`,
	};
}

/** Writes another text in place of a literal, in the same form. */
function written(reading: Reading, literal: Text, value: string): string {
	const old = reading.slice(literal);
	if (literal.form !== 'quoted' && !value.includes('"')) return old.replace(/"[\s\S]*"/, () => `"${value}"`);
	return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Warns that a comparison has the same result for every request. `why` starts a sentence. */
function never(reading: Reading, check: TextCheck, why: string, correction: Correction | undefined): void {
	const isAlways = (check.operator === 'ne') !== check.negated;
	const outcome = check.isItem ? 'this value never matches' : `this is ${isAlways ? 'always' : 'never'} true`;
	reading.warning(check.literal, `${why}: ${outcome}.`, {correction});
}

/** Formats a mismatch as the start of a sentence: "A path begins with /". */
const reasonOf = ({why, ofValues}: Misfit, {name}: Field): string =>
	ofValues ? `Values of ${name} ${why}` : why.charAt(0).toUpperCase() + why.slice(1);

function alwaysTrue(reading: Reading, one: Comparison, {negated}: Around): void {
	reading.warning(
		one,
		`Every text matches ${shown(reading.slice(one.right))}: this is ${negated ? 'never' : 'always'} true.`,
	);
}

function number(reading: Reading, one: Comparison, subject: Subject, value: bigint, {negated}: Around): void {
	const {domain, name} = subject.field;
	if (name === 'cf.threat_score' || subject.via) return;
	const outcome = domain && !domain.unclear ? alwaysOrNever(domain, one.operator, value) : undefined;
	if (outcome && domain?.int) {
		const isAlways = (outcome === 'always') !== negated;
		reading.warning(
			one.right,
			`${name} is between ${domain.int[0]} and ${domain.int[1]}: this is ${isAlways ? 'always' : 'never'} true.`,
		);
	} else if (lowMeansAttack.has(name) && !negated) lowScores(reading, one);
}

/**
 * Checks a comparison with a length, which is at least 0. If the element may be missing, it has no length.
 */
function lengthOf(reading: Reading, one: Comparison, value: bigint, {negated}: Around): void {
	const {left, operator, right} = one;
	if (left.kind !== 'call' || left.name !== 'len') return;
	const [argument] = left.arguments;
	const outcome = alwaysOrNever({int: [0, Number.MAX_SAFE_INTEGER]}, operator, value);
	if (!outcome || !argument || argument.kind === 'expression') return;
	if (outcome === 'always' && subjectOf(argument)?.mayBeMissing !== false) return;
	const isAlways = (outcome === 'always') !== negated;
	reading.warning(right, `A length is 0 or more: this is ${isAlways ? 'always' : 'never'} true.`);
}

/**
 * Checks comparisons by order with a TLS version. They compare texts, so a version in another form is below
 * or above all.
 */
function tlsOrder(reading: Reading, {left, right}: Comparison): void {
	const field = left.kind === 'field' ? fieldNamed(left.name) : undefined;
	if (field?.name !== 'cf.tls_version' || right.kind !== 'string') return;
	const found = misfit(field, 'whole', right.value);
	if (!found?.becomes) return;
	reading.warning(right, `${reasonOf(found, field)}: every version is on one side of this text.`, {
		correction: written(reading, right, found.becomes.text),
	});
}

function numberInSet(reading: Reading, span: Span, {field: {domain, name}}: Subject, value: bigint): void {
	if (!domain?.int || domain.unclear || alwaysOrNever(domain, 'eq', value) !== 'never') return;
	reading.warning(
		span,
		`${name} is between ${domain.int[0]} and ${domain.int[1]}: this value never matches.`,
	);
}

/** Scores where a low value means an attack, and 100 means that nothing was scored. */
const lowMeansAttack: ReadonlySet<string> = new Set([
	'cf.waf.score',
	'cf.waf.score.sqli',
	'cf.waf.score.xss',
	'cf.waf.score.rce',
	'cf.llm.prompt.injection_score',
]);

/** Warns of matching high scores: those are the clean requests. */
function lowScores(reading: Reading, {left, operator, operatorSpan}: Comparison): void {
	if (reading.place.letsThrough || (operator !== 'gt' && operator !== 'ge')) return;
	reading.warning(
		operatorSpan,
		`A low ${reading.slice(left)} means an attack, and 100 that nothing was scored: this matches the clean requests.`,
		{correction: operator === 'gt' ? 'lt' : 'le'},
	);
}

function missingKey(reading: Reading, map: Operand, key: Text): void {
	if (map.kind !== 'field' || fieldNamed(map.name)?.domain?.keys !== 'lower') return;
	const lower = key.value.toLowerCase();
	if (lower === key.value) return;
	reading.warning(key, `The names in ${map.name} are in lower case: this is never true.`, {
		correction: {span: key, text: written(reading, key, lower)},
	});
}

/** Warns of comparing an element of the claims, which is itself a JSON text. */
function jwt(reading: Reading, {left, right}: Comparison): void {
	if (right.kind === 'string' && /^\s*[[{]/.test(right.value)) return;
	reading.warning(
		right,
		`The claims of a token are one JSON text: this is never true. lookup_json_string(${shown(reading.slice(left))}, "claim") takes one out.`,
	);
}

/** Warns that a revoked certificate still counts as verified. */
function revokedCertificates(reading: Reading, tree: Expression): void {
	const verified = 'cf.tls_client_auth.cert_verified';
	if (!reading.fields.has(verified) || reading.fields.has('cf.tls_client_auth.cert_revoked')) return;
	const found = bareField(tree, verified);
	if (!found) return;
	reading.warning(found, 'A certificate that was revoked is verified all the same.', {
		correction: {
			span: {start: found.start, end: found.end},
			text: `(${verified} and not cf.tls_client_auth.cert_revoked)`,
		},
	});
}

function bareField(expression: Expression, name: string): Span | undefined {
	switch (expression.kind) {
		case 'logical':
			return expression.operands.map(operand => bareField(operand, name)).find(Boolean);
		case 'not':
			return bareField(expression.operand, name);
		case 'group':
			return bareField(expression.inner, name);
		case 'bare':
			return expression.operand.kind === 'field' && expression.operand.name === name
				? expression.operand
				: undefined;
		case 'comparison':
			return undefined;
	}
}
