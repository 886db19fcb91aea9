import type {Marks} from '../../components/theme.ts';
import {analyse, type ExpressionContext} from '../../firewall/expression/expressions.ts';
import {cutMiddle} from '../../text/cut.ts';
import {drawExpression, runKinds} from '../expression-editor/rows.ts';
import {buildMarkedRows, type Piece, type Row} from '../rows/rows.ts';

/** Builds a heading row; the warnings that explain why a rule has no effect are never cut. */
export function buildHeadingRow(
	parts: readonly string[],
	warnings: readonly string[],
	columns: number,
	{warning, dot}: Pick<Marks, 'warning' | 'dot'>,
): Row {
	const warningText = warnings.map(text => `   ${warning} ${text}`).join('');
	const text = parts.join(` ${dot} `);
	return [
		{text: cutMiddle(text, columns - warningText.length), look: 'head'},
		{text: warningText, look: 'warning'},
	];
}

/** Builds the highlighted expression, then each problem that it has in this context, as a sentence. */
export function buildExpressionRows(
	text: string,
	context: ExpressionContext,
	columns: number,
	{warning}: Pick<Marks, 'warning'>,
): readonly Row[] {
	const {tokens, errors, warnings} = analyse(text, context);
	const {rows} = drawExpression(text, tokens, [], undefined, columns);
	return [
		...rows.map(row => toPieces(row.text, row.runs)),
		// The service accepted the expression, so an error is a warning only.
		...errors
			.slice(0, 1)
			.flatMap(({sentence}) =>
				buildMarkedRows(warning, `ledge would not send this: ${sentence}`, columns, 'warning'),
			),
		...warnings.flatMap(({sentence}) => buildMarkedRows(warning, sentence, columns, 'warning')),
	];
}

/**
 * Splits a row by its runs (see `DrawnRow`): `f11o3` is eleven code units drawn as a field, then three drawn
 * as an operator.
 */
function toPieces(text: string, runs: string): Row {
	const pieces: Piece[] = [];
	let position = 0;
	for (const [, letter = 'u', length] of runs.matchAll(/([^0-9])(\d+)/g)) {
		const end = position + Number(length);
		pieces.push({text: text.slice(position, end), look: runKinds[letter as keyof typeof runKinds]});
		position = end;
	}
	return pieces;
}
