import {isRegexLike} from '../checks/wildcard.ts';
import {abbreviate, type Parser} from '../grammar/parser.ts';
import type {Correction, Span} from '../grammar/problem.ts';
import type {ComparisonOperator, Expression, Literal, Operand} from '../grammar/tree.ts';
import type {WarningCode} from '../lints/catalogue.ts';
import type {Field} from '../vocabulary/entries.ts';
import {findField} from '../vocabulary/fields.ts';
import {addCombinationHints} from './combinations.ts';
import {type ComparedField, findComparedField} from './compared-field.ts';
import {warnOfConstantParts} from './constant-parts.ts';
import {addComparisonHints} from './hints.ts';
import {checkList} from './lists.ts';
import {
	type ConditionContext,
	warnAllOfNothing,
	warnEmptyComparison,
	warnUnequalIfMissing,
} from './missing.ts';
import {findConstantResult} from './numbers.ts';
import {checkParts} from './parts.ts';
import {matchesEveryString} from './patterns.ts';
import {checkRevokedCertificates} from './revoked-certificates.ts';
import {warnTokenComparison} from './token-claims.ts';
import {findMismatch, getTextComparison, type TextComparison, type ValueMismatch} from './values.ts';

type Comparison = Expression & {kind: 'comparison'};
type StringLiteral = Literal & {kind: 'string'};

/**
 * Warns of valid expressions that never match, always match, or do the opposite of what is intended; adds a
 * hint where that is only likely. Warnings are certain by the documented values of the fields.
 */
export function checkMeaning(parser: Parser, tree: Expression): void {
	checkTree(parser, tree, {negated: false});
	checkRevokedCertificates(parser, tree);
	addCombinationHints(parser, tree);
	checkParts(parser, tree);
	warnOfConstantParts(parser, tree);
}

function checkTree(parser: Parser, expression: Expression, context: ConditionContext): void {
	switch (expression.kind) {
		case 'logical':
			for (const operand of expression.operands) checkTree(parser, operand, context);
			return;
		case 'not':
			checkTree(parser, expression.operand, {negated: !context.negated});
			return;
		case 'group':
			checkTree(parser, expression.inner, context);
			return;
		case 'comparison':
			checkComparison(parser, expression, context);
			return;
		case 'bare':
			checkBare(parser, expression.operand, context);
			return;
		default:
			expression satisfies never;
	}
}

/** Checks a Boolean function: its conditions, or what it compares. */
function checkBare(parser: Parser, operand: Operand, context: ConditionContext): void {
	if (operand.kind !== 'call') return;
	const [firstArgument, secondArgument] = operand.arguments;
	if (firstArgument?.kind === 'expression') {
		if (operand.name === 'all') warnAllOfNothing(parser, operand, firstArgument.expression);
		const {expression} = firstArgument;
		const isAny = operand.name === 'any' && expression.kind === 'comparison';
		checkTree(parser, expression, {negated: context.negated, ...(isAny && {anySpan: operand})});
		return;
	}
	if (!firstArgument || secondArgument?.kind !== 'string') return;
	if (operand.name === 'has_key') {
		checkKeyCase(parser, firstArgument, secondArgument);
		return;
	}
	if (
		operand.name === 'ends_with' &&
		firstArgument.kind === 'field' &&
		/(?:uri|full_uri)$/.test(firstArgument.name) &&
		/^\.\w+$/.test(secondArgument.value)
	)
		parser.hint(
			secondArgument,
			'A query string may follow this: use http.request.uri.path, which has none.',
			{code: 'L060'},
		);
	const textComparison =
		operand.name === 'starts_with' ? 'beginning' : operand.name === 'ends_with' ? 'end' : undefined;
	const subject = textComparison && findComparedField(firstArgument);
	if (textComparison && subject)
		checkText(parser, {
			subject,
			textComparison,
			literal: secondArgument,
			wholeSpan: operand,
			...context,
		});
}

function checkComparison(parser: Parser, comparison: Comparison, context: ConditionContext): void {
	const {left, operator, right} = comparison;
	warnUnequalIfMissing(parser, comparison, context);
	addComparisonHints(parser, comparison);
	if (right.kind === 'list') checkList(parser, comparison, right);
	if (right.kind === 'integer') checkLengthComparison(parser, comparison, right.value, context);
	if (/^[lg][te]$/.test(operator)) checkTlsOrder(parser, comparison);
	warnEmptyComparison(parser, comparison, context);
	const subject = findComparedField(left);
	if (!subject) return;
	if (right.kind === 'integer') checkNumber(parser, comparison, subject, right.value, context);
	if (subject.field.name === 'http.request.jwt.claims' && right.kind === 'string' && operator === 'eq')
		warnTokenComparison(parser, comparison);
	if (
		right.kind === 'string' &&
		matchesEverything(operator, right.value, subject.field.name) &&
		!subject.mayBeMissing
	) {
		warnMatchesEverything(parser, comparison, context);
		return;
	}
	const textComparison = getTextComparison(operator);
	if (!textComparison) return;
	if (right.kind === 'string') {
		checkText(parser, {
			subject,
			textComparison,
			operator,
			literal: right,
			wholeSpan: comparison,
			...context,
		});
	} else if (right.kind === 'set')
		for (const item of right.items)
			if (item.kind === 'string')
				checkText(parser, {
					subject,
					textComparison,
					operator,
					literal: item,
					wholeSpan: comparison,
					isItem: true,
					...context,
				});
			else if (item.kind === 'integer') checkNumberInSet(parser, item, subject, item.value);
}

/** True if any text satisfies the comparison. A regular expression need not match all of it. */
function matchesEverything(operator: ComparisonOperator, value: string, field: string): boolean {
	if (operator === 'contains') return value === '';
	if (operator === 'matches') return matchesEveryString(value, field);
	return getTextComparison(operator) === 'pattern' && value === '*';
}

type TextCheck = ConditionContext & {
	readonly subject: ComparedField;
	readonly textComparison: TextComparison;
	readonly operator?: ComparisonOperator;
	readonly literal: StringLiteral;
	readonly wholeSpan: Span;
	readonly isItem?: true;
};

function checkText(parser: Parser, check: TextCheck): void {
	const {subject, textComparison, operator, literal} = check;
	const {field, caseFunction} = subject;
	const {value} = literal;
	if (caseFunction) {
		const casedText = caseFunction === 'lower' ? value.toLowerCase() : value.toUpperCase();
		if (operator === 'wildcard' || casedText === value) return;
		const form = caseFunction === 'lower' ? 'lower case' : 'capitals';
		warnConstantResult(parser, check, 'L034', `${caseFunction}(…) returns ${form}`, {
			span: literal,
			text: rewriteLiteral(parser, literal, casedText),
		});
		return;
	}
	if (operator === 'wildcard' && field.domain?.case) return;
	if (isPatternAsText(check)) {
		parser.warning(
			literal,
			'This compares plain text, character by character. Regular expressions need the matches operator.',
			{code: 'L035', correction: buildMatchesCorrection(parser, check)},
		);
		return;
	}
	const mismatch = isFieldItself(subject) ? findMismatch(field, textComparison, value) : undefined;
	if (!mismatch) return;
	warnConstantResult(
		parser,
		check,
		mismatch.code,
		formatReason(mismatch, field),
		buildCorrection(parser, check, mismatch),
	);
}

/** True if the values are those of the field, not of a map element. */
const isFieldItself = ({field}: ComparedField): boolean => field.type?.kind !== 'Map';

/** True if what looks like a regular expression is compared as plain text. */
const isPatternAsText = ({textComparison, literal: {value}, isItem}: TextCheck): boolean =>
	(textComparison === 'whole' || textComparison === 'part') && !isItem && isRegexLike(value);

/** Replaces the operator with `matches`; undefined if that would change more than the operator. */
function buildMatchesCorrection(
	{text}: Parser,
	{literal, operator, wholeSpan}: TextCheck,
): Correction | undefined {
	if ((operator !== 'eq' && operator !== 'contains') || literal.value.includes('"#')) return undefined;
	const {start} = wholeSpan;
	const left = text.slice(start, literal.start).replace(/(==|eq|contains)\s*$/, 'matches ');
	return {span: {start, end: literal.end}, text: `${left}r#"${literal.value}"#`};
}

function buildCorrection(
	parser: Parser,
	check: TextCheck,
	{replacement}: ValueMismatch,
): Correction | undefined {
	const {subject, literal, wholeSpan, isItem} = check;
	if (!replacement) return undefined;
	const span = {start: literal.start, end: literal.end};
	if (replacement.field === undefined) return {span, text: rewriteLiteral(parser, literal, replacement.text)};
	if (isItem) return undefined;
	const name = parser.slice(subject.span);
	const correctedName = name.replace(/(full_uri|uri\.path)$/, replacement.field);
	return {
		span: {start: wholeSpan.start, end: literal.end},
		text: `${parser.text.slice(wholeSpan.start, subject.span.start)}${correctedName}${parser.text.slice(subject.span.end, literal.end)}`,
	};
}

/** Writes another text in place of a literal, in the same form. */
function rewriteLiteral(parser: Parser, literal: StringLiteral, value: string): string {
	const oldLiteral = parser.slice(literal);
	if (literal.form !== 'quoted' && !value.includes('"'))
		return oldLiteral.replace(/"[\s\S]*"/, () => `"${value}"`);
	return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Warns that a comparison has the same result for every request that has the value. `reason` starts a sentence. */
function warnConstantResult(
	parser: Parser,
	check: TextCheck,
	code: WarningCode,
	reason: string,
	correction: Correction | undefined,
): void {
	const isAlways = (check.operator === 'ne') !== check.negated;
	// A comparison with a missing value is false.
	const ifPresent = check.operator === 'ne' && check.subject.mayBeMissing ? ' if there is a value' : '';
	const outcome = check.isItem
		? 'this value never matches'
		: `this is ${isAlways ? 'always' : 'never'} true${ifPresent}`;
	parser.warning(check.literal, `${reason}: ${outcome}.`, {code, correction});
}

/** Formats a mismatch as the start of a sentence: "A path starts with /". */
const formatReason = ({reason, isAboutValues}: ValueMismatch, {name}: Field): string =>
	isAboutValues ? `Values of ${name} ${reason}` : reason.charAt(0).toUpperCase() + reason.slice(1);

function warnMatchesEverything(parser: Parser, comparison: Comparison, {negated}: ConditionContext): void {
	parser.warning(
		comparison,
		`Every string matches ${abbreviate(parser.slice(comparison.right))}: this is ${negated ? 'never' : 'always'} true.`,
		{code: 'L041'},
	);
}

function checkNumber(
	parser: Parser,
	comparison: Comparison,
	subject: ComparedField,
	value: bigint,
	{negated}: ConditionContext,
): void {
	const {domain, name} = subject.field;
	if (name === 'cf.threat_score' || subject.caseFunction) return;
	const constantResult =
		domain && !domain.unclear ? findConstantResult(domain, comparison.operator, value) : undefined;
	if (constantResult && domain?.int) {
		const isAlways = (constantResult === 'always') !== negated;
		parser.warning(
			comparison.right,
			`${name} is between ${domain.int[0]} and ${domain.int[1]}: this is ${isAlways ? 'always' : 'never'} true.`,
			{code: 'L042'},
		);
	} else if (lowScoreFields.has(name) && !negated) warnOfHighScores(parser, comparison);
}

/**
 * Checks a comparison with a length, which is at least 0. If the element may be missing, it has no length.
 */
function checkLengthComparison(
	parser: Parser,
	comparison: Comparison,
	value: bigint,
	{negated}: ConditionContext,
): void {
	const {left, operator, right} = comparison;
	if (left.kind !== 'call' || left.name !== 'len') return;
	const [argument] = left.arguments;
	const constantResult = findConstantResult({int: [0, Number.MAX_SAFE_INTEGER]}, operator, value);
	if (!constantResult || !argument || argument.kind === 'expression') return;
	if (constantResult === 'always' && findComparedField(argument)?.mayBeMissing !== false) return;
	const isAlways = (constantResult === 'always') !== negated;
	parser.warning(right, `A length is never negative: this is ${isAlways ? 'always' : 'never'} true.`, {
		code: 'L043',
	});
}

/**
 * Checks comparisons by order with a TLS version. They compare texts, so a version in another form is below
 * or above all.
 */
function checkTlsOrder(parser: Parser, {left, right}: Comparison): void {
	const field = left.kind === 'field' ? findField(left.name) : undefined;
	if (field?.name !== 'cf.tls_version' || right.kind !== 'string') return;
	const mismatch = findMismatch(field, 'whole', right.value);
	if (!mismatch?.replacement) return;
	parser.warning(
		right,
		`${formatReason(mismatch, field)}: all versions sort on the same side of this string.`,
		{
			code: 'L044',
			correction: rewriteLiteral(parser, right, mismatch.replacement.text),
		},
	);
}

function checkNumberInSet(
	parser: Parser,
	span: Span,
	{field: {domain, name}}: ComparedField,
	value: bigint,
): void {
	if (!domain?.int || domain.unclear || findConstantResult(domain, 'eq', value) !== 'never') return;
	parser.warning(
		span,
		`${name} is between ${domain.int[0]} and ${domain.int[1]}: this value never matches.`,
		{code: 'L042'},
	);
}

/** Scores where a low value means an attack, and 100 means that nothing was scored. */
const lowScoreFields: ReadonlySet<string> = new Set([
	'cf.waf.score',
	'cf.waf.score.sqli',
	'cf.waf.score.xss',
	'cf.waf.score.rce',
	'cf.llm.prompt.injection_score',
]);

/** Warns of a comparison that matches high scores, unless the rule lets requests through: those are clean. */
function warnOfHighScores(parser: Parser, {left, operator, operatorSpan}: Comparison): void {
	if (parser.context.letsThrough || (operator !== 'gt' && operator !== 'ge')) return;
	parser.warning(
		operatorSpan,
		`A low ${parser.slice(left)} means an attack, and 100 means not scored: this matches clean requests.`,
		{code: 'L045', correction: operator === 'gt' ? 'lt' : 'le'},
	);
}

function checkKeyCase(parser: Parser, map: Operand, key: StringLiteral): void {
	if (map.kind !== 'field' || findField(map.name)?.domain?.keys !== 'lower') return;
	const lowerKey = key.value.toLowerCase();
	if (lowerKey === key.value) return;
	parser.warning(key, `Names in ${map.name} are lower case: this is never true.`, {
		code: 'L046',
		correction: {span: key, text: rewriteLiteral(parser, key, lowerKey)},
	});
}
