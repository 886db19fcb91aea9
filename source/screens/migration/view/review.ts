import {nameKey} from '../../../keyboard/named-keys.ts';
import {buildConfigurationBody, formatFingerprint} from '../../../migration/configuration/configuration.ts';
import {describeEdit} from '../../../migration/configuration/difference-words.ts';
import type {MigrationPlan, PlanSection} from '../../../migration/plan/plan.ts';
import {
	countProposedSettings,
	getReviewSections,
	type ReviewSections,
} from '../../../migration/plan/review-sections.ts';
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
import {describeOwnChanges} from '../messages.ts';
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
		case 'comparison':
			return buildComparisonBody(migration, head, plan, area);
		default:
			return view satisfies never;
	}
}

/**
 * Builds the comparison: what was changed, then what needs a check, then what is as the service proposes. A
 * side pane takes the warnings.
 */
function buildComparisonBody(
	migration: MigrationState,
	head: readonly Row[],
	plan: MigrationPlan,
	area: LayoutArea,
): Body {
	const sections = getReviewSections(plan, migration.snapshot);
	const changes = [buildOthersChangeRows(migration, area), buildOwnChangeRows(migration, area)];
	const notableRows = buildSectionRows(sections.notable, area);
	const proposedRows = buildProposedRows(migration, sections, area);
	const sideArea = getSideArea(area);
	const warnings = buildWarningRows(migration, plan, sideArea);
	const losses = [
		buildNotMigratedRows(migration, sideArea),
		buildDifferenceRows(
			'Not as documented',
			['expected', 'proposed'],
			plan.mapping,
			sideArea.columns,
			area.marks,
		),
		buildUnreadPartRows(migration, sideArea),
	];
	return area.side === undefined
		? {
				rows: joinWithBlankRows(head, ...changes, warnings, ...notableRows, ...losses, ...proposedRows),
				tail: [],
			}
		: {
				rows: joinWithBlankRows(head, ...changes, ...notableRows, ...proposedRows),
				tail: [],
				side: joinWithBlankRows(warnings, ...losses),
			};
}

/**
 * Builds the head: how much was changed, the fingerprint, whether it was reviewed, then reductions of
 * protection, and errors.
 */
function buildReviewHead(migration: MigrationState, {columns, marks, now}: LayoutArea): Row[] {
	const {plan, findings, record} = migration;
	if (!plan) return [];
	const configurationText = [
		formatQuantity(plan.rules, 'rule'),
		...describeOwnChanges(migration),
		`fingerprint ${formatFingerprint(plan.fingerprint)}`,
	].join(', ');
	return [
		...(isMigrationReviewed(migration) && record.reviewed
			? buildMarkedRows(
					marks.done,
					`${configurationText}, reviewed ${formatAgo(record.reviewed.at, now)}`,
					columns,
					'good',
				)
			: buildTextRows(`${configurationText}, not reviewed yet`, columns)),
		...[...plan.reductions, ...plan.weakenedRules].flatMap(text =>
			buildMarkedRows(marks.warning, text, columns, 'danger'),
		),
		...findings
			.filter(({severity}) => severity === 'error')
			.flatMap(finding =>
				buildMarkedRows(
					marks.failed,
					`${formatFinding(finding)} It cannot be sent like this.`,
					columns,
					'danger',
				),
			),
	];
}

const formatFinding = ({rule, sentence}: MigrationState['findings'][number]): string =>
	`${rule === undefined ? '' : `Rule ${rule + 1}: `}${sentence}`;

/** Builds the warnings about the configuration, then those about the migration. */
const buildWarningRows = (
	{findings}: MigrationState,
	{warnings}: MigrationPlan,
	{columns, marks}: LayoutArea,
): Row[] =>
	[...findings.filter(({severity}) => severity !== 'error').map(formatFinding), ...warnings].flatMap(text =>
		buildMarkedRows(marks.warning, text, columns, 'warning'),
	);

const buildSectionRows = (
	sections: readonly PlanSection[],
	{columns, marks}: LayoutArea,
): readonly (readonly Row[])[] =>
	sections
		.filter(({rows}) => rows.length > 0)
		.map(({title, rows}) => buildComparisonRows(title, ['now', 'after'], rows, columns, marks));

/** Builds one row that counts the settings as the service proposes, and the settings if they are shown. */
function buildProposedRows(
	{showsProposed}: MigrationState,
	sections: ReviewSections,
	area: LayoutArea,
): readonly (readonly Row[])[] {
	const {columns, marks} = area;
	const count = countProposedSettings(sections);
	if (count === 0) return [];
	const text = `${formatQuantity(count, 'setting')} as the service proposes`;
	return showsProposed
		? [
				buildMarkedRows(
					marks.open,
					`${text} (${nameKey('migration.hide-proposed', 'z')} hides them)`,
					columns,
					'head',
				),
				...buildSectionRows(sections.proposed, area),
			]
		: [
				buildMarkedRows(
					marks.closed,
					`${text} (${nameKey('migration.proposed', 'z')} shows them)`,
					columns,
					'head',
				),
			];
}

const buildOthersChangeRows = ({changesByOthers = []}: MigrationState, {columns, marks}: LayoutArea): Row[] =>
	buildDifferenceRows('Changed by others', ['before', 'now'], changesByOthers, columns, marks);

/** Builds the differences from the proposal, or in validation from the current configuration. */
const buildOwnChangeRows = ({plan, record}: MigrationState, {columns, marks}: LayoutArea): Row[] =>
	buildDifferenceRows(
		'Your unsent changes',
		[record.seen?.stage === 'validation' ? 'current' : 'proposed', 'after'],
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
			levelNote: '; the documentation of the service gives two levels that the migration may set',
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
function buildSummaryRows(migration: MigrationState, {columns}: LayoutArea): Row[] {
	const {plan, edits, snapshot} = migration;
	const lastEdit = edits.at(-1);
	const texts = [
		...describeOwnChanges(migration),
		...(lastEdit
			? [
					`last: ${lastEdit.edit === 'by hand' ? 'edited manually' : describeEdit(lastEdit.edit, lastEdit.before, snapshot?.catalogue)}`,
				]
			: []),
	];
	const text = texts.join('; ');
	return buildTextRows(
		`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`,
		columns,
		plan?.edits.length ? 'plain' : 'dim',
	);
}
