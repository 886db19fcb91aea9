/** Which version of the managed rules is active. These are ledge's words; the service has its own. */
export type MigrationStage =
	/** Previous version only. */
	| 'previous'
	/** Both; the new one runs first. */
	| 'validation'
	/** The new version is replacing the previous one. */
	| 'pending'
	/** New version only. */
	| 'complete'
	/** The service reports an unknown state; nothing is written. */
	| 'unknown';

export const stageWords: Readonly<Record<MigrationStage, string>> = {
	previous: 'previous managed rules only',
	validation: 'validation mode: both versions are on, the new one first',
	pending: 'the previous version is being turned off',
	complete: 'new version only',
	unknown: 'a state that ledge does not know',
};

/** The modes of putting a configuration (`waf_migration=validation` and `=pending`). */
export type MigrationMode = 'validation' | 'pending';

/** The parsed `result` of `waf_migration/status`. */
export type MigrationStatus = {
	/** `migration_state` as reported by the service. */
	readonly state?: string | undefined;
	/** `enabled`, `disabled`, or another word of the service. */
	readonly newWaf?: string | undefined;
	readonly oldWaf?: string | undefined;
	readonly created?: string | undefined;
	readonly source?: string | undefined;
};

/** The parsed `result` of `waf_migration/check`. */
export type CompatibilityCheck = {
	readonly compatible: boolean;
	readonly state?: string | undefined;
	/** Why the service did not answer; `compatible` is then false. */
	readonly unanswered?: string | undefined;
};

/** What the service reports about a zone at one moment. */
export type Observation = {
	/** When the first response arrived, in milliseconds since the epoch. */
	readonly at: number;
	readonly stage: MigrationStage;
	readonly check: CompatibilityCheck;
	readonly status?: MigrationStatus | undefined;
	/** The entry point of the managed phase; undefined: none exists yet. */
	readonly entryPoint?:
		| {readonly id: string; readonly version: string; readonly fingerprint: string; readonly rules: number}
		| undefined;
};
