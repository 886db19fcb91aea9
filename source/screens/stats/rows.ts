import type {Marks} from '../../components/theme.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {isWholeNamespaceRead} from '../../kv/stats/cost.ts';
import type {StatsSection} from '../../kv/stats/sections.ts';
import {toDrawable} from '../../text/columns.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {buildBarRows, formatBars} from '../../text/plot/bars.ts';
import type {PlotRow, PlotTone} from '../../text/plot/plot.ts';
import {buildFactRow} from '../rows/facts.ts';
import {blankRow, buildMarkedRows, buildTextRows, type Look, type Row} from '../rows/rows.ts';
import {formatStatsCost, type StatsEntry, type StatsState} from './state.ts';

/** Columns of the cursor mark before a row. */
const margin = 3;
/** Minimum columns to show sections side by side, and the gap between them. */
const minSideBySideColumns = 150;
const gap = 4;

type StatsArea = {readonly columns: number; readonly marks: Marks};

/** A column of sections. `cursorRows` are the rows under the cursor if the column contains them. */
export type StatsColumn = {
	readonly columns: number;
	readonly rows: readonly Row[];
	readonly cursorRows: {readonly from: number; readonly to: number} | undefined;
};

/** Builds one column of results, or two on a wide terminal. */
export function buildStatsColumns({entries, cursor}: StatsState, area: StatsArea): readonly StatsColumn[] {
	const isWide = area.columns >= minSideBySideColumns;
	const columns = isWide ? Math.floor((area.columns - gap) / 2) : area.columns;
	const isLeft = ({section: {name}}: StatsEntry) => name === 'prefixes' || name === 'sizes';
	const groups = isWide ? [entries.filter(isLeft), entries.filter(entry => !isLeft(entry))] : [entries];
	const currentEntry = entries[cursor];
	return groups.map(group => ({columns, ...buildSectionRows(group, currentEntry, {...area, columns})}));
}

function buildSectionRows(
	entries: readonly StatsEntry[],
	currentEntry: StatsEntry | undefined,
	area: StatsArea,
): Pick<StatsColumn, 'rows' | 'cursorRows'> {
	const rows: Row[] = [];
	const barRows = new Map<StatsSection, readonly PlotRow[]>();
	let cursorRows: StatsColumn['cursorRows'];
	for (const entry of entries) {
		const {section} = entry;
		const from = rows.length;
		if (entry.isFirst) {
			if (rows.length > 0) rows.push(blankRow);
			rows.push([{text: `${' '.repeat(margin)}${section.title}`, look: 'head'}]);
		}
		const isCurrent = entry === currentEntry;
		if (!barRows.has(section)) barRows.set(section, buildBars(section, area));
		rows.push(...buildEntryRows(entry, barRows.get(section) ?? [], isCurrent, area));
		if (isCurrent) cursorRows = {from, to: rows.length};
	}
	return {rows, cursorRows};
}

/** True if the terminal has plain ASCII marks; bars are then drawn with `#`. */
const isAscii = ({bar: [full]}: Marks): boolean => full === '#';

const buildBars = ({bars, unit}: StatsSection, {columns, marks}: StatsArea): readonly PlotRow[] =>
	buildBarRows({bars, unit}, {columns: columns - margin, isAscii: isAscii(marks)});

function buildEntryRows(
	entry: StatsEntry,
	barRows: readonly PlotRow[],
	isCurrent: boolean,
	{columns, marks}: StatsArea,
): Row[] {
	const mark = {text: ` ${isCurrent ? marks.current : ' '} `, look: isCurrent ? 'here' : 'plain'} as const;
	if (entry.kind === 'bar') {
		const spans = barRows[entry.barIndex] ?? [];
		return [[mark, ...spans.map(({text, tone}) => ({text, look: getToneLook(tone, isCurrent)}))]];
	}
	const textColumns = columns - margin - 1;
	return buildTextRows(entry.line, textColumns, isCurrent ? 'here' : 'plain').map((row, index) => [
		index === 0 ? mark : {text: ' '.repeat(margin), look: 'plain'},
		...row,
	]);
}

function getToneLook(tone: PlotTone, isCurrent: boolean): Look {
	if (tone === 'axis') return 'dim';
	if (typeof tone === 'object') return 'bar';
	return isCurrent ? 'here' : 'plain';
}

/** Formats an entry for screen readers. */
export function formatSpokenEntry({section, isFirst, ...entry}: StatsEntry): string {
	const title = isFirst ? `${section.title}: ` : '';
	if (entry.kind === 'line') return `${title}${toDrawable(entry.line)}`;
	const bar = {...entry.bar, label: entry.bar.label.trim()};
	return `${title}${formatBars({bars: [bar], unit: section.unit}).join('')}`;
}

/**
 * Builds the rows that say what will be read and what it costs. Blank rows are left out if `height` is small.
 */
export function buildCostRows(stats: StatsState, {columns}: StatsArea, height: number): Row[] {
	const textColumns = columns - margin - 1;
	const {namespace, prefix, sampling, keyCount} = stats.request;
	const prefixNote = prefix === undefined ? '' : ` under ${prefix}`;
	const estimateNote = 'Sizes are estimated from the values read, with a margin of error.';
	const rows = [
		...buildTextRows(`Statistics of the keys in ${namespace.title}${prefixNote}`, textColumns, 'head'),
		blankRow,
		...formatStatsCost(stats).flatMap(line => buildTextRows(line, textColumns)),
		...(isWholeNamespaceRead(keyCount, sampling) || sampling === 'none'
			? []
			: buildTextRows(estimateNote, textColumns)),
		blankRow,
		...buildTextRows(
			`Nothing is written. ${nameKey('stats.start', 'enter')} starts, ${nameKey('stats.sample', 'v')} changes the sample, esc goes back.`,
			textColumns,
			'dim',
		),
	];
	return rows.length > height ? rows.filter(row => row.length > 0) : rows;
}

/** Indents a row that is not blank to the text. */
export const indentStatsRow = (row: Row): Row =>
	row.length === 0 ? row : [{text: ' '.repeat(margin), look: 'plain'}, ...row];

/** Builds the progress rows. */
export function buildReadingRows({request, phase}: StatsState, {columns, marks}: StatsArea): Row[] {
	if (phase.name !== 'reading') return [];
	const {progress} = phase;
	const facts = [
		progress?.phase === 'measuring'
			? {name: 'Keys', text: 'all listed'}
			: buildListedFact(progress?.keys ?? 0, request.keyCount),
		...(progress?.phase === 'measuring'
			? [
					{
						name: 'Values',
						text: `${formatInteger(progress.done)} of ${formatInteger(progress.total)}`,
						share: progress.total === 0 ? 1 : progress.done / progress.total,
					},
				]
			: []),
	];
	return [
		...facts.map(fact => indentStatsRow(buildFactRow(fact, columns, marks))),
		blankRow,
		indentStatsRow([{text: 'esc stops and shows partial results', look: 'dim'}]),
	];
}

const buildListedFact = (listedCount: number, total: number | undefined) =>
	total === undefined || total < listedCount
		? {name: 'Keys', text: `${formatInteger(listedCount)} listed`}
		: {
				name: 'Keys',
				text: `${formatInteger(listedCount)} of ${formatInteger(total)}`,
				share: total === 0 ? 1 : listedCount / total,
			};

/** Builds the failure rows shown above partial results. */
export const buildStatsFailureRows = ({phase}: StatsState, {columns, marks}: StatsArea): Row[] =>
	phase.name === 'failed'
		? [...buildMarkedRows(marks.failed, phase.failure.message, columns - margin, 'danger'), blankRow]
		: [];

/** Status line: progress, then what the figures are based on. */
export function formatStatsSummary({phase, stats}: StatsState): string {
	const keys = stats ? formatQuantity(stats.keys, 'key') : '';
	switch (phase.name) {
		case 'asking':
			return 'nothing listed yet';
		case 'reading':
			if (phase.progress?.phase === 'measuring')
				return `reading values: ${formatInteger(phase.progress.done)} of ${formatInteger(phase.progress.total)}   esc stops`;
			return `listing: ${formatQuantity(phase.progress?.keys ?? 0, 'key')}   esc stops`;
		case 'done':
			return [
				keys,
				...(stats?.measuredValues === 'sample'
					? [`${formatQuantity(stats.sizes?.measured ?? 0, 'random value')}`]
					: []),
			].join(' · ');
		case 'stopped':
			return `stopped: ${keys === '' ? 'nothing was listed' : `${keys}, incomplete`}`;
		case 'failed':
			return `failed: ${keys === '' ? 'nothing was listed' : `${keys}, incomplete`}`;
		default:
			return phase satisfies never;
	}
}
