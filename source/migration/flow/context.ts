import type {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationJournal} from '../journal/journal.ts';
import type {MigrationMode, Observation} from '../machine/stage.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';

/** Progress of a flow, for display. */
export type FlowStep =
	| {readonly does: 'reading'; readonly what: string}
	/** `objects`: number of objects read for the backup so far. */
	| {readonly does: 'backing up'; readonly objects: number}
	| {readonly does: 'sending'; readonly mode: MigrationMode}
	/** The response is lost; the zone is observed until `until`, in milliseconds since the epoch. */
	| {readonly does: 'looking'; readonly until: number}
	| {readonly does: 'watching'; readonly observation: Observation}
	/** The zone has been unreadable since `since`, in milliseconds since the epoch; reading is retried. */
	| {readonly does: 'trying'; readonly since: number; readonly failure: Failure};

/** What the user typed to confirm a PUT that changes the protection of a live site. */
export type PutConfirmation = {
	/** The zone's name as typed. */
	readonly zone: string;
	/** Required if the configuration deploys no managed ruleset. */
	readonly withoutRulesets?: boolean;
	/** Required if the backup lacks data that the migration deletes. */
	readonly incompleteBackup?: boolean;
};

export type FlowOptions = {
	readonly signal: AbortSignal;
	onStep?(step: FlowStep): void;
	/**
	 * Both are for the audit log: `onSend` is called before a write is sent, `onWritten` after one took effect.
	 */
	onSend?(what: string): void;
	onWritten?(what: string): void;
};

export type FlowContext = {
	readonly client: Client;
	readonly zone: MigrationZone;
	readonly journal: MigrationJournal;
	/** True if nothing may be written. */
	readonly readOnly?: boolean;
};

/** Words to type in addition to the zone's name, in the screens and at a prompt. */
export const confirmationWords = {
	/** The configuration deploys no managed ruleset. */
	'word about protection': 'unprotected',
	/** The backup lacks data that the migration deletes. */
	'word about the backup': 'incomplete',
} as const;
