import {basename} from 'node:path';
import {asFailure, type Failure} from '../../failure.ts';
import {
	isUnfinished,
	standingInWords,
	type UnfinishedMigration,
	unfinishedMigrations,
} from '../../migration/journal/unfinished.ts';
import {placeOfMigrations} from '../../session/place.ts';
import type {Session} from '../../session/session.ts';
import {holdingWords} from '../../state/holder.ts';
import type {JournalHeader} from '../../state/job-record.ts';
import {forgetJob, type JobState, jobState, type ListedJob, listJobs} from '../../state/jobs.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {isJsonObject, type JsonValue} from '../../text/json.ts';
import {type BulkState, bulkLabel} from '../bulk/state.ts';
import type {MigrationState} from '../migration/state.ts';
import {type TransferState, transferLabel} from '../transfer/state.ts';

/** The jobs that are recorded, as they were when they were last read. */
export type JobsState = {
	readonly reading: 'unread' | 'read' | 'failed';
	readonly failure?: Failure | undefined;
	readonly listed: readonly ListedJob[];
	/** Migrations that are in progress or in doubt, of the service in use. */
	readonly migrations: readonly UnfinishedMigration[];
	readonly cursor: number;
};

export type JobsSlice = {
	readonly jobs: JobsState;
	loadJobs(signal: AbortSignal): Promise<void>;
	moveInJobs(by: number): void;
	/** Gives a job up; what it has done stays done. */
	forgetJob(id: string, signal: AbortSignal): Promise<void>;
};

export const createJobsSlice: Slice<JobsSlice> = (set, get, {session}) => {
	const change = (part: Partial<JobsState>) => set(({jobs}) => ({jobs: {...jobs, ...part}}));
	const lastRow = () => Math.max(0, jobRows(get()).length - 1);
	return {
		jobs: {reading: 'unread', listed: [], migrations: [], cursor: 0},
		async loadJobs(signal) {
			const before = jobRows(get())[get().jobs.cursor]?.id;
			try {
				const listed = await listJobs(session.env);
				if (signal.aborted) return;
				change({listed, migrations: migrationsHere(session), reading: 'read', failure: undefined});
			} catch (error) {
				const failure = asFailure(error);
				change({reading: 'failed', failure});
				throw failure;
			}
			const row = jobRows(get()).findIndex(({id}) => id === before);
			change({cursor: row === -1 ? Math.min(get().jobs.cursor, lastRow()) : row});
		},
		moveInJobs: by => change({cursor: Math.max(0, Math.min(lastRow(), get().jobs.cursor + by))}),
		async forgetJob(id, signal) {
			await forgetJob(session.env, id);
			await get().loadJobs(signal);
			get().say(`Forgot the job ${id}. What it has done stays done.`);
		},
	};
};

/** Where the settings do not say which service is in use, Home shows why, and no migration is of it. */
function migrationsHere(session: Session): readonly UnfinishedMigration[] {
	let place: string;
	try {
		place = placeOfMigrations(session);
	} catch {
		return [];
	}
	return unfinishedMigrations(session.env, place);
}

/** A job as the list shows it. */
export type JobRow = {
	/** Of its journal; a run of this session that has none yet has a name of its own. */
	readonly id: string;
	/** `here`: long work of this session. */
	readonly state: JobState | 'here';
	/** The screen that shows it, of what is here. */
	readonly screen?: 'bulk' | 'transfer' | 'migration';
	/** Whether what is here is paused; not said of what is not at work. */
	readonly isPaused?: boolean;
	/** What it does, with the whole path of its file. Data as it is. */
	readonly title: string;
	/** The same in a few words. */
	readonly name: string;
	readonly done: number | undefined;
	readonly total: number | undefined;
	/** Milliseconds since the epoch. */
	readonly updated: number | undefined;
	/** What is to be said beside it: why it stopped, or who works on it. */
	readonly about: string;
	/** What is recorded of it. */
	readonly job: ListedJob | undefined;
	/** The zone whose migration it is. */
	readonly zone?: {readonly id: string; readonly name: string};
};

/** What the rows of the jobs are made of. */
export type JobsView = Pick<LedgeState, 'jobs' | 'bulk' | 'transfer' | 'migration'>;

/** The jobs there are: what this session works on first, then migrations, then as they were listed. */
export function jobRows({jobs, bulk, transfer, migration}: JobsView): JobRow[] {
	const ofMigration = migration && isUnfinished(migration.record) ? migrationHere(migration) : undefined;
	const here = [bulk && rowHere(bulk), transfer && transferHere(transfer), ofMigration].filter(
		row => row !== undefined,
	);
	const others = jobs.listed.filter(({id}) => here.every(row => row.id !== id)).map(rowOf);
	// The journal of the zone that is open here is only a copy of what this session knows.
	const elsewhere = jobs.migrations
		.filter(one => !('zone' in one) || one.zone.id !== migration?.zone.id)
		.map(migrationRow);
	return [...here, ...elsewhere, ...others];
}

/** Where no figures tell how far something is. */
const noFigures = {done: undefined, total: undefined, job: undefined} as const;

function migrationHere({zone, record}: MigrationState): JobRow {
	const title = `migration of ${zone.name}`;
	return {
		...noFigures,
		id: zone.id,
		state: 'here',
		screen: 'migration',
		title,
		name: title,
		updated: undefined,
		about: standingInWords(record),
		zone,
	};
}

function migrationRow(one: UnfinishedMigration): JobRow {
	const {id} = one;
	if (!('record' in one)) {
		const {message, details} = one.failure;
		const about = details.why ?? '';
		return {...noFigures, id, state: 'damaged', title: message, name: message, updated: undefined, about};
	}
	const {zone, record, updated, holder} = one;
	const title = `migration of ${zone.name}`;
	const about = holder ? `process ${holder.pid} on ${holder.host} works on it` : standingInWords(record);
	return {
		...noFigures,
		id,
		state: holder ? 'running' : 'unfinished',
		title,
		name: `${title}: ${record.state}`,
		updated,
		about,
		zone,
	};
}

/** The export or copy of this session, while it runs. */
function transferHere(transfer: TransferState): JobRow | undefined {
	const {kind, stage} = transfer;
	if (stage.state !== 'running') return undefined;
	const {settled, total, paused} = stage.progress;
	return {
		id: stage.id,
		state: 'here',
		screen: 'transfer',
		title: transferLabel(transfer),
		name: transferLabel(transfer, true),
		isPaused: paused,
		done: settled,
		total,
		updated: undefined,
		about: `the ${kind} ${paused ? 'is paused' : 'is running'}`,
		job: undefined,
	};
}

/** The run of this session, as long as there is something to be seen of it that no journal tells. */
function rowHere(bulk: BulkState): JobRow | undefined {
	const label = bulkLabel(bulk);
	const plain = {
		title: label,
		name: label,
		state: 'here',
		screen: 'bulk',
		updated: undefined,
		job: undefined,
	} as const;
	switch (bulk.stage.state) {
		case 'checking':
			return {...plain, id: 'here', done: undefined, total: undefined, about: 'its input is being checked'};
		case 'checked':
			return {...plain, id: 'here', done: 0, total: bulk.stage.check.valid, about: 'nothing is sent yet'};
		case 'sending': {
			const {done, total, paused} = bulk.stage.progress;
			const about = paused ? 'it is paused' : 'it is running';
			return {...plain, id: bulk.stage.id, isPaused: paused, done, total, about};
		}
		default:
			return undefined;
	}
}

function rowOf(job: ListedJob): JobRow {
	const {id, holder} = job;
	const state = jobState(job);
	if (!('record' in job)) {
		const {message, details} = job.failure;
		const about = details.why ?? '';
		return {
			id,
			state,
			title: message,
			name: message,
			done: undefined,
			total: undefined,
			updated: undefined,
			about,
			job,
		};
	}
	const {header, done, updated, why} = job.record;
	const about = holder ? holdingWords(holder) : (why ?? '');
	const {title, total} = header;
	const path = fileOf(header);
	const name = path === undefined ? title : title.replace(JSON.stringify(path), () => basename(path));
	return {id, state, title, name, done, total, updated, about, job};
}

/** The file that a job reads, or writes. */
export function fileOf({input, kind, options}: JournalHeader<JsonValue>): string | undefined {
	if (kind !== 'export') return input?.path;
	const path = isJsonObject(options) ? options.path : undefined;
	return typeof path === 'string' ? path : undefined;
}

/** Jobs that wait for someone to go on with them. */
export const unfinishedJobs = (state: JobsView): readonly JobRow[] =>
	jobRows(state).filter(row => row.state === 'unfinished');
