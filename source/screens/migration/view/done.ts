import type {ManagedConfiguration} from '../../../migration/configuration/configuration.ts';
import {findExecutedRulesetId} from '../../../migration/configuration/override-edits.ts';
import {activatesRuleset} from '../../../migration/configuration/rule-overrides.ts';
import {describeDeployedRuleset, isRulesetActive} from '../../../migration/flow/verification.ts';
import {mayHaveCompletedMigration} from '../../../migration/machine/observation.ts';
import {isComplete} from '../../../migration/machine/states.ts';
import {buildDifferenceRows} from '../../managed-edit/table.ts';
import {type Body, buildFailureRows, type LayoutArea} from '../../rows/body.ts';
import {
	buildMarkedRows,
	buildNamedRows,
	buildTextRows,
	buildVerbatimNamedRows,
	indentRow,
	joinWithBlankRows,
	type Row,
} from '../../rows/rows.ts';
import {listMigrationChoices} from '../choices.ts';
import {formatZoneCommand} from '../messages.ts';
import {findLockFailure, type MigrationState} from '../state.ts';
import {buildNotMigratedRows} from './review.ts';
import {buildChoiceRows, buildPathRows, formatAgo} from './rows.ts';
import {buildObservationRows} from './start.ts';
import {buildRiseRows} from './watch.ts';

/** Builds the last step: what is deployed, what was not migrated, and what is left to do manually. */
export function buildDoneBody(migration: MigrationState, area: LayoutArea): Body {
	const {verification, record, zone} = migration;
	const {columns, marks, now} = area;
	const isMigrated = isComplete(record.state);
	const notMigratedRows = buildNotMigratedRows(migration, area);
	return {
		rows: joinWithBlankRows(
			buildFailureRows(findLockFailure(migration), area),
			[
				...(isMigrated
					? buildMarkedRows(
							marks.done,
							`${zone.name} is migrated: only the new version is active${record.completed === undefined || !mayHaveCompletedMigration(record) ? '' : `, first seen ${formatAgo(record.completed, now)}`}.`,
							columns,
							'good',
						)
					: buildMarkedRows(
							marks.warning,
							`The migration state is now: ${record.state}.`,
							columns,
							'warning',
						)),
				...buildVerificationRows(migration, area),
			],
			buildFailureRows(migration.failure, area),
			buildRiseRows(migration, area),
			buildRulesetRows(migration, area),
			buildTextRows(
				'The managed rules no longer have a global switch: each ruleset is deployed separately.',
				columns,
			),
			verification
				? buildDifferenceRows('Differences', ['reviewed', 'now'], verification.differences, columns, marks)
				: [],
			notMigratedRows,
			buildFileRows(migration, area),
			isMigrated ? [] : buildObservationRows(migration, area),
		),
		tail: buildChoiceRows(listMigrationChoices(migration), migration.cursor, area),
	};
}

/** Builds the result of the verification, and its findings. */
function buildVerificationRows(
	{verification, record, phase}: MigrationState,
	{columns, marks}: LayoutArea,
): Row[] {
	if (!verification)
		return phase.name === 'asking'
			? buildMarkedRows(marks.warning, 'The deployment is not verified yet.', columns, 'warning')
			: buildMarkedRows(marks.now, 'Reading what is deployed.', columns, 'here');
	return [
		...(verification.sameAsReviewed
			? buildMarkedRows(marks.done, 'Verified by reading it back: it matches your review.', columns, 'good')
			: []),
		...(record.reviewed
			? []
			: buildMarkedRows(
					marks.warning,
					'Read but not compared: no review is recorded here.',
					columns,
					'warning',
				)),
		...verification.findings.flatMap(text => buildMarkedRows(marks.warning, text, columns, 'warning')),
	];
}

function buildRulesetRows(
	{verification, configuration, record}: MigrationState,
	{columns, marks}: LayoutArea,
): Row[] {
	if (!verification) return [];
	const {managedRulesets, newWaf, oldWaf} = verification;
	return [
		...managedRulesets.flatMap(ruleset => {
			const {id, name, activity} = ruleset;
			const isFullyOn = activity === 'on' && ruleset.only === undefined;
			const isPartlyOn = isRulesetActive(ruleset) && !isFullyOn;
			// A ruleset that is not in the configuration does not need to be deployed.
			const isMissing =
				!isRulesetActive(ruleset) &&
				record.reviewed !== undefined &&
				configuration !== undefined &&
				hasActiveManagedRuleset(configuration, id);
			return [
				...buildMarkedRows(
					isFullyOn ? marks.done : isPartlyOn || isMissing ? marks.warning : marks.none,
					[name, ...describeDeployedRuleset(ruleset)].join(', '),
					columns,
					isFullyOn ? 'good' : isPartlyOn || isMissing ? 'warning' : 'dim',
				),
				...buildTextRows(id, columns - 2, 'dim').map(indentRow),
			];
		}),
		...buildNamedRows(
			'versions',
			`new ${newWaf ?? 'not reported'}, previous ${oldWaf ?? 'not reported'}`,
			columns,
		),
	];
}

/** True if a configuration deploys a managed ruleset that is on. */
const hasActiveManagedRuleset = ({rules}: ManagedConfiguration, id: string): boolean =>
	rules.some(rule => findExecutedRulesetId(rule) === id && activatesRuleset(rule));

/** Builds rows with the paths of the report and the backup. */
function buildFileRows(migration: MigrationState, {columns}: LayoutArea): Row[] {
	const {reportPath, backup, record} = migration;
	const folder = backup?.folder ?? record.backup?.folder;
	return [
		...(reportPath === undefined ? [] : buildPathRows('report', reportPath, migration, columns)),
		...(folder === undefined ? [] : buildPathRows('backup', folder, migration, columns)),
		...buildVerbatimNamedRows(
			'terraform',
			formatZoneCommand(migration, 'export', '--format', 'terraform'),
			columns,
		),
	];
}
