import {basename} from 'node:path';
import {type Failure, toFailure} from '../../failure.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {
	describeMigrationState,
	listRecordedMigrations,
	type UnfinishedMigration,
} from '../../migration/journal/unfinished.ts';
import {formatTitleWithSimulatedWorld, getMigrationPlace} from '../../session/place.ts';
import type {Session} from '../../session/session.ts';
import {isTransfer} from '../../session/transfers.ts';
import {describeHolding, getThisProcess, type Holder, isSameHolder} from '../../state/holder.ts';
import type {JournalHeader} from '../../state/job-record.ts';
import {forgetJob, getJobState, type ListedJob, listJobs} from '../../state/jobs.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {isJsonObject, type JsonValue} from '../../text/json.ts';
import {findTextMatches, type TextMatches} from '../../text/smart-case.ts';
import {findCursor, moveCursor} from '../list/list.ts';
import {isTargetNamespaceGone} from '../namespaces/slice.ts';
import {listScreens} from '../shell/screen.ts';
import type {Work} from '../shell/work-slice.ts';
import type {JobRow} from './row.ts';

/** The recorded jobs, as of the last read. */
type JobsState = {
	readonly reading: 'unread' | 'read' | 'failed';
	readonly failure?: Failure | undefined;
	readonly recordedJobs: readonly ListedJob[];
	/** Migrations of the current service that are in progress or of unknown outcome. */
	readonly migrations: readonly UnfinishedMigration[];
	/** Migrations with a reviewed configuration that was not sent. They are no jobs. */
	readonly reviewedMigrations: readonly UnfinishedMigration[];
	/** Index among the filtered rows. */
	readonly cursor: number;
	/** True if the cursor has moved since the list was opened. */
	readonly hasCursorMoved: boolean;
	readonly filter: string;
};

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly jobs: JobsSlice;
	}
}

type JobsSlice = {
	readonly data: JobsState;
	/** Opens and reads the list, then moves the cursor to the first row unless the user has moved it. */
	open(signal: AbortSignal): Promise<void>;
	/** Reads the list again. The cursor stays on its job. */
	load(signal: AbortSignal): Promise<void>;
	/** Reads only the journals of migrations. */
	refreshMigrations(): void;
	move(by: number): void;
	filter(filter: string): void;
	/** Deletes the record of a job; what it has done stays. */
	forget(id: string, signal: AbortSignal): Promise<void>;
};

export const createJobsSlice: Slice<JobsSlice> = (set, get, {session}) => {
	const change = (part: Partial<JobsState>) => set(({data: jobs}) => ({data: {...jobs, ...part}}));
	return {
		data: {
			reading: 'unread',
			recordedJobs: [],
			migrations: [],
			reviewedMigrations: [],
			cursor: 0,
			hasCursorMoved: false,
			filter: '',
		},
		async open(signal) {
			change({cursor: 0, hasCursorMoved: false});
			await get().jobs.load(signal);
			if (!get().jobs.data.hasCursorMoved) change({cursor: 0});
		},
		async load(signal) {
			try {
				const recordedJobs = await listJobs(session.env);
				if (signal.aborted) return;
				const selectedId = getSelectedJob(get())?.id;
				const {unfinished, reviewed} = listCurrentMigrations(session);
				change({
					recordedJobs,
					migrations: unfinished,
					reviewedMigrations: reviewed,
					reading: 'read',
					failure: undefined,
				});
				change({
					cursor: findCursor(listVisibleJobs(get()), ({id}) => id === selectedId, get().jobs.data.cursor),
				});
			} catch (error) {
				const failure = toFailure(error);
				change({reading: 'failed', failure});
				throw failure;
			}
		},
		refreshMigrations() {
			const {unfinished, reviewed} = listCurrentMigrations(session);
			change({migrations: unfinished, reviewedMigrations: reviewed});
		},
		move: by =>
			change({
				cursor: moveCursor(get().jobs.data.cursor, by, listVisibleJobs(get()).length),
				hasCursorMoved: true,
			}),
		filter(filter) {
			const selectedId = getSelectedJob(get())?.id;
			change({filter});
			change({cursor: findCursor(listVisibleJobs(get()), ({id}) => id === selectedId, 0)});
		},
		async forget(id, signal) {
			await forgetJob(session.env, id);
			await get().jobs.load(signal);
			get().messages.say(`Forgot job ${id}. Changes made so far are kept.`);
		},
	};
};

/** Lists the migrations of the current service; none if the settings do not determine it. Home shows why. */
function listCurrentMigrations(session: Session): ReturnType<typeof listRecordedMigrations> {
	let place: string;
	try {
		place = getMigrationPlace(session);
	} catch {
		return {unfinished: [], reviewed: []};
	}
	return listRecordedMigrations(session.env, place);
}

/** Builds the rows: work of this session, then migrations, then recorded jobs. */
export function buildJobRows(
	state: StateWith<'jobs' | 'migration' | 'bulk' | 'transfer'> & StateWith<'navigation', 'screens'>,
): JobRow[] {
	const jobs = state.jobs.data;
	const migration = state.migration.data;
	const {screens} = state.navigation;
	const ownRows = listScreens(screens).flatMap(([screen, {job}]): JobRow[] => {
		const row = job?.getRow(state);
		return row ? [{...row, screen, state: 'here', updated: undefined, job: undefined}] : [];
	});
	const recordedRows = jobs.recordedJobs
		.filter(({id}) => ownRows.every(row => row.id !== id))
		.map(buildJobRow);
	// The journal of the open zone only repeats the state of this session, so it is left out.
	const migrationRows = jobs.migrations
		.filter(one => !('zone' in one) || one.zone.id !== migration?.zone.id)
		.map(buildMigrationRow);
	return [...ownRows, ...migrationRows, ...recordedRows];
}

type JobRowsState = StateWith<'jobs' | 'migration' | 'bulk' | 'transfer'> &
	StateWith<'navigation', 'screens'>;

/** Finds the jobs that match the filter by title, state or reason, or by the start of an id. */
export const findJobMatches = (state: JobRowsState): TextMatches<JobRow> =>
	findTextMatches(
		buildJobRows(state),
		state.jobs.data.filter,
		({title, state: jobState, about}) => [title, jobState, about],
		({id}) => [id],
	);

export const listVisibleJobs = (state: JobRowsState): readonly JobRow[] => findJobMatches(state).rows;

export const getSelectedJob = (
	state: StateWith<'jobs' | 'migration' | 'bulk' | 'transfer'> & StateWith<'navigation', 'screens'>,
): JobRow | undefined => listVisibleJobs(state)[state.jobs.data.cursor];

/** Migrations have no figures. */
const noFigures = {screen: 'migration', done: undefined, total: undefined, job: undefined} as const;

const buildDamagedFields = ({message, details: {why = ''}}: Failure) => ({
	title: message,
	name: message,
	updated: undefined,
	about: why,
});

function buildMigrationRow(one: UnfinishedMigration): JobRow {
	const {id} = one;
	if (!('record' in one)) return {...noFigures, ...buildDamagedFields(one.failure), id, state: 'damaged'};
	const {zone, record, updated, holder} = one;
	const title = `migration of ${zone.name}`;
	const about = holder
		? `process ${holder.pid} on ${holder.host} is running it`
		: describeMigrationState(record);
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

function buildJobRow(job: ListedJob): JobRow {
	const {id, holder} = job;
	const state = getJobState(job);
	const screen = isTransfer(job) ? 'transfer' : 'bulk';
	if (!('record' in job)) return {...noFigures, ...buildDamagedFields(job.failure), id, state, screen, job};
	const {header, done, updated, why} = job.record;
	const about = holder ? formatHolder(holder, header.target.context) : (why ?? '');
	const {total} = header;
	const title = formatTitleWithSimulatedWorld(header);
	const path = getJobFilePath(header);
	const name = path === undefined ? title : title.replace(JSON.stringify(path), () => basename(path));
	return {id, state, screen, title, name, done, total, updated, about, job};
}

/** Formats who works on a job: another process, or this one in a session left with `C`. */
const formatHolder = (holder: Holder, context: string | undefined): string =>
	isSameHolder(holder, getThisProcess()) && context !== undefined
		? `running in ${context}: ${nameKey('go.contexts', 'C')} switches to it`
		: describeHolding(holder);

/** Returns the path of the file that a job reads or writes. */
export function getJobFilePath({input, kind, options}: JournalHeader<JsonValue>): string | undefined {
	if (kind !== 'export') return input?.path;
	const path = isJsonObject(options) ? options.path : undefined;
	return typeof path === 'string' ? path : undefined;
}

/** Lists the writes that are running and are no jobs: nothing resumes them. */
export const listRunningWrites = ({work: {list}}: StateWith<'work', 'list'>): readonly Work[] =>
	list.filter(({kind}) => kind === 'write');

export const listUnfinishedJobs = (
	state: StateWith<'jobs' | 'migration' | 'bulk' | 'transfer'> & StateWith<'navigation', 'screens'>,
): readonly JobRow[] => buildJobRows(state).filter(row => row.state === 'unfinished');

/** Returns why a recorded job can never be resumed, if its namespace is known to be deleted. */
export const getNamespaceGoneReason = (
	state: StateWith<'namespaces', 'data'>,
	{job, state: jobState}: JobRow,
): string | undefined =>
	jobState === 'unfinished' &&
	job !== undefined &&
	'record' in job &&
	isTargetNamespaceGone(state, job.record.header.target)
		? 'its namespace no longer exists'
		: undefined;

/** Shown in the question before ledge exits. */
export const formatResumableNotice = (): string =>
	`Progress is saved; you can resume the rest on the jobs screen (${nameKey('go.jobs', '7')}).`;
