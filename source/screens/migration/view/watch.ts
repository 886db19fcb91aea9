import {formatMissingLine, securityEventsSubject} from '../../../analytics/problem.ts';
import {nameKey} from '../../../keyboard/named-keys.ts';
import type {MigrationRecord} from '../../../migration/journal/record.ts';
import {
	describeOverwritten,
	describeStoredDifference,
	describeUnvalidatedReview,
	findValidationPut,
	mayHaveCompletedMigration,
} from '../../../migration/machine/observation.ts';
import {
	isFinishing,
	isReadyToUpdate,
	isStartingValidation,
	isUnexpectedState,
	isValidating,
	isValidatingUnreviewed,
} from '../../../migration/machine/states.ts';
import {hasKnownBeginning} from '../../../migration/validation/summary.ts';
import {describeRise, formatVersionCounts} from '../../../migration/validation/words.ts';
import {formatQuantity} from '../../../text/figures.ts';
import {type Body, buildFailureRows, type LayoutArea} from '../../rows/body.ts';
import {
	buildMarkedRows,
	buildNamedRows,
	buildTextRows,
	joinWithBlankRows,
	type Row,
} from '../../rows/rows.ts';
import {listMigrationChoices} from '../choices.ts';
import {findLockFailure, type MigrationState} from '../state.ts';
import {buildLostPutRows, buildPutRows} from './deploy.ts';
import {buildChoiceRows, formatAgo, formatElapsed, formatUtcMoment} from './rows.ts';
import {buildDriftRows, buildObservationRows, buildUnexpectedStateRows} from './start.ts';

/** Builds the step while the service is at work or both versions are active. */
export function buildWatchBody(migration: MigrationState, area: LayoutArea): Body {
	return {
		rows: joinWithBlankRows(
			buildFailureRows(findLockFailure(migration), area),
			buildStateRows(migration, area),
			buildDriftRows(migration, area),
			buildLostPutRows(migration, area),
			buildFailureRows(migration.failure, area),
			buildWatchStatusRows(migration, area),
			buildValidationAdviceRows(migration, area),
			isValidating(migration.record.state) ? buildEventRows(migration, area) : [],
			buildObservationRows(migration, area),
			area.rows < 12 ? [] : buildPutRows(migration, area),
		),
		tail: buildChoiceRows(listMigrationChoices(migration), migration.cursor, area),
	};
}

function buildStateRows(migration: MigrationState, area: LayoutArea): Row[] {
	const {record, zone} = migration;
	const {columns, marks, now} = area;
	const {state} = record;
	const bothActiveText = `Both versions are active for ${zone.name}, the new one first${formatValidationAge(record, now)}`;
	const warnings = [
		describeOverwritten(record),
		describeStoredDifference(record),
		describeUnvalidatedReview(record),
	].filter(text => text !== undefined);
	const buildWarning = (...sentences: readonly string[]) =>
		buildMarkedRows(marks.warning, [...sentences, ...warnings].join(' '), columns, 'warning');
	if (isStartingValidation(state))
		return buildMarkedRows(
			marks.now,
			'Accepted by the service; the zone does not show as validating yet.',
			columns,
			'here',
		);
	if (isValidatingUnreviewed(state))
		return buildMarkedRows(
			marks.warning,
			`${bothActiveText}. The configuration that would finish the migration was not reviewed: review it first.`,
			columns,
			'warning',
		);
	if (isReadyToUpdate(state))
		return buildWarning(
			`${bothActiveText}. You marked it ready: the next step turns off the previous version and cannot be undone.`,
		);
	if (isValidating(state)) {
		if (warnings.length > 0) return buildWarning(`${bothActiveText}.`);
		const put = findValidationPut(record);
		// The first validation PUT began validation, so its time is not repeated.
		const isFirst = put === undefined || put.before.stage === 'previous';
		const reviewedNote = isFirst
			? ', with the configuration you reviewed.'
			: `. The configuration you reviewed is active, sent ${formatAgo(put.at, now)}.`;
		return buildMarkedRows(marks.done, `${bothActiveText}${reviewedNote}`, columns, 'good');
	}
	if (isFinishing(state))
		return buildMarkedRows(
			marks.now,
			`${
				mayHaveCompletedMigration(record)
					? `Accepted by the service; the previous version is being turned off for ${zone.name}.`
					: `Someone is turning the previous version off for ${zone.name}; nothing was sent from here.`
			} This takes a few minutes to an hour.`,
			columns,
			'here',
		);
	return isUnexpectedState(state) ? buildUnexpectedStateRows(migration, area) : buildTextRows(state, columns);
}

/** Formats the time since ledge began validation, or since validation was first seen. */
function formatValidationAge(record: MigrationRecord, now: number): string {
	const {validatingSince: since} = record;
	if (since === undefined) return '';
	const isNew = now - since < 60_000;
	if (!hasKnownBeginning(record))
		return isNew ? ' (first seen just now)' : ` (first seen ${formatElapsed(now - since)} ago)`;
	return isNew ? ', since just now' : `, for ${formatElapsed(now - since)}`;
}

/**
 * Builds rows that show how long the service has been watched. They change at most every 30 s, for slow
 * connections.
 */
function buildWatchStatusRows(
	{phase, watchStatus}: MigrationState,
	{columns, marks, now}: LayoutArea,
): Row[] {
	if (!watchStatus) return [];
	const {outage} = watchStatus;
	return [
		...(outage && phase.name === 'watching'
			? buildMarkedRows(
					marks.warning,
					`Unreachable since ${formatUtcMoment(outage.since, now)}, still trying. ${outage.failure.message}`,
					columns,
					'warning',
				)
			: []),
		...buildNamedRows(
			'watched',
			`started ${formatAgo(watchStatus.since, now)}, checked ${formatAgo(watchStatus.at, now)}`,
			columns,
		),
		...buildTextRows(
			phase.name === 'watching'
				? 'You can close ledge: this zone resumes here when you reopen it.'
				: 'No longer watching.',
			columns,
			'dim',
		),
	];
}

/** Builds advice on what to check while both versions are active. */
function buildValidationAdviceRows({record, events}: MigrationState, {columns, marks}: LayoutArea): Row[] {
	if (!isValidating(record.state)) return [];
	return [
		[{text: 'What to check in the meantime', look: 'head'}],
		...buildMarkedRows(
			marks.dot,
			events?.reading
				? `What each version does to requests: summary below; ${nameKey('migration.events', 'v')} shows all of it and creates exceptions.`
				: 'The activity log in the security events view of the dashboard: which requests the new managed rules handled, and with what action.',
			columns,
			'plain',
		),
		...buildMarkedRows(
			marks.dot,
			'Requests that should go through but are stopped: change the configuration or add an exception, then review it again.',
			columns,
			'plain',
		),
	];
}

/** Builds rows that summarize the events of both versions, or say what could not be read. */
function buildEventRows({events}: MigrationState, {columns, marks, now}: LayoutArea): Row[] {
	if (!events) return [];
	const {reading, isBeginningKnown, problems} = events;
	const problemRows = problems.flatMap(problem =>
		buildMarkedRows(marks.warning, formatMissingLine(securityEventsSubject, problem), columns, 'dim'),
	);
	if (!reading) return problemRows;
	const {counts, method, candidates, isSampled, validationStart, since} = reading.comparison;
	return [
		...buildNamedRows('new', formatVersionCounts(counts.new, isSampled), columns),
		...buildNamedRows('previous', formatVersionCounts(counts.previous, isSampled), columns),
		...buildNamedRows(
			'since',
			`${formatAgo(since, now)}${describeCountStart(since > validationStart, isBeginningKnown)}`,
			columns,
			'dim',
		),
		...buildMarkedRows(
			candidates.length > 0 ? marks.warning : marks.dot,
			candidates.length > 0
				? `${formatQuantity(candidates.length, 'candidate')} for an exception: requests that the new rules stop and the previous ones let through.`
				: method === undefined
					? 'Exception candidates could not be loaded.'
					: 'No exception candidates.',
			columns,
			candidates.length > 0 ? 'warning' : 'dim',
		),
		...problemRows,
	];
}

/** Describes when counting started. Notes if validation may have begun earlier. */
function describeCountStart(startsAtChange: boolean, isBeginningKnown: boolean): string {
	if (startsAtChange) return ', when the configuration was changed';
	return isBeginningKnown ? '' : '; the start of validation is unknown here';
}

/** Builds the warning that the new rules stop more than validation showed. */
export const buildRiseRows = ({events}: MigrationState, {columns, marks}: LayoutArea): Row[] =>
	events?.rise ? buildMarkedRows(marks.warning, describeRise(events.rise), columns, 'warning') : [];
