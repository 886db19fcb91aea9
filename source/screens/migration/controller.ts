import {createInterruptedFailure, type Failure, isFailure, toFailure} from '../../failure.ts';
import {createFlow, type MigrationFlow} from '../../migration/flow/flow.ts';
import type {FlowWork} from '../../migration/flow/parts.ts';
import type {MigrationTarget} from '../../migration/journal/folder.ts';
import {openMigrationJournal, readMigrationRecord} from '../../migration/journal/journal.ts';
import {isUnread} from '../../migration/machine/states.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {Client} from '../../service/client.ts';
import {getWorldPlace} from '../../session/place.ts';
import {formatSessionOptions, qualifyCommands} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {withTimeout} from '../shell/at-most.ts';
import {createUpdateThrottle} from '../shell/paced.ts';
import type {Work} from '../shell/work-slice.ts';
import {createReviewTimer} from '../write-flow/review-timer.ts';
import {getMigrationFormId} from './form.ts';
import {createWatchProgress, toMigrationPhase} from './progress.ts';
import {
	createEmptyInput,
	findLockFailure,
	type MigrationPhase,
	type MigrationState,
	type MigrationStep,
	moveToStep,
	unseen,
} from './state.ts';
import {createThrottle} from './throttle.ts';

/** An open migration and its flow; it holds the lock of its journal. */
type OpenMigration = {
	/** The `id` of its `MigrationState`. */
	readonly id: number;
	readonly flow: MigrationFlow;
	readonly client: Client;
	readonly place: string;
	/** Aborts reading and watching when the screen closes. */
	readonly stopped: AbortController;
};

type Operation = {
	readonly label: string;
	/** A read ends when the screen closes; a write continues. */
	readonly kind: Work['kind'];
	readonly phase: MigrationPhase;
	/** The step to show during the operation. */
	readonly step?: MigrationStep;
	readonly watched?: MigrationState['watched'];
};

/** `tell` reports progress; it may be called often. */
type ActionWork = FlowWork & {tell(phase: MigrationPhase): void};

type OperationAction = (open: OpenMigration, work: ActionWork) => Promise<Partial<MigrationState>>;

/** Label after the answer to a PUT was lost. */
export const lostAnswerLabel = 'answer lost: reading the current state';

/** Interval between redraws of progress, in milliseconds. */
const progressIntervalMs = 2000;
/** Maximum time that a PUT may delay quitting, in milliseconds; the user can also quit at once. */
const maxQuitDelayMs = 6000;
/** A change of these restarts the time that the user must have for reading. */
const reviewFields = ['step', 'asks', 'failure', 'seen', 'drift'] as const;

export type MigrationController = ReturnType<typeof createMigrationController>;

/** Owns the open migration: its journal, its flow, and its operations. */
export function createMigrationController(...[set, get, ports]: Parameters<Slice<unknown>>) {
	const {session} = ports;
	let lastId = 0;
	let open: OpenMigration | undefined;
	const timer = createReviewTimer(get, ports);
	let writing: Promise<void> | undefined;
	/** Edits are written to the journal one at a time. */
	let pendingEdits: Promise<void> = Promise.resolve();
	/** Resolves when the last journal is unlocked. */
	let closing: Promise<unknown> = Promise.resolve();
	const throttle = createThrottle(set, get, ports.elapsed, timer.restart);

	/** Updates a migration if it is still the current one. */
	function change(id: number, part: Partial<MigrationState>): void {
		const migration = get().migration.data;
		if (migration?.id !== id) return;
		if (reviewFields.some(one => one in part && part[one] !== migration[one])) timer.restart();
		throttle.show({...migration, ...part});
	}

	/** Goes to a step of the current migration. */
	function go(step: MigrationStep, part: Partial<MigrationState> = {}): void {
		const migration = get().migration.data;
		if (migration) change(migration.id, {...moveToStep(step), ...part});
	}

	/** Converts an error to a failure whose commands act on the zone. */
	const qualifyFailure = (zoneId: string, error: unknown): Failure =>
		qualifyCommands(toFailure(error), {...session.options, zone: undefined, zoneId});

	/**
	 * Runs an operation and shows its progress; a failure stays on the screen. Resolves to true if it
	 * completed. Never rejects.
	 */
	async function runOperation(
		{label, kind, phase, step, watched}: Operation,
		action: OperationAction,
	): Promise<boolean> {
		const migration = get().migration.data;
		const why = migration && findLockFailure(migration);
		if (!open && why) get().messages.fail(why);
		if (!open || migration?.id !== open.id || migration.phase.name !== 'asking') return false;
		const current = open;
		const {id, flow, stopped} = current;
		const answer = Promise.withResolvers<void>();
		if (kind === 'write') writing = answer.promise;
		change(id, {phase, failure: undefined, ...(step && moveToStep(step)), ...(watched && {watched})});
		const progress = createUpdateThrottle(progressIntervalMs, ports.elapsed, (now: MigrationPhase) =>
			change(id, {phase: now}),
		);
		const watch = createWatchProgress(ports, part => change(id, part));
		let part: Partial<MigrationState> = {};
		let failure: Failure | undefined;
		// Repeated readings are not drawn each time.
		let isWatched = phase.name === 'watching';
		let relabel: ((label: string) => void) | undefined;
		const onStep: FlowWork['onStep'] = now => {
			if (now.does === 'watching') return watch.observe(now.observed, flow);
			if (now.does === 'trying') return watch.reportFailure(now);
			const isReading = now.does === 'reading' || now.does === 'backing up';
			if (isReading) return isWatched ? undefined : progress.update(toMigrationPhase(now));
			isWatched = true;
			if (now.does === 'looking') {
				answer.resolve();
				relabel?.(lostAnswerLabel);
			}
			progress.stop();
			change(id, {phase: toMigrationPhase(now), record: flow.record});
		};
		const isDone = await get().work.run(label, kind, async (stop, relabelWork) => {
			relabel = relabelWork;
			const signal = kind === 'write' ? stop : AbortSignal.any([stop, stopped.signal]);
			try {
				part = await action(current, {signal, tell: progress.update, onStep});
			} catch (error) {
				failure = qualifyFailure(migration.zone.id, error);
				throw error;
			}
		});
		progress.stop();
		answer.resolve();
		if (kind === 'write') writing = undefined;
		change(id, {
			phase: {name: 'asking'},
			record: flow.record,
			journalFailure: flow.journalFailure,
			backup: flow.record.backup,
			...part,
			...(failure && !isFailure(failure, 'interrupted') && {failure}),
		});
		return isDone;
	}

	function readOnlyRefusal(): Failure | undefined {
		try {
			session.refuseWhenReadOnly('the migration');
			return undefined;
		} catch (error) {
			return toFailure(error);
		}
	}

	/** Opens the journal. On failure nothing can be done with the zone, and the screen shows why. */
	async function acquire(id: number, zone: MigrationZone, signal: AbortSignal): Promise<void> {
		await closing;
		let target: MigrationTarget | undefined;
		try {
			const client = await session.client();
			const place = getWorldPlace(session, client);
			target = {place, zone};
			const journal = await openMigrationJournal(session.env, target);
			if (get().migration.data?.id !== id || signal.aborted) {
				await journal.close();
				throw createInterruptedFailure();
			}
			const readOnly = readOnlyRefusal();
			const flow = createFlow({client, zone, journal, readOnly: readOnly !== undefined});
			open = {id, flow, client, place, stopped: new AbortController()};
			const {record} = flow;
			const isResumed = !isUnread(record.state);
			change(id, {
				record,
				access: readOnly ? {name: 'read only', why: readOnly, isResumed} : {name: 'open', isResumed},
				phase: {name: 'asking'},
				backup: record.backup,
			});
		} catch (error) {
			const why = toFailure(error);
			const isElsewhere = isFailure(why, 'job_running');
			const record = isElsewhere && target ? readMigrationRecord(session.env, target) : undefined;
			change(id, {
				zone,
				access: {name: 'held', why},
				record: record ?? {state: 'unread'},
				phase: {name: 'asking'},
			});
			throw why;
		}
	}

	/** Closes the journal; the next opening waits for that. */
	function release(): void {
		const {flow, stopped} = open ?? {};
		open = undefined;
		stopped?.abort();
		closing = pendingEdits
			.then(() => flow?.journal.close())
			.catch((error: unknown) => get().messages.fail(toFailure(error)));
	}

	return {
		set,
		get,
		ports,
		change,
		go,
		doing: runOperation,
		failureIn: qualifyFailure,
		getOpen: (): OpenMigration | undefined => open,
		/** Resolves when the journal has every edit. */
		waitForEdits: (): Promise<void> => pendingEdits,
		/** True while a write to the zone has no answer. */
		isWriting: (): boolean => writing !== undefined,
		wasVisibleLongEnough: timer.wasVisibleLongEnough,
		/** Drops the review from the journal after the configuration was changed. */
		dropReview(): void {
			if (!open || get().migration.data?.record.reviewed === undefined) return;
			const {id, flow} = open;
			pendingEdits = pendingEdits
				.then(() => flow.discardReview())
				.then(
					() => change(id, {record: flow.record}),
					(error: unknown) => get().messages.fail(toFailure(error)),
				);
		},
		/** Opens the migration of a zone; if another process holds its journal, for viewing only. */
		async open(target: OpenedZone): Promise<void> {
			const migration = get().migration.data;
			const isBusy = migration !== undefined && migration.phase.name !== 'asking';
			if (migration?.zone.id === target.id && (open?.id === migration.id || isBusy)) return;
			if (migration && isBusy)
				return get().messages.warn(
					`The migration of ${migration.zone.name} is under way: it comes to its end first.`,
				);
			if (migration) get().drafts.release(getMigrationFormId(migration));
			release();
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
					way: formatSessionOptions(session.options),
					view: 'comparison',
					cursor: 0,
					top: 0,
					seen: unseen,
					goal: 'pending',
					...createEmptyInput(),
				},
			});
			const label = `opening the migration of ${target.name ?? target.id}`;
			await get().work.run(label, 'read', signal => acquire(id, zone, signal));
		},
		/** Tries again to open the journal of the current migration. */
		async reopen(): Promise<void> {
			const migration = get().migration.data;
			if (!migration || open) return;
			change(migration.id, {access: {name: 'opening'}, phase: {name: 'reading', what: 'the journal'}});
			await get().work.run('opening the migration', 'read', signal =>
				acquire(migration.id, migration.zone, signal),
			);
		},
		/** Closes the journal and clears the screen. Resolves when the journal is closed. */
		close(): Promise<unknown> {
			const migration = get().migration.data;
			if (migration) get().drafts.release(getMigrationFormId(migration));
			release();
			set({data: undefined, throttle: undefined});
			// An unfinished migration is now a job.
			void closing.then(() =>
				get().work.run('reading the jobs', 'background', signal => get().jobs.load(signal)),
			);
			return closing;
		},
		/** Waits up to six seconds for a PUT under way, then closes the journal. */
		async end(): Promise<void> {
			const migration = get().migration.data;
			if (!migration) return;
			const {name} = migration.phase;
			// Reads before a PUT are not awaited: no PUT is sent after the journal is closed.
			if (name === 'sending' || name === 'deleting')
				await withTimeout(maxQuitDelayMs, writing ?? Promise.resolve());
			release();
			await withTimeout(maxQuitDelayMs, closing);
		},
	};
}

function buildMigrationZone({id, name = id, plan, label, account, accountId}: OpenedZone): MigrationZone {
	return {id, name, plan, label: label ?? `zone ${name}`, account, accountId};
}
