import {requestBody, shownFingerprint} from '../../../migration/configuration/configuration.ts';
import {describeEdit} from '../../../migration/configuration/difference-words.ts';
import {counted} from '../../../text/figures.ts';
import {editorBody} from '../../managed-edit/rows.ts';
import {comparisonRows, differenceRows} from '../../managed-edit/table.ts';
import {type Body, beside, failureRows, type Place} from '../../rows/body.ts';
import {exact, indented, marked, type Row, said, spaced} from '../../rows/rows.ts';
import {isReviewed, type MigrationState, whyHeld} from '../state.ts';
import {ago} from './rows.ts';
import {unreadRows} from './start.ts';

/** Builds the review: the comparison by sections, or the configuration as it will be sent. */
export function reviewBody(migration: MigrationState, place: Place): Body {
	const {view, plan, configuration, failure} = migration;
	const head = spaced(
		failureRows(whyHeld(migration), place),
		failureRows(failure, place),
		headRows(migration, place),
	);
	if (!plan || !configuration)
		return {rows: spaced(head, said('The configuration was not read yet.', place.columns, 'dim')), tail: []};
	switch (view) {
		case 'json':
			return {rows: spaced(head, jsonRows(migration, place)), tail: []};
		case 'comparison': {
			const side = spaced(...aroundRows(migration, beside(place)));
			return {
				rows: spaced(head, ...sectionRows(migration, place)),
				tail: [],
				side,
			};
		}
		default:
			return view satisfies never;
	}
}

/** Builds the head: reductions of protection, the fingerprint, whether it was reviewed, and findings. */
function headRows(migration: MigrationState, {columns, marks, now}: Place): Row[] {
	const {plan, findings, record} = migration;
	if (!plan) return [];
	const which = `${counted(plan.rules, 'rule')}, fingerprint ${shownFingerprint(plan.fingerprint)}`;
	return [
		...plan.reductions.flatMap(text => marked(marks.warning, text, columns, 'danger')),
		...(isReviewed(migration) && record.reviewed
			? marked(marks.done, `${which}, reviewed ${ago(record.reviewed.at, now)}`, columns, 'good')
			: said(`${which}, not reviewed yet`, columns)),
		...findings.flatMap(({severity, rule, sentence}) =>
			marked(
				severity === 'error' ? marks.failed : marks.warning,
				`${rule === undefined ? '' : `Rule ${rule + 1}: `}${sentence}${severity === 'error' ? ' It cannot be sent like this.' : ''}`,
				columns,
				severity === 'error' ? 'danger' : 'warning',
			),
		),
	];
}

const sectionRows = ({plan}: MigrationState, {columns, marks}: Place): Row[][] =>
	(plan?.sections ?? [])
		.filter(({rows}) => rows.length > 0)
		.map(({title, rows}) => comparisonRows(title, ['now', 'after'], rows, columns, marks));

/**
 * Builds the rows beside the comparison: warnings, edits, what is lost, and differences from the documented
 * mapping.
 */
function aroundRows(migration: MigrationState, place: Place): Row[][] {
	const {plan} = migration;
	const {columns, marks} = place;
	if (!plan) return [];
	return [
		plan.warnings.flatMap(text => marked(marks.warning, text, columns, 'warning')),
		othersRows(migration, place),
		changedRows(migration, place),
		lostRows(migration, place),
		differenceRows('Not as documented', ['expected', 'proposed'], plan.mapping, columns, marks),
		unreadRows(migration, place),
	];
}

const othersRows = ({changedByOthers = []}: MigrationState, {columns, marks}: Place): Row[] =>
	differenceRows('Changed by others', ['before', 'now'], changedByOthers, columns, marks);

/** Builds the differences from the proposal, or from the current configuration in validation. */
const changedRows = ({plan, record}: MigrationState, {columns, marks}: Place): Row[] =>
	differenceRows(
		'Changed by you',
		[record.seen?.stage === 'validation' ? 'now' : 'proposed', 'as edited'],
		plan?.edits ?? [],
		columns,
		marks,
	);

/** Builds rows with what must be recreated manually. */
export function lostRows({plan}: Pick<MigrationState, 'plan'>, {columns, marks}: Place): Row[] {
	const all = plan?.notMigrated ?? [];
	if (all.length === 0) return [];
	return [
		[{text: 'Not migrated: to be recreated by hand', look: 'head'}],
		...all.flatMap(({what, id, setting, next}, at) => [
			...marked(marks.failed, `${what} ${id}: ${setting}`, columns, 'danger'),
			// Shown once for consecutive items with the same advice.
			...(all[at + 1]?.next === next ? [] : said(next, columns - 2, 'dim').map(indented)),
		]),
	];
}

/** Builds the complete body of the PUT. */
function jsonRows({configuration}: MigrationState, {columns}: Place): Row[] {
	if (!configuration) return [];
	return JSON.stringify(requestBody(configuration), null, 2)
		.split('\n')
		.flatMap(line => exact(line, columns));
}

/** Builds the editor of the configuration, with the differences from the proposal. */
export function editBody(migration: MigrationState, place: Place): Body {
	const {configuration, failure, snapshot} = migration;
	const head = spaced(failureRows(whyHeld(migration), place), failureRows(failure, place));
	if (!configuration)
		return {rows: spaced(head, said('The configuration was not read yet.', place.columns, 'dim')), tail: []};
	return editorBody(
		{
			...migration,
			configuration,
			managed: snapshot?.managed,
			aboutLevel:
				'; the documentation of the platform contradicts itself about the level that the migration sets',
			head,
			summary: summaryRows(migration, beside(place)),
			differences: [...othersRows(migration, beside(place)), ...changedRows(migration, beside(place))],
		},
		place,
	);
}

/** Builds the summary: number of differences from the proposal, and the last edit. */
function summaryRows({plan, edits, record, snapshot}: MigrationState, {columns}: Place): Row[] {
	const isThere = record.seen?.stage === 'validation';
	const last = edits.at(-1);
	const count = plan?.edits.length ?? 0;
	return said(
		`${count === 0 ? (isThere ? 'As it is now' : 'As the service proposes it') : `${counted(count, 'difference')} to ${isThere ? 'the current configuration' : 'the proposal'}`}${last ? `; last: ${last.edit === 'by hand' ? 'edited by hand' : describeEdit(last.edit, last.before, snapshot?.managed)}` : ''}`,
		columns,
		count === 0 ? 'dim' : 'plain',
	);
}
