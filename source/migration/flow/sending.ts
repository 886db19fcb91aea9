import {asFailure, interrupted, refusedReadOnly} from '../../failure.ts';
import {fingerprint, shownFingerprint} from '../configuration/configuration.ts';
import type {Put} from '../journal/record.ts';
import type {Mode} from '../machine/stage.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {IncompleteBackup} from './backing-up.ts';
import type {Driving} from './driving.ts';
import {readAgain, sendableConfiguration, sendingEvent} from './guards.ts';
import {mayHaveArrived} from './lost-answer.ts';
import type {Confirmation, FlowWork} from './parts.ts';
import {putConfiguration, type Rested} from './put-configuration.ts';

/** Formats the audit log entry of a PUT. */
export const described = (mode: Mode, digits: string): string =>
	`put managed entry point waf_migration=${mode} fingerprint ${shownFingerprint(digits)}`;

type Sending = {
	readonly mode: Mode;
	readonly confirmation: Confirmation;
	readonly work: FlowWork;
	/** Reads the zone and backs it up. Returns the snapshot. */
	backUp(): Promise<Snapshot>;
};

/**
 * Sends the reviewed configuration: the only caller of `putConfiguration`. Runs all checks, writes the intent
 * to the journal, sends the PUT, and writes its outcome. Returns the PUT. Undefined in a dry run, which sends
 * nothing.
 */
export async function send(
	driving: Driving,
	{mode, confirmation, work, backUp}: Sending,
): Promise<Put | undefined> {
	const {client, readOnly} = driving.parts;
	if (readOnly) throw refusedReadOnly('Sending a configuration');
	const configuration = await sendableConfiguration(driving, mode, confirmation);
	const snapshot = await beforeSending(backUp());
	const {observed: seen, since, took} = await readAgain(driving, mode, {configuration, snapshot}, work);
	if (work.signal.aborted) throw interrupted('Nothing was sent.');
	const rested: Rested = {configuration, since, took};
	if (client.dryRun) {
		await putConfiguration(client, driving.parts.zone.id, mode, rested, work.signal);
		return undefined;
	}
	const digits = driving.record.reviewed?.fingerprint ?? '';
	const put: Put = {
		mode,
		fingerprint: digits,
		at: client.clock.now(),
		before: {
			stage: seen.stage,
			version: seen.entryPoint?.version,
			fingerprint: seen.entryPoint?.fingerprint,
		},
	};
	const {put: before} = driving.record;
	await intend(driving, mode, put);
	work.sends?.(described(mode, digits));
	const leaves = () => work.onStep?.({does: 'sending', mode});
	return answered(driving, {...rested, leaves}, {put, before}, work);
}

/** Adds to a failure that nothing was sent. */
async function beforeSending<T>(work: Promise<T>): Promise<T> {
	try {
		return await work;
	} catch (error) {
		if (error instanceof IncompleteBackup) throw error;
		const failure = asFailure(error);
		const {left} = failure.details;
		throw failure.with({left: `${left ? `${left} ` : ''}Nothing was sent.`});
	}
}

/**
 * Writes the intent to the journal and syncs it. A process killed after this leaves a PUT in doubt, never an
 * unrecorded one.
 */
async function intend(driving: Driving, mode: Mode, put: Put): Promise<void> {
	try {
		await driving.take(sendingEvent(mode), 'Sending', {put, goal: mode});
	} catch (error) {
		throw asFailure(error).with({
			left: 'Nothing was sent: without its journal a migration cannot be resumed.',
		});
	}
}

async function answered(
	driving: Driving,
	rested: Rested,
	{put, before}: {readonly put: Put; readonly before: Put | undefined},
	work: FlowWork,
): Promise<Put> {
	const {client, zone} = driving.parts;
	try {
		const entryPoint = await putConfiguration(client, zone.id, put.mode, rested, work.signal);
		const stored = entryPoint && {
			version: entryPoint.version,
			fingerprint: fingerprint(entryPoint.configuration),
		};
		const accepted: Put = {...put, came: 'accepted', stored};
		await driving.takeAnyway('accepted', {put: accepted});
		work.wrote?.(described(put.mode, put.fingerprint));
		return accepted;
	} catch (error) {
		const failure = asFailure(error);
		if (mayHaveArrived(error)) {
			const lost: Put = {...put, came: 'lost', why: failure.message};
			await driving.takeAnyway('lost', {put: lost});
			return lost;
		}
		// The client never sent it, so the earlier PUT stays the last one.
		const isHeldBack = failure.code === 'changed_meanwhile';
		const refused: Put = {...put, came: 'refused', why: failure.message};
		await driving.takeAnyway('refused', {put: isHeldBack ? before : refused});
		throw failure;
	}
}
