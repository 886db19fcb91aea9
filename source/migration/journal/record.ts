import type {Mode, Observation, Stage} from '../machine/stage.ts';
import type {MigrationState} from '../machine/states.ts';

/** The entry point at one moment: enough to notice that somebody changed it. None: there was no entry point. */
export type EntryPointMark = {readonly version: string; readonly fingerprint: string};

/** A configuration that a person reviewed. It is in the zone's folder as `reviewed-FINGERPRINT.json`. */
export type Reviewed = {
	readonly fingerprint: string;
	/** Of the configuration that the service proposed when this was reviewed. */
	readonly proposed: string | undefined;
	/** The entry point as it was when this was reviewed. */
	readonly entryPoint?: EntryPointMark | undefined;
	readonly rules: number;
	/** Milliseconds since the epoch. */
	readonly at: number;
};

/** The last PUT that was sent, or was about to be, and what the zone was just before. */
export type Put = {
	readonly mode: Mode;
	readonly fingerprint: string;
	/** Milliseconds since the epoch. */
	readonly at: number;
	readonly before: {
		readonly stage: Stage;
		/** Of the entry point; none where there was no entry point. */
		readonly version: string | undefined;
		readonly fingerprint: string | undefined;
	};
	/** What became of it, as far as it is known. */
	readonly came?: 'accepted' | 'refused' | 'lost' | 'given up' | undefined;
	/** What the service said, or why no answer came. */
	readonly why?: string | undefined;
	/** What the service answered that it holds now: it may write rules in a form of its own. */
	readonly stored?: EntryPointMark | undefined;
};

/** A backup of the zone, in its folder. */
export type KeptBackup = {readonly folder: string; readonly objects: number; readonly at: number};

/** Figures of both versions of the managed rules. */
export type OfVersions = {readonly new: number; readonly previous: number};

/** Where the new rules stop what the previous ones let through. Names, host and path are data. */
export type ShownCandidate = {
	readonly rule: string;
	readonly name: string;
	readonly host: string;
	readonly path: string;
	/** Requests. */
	readonly stopped: number;
	readonly addresses?: number | undefined;
	readonly countries?: number | undefined;
};

/** What the security events of validation showed when they were read last. Times are milliseconds since the epoch. */
export type ValidationShown = {
	readonly since: number;
	readonly until: number;
	/** Whether the figures are estimates. */
	readonly isSampled: boolean;
	/** Requests that each version stopped, and those that only it stopped. */
	readonly stopped: OfVersions;
	readonly only: OfVersions;
	/** Events that were only logged. */
	readonly logged: OfVersions;
	readonly candidates: readonly ShownCandidate[];
	/** The most requests that the new rules stopped in an hour of this time. */
	readonly rate?: {readonly since: number; readonly until: number; readonly mostInHour: number} | undefined;
};

/** All that is known of the migration of a zone, and all that resuming needs: each line of the journal holds it whole. */
export type MigrationRecord = {
	readonly state: MigrationState;
	/** What was to be reached when this was written: validation, or the end. */
	readonly goal?: Mode | undefined;
	readonly reviewed?: Reviewed | undefined;
	readonly put?: Put | undefined;
	readonly backup?: KeptBackup | undefined;
	/** Ids of the overrides that ledge deleted and did not restore. */
	readonly deletedOverrides?: readonly string[] | undefined;
	/** What the service said last. */
	readonly seen?: Observation | undefined;
	/** Since when both versions were seen on, milliseconds since the epoch. */
	readonly validatingSince?: number | undefined;
	/** The fingerprint of what was put in validation first. */
	readonly firstValidated?: string | undefined;
	/** What security events showed during validation; none where they could not be read. */
	readonly validation?: ValidationShown | undefined;
	/** When the new version was first seen alone. */
	readonly completed?: number | undefined;
	/** Name of the report in the zone's folder. */
	readonly report?: string | undefined;
};
