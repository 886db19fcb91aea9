import {editSentence} from '../../../migration/configuration/edits.ts';
import {rulesetName, thresholdInWords} from '../../../migration/configuration/mapping.ts';
import {drawable} from '../../../text/columns.ts';
import {cutEnd} from '../../../text/cut.ts';
import {counted} from '../../../text/figures.ts';
import type {JsonObject} from '../../../text/json.ts';
import {blank, type Look, marked, type Row, said, spaced, windowOf} from '../../rows/rows.ts';
import {type EditRow, editRows} from '../edit-rows.ts';
import {type MigrationState, whyHeld} from '../state.ts';
import {changedRows} from './review.ts';
import {type Body, beside, failureRows, type Place} from './rows.ts';

/** The rules of the configuration and what they override, one a row; below them all of the one under the cursor. */
export function editBody(migration: MigrationState, place: Place): Body {
	const {configuration, failure, cursor} = migration;
	const head = spaced(failureRows(whyHeld(migration), place), failureRows(failure, place));
	if (!configuration)
		return {rows: spaced(head, said('The configuration was not read yet.', place.columns, 'dim')), tail: []};
	const all = editRows(configuration);
	const here = Math.min(cursor, all.length - 1);
	const before = head.length === 0 ? head : [...head, blank];
	const rows = [...before, ...all.map((row, index) => editRow(migration, row, index === here, place))];
	const selected = all[here];
	const details = selected
		? detailRows(migration, selected, beside(place))
		: said('No rule is left.', beside(place).columns, 'dim');
	const summary = summaryRows(migration, beside(place));
	const differences = changedRows(migration, beside(place));
	const from = before.length + Math.max(0, here);
	const below = [...details, ...differences];
	const room = Math.min(below.length, place.rows < 12 ? 3 : 8);
	return {
		rows,
		at: {from, to: from + 1},
		tail: [blank, ...windowOf(below, room, migration.top), ...cutToOne(summary, place)],
		side: spaced(details, [...summary, ...differences]),
		belowLast: below.length - room,
	};
}

function editRow({findings}: MigrationState, row: EditRow, isHere: boolean, {columns, marks}: Place): Row {
	const finding =
		row.kind === 'rule'
			? findings
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
		{text: cutEnd(`${sign} ${lineOf(row)}`, columns - 2), look},
	];
}

const isOff = (row: EditRow): boolean =>
	row.kind === 'rule' ? row.rule.enabled === false : 'enabled' in row && row.enabled === false;

/** A row in short: whether it is on, then what it does. */
function lineOf(row: EditRow): string {
	switch (row.kind) {
		case 'rule': {
			const {action, action_parameters: parameters, expression, enabled, description} = row.rule;
			const id = parameters?.id;
			const what = action === 'execute' && typeof id === 'string' ? `execute ${rulesetName(id)}` : action;
			return drawable(
				`${String(row.index + 1).padStart(2)} ${enabled === false ? 'off' : 'on '} ${what}   ${description || expression}`,
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
			return `       rule ${drawable(row.id)}: ${setting(row)}`;
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

/** All of a row, in sentences. */
function detailRows({findings}: MigrationState, row: EditRow, {columns, marks}: Place): Row[] {
	const against = findings
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
				...said(parametersOf(row.rule.action_parameters), columns, 'dim'),
			];
		case 'whole':
			return said(
				`All rules of ${rulesetName(row.ruleset)}, but for what is said of some below.`,
				columns,
				'dim',
			);
		case 'paranoia':
			return said(
				'All rules of the OWASP Core Ruleset up to this level are on; the documentation of the platform contradicts itself about the level that the migration sets.',
				columns,
				'dim',
			);
		case 'threshold':
			return said('Requests that score as many points or more are acted on.', columns, 'dim');
		case 'category':
			return said(`All rules of the category ${row.category}.`, columns, 'dim');
		case 'override':
			return said(`Managed rule ${row.id} of ${rulesetName(row.ruleset)}.`, columns, 'dim');
		default:
			return row satisfies never;
	}
}

/** What a skip rule skips; of a rule that executes, the ruleset. */
function parametersOf(parameters: JsonObject | undefined): string | undefined {
	if (!parameters) return undefined;
	const {overrides: _, ...rest} = parameters;
	return Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest);
}

/** How many differences there are to what the service proposes, and what was done last. */
function summaryRows({plan, edits, record}: MigrationState, {columns}: Place): Row[] {
	const isThere = record.seen?.stage === 'validation';
	const last = edits.at(-1);
	const count = plan?.edits.length ?? 0;
	return said(
		`${count === 0 ? (isThere ? 'As it is now' : 'As the service proposes it') : `${counted(count, 'difference')} to ${isThere ? 'the current configuration' : 'the proposal'}`}${last ? `; last: ${last.edit === 'by hand' ? 'edited by hand' : editSentence(last.edit)}` : ''}`,
		columns,
		count === 0 ? 'dim' : 'plain',
	);
}

/** The first of some rows, with the mark of what was cut where there are others. */
const cutToOne = (rows: readonly Row[], {columns}: Place): readonly Row[] =>
	rows
		.slice(0, 1)
		.map(row =>
			rows.length === 1 ? row : row.map(piece => ({...piece, text: cutEnd(`${piece.text} …`, columns)})),
		);
