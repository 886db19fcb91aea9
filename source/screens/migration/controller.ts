import {asFailure, type Failure, interrupted, isFailure} from '../../failure.ts';
import {createFlow, type MigrationFlow} from '../../migration/flow/flow.ts';
import type {FlowWork} from '../../migration/flow/parts.ts';
import type {MigrationTarget} from '../../migration/journal/folder.ts';
import {openMigrationJournal, readMigrationRecord} from '../../migration/journal/journal.ts';
import {isUnread} from '../../migration/machine/states.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import type {Client} from '../../service/client.ts';
import {worldPlaceOf} from '../../session/place.ts';
import {qualifyCommands, wayThere} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {atMost} from '../shell/at-most.ts';
import {paced} from '../shell/paced.ts';
import type {Work} from '../shell/work-slice.ts';
import {createReviewTimer} from '../write-flow/review-timer.ts';
import {migrationFormId} from './form.ts';
import {phaseOf, watchProgress} from './progress.ts';
import {
	type MigrationPhase,
	type MigrationState,
	type MigrationStep,
	nothingTyped,
	toStep,
	unseen,
	whyHeld,
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

type Doing = {
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

type Action = (open: OpenMigration, work: ActionWork) => Promise<Partial<MigrationState>>;

/** Label after the answer to a PUT was lost. */
export const lostAnswer = 'answer lost: reading the current state';

/** Interval between redraws of progress, in milliseconds. */
const progressClock = 2000;
/** Maximum time that a PUT may delay quitting, in milliseconds; the user can also quit at once. */
const longestEnd = 6000;
/** A change of these restarts the time that the user must have for reading. */
const asks = ['step', 'asks', 'failure', 'seen', 'drift'] as const;

export type MigrationController = ReturnType<typeof createMigrationController>;

/** Owns the open migration: its journal, its flow, and its operations. */
export function createMigrationController(...[set, get, ports]: Parameters<Slice<unknown>>) {
	const {session} = ports;
	let numbered = 0;
	let open: OpenMigration | undefined;
	const timer = createReviewTimer(get, ports);
	let writing: Promise<void> | undefined;
	/** Edits are written to the journal one at a time. */
	let edits: Promise<void> = Promise.resolve();
	/** Resolves when the last journal is unlocked. */
	let closing: Promise<unknown> = Promise.resolve();
	const throttle = createThrottle(set, get, ports.elapsed, timer.restart);

	/** Updates a migration if it is still the current one. */
	function change(id: number, part: Partial<MigrationState>): void {
		const migration = get().migration.data;
		if (migration?.id !== id) return;
		if (asks.some(one => one in part && part[one] !== migration[one])) timer.restart();
		throttle.show({...migration, ...part});
	}

	/** Goes to a step of the current migration. */
	function go(step: MigrationStep, part: Partial<MigrationState> = {}): void {
		const migration = get().migration.data;
		if (migration) change(migration.id, {...toStep(step), ...part});
	}

	/** Converts an error to a failure whose commands act on the zone. */
	const failureIn = (zoneId: string, error: unknown): Failure =>
		qualifyCommands(asFailure(error), {...session.options, zone: undefined, zoneId});

	/**
	 * Runs an operation and shows its progress; a failure stays on the screen. Resolves to true if it
	 * completed. Never rejects.
	 */
	async function doing({label, kind, phase, step, watched}: Doing, action: Action): Promise<boolean> {
		const migration = get().migration.data;
		const why = migration && whyHeld(migration);
		if (!open && why) get().messages.fail(why);
		if (!open || migration?.id !== open.id || migration.phase.name !== 'asking') return false;
		const here = open;
		const {id, flow, stopped} = here;
		const answer = Promise.withResolvers<void>();
		if (kind === 'write') writing = answer.promise;
		change(id, {phase, failure: undefined, ...(step && toStep(step)), ...(watched && {watched})});
		const progress = paced(progressClock, ports.elapsed, (now: MigrationPhase) => change(id, {phase: now}));
		const watch = watchProgress(ports, part => change(id, part));
		let part: Partial<MigrationState> = {};
		let failure: Failure | undefined;
		// Repeated readings are not drawn each time.
		let isWatched = phase.name === 'watching';
		let relabel: ((label: string) => void) | undefined;
		const onStep: FlowWork['onStep'] = now => {
			if (now.does === 'watching') return watch.observe(now.observed, flow);
			if (now.does === 'trying') return watch.miss(now);
			const isReading = now.does === 'reading' || now.does === 'backing up';
			if (isReading) return isWatched ? undefined : progress.tell(phaseOf(now));
			isWatched = true;
			if (now.does === 'looking') {
				answer.resolve();
				relabel?.(lostAnswer);
			}
			progress.stop();
			change(id, {phase: phaseOf(now), record: flow.record});
		};
		const isDone = await get().work.run(label, kind, async (stop, relabelWork) => {
			relabel = relabelWork;
			const signal = kind === 'write' ? stop : AbortSignal.any([stop, stopped.signal]);
			try {
				part = await action(here, {signal, tell: progress.tell, onStep});
			} catch (error) {
				failure = failureIn(migration.zone.id, error);
				throw error;
			}
		});
		progress.stop();
		answer.resolve();
		if (kind === 'write') writing = undefined;
		change(id, {
			phase: {name: 'asking'},
			record: flow.record,
			unkept: flow.unkept,
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
			return asFailure(error);
		}
	}

	/** Opens the journal. On failure nothing can be done with the zone, and the screen shows why. */
	async function acquire(id: number, zone: MigrationZone, signal: AbortSignal): Promise<void> {
		await closing;
		let target: MigrationTarget | undefined;
		try {
			const client = await session.client();
			const place = worldPlaceOf(session, client);
			target = {place, zone};
			const journal = await openMigrationJournal(session.env, target);
			if (get().migration.data?.id !== id || signal.aborted) {
				await journal.close();
				throw interrupted();
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
			const why = asFailure(error);
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
		closing = edits
			.then(() => flow?.journal.close())
			.catch((error: unknown) => get().messages.fail(asFailure(error)));
	}

	return {
		set,
		get,
		ports,
		change,
		go,
		doing,
		failureIn,
		opened: (): OpenMigration | undefined => open,
		/** Resolves when the journal has every edit. */
		edits: (): Promise<void> => edits,
		/** True while a write to the zone has no answer. */
		isWriting: (): boolean => writing !== undefined,
		wasVisibleLongEnough: timer.wasVisibleLongEnough,
		/** Drops the review from the journal after the configuration was changed. */
		dropReview(): void {
			if (!open || get().migration.data?.record.reviewed === undefined) return;
			const {id, flow} = open;
			edits = edits
				.then(() => flow.edit())
				.then(
					() => change(id, {record: flow.record}),
					(error: unknown) => get().messages.fail(asFailure(error)),
				);
		},
		/** Opens the migration of a zone; if another process holds its journal, for viewing only. */
		async open(opened: OpenedZone): Promise<void> {
			const migration = get().migration.data;
			const isBusy = migration !== undefined && migration.phase.name !== 'asking';
			if (migration?.zone.id === opened.id && (open?.id === migration.id || isBusy)) return;
			if (migration && isBusy)
				return get().messages.warn(
					`The migration of ${migration.zone.name} is under way: it comes to its end first.`,
				);
			if (migration) get().drafts.release(migrationFormId(migration));
			release();
			const id = ++numbered;
			const zone = migrationZone(opened);
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
					way: wayThere(session.options),
					view: 'comparison',
					cursor: 0,
					top: 0,
					seen: unseen,
					goal: 'pending',
					...nothingTyped(),
				},
			});
			const label = `opening the migration of ${opened.name ?? opened.id}`;
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
			if (migration) get().drafts.release(migrationFormId(migration));
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
			if (name === 'sending' || name === 'deleting') await atMost(longestEnd, writing ?? Promise.resolve());
			release();
			await atMost(longestEnd, closing);
		},
	};
}

function migrationZone({id, name = id, plan, label, account, accountId}: OpenedZone): MigrationZone {
	return {id, name, plan, label: label ?? `zone ${name}`, account, accountId};
}
