import {describeZoneChange} from '../../../migration/machine/observation.ts';
import {stageWords} from '../../../migration/machine/stage.ts';
import {
	isComplete,
	isUnexpectedState,
	isUnread,
	wasChangedElsewhere,
} from '../../../migration/machine/states.ts';
import type {Eligibility} from '../../../migration/zone/eligibility.ts';
import {formatInteger, formatQuantity} from '../../../text/figures.ts';
import {buildDifferenceRows} from '../../managed-edit/table.ts';
import {type Body, buildFailureRows, type LayoutArea} from '../../rows/body.ts';
import {
	buildMarkedRows,
	buildNamedRows,
	buildTextRows,
	joinWithBlankRows,
	type Row,
} from '../../rows/rows.ts';
import {describeJournalState, listMigrationChoices} from '../choices.ts';
import {findLockFailure, isJournalOpen, isMigrationResumed, type MigrationState} from '../state.ts';
import {buildChoiceRows, buildPathRows, formatAgo} from './rows.ts';

/** Builds the first step: the zone, and what will happen. */
export function buildZoneBody(migration: MigrationState, area: LayoutArea): Body {
	const {zone, record, access, failure, backup} = migration;
	const {columns, now} = area;
	const isSmall = area.rows < 12;
	const isReadOnly = access.name === 'read only';
	const hasJournalState =
		isMigrationResumed(migration) || (!isJournalOpen(migration) && !isUnread(record.state));
	return {
		rows: joinWithBlankRows(
			buildFailureRows(findLockFailure(migration), area),
			buildFailureRows(failure, area),
			isReadOnly
				? buildMarkedRows(
						area.marks.warning,
						'ledge is read-only: you can read, review and rehearse the migration, but not send it.',
						columns,
						'warning',
					)
				: [],
			[
				...buildNamedRows('zone', zone.name, columns, 'here'),
				...buildNamedRows('zone id', zone.id, columns),
				...buildNamedRows('plan', zone.plan ?? 'unknown', columns),
				...buildNamedRows('account', zone.account, columns),
			],
			isMigrationResumed(migration)
				? [
						...buildTextRows(
							`Found the journal of this zone: ${describeJournalState(migration)}. The migration resumes there, after reading the current state.`,
							columns,
						),
						...(record.put ? buildNamedRows('last PUT', formatAgo(record.put.at, now), columns) : []),
						...(backup ? buildPathRows('backup', backup.folder, migration, columns) : []),
					]
				: hasJournalState
					? buildTextRows(`According to its journal: ${describeJournalState(migration)}.`, columns)
					: buildTextRows(
							'This moves the zone from the previous managed rules to the new ones. Every step up to the confirmation is read-only and can be stopped and resumed.',
							columns,
						),
			isSmall || hasJournalState || isReadOnly
				? []
				: buildTextRows(
						"No rollback is documented once you confirm: ledge asks for the zone's name before anything is sent.",
						columns,
						'dim',
					),
		),
		tail: buildChoiceRows(listMigrationChoices(migration), migration.cursor, area),
	};
}

/** Builds the step with what the service reports about the zone, and whether it can migrate. */
export function buildEligibilityBody(migration: MigrationState, area: LayoutArea): Body {
	const {failure, eligibility} = migration;
	return {
		rows: joinWithBlankRows(
			buildFailureRows(findLockFailure(migration), area),
			buildFailureRows(failure, area),
			buildEligibilityVerdictRows(migration, area),
			buildDriftRows(migration, area),
			buildObservationRows(migration, area),
			eligibility ? buildCountRows(migration, area) : [],
			buildUnreadPartRows(migration, area),
		),
		tail: buildChoiceRows(listMigrationChoices(migration), migration.cursor, area),
	};
}

/** Builds the differences between the reviewed and the current rules. */
export function buildDriftRows({drift, record, zone}: MigrationState, {columns, marks}: LayoutArea): Row[] {
	if (!wasChangedElsewhere(record.state) || !drift) return [];
	const {differences, hasUnsentReview} = drift;
	if (differences === undefined)
		return buildTextRows(`The current rules of ${zone.name} were not reviewed here.`, columns, 'warning');
	if (differences.length === 0)
		return buildTextRows(
			hasUnsentReview
				? 'The rules are as before your last review, which was not sent.'
				: 'The rules match your review.',
			columns,
		);
	const before = hasUnsentReview ? 'before' : 'reviewed';
	return buildDifferenceRows('Changed by others', [before, 'current'], differences, columns, marks);
}

/** Builds the warning about a state that no PUT of ledge explains. */
export function buildUnexpectedStateRows(
	{record, zone}: MigrationState,
	{columns, marks}: LayoutArea,
): Row[] {
	if (!isUnexpectedState(record.state)) return [];
	return wasChangedElsewhere(record.state)
		? buildMarkedRows(
				marks.warning,
				`${describeZoneChange(zone.name, record)}. Nothing is sent until you review the current state.`,
				columns,
				'warning',
			)
		: buildMarkedRows(
				marks.failed,
				'The service reports an unknown state. ledge shows it and writes nothing.',
				columns,
				'danger',
			);
}

/** Builds the verdict: whether the migration can continue. */
function buildEligibilityVerdictRows(migration: MigrationState, area: LayoutArea): Row[] {
	const {record, eligibility, zone} = migration;
	const {columns, marks} = area;
	if (isUnexpectedState(record.state)) return buildUnexpectedStateRows(migration, area);
	if (isComplete(record.state))
		return buildMarkedRows(marks.done, `${zone.name} is migrated: the new version only.`, columns, 'good');
	if (!eligibility) return [];
	if (eligibility.eligible) return buildMarkedRows(marks.done, `${zone.name} can migrate.`, columns, 'good');
	return buildMarkedRows(
		marks.failed,
		`${zone.name} is not eligible: ${describeBlockers(eligibility)}`,
		columns,
		'danger',
	);
}

/** Describes why a zone cannot migrate: by its only blocker, or by the number of blockers. */
function describeBlockers({blockers}: Eligibility): string {
	const [onlyBlocker, ...otherBlockers] = blockers.filter(({hinders}) => hinders);
	return onlyBlocker && otherBlockers.length === 0
		? onlyBlocker.sentence
		: `nothing can be sent until ${formatQuantity(otherBlockers.length + 1, 'blocker')} are resolved.`;
}

/** Builds rows with the last observation, partly in the service's own words. */
export function buildObservationRows(
	{record: {seen}, phase}: MigrationState,
	{columns, now}: LayoutArea,
): Row[] {
	if (!seen) return [];
	const {status, check, entryPoint} = seen;
	const state = status?.state ?? check.state;
	return [
		...buildNamedRows('active', stageWords[seen.stage], columns),
		...buildNamedRows(
			'reported',
			[
				state === undefined ? 'no state' : `"${state}"`,
				check.compatible ? 'compatible' : 'not compatible',
				...(status?.newWaf === undefined ? [] : [`new version ${status.newWaf}`]),
				...(status?.oldWaf === undefined ? [] : [`previous version ${status.oldWaf}`]),
			].join(', '),
			columns,
		),
		...buildNamedRows(
			'entry point',
			entryPoint ? `version ${entryPoint.version}, ${formatQuantity(entryPoint.rules, 'rule')}` : 'none yet',
			columns,
		),
		// While watching, the row "watched" shows the time.
		...(phase.name === 'watching' ? [] : buildNamedRows('checked', formatAgo(seen.at, now), columns, 'dim')),
	];
}

/** Builds rows with the counts of the zone, and the limits of a migration. */
function buildCountRows({eligibility}: MigrationState, {columns}: LayoutArea): Row[] {
	if (!eligibility) return [];
	const {
		counts: {overrides, firewallRules, longestExpression},
		unread,
	} = eligibility;
	// If nothing was counted, the limits do not matter.
	const hasNoCounts = overrides === undefined && firewallRules === undefined;
	if (hasNoCounts && !unread.overrides && !unread.firewallRules) return [];
	return [
		...buildNamedRows(
			'overrides',
			overrides === undefined
				? (unread.overrides ?? 'none by URI on this plan')
				: `${formatInteger(overrides)} by URI; none may remain`,
			columns,
		),
		...buildNamedRows(
			'rules',
			firewallRules === undefined
				? (unread.firewallRules ?? 'could not be read')
				: `${formatQuantity(firewallRules, 'firewall rule')} to migrate; 200 at most`,
			columns,
		),
		...(longestExpression === undefined
			? []
			: buildNamedRows(
					'longest',
					`expression of ${formatInteger(longestExpression)} bytes; 4,096 at most`,
					columns,
				)),
	];
}

/** Builds warnings about parts that could not be read and are missing in the review. */
export const buildUnreadPartRows = ({snapshot}: MigrationState, {columns, marks}: LayoutArea): Row[] =>
	(snapshot?.unread ?? []).flatMap(({what, why}) =>
		buildMarkedRows(marks.warning, `Not read: ${what}. ${why}`, columns, 'warning'),
	);
