import {fitBesideList} from '../../components/layout.ts';
import {parseSkips} from '../../migration/configuration/exceptions.ts';
import type {ConfigurationFinding} from '../../migration/configuration/findings.ts';
import {formatScoreThreshold} from '../../migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../migration/configuration/rule-overrides.ts';
import {measureColumns, toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {formatQuantity} from '../../text/figures.ts';
import {type Body, getSideArea, type LayoutArea} from '../rows/body.ts';
import {
	blankRow,
	buildMarkedRows,
	buildNamedRows,
	buildTextRows,
	joinWithBlankRows,
	type Look,
	type Row,
	sliceVisibleRows,
} from '../rows/rows.ts';
import {buildEditRows, type EditRow, isEditRowOff} from './edit-rows.ts';
import {getRulesetName, type ManagedEditor} from './editor.ts';
import {readOwaspDefaults} from './owasp-defaults.ts';

/** What the editor shows. */
type EditorContent = Pick<ManagedEditor, 'configuration' | 'catalogue' | 'cursor'> & {
	/** Problems of the configuration. */
	readonly findings: readonly ConfigurationFinding[];
	/** Scroll offset of the details below the list, in rows. */
	readonly top: number;
	/** The end of the sentence "All rules … up to this level are on", without the period. */
	readonly levelNote?: string;
	/** Rows above the list. */
	readonly head: readonly Row[];
	/** Rows below the list. */
	readonly foot?: readonly Row[];
	/** The number of changes, and the last one. */
	readonly summary: readonly Row[];
	/** The changes. */
	readonly differences: readonly Row[];
};

/** Builds the list of rules and overrides, one row each, with the details of the row under the cursor. */
export function buildEditorBody(content: EditorContent, area: LayoutArea): Body {
	const {configuration, cursor, top, head, foot = [], summary, differences} = content;
	const editRows = buildEditRows(configuration);
	const currentIndex = Math.min(cursor, editRows.length - 1);
	const headRows = head.length === 0 ? head : [...head, blankRow];
	const listRows = [
		...headRows,
		...editRows.map((row, index) => buildEditorRow(content, row, index === currentIndex, area)),
	];
	const selectedRow = editRows[currentIndex];
	const details = selectedRow
		? buildEditDetailRows(content, selectedRow, getSideArea(area))
		: buildTextRows(differences.length > 0 ? 'No rules left.' : undefined, getSideArea(area).columns, 'dim');
	const currentTop = headRows.length + Math.max(0, currentIndex);
	const rows = joinWithBlankRows(listRows, foot);
	const lowerRows = [...details, ...differences];
	const summaryRows = cutToOneRow(summary, area);
	// Without the summary and the blank row. The list has no column titles.
	const lowerHeight = Math.min(
		lowerRows.length,
		fitBesideList(area.rows < 12 ? 3 : 8, area.rows - summaryRows.length - 1),
	);
	return {
		rows,
		// The last row shows what is below the list.
		cursorRows: {from: currentTop, to: currentIndex === editRows.length - 1 ? rows.length : currentTop + 1},
		tail:
			lowerHeight === 0
				? summaryRows
				: [blankRow, ...sliceVisibleRows(lowerRows, lowerHeight, top, ': ctrl-d'), ...summaryRows],
		side: joinWithBlankRows(details, [...summary, ...differences]),
		maxScrollBelowList: lowerHeight === 0 ? 0 : lowerRows.length - lowerHeight,
	};
}

function buildEditorRow(
	content: EditorContent,
	row: EditRow,
	isCurrent: boolean,
	{columns, marks}: LayoutArea,
): Row {
	const finding =
		row.kind === 'rule'
			? content.findings
					.filter(({rule}) => rule === row.index)
					.toSorted((one, other) => (one.severity < other.severity ? -1 : 1))[0]
			: undefined;
	const mark = finding ? (finding.severity === 'error' ? marks.failed : marks.warning) : ' ';
	const look: Look = isCurrent
		? 'here'
		: finding
			? finding.severity === 'error'
				? 'danger'
				: 'warning'
			: isEditRowOff(row)
				? 'dim'
				: 'plain';
	return [
		{text: `${isCurrent ? marks.current : ' '} `, look},
		{text: cutEnd(`${mark} ${formatEditRow(content, row, columns - 4)}`, columns - 2), look},
	];
}

/** Formats a row: on or off, then its effect. A long name of a managed rule leaves room for its setting. */
function formatEditRow(content: EditorContent, row: EditRow, columns: number): string {
	const defaults = readOwaspDefaults(content.catalogue);
	switch (row.kind) {
		case 'rule': {
			const {action, action_parameters: parameters, expression, enabled, description} = row.rule;
			const id = parameters?.id;
			const effect =
				action === 'execute' && typeof id === 'string' ? `execute ${getRulesetName(content, id)}` : action;
			const scope = expression === 'true' ? 'all requests' : expression;
			return toDrawable(
				`${String(row.index + 1).padStart(2)} ${enabled === false ? 'off' : 'on '} ${effect}   ${description || scope}`,
			);
		}
		case 'whole':
			return `       whole ruleset: ${formatSetting(row)}`;
		case 'paranoia':
			return `       paranoia level ${row.level === undefined ? formatDefault(defaults.level && `PL${defaults.level}`) : `PL${row.level}`}`;
		case 'threshold':
			return `       score threshold ${row.threshold === undefined ? formatDefault(defaults.threshold && formatScoreThreshold(defaults.threshold)) : formatScoreThreshold(row.threshold)}${row.action === undefined ? '' : `, ${toDrawable(row.action)}`}`;
		case 'category':
			return `       category ${toDrawable(row.category)}: ${formatSetting(row)}`;
		case 'override': {
			const name = toDrawable(findRuleName(content, row) || row.id);
			const setting = formatSetting(row);
			const start = '       rule ';
			return `${start}${cutEnd(name, columns - measureColumns(`${start}: ${setting}`))}: ${setting}`;
		}
		default:
			return row satisfies never;
	}
}

/** Formats a setting that is left to the ruleset: "default (PL2)". */
const formatDefault = (text: string | number | undefined): string => (text ? `default (${text})` : 'default');

const formatSetting = ({
	action,
	enabled,
}: {
	readonly action: string | undefined;
	readonly enabled: boolean | undefined;
}): string =>
	[
		...(enabled === undefined ? [] : [enabled ? 'on' : 'off']),
		...(action === undefined ? [] : [toDrawable(action)]),
	].join(', ') || 'default';

/** Builds the details of a row, in sentences. */
function buildEditDetailRows(content: EditorContent, row: EditRow, {columns, marks}: LayoutArea): Row[] {
	const problemRows = content.findings
		.filter(({rule}) => rule === row.index)
		.flatMap(({severity, sentence}) =>
			buildMarkedRows(
				severity === 'error' ? marks.failed : marks.warning,
				sentence,
				columns,
				severity === 'error' ? 'danger' : 'warning',
			),
		);
	switch (row.kind) {
		case 'rule':
			return [
				...problemRows,
				...buildNamedRows('expression', row.rule.expression, columns),
				...(row.rule.description ? buildTextRows(`"${row.rule.description}"`, columns, 'dim') : []),
				...buildTextRows(describeSkips(content, row.rule), columns),
				...buildTextRows(formatParameters(row.rule), columns, 'dim'),
			];
		case 'whole':
			return buildTextRows(
				`All rules of ${getRulesetName(content, row.ruleset)}, except for the overrides below.`,
				columns,
				'dim',
			);
		case 'paranoia':
			return buildTextRows(
				`All rules of the OWASP Core Ruleset up to this level are on${content.levelNote ?? ''}.`,
				columns,
				'dim',
			);
		case 'threshold':
			return buildTextRows(
				'The ruleset acts on requests that reach this score. A higher threshold stops fewer requests.',
				columns,
				'dim',
			);
		case 'category':
			return buildTextRows(`All rules in the category ${row.category}.`, columns, 'dim');
		case 'override':
			return [
				...buildTextRows(findRuleName(content, row), columns),
				...buildTextRows(
					`Managed rule ${row.id} of ${getRulesetName(content, row.ruleset)}.`,
					columns,
					'dim',
				),
			];
		default:
			return row satisfies never;
	}
}

/** Finds the name of a managed rule; undefined if it could not be read. */
const findRuleName = (
	{catalogue}: Pick<EditorContent, 'catalogue'>,
	{ruleset, id}: {readonly ruleset: string; readonly id: string},
): string | undefined =>
	catalogue?.find(one => one.id === ruleset)?.rules?.find(rule => rule.id === id)?.description;

/** Describes what an exception skips, one line per ruleset or rule. */
function describeSkips(content: EditorContent, rule: ConfiguredRule): readonly string[] {
	const skips = parseSkips(rule);
	switch (skips?.kind) {
		case undefined:
			return [];
		case 'all':
			return ['Skips all managed rules after it.'];
		case 'rulesets':
			return skips.ids.map(id => `Skips all of ${getRulesetName(content, id)}.`);
		case 'rules':
			return Object.entries(skips.rules).flatMap(([ruleset, ids]) => [
				`Skips ${formatQuantity(ids.length, 'rule')} of ${getRulesetName(content, ruleset)}:`,
				...ids.map(id => `${findRuleName(content, {ruleset, id}) ?? ''} ${id}`.trim()),
			]);
		default:
			return skips satisfies never;
	}
}

/** Formats parameters other than the managed ruleset and overrides, as JSON; undefined for exceptions. */
function formatParameters(rule: ConfiguredRule): string | undefined {
	const {action_parameters: parameters} = rule;
	if (!parameters || parseSkips(rule)) return undefined;
	const {overrides: _, id, ...others} = parameters;
	// The row names the managed ruleset.
	const rest = rule.action === 'execute' || id === undefined ? others : {id, ...others};
	return Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest);
}

/** Returns the first row, with `…` if there are others. */
const cutToOneRow = (rows: readonly Row[], {columns}: LayoutArea): readonly Row[] =>
	rows
		.slice(0, 1)
		.map(row =>
			rows.length === 1 ? row : row.map(piece => ({...piece, text: cutEnd(`${piece.text} …`, columns)})),
		);
