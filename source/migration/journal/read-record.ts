import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {Check, MigrationStatus, Mode, Observation, Stage} from '../machine/stage.ts';
import {migrationStates} from '../machine/states.ts';
import type {
	EntryPointMark,
	KeptBackup,
	MigrationRecord,
	OfVersions,
	Put,
	Reviewed,
	ShownCandidate,
	ValidationShown,
} from './record.ts';

/** A record out of a line of the journal; `undefined` for what ledge does not write there. */
export const readRecord = (json: JsonValue): MigrationRecord | undefined => fitting(json, record);

/** What was reviewed, out of a file of its own; `undefined` for what ledge does not write there. */
export const readReviewed = (json: JsonValue): Reviewed | undefined => fitting(json, reviewed);

function fitting<T>(json: JsonValue, read: Read<T>): T | undefined {
	try {
		return read(json);
	} catch (error) {
		if (error === misfit) return undefined;
		throw error;
	}
}

/** Thrown where a part is not what it should be; whoever reads the journal names the line. */
const misfit = Symbol('misfit');

type Read<T> = (json: JsonValue) => T;

const object: Read<JsonObject> = json => (isJsonObject(json) ? json : fail());
const text: Read<string> = json => (typeof json === 'string' ? json : fail());
const texts: Read<readonly string[]> = json => (Array.isArray(json) ? json.map(text) : fail());
const figure: Read<number> = json => (typeof json === 'number' ? json : fail());
const optional = <T>(json: JsonValue | undefined, read: Read<T>): T | undefined =>
	json === undefined ? undefined : read(json);
const required = <T>(json: JsonValue | undefined, read: Read<T>): T =>
	json === undefined ? fail() : read(json);

const oneOf =
	<const T extends string>(...words: readonly T[]): Read<T> =>
	json =>
		words.find(word => word === json) ?? fail();

const mode: Read<Mode> = oneOf('validation', 'pending');
const stage: Read<Stage> = oneOf('previous', 'validation', 'pending', 'complete', 'unknown');
const state = oneOf(...migrationStates);
const came = oneOf('accepted', 'refused', 'lost', 'given up');

function fail(): never {
	throw misfit;
}

const record: Read<MigrationRecord> = json => {
	const all = object(json);
	return {
		state: required(all.state, state),
		goal: optional(all.goal, mode),
		reviewed: optional(all.reviewed, reviewed),
		put: optional(all.put, put),
		backup: optional(all.backup, backup),
		deletedOverrides: optional(all.deletedOverrides, texts),
		seen: optional(all.seen, seen),
		validatingSince: optional(all.validatingSince, figure),
		firstValidated: optional(all.firstValidated, text),
		validation: optional(all.validation, validation),
		completed: optional(all.completed, figure),
		report: optional(all.report, text),
	};
};

const mark: Read<EntryPointMark> = json => {
	const {version, fingerprint} = object(json);
	return {version: required(version, text), fingerprint: required(fingerprint, text)};
};

const reviewed: Read<Reviewed> = json => {
	const {fingerprint, proposed, entryPoint, rules, at} = object(json);
	return {
		fingerprint: required(fingerprint, text),
		proposed: optional(proposed, text),
		entryPoint: optional(entryPoint, mark),
		rules: required(rules, figure),
		at: required(at, figure),
	};
};

const put: Read<Put> = json => {
	const all = object(json);
	const before = required(all.before, object);
	return {
		mode: required(all.mode, mode),
		fingerprint: required(all.fingerprint, text),
		at: required(all.at, figure),
		before: {
			stage: required(before.stage, stage),
			version: optional(before.version, text),
			fingerprint: optional(before.fingerprint, text),
		},
		came: optional(all.came, came),
		why: optional(all.why, text),
		stored: optional(all.stored, mark),
	};
};

const backup: Read<KeptBackup> = json => {
	const {folder, objects, at} = object(json);
	return {folder: required(folder, text), objects: required(objects, figure), at: required(at, figure)};
};

const check: Read<Check> = json => {
	const {compatible, state: said, unanswered} = object(json);
	return {
		compatible: typeof compatible === 'boolean' ? compatible : fail(),
		state: optional(said, text),
		unanswered: optional(unanswered, text),
	};
};

const status: Read<MigrationStatus> = json => {
	const all = object(json);
	return {
		state: optional(all.state, text),
		newWaf: optional(all.newWaf, text),
		oldWaf: optional(all.oldWaf, text),
		created: optional(all.created, text),
		source: optional(all.source, text),
	};
};

const seen: Read<Observation> = json => {
	const all = object(json);
	const entryPoint = optional(all.entryPoint, entry => {
		const {id, rules} = object(entry);
		return {...mark(entry), id: required(id, text), rules: required(rules, figure)};
	});
	return {
		at: required(all.at, figure),
		stage: required(all.stage, stage),
		check: required(all.check, check),
		status: optional(all.status, status),
		...(entryPoint && {entryPoint}),
	};
};

const ofVersions: Read<OfVersions> = json => {
	const all = object(json);
	return {new: required(all.new, figure), previous: required(all.previous, figure)};
};

const candidate: Read<ShownCandidate> = json => {
	const {rule, name, host, path, stopped, addresses, countries} = object(json);
	return {
		rule: required(rule, text),
		name: required(name, text),
		host: required(host, text),
		path: required(path, text),
		stopped: required(stopped, figure),
		addresses: optional(addresses, figure),
		countries: optional(countries, figure),
	};
};

const validation: Read<ValidationShown> = json => {
	const all = object(json);
	return {
		since: required(all.since, figure),
		until: required(all.until, figure),
		isSampled: typeof all.isSampled === 'boolean' ? all.isSampled : fail(),
		stopped: required(all.stopped, ofVersions),
		only: required(all.only, ofVersions),
		logged: required(all.logged, ofVersions),
		candidates: Array.isArray(all.candidates) ? all.candidates.map(candidate) : fail(),
		rate: optional(all.rate, json => {
			const {since, until, mostInHour} = object(json);
			return {
				since: required(since, figure),
				until: required(until, figure),
				mostInHour: required(mostInHour, figure),
			};
		}),
	};
};
