import {asFailure, type Failure, interrupted, isFailure} from '../../failure.ts';
import {createFlow} from '../../migration/flow/flow.ts';
import type {MigrationTarget} from '../../migration/journal/folder.ts';
import {openMigrationJournal, readMigrationRecord} from '../../migration/journal/journal.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import type {MigrationZone} from '../../migration/zone/snapshot.ts';
import {worldPlaceOf} from '../../session/place.ts';
import {wayThere} from '../../session/qualify-commands.ts';
import type {Slice} from '../../store/slice.ts';
import type {OpenedZone} from '../firewall/slice.ts';
import {atMost} from '../shell/at-most.ts';
import {createMigrationContext, type MigrationContext, type OpenMigration} from './context.ts';
import {migrationFormId} from './form.ts';
import {isMigrationLost, migrationLastWords, migrationLeftSentence} from './leaving.ts';
import {nothingTyped, unseen} from './moving.ts';
import {isOpen, type MigrationState} from './state.ts';
import type {MigrationThrottle} from './throttle.ts';

/** Taking up the migration of a zone, and leaving it. */
export type MigrationOpening = {
	readonly migration: MigrationState | undefined;
	readonly migrationThrottle: MigrationThrottle | undefined;
	/** Takes up the migration of a zone; one that another process works on can be looked at. */
	openMigration(zone: OpenedZone): Promise<void>;
	/** Tries once more to take the journal of the migration in front, which could not be taken. */
	takeUpMigration(): Promise<void>;
	/** Leaves the screen. A PUT under way goes on, and can be resumed; edits that were not reviewed stay as a draft. */
	leaveMigration(): void;
	/** The same, without a draft. */
	discardMigration(): void;
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

/** The journal of the migration in front, taken and given back; and the context that the other parts work at. */
export function createMigrationOpening(...[set, get, ports]: Parameters<Slice<unknown>>): {
	readonly context: MigrationContext;
	readonly opening: MigrationOpening;
} {
	const {session} = ports;
	let numbered = 0;
	let open: OpenMigration | undefined;
	const context = createMigrationContext(set, get, ports, () => open);
	const {change} = context;

	/** Shows a zone whose journal cannot be taken: another process has it, it is damaged, or it cannot be got at. */
	function held(id: number, zone: MigrationZone, why: Failure, record: MigrationRecord | undefined): void {
		change(id, {
			zone,
			access: {name: 'held', why},
			record: record ?? {state: 'unread'},
			phase: {name: 'asking'},
		});
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
		let target: MigrationTarget | undefined;
		try {
			const client = await session.client();
			const place = worldPlaceOf(session, client);
			target = {place, zone};
			const journal = await openMigrationJournal(session.env, target);
			if (get().migration?.id !== id || signal.aborted) {
				await journal.close();
				throw interrupted();
			}
			const readOnly = readOnlyRefusal();
			const flow = createFlow({client, zone, journal, readOnly: readOnly !== undefined});
			open = {id, flow, client, place, stopped: new AbortController()};
			const {record} = flow;
			const isResumed = record.state !== 'unread';
			change(id, {
				record,
				access: readOnly ? {name: 'read only', why: readOnly, isResumed} : {name: 'open', isResumed},
				phase: {name: 'asking'},
				backup: record.backup,
			});
		} catch (error) {
			// Without its journal nothing can be done with the zone, whatever the reason: that stays on the screen.
			const why = asFailure(error);
			const isElsewhere = isFailure(why, 'job_running');
			held(id, zone, why, isElsewhere && target ? readMigrationRecord(session.env, target) : undefined);
			throw why;
		}
	}

	const opening: MigrationOpening = {
		migration: undefined,
		migrationThrottle: undefined,
		async openMigration(zone) {
			const {migration} = get();
			if (migration?.zone.id === zone.id && (open?.id === migration.id || migration.phase.name !== 'asking'))
				return;
			if (migration && migration.phase.name !== 'asking')
				return get().warn(`The migration of ${migration.zone.name} is under way: it comes to its end first.`);
			if (migration) get().releaseDraft(migrationFormId(migration));
			close();
			const id = ++numbered;
			set({
				migration: {
					id,
					zone: migrationZone(zone),
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
			await get().run(`opening the migration of ${zone.name ?? zone.id}`, 'read', signal =>
				take(id, migrationZone(zone), signal),
			);
		},
		async takeUpMigration() {
			const {migration} = get();
			if (!migration || open) return;
			change(migration.id, {access: {name: 'opening'}, phase: {name: 'reading', what: 'the journal'}});
			await get().run('opening the migration', 'read', signal => take(migration.id, migration.zone, signal));
		},
		leaveMigration() {
			const {migration, back} = get();
			get().cancelReads();
			back();
			// A write goes on behind other screens (decision 41), and gives the journal back at its end.
			if (!migration || context.writing()) return;
			const said = isOpen(migration) ? migrationLeftSentence(migration) : undefined;
			get().closeMigration();
			if (said !== undefined) get().say(said);
		},
		discardMigration() {
			const {migration} = get();
			if (migration) change(migration.id, {edits: [], unfinished: undefined, left: undefined});
			get().leaveMigration();
		},
		closeMigration() {
			const {migration} = get();
			if (migration) get().releaseDraft(migrationFormId(migration));
			close();
			set({migration: undefined, migrationThrottle: undefined});
			// What was left unfinished belongs on the list of jobs now.
			void closing.then(() => get().run('reading the jobs', 'background', signal => get().loadJobs(signal)));
		},
		isMigrationTouched: () => isMigrationLost(get().migration),
		async endMigration() {
			const {migration} = get();
			if (!migration) return;
			const {phase} = migration;
			// What is still read before a PUT ends without it: no PUT goes out once the journal is closed.
			if (phase.name === 'sending' || phase.name === 'deleting')
				await atMost(longestEnd, context.writing() ?? Promise.resolve());
			close();
			await atMost(longestEnd, closing);
		},
		migrationLastWords: () => migrationLastWords(get().migration),
	};
	return {context, opening};
}

function migrationZone({id, name = id, plan, label, account, accountId}: OpenedZone): MigrationZone {
	return {id, name, plan, label: label ?? `zone ${name}`, account, accountId};
}
