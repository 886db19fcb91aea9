import {boolean, type InferOutput, number, optional, picklist, pipe, string, transform} from 'valibot';
import type {JsonValue} from '../../text/json.ts';
import {list, parseOrUndefined, pickFields, type Schema} from '../../text/schema.ts';
import type {MigrationMode, MigrationStage, Observation} from '../machine/stage.ts';
import {migrationStates} from '../machine/states.ts';

const modeSchema: Schema<MigrationMode> = picklist(['validation', 'pending']);
const stageSchema: Schema<MigrationStage> = picklist([
	'previous',
	'validation',
	'pending',
	'complete',
	'unknown',
]);

/** Identifies the entry point at one moment, so that changes by others are detected. */
export type EntryPointMark = InferOutput<typeof markSchema>;
const markSchema = pickFields({version: string(), fingerprint: string()});

/**
 * A configuration that the user reviewed. It is stored in the zone's folder as `reviewed-FINGERPRINT.json`.
 */
export type ConfigurationReview = InferOutput<typeof reviewSchema>;
const reviewSchema = pickFields({
	fingerprint: string(),
	/** Fingerprint of the service's proposal at the review. */
	proposed: optional(string()),
	/** The entry point at the review. */
	entryPoint: optional(markSchema),
	rules: number(),
	/** Milliseconds since the epoch. */
	at: number(),
});

/** The last PUT that was sent or was about to be sent, and the zone just before it. */
export type RecordedPut = InferOutput<typeof putSchema>;
const putSchema = pickFields({
	mode: modeSchema,
	fingerprint: string(),
	/** Milliseconds since the epoch. */
	at: number(),
	/** Version and fingerprint of the entry point; undefined if none existed. */
	before: pipe(
		pickFields({stage: stageSchema, version: optional(string()), fingerprint: optional(string())}),
		transform(before => ({
			stage: before.stage,
			version: before.version,
			fingerprint: before.fingerprint,
		})),
	),
	/** The outcome, if known. */
	came: optional(picklist(['accepted', 'refused', 'lost', 'given up'])),
	/** The service's message, or why no response came. */
	why: optional(string()),
	/** The entry point in the service's response; the service may store rules in another form. */
	stored: optional(markSchema),
	/** What others changed right before the PUT, which overwrote it; empty if unknown. */
	overwritten: optional(list(string())),
});

/** A backup in the zone's folder. */
export type StoredBackup = InferOutput<typeof backupSchema>;
const backupSchema = pickFields({folder: string(), objects: number(), at: number()});

const observationSchema: Schema<Observation> = pickFields({
	at: number(),
	stage: stageSchema,
	check: pickFields({compatible: boolean(), state: optional(string()), unanswered: optional(string())}),
	status: optional(
		pickFields({
			state: optional(string()),
			newWaf: optional(string()),
			oldWaf: optional(string()),
			created: optional(string()),
			source: optional(string()),
		}),
	),
	entryPoint: optional(pickFields({id: string(), version: string(), fingerprint: string(), rules: number()})),
});

/** Figures of the new and the previous managed rules. */
export type VersionFigures = InferOutput<typeof figuresSchema>;
const figuresSchema = pickFields({new: number(), previous: number()});

/** Requests that only the new rules stop. Name, host and path are raw data. */
export type RecordedCandidate = InferOutput<typeof candidateSchema>;
const candidateSchema = pickFields({
	rule: string(),
	name: string(),
	host: string(),
	path: string(),
	/** Requests. */
	stopped: number(),
	addresses: optional(number()),
	countries: optional(number()),
});

/** The last summary of security events during validation. Times are milliseconds since the epoch. */
export type RecordedValidation = InferOutput<typeof validationSchema>;
const validationSchema = pickFields({
	since: number(),
	until: number(),
	/** True if the figures are estimates. */
	isSampled: boolean(),
	/** Requests stopped by each version, and those stopped by only one. */
	stopped: figuresSchema,
	only: figuresSchema,
	/** Events that were only logged. */
	logged: figuresSchema,
	candidates: list(candidateSchema),
	/** The highest number of requests that the new rules stopped in one hour. */
	rate: optional(pickFields({since: number(), until: number(), mostInHour: number()})),
});

/**
 * The state of a zone's migration, with everything that resuming needs. Each line of the journal holds a
 * complete record.
 */
export type MigrationRecord = InferOutput<typeof recordSchema>;
const recordSchema = pickFields({
	state: picklist(migrationStates),
	/** The requested mode. */
	goal: optional(modeSchema),
	reviewed: optional(reviewSchema),
	/** Fingerprint of the configuration that was last rehearsed as planned. */
	rehearsed: optional(string()),
	put: optional(putSchema),
	backup: optional(backupSchema),
	/** Ids of the overrides that ledge has deleted and not restored. */
	deletedOverrides: optional(list(string())),
	/** The last observation of the service. */
	seen: optional(observationSchema),
	/** When both versions were first seen active, in milliseconds since the epoch. */
	validatingSince: optional(number()),
	/** Fingerprint of the configuration first put in validation. */
	firstValidated: optional(string()),
	/** What security events showed during validation; undefined if they could not be read. */
	validation: optional(validationSchema),
	/** When only the new version was first seen active, in milliseconds since the epoch. */
	completed: optional(number()),
	/** Name of the report in the zone's folder. */
	report: optional(string()),
});

/** Parses a record from a line of the journal. Undefined if it is invalid. */
export const parseMigrationRecord = (json: JsonValue): MigrationRecord | undefined =>
	parseOrUndefined(recordSchema, json);

/** Parses a review from its file. Undefined if it is invalid. */
export const parseReview = (json: JsonValue): ConfigurationReview | undefined =>
	parseOrUndefined(reviewSchema, json);
