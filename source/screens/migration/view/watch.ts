import {missingLine, securityEvents} from '../../../analytics/problem.ts';
import type {MigrationRecord} from '../../../migration/journal/record.ts';
import {
	mayHaveFinished,
	neverValidated,
	otherThanSent,
	validationPut,
} from '../../../migration/machine/observation.ts';
import {
	isFinishing,
	isReadyToUpdate,
	isStartingValidation,
	isSurprise,
	isValidating,
	isValidatingUnreviewed,
} from '../../../migration/machine/states.ts';
import {isBegunHere} from '../../../migration/validation/shown.ts';
import {countsInWords, riseInWords} from '../../../migration/validation/words.ts';
import {counted} from '../../../text/figures.ts';
import {type Body, failureRows, type Place} from '../../rows/body.ts';
import {fact, marked, type Row, said, spaced} from '../../rows/rows.ts';
import {migrationChoices} from '../choices.ts';
import {type MigrationState, whyHeld} from '../state.ts';
import {givenUpRows, putRows} from './deploy.ts';
import {ago, choiceRows, moment, span} from './rows.ts';
import {driftRows, seenRows, surpriseRows} from './start.ts';

/** Builds the step while the service is at work, or both versions are active. */
export function watchBody(migration: MigrationState, place: Place): Body {
	return {
		rows: spaced(
			failureRows(whyHeld(migration), place),
			stateRows(migration, place),
			driftRows(migration, place),
			givenUpRows(migration, place),
			failureRows(migration.failure, place),
			watchedRows(migration, place),
			meanwhileRows(migration, place),
			isValidating(migration.record.state) ? eventRows(migration, place) : [],
			seenRows(migration, place),
			place.rows < 12 ? [] : putRows(migration, place),
		),
		tail: choiceRows(migrationChoices(migration), migration.cursor, place),
	};
}

function stateRows(migration: MigrationState, place: Place): Row[] {
	const {record, zone} = migration;
	const {columns, marks, now} = place;
	const {state} = record;
	const both = `Both versions are on for ${zone.name}, the new one first${forHowLong(record, now)}`;
	const other = [otherThanSent(record), neverValidated(record)].filter(text => text !== undefined);
	const warned = (...sentences: readonly string[]) =>
		marked(marks.warning, [...sentences, ...other].join(' '), columns, 'warning');
	if (isStartingValidation(state))
		return marked(marks.now, 'The service took it; validation does not show yet.', columns, 'here');
	if (isValidatingUnreviewed(state))
		return marked(
			marks.warning,
			`${both}. What would finish the migration was not reviewed: that comes before it can be finished.`,
			columns,
			'warning',
		);
	if (isReadyToUpdate(state))
		return warned(
			`${both}. You said that it is ready: turning off the previous version comes next, and cannot be undone.`,
		);
	if (isValidating(state)) {
		if (other.length > 0) return warned(`${both}.`);
		const put = validationPut(record);
		// The first validation PUT and the beginning of validation coincide.
		const isFirst = put === undefined || put.before.stage === 'previous';
		const reviewed = isFirst
			? ', with what you reviewed.'
			: `. What you reviewed is on, sent ${ago(put.at, now)}.`;
		return marked(marks.done, `${both}${reviewed}`, columns, 'good');
	}
	if (isFinishing(state))
		return marked(
			marks.now,
			`${
				mayHaveFinished(record)
					? `The service took it; the previous version is being turned off for ${zone.name}.`
					: `Someone is turning the previous version off for ${zone.name}; nothing of it was sent from here.`
			} That takes minutes to an hour.`,
			columns,
			'here',
		);
	return isSurprise(state) ? surpriseRows(migration, place) : said(state, columns);
}

/** Formats since when ledge began validation, or since when it was seen. */
function forHowLong(record: MigrationRecord, now: number): string {
	const {validatingSince: since} = record;
	if (since === undefined) return '';
	const isNew = now - since < 60_000;
	if (!isBegunHere(record)) return isNew ? ' (seen so just now)' : ` (seen so for ${span(now - since)})`;
	return isNew ? ', since just now' : `, for ${span(now - since)}`;
}

/** Builds rows with how long the service is watched; change at most every 30 s, for slow connections. */
function watchedRows({phase, watched}: MigrationState, {columns, marks, now}: Place): Row[] {
	if (!watched) return [];
	const {unreached} = watched;
	return [
		...(unreached && phase.name === 'watching'
			? marked(
					marks.warning,
					`Not reachable since ${moment(unreached.since, now)}, still trying. ${unreached.failure.message}`,
					columns,
					'warning',
				)
			: []),
		...fact('watched', `since ${ago(watched.since, now)}, asked ${ago(watched.at, now)}`, columns),
		...said(
			phase.name === 'watching'
				? 'ledge may be closed: opened again, this zone resumes here.'
				: 'It is no longer watched.',
			columns,
			'dim',
		),
	];
}

/** Builds advice on what to check while both versions are active. */
function meanwhileRows({record, events}: MigrationState, {columns, marks}: Place): Row[] {
	if (!isValidating(record.state)) return [];
	return [
		[{text: 'What to look at meanwhile', look: 'head'}],
		...marked(
			marks.dot,
			events?.found
				? 'What each version does to requests: below in short, v shows all of it and makes exceptions.'
				: 'The activity log in the security events view of the dashboard: which requests the new managed rules handled, and with what action.',
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

/** Builds rows with the events of both versions in short, or what could not be read. */
function eventRows({events}: MigrationState, {columns, marks, now}: Place): Row[] {
	if (!events) return [];
	const {found, isBegunKnown, problems} = events;
	const missing = problems.flatMap(problem =>
		marked(marks.warning, missingLine(securityEvents, problem), columns, 'dim'),
	);
	if (!found) return missing;
	const {counts, by, candidates, isSampled, begun, since} = found.comparison;
	return [
		...fact('new', countsInWords(counts.new, isSampled), columns),
		...fact('previous', countsInWords(counts.previous, isSampled), columns),
		...fact('since', `${ago(since, now)}${sinceWhat(since > begun, isBegunKnown)}`, columns, 'dim'),
		...marked(
			candidates.length > 0 ? marks.warning : marks.dot,
			candidates.length > 0
				? `${counted(candidates.length, 'candidate')} for an exception: what the new rules stop, and the previous ones let through.`
				: by === undefined
					? 'Candidates for exceptions could not be read.'
					: 'No candidate for an exception.',
			columns,
			candidates.length > 0 ? 'warning' : 'dim',
		),
		...missing,
	];
}

/** Describes the start of the counted time; notes if validation may have begun earlier. */
function sinceWhat(isChanged: boolean, isBegunKnown: boolean): string {
	if (isChanged) return ', when the configuration was changed';
	return isBegunKnown ? '' : '; when validation began is not known here';
}

/** Builds the warning that the new rules stop more than validation showed. */
export const riseRows = ({events}: MigrationState, {columns, marks}: Place): Row[] =>
	events?.rise ? marked(marks.warning, riseInWords(events.rise), columns, 'warning') : [];
