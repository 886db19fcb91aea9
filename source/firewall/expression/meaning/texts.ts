import {comparesFreeText} from '../checks/free-text.ts';
import {isRegexLike} from '../checks/wildcard.ts';
import type {Parser} from '../grammar/parser.ts';
import type {Correction, Span} from '../grammar/problem.ts';
import type {ComparisonOperator, Literal} from '../grammar/tree.ts';
import type {WarningCode} from '../lints/catalogue.ts';
import type {Field} from '../vocabulary/entries.ts';
import type {ComparedField} from './compared-field.ts';
import {type ConditionContext, formatPresence} from './condition-context.ts';
import {findMismatch, type TextComparison, type ValueMismatch} from './values.ts';

type StringLiteral = Literal & {kind: 'string'};

type TextCheck = ConditionContext & {
	readonly subject: ComparedField;
	readonly textComparison: TextComparison;
	readonly operator?: ComparisonOperator;
	readonly literal: StringLiteral;
	readonly wholeSpan: Span;
	readonly isItem?: true;
};

/** Warns of a text that no value of the field can match, and of one that is read differently than it seems. */
export function checkText(parser: Parser, check: TextCheck): void {
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
		const correction = buildMatchesCorrection(parser, check);
		if (operator === 'contains' || comparesFreeText(subject.operand, operator))
			parser.hint(literal, patternAsText, {code: 'L118', correction});
		else parser.warning(literal, patternAsText, {code: 'L035', correction});
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

const patternAsText =
	'This compares plain text, character by character. Regular expressions need the matches operator.';

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
	const correctedName = name.replace(/(full_uri|uri\.path(\.extension)?)$/, replacement.field);
	return {
		span: {start: wholeSpan.start, end: literal.end},
		text: `${parser.text.slice(wholeSpan.start, subject.span.start)}${correctedName}${parser.text.slice(subject.span.end, literal.end)}`,
	};
}

/** Writes another text in place of a literal, in the same form. */
export function rewriteLiteral(parser: Parser, literal: StringLiteral, value: string): string {
	const oldLiteral = parser.slice(literal);
	if (literal.form !== 'quoted' && !value.includes('"'))
		return oldLiteral.replace(/"[\s\S]*"/, () => `"${value}"`);
	return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** Warns that a comparison has the same result for every value. `reason` starts a sentence. */
function warnConstantResult(
	parser: Parser,
	check: TextCheck,
	code: WarningCode,
	reason: string,
	correction: Correction | undefined,
): void {
	const isAlways = (check.operator === 'ne') !== check.negated;
	const ifPresent = formatPresence(check, {
		result: check.operator === 'ne',
		mayBeMissing: check.subject.mayBeMissing,
	});
	const outcome = check.isItem
		? 'this value never matches'
		: `this is ${isAlways ? 'always' : 'never'} true${ifPresent}`;
	parser.warning(check.literal, `${reason}: ${outcome}.`, {code, correction});
}

/** Formats a mismatch as the start of a sentence: "A path starts with /". */
export const formatReason = ({reason, isAboutValues}: ValueMismatch, {name}: Field): string =>
	isAboutValues ? `Values of ${name} ${reason}` : reason.charAt(0).toUpperCase() + reason.slice(1);
