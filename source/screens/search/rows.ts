import {nameKey} from '../../keyboard/named-keys.ts';
import {summarizeLongWork} from '../../kv/long-work.ts';
import type {Hit} from '../../kv/transfer/search.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutMiddle, fitText} from '../../text/cut.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {toDrawableLine} from '../../text/tabs.ts';
import {formatKeySubset} from '../keys/chosen-keys.ts';
import {cutRow, type Row} from '../rows/rows.ts';
import {getSearchWork, type SearchState} from './state.ts';

/** Columns of the cursor mark before a row. */
const margin = 3;

/** Minimum columns of a terminal to show the place of a hit. */
const minPlaceColumns = 56;

/** Computes the widths of a hit's parts on a terminal of `columns`. */
function computeHitWidths(columns: number): {
	readonly key: number;
	readonly place: number;
	readonly text: number;
} {
	const key = Math.max(16, Math.min(48, Math.floor(columns * 0.32)));
	const place = columns < minPlaceColumns ? 0 : 11;
	return {key, place, text: columns - margin - key - place - (place === 0 ? 3 : 5)};
}

const formatHitPlace = ({line, offset}: Hit): string =>
	line === undefined ? `byte ${offset ?? 0}` : `line ${line}`;

/** Formats the column titles, with the searched subset unless all keys are searched. */
export function formatHitTitles({request: {keys}}: SearchState, columns: number): string {
	const widths = computeHitWidths(columns);
	const subset = formatKeySubset(keys);
	const text = subset === undefined ? 'TEXT' : `TEXT (${toDrawable(subset)})`;
	return `${' '.repeat(margin)}${fitText('KEY', widths.key)}  ${widths.place === 0 ? '' : `${fitText('PLACE', widths.place)}  `}${cutMiddle(text, widths.text)}`;
}

/**
 * Builds the row of a hit: key, position and excerpt, cut so that the match is visible. `isChanged`: the key was
 * written since, so the position may be wrong.
 */
export function buildHitRow(
	hit: Hit,
	columns: number,
	isCurrent: boolean,
	{
		cursorMark,
		selectionMark = ' ',
		isChanged = false,
	}: {readonly cursorMark: string; readonly selectionMark?: string; readonly isChanged?: boolean},
): Row {
	const widths = computeHitWidths(columns);
	const {excerpt, match} = hit;
	const before = toDrawableLine(excerpt.slice(0, match.offset).trimStart());
	const start = measureColumns(before);
	const matchText = toDrawableLine(excerpt.slice(match.offset, match.offset + match.length), start);
	const end = start + measureColumns(matchText);
	const after = toDrawableLine(excerpt.slice(match.offset + match.length).trimEnd(), end);
	const maxStart = end + measureColumns(after) - widths.text;
	const scrolledColumns =
		end < widths.text ? 0 : Math.max(0, Math.min(start - Math.floor(widths.text / 3), maxStart));
	const look = isCurrent ? 'here' : 'plain';
	return [
		{text: ` ${isCurrent ? cursorMark : ' '}${selectionMark}`, look},
		{text: `${fitText(cutMiddle(toDrawable(hit.key), widths.key), widths.key)}  `, look},
		...(widths.place === 0
			? []
			: ([
					{
						text: `${fitText(isChanged ? 'changed' : formatHitPlace(hit), widths.place)}  `,
						look: isCurrent ? 'here' : 'dim',
					},
				] as const)),
		...cutRow(
			[
				{text: before, look},
				{text: matchText, look, isMatch: true},
				{text: after, look},
			],
			scrolledColumns,
			widths.text,
		),
	];
}

/** Status line: hits, progress, rate. */
export function formatSearchSummary(search: SearchState): string {
	const {phase, request, searched, gone, found, keysWithHits, rows, rate} = search;
	const isDone = phase.name === 'done';
	const hidesTotal = isDone || request.total === undefined || request.total < searched;
	// A search of all keys lists them again, without those that are gone by then.
	const missing = gone + (isDone ? Math.max(0, (request.total ?? 0) - searched) : 0);
	const parts = [
		found === 0
			? 'no hits'
			: `${formatQuantity(found, 'hit')}${found > rows.length ? ` (${formatInteger(rows.length)} shown)` : ''} in ${formatQuantity(keysWithHits, 'key')}`,
		hidesTotal
			? `${isDone ? 'all ' : ''}${formatQuantity(searched, 'key')} searched`
			: `${formatInteger(searched)} of ${formatQuantity(request.total, 'key')}`,
		...(missing > 0 ? [`${formatInteger(missing)} no longer ${missing === 1 ? 'exists' : 'exist'}`] : []),
	];
	const text = parts.join(' · ');
	switch (phase.name) {
		case 'searching':
			return [
				`${text}${rate > 0 ? ` · ${formatInteger(Math.round(rate))} keys/s` : ''}`,
				'esc stops',
				...[summarizeLongWork(getSearchWork(search), searched, request.total)].filter(
					time => time !== undefined,
				),
			].join('   ');
		case 'done':
			return text;
		case 'stopped':
			return `stopped: ${searched === 0 ? `nothing searched (${nameKey('reload', 'ctrl-r')} starts over)` : text}`;
		case 'failed':
			return `failed: ${searched === 0 ? `nothing searched (${nameKey('reload', 'ctrl-r')} starts over)` : text}`;
		default:
			return phase satisfies never;
	}
}
