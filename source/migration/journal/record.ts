import {boolean, type InferOutput, number, optional, picklist, pipe, string, transform} from 'valibot';
import type {JsonValue} from '../../text/json.ts';
import {fields, list, parseOrUndefined, type Schema} from '../../text/schema.ts';
import type {Mode, Observation, Stage} from '../machine/stage.ts';
import {migrationStates} from '../machine/states.ts';

const mode: Schema<Mode> = picklist(['validation', 'pending']);
const stage: Schema<Stage> = picklist(['previous', 'validation', 'pending', 'complete', 'unknown']);

/** The entry point at one moment: enough to notice that somebody changed it. None: there was no entry point. */
export type EntryPointMark = InferOutput<typeof mark>;
const mark = fields({version: string(), fingerprint: string()});

/** A configuration that a person reviewed. It is in the zone's folder as `reviewed-FINGERPRINT.json`. */
export type Reviewed = InferOutput<typeof reviewed>;
const reviewed = fields({
	fingerprint: string(),
	/** Of the configuration that the service proposed when this was reviewed. */
	proposed: optional(string()),
	/** The entry point as it was when this was reviewed. */
	entryPoint: optional(mark),
	rules: number(),
	/** Milliseconds since the epoch. */
	at: number(),
});

/** The last PUT that was sent, or was about to be, and what the zone was just before. */
export type Put = InferOutput<typeof put>;
const put = fields({
	mode,
	fingerprint: string(),
	/** Milliseconds since the epoch. */
	at: number(),
	/** Version and fingerprint are of the entry point; `undefined` where there was no entry point. */
	before: pipe(
		fields({stage, version: optional(string()), fingerprint: optional(string())}),
		transform(before => ({
			stage: before.stage,
			version: before.version,
			fingerprint: before.fingerprint,
		})),
	),
	/** What became of it, as far as it is known. */
	came: optional(picklist(['accepted', 'refused', 'lost', 'given up'])),
	/** What the service said, or why no answer came. */
	why: optional(string()),
	/** What the service answered that it holds now: it may write rules in a form of its own. */
	stored: optional(mark),
});

/** A backup of the zone, in its folder. */
export type KeptBackup = InferOutput<typeof backup>;
const backup = fields({folder: string(), objects: number(), at: number()});

const seen: Schema<Observation> = fields({
	at: number(),
	stage,
	check: fields({compatible: boolean(), state: optional(string()), unanswered: optional(string())}),
	status: optional(
		fields({
			state: optional(string()),
			newWaf: optional(string()),
			oldWaf: optional(string()),
			created: optional(string()),
			source: optional(string()),
		}),
	),
	entryPoint: optional(fields({id: string(), version: string(), fingerprint: string(), rules: number()})),
});

/** Figures of both versions of the managed rules. */
export type OfVersions = InferOutput<typeof ofVersions>;
const ofVersions = fields({new: number(), previous: number()});

/** Where the new rules stop what the previous ones let through. Names, host and path are data. */
export type ShownCandidate = InferOutput<typeof candidate>;
const candidate = fields({
	rule: string(),
	name: string(),
	host: string(),
	path: string(),
	/** Requests. */
	stopped: number(),
	addresses: optional(number()),
	countries: optional(number()),
});

/** What the security events of validation showed when they were read last. Times are milliseconds since the epoch. */
export type ValidationShown = InferOutput<typeof validation>;
const validation = fields({
	since: number(),
	until: number(),
	/** Whether the figures are estimates. */
	isSampled: boolean(),
	/** Requests that each version stopped, and those that only it stopped. */
	stopped: ofVersions,
	only: ofVersions,
	/** Events that were only logged. */
	logged: ofVersions,
	candidates: list(candidate),
	/** The most requests that the new rules stopped in an hour of this time. */
	rate: optional(fields({since: number(), until: number(), mostInHour: number()})),
});

/** All that is known of the migration of a zone, and all that resuming needs: each line of the journal holds it whole. */
export type MigrationRecord = InferOutput<typeof record>;
const record = fields({
	state: picklist(migrationStates),
	/** What was to be reached when this was written: validation, or the end. */
	goal: optional(mode),
	reviewed: optional(reviewed),
	put: optional(put),
	backup: optional(backup),
	/** Ids of the overrides that ledge deleted and did not restore. */
	deletedOverrides: optional(list(string())),
	/** What the service said last. */
	seen: optional(seen),
	/** Since when both versions were seen on, milliseconds since the epoch. */
	validatingSince: optional(number()),
	/** The fingerprint of what was put in validation first. */
	firstValidated: optional(string()),
	/** What security events showed during validation; none where they could not be read. */
	validation: optional(validation),
	/** When the new version was first seen alone. */
	completed: optional(number()),
	/** Name of the report in the zone's folder. */
	report: optional(string()),
});

/** A record out of a line of the journal; `undefined` for what ledge does not write there. */
export const readRecord = (json: JsonValue): MigrationRecord | undefined => parseOrUndefined(record, json);

/** What was reviewed, out of a file of its own; `undefined` for what ledge does not write there. */
export const readReviewed = (json: JsonValue): Reviewed | undefined => parseOrUndefined(reviewed, json);
