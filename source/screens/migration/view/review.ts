import {buildConfigurationBody, formatFingerprint} from '../../../migration/configuration/configuration.ts';
import {describeEdit} from '../../../migration/configuration/difference-words.ts';
import {formatQuantity} from '../../../text/figures.ts';
import {buildEditorBody} from '../../managed-edit/rows.ts';
import {buildComparisonRows, buildDifferenceRows} from '../../managed-edit/table.ts';
import {type Body, buildFailureRows, getSideArea, type LayoutArea} from '../../rows/body.ts';
import {
	buildMarkedRows,
	buildTextRows,
	buildVerbatimRows,
	indentRow,
	joinWithBlankRows,
	type Row,
} from '../../rows/rows.ts';
import {findLockFailure, isMigrationReviewed, type MigrationState} from '../state.ts';
import {formatAgo} from './rows.ts';
import {buildUnreadPartRows} from './start.ts';

/** Builds the review: the comparison by sections, or the configuration as it will be sent. */
export function buildMigrationReviewBody(migration: MigrationState, area: LayoutArea): Body {
	const {view, plan, configuration, failure} = migration;
	const head = joinWithBlankRows(
		buildFailureRows(findLockFailure(migration), area),
		buildFailureRows(failure, area),
		buildReviewHead(migration, area),
	);
	if (!plan || !configuration)
		return {
			rows: joinWithBlankRows(
				head,
				buildTextRows('The configuration is not loaded yet.', area.columns, 'dim'),
			),
			tail: [],
		};
	switch (view) {
		case 'json':
			return {rows: joinWithBlankRows(head, buildJsonRows(migration, area)), tail: []};
		case 'comparison': {
			const side = joinWithBlankRows(...buildAsideRows(migration, getSideArea(area)));
			return {
				rows: joinWithBlankRows(head, ...buildSectionRows(migration, area)),
				tail: [],
				side,
			};
		}
		default:
			return view satisfies never;
	}
}

/** Builds the head: reductions of protection, the fingerprint, whether it was reviewed, and findings. */
function buildReviewHead(migration: MigrationState, {columns, marks, now}: LayoutArea): Row[] {
	const {plan, findings, record} = migration;
	if (!plan) return [];
	const configurationText = `${formatQuantity(plan.rules, 'rule')}, fingerprint ${formatFingerprint(plan.fingerprint)}`;
	return [
		...plan.reductions.flatMap(text => buildMarkedRows(marks.warning, text, columns, 'danger')),
		...(isMigrationReviewed(migration) && record.reviewed
			? buildMarkedRows(
					marks.done,
					`${configurationText}, reviewed ${formatAgo(record.reviewed.at, now)}`,
					columns,
					'good',
				)
			: buildTextRows(`${configurationText}, not reviewed yet`, columns)),
		...findings.flatMap(({severity, rule, sentence}) =>
			buildMarkedRows(
				severity === 'error' ? marks.failed : marks.warning,
				`${rule === undefined ? '' : `Rule ${rule + 1}: `}${sentence}${severity === 'error' ? ' It cannot be sent like this.' : ''}`,
				columns,
				severity === 'error' ? 'danger' : 'warning',
			),
		),
	];
}

const buildSectionRows = ({plan}: MigrationState, {columns, marks}: LayoutArea): Row[][] =>
	(plan?.sections ?? [])
		.filter(({rows}) => rows.length > 0)
		.map(({title, rows}) => buildComparisonRows(title, ['now', 'after'], rows, columns, marks));

/**
 * Builds the rows beside the comparison: warnings, edits, what is not migrated, and differences from the
 * documented mapping.
 */
function buildAsideRows(migration: MigrationState, area: LayoutArea): Row[][] {
	const {plan} = migration;
	const {columns, marks} = area;
	if (!plan) return [];
	return [
		plan.warnings.flatMap(text => buildMarkedRows(marks.warning, text, columns, 'warning')),
		buildOthersChangeRows(migration, area),
		buildOwnChangeRows(migration, area),
		buildNotMigratedRows(migration, area),
		buildDifferenceRows('Not as documented', ['expected', 'proposed'], plan.mapping, columns, marks),
		buildUnreadPartRows(migration, area),
	];
}

const buildOthersChangeRows = ({changesByOthers = []}: MigrationState, {columns, marks}: LayoutArea): Row[] =>
	buildDifferenceRows('Changed by others', ['before', 'now'], changesByOthers, columns, marks);

/** Builds the differences from the proposal, or in validation from the current configuration. */
const buildOwnChangeRows = ({plan, record}: MigrationState, {columns, marks}: LayoutArea): Row[] =>
	buildDifferenceRows(
		'Changed by you',
		[record.seen?.stage === 'validation' ? 'now' : 'proposed', 'edited'],
		plan?.edits ?? [],
		columns,
		marks,
	);

/** Builds rows that list what must be recreated manually. */
export function buildNotMigratedRows(
	{plan}: Pick<MigrationState, 'plan'>,
	{columns, marks}: LayoutArea,
): Row[] {
	const items = plan?.notMigrated ?? [];
	if (items.length === 0) return [];
	return [
		[{text: 'Not migrated: recreate manually', look: 'head'}],
		...items.flatMap(({what, id, setting, next}, index) => [
			...buildMarkedRows(marks.failed, `${what} ${id}: ${setting}`, columns, 'danger'),
			// Shown once for consecutive items with the same advice.
			...(items[index + 1]?.next === next ? [] : buildTextRows(next, columns - 2, 'dim').map(indentRow)),
		]),
	];
}

/** Builds the complete body of the PUT. */
function buildJsonRows({configuration}: MigrationState, {columns}: LayoutArea): Row[] {
	if (!configuration) return [];
	return JSON.stringify(buildConfigurationBody(configuration), null, 2)
		.split('\n')
		.flatMap(line => buildVerbatimRows(line, columns));
}

/** Builds the editor of the configuration, with the differences from the proposal. */
export function buildEditBody(migration: MigrationState, area: LayoutArea): Body {
	const {configuration, failure, snapshot} = migration;
	const head = joinWithBlankRows(
		buildFailureRows(findLockFailure(migration), area),
		buildFailureRows(failure, area),
	);
	if (!configuration)
		return {
			rows: joinWithBlankRows(
				head,
				buildTextRows('The configuration is not loaded yet.', area.columns, 'dim'),
			),
			tail: [],
		};
	return buildEditorBody(
		{
			...migration,
			configuration,
			catalogue: snapshot?.catalogue,
			levelNote:
				'; the documentation of the platform contradicts itself about the level that the migration sets',
			head,
			summary: buildSummaryRows(migration, getSideArea(area)),
			differences: [
				...buildOthersChangeRows(migration, getSideArea(area)),
				...buildOwnChangeRows(migration, getSideArea(area)),
			],
		},
		area,
	);
}

/** Builds the summary: the number of differences from the proposal, and the last edit. */
function buildSummaryRows({plan, edits, record, snapshot}: MigrationState, {columns}: LayoutArea): Row[] {
	const isInValidation = record.seen?.stage === 'validation';
	const lastEdit = edits.at(-1);
	const count = plan?.edits.length ?? 0;
	return buildTextRows(
		`${count === 0 ? (isInValidation ? 'Same as the current configuration' : 'Same as the proposal') : `${formatQuantity(count, 'difference')} from ${isInValidation ? 'the current configuration' : 'the proposal'}`}${lastEdit ? `; last: ${lastEdit.edit === 'by hand' ? 'edited manually' : describeEdit(lastEdit.edit, lastEdit.before, snapshot?.catalogue)}` : ''}`,
		columns,
		count === 0 ? 'dim' : 'plain',
	);
}
