import {asFailure, type Failure, isFailure} from '../failure.ts';
import {createFlow} from '../migration/flow.ts';
import {openMigrationJournal, readMigrationRecord} from '../migration/journal.ts';
import type {MigrationRecord} from '../migration/record.ts';
import type {MigrationZone} from '../migration/snapshot.ts';
import type {OpenedZone} from './firewall-slice.ts';
import type {MigrationCurtain} from './migration-curtain.ts';
import {createMigrationDesk, type MigrationDesk, type OpenMigration} from './migration-desk.ts';
import {isMigrationLost, migrationLastWords, migrationLeftSentence} from './migration-leaving.ts';
import {nothingTyped, unseen} from './migration-moving.ts';
import {migrationWrites} from './migration-sending.ts';
import {type MigrationState, stepOf} from './migration-state.ts';
import type {Slice} from './slice.ts';
import type {Work} from './work-slice.ts';

/** Taking up the migration of a zone, and leaving it. */
export type MigrationOpening = {
	readonly migration: MigrationState | undefined;
	readonly migrationCurtain: MigrationCurtain | undefined;
	/** Takes up the migration of a zone; one that another process works on can be looked at. */
	openMigration(zone: OpenedZone): Promise<void>;
	/** Tries once more to take the journal of the migration in front, which another process had. */
	takeUpMigration(): Promise<void>;
	/** Leaves the screen. A PUT under way goes on, and can be resumed. */
	leaveMigration(): void;
	/** Gives the journal back, and forgets what is on the screen. */
	closeMigration(): void;
	/** Whether leaving loses edits. */
	isMigrationTouched(): boolean;
	/** Waits for the answer of a PUT under way, not for ever, and gives the journal back. */
	endMigration(): Promise<void>;
	/** What has to be said once ledge is gone: where the migration stands, and the way on. */
	migrationLastWords(): string | undefined;
};

/** Milliseconds that the answer of a PUT may keep someone who wants to leave ledge; he can go at once, too. */
const longestEnd = 6000;

/** The journal of the migration in front, taken and given back; and the desk that the other parts work at. */
export function createMigrationOpening(...[set, get, ports]: Parameters<Slice<unknown>>): {
	readonly desk: MigrationDesk;
	readonly opening: MigrationOpening;
} {
	const {session} = ports;
	let numbered = 0;
	let open: OpenMigration | undefined;
	const desk = createMigrationDesk(set, get, ports, () => open);
	const {change} = desk;

	/** Shows a zone whose journal cannot be taken: another process has it, or it is damaged. */
	function held(id: number, zone: MigrationZone, why: Failure, record: MigrationRecord | undefined): void {
		change(id, {
			zone,
			held: why,
			record: record ?? {state: 'unread'},
			reached: record ? stepOf(record) : 'zone',
			phase: {name: 'asking'},
		});
		get().fail(why);
	}

	function readOnlyRefusal(): Failure | undefined {
		try {
			session.refuseWhenReadOnly('the migration');
			return undefined;
		} catch (error) {
			return asFailure(error);
		}
	}

	/** The lock is given back; whoever is next has to wait for that. */
	let closing: Promise<unknown> = Promise.resolve();
	function close(): void {
		const {flow, stopped} = open ?? {};
		open = undefined;
		stopped?.abort();
		closing = get()
			.migrationEditsKept()
			.then(() => flow?.journal.close())
			.catch((error: unknown) => get().fail(asFailure(error)));
	}

	async function take(id: number, zone: MigrationZone, signal: AbortSignal): Promise<void> {
		await closing;
		const client = await session.client();
		const place = session.simulated ? 'simulated' : new URL(client.baseUrl).origin;
		const target = {place, zone};
		try {
			const journal = await openMigrationJournal(session.env, target);
			if (get().migration?.id !== id || signal.aborted) return await journal.close();
			const readOnly = readOnlyRefusal();
			const flow = createFlow({client, zone, journal, readOnly: readOnly !== undefined});
			open = {id, flow, client, place, stopped: new AbortController()};
			const {record} = flow;
			const isResumed = record.state !== 'unread';
			change(id, {
				record,
				isResumed,
				held: undefined,
				readOnly,
				phase: {name: 'asking'},
				backup: record.backup,
				reached: isResumed ? stepOf(record) : 'zone',
			});
		} catch (error) {
			if (!isFailure(error, 'job_running', 'journal_invalid')) throw error;
			const record = error.code === 'job_running' ? readMigrationRecord(session.env, target) : undefined;
			held(id, zone, error, record);
		}
	}

	const opening: MigrationOpening = {
		migration: undefined,
		migrationCurtain: undefined,
		async openMigration(zone) {
			const {migration} = get();
			if (migration?.zone.id === zone.id && (open?.id === migration.id || migration.phase.name !== 'asking'))
				return;
			if (migration && migration.phase.name !== 'asking')
				return get().warn(`The migration of ${migration.zone.name} is under way: it comes to its end first.`);
			close();
			const id = ++numbered;
			set({
				migration: {
					id,
					zone: migrationZone(zone),
					step: 'zone',
					reached: 'zone',
					phase: {name: 'reading', what: 'the journal'},
					record: {state: 'unread'},
					isResumed: false,
					edits: [],
					findings: [],
					home: session.env.HOME,
					view: 'comparison',
					cursor: 0,
					top: 0,
					seen: unseen,
					goal: 'pending',
					...nothingTyped(),
				},
			});
			const isDone = await get().run(`opening the migration of ${zone.name ?? zone.id}`, 'read', signal =>
				take(id, migrationZone(zone), signal),
			);
			if (!isDone) change(id, {phase: {name: 'asking'}});
		},
		async takeUpMigration() {
			const {migration} = get();
			if (!migration || open) return;
			change(migration.id, {phase: {name: 'reading', what: 'the journal'}});
			await get().run('opening the migration', 'read', signal => take(migration.id, migration.zone, signal));
			change(migration.id, {phase: {name: 'asking'}});
		},
		leaveMigration() {
			const {migration, back} = get();
			get().cancelReads();
			back();
			// A write goes on behind other screens (decision 41), and gives the journal back at its end.
			if (!migration || get().work.some(isOfMigration)) return;
			const said = migration.held ? undefined : migrationLeftSentence(migration);
			get().closeMigration();
			if (said !== undefined) get().say(said);
		},
		closeMigration() {
			close();
			set({migration: undefined, migrationCurtain: undefined});
		},
		isMigrationTouched: () => isMigrationLost(get().migration),
		async endMigration() {
			const {migration} = get();
			if (!migration) return;
			const isWriting = () => {
				const {name} = get().migration?.phase ?? {name: 'asking'};
				return name === 'sending' || name === 'deleting';
			};
			for (let left = longestEnd; isWriting() && left > 0; left -= endPace) await pause(endPace);
			close();
			await Promise.race([closing, pause(longestEnd)]);
		},
		migrationLastWords: () => migrationLastWords(get().migration),
	};
	return {desk, opening};
}

/** Whether work is a write of the migration: of its phases only these write. */
const isOfMigration = ({kind, label}: Work): boolean =>
	kind === 'write' && migrationWrites.some(one => label.startsWith(one));

/** Milliseconds between two looks whether a PUT has its answer. */
const endPace = 50;
const pause = (milliseconds: number): Promise<void> =>
	new Promise(resolve => void setTimeout(resolve, milliseconds).unref());

function migrationZone({id, name = id, plan, label, account, accountId}: OpenedZone): MigrationZone {
	return {id, name, plan, label: label ?? `zone ${name}`, account, accountId};
}
