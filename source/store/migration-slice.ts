import {asFailure, type Failure, isFailure} from '../failure.ts';
import type {Key} from '../keyboard/key.ts';
import {createFlow} from '../migration/flow.ts';
import {openMigrationJournal, readMigrationRecord} from '../migration/journal.ts';
import type {MigrationRecord} from '../migration/record.ts';
import type {MigrationZone} from '../migration/snapshot.ts';
import {edit as typedIn} from '../text/text-buffer.ts';
import {editCommandOf} from './edit-keys.ts';
import type {OpenedZone} from './firewall-slice.ts';
import {type MigrationChoice, migrationChoices} from './migration-choices.ts';
import {createMigrationDesk, type OpenMigration} from './migration-desk.ts';
import {
	createMigrationDriving,
	type MigrationDriving,
	migrationWrites,
	nothingTyped,
	toStep,
} from './migration-driving.ts';
import {editRows} from './migration-edit-rows.ts';
import {createMigrationEditing, type MigrationEditing} from './migration-editing.ts';
import {isMigrationLost, migrationLastWords, migrationLeftSentence} from './migration-leaving.ts';
import {
	blockerRows,
	isMigrationTyping,
	type MigrationState,
	type MigrationStep,
	stepOf,
} from './migration-state.ts';
import type {Slice} from './slice.ts';
import type {Work} from './work-slice.ts';

export type MigrationSlice = MigrationDriving &
	MigrationEditing & {
		readonly migration: MigrationState | undefined;
		/** Takes up the migration of a zone; one that another process works on can be looked at. */
		openMigration(zone: OpenedZone): Promise<void>;
		/** This stands on the screen now. */
		chooseInMigration(choice: MigrationChoice): Promise<void>;
		/** The choice under the cursor. */
		enterInMigration(): Promise<void>;
		moveInMigration(by: number): void;
		scrollMigration(by: number, last: number): void;
		changeMigrationView(): void;
		toMigrationStep(step: MigrationStep): void;
		/** One step back; stops what is being read. Gives `false` where only leaving is left. */
		backInMigration(): boolean;
		/** A key of what has to be typed. Gives whether it means anything there. */
		typeInMigration(key: Key): boolean;
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

/** The migration of a zone, step by step (design.md 5 and 6). Drives the flow, and holds no rule of the platform. */
export const createMigrationSlice: Slice<MigrationSlice> = (set, get, ports) => {
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
		const target = {place, account: zone.account, zone};
		try {
			const journal = await openMigrationJournal(session.env, target);
			if (get().migration?.id !== id || signal.aborted) return await journal.close();
			const flow = createFlow({client, zone, journal});
			open = {id, flow, client, place, stopped: new AbortController()};
			const {record} = flow;
			const isResumed = record.state !== 'unread';
			change(id, {
				record,
				isResumed,
				held: undefined,
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

	const lastRow = (migration: MigrationState): number => {
		switch (migration.step) {
			case 'blockers':
				return blockerRows(migration).length - 1;
			case 'edit':
				return migration.configuration ? editRows(migration.configuration).length - 1 : 0;
			default:
				return migrationChoices(migration).length - 1;
		}
	};

	return {
		...createMigrationDriving(desk),
		...createMigrationEditing(desk),
		migration: undefined,
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
					view: 'comparison',
					cursor: 0,
					top: 0,
					goal: 'pending',
					...nothingTyped(),
				},
			});
			const isDone = await get().run(`opening the migration of ${zone.name ?? zone.id}`, 'read', signal =>
				take(id, migrationZone(zone), signal),
			);
			if (!isDone) change(id, {phase: {name: 'asking'}});
		},
		async chooseInMigration({does, why}) {
			const {migration} = get();
			if (migration?.phase.name !== 'asking') return;
			if (why !== undefined) return get().warn(why);
			switch (does) {
				case 'read':
					return get().readMigration();
				case 'look again': {
					if (open)
						return migration.step === 'deploy' || migration.step === 'watch'
							? lookAgain()
							: get().readMigration();
					change(migration.id, {phase: {name: 'reading', what: 'the journal'}});
					await get().run('opening the migration', 'read', signal =>
						take(migration.id, migration.zone, signal),
					);
					return change(migration.id, {phase: {name: 'asking'}});
				}
				case 'go on':
					if (migration.step === 'zone') return get().resumeMigration();
					return get().toMigrationStep(blockerRows(migration).length > 0 ? 'blockers' : 'review');
				case 'take over':
					return get().takeOverMigration();
				case 'direct':
					return get().chooseMigrationPath('pending');
				case 'validation first':
					return get().chooseMigrationPath('validation');
				case 'rehearse':
					return get().rehearseMigration();
				case 'without rehearsal':
					return get().toMigrationStep('confirm');
				case 'review':
					if (!migration.configuration) return get().readMigration();
					return get().toMigrationStep('review');
				case 'watch':
					return get().resumeMigration();
				case 'ready to update':
					return get().readyMigration();
				case 'turn off previous version':
					change(migration.id, {goal: 'pending'});
					return get().toMigrationStep('confirm');
				case 'verify':
					return get().verifyMigration();
				case 'leave':
					return get().leaveMigration();
				default:
					return does satisfies never;
			}
		},
		async enterInMigration() {
			const {migration} = get();
			if (migration?.phase.name !== 'asking') return;
			switch (migration.step) {
				case 'review':
					return get().reviewMigration();
				case 'edit':
					return get().toMigrationStep('review');
				case 'blockers': {
					const {eligibility} = migration;
					if (!eligibility?.eligible)
						return get().warn(
							`It cannot migrate as it is: ${eligibility?.blockers.find(({hinders}) => hinders)?.sentence ?? ''}`,
						);
					return get().toMigrationStep('review');
				}
				default: {
					const choice = migrationChoices(migration)[migration.cursor];
					if (choice) return get().chooseInMigration(choice);
				}
			}
		},
		moveInMigration(by) {
			const {migration} = get();
			if (!migration) return;
			const cursor = Math.max(0, Math.min(lastRow(migration), migration.cursor + by));
			change(migration.id, {cursor});
		},
		scrollMigration(by, last) {
			const {migration} = get();
			if (migration) change(migration.id, {top: Math.max(0, Math.min(last, migration.top + by))});
		},
		changeMigrationView() {
			const {migration} = get();
			if (migration) change(migration.id, {view: migration.view === 'json' ? 'comparison' : 'json', top: 0});
		},
		toMigrationStep(step) {
			const {migration} = get();
			if (migration) change(migration.id, {...toStep(migration, step), failure: undefined});
		},
		backInMigration() {
			const {migration} = get();
			if (!migration) return false;
			switch (migration.phase.name) {
				case 'reading':
				case 'backing up':
				case 'rehearsing':
					return get().cancelReads();
				case 'asking':
					break;
				default:
					return false;
			}
			const before = stepBefore[migration.step];
			if (before === undefined || migration.held) return false;
			const isEmpty = before === 'blockers' && blockerRows(migration).length === 0;
			get().toMigrationStep(isEmpty ? 'eligibility' : before);
			return true;
		},
		typeInMigration(key) {
			const {migration, message} = get();
			const command = editCommandOf(key);
			if (!migration || !isMigrationTyping(migration) || !command) return false;
			if (message) get().clearMessage();
			change(migration.id, {typed: typedIn(migration.typed, command)});
			return true;
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
			set({migration: undefined});
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

	/** Looks at what is there once; what the machine then waits for is watched. */
	async function lookAgain(): Promise<void> {
		const state = open?.flow.record.state;
		const isStanding =
			state === 'validating' || state === 'ready to update' || state === 'validating unreviewed';
		if (!isStanding) return get().resumeMigration();
		await desk.doing(
			{label: 'reading what is there', kind: 'read', phase: {name: 'reading', what: 'what is there'}},
			async ({flow}, work) => {
				await flow.look(work);
				const {record} = flow;
				return record.state === state ? {} : toStep({reached: 'zone'}, stepOf(record));
			},
		);
	}
};

/** Whether work is a write of the migration: of its phases only these write. */
const isOfMigration = ({kind, label}: Work): boolean =>
	kind === 'write' && migrationWrites.some(one => label.startsWith(one));

/** Milliseconds between two looks whether a PUT has its answer. */
const endPace = 50;
const pause = (milliseconds: number): Promise<void> =>
	new Promise(resolve => void setTimeout(resolve, milliseconds).unref());

/** Where esc leads from each step; from the others it leads out. */
const stepBefore: Partial<Record<MigrationStep, MigrationStep>> = {
	eligibility: 'zone',
	blockers: 'eligibility',
	review: 'blockers',
	edit: 'review',
	path: 'review',
	rehearse: 'path',
	confirm: 'rehearse',
};

function migrationZone({id, name = id, plan, label, account}: OpenedZone): MigrationZone {
	return {id, name, plan, label: label ?? `zone ${name}`, account};
}
