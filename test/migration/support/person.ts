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
import {createReviewBasis, editedProposal, type FakeZone, zone} from './fake-zone.ts';

export const target: MigrationTarget = {place: 'https://api.example.test', zone};

/** Where an append to the journal is cut: the process is killed, or the disk is full. */
export type AppendCut = 'killed before' | 'killed after' | 'killed within' | 'disk full';

export const appendCuts: readonly AppendCut[] = [
	'killed before',
	'killed after',
	'killed within',
	'disk full',
];

/** The storage that outlives a process of ledge. */
export type Disk = {
	open(): Promise<MigrationJournal>;
	/** Removes the locks of a killed process. */
	releaseLocks(): void;
};

type Session = {
	readonly disk: Disk;
	readonly service: FakeZone;
	/** Mode of the first PUT: `pending` deploys directly, `validation` validates first. */
	readonly startMode: MigrationMode;
	/** Called for each append, before it is made. */
	readonly onAppend?: ((number: number) => AppendCut | undefined) | undefined;
};

/** Journals on disk, in this state directory. */
export const createDisk = (environment: {readonly LEDGE_STATE_DIR: string}): Disk => ({
	open: () => openMigrationJournal(environment, target),
	releaseLocks() {
		const root = environment.LEDGE_STATE_DIR;
		for (const name of readdirSync(root, {recursive: true, encoding: 'utf8'}))
			if (name.includes('.lock.')) rmSync(join(root, name));
	},
});

/** Journals in memory, for the many runs in which only calls are cut. */
export function createMemoryDisk(): Disk {
	let record: MigrationRecord | undefined;
	const reviewedConfigurations = new Map<string, ManagedConfiguration>();
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
					// As read from a file.
					record = parseMigrationRecord(JSON.parse(JSON.stringify(next)));
				},
				async saveReviewed(configuration) {
					reviewedConfigurations.set(computeFingerprint(configuration), configuration);
				},
				async readReviewed(fingerprint) {
					const found = reviewedConfigurations.get(fingerprint);
					if (!found) throw new TypeError('It was not kept.');
					return found;
				},
			};
		},
		releaseLocks() {},
	};
}

export type Person = {
	readonly countConfirmations: () => number;
	readonly countAppends: () => number;
	/** Number of calls before the last review. */
	readonly countCallsAtReview: () => number;
	/**
	 * Uses ledge until the migration is complete or ledge requires a decision, and starts it again after each
	 * kill. Returns the last failure.
	 */
	finish(): Promise<unknown>;
	readonly state: () => MachineState;
	close(): Promise<void>;
};

/** A person who migrates the zone to the end, resumes after each failure, and confirms each PUT. */
export function createPerson({disk, service, startMode, onAppend}: Session): Person {
	let confirmationCount = 0;
	let appendCount = 0;
	let callsAtReview = 0;
	let lastState: MachineState = 'unread';
	let flow: MigrationFlow | undefined;
	const openedJournals: MigrationJournal[] = [];

	const confirm = (): PutConfirmation => {
		confirmationCount++;
		return {zone: zone.name};
	};

	async function openFlow(): Promise<MigrationFlow> {
		const journal = await disk.open();
		openedJournals.push(journal);
		return createFlow({client: service.client, zone, journal: cutAppends(journal)});
	}

	/** The journal, with the cuts that `onAppend` returns. */
	const cutAppends = (journal: MigrationJournal): MigrationJournal => ({
		...journal,
		get record() {
			return journal.record;
		},
		async saveRecord(record) {
			appendCount++;
			switch (onAppend?.(appendCount)) {
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

	/** Takes the next step that a screen would offer; `done` if there is none. */
	async function step(work: {readonly signal: AbortSignal}): Promise<'done' | 'more'> {
		flow ??= await openFlow();
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
				callsAtReview = service.countCalls();
				await flow.review(
					editedProposal,
					createReviewBasis(flow),
					state === 'eligible' ? startMode : 'pending',
				);
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
		countConfirmations: () => confirmationCount,
		countAppends: () => appendCount,
		countCallsAtReview: () => callsAtReview,
		state: () => flow?.record.state ?? lastState,
		async finish() {
			let lastFailure: unknown;
			let refusals = 0;
			for (let steps = 0; steps < 20; steps++) {
				try {
					const result = await service.runProcess(signal => step({signal}));
					if (result === 'done') return lastFailure;
					if (result === 'killed') {
						disk.releaseLocks();
						flow = undefined;
					}
				} catch (error) {
					if (!isFailure(error)) throw error;
					lastFailure = error;
					lastState = flow?.record.state ?? lastState;
					// Ledge requires a decision, and this person makes none: stops when it fails again.
					const isLasting = isFailure(error, 'changed_meanwhile', 'not_eligible', 'already_migrated');
					if (isLasting && ++refusals === 2) return lastFailure;
					await openedJournals.at(-1)?.close();
					flow = undefined;
				}
			}
			return lastFailure;
		},
		async close() {
			for (const journal of openedJournals) await journal.close().catch(() => {});
		},
	};
}

/** The rules of a PUT with this configuration. */
export const buildSentRules = (configuration: ManagedConfiguration) =>
	buildConfigurationBody(configuration).rules;
