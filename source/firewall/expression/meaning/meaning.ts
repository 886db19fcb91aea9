import {abbreviate, type Parser} from '../grammar/parser.ts';
import type {Span} from '../grammar/problem.ts';
import type {ComparisonOperator, Expression, Literal, Operand} from '../grammar/tree.ts';
import type {SignedPart} from '../logic/parts.ts';
import {findField} from '../vocabulary/fields.ts';
import {addCombinationHints} from './combinations.ts';
import {type ComparedField, findComparedField} from './compared-field.ts';
import {type ConditionContext, enterLogical, formatPresence, hasBeside} from './condition-context.ts';
import {warnOfConstantParts} from './constant-parts.ts';
import {addComparisonHints} from './hints.ts';
import {checkList} from './lists.ts';
import {warnAllOfNothing, warnEmptyComparison, warnUnequalIfMissing} from './missing.ts';
import {findConstantResult} from './numbers.ts';
import {checkParts} from './parts.ts';
import {matchesEveryString} from './patterns.ts';
import {addRevokedCertificateHint} from './revoked-certificates.ts';
import {checkText, formatReason, rewriteLiteral} from './texts.ts';
import {warnTokenComparison} from './token-claims.ts';
import {findMismatch, getTextComparison} from './values.ts';

type Comparison = Expression & {kind: 'comparison'};
type StringLiteral = Literal & {kind: 'string'};

/**
 * Warns of valid expressions that never match, always match, or do the opposite of what is intended; adds a
 * hint where that is only likely. Warnings rest on the documented values of the fields.
 */
export function checkMeaning(parser: Parser, tree: Expression): void {
	checkTree(parser, tree, {negated: false});
	addRevokedCertificateHint(parser, tree);
	addCombinationHints(parser, tree);
	checkParts(parser, tree);
	warnOfConstantParts(parser, tree);
}

function checkTree(parser: Parser, expression: Expression, context: ConditionContext): void {
	switch (expression.kind) {
		case 'logical':
			checkOperands(parser, expression, context);
			return;
		case 'not':
			checkTree(parser, expression.operand, {...context, negated: !context.negated});
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

function checkOperands(
	parser: Parser,
	logical: Expression & {kind: 'logical'},
	context: ConditionContext,
): void {
	const inner = enterLogical(context, logical);
	for (const operand of logical.operands) checkTree(parser, operand, inner);
}

/** Checks a Boolean function: its conditions, or what it compares. */
function checkBare(parser: Parser, operand: Operand, context: ConditionContext): void {
	if (operand.kind !== 'call') return;
	const [firstArgument, secondArgument] = operand.arguments;
	if (firstArgument?.kind === 'expression') {
		const {expression} = firstArgument;
		const isAll = operand.name === 'all';
		if (isAll) warnAllOfNothing(parser, operand, expression, context);
		checkTree(parser, expression, {
			...context,
			anySpan: !isAll && expression.kind === 'comparison' ? operand : undefined,
			each: {isAll, negated: context.negated},
		});
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
	addComparisonHints(parser, comparison, context);
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

function warnMatchesEverything(parser: Parser, comparison: Comparison, context: ConditionContext): void {
	const result = formatResult(true, context, false);
	parser.warning(
		comparison,
		`Every string matches ${abbreviate(parser.slice(comparison.right))}: this is ${result}.`,
		{code: 'L041'},
	);
}

/** Formats the result of a comparison that is the same for every value, as it is after negation: "always true". */
const formatResult = (result: boolean, context: ConditionContext, mayBeMissing: boolean): string =>
	`${result === context.negated ? 'never' : 'always'} true${formatPresence(context, {result, mayBeMissing})}`;

function checkNumber(
	parser: Parser,
	comparison: Comparison,
	subject: ComparedField,
	value: bigint,
	context: ConditionContext,
): void {
	const {domain, name} = subject.field;
	if (name === 'cf.threat_score' || subject.caseFunction) return;
	const constantResult =
		domain && !domain.unclear ? findConstantResult(domain, comparison.operator, value) : undefined;
	if (constantResult && domain?.int) {
		const result = formatResult(constantResult === 'always', context, subject.mayBeMissing);
		parser.warning(
			comparison.right,
			`${name} is between ${domain.int[0]} and ${domain.int[1]}: this is ${result}.`,
			{code: 'L042'},
		);
	} else if (lowScoreFields.has(name) && !context.negated) warnOfHighScores(parser, comparison, context);
}

/**
 * Checks a comparison with a length, which is at least 0. If the element may be missing, it has no length.
 */
function checkLengthComparison(
	parser: Parser,
	comparison: Comparison,
	value: bigint,
	context: ConditionContext,
): void {
	const {left, operator, right} = comparison;
	if (left.kind !== 'call' || left.name !== 'len') return;
	const [argument] = left.arguments;
	const constantResult = findConstantResult({int: [0, Number.MAX_SAFE_INTEGER]}, operator, value);
	if (!constantResult || !argument || argument.kind === 'expression') return;
	if (constantResult === 'always' && findComparedField(argument)?.mayBeMissing !== false) return;
	const result = formatResult(constantResult === 'always', context, false);
	parser.warning(right, `A length is never negative: this is ${result}.`, {code: 'L043'});
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

/**
 * Warns of a comparison that matches high scores, unless the rule lets requests through, since those are clean, or a
 * condition beside it limits the scores.
 */
function warnOfHighScores(parser: Parser, comparison: Comparison, context: ConditionContext): void {
	const {left, operator, operatorSpan} = comparison;
	if (parser.context.letsThrough || (operator !== 'gt' && operator !== 'ge')) return;
	const name = parser.slice(left);
	const isMaximum = ({node, isTrue}: SignedPart): boolean =>
		node.kind === 'comparison' &&
		parser.slice(node.left) === name &&
		(isTrue ? /^(?:l[te]|in)$/ : /^g[te]$/).test(node.operator);
	if (hasBeside(comparison, context, isMaximum)) return;
	parser.warning(
		operatorSpan,
		`A low ${name} means an attack, and 100 means not scored: this matches clean requests.`,
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
