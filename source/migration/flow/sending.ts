import {createInterruptedFailure, createReadOnlyFailure, toFailure} from '../../failure.ts';
import {computeFingerprint, formatFingerprint} from '../configuration/configuration.ts';
import type {RecordedPut} from '../journal/record.ts';
import type {MigrationMode} from '../machine/stage.ts';
import type {ManagedEntryPoint} from '../zone/entry-point.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {IncompleteBackupFailure} from './backup-step.ts';
import type {FlowOptions, PutConfirmation} from './context.ts';
import type {MigrationDriver} from './driver.ts';
import {getSendEvent, readSendableConfiguration, rereadBeforePut} from './guards.ts';
import {mayHaveArrived} from './lost-response.ts';
import {listOverwrittenChanges} from './overwritten.ts';
import {type PutRequest, putConfiguration} from './put-configuration.ts';

/** Formats the audit log entry of a PUT. */
export const formatPutAuditEntry = (mode: MigrationMode, fingerprint: string): string =>
	`put managed entry point waf_migration=${mode} fingerprint ${formatFingerprint(fingerprint)}`;

type SendingParts = {
	readonly mode: MigrationMode;
	readonly confirmation: PutConfirmation;
	readonly options: FlowOptions;
	/** Reads the zone and backs it up. Returns the snapshot. */
	backUp(): Promise<Snapshot>;
};

/**
 * Sends the reviewed configuration; the only caller of `putConfiguration`. Runs all checks, writes the intent
 * to the journal, sends the PUT, and writes the outcome to the journal. Returns the PUT. A dry run sends
 * nothing and returns undefined.
 */
export async function sendReviewed(
	driver: MigrationDriver,
	{mode, confirmation, options, backUp}: SendingParts,
): Promise<RecordedPut | undefined> {
	const {client, readOnly} = driver.context;
	if (readOnly) throw createReadOnlyFailure('Sending a configuration');
	const configuration = await readSendableConfiguration(driver, mode, confirmation);
	const snapshot = await withNothingSent(backUp());
	const {observation, oldestReadingAt, readingMs} = await rereadBeforePut(
		driver,
		mode,
		{configuration, snapshot},
		options,
	);
	if (options.signal.aborted) throw createInterruptedFailure('Nothing was sent.');
	const request: PutRequest = {configuration, oldestReadingAt, readingMs};
	if (client.dryRun) {
		await putConfiguration(client, driver.context.zone.id, mode, request, options.signal);
		return undefined;
	}
	const fingerprint = driver.record.reviewed?.fingerprint ?? '';
	const put: RecordedPut = {
		mode,
		fingerprint,
		at: client.clock.now(),
		before: {
			stage: observation.stage,
			version: observation.entryPoint?.version,
			fingerprint: observation.entryPoint?.fingerprint,
		},
	};
	const {put: previousPut} = driver.record;
	await recordIntent(driver, mode, put);
	options.onSend?.(formatPutAuditEntry(mode, fingerprint));
	const reportSending = () => options.onStep?.({does: 'sending', mode});
	return putAndRecord(driver, {...request, onSend: reportSending}, {put, previousPut}, options);
}

/** Adds to a failure that nothing was sent. */
async function withNothingSent<T>(attempt: Promise<T>): Promise<T> {
	try {
		return await attempt;
	} catch (error) {
		if (error instanceof IncompleteBackupFailure) throw error;
		const failure = toFailure(error);
		const {left} = failure.details;
		throw failure.withDetails({left: `${left ? `${left} ` : ''}Nothing was sent.`});
	}
}

/**
 * Writes the intent to the journal and syncs it. If the process is killed after this, the outcome of the PUT
 * is unknown, but the PUT is never unrecorded.
 */
async function recordIntent(driver: MigrationDriver, mode: MigrationMode, put: RecordedPut): Promise<void> {
	try {
		await driver.apply(getSendEvent(mode), 'Sending', {put, goal: mode});
	} catch (error) {
		throw toFailure(error).withDetails({
			left: 'Nothing was sent: without its journal, a migration cannot be resumed.',
		});
	}
}

async function putAndRecord(
	driver: MigrationDriver,
	request: PutRequest,
	{put, previousPut}: {readonly put: RecordedPut; readonly previousPut: RecordedPut | undefined},
	options: FlowOptions,
): Promise<RecordedPut> {
	const {client, zone} = driver.context;
	try {
		const entryPoint = await putConfiguration(client, zone.id, put.mode, request, options.signal);
		const stored = entryPoint && {
			version: entryPoint.version,
			fingerprint: computeFingerprint(entryPoint.configuration),
		};
		const acceptedPut: RecordedPut = {...put, came: 'accepted', stored};
		await driver.applyDespiteJournalFailure('accepted', {put: acceptedPut});
		options.onWritten?.(formatPutAuditEntry(put.mode, put.fingerprint));
		return entryPoint ? await recordOverwritten(driver, acceptedPut, entryPoint, options) : acceptedPut;
	} catch (error) {
		const failure = toFailure(error);
		if (mayHaveArrived(error)) {
			const lostPut: RecordedPut = {...put, came: 'lost', why: failure.message};
			await driver.applyDespiteJournalFailure('lost', {put: lostPut});
			return lostPut;
		}
		// The client never sent the PUT, so the earlier one stays the last.
		const wasNotSent = failure.code === 'changed_meanwhile';
		const refusedPut: RecordedPut = {...put, came: 'refused', why: failure.message};
		await driver.applyDespiteJournalFailure('refused', {put: wasNotSent ? previousPut : refusedPut});
		throw failure;
	}
}

/** Adds to the PUT in the journal what it overwrote. Returns the PUT. */
async function recordOverwritten(
	driver: MigrationDriver,
	put: RecordedPut,
	entryPoint: ManagedEntryPoint,
	{signal}: FlowOptions,
): Promise<RecordedPut> {
	const {client, zone} = driver.context;
	const overwritten = await listOverwrittenChanges(client, zone.id, put.before, entryPoint, signal);
	if (!overwritten) return put;
	const putWithChanges: RecordedPut = {...put, overwritten: [...overwritten]};
	try {
		await driver.updateRecord({put: putWithChanges});
	} catch {
		// The PUT was accepted: a journal that cannot be written is reported at the end.
	}
	return putWithChanges;
}
