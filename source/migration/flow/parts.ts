import type {Failure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationJournal} from '../journal/journal.ts';
import type {Mode, Observation} from '../machine/stage.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';

/** What is under way, for whoever shows it. */
export type FlowStep =
	| {readonly does: 'reading'; readonly what: string}
	| {readonly does: 'backing up'; readonly objects: number}
	| {readonly does: 'sending'; readonly mode: Mode}
	/** The answer is lost, and the zone is looked at until then (milliseconds since the epoch). */
	| {readonly does: 'looking'; readonly until: number}
	| {readonly does: 'watching'; readonly observed: Observation}
	/** What is watched cannot be read since then (milliseconds since the epoch); it is tried on. */
	| {readonly does: 'trying'; readonly since: number; readonly failure: Failure};

/** What a person typed before a PUT that changes the protection of a live site. */
export type Confirmation = {
	/** The zone's name, as it was typed. */
	readonly zone: string;
	/** Said where the configuration deploys no managed ruleset at all. */
	readonly withoutRulesets?: boolean;
	/** Said where not all of what will be lost could be read for the backup. */
	readonly incompleteBackup?: boolean;
};

export type FlowWork = {
	readonly signal: AbortSignal;
	onStep?(step: FlowStep): void;
	/** For the audit log: a write is sent now; one took effect. */
	sends?(what: string): void;
	wrote?(what: string): void;
};

export type FlowParts = {
	readonly client: Client;
	readonly zone: MigrationZone;
	readonly journal: MigrationJournal;
	/** Nothing is written at all. */
	readonly readOnly?: boolean;
};

/** What a person types where the name of the zone is not enough; the same in the screens and at a prompt. */
export const furtherWords = {
	/** What is sent deploys no managed ruleset. */
	'further word': 'unprotected',
	/** Not all of what will be lost could be read for the backup. */
	'word about the backup': 'incomplete',
} as const;
