/** What of a zone is in force: the words are ours, the service has its own. */
export type Stage =
	/** Previous version only. */
	| 'previous'
	/** Both; the new one runs first. */
	| 'validation'
	/** The new one is being put in place of the previous one. */
	| 'pending'
	/** New version only. */
	| 'complete'
	/** The service says something that nobody has seen before: shown, and nothing is written. */
	| 'unknown';

/** The stages in sentences. */
export const stageWords: Readonly<Record<Stage, string>> = {
	previous: 'previous version only',
	validation: 'validation mode: both versions are on, the new one first',
	pending: 'the previous version is being turned off',
	complete: 'new version only',
	unknown: 'a state that ledge does not know',
};

/** The two ways of putting a configuration (`waf_migration=validation` and `=pending`). */
export type Mode = 'validation' | 'pending';

/** `result` of `waf_migration/status`, read. */
export type MigrationStatus = {
	/** `migration_state` as the service says it. */
	readonly state?: string | undefined;
	/** `enabled`, `disabled`, or whatever the service says. */
	readonly newWaf?: string | undefined;
	readonly oldWaf?: string | undefined;
	readonly created?: string | undefined;
	readonly source?: string | undefined;
};

/** `result` of `waf_migration/check`, read. */
export type Check = {
	readonly compatible: boolean;
	readonly state?: string | undefined;
	/** Why the service gave no answer to it: then nothing is known, and `compatible` is false. */
	readonly unanswered?: string | undefined;
};

/** What the service reports of a zone at one moment. */
export type Observation = {
	/** When the first of the answers came, milliseconds since the epoch. */
	readonly at: number;
	readonly stage: Stage;
	readonly check: Check;
	readonly status?: MigrationStatus | undefined;
	/** The entry point of the managed phase: its version, and the fingerprint of its rules. None: there is none yet. */
	readonly entryPoint?:
		| {readonly id: string; readonly version: string; readonly fingerprint: string; readonly rules: number}
		| undefined;
};
