import type {Marks} from '../../components/theme.ts';
import {analyse, type ExpressionContext} from '../../firewall/expression/expressions.ts';
import {cutMiddle} from '../../text/cut.ts';
import {drawExpression, runKinds} from '../expression-editor/rows.ts';
import {buildMarkedRows, type Piece, type Row} from '../rows/rows.ts';

/** Builds a heading row; warnings why it has no effect are never truncated. */
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

/** Builds the highlighted expression, and its problems in that place, each in a sentence. */
export function buildExpressionRows(
	text: string,
	place: ExpressionContext,
	columns: number,
	{warning}: Pick<Marks, 'warning'>,
): readonly Row[] {
	const {tokens, errors, warnings} = analyse(text, place);
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

function toPieces(text: string, runs: string): Row {
	const pieces: Piece[] = [];
	let place = 0;
	for (const [, letter = 'u', length] of runs.matchAll(/([^0-9])(\d+)/g)) {
		const end = place + Number(length);
		pieces.push({text: text.slice(place, end), look: runKinds[letter as keyof typeof runKinds]});
		place = end;
	}
	return pieces;
}
