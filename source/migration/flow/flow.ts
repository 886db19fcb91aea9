import {Failure, toFailure} from '../../failure.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import type {ManagedConfiguration} from '../configuration/configuration.ts';
import {withDeletedOverride} from '../journal/deleted-overrides.ts';
import {isRealPlace} from '../journal/folder.ts';
import type {MigrationJournal} from '../journal/journal.ts';
import type {MigrationRecord, RecordedPut, RecordedValidation, StoredBackup} from '../journal/record.ts';
import {describeStoredDifference, getEntryPointMark, wasPutAccepted} from '../machine/observation.ts';
import type {MigrationMode, Observation} from '../machine/stage.ts';
import {hasUnknownOutcome, isNotAccepted, stateTable} from '../machine/states.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {backUpBeforePut, readZoneSnapshot, saveBackup} from './backup-step.ts';
import type {FlowContext, FlowOptions, PutConfirmation} from './context.ts';
import {type ReviewDrift, readReviewDrift} from './drift.ts';
import {createMigrationDriver, createTurnQueue, type MigrationDriver} from './driver.ts';
import {refuseInvalidConfiguration} from './guards.ts';
import {settleLostPut} from './lost-response.ts';
import {
	isSameEntryPoint,
	type ReviewBasis,
	refuseEarlyTakeOver,
	requestPut,
	reviewConfiguration,
} from './reviewing.ts';
import {formatPutAuditEntry, sendReviewed} from './sending.ts';
import {watchMigration} from './watching.ts';

/**
 * The migration of one zone. Every step that writes to the zone first reads check, status and entry point
 * again, and is written to the journal before the request and after the response. Only a flow can send an
 * entry point PUT.
 */
export type MigrationFlow = {
	readonly zone: MigrationZone;
	readonly journal: MigrationJournal;
	readonly record: MigrationRecord;
	/**
	 * Why the last observation is not in the journal, for example because the disk is full. The next one is
	 * saved.
	 */
	readonly journalFailure?: Failure | undefined;
	/** Reads check, status and entry point, and advances the machine. */
	observe(options: FlowOptions): Promise<Observation>;
	/**
	 * Reads the zone and returns the snapshot for `backUp`. Throws `input_malformed` if the configuration
	 * could not be sent, for example because of an unknown managed ruleset id.
	 */
	check(configuration: ManagedConfiguration, options: FlowOptions): Promise<Snapshot>;
	/**
	 * Saves a backup of the snapshot in the zone's folder; reads a snapshot if none is given. Equal content
	 * is saved only once.
	 */
	backUp(options: FlowOptions, snapshot?: Snapshot): Promise<StoredBackup>;
	/**
	 * Records that the user reviewed this configuration, and on what basis. Only a reviewed configuration is
	 * ever sent.
	 */
	review(configuration: ManagedConfiguration, basis: ReviewBasis, goal: MigrationMode): Promise<void>;
	/**
	 * Records that the user requested this PUT; replaces an earlier request that was not sent. `fingerprint`:
	 * that of the configuration.
	 */
	requestPut(mode: MigrationMode, fingerprint?: string): Promise<void>;
	/** Records that ledge deleted an override, whose effect must be recreated. */
	recordDeletedOverride(id: string): Promise<void>;
	/** Records that a configuration was rehearsed as planned. */
	recordRehearsal(fingerprint: string): Promise<void>;
	/** Records what security events showed during validation, for the report. */
	recordValidation(validation: RecordedValidation): Promise<void>;
	/**
	 * Reads the reviewed configuration from the zone's folder. Throws `journal_invalid` if it does not match
	 * the journal.
	 */
	readReviewedConfiguration(): Promise<ManagedConfiguration | undefined>;
	/** Discards the review, because the configuration was changed. */
	discardReview(): Promise<void>;
	/** Records that the previous version may be turned off next. */
	markReady(): Promise<void>;
	/**
	 * Accepts the current state after the zone was changed elsewhere, or an hour after a PUT without effect.
	 * Reads the zone again and discards the review. Throws `changed_meanwhile` if the current rules are not
	 * those in `shownDrift`.
	 */
	takeOver(options: FlowOptions, shownDrift: Pick<ReviewDrift, 'entryPoint'>): Promise<Observation>;
	/** Compares the current rules of the zone with those reviewed here. */
	readDrift(options: FlowOptions): Promise<ReviewDrift>;
	/**
	 * Sends the reviewed configuration. Sends nothing unless the zone's name is confirmed, the zone is
	 * eligible and backed up, and nothing has changed since the review. If the response is lost, observes the
	 * zone for at least five minutes. Returns the record; its `state` shows whether the service accepted the
	 * PUT. Throws if nothing was sent, the service refused, or the journal cannot be written afterwards. A
	 * confirmation is valid once.
	 */
	send(mode: MigrationMode, confirmation: PutConfirmation, options: FlowOptions): Promise<MigrationRecord>;
	/** Continues to observe the zone after a lost response, until the original deadline. */
	settle(options: FlowOptions): Promise<MigrationRecord>;
	/**
	 * Watches until the machine is at rest, for example in `validating`, `complete` or `moved on`. The delays
	 * grow; watching lasts at most an hour.
	 */
	watch(options: FlowOptions): Promise<MigrationRecord>;
};

/**
 * Creates the flow of a zone from its journal. Sends no request. Throws `internal` for a real zone whose
 * journal is not on disk, unless nothing can be sent.
 */
export function createFlow(context: FlowContext): MigrationFlow {
	const {client, zone, journal, readOnly} = context;
	if (journal.folder === undefined && !client.dryRun && !readOnly && isRealPlace(journal.target))
		throw new Failure('internal', 'The migration of a real zone needs a journal on disk.');
	const driver = createMigrationDriver(context);
	const runInTurn = createTurnQueue();
	const usedConfirmations = new WeakSet<PutConfirmation>();

	async function readReviewedConfiguration(): Promise<ManagedConfiguration | undefined> {
		const {reviewed} = driver.record;
		return reviewed && journal.readReviewed(reviewed.fingerprint);
	}

	async function send(
		mode: MigrationMode,
		confirmation: PutConfirmation,
		options: FlowOptions,
	): Promise<RecordedPut | undefined> {
		if (usedConfirmations.has(confirmation))
			throw new Failure('unconfirmed', 'A confirmation can be used only once.', {
				next: `Confirm again with the name of the zone, ${zone.name}.`,
			});
		// Marked as used even if sending fails: it confirmed what was shown at that time.
		usedConfirmations.add(confirmation);
		await requestPut(driver, mode);
		return sendReviewed(driver, {
			mode,
			confirmation,
			options,
			backUp: () => backUpBeforePut(driver, confirmation, options),
		});
	}

	return {
		zone,
		journal,
		get record() {
			return driver.record;
		},
		get journalFailure() {
			return driver.journalFailure;
		},
		readReviewedConfiguration,
		observe: options => runInTurn(() => driver.observe(options)),
		check: (configuration, options) =>
			runInTurn(async () => {
				const snapshot = await readZoneSnapshot(driver, options);
				refuseInvalidConfiguration(configuration, snapshot);
				return snapshot;
			}),
		backUp: (options, snapshot) =>
			runInTurn(async () => saveBackup(driver, snapshot ?? (await readZoneSnapshot(driver, options)))),
		review: (configuration, basis, goal) =>
			runInTurn(() => reviewConfiguration(driver, configuration, basis, goal)),
		requestPut: (mode, fingerprint) => runInTurn(() => requestPut(driver, mode, fingerprint)),
		recordValidation: validation => runInTurn(() => driver.updateRecord({validation})),
		recordRehearsal: rehearsed => runInTurn(() => driver.updateRecord({rehearsed})),
		recordDeletedOverride: id => runInTurn(() => driver.updateRecord(withDeletedOverride(driver.record, id))),
		discardReview: () => runInTurn(() => driver.apply('edit', 'Editing', {reviewed: undefined})),
		markReady: () => runInTurn(() => driver.apply('ready', 'Marking the zone as ready', {goal: 'pending'})),
		readDrift: options =>
			runInTurn(() => readReviewDrift(client, zone, driver.record, journal, options.signal)),
		takeOver: (options, shownDrift) =>
			runInTurn(async () => {
				refuseEarlyTakeOver(driver);
				const observation = await driver.observe(options);
				if (!isSameEntryPoint(getEntryPointMark(observation), shownDrift.entryPoint))
					throw createChangedRulesFailure(zone);
				await driver.apply('take over', 'Taking over', {
					reviewed: undefined,
					put: undefined,
					goal: undefined,
				});
				return driver.observe(options);
			}),
		async send(mode, confirmation, options) {
			const stateBefore = driver.record.state;
			let put: RecordedPut | undefined;
			try {
				put = await runInTurn(() => send(mode, confirmation, options));
			} catch (error) {
				const {state} = driver.record;
				if (!isNotAccepted(state) || state === stateBefore) throw error;
				throw await withStateAfterRefusal(driver, toFailure(error), () =>
					runInTurn(() => driver.observe(options)),
				);
			}
			if (put?.came === 'lost') {
				if (wasPutAccepted(await settleLostPut(driver, runInTurn, options)))
					options.onWritten?.(formatPutAuditEntry(put.mode, put.fingerprint));
			} else if (put) {
				// The PUT was accepted even if this reading fails; watching reads again.
				await runInTurn(() => driver.observe(options)).catch(() => {});
			}
			if (driver.journalFailure) throw createUnwrittenFailure(driver);
			return driver.record;
		},
		async settle(options) {
			// Other processes read the journal: nothing is being sent any more.
			await runInTurn(driver.saveInterruption);
			return settleLostPut(driver, runInTurn, options);
		},
		async watch(options) {
			if (hasUnknownOutcome(driver.record.state)) await settleLostPut(driver, runInTurn, options);
			return watchMigration(driver, runInTurn, options);
		},
	};
}

const createChangedRulesFailure = ({name}: MigrationZone): Failure =>
	new Failure('changed_meanwhile', `The managed rules of ${name} changed again since they were shown.`, {
		left: 'Nothing was sent, and the review is kept.',
		next: 'Check the current differences, then take over again.',
	});

/** Adds the state after a refused PUT to the failure, if it can be read. */
async function withStateAfterRefusal(
	driver: MigrationDriver,
	failure: Failure,
	readState: () => Promise<unknown>,
): Promise<Failure> {
	try {
		await readState();
	} catch {
		// The refusal matters more than the failed reading.
		return failure;
	}
	const {seen, put} = driver.record;
	const isUnchanged = seen?.stage === put?.before.stage && seen?.entryPoint?.version === put?.before.version;
	return failure.withDetails({
		left: isUnchanged
			? 'Request rejected; the zone is unchanged.'
			: `Request rejected. Now: ${describeCurrentState(driver)}`,
	});
}

/** Creates the failure for a PUT that was sent, after which the journal could not be written. */
function createUnwrittenFailure(driver: MigrationDriver): Failure {
	const {journalFailure, record} = driver;
	const wasAccepted = record.put?.came === 'accepted' || wasPutAccepted(record);
	return (journalFailure ?? new Failure('file_failed', 'The journal could not be written.')).withDetails({
		left: `${
			wasAccepted
				? 'The configuration was sent, and the service accepted it.'
				: 'The configuration was sent, but the response could not be recorded.'
		} Now: ${describeCurrentState(driver)}`,
		next: buildAdvice`Make the state directory writable; \`${buildZoneCommand('migration resume')}\` then continues from what the service reports.`,
	});
}

const describeCurrentState = ({record}: MigrationDriver): string =>
	[`${stateTable[record.state].meaning}.`, describeStoredDifference(record)].filter(Boolean).join(' ');
