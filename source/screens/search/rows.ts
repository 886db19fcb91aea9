import {longWorkShort} from '../../kv/long-work.ts';
import type {Hit} from '../../kv/transfer/search.ts';
import {columnsOf, drawable} from '../../text/columns.ts';
import {cutMiddle, fitted} from '../../text/cut.ts';
import {counted, grouped} from '../../text/figures.ts';
import {drawableLine} from '../../text/tabs.ts';
import {chosenPart} from '../keys/chosen.ts';
import {cutRow, type Row} from '../rows/rows.ts';
import {type SearchState, searchWork} from './state.ts';

/** Columns of the cursor mark before a row. */
const margin = 3;

/** Computes the widths of a hit's parts on a terminal of `columns`. */
function widthsFor(columns: number): {readonly key: number; readonly place: number; readonly text: number} {
	const key = Math.max(16, Math.min(48, Math.floor(columns * 0.32)));
	const place = 11;
	return {key, place, text: columns - margin - key - place - 5};
}

const placeText = ({line, offset}: Hit): string =>
	line === undefined ? `byte ${offset ?? 0}` : `line ${line}`;

/** Formats the column titles, with the searched subset unless all keys are searched. */
export function hitTitles({request: {keys}}: SearchState, columns: number): string {
	const widths = widthsFor(columns);
	const part = chosenPart(keys);
	const text = part === undefined ? 'TEXT' : `TEXT (${drawable(part)})`;
	return `${' '.repeat(margin)}${fitted('KEY', widths.key)}  ${fitted('PLACE', widths.place)}  ${cutMiddle(text, widths.text)}`;
}

/** Builds the row of a hit: key, place, and text around the match, which is always visible. */
export function hitRow(hit: Hit, columns: number, isHere: boolean, mark: string): Row {
	const widths = widthsFor(columns);
	const {excerpt, match} = hit;
	const before = drawableLine(excerpt.slice(0, match.at).trimStart());
	const start = columnsOf(before);
	const found = drawableLine(excerpt.slice(match.at, match.at + match.length), start);
	const end = start + columnsOf(found);
	const behind = drawableLine(excerpt.slice(match.at + match.length).trimEnd(), end);
	const toEnd = end + columnsOf(behind) - widths.text;
	const from = end < widths.text ? 0 : Math.max(0, Math.min(start - Math.floor(widths.text / 3), toEnd));
	const look = isHere ? 'here' : 'plain';
	return [
		{text: ` ${isHere ? mark : ' '} `, look},
		{text: `${fitted(cutMiddle(drawable(hit.key), widths.key), widths.key)}  `, look},
		{text: `${fitted(placeText(hit), widths.place)}  `, look: isHere ? 'here' : 'dim'},
		...cutRow(
			[
				{text: before, look},
				{text: found, look, found: true},
				{text: behind, look},
			],
			from,
			widths.text,
		),
	];
}

/** Status line: hits, progress, rate. */
export function searchSummary(search: SearchState): string {
	const {phase, request, searched, gone, found, keysWithHits, rows, rate} = search;
	const isWhole = phase.name === 'done' || request.total === undefined || request.total < searched;
	const parts = [
		found === 0 ? 'no hit' : `${counted(found, 'hit')} in ${counted(keysWithHits, 'key')}`,
		isWhole
			? `${counted(searched, 'key')} searched`
			: `${grouped(searched)} of ${counted(request.total, 'key')}`,
		...(gone > 0 ? [`${grouped(gone)} gone meanwhile`] : []),
		...(found > rows.length ? [`${grouped(rows.length)} hits kept`] : []),
	];
	const text = parts.join(' · ');
	switch (phase.name) {
		case 'searching':
			return [
				`${text}${rate > 0 ? ` · ${grouped(Math.round(rate))} keys/s` : ''}`,
				'esc stops',
				...[longWorkShort(searchWork(search), searched, request.total)].filter(time => time !== undefined),
			].join('   ');
		case 'done':
			return text;
		case 'stopped':
			return `stopped: ${searched === 0 ? 'nothing searched (ctrl-r starts again)' : text}`;
		case 'failed':
			return `failed: ${searched === 0 ? 'nothing searched (ctrl-r starts again)' : text}`;
		default:
			return phase satisfies never;
	}
}
