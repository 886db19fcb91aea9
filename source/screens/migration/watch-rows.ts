import {otherThanSent} from '../../migration/observation.ts';
import {migrationChoices} from '../../store/migration-choices.ts';
import type {MigrationState} from '../../store/migration-state.ts';
import {givenUpRows, putRows} from './deploy-rows.ts';
import {
	ago,
	type Body,
	choiceRows,
	fact,
	failureRows,
	marked,
	type Place,
	type Row,
	said,
	spaced,
	span,
} from './rows.ts';
import {seenRows} from './start-rows.ts';

/** The service at work, or validation with both versions on. */
export function watchBody(migration: MigrationState, place: Place): Body {
	return {
		rows: spaced(
			failureRows(migration.held, place),
			stateRows(migration, place),
			givenUpRows(migration, place),
			failureRows(migration.failure, place),
			watchedRows(migration, place),
			meanwhileRows(migration, place),
			seenRows(migration, place),
			place.rows < 12 ? [] : putRows(migration, place),
		),
		tail: choiceRows(migrationChoices(migration), migration.cursor, place),
	};
}

function stateRows({record, zone}: MigrationState, {columns, marks, now}: Place): Row[] {
	const since = record.validatingSince;
	const both = `Both versions are on for ${zone.name}, the new one first${since === undefined ? '' : now - since < 60_000 ? ', since just now' : `, for ${span(now - since)}`}`;
	switch (record.state) {
		case 'starting validation':
			return marked(marks.now, 'The service took it; validation does not show yet.', columns, 'here');
		case 'validating': {
			const other = otherThanSent(record);
			if (other) return marked(marks.warning, `${both}. ${other}`, columns, 'warning');
			const isReviewed = record.seen?.entryPoint?.fingerprint === record.reviewed?.fingerprint;
			return marked(
				marks.done,
				isReviewed
					? `${both}, with what you reviewed.`
					: `${both}. What you reviewed since was not sent yet.`,
				columns,
				'good',
			);
		}
		case 'validating unreviewed':
			return marked(
				marks.warning,
				`${both}. What would finish the migration was not reviewed: that comes before it can be finished.`,
				columns,
				'warning',
			);
		case 'ready to update':
			return marked(
				marks.warning,
				`${both}. You said that it is ready: turning off the previous version comes next, and cannot be undone.`,
				columns,
				'warning',
			);
		case 'finishing':
			return marked(
				marks.now,
				`The service took it; the previous version is being turned off for ${zone.name}. That takes minutes to an hour.`,
				columns,
				'here',
			);
		case 'moved on':
			return marked(
				marks.warning,
				`Someone else took ${zone.name} on. Nothing is sent until you have looked at what is there.`,
				columns,
				'warning',
			);
		case 'unknown stage':
			return marked(
				marks.failed,
				'The service names a state that nobody has seen before. Nothing is written.',
				columns,
				'danger',
			);
		default:
			return said(record.state, columns);
	}
}

/** How it is watched: in whole half minutes, so that a slow line has little to do. */
function watchedRows({phase, watched}: MigrationState, {columns, now}: Place): Row[] {
	if (!watched) return [];
	return [
		...fact('watched', `since ${ago(watched.since, now)}, asked ${ago(watched.at, now)}`, columns),
		...said(
			phase.name === 'watching'
				? 'ledge may be closed: this zone, opened again, goes on from here.'
				: 'It is not watched any more.',
			columns,
			'dim',
		),
	];
}

/** What to look at while both versions are on (platform.md, "Observability"). */
function meanwhileRows({record}: MigrationState, {columns, marks}: Place): Row[] {
	const isValidating =
		record.state === 'validating' ||
		record.state === 'ready to update' ||
		record.state === 'validating unreviewed';
	if (!isValidating) return [];
	return [
		[{text: 'What to look at meanwhile', look: 'head'}],
		...marked(
			marks.dot,
			'The activity log in the security events view of the dashboard: which requests the new managed rules handled, and with what action. ledge cannot read it.',
			columns,
			'plain',
		),
		...marked(
			marks.dot,
			'Requests that should go through and are stopped: change the configuration, or add an exception, and review it again.',
			columns,
			'plain',
		),
	];
}
