import {asFailure, interrupted, isFailure, refusedReadOnly} from '../failure.ts';
import {putConfiguration} from './calls.ts';
import {type Configuration, fingerprint, shownFingerprint} from './configuration.ts';
import type {Driving} from './driving.ts';
import type {Confirmation, FlowWork} from './flow.ts';
import {readAgain, ready, sendingEvent} from './guards.ts';
import type {KeptBackup, Put} from './record.ts';
import type {Mode} from './stage.ts';

/** What the audit log says of the PUT. */
export const described = (mode: Mode, digits: string): string =>
	`put managed entry point waf_migration=${mode} fingerprint ${shownFingerprint(digits)}`;

type Sending = {
	readonly mode: Mode;
	readonly confirmation: Confirmation;
	readonly work: FlowWork;
	/** Makes the backup that the zone has not, or that is too old. */
	backUp(): Promise<KeptBackup | undefined>;
};

/**
 * The one way by which an entry point PUT leaves ledge (decisions 32 to 36). Everything is looked at first; then the
 * intent is in the journal before the PUT goes out, and what came of it after the answer. Gives what is known of the
 * PUT; `undefined` in a dry run, which sends nothing.
 */
export async function send(
	driving: Driving,
	{mode, confirmation, work, backUp}: Sending,
): Promise<Put | undefined> {
	const {client, readOnly} = driving.parts;
	if (readOnly) throw refusedReadOnly('Sending a configuration');
	const configuration = await ready(driving, mode, confirmation);
	if (!client.dryRun) await backUp();
	const seen = await readAgain(driving, mode, work);
	if (work.signal.aborted) throw interrupted('Nothing was sent.');
	if (client.dryRun) {
		await putConfiguration(client, driving.parts.zone.id, mode, configuration, work.signal);
		return undefined;
	}
	const digits = driving.record.reviewed?.fingerprint ?? '';
	const put: Put = {
		mode,
		fingerprint: digits,
		at: client.pace.now(),
		before: {
			stage: seen.stage,
			version: seen.entryPoint?.version,
			fingerprint: seen.entryPoint?.fingerprint,
		},
	};
	await intend(driving, mode, put);
	work.onStep?.({does: 'sending', mode});
	work.sends?.(described(mode, digits));
	return answered(driving, configuration, put, work);
}

/** In the journal, and synced, before anything goes out: a killed process leaves a PUT in doubt, and never one unknown. */
async function intend(driving: Driving, mode: Mode, put: Put): Promise<void> {
	try {
		await driving.take(sendingEvent(mode), 'Sending', {put, goal: mode});
	} catch (error) {
		throw asFailure(error).with({
			left: 'Nothing was sent: without its journal a migration cannot be taken up again.',
		});
	}
}

async function answered(
	driving: Driving,
	configuration: Configuration,
	put: Put,
	work: FlowWork,
): Promise<Put> {
	const {client, zone} = driving.parts;
	try {
		const entryPoint = await putConfiguration(client, zone.id, put.mode, configuration, work.signal);
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
		if (isUnsure(error)) {
			const lost: Put = {...put, came: 'lost', why: failure.message};
			await driving.takeAnyway('lost', {put: lost});
			return lost;
		}
		await driving.takeAnyway('refused', {put: {...put, came: 'refused', why: failure.message}});
		throw failure;
	}
}

/** Whether the service may have done it. What is no failure of a call at all tells nothing, and neither does a 408. */
const isUnsure = (error: unknown): boolean =>
	!isFailure(error) || error.details.doubtful === true || error.details.http === 408;
