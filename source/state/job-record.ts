import {boolean, exactOptional, type InferOutput, number, string} from 'valibot';
import {Failure} from '../failure.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import {isJsonObject, type JsonObject, type JsonValue, parseJson} from '../text/json.ts';
import {Ranges} from '../text/ranges.ts';
import {ignoreInvalid, parseOrUndefined, pickFields} from '../text/schema.ts';

/** Target of a job; a rehearsal can never resume on the real service. */
export type JobTarget = InferOutput<typeof jobTarget>;
export const jobTarget = pickFields({
	/** Origin of the service, `simulated`, or `local:` and the folder. */
	place: string(),
	/** Absolute path of the simulated world's file (`--state`); missing for the default world. */
	world: ignoreInvalid(string()),
	account: ignoreInvalid(string()),
	namespace: ignoreInvalid(string()),
	zone: ignoreInvalid(string()),
	/** Context to reach it again with its credential. Not part of its identity. */
	context: ignoreInvalid(string()),
	/** Display label: `Acme › CONFIG`. Not part of its identity. */
	called: ignoreInvalid(string()),
	/** Namespace in the label: title, binding or id. Not part of its identity. */
	title: ignoreInvalid(string()),
	/** Account in the label. Not part of its identity. */
	accountLabel: ignoreInvalid(string()),
});

const localPlacePrefix = 'local:';

/** Returns the place of local data in a folder. */
export const toLocalPlace = (folder: string): string => `${localPlacePrefix}${folder}`;

/** Returns the folder of local data; undefined for the service, simulated or not. */
export const getLocalFolder = (place: string): string | undefined =>
	place.startsWith(localPlacePrefix) ? place.slice(localPlacePrefix.length) : undefined;

export const isLocalPlace = (place: string): boolean => place.startsWith(localPlacePrefix);

export const isSameTarget = (one: JobTarget, other: JobTarget): boolean =>
	one.place === other.place &&
	one.world === other.world &&
	one.account === other.account &&
	one.namespace === other.namespace &&
	one.zone === other.zone;

/** Input file of a job; `digest` is its SHA-256 in hex. */
export type JobInput = InferOutput<typeof jobInput>;
const jobInput = pickFields({
	path: string(),
	size: number(),
	/** Milliseconds since the epoch. */
	modified: number(),
	digest: string(),
	/** True if ledge stored the input (standard input) and removes it with the job. */
	kept: boolean(),
});

/** First line of a journal. */
export type JournalHeader<Options> = InferOutput<typeof journalHeader> & {readonly options: Options};
const journalHeader = pickFields({
	id: string(),
	kind: string(),
	/** Milliseconds since the epoch. */
	created: number(),
	/** Short description: "bulk put sessions.ndjson into SESSIONS". */
	title: string(),
	target: jobTarget,
	input: exactOptional(jobInput),
	/** Number of entries, if known. */
	total: exactOptional(number()),
});

export type NumberRanges = readonly (readonly [from: number, to: number])[];

/** Events of a job. Entries count from 1; ranges are [from, to). */
export type JournalEvent<Position> =
	| {readonly type: 'range'; readonly ranges: NumberRanges}
	/** Resume position of work without numbered entries, and the count done so far. */
	| {readonly type: 'cursor'; readonly position: Position; readonly done: number}
	| {readonly type: 'refused'; readonly ranges: NumberRanges}
	| {readonly type: 'paused'}
	| {readonly type: 'resumed'}
	/** The job was stopped by a failure or the user, and can be resumed. */
	| {readonly type: 'failed'; readonly why: string}
	| {readonly type: 'done'; readonly done: number; readonly refused: number};

type JobStatus = 'open' | 'paused' | 'failed' | 'done';

/** State of a job after replaying its journal. */
export type JobRecord<Options, Position> = {
	readonly header: JournalHeader<Options>;
	status: JobStatus;
	readonly acknowledged: Ranges;
	readonly refused: Ranges;
	position: Position | undefined;
	done: number;
	/** Reason, if `status` is `failed`. */
	why: string | undefined;
	/** Milliseconds since the epoch. */
	updated: number;
};

/**
 * Parses the parts of a journal that are specific to a kind of job. Each function returns undefined for
 * invalid data.
 */
export type JobCodec<Options, Position> = {
	readonly kind: string;
	parseOptions(json: JsonValue): Options | undefined;
	parsePosition(json: JsonValue): Position | undefined;
};

/** Codec that accepts jobs of any kind, sufficient for the job list. */
export const anyJobCodec: JobCodec<JsonValue, JsonValue> = {
	kind: '*',
	parseOptions: json => json,
	parsePosition: json => json,
};

/** Replays the complete lines of a journal. Fails with `journal_invalid`, naming file, line and a way out. */
export function replayJournal<Options, Position>(
	path: string,
	lines: readonly string[],
	codec: JobCodec<Options, Position>,
): JobRecord<Options, Position> {
	const header = parseHeader(path, lines[0], codec);
	const record: JobRecord<Options, Position> = {
		header,
		status: 'open',
		acknowledged: new Ranges(),
		refused: new Ranges(),
		position: undefined,
		done: 0,
		why: undefined,
		updated: header.created,
	};
	for (let lineNumber = 1; lineNumber < lines.length; lineNumber++) {
		const json = parseLine(lines[lineNumber] ?? '');
		const event = json && parseEvent(json, codec);
		if (!event) throw createDamagedFailure(path, lineNumber + 1);
		applyEvent(record, event);
		if (typeof json.at === 'number') record.updated = json.at;
	}
	return record;
}

function applyEvent<Options, Position>(
	record: JobRecord<Options, Position>,
	event: JournalEvent<Position>,
): void {
	record.status = 'open';
	switch (event.type) {
		case 'range':
			for (const [from, to] of event.ranges) record.acknowledged.add(from, to);
			record.done = record.acknowledged.size;
			break;
		case 'cursor':
			record.position = event.position;
			record.done = event.done;
			break;
		case 'refused':
			for (const [from, to] of event.ranges) record.refused.add(from, to);
			break;
		case 'resumed':
			break;
		case 'paused':
			record.status = 'paused';
			break;
		case 'failed':
			record.status = 'failed';
			record.why = event.why;
			break;
		case 'done':
			record.status = 'done';
			record.done = event.done;
			break;
		default:
			event satisfies never;
	}
}

function parseEvent<Position>(
	json: JsonObject,
	codec: JobCodec<unknown, Position>,
): JournalEvent<Position> | undefined {
	switch (json.type) {
		case 'range': {
			const ranges = parseRanges(json.ranges);
			return ranges && {type: 'range', ranges};
		}
		case 'cursor': {
			const position = json.position === undefined ? undefined : codec.parsePosition(json.position);
			if (position === undefined || typeof json.done !== 'number') return undefined;
			return {type: 'cursor', position, done: json.done};
		}
		case 'refused': {
			const ranges = parseRanges(json.ranges);
			return ranges && {type: 'refused', ranges};
		}
		case 'failed':
			return typeof json.why === 'string' ? {type: 'failed', why: json.why} : undefined;
		case 'paused':
		case 'resumed':
			return {type: json.type};
		case 'done':
			if (typeof json.done !== 'number' || typeof json.refused !== 'number') return undefined;
			return {type: 'done', done: json.done, refused: json.refused};
		default:
			return undefined;
	}
}

function parseHeader<Options>(
	path: string,
	line: string | undefined,
	codec: JobCodec<Options, unknown>,
): JournalHeader<Options> {
	const json = line === undefined ? undefined : parseLine(line);
	if (!json || typeof json.v !== 'number') throw createDamagedFailure(path, 1);
	if (json.v !== 1) {
		throw new Failure('journal_invalid', `The journal ${path} was written by another version of ledge.`, {
			why: `Its format is ${json.v}; this version supports format 1.`,
			next: `Use the version that started the job, or remove the file and start over.`,
		});
	}
	const header = parseOrUndefined(journalHeader, json);
	if (!header) throw createDamagedFailure(path, 1);
	const {kind, title} = header;
	if (codec.kind !== '*' && codec.kind !== kind) {
		throw new Failure('journal_invalid', `The journal ${path} belongs to another kind of job.`, {
			why: `It is for "${title}" (${kind}), not for ${codec.kind}.`,
			next: buildAdvice`\`${buildCommand('jobs list')}\` lists the jobs.`,
		});
	}
	const options = json.options === undefined ? undefined : codec.parseOptions(json.options);
	if (options === undefined) throw createDamagedFailure(path, 1);
	return {...header, options};
}

const createDamagedFailure = (path: string, line: number): Failure =>
	new Failure('journal_invalid', `The journal ${path} is damaged.`, {
		why: `Line ${line} does not have the expected format.`,
		next: 'Remove the file and start the job again: what was already written is simply written again.',
	});

function parseLine(line: string): JsonObject | undefined {
	const json = parseJson(line);
	return isJsonObject(json) ? json : undefined;
}

function parseRanges(json: unknown): NumberRanges | undefined {
	if (!Array.isArray(json)) return undefined;
	const pairs: [number, number][] = [];
	for (const pair of json) {
		if (!Array.isArray(pair) || pair.length !== 2) return undefined;
		const [from, to] = pair;
		if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || from > to) return undefined;
		pairs.push([from, to]);
	}
	return pairs;
}
