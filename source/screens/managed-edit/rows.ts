import {readSkips} from '../../migration/configuration/exceptions.ts';
import type {Finding} from '../../migration/configuration/findings.ts';
import {thresholdInWords} from '../../migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../migration/configuration/rule-overrides.ts';
import {drawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {counted} from '../../text/figures.ts';
import {type Body, beside, type Place} from '../rows/body.ts';
import {blank, type Look, marked, type Row, said, spaced, windowOf} from '../rows/rows.ts';
import {type EditRow, editRows} from './edit-rows.ts';
import {type ManagedEditor, rulesetIn} from './host.ts';

/** What the editor shows. */
type Edited = Pick<ManagedEditor, 'configuration' | 'managed' | 'cursor'> & {
	/** Problems of the configuration. */
	readonly findings: readonly Finding[];
	/** Scroll offset of the details below the list, in rows. */
	readonly top: number;
	/** More about the paranoia level, as the end of a sentence. */
	readonly aboutLevel?: string;
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
export function editorBody(edited: Edited, place: Place): Body {
	const {configuration, cursor, top, head, foot = [], summary, differences} = edited;
	const all = editRows(configuration);
	const here = Math.min(cursor, all.length - 1);
	const before = head.length === 0 ? head : [...head, blank];
	const listed = [...before, ...all.map((row, index) => editRow(edited, row, index === here, place))];
	const selected = all[here];
	const details = selected
		? detailRows(edited, selected, beside(place))
		: said(differences.length > 0 ? 'No rule is left.' : undefined, beside(place).columns, 'dim');
	const from = before.length + Math.max(0, here);
	const below = [...details, ...differences];
	const room = Math.min(below.length, place.rows < 12 ? 3 : 8);
	return {
		rows: spaced(listed, foot),
		at: {from, to: from + 1},
		tail: [blank, ...windowOf(below, room, top), ...cutToOne(summary, place)],
		side: spaced(details, [...summary, ...differences]),
		belowLast: below.length - room,
	};
}

function editRow(edited: Edited, row: EditRow, isHere: boolean, {columns, marks}: Place): Row {
	const finding =
		row.kind === 'rule'
			? edited.findings
					.filter(({rule}) => rule === row.index)
					.toSorted((one, other) => (one.severity < other.severity ? -1 : 1))[0]
			: undefined;
	const sign = finding ? (finding.severity === 'error' ? marks.failed : marks.warning) : ' ';
	const look: Look = isHere
		? 'here'
		: finding
			? finding.severity === 'error'
				? 'danger'
				: 'warning'
			: isOff(row)
				? 'dim'
				: 'plain';
	return [
		{text: `${isHere ? marks.here : ' '} `, look},
		{text: cutEnd(`${sign} ${lineOf(edited, row)}`, columns - 2), look},
	];
}

const isOff = (row: EditRow): boolean =>
	row.kind === 'rule' ? row.rule.enabled === false : 'enabled' in row && row.enabled === false;

/** Formats a row: on or off, then its effect. */
function lineOf(edited: Edited, row: EditRow): string {
	switch (row.kind) {
		case 'rule': {
			const {action, action_parameters: parameters, expression, enabled, description} = row.rule;
			const id = parameters?.id;
			const what =
				action === 'execute' && typeof id === 'string' ? `execute ${rulesetIn(edited, id)}` : action;
			const which = expression === 'true' ? 'all requests' : expression;
			return drawable(
				`${String(row.index + 1).padStart(2)} ${enabled === false ? 'off' : 'on '} ${what}   ${description || which}`,
			);
		}
		case 'whole':
			return `       all of it: ${setting(row)}`;
		case 'paranoia':
			return `       paranoia level ${row.level === undefined ? 'as it comes' : `PL${row.level}`}`;
		case 'threshold':
			return `       score threshold ${row.threshold === undefined ? 'as it comes' : thresholdInWords(row.threshold)}${row.action === undefined ? '' : `, ${drawable(row.action)}`}`;
		case 'category':
			return `       category ${drawable(row.category)}: ${setting(row)}`;
		case 'override':
			return drawable(`       rule ${row.id}: ${setting(row)}   ${nameOf(edited, row) ?? ''}`).trimEnd();
		default:
			return row satisfies never;
	}
}

const setting = ({
	action,
	enabled,
}: {
	readonly action: string | undefined;
	readonly enabled: boolean | undefined;
}): string =>
	[
		...(enabled === undefined ? [] : [enabled ? 'on' : 'off']),
		...(action === undefined ? [] : [drawable(action)]),
	].join(', ') || 'as it comes';

/** Builds the details of a row, in sentences. */
function detailRows(edited: Edited, row: EditRow, {columns, marks}: Place): Row[] {
	const against = edited.findings
		.filter(({rule}) => rule === row.index)
		.flatMap(({severity, sentence}) =>
			marked(
				severity === 'error' ? marks.failed : marks.warning,
				sentence,
				columns,
				severity === 'error' ? 'danger' : 'warning',
			),
		);
	switch (row.kind) {
		case 'rule':
			return [
				...against,
				...said(row.rule.expression, columns),
				...(row.rule.description ? said(`"${row.rule.description}"`, columns, 'dim') : []),
				...said(skippedBy(edited, row.rule), columns),
				...said(parametersOf(row.rule), columns, 'dim'),
			];
		case 'whole':
			return said(
				`All rules of ${rulesetIn(edited, row.ruleset)}, but for what is said of some below.`,
				columns,
				'dim',
			);
		case 'paranoia':
			return said(
				`All rules of the OWASP Core Ruleset up to this level are on${edited.aboutLevel ?? ''}.`,
				columns,
				'dim',
			);
		case 'threshold':
			return said(
				'The ruleset acts on requests that reach this score. A higher threshold stops fewer.',
				columns,
				'dim',
			);
		case 'category':
			return said(`All rules of the category ${row.category}.`, columns, 'dim');
		case 'override':
			return [
				...said(nameOf(edited, row), columns),
				...said(`Managed rule ${row.id} of ${rulesetIn(edited, row.ruleset)}.`, columns, 'dim'),
			];
		default:
			return row satisfies never;
	}
}

/** Finds the name of a managed rule; undefined if it could not be read. */
const nameOf = (
	{managed}: Pick<Edited, 'managed'>,
	{ruleset, id}: {readonly ruleset: string; readonly id: string},
): string | undefined =>
	managed?.find(one => one.id === ruleset)?.rules?.find(rule => rule.id === id)?.description;

/** Describes what an exception skips, one line per ruleset or rule. */
function skippedBy(edited: Edited, rule: ConfiguredRule): readonly string[] {
	const skips = readSkips(rule);
	switch (skips?.kind) {
		case undefined:
			return [];
		case 'all':
			return ['Skips all managed rules after it.'];
		case 'rulesets':
			return skips.ids.map(id => `Skips all of ${rulesetIn(edited, id)}.`);
		case 'rules':
			return Object.entries(skips.rules).flatMap(([ruleset, ids]) => [
				`Skips ${counted(ids.length, 'rule')} of ${rulesetIn(edited, ruleset)}:`,
				...ids.map(id => `${nameOf(edited, {ruleset, id}) ?? ''} ${id}`.trim()),
			]);
		default:
			return skips satisfies never;
	}
}

/** Formats parameters other than overrides, as JSON; undefined for exceptions. */
function parametersOf(rule: ConfiguredRule): string | undefined {
	const {action_parameters: parameters} = rule;
	if (!parameters || readSkips(rule)) return undefined;
	const {overrides: _, ...rest} = parameters;
	return Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest);
}

/** Returns the first row, with `…` if there are others. */
const cutToOne = (rows: readonly Row[], {columns}: Place): readonly Row[] =>
	rows
		.slice(0, 1)
		.map(row =>
			rows.length === 1 ? row : row.map(piece => ({...piece, text: cutEnd(`${piece.text} …`, columns)})),
		);
