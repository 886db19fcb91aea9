import {Failure, isFailure, toFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {simulatedBaseUrl} from '../../settings/base-url.ts';
import {buildAdvice} from '../../text/advice.ts';
import {computeFingerprint, type ManagedConfiguration} from '../configuration/configuration.ts';
import type {ConfigurationDifference} from '../configuration/difference.ts';
import {createMemoryJournal} from '../journal/journal.ts';
import {buildMigrationCommand} from '../machine/next-steps.ts';
import type {MigrationMode} from '../machine/stage.ts';
import {isComplete, isReadyToUpdate, type MachineState, needsReadyConfirmation} from '../machine/states.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {createFlow, type MigrationFlow} from './flow.ts';
import {refuseInvalidConfiguration} from './guards.ts';
import {getReviewBasis} from './reviewing.ts';
import {verifyDeployment} from './verification.ts';

/**
 * Creates a simulated service with the content of a snapshot, and a client that reaches only this service.
 * The function is injected, so that a rehearsal never has a client of the real service.
 */
export type StartRehearsal = (snapshot: Snapshot) => Promise<{readonly client: Client} & Disposable>;

export type Rehearsal = {
	/** The mode of the first PUT; after `validation` the rehearsal continues to the end. */
	readonly goal: MigrationMode;
	/** The final state; `complete` on success. */
	readonly ended: MachineState;
	/** Fingerprint of the configuration that was sent. */
	readonly fingerprint: string;
	/** Why the simulated service refused. */
	readonly refused?: string;
	/** True if the zone ended with exactly the rehearsed configuration, and with the previous version off. */
	readonly sameAsPlanned: boolean;
	/** Differences between the planned configuration (before) and the deployed one (after). */
	readonly differences: readonly ConfigurationDifference[];
	/** Completed steps, as sentences. */
	readonly steps: readonly string[];
};

type RehearsalParts = {
	readonly zone: MigrationZone;
	/** The current state of the zone: the rehearsal starts from the service's real proposal. */
	readonly snapshot: Snapshot;
	/** The configuration to rehearse. */
	readonly configuration: ManagedConfiguration;
	/** `pending` rehearses the final PUT only; `validation` validates first, then completes. */
	readonly goal: MigrationMode;
	readonly startService: StartRehearsal;
};

type RehearsalOptions = {
	readonly signal: AbortSignal;
	/** Called when a step begins. */
	onStep?(sentence: string): void;
};

/**
 * Runs the whole migration on a simulated copy of the zone, from reading to verification. Throws if nothing
 * could be sent; a refusal by the simulated service is part of the result.
 */
export async function rehearseMigration(
	parts: RehearsalParts,
	options: RehearsalOptions,
): Promise<Rehearsal> {
	const {zone, snapshot, configuration, goal, startService} = parts;
	if (snapshot.zone.id !== zone.id)
		throw new Failure('usage', `The snapshot is of ${snapshot.zone.name}, not of ${zone.name}.`);
	refuseUnsendable(configuration, snapshot);
	const steps: string[] = [];
	const beginStep = (sentence: string): void => {
		steps.push(sentence);
		options.onStep?.(sentence);
	};
	using service = await startService(snapshot);
	const {client} = service;
	if (client.baseUrl !== simulatedBaseUrl)
		throw new Failure('internal', 'A rehearsal must use the simulated service.');
	const flow = createFlow({client, zone, journal: createMemoryJournal({place: 'rehearsal', zone})});
	const {signal} = options;
	let refusal: string | undefined;
	try {
		await runSteps(flow, parts, beginStep, signal);
	} catch (error) {
		const failure = toFailure(error);
		if (flow.record.put?.came !== 'refused' || isFailure(error, 'interrupted'))
			throw withRehearsalNote(failure);
		refusal = [failure.message, failure.details.why].filter(Boolean).join(' ');
		beginStep(`Rejected: ${refusal}`);
	}
	beginStep('Checking what is deployed');
	const {sameAsReviewed, differences} = await verifyDeployment(
		client,
		zone,
		flow.record,
		configuration,
		signal,
	);
	const finalState = flow.record.state;
	return {
		goal,
		ended: finalState,
		fingerprint: computeFingerprint(configuration),
		sameAsPlanned: isComplete(finalState) && sameAsReviewed,
		...(refusal !== undefined && {refused: refusal}),
		differences,
		steps,
	};
}

/** Runs the user's steps in order, and confirms each of them. */
async function runSteps(
	flow: MigrationFlow,
	{zone, snapshot, configuration, goal}: RehearsalParts,
	beginStep: (sentence: string) => void,
	signal: AbortSignal,
): Promise<void> {
	const options = {signal};
	const send = async (mode: MigrationMode): Promise<void> => {
		beginStep(sendingSentences[mode]);
		await flow.send(mode, {zone: zone.name, withoutRulesets: true, incompleteBackup: true}, options);
		beginStep(watchingSentences[mode]);
		await flow.watch(options);
	};
	beginStep('Reading the state of the migration');
	await flow.observe(options);
	if (isComplete(flow.record.state))
		throw new Failure(
			'already_migrated',
			`${zone.label} has only the new version: there is nothing to rehearse.`,
			{next: buildAdvice`Check its state: \`${buildMigrationCommand(zone, 'status')}\``},
		);
	beginStep('Backing up what the migration deletes');
	await flow.backUp(options);
	await flow.review(configuration, getReviewBasis(snapshot), goal);
	if (goal === 'validation') await send('validation');
	if (needsReadyConfirmation(flow.record.state)) await flow.markReady();
	if (goal === 'pending' || isReadyToUpdate(flow.record.state)) await send('pending');
}

const sendingSentences = {
	validation: 'Turning on both versions, the new one first (waf_migration=validation)',
	pending: 'Turning off the previous version (waf_migration=pending), which cannot be undone',
} as const satisfies Record<MigrationMode, string>;

const watchingSentences = {
	validation: 'Waiting until both versions are on',
	pending: 'Waiting until only the new version is on',
} as const satisfies Record<MigrationMode, string>;

/** Checks the configuration against the real zone: its copy may know fewer ids. */
function refuseUnsendable(configuration: ManagedConfiguration, snapshot: Snapshot): void {
	try {
		refuseInvalidConfiguration(configuration, snapshot);
	} catch (error) {
		throw withRehearsalNote(toFailure(error));
	}
}

const withRehearsalNote = (failure: Failure): Failure =>
	failure.withDetails({left: 'This was a rehearsal: nothing was sent to the zone.'});
