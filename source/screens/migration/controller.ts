import {createInterruptedFailure, type Failure, isFailure, toFailure} from '../../failure.ts';
import type {FlowOptions} from '../../migration/flow/context.ts';
import {createFlow, type MigrationFlow} from '../../migration/flow/flow.ts';
import type {MigrationTarget} from '../../migration/journal/folder.ts';
import {openMigrationJournal, readMigrationRecord} from '../../migration/journal/journal.ts';
import {isUnread} from '../../migration/machine/states.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {Client} from '../../service/client.ts';
import {getPlaceWithWorld} from '../../session/place.ts';
import {formatSessionOptions, qualifyCommands} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';
import {createUpdateThrottle} from '../shell/update-throttle.ts';
import {withTimeout} from '../shell/with-timeout.ts';
import type {Work} from '../shell/work-slice.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {createReviewTimer} from '../write-flow/review-timer.ts';
import {getMigrationFormId} from './form.ts';
import {createWatchProgress, toMigrationPhase} from './progress.ts';
import {
	createInitialInput,
	findLockFailure,
	type MigrationPhase,
	type MigrationState,
	type MigrationStep,
	moveToStep,
	noRowsSeen,
} from './state.ts';
import {createMigrationThrottle} from './throttle.ts';

/** An open migration with its flow. It holds the lock of its journal. */
type OpenMigration = {
	/** The `id` of the `MigrationState` that shows it. */
	readonly id: number;
	readonly flow: MigrationFlow;
	readonly client: Client;
	readonly serviceOrigin: string;
	/** Aborts reading and watching when the screen closes. */
	readonly abortController: AbortController;
};

/** A zone as a journal names it. */
export type NamedZone = {readonly id: string; readonly name: string};

type Operation = {
	readonly label: string;
	/** A read ends when the screen closes. A write continues. */
	readonly kind: Work['kind'];
	readonly phase: MigrationPhase;
	/** The step to show during the operation. */
	readonly step?: MigrationStep;
	readonly watchStatus?: MigrationState['watchStatus'];
};

/** `reportPhase` reports progress; it may be called often. */
type OperationOptions = FlowOptions & {reportPhase(phase: MigrationPhase): void};

type OperationAction = (open: OpenMigration, options: OperationOptions) => Promise<Partial<MigrationState>>;

/** The label of a write once the response to its PUT was lost. */
const lostResponseLabel = 'response lost: reading the current state';

/** Interval between redraws of progress, in milliseconds. */
const progressIntervalMs = 2000;
/**
 * Maximum time that quitting waits for a PUT, and then for the journal to close, in milliseconds. The user
 * can also quit at once.
 */
const maxQuitDelayMs = 6000;
/** If one of these changes, the time that the user must have for reading starts again. */
const reviewFields = ['step', 'expectedInput', 'failure', 'furthestTops', 'drift'] as const;

export type MigrationController = ReturnType<typeof createMigrationController>;

/** Owns the open migration: its journal, its flow, and its operations. */
export function createMigrationController(...[set, get, ports]: Parameters<Slice<unknown>>) {
	const {session} = ports;
	let lastId = 0;
	let openMigration: OpenMigration | undefined;
	const timer = createReviewTimer(get, ports);
	/** Resolves when the response to a write has arrived or was lost. Undefined if no write is under way. */
	let pendingWrite: Promise<void> | undefined;
	/** Resolves when reviews dropped by edits are removed from the journal, which is done one at a time. */
	let pendingReviewDrops: Promise<void> = Promise.resolve();
	/** Resolves when the last journal is unlocked. */
	let journalClosing: Promise<unknown> = Promise.resolve();
	const throttle = createMigrationThrottle(set, get, ports.elapsed, timer.restart);

	/** Updates a migration if it is still the current one. */
	function change(id: number, changes: Partial<MigrationState>): void {
		const migration = get().migration.data;
		if (migration?.id !== id) return;
		if (reviewFields.some(one => one in changes && changes[one] !== migration[one])) timer.restart();
		const next = {...migration, ...changes};
		if (next.step !== migration.step || next.cursor !== migration.cursor) get().messages.forgetWarning();
		throttle.show(next);
	}

	/** Goes to a step of the current migration. */
	function go(step: MigrationStep, changes: Partial<MigrationState> = {}): void {
		const migration = get().migration.data;
		if (migration) change(migration.id, {...moveToStep(step), ...changes});
	}

	/** Goes to the step that the user asked for, and clears the failure of the previous one. */
	function proceed(step: MigrationStep, changes: Partial<MigrationState> = {}): void {
		get().messages.leave();
		go(step, {failure: undefined, ...changes});
	}

	/** Converts an error to a failure whose commands act on the zone. */
	const qualifyFailure = (zoneId: string, error: unknown): Failure =>
		qualifyCommands(toFailure(error), {...session.options, zone: undefined, zoneId});

	/**
	 * Runs an operation and shows its progress. A failure stays on the screen. Resolves to true if the
	 * operation completed. Never rejects.
	 */
	async function runOperation(
		{label, kind, phase, step, watchStatus}: Operation,
		action: OperationAction,
	): Promise<boolean> {
		const migration = get().migration.data;
		const lockFailure = migration && findLockFailure(migration);
		if (!openMigration && lockFailure) get().messages.fail(lockFailure);
		if (!openMigration || migration?.id !== openMigration.id || migration.phase.name !== 'asking')
			return false;
		const openedMigration = openMigration;
		const {id, flow, abortController} = openedMigration;
		const pendingResponse = Promise.withResolvers<void>();
		if (kind === 'write') pendingWrite = pendingResponse.promise;
		change(id, {phase, failure: undefined, ...(step && moveToStep(step)), ...(watchStatus && {watchStatus})});
		const progress = createUpdateThrottle(progressIntervalMs, ports.elapsed, (nextPhase: MigrationPhase) =>
			change(id, {phase: nextPhase}),
		);
		const watch = createWatchProgress(ports, statePart => change(id, statePart));
		let outcome: Partial<MigrationState> = {};
		let failure: Failure | undefined;
		// Once the zone is observed, the repeated readings are not drawn.
		let isObserving = phase.name === 'watching';
		let relabel: ((label: string) => void) | undefined;
		const onStep: FlowOptions['onStep'] = flowStep => {
			if (flowStep.does === 'watching') return watch.observe(flowStep.observation, flow);
			if (flowStep.does === 'trying') return watch.reportFailure(flowStep);
			const isReading = flowStep.does === 'reading' || flowStep.does === 'backing up';
			if (isReading) return isObserving ? undefined : progress.update(toMigrationPhase(flowStep, kind));
			isObserving = true;
			if (flowStep.does === 'looking') {
				pendingResponse.resolve();
				if (kind === 'write') relabel?.(lostResponseLabel);
			}
			progress.stop();
			change(id, {phase: toMigrationPhase(flowStep, kind), record: flow.record});
		};
		const isDone = await get().work.run(label, kind, async (workSignal, relabelWork) => {
			relabel = relabelWork;
			const signal = kind === 'write' ? workSignal : AbortSignal.any([workSignal, abortController.signal]);
			try {
				outcome = await action(openedMigration, {signal, reportPhase: progress.update, onStep});
			} catch (error) {
				failure = qualifyFailure(migration.zone.id, error);
				throw error;
			}
		});
		progress.stop();
		pendingResponse.resolve();
		if (kind === 'write') pendingWrite = undefined;
		change(id, {
			phase: {name: 'asking'},
			record: flow.record,
			journalFailure: flow.journalFailure,
			backup: flow.record.backup,
			...outcome,
			...(failure && !isFailure(failure, 'interrupted') && {failure}),
		});
		get().zones.forgetOverview(migration.zone.id);
		return isDone;
	}

	function findReadOnlyFailure(): Failure | undefined {
		try {
			session.refuseWhenReadOnly('the migration');
			return undefined;
		} catch (error) {
			return toFailure(error);
		}
	}

	/** Opens the journal. If that fails, nothing can be done with the zone, and the screen shows why. */
	async function acquireJournal(id: number, zone: MigrationZone, signal: AbortSignal): Promise<void> {
		await journalClosing;
		let target: MigrationTarget | undefined;
		try {
			const client = await session.client();
			const serviceOrigin = getPlaceWithWorld(session, client);
			target = {place: serviceOrigin, zone};
			const journal = await openMigrationJournal(session.env, target);
			if (get().migration.data?.id !== id || signal.aborted) {
				await journal.close();
				throw createInterruptedFailure();
			}
			const readOnlyFailure = findReadOnlyFailure();
			const flow = createFlow({client, zone, journal, readOnly: readOnlyFailure !== undefined});
			openMigration = {id, flow, client, serviceOrigin, abortController: new AbortController()};
			const {record} = flow;
			const isResumed = !isUnread(record.state);
			change(id, {
				record,
				access: readOnlyFailure
					? {name: 'read only', failure: readOnlyFailure, isResumed}
					: {name: 'open', isResumed},
				phase: {name: 'asking'},
				backup: record.backup,
			});
		} catch (error) {
			const failure = toFailure(error);
			const isHeldElsewhere = isFailure(failure, 'job_running');
			const record = isHeldElsewhere && target ? readMigrationRecord(session.env, target) : undefined;
			change(id, {
				zone,
				access: {name: 'held', failure},
				record: record ?? {state: 'unread'},
				phase: {name: 'asking'},
			});
			throw failure;
		}
	}

	/** Closes the journal. The next opening waits until it is closed. */
	function releaseJournal(): void {
		const {flow, abortController} = openMigration ?? {};
		openMigration = undefined;
		abortController?.abort();
		journalClosing = pendingReviewDrops
			.then(() => flow?.journal.close())
			.catch((error: unknown) => get().messages.fail(toFailure(error)))
			.then(() => flow && get().zones.forgetOverview(flow.zone.id));
	}

	return {
		set,
		get,
		ports,
		change,
		go,
		proceed,
		runOperation,
		qualifyFailure,
		getOpenMigration: (): OpenMigration | undefined => openMigration,
		/** Resolves when every dropped review is removed from the journal. */
		waitForReviewDrops: (): Promise<void> => pendingReviewDrops,
		/** True while a write is under way, including the reading after a lost response. */
		isWriting: (): boolean => pendingWrite !== undefined,
		wasVisibleLongEnough: timer.wasVisibleLongEnough,
		/** Drops the review from the journal after the configuration was changed. */
		dropReview(): void {
			if (!openMigration || get().migration.data?.record.reviewed === undefined) return;
			const {id, flow} = openMigration;
			pendingReviewDrops = pendingReviewDrops
				.then(() => flow.discardReview())
				.then(
					() => change(id, {record: flow.record}),
					(error: unknown) => get().messages.fail(toFailure(error)),
				);
		},
		/** Drops the review from the journal of a zone whose migration is not open. */
		async dropStoredReview(target: NamedZone): Promise<void> {
			await journalClosing;
			const zone = buildMigrationZone({...target, plan: undefined});
			const client = await session.client();
			const journal = await openMigrationJournal(session.env, {
				place: getPlaceWithWorld(session, client),
				zone,
			});
			try {
				await createFlow({client, zone, journal}).discardReview();
			} finally {
				await journal.close();
			}
		},
		/**
		 * Opens the migration of a zone. If another process has its journal open, it can only be viewed.
		 * Warns instead if a migration is still running.
		 */
		async open(target: ZoneWithLabel): Promise<void> {
			const migration = get().migration.data;
			// Watching continues in the background until another migration is opened.
			const isBusy = migration !== undefined && !['asking', 'watching'].includes(migration.phase.name);
			if (migration?.zone.id === target.id && (openMigration?.id === migration.id || isBusy)) return;
			if (migration && isBusy)
				return get().messages.warn(
					`The migration of ${migration.zone.name} is still running: wait until it finishes.`,
				);
			if (migration) get().drafts.release(getMigrationFormId(migration));
			releaseJournal();
			const id = ++lastId;
			const zone = buildMigrationZone(target);
			set({
				data: {
					id,
					zone,
					step: 'zone',
					phase: {name: 'reading', what: 'the journal'},
					record: {state: 'unread'},
					access: {name: 'opening'},
					edits: [],
					findings: [],
					home: session.env.HOME,
					serviceOptions: formatSessionOptions(session.options),
					view: 'comparison',
					showsProposed: false,
					cursor: 0,
					top: 0,
					furthestTops: noRowsSeen,
					goal: 'pending',
					...createInitialInput(),
				},
			});
			const label = `opening the migration of ${target.name ?? target.id}`;
			await get().work.run(label, 'read', signal => acquireJournal(id, zone, signal));
		},
		/** Tries again to open the journal of the current migration. */
		async reopen(): Promise<void> {
			const migration = get().migration.data;
			if (!migration || openMigration) return;
			change(migration.id, {access: {name: 'opening'}, phase: {name: 'reading', what: 'the journal'}});
			await get().work.run('opening the migration', 'read', signal =>
				acquireJournal(migration.id, migration.zone, signal),
			);
		},
		/** Closes the journal and clears the screen. Resolves when the journal is closed. */
		close(): Promise<unknown> {
			const migration = get().migration.data;
			if (migration) get().drafts.release(getMigrationFormId(migration));
			releaseJournal();
			set({data: undefined, throttle: undefined});
			// An unfinished migration is now in the list of jobs.
			void journalClosing.then(() =>
				get().work.run('loading jobs', 'background', signal => get().jobs.load(signal)),
			);
			return journalClosing;
		},
		/**
		 * Waits for a PUT or deletion under way, then for the journal to close: at most `maxQuitDelayMs` for
		 * each.
		 */
		async end(): Promise<void> {
			const migration = get().migration.data;
			if (!migration) return;
			const {name} = migration.phase;
			// A read before a PUT is not awaited: no PUT is sent after the journal is closed.
			if (name === 'sending' || name === 'deleting')
				await withTimeout(maxQuitDelayMs, pendingWrite ?? Promise.resolve());
			releaseJournal();
			await withTimeout(maxQuitDelayMs, journalClosing);
		},
	};
}

function buildMigrationZone({id, name = id, plan, label, account, accountId}: ZoneWithLabel): MigrationZone {
	return {id, name, plan, label: label ?? `zone ${name}`, account, accountId};
}
