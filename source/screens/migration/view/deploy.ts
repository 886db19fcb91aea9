import {formatFingerprint} from '../../../migration/configuration/configuration.ts';
import {isResend} from '../../../migration/machine/observation.ts';
import type {MigrationMode} from '../../../migration/machine/stage.ts';
import {isNotAccepted, isSendable, isUnsettled} from '../../../migration/machine/states.ts';
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
import {buildChoiceRows, buildPathRows, formatElapsed, formatUtcMoment, formatUtcTime} from './rows.ts';
import {buildObservationRows} from './start.ts';

const modeEffects: Readonly<Record<MigrationMode, string>> = {
	validation: 'begins validation',
	pending: 'turns the previous version off',
};

/** Builds the step of the PUT: under way, of unknown outcome, refused, or without effect. */
export function buildDeployBody(migration: MigrationState, area: LayoutArea): Body {
	const {phase, failure, record, cursor} = migration;
	const progressRows = buildProgressRows(migration, area);
	// Before the PUT is sent, the record describes an earlier one.
	if (phase.name === 'sending' || (phase.name !== 'asking' && isSendable(record.state)))
		return {rows: joinWithBlankRows(buildFingerprintRows(migration, area), progressRows), tail: []};
	return {
		rows: joinWithBlankRows(
			progressRows,
			buildFailureRows(findLockFailure(migration), area),
			buildPutVerdictRows(migration, area),
			buildFailureRows(failure, area),
			buildPutRows(migration, area),
			phase.name === 'asking' ? buildObservationRows(migration, area) : [],
		),
		tail: buildChoiceRows(listMigrationChoices(migration), cursor, area),
	};
}

/** Builds a row with the fingerprint that is about to be sent. The progress is shown below it. */
const buildFingerprintRows = ({record: {reviewed}}: MigrationState, {columns}: LayoutArea): Row[] =>
	reviewed ? buildNamedRows('fingerprint', formatFingerprint(reviewed.fingerprint), columns) : [];

function buildPutVerdictRows({record, phase}: MigrationState, {columns, marks}: LayoutArea): Row[] {
	const {state, put} = record;
	if (phase.name !== 'asking') return [];
	if (isUnsettled(state))
		return buildMarkedRows(
			marks.warning,
			'The response to the last PUT was lost, and its outcome is unknown. It is never sent again automatically: read the current state first.',
			columns,
			'warning',
		);
	if (!isNotAccepted(state)) return [];
	return buildMarkedRows(
		marks.failed,
		put?.came === 'refused'
			? 'The service rejected it: nothing changed.'
			: 'No effect of the PUT was seen within five minutes. It can be sent again, after a new confirmation.',
		columns,
		'danger',
	);
}

/** Warns that the last PUT had no visible effect. Offers to repeat it only if it would be sent next. */
export function buildLostPutRows({record}: MigrationState, {columns, marks}: LayoutArea): Row[] {
	const {put, state, reviewed} = record;
	if (put?.came !== 'given up' || isNotAccepted(state)) return [];
	const lostSentence = 'No effect of the last PUT was seen within five minutes.';
	return buildMarkedRows(
		marks.warning,
		isResend(record) || !reviewed
			? `${lostSentence} It can be sent again, after a new confirmation.`
			: `${lostSentence} It ${modeEffects[put.mode]}, with fingerprint ${formatFingerprint(put.fingerprint)}. You have since reviewed another configuration: ${formatFingerprint(reviewed.fingerprint)}.`,
		columns,
		'warning',
	);
}

/** Builds rows that show what was sent, when, and with what outcome. */
export function buildPutRows(migration: MigrationState, {columns, now}: LayoutArea): Row[] {
	const {record, backup} = migration;
	const {put} = record;
	if (!put) return [];
	const {folder, objects} = backup ?? record.backup ?? {};
	return [
		...buildNamedRows(
			'sent',
			`the PUT that ${modeEffects[put.mode]} (waf_migration=${put.mode}), ${formatUtcMoment(put.at, now)}`,
			columns,
		),
		...buildNamedRows('fingerprint', formatFingerprint(put.fingerprint), columns),
		...buildNamedRows('before', formatEntryPointVersion(put.before), columns),
		...(put.why === undefined ? [] : buildNamedRows('because', put.why, columns, 'warning')),
		...(folder === undefined ? [] : buildPathRows('backup', folder, migration, columns)),
		...(objects === undefined ? [] : buildNamedRows('', formatQuantity(objects, 'object'), columns, 'dim')),
	];
}

const formatEntryPointVersion = ({version}: {readonly version: string | undefined}): string =>
	version === undefined ? 'no entry point' : `entry point version ${version}`;

/** Formats the time, rounded up to the next minute. */
const formatNextMinute = (at: number): string => formatUtcTime(at + 59_999);

/** Builds the progress of the current operation. Empty while the screen waits for the user. */
export function buildProgressRows(
	{phase, step, record}: MigrationState,
	{columns, marks, now}: LayoutArea,
): Row[] {
	const buildOperationRows = (text: string, ...details: readonly string[]): Row[] => [
		...buildMarkedRows(marks.now, text, columns, 'here'),
		...details.flatMap(line => buildTextRows(`${line}`, columns, 'dim')),
	];
	switch (phase.name) {
		case 'asking':
		case 'watching':
			return [];
		case 'reading':
			return buildOperationRows(
				`Reading ${phase.what}${phase.objectCount === undefined ? '' : `, ${formatQuantity(phase.objectCount, 'object')} so far`}`,
				step === 'deploy' && isSendable(record.state)
					? 'Nothing has been sent yet. It continues if you leave.'
					: 'Reading changes nothing; esc stops it.',
			);
		case 'backing up':
			return buildOperationRows(
				`Writing the backup, ${formatQuantity(phase.objectCount, 'object')} so far`,
				'Nothing has been sent yet.',
			);
		case 'deleting':
			return buildOperationRows(
				`${phase.what.charAt(0).toUpperCase()}${phase.what.slice(1)}`,
				'It continues if you leave. The backup is made first.',
			);
		case 'rehearsing':
			return buildOperationRows(
				`Rehearsing${phase.step === undefined ? '' : `: ${phase.step}`}`,
				'Nothing reaches the zone; esc stops it.',
			);
		case 'sending':
			return buildOperationRows(
				`Sending the PUT that ${modeEffects[phase.mode]}`,
				'Cannot be cancelled; it continues if you leave. It is never resent automatically.',
			);
		case 'looking':
			return [
				...buildMarkedRows(
					marks.warning,
					phase.until > now
						? `The response to the PUT was lost. Checking the zone until ${formatNextMinute(phase.until)}, ${formatElapsed(phase.until - now + 59_999)} left.`
						: `The response to the PUT was lost. The wait ended at ${formatNextMinute(phase.until)}; checking the zone a few last times.`,
					columns,
					'warning',
				),
				...buildTextRows(
					`Nothing is sent again in the meantime. ${phase.stopsOnLeaving ? 'Reading changes nothing; esc stops it.' : 'It continues if you leave.'}`,
					columns,
					'dim',
				),
			];
		default:
			return phase satisfies never;
	}
}
