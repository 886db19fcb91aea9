import type {Marks} from '../../components/theme.ts';
import type {StatsSection} from '../../kv/stats/sections.ts';
import {drawable} from '../../text/columns.ts';
import {counted, grouped} from '../../text/figures.ts';
import {barRows, barTexts} from '../../text/plot/bars.ts';
import type {PlotRow, Tone} from '../../text/plot/plot.ts';
import {factRow} from '../rows/facts.ts';
import {blank, type Look, marked, type Row, said} from '../rows/rows.ts';
import {costOf, type StatsEntry, type StatsState} from './state.ts';

/** Columns of the cursor mark before a row. */
const margin = 3;
/** Minimum columns to show sections beside each other, and the gap between them. */
const sideBySideFrom = 150;
const gap = 4;

type StatsPlace = {readonly columns: number; readonly marks: Marks};

/** A column of sections; `at` are the rows under the cursor, if they are in it. */
export type StatsColumn = {
	readonly columns: number;
	readonly rows: readonly Row[];
	readonly at: {readonly from: number; readonly to: number} | undefined;
};

/** Builds one column of results, or two on a wide terminal. */
export function statsColumns({entries, cursor}: StatsState, place: StatsPlace): readonly StatsColumn[] {
	const isWide = place.columns >= sideBySideFrom;
	const columns = isWide ? Math.floor((place.columns - gap) / 2) : place.columns;
	const isLeft = ({section: {name}}: StatsEntry) => name === 'prefixes' || name === 'sizes';
	const groups = isWide ? [entries.filter(isLeft), entries.filter(entry => !isLeft(entry))] : [entries];
	const here = entries[cursor];
	return groups.map(group => ({columns, ...sectionsRows(group, here, {...place, columns})}));
}

function sectionsRows(
	entries: readonly StatsEntry[],
	here: StatsEntry | undefined,
	place: StatsPlace,
): Pick<StatsColumn, 'rows' | 'at'> {
	const rows: Row[] = [];
	const drawn = new Map<StatsSection, readonly PlotRow[]>();
	let at: StatsColumn['at'];
	for (const entry of entries) {
		const {section} = entry;
		const from = rows.length;
		if (entry.isFirst) {
			if (rows.length > 0) rows.push(blank);
			rows.push([{text: `${' '.repeat(margin)}${section.title}`, look: 'head'}]);
		}
		const isHere = entry === here;
		if (!drawn.has(section)) drawn.set(section, barsOf(section, place));
		rows.push(...entryRows(entry, drawn.get(section) ?? [], isHere, place));
		if (isHere) at = {from, to: rows.length};
	}
	return {rows, at};
}

const isAscii = ({bar: [full]}: Marks): boolean => full === '#';

const barsOf = ({bars, unit}: StatsSection, {columns, marks}: StatsPlace): readonly PlotRow[] =>
	barRows({bars, unit}, {columns: columns - margin, isAscii: isAscii(marks)});

function entryRows(
	entry: StatsEntry,
	drawn: readonly PlotRow[],
	isHere: boolean,
	{columns, marks}: StatsPlace,
): Row[] {
	const mark = {text: ` ${isHere ? marks.here : ' '} `, look: isHere ? 'here' : 'plain'} as const;
	if (entry.kind === 'bar') {
		const spans = drawn[entry.at] ?? [];
		return [[mark, ...spans.map(({text, tone}) => ({text, look: lookOf(tone, isHere)}))]];
	}
	const room = columns - margin - 1;
	return said(entry.line, room, isHere ? 'here' : 'plain').map((row, at) => [
		at === 0 ? mark : {text: ' '.repeat(margin), look: 'plain'},
		...row,
	]);
}

function lookOf(tone: Tone, isHere: boolean): Look {
	if (tone === 'axis') return 'dim';
	if (typeof tone === 'object') return 'bar';
	return isHere ? 'here' : 'plain';
}

/** Formats an entry for screen readers. */
export function spokenEntry({section, isFirst, ...entry}: StatsEntry): string {
	const title = isFirst ? `${section.title}: ` : '';
	if (entry.kind === 'line') return `${title}${drawable(entry.line)}`;
	const bar = {...entry.bar, label: entry.bar.label.trim()};
	return `${title}${barTexts({bars: [bar], unit: section.unit}).join('')}`;
}

/** Builds the rows that tell what will be read and what it costs; without blank rows if `height` is small. */
export function askingRows(stats: StatsState, {columns}: StatsPlace, height: number): Row[] {
	const room = columns - margin - 1;
	const {namespace, prefix, sampling} = stats.request;
	const below = prefix === undefined ? '' : ` below ${prefix}`;
	const estimated = 'The sizes of all values are estimated from these, with the error.';
	const rows = [
		...said(`Statistics of the keys of ${namespace.title}${below}`, room, 'head'),
		blank,
		...costOf(stats).flatMap(line => said(line, room)),
		...(typeof sampling === 'number' ? said(estimated, room) : []),
		blank,
		...said('Nothing is written. enter starts, s changes the sample, esc leads back.', room, 'dim'),
	].map(indentedRow);
	return rows.length > height ? rows.filter(row => row.length > 0) : rows;
}

const indentedRow = (row: Row): Row =>
	row.length === 0 ? row : [{text: ' '.repeat(margin), look: 'plain'}, ...row];

/** Builds the progress rows. */
export function readingRows({request, phase}: StatsState, {columns, marks}: StatsPlace): Row[] {
	if (phase.name !== 'reading') return [];
	const {progress} = phase;
	const facts = [
		progress?.phase === 'measuring'
			? {name: 'Keys', text: 'all listed'}
			: listedFact(progress?.keys ?? 0, request.keys),
		...(progress?.phase === 'measuring'
			? [
					{
						name: 'Values',
						text: `${grouped(progress.done)} of ${grouped(progress.total)}`,
						share: progress.total === 0 ? 1 : progress.done / progress.total,
					},
				]
			: []),
	];
	return [
		...facts.map(fact => indentedRow(factRow(fact, columns, marks))),
		blank,
		indentedRow([{text: 'esc stops, and shows what is known by then', look: 'dim'}]),
	];
}

const listedFact = (listed: number, of: number | undefined) =>
	of === undefined || of < listed
		? {name: 'Keys', text: `${grouped(listed)} listed`}
		: {name: 'Keys', text: `${grouped(listed)} of ${grouped(of)}`, share: of === 0 ? 1 : listed / of};

/** Builds the failure rows shown above partial results. */
export const failureRows = ({phase}: StatsState, {columns, marks}: StatsPlace): Row[] =>
	phase.name === 'failed'
		? [...marked(marks.failed, phase.failure.message, columns - margin, 'danger'), blank]
		: [];

/** Status line: progress, then what the figures are based on. */
export function statsSummary({phase, stats}: StatsState): string {
	const keys = stats ? counted(stats.keys, 'key') : '';
	switch (phase.name) {
		case 'asking':
			return 'nothing is read yet';
		case 'reading':
			if (phase.progress?.phase === 'measuring')
				return `reading values: ${grouped(phase.progress.done)} of ${grouped(phase.progress.total)}   esc stops`;
			return `listing: ${counted(phase.progress?.keys ?? 0, 'key')}   esc stops`;
		case 'done':
			return [
				keys,
				...(stats?.chosen === 'sample'
					? [`${counted(stats.sizes?.measured ?? 0, 'value')} drawn at random`]
					: []),
			].join(' · ');
		case 'stopped':
			return `stopped: ${keys === '' ? 'nothing was read' : `${keys}, incomplete`}`;
		case 'failed':
			return `failed: ${keys === '' ? 'nothing was read' : `${keys}, incomplete`}`;
		default:
			return phase satisfies never;
	}
}
