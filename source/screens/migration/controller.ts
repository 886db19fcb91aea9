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

/** A migration that is open, and what drives it. Nobody else writes its journal meanwhile. */
type OpenMigration = {
	/** That of the state. */
	readonly id: number;
	readonly flow: MigrationFlow;
	readonly client: Client;
	readonly place: string;
	/** Aborts what reads and watches when the screen is left. */
	readonly stopped: AbortController;
};

type Doing = {
	readonly label: string;
	/** What only reads ends when the screen is left; a write continues. */
	readonly kind: Work['kind'];
	readonly phase: MigrationPhase;
	/** The step that is shown meanwhile. */
	readonly step?: MigrationStep;
	readonly watched?: MigrationState['watched'];
};

/** `tell` reports progress, as often as the action likes. */
type ActionWork = FlowWork & {tell(phase: MigrationPhase): void};

type Action = (open: OpenMigration, work: ActionWork) => Promise<Partial<MigrationState>>;

/** What is under way once the answer to a PUT was lost, whatever the PUT was to do. */
export const lostAnswer = 'answer lost: reading the current state';

/** Milliseconds between two drawings of what is read. */
const progressClock = 2000;
/** Milliseconds that the answer of a PUT may delay quitting ledge; the person can also quit at once. */
const longestEnd = 6000;
/** What has to be looked at before enter counts, once it changes. */
const asks = ['step', 'asks', 'failure', 'seen', 'drift'] as const;

export type MigrationController = ReturnType<typeof createMigrationController>;

/** Owns the open migration: its journal, its flow, and the one way of doing what takes time. */
export function createMigrationController(...[set, get, ports]: Parameters<Slice<unknown>>) {
	const {session} = ports;
	let numbered = 0;
	let open: OpenMigration | undefined;
	const timer = createReviewTimer(get, ports);
	let writing: Promise<void> | undefined;
	/** The journal takes edits one after the other. */
	let edits: Promise<void> = Promise.resolve();
	/** Ends when the journal that was closed last is unlocked. */
	let closing: Promise<unknown> = Promise.resolve();
	const throttle = createThrottle(set, get, ports.elapsed, timer.restart);

	/** Changes the migration in front, if it is still that one. */
	function change(id: number, part: Partial<MigrationState>): void {
		const migration = get().migration.data;
		if (migration?.id !== id) return;
		if (asks.some(one => one in part && part[one] !== migration[one])) timer.restart();
		throttle.show({...migration, ...part});
	}

	/** Goes to a step of the migration in front. */
	function go(step: MigrationStep, part: Partial<MigrationState> = {}): void {
		const migration = get().migration.data;
		if (migration) change(migration.id, {...toStep(step), ...part});
	}

	/** What went wrong with a zone; the commands of its advice act there. */
	const failureIn = (zoneId: string, error: unknown): Failure =>
		qualifyCommands(asFailure(error), {...session.options, zone: undefined, zoneId});

	/**
	 * Does something that takes time and shows it; a failure stays on the screen. Returns whether it was completed, and
	 * never fails.
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
		// What is looked at again and again would be drawn each time.
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

	/** Opens the journal. Without it nothing can be done with the zone: why stays on the screen. */
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

	/** Closes the journal; whoever opens one next waits for that. */
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
		/** Ends when the journal has every edit. */
		edits: (): Promise<void> => edits,
		/** Whether something is written to the zone that has no answer yet. */
		isWriting: (): boolean => writing !== undefined,
		wasVisibleLongEnough: timer.wasVisibleLongEnough,
		/** Drops the review in the journal, as the configuration was changed after it. */
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
		/** Opens the migration of a zone; a migration that another process works on can be looked at. */
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
		/** Tries again to open the journal of the migration in front. */
		async reopen(): Promise<void> {
			const migration = get().migration.data;
			if (!migration || open) return;
			change(migration.id, {access: {name: 'opening'}, phase: {name: 'reading', what: 'the journal'}});
			await get().work.run('opening the migration', 'read', signal =>
				acquire(migration.id, migration.zone, signal),
			);
		},
		/** Closes the journal, and forgets what is on the screen. Ends when the journal is closed. */
		close(): Promise<unknown> {
			const migration = get().migration.data;
			if (migration) get().drafts.release(migrationFormId(migration));
			release();
			set({data: undefined, throttle: undefined});
			// An unfinished migration is on the list of jobs now.
			void closing.then(() =>
				get().work.run('reading the jobs', 'background', signal => get().jobs.load(signal)),
			);
			return closing;
		},
		/** Waits for the answer of a PUT under way, for some seconds, and closes the journal. */
		async end(): Promise<void> {
			const migration = get().migration.data;
			if (!migration) return;
			const {name} = migration.phase;
			// What is still read before a PUT ends without it: no PUT goes out once the journal is closed.
			if (name === 'sending' || name === 'deleting') await atMost(longestEnd, writing ?? Promise.resolve());
			release();
			await atMost(longestEnd, closing);
		},
	};
}

function migrationZone({id, name = id, plan, label, account, accountId}: OpenedZone): MigrationZone {
	return {id, name, plan, label: label ?? `zone ${name}`, account, accountId};
}
