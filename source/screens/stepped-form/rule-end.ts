import {
	addEnd,
	findEnd,
	formatEnd,
	formatEndTime,
	longestEndDays,
	parseEnd,
	removeEnd,
} from '../../firewall/rules/end-time.ts';
import {toEpochSeconds} from '../../kv/limits.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {
	createExpressionEditing,
	type ExpressionEditing,
	getTypedExpression,
} from '../expression-editor/editing.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import type {AboutFields} from './about-fields.ts';

/** The part of a rule form that its end changes. */
type EndingForm = {
	readonly aboutFields: AboutFields;
	readonly editing: ExpressionEditing;
	readonly zone: ZoneWithLabel;
};

/** Formats the end of an expression as text to edit: `never`, or a time in UTC. */
export function formatEndText(expression: string): string {
	const end = findEnd(expression);
	return end === undefined ? 'never' : formatEndTime(end);
}

/** True if a typed end means that the rule has none. */
const isNever = (text: string): boolean => ['', 'never'].includes(text.trim().toLowerCase());

/** Explains why an end typed for an expression is invalid; undefined if it is valid. */
export const checkTypedEnd = (text: string, expression: string): string | undefined =>
	isNever(text) ||
	text === formatEndText(expression) ||
	parseEnd(text, toEpochSeconds(Date.now())) !== undefined
		? undefined
		: `Type never, a duration such as 30m, 2h or 7d (up to ${longestEndDays}d), or a later time in UTC: ${formatEndTime(toEpochSeconds(Date.now()) + 7200).slice(0, 16)}.`;

/** Returns the expression with a typed end, counted from now; an unchanged or invalid text changes nothing. */
function applyTypedEnd(text: string, expression: string): string {
	if (text === formatEndText(expression)) return expression;
	if (isNever(text)) return removeEnd(expression);
	const end = parseEnd(text, toEpochSeconds(Date.now()));
	return end === undefined ? expression : addEnd(expression, end);
}

/** Explains why the line `ends` is invalid; undefined if it is valid. */
export const findEndProblem = ({aboutFields, editing}: EndingForm): string | undefined =>
	checkTypedEnd(getBufferText(aboutFields.ends), getTypedExpression(editing));

/** Returns the form with another end of its expression, as typed. */
export function withTypedEnd<Form extends EndingForm>(form: Form, text: string): Form {
	const expression = getTypedExpression(form.editing);
	const newExpression = applyTypedEnd(text, expression);
	return newExpression === expression
		? form
		: {...form, editing: createExpressionEditing(newExpression, form.zone)};
}

/** Describes what the line `ends` does; the hint of the line. */
export function describeTypedEnd({aboutFields, editing}: EndingForm): string {
	const end = findEnd(applyTypedEnd(getBufferText(aboutFields.ends), getTypedExpression(editing)));
	return end === undefined ? 'never, or how long it acts: 30m, 2h, 7d, or a time in UTC' : describeEnd(end);
}

/** Describes when a rule ends, or that it has ended. */
export const describeEnd = (end: number): string =>
	end > toEpochSeconds(Date.now())
		? `Acts ${formatEnd(end)}; after that it matches nothing.`
		: `Ended ${formatEndTime(end)}: it matches no more requests.`;
