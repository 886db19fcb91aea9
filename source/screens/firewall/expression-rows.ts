import type {Marks} from '../../components/theme.ts';
import {analyse, type Place} from '../../firewall/expression/expressions.ts';
import {cutMiddle} from '../../text/cut.ts';
import {drawnExpression, runKinds} from '../expression-editor/rows.ts';
import {marked, type Piece, type Row} from '../rows/rows.ts';

/** Builds a heading row; warnings why it has no effect are never truncated. */
export function headed(
	parts: readonly string[],
	warnings: readonly string[],
	columns: number,
	{warning, dot}: Pick<Marks, 'warning' | 'dot'>,
): Row {
	const behind = warnings.map(text => `   ${warning} ${text}`).join('');
	const text = parts.join(` ${dot} `);
	return [
		{text: cutMiddle(text, columns - behind.length), look: 'head'},
		{text: behind, look: 'warning'},
	];
}

/** Builds the highlighted expression, and its problems in that place, each in a sentence. */
export function rowsOfExpression(
	text: string,
	place: Place,
	columns: number,
	{warning}: Pick<Marks, 'warning'>,
): readonly Row[] {
	const {tokens, errors, warnings} = analyse(text, place);
	const {rows} = drawnExpression(text, tokens, [], undefined, columns);
	return [
		...rows.map(row => piecesOf(row.text, row.runs)),
		// The service accepted the expression, so an error is a warning only.
		...errors
			.slice(0, 1)
			.flatMap(({sentence}) => marked(warning, `ledge would not send this: ${sentence}`, columns, 'warning')),
		...warnings.flatMap(({sentence}) => marked(warning, sentence, columns, 'warning')),
	];
}

function piecesOf(text: string, runs: string): Row {
	const pieces: Piece[] = [];
	let place = 0;
	for (const [, letter = 'u', length] of runs.matchAll(/([^0-9])(\d+)/g)) {
		const end = place + Number(length);
		pieces.push({text: text.slice(place, end), look: runKinds[letter as keyof typeof runKinds]});
		place = end;
	}
	return pieces;
}
