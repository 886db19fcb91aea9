import {appendFileSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {Failure, isFailure} from '../../../source/failure.ts';
import {
	buildConfigurationBody,
	computeFingerprint,
	type ManagedConfiguration,
} from '../../../source/migration/configuration/configuration.ts';
import type {PutConfirmation} from '../../../source/migration/flow/context.ts';
import {createFlow, type MigrationFlow} from '../../../source/migration/flow/flow.ts';
import {resumeFlow} from '../../../source/migration/flow/resume.ts';
import type {MigrationTarget} from '../../../source/migration/journal/folder.ts';
import {
	createMemoryJournal,
	type MigrationJournal,
	openMigrationJournal,
} from '../../../source/migration/journal/journal.ts';
import {type MigrationRecord, parseMigrationRecord} from '../../../source/migration/journal/record.ts';
import type {MigrationMode} from '../../../source/migration/machine/stage.ts';
import type {MachineState} from '../../../source/migration/machine/states.ts';
import {edited, type FakeZone, shown, zone} from './fake-zone.ts';

export const target: MigrationTarget = {place: 'https://api.example.test', zone};

/** Where an append to the journal is cut: the process is killed, or the disk is full. */
export type AppendCut = 'killed before' | 'killed after' | 'killed within' | 'disk full';

export const appendCuts: readonly AppendCut[] = [
	'killed before',
	'killed after',
	'killed within',
	'disk full',
];

/** What outlives a process of ledge. */
export type Disk = {
	open(): Promise<MigrationJournal>;
	/** The process is gone: its locks are those of the dead. */
	died(): void;
};

type Session = {
	readonly disk: Disk;
	readonly service: FakeZone;
	/** Direct: `pending`. Through validation and on to the end: `validation`. */
	readonly path: MigrationMode;
	/** Called for each append, before it is made. */
	readonly onAppend?: ((number: number) => AppendCut | undefined) | undefined;
};

/** Real journals, in a state directory of their own. */
export const onDisk = (environment: {readonly LEDGE_STATE_DIR: string}): Disk => ({
	open: () => openMigrationJournal(environment, target),
	died() {
		const root = environment.LEDGE_STATE_DIR;
		for (const name of readdirSync(root, {recursive: true, encoding: 'utf8'}))
			if (name.includes('.lock.')) rmSync(join(root, name));
	},
});

/** The same without a disk, for the many runs in which it is the calls that are cut. */
export function inMemory(): Disk {
	let record: MigrationRecord | undefined;
	const reviewed = new Map<string, ManagedConfiguration>();
	return {
		async open() {
			const journal = createMemoryJournal({...target, place: 'simulated'}, record);
			return {
				...journal,
				get record() {
					return journal.record;
				},
				async saveRecord(next) {
					await journal.saveRecord(next);
					// As a file would hold it.
					record = parseMigrationRecord(JSON.parse(JSON.stringify(next)));
				},
				async saveReviewed(configuration) {
					reviewed.set(computeFingerprint(configuration), configuration);
				},
				async readReviewed(digits) {
					const found = reviewed.get(digits);
					if (!found) throw new TypeError('It was not kept.');
					return found;
				},
			};
		},
		died() {},
	};
}

export type Person = {
	readonly confirmations: () => number;
	readonly appends: () => number;
	/** How many calls there were when something was reviewed last. */
	readonly reviewedAt: () => number;
	/** Uses ledge until the migration is complete, or ledge says that a person has to look; as often as it is killed. */
	finish(): Promise<unknown>;
	readonly state: () => MachineState;
	close(): Promise<void>;
};

/** A person who takes the zone all the way, takes it up again after each failure, and confirms what ledge asks for. */
export function createPerson({disk, service, path, onAppend}: Session): Person {
	let confirmations = 0;
	let appends = 0;
	let reviewedAt = 0;
	let lastState: MachineState = 'unread';
	let flow: MigrationFlow | undefined;
	const left: MigrationJournal[] = [];

	const confirm = (): PutConfirmation => {
		confirmations++;
		return {zone: zone.name};
	};

	async function open(): Promise<MigrationFlow> {
		const journal = await disk.open();
		left.push(journal);
		return createFlow({client: service.client, zone, journal: cutting(journal)});
	}

	/** The journal, with its appends cut. */
	const cutting = (journal: MigrationJournal): MigrationJournal => ({
		...journal,
		get record() {
			return journal.record;
		},
		async saveRecord(record) {
			appends++;
			switch (onAppend?.(appends)) {
				case 'killed before':
					return service.die();
				case 'killed after':
					await journal.saveRecord(record);
					return service.die();
				case 'killed within':
					appendFileSync(join(journal.folder ?? '', 'journal.ndjson'), '{"at":1,"type":"cur');
					return service.die();
				case 'disk full':
					throw new Failure('file_failed', 'The journal could not be written.', {why: 'The disk is full.'});
				default:
					return journal.saveRecord(record);
			}
		},
	});

	/** The next step, as a screen would have it; `undefined` once all is done. */
	async function step(work: {readonly signal: AbortSignal}): Promise<'done' | 'more'> {
		flow ??= await open();
		const {state, goal} = flow.record;
		switch (state) {
			case 'complete':
				return 'done';
			case 'unread':
			case 'blocked':
				await flow.observe(work);
				return flow.record.state === 'blocked' ? 'done' : 'more';
			case 'eligible':
			case 'validating unreviewed':
				reviewedAt = service.calls();
				await flow.review(edited, shown(flow), state === 'eligible' ? path : 'pending');
				return 'more';
			case 'validating':
				if (goal === 'validation') {
					await flow.markReady();
					return 'more';
				}
				break;
			case 'moved on':
			case 'unknown stage':
				return 'done';
			default:
				break;
		}
		try {
			await resumeFlow(flow, {}, work);
		} catch (error) {
			if (!isFailure(error, 'unconfirmed')) throw error;
			await resumeFlow(flow, {confirmation: confirm()}, work);
		}
		return 'more';
	}

	return {
		confirmations: () => confirmations,
		appends: () => appends,
		reviewedAt: () => reviewedAt,
		state: () => flow?.record.state ?? lastState,
		async finish() {
			let failed: unknown;
			let refusals = 0;
			for (let steps = 0; steps < 20; steps++) {
				try {
					const came = await service.process(signal => step({signal}));
					if (came === 'done') return failed;
					if (came === 'killed') {
						disk.died();
						flow = undefined;
					}
				} catch (error) {
					if (!isFailure(error)) throw error;
					failed = error;
					lastState = flow?.record.state ?? lastState;
					// Ledge says that a person has to look first, and this one does not.
					const isLasting = isFailure(error, 'changed_meanwhile', 'not_eligible', 'already_migrated');
					if (isLasting && ++refusals === 2) return failed;
					await left.at(-1)?.close();
					flow = undefined;
				}
			}
			return failed;
		},
		async close() {
			for (const journal of left) await journal.close().catch(() => {});
		},
	};
}

/** What the service holds when it was given this configuration, without what it adds by itself. */
export const sentRules = (configuration: ManagedConfiguration) => buildConfigurationBody(configuration).rules;
