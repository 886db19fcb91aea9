import type {Failure} from '../../failure.ts';
import {rulesByPlan} from '../../firewall/limits.ts';
import type {Zone} from '../../service/zones.ts';
import type {UnfinishedMigration} from '../journal/unfinished.ts';
import type {MigrationStatus} from '../machine/stage.ts';
import {isInDoubt, isNotTaken, isStartingValidation, isSurprise, stateTable} from '../machine/states.ts';
import type {Eligibility} from '../zone/eligibility.ts';
import {hasNoMigration} from '../zone/hindrances.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';

/** A part of a zone, or why it could not be read. */
export type Found<Value> = {readonly value: Value} | {readonly failure: Failure};

/** What the service reports about the migration of a zone. */
export type ReportedMigration = {
	readonly eligibility: Eligibility;
	/** Undefined if the service reports no status. */
	readonly status: MigrationStatus | undefined;
};

/** The data that zones are compared by. An undefined part was not read yet. */
export type ZoneOverview = {
	readonly zone: MigrationZone;
	/** The unfinished migration in the journals of this machine; `value` is undefined if none exists. */
	readonly journal?: Found<UnfinishedMigration | undefined> | undefined;
	readonly migration?: Found<ReportedMigration> | undefined;
	/** Number of custom rules, including disabled ones. */
	readonly customRules?: Found<number> | undefined;
};

/** The progress of a zone's migration, in one word. */
type Standing =
	/** The answer to a PUT was lost, or an unreadable journal may hold such a PUT. */
	| 'in doubt'
	/** A PUT is under way. */
	| 'sending'
	/** The journal waits for the user, or for reading what the service has finished. */
	| 'unfinished'
	| 'validation'
	| 'pending'
	| 'eligible'
	| 'blocked'
	| 'complete'
	/** The zone never had the previous managed rules. */
	| 'none'
	/** The service could not be reached. */
	| 'unknown'
	| 'unread';

/**
 * Returns the progress of a zone's migration. An unfinished journal takes precedence over the service,
 * because only the journal knows of a PUT without visible effect.
 */
export function standingOf(overview: ZoneOverview): Standing {
	const journal = valueIn(overview.journal);
	const reported = valueIn(overview.migration);
	if (journal) return journalStanding(journal, reported);
	if (reported) return reportedStanding(reported.eligibility);
	return overview.migration ? 'unknown' : 'unread';
}

function journalStanding(journal: UnfinishedMigration, reported: ReportedMigration | undefined): Standing {
	if (!('record' in journal)) return 'in doubt';
	const {state, put, seen} = journal.record;
	const {activity, stage: meant} = stateTable[state];
	if (activity === 'sending') return 'sending';
	// An abandoned PUT may still arrive.
	if (isInDoubt(state) || (isNotTaken(state) && put?.came === 'given up')) return 'in doubt';
	if (isSurprise(state)) return 'unfinished';
	const stage = reported?.eligibility.stage ?? (isNotTaken(state) ? seen?.stage : meant);
	if (stage === 'validation' || stage === 'pending') return stage;
	return isStartingValidation(state) && stage !== 'complete' ? 'validation' : 'unfinished';
}

function reportedStanding(found: Eligibility): Standing {
	if (hasNoMigration(found)) return 'none';
	switch (found.stage) {
		case 'validation':
		case 'pending':
		case 'complete':
			return found.stage;
		case 'previous':
		case 'unknown':
			return found.eligible ? 'eligible' : 'blocked';
		default:
			return found.stage satisfies never;
	}
}

/** Returns the maximum number of custom rules. Undefined if the zone's plan is unknown. */
export const customRulesAllowed = ({plan}: Pick<MigrationZone, 'plan'>): number | undefined =>
	plan && rulesByPlan[plan];

/** True if at most a tenth of the custom rules, or one rule, is left. */
export function areCustomRulesNearlyFull({zone, customRules}: ZoneOverview): boolean {
	const used = valueIn(customRules);
	const allowed = customRulesAllowed(zone);
	return used !== undefined && allowed !== undefined && allowed - used <= Math.max(1, allowed / 10);
}

/** Reasons for the position of a zone in the list, the most urgent first. */
export const attentions = [
	'in doubt',
	'in progress',
	'eligible',
	'blocked',
	'custom rules nearly full',
	'not readable',
	'complete',
	'nothing to do',
	'unread',
] as const;
type Attention = (typeof attentions)[number];

/** Returns what a zone needs attention for: the first of `attentions` that applies. */
export function attentionOf(overview: ZoneOverview): Attention {
	const standing = standingOf(overview);
	switch (standing) {
		case 'in doubt':
		case 'sending':
		case 'unfinished':
			return 'in doubt';
		case 'validation':
		case 'pending':
			return 'in progress';
		case 'eligible':
		case 'blocked':
			return standing;
		case 'complete':
		case 'none':
		case 'unknown':
			if (areCustomRulesNearlyFull(overview)) return 'custom rules nearly full';
			if (failuresOf(overview).length > 0) return 'not readable';
			return standing === 'complete' ? standing : 'nothing to do';
		case 'unread':
			return standing;
		default:
			return standing satisfies never;
	}
}

/** True if the user has to do or check something in the zone. */
export const needsAttention = (overview: ZoneOverview): boolean =>
	attentions.indexOf(attentionOf(overview)) < attentions.indexOf('complete');

/** Compares zones by attention, then by name, then by id; for `toSorted`. */
export function byAttention(one: ZoneOverview, other: ZoneOverview): number {
	return (
		attentions.indexOf(attentionOf(one)) - attentions.indexOf(attentionOf(other)) ||
		compared(one.zone.name, other.zone.name) ||
		compared(one.zone.id, other.zone.id)
	);
}

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Lists the parts that could not be read, with the reason; the migration first. */
export function failuresOf({migration, customRules, journal}: ZoneOverview): readonly {
	readonly part: 'migration' | 'custom rules' | 'journals';
	readonly failure: Failure;
}[] {
	const parts = [
		['migration', migration],
		['custom rules', customRules],
		['journals', journal],
	] as const;
	return parts.flatMap(([part, found]) =>
		found && 'failure' in found ? [{part, failure: found.failure}] : [],
	);
}

/** Returns a value that was read. Undefined if it was not, or could not be. */
export const valueIn = <Value>(found: Found<Value> | undefined): Value | undefined =>
	found && 'value' in found ? found.value : undefined;

/** Converts a zone of the list to a migration zone. */
export function migrationZoneOf({id, name, level, account}: Zone): MigrationZone {
	const owner = account.name || account.id || undefined;
	return {
		id,
		name,
		plan: level,
		label: `${owner ? `${owner} › ` : ''}zone ${name}`,
		account: owner,
		accountId: account.id || undefined,
	};
}
