import {shownFingerprint} from '../../../migration/configuration/configuration.ts';
import {isSentAgain} from '../../../migration/machine/observation.ts';
import type {Mode} from '../../../migration/machine/stage.ts';
import {isNotTaken, isSendable, isUnsettled} from '../../../migration/machine/states.ts';
import {counted} from '../../../text/figures.ts';
import {type Body, failureRows, type Place} from '../../rows/body.ts';
import {fact, marked, type Row, said, spaced} from '../../rows/rows.ts';
import {migrationChoices} from '../choices.ts';
import {type MigrationState, whyHeld} from '../state.ts';
import {choiceRows, moment, pathFact, span, timeOfDay} from './rows.ts';
import {seenRows} from './start.ts';

const does: Readonly<Record<Mode, string>> = {
	validation: 'begins validation',
	pending: 'turns the previous version off',
};

/** Builds the step of the PUT: under way, in doubt, refused, or lost. */
export function deployBody(migration: MigrationState, place: Place): Body {
	const {phase, failure, record, cursor} = migration;
	const underWay = underWayRows(migration, place);
	// Before the PUT is sent, the record describes an earlier one.
	if (phase.name === 'sending' || (phase.name !== 'asking' && isSendable(record.state)))
		return {rows: spaced(toBeSentRows(migration, place), underWay), tail: []};
	return {
		rows: spaced(
			underWay,
			failureRows(whyHeld(migration), place),
			verdictRows(migration, place),
			failureRows(failure, place),
			putRows(migration, place),
			phase.name === 'asking' ? seenRows(migration, place) : [],
		),
		tail: choiceRows(migrationChoices(migration), cursor, place),
	};
}

/** Builds a row with what is about to be sent; progress is shown below it. */
const toBeSentRows = ({record: {reviewed}}: MigrationState, {columns}: Place): Row[] =>
	reviewed ? fact('fingerprint', shownFingerprint(reviewed.fingerprint), columns) : [];

function verdictRows({record, phase}: MigrationState, {columns, marks}: Place): Row[] {
	const {state, put} = record;
	if (phase.name !== 'asking') return [];
	if (isUnsettled(state))
		return marked(
			marks.warning,
			'The answer to the last PUT was lost, and its outcome is unknown. It is never sent again by itself: read the current state first.',
			columns,
			'warning',
		);
	if (!isNotTaken(state)) return [];
	return marked(
		marks.failed,
		put?.came === 'refused'
			? 'The service refused it: nothing changed.'
			: 'The PUT had no effect within five minutes. It can be sent again, after a new confirmation.',
		columns,
		'danger',
	);
}

/** Warns that the last PUT never arrived; offers to repeat it only if it would be sent next. */
export function givenUpRows({record}: MigrationState, {columns, marks}: Place): Row[] {
	const {put, state, reviewed} = record;
	if (put?.came !== 'given up' || isNotTaken(state)) return [];
	const gone = 'The last PUT had no effect within five minutes: nothing changed.';
	return marked(
		marks.warning,
		isSentAgain(record) || !reviewed
			? `${gone} It can be sent again, after a new confirmation.`
			: `${gone} It ${does[put.mode]}, with the fingerprint ${shownFingerprint(put.fingerprint)}. What was reviewed since is another: ${shownFingerprint(reviewed.fingerprint)}.`,
		columns,
		'warning',
	);
}

/** Builds rows with what was sent, when, and its outcome. */
export function putRows(migration: MigrationState, {columns, now}: Place): Row[] {
	const {record, backup} = migration;
	const {put} = record;
	if (!put) return [];
	const {folder, objects} = backup ?? record.backup ?? {};
	return [
		...fact(
			'sent',
			`the PUT that ${does[put.mode]} (waf_migration=${put.mode}), ${moment(put.at, now)}`,
			columns,
		),
		...fact('fingerprint', shownFingerprint(put.fingerprint), columns),
		...fact('before it', entryPointBefore(put.before), columns),
		...(put.why === undefined ? [] : fact('because', put.why, columns, 'warning')),
		...(folder === undefined ? [] : pathFact('backup', folder, migration, columns)),
		...(objects === undefined ? [] : fact('', counted(objects, 'object'), columns, 'dim')),
	];
}

const entryPointBefore = ({version}: {readonly version: string | undefined}): string =>
	version === undefined ? 'no entry point' : `entry point version ${version}`;

/** Formats the time, rounded up to the next minute. */
const minuteBy = (at: number): string => timeOfDay(at + 59_999);

/** Builds the progress of work under way; empty while the screen waits for the user. */
export function underWayRows({phase, step, record}: MigrationState, {columns, marks, now}: Place): Row[] {
	const doing = (text: string, ...more: readonly string[]): Row[] => [
		...marked(marks.now, text, columns, 'here'),
		...more.flatMap(line => said(`${line}`, columns, 'dim')),
	];
	switch (phase.name) {
		case 'asking':
		case 'watching':
			return [];
		case 'reading':
			return doing(
				`Reading ${phase.what}${phase.objects === undefined ? '' : `, ${counted(phase.objects, 'object')} so far`}`,
				step === 'deploy' && isSendable(record.state)
					? 'Nothing has been sent yet. It continues if you leave.'
					: 'Reading changes nothing; esc stops it.',
			);
		case 'backing up':
			return doing(
				`Writing the backup, ${counted(phase.objects, 'object')} so far`,
				'Nothing has been sent yet.',
			);
		case 'deleting':
			return doing(
				`${phase.what.charAt(0).toUpperCase()}${phase.what.slice(1)}`,
				'It continues if you leave. The backup is made first.',
			);
		case 'rehearsing':
			return doing(
				`Rehearsing${phase.step === undefined ? '' : `: ${phase.step}`}`,
				'Nothing of it reaches the zone; esc stops it.',
			);
		case 'sending':
			return doing(
				`Sending the PUT that ${does[phase.mode]}`,
				'Cannot be cancelled; it continues if you leave. It is never sent twice by itself.',
			);
		case 'looking':
			return [
				...marked(
					marks.warning,
					phase.until > now
						? `The answer to the PUT was lost. The zone is read until ${minuteBy(phase.until)}, ${span(phase.until - now + 59_999)} more.`
						: `The answer to the PUT was lost. The wait ended at ${minuteBy(phase.until)}; the zone is read a few last times.`,
					columns,
					'warning',
				),
				...said('Nothing is sent again meanwhile. It continues if you leave.', columns, 'dim'),
			];
		default:
			return phase satisfies never;
	}
}
