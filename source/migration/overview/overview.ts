import type {Failure} from '../../failure.ts';
import {rulesByPlan} from '../../firewall/limits.ts';
import type {Zone} from '../../service/zones.ts';
import type {UnfinishedMigration} from '../journal/unfinished.ts';
import type {MigrationStatus} from '../machine/stage.ts';
import {isInDoubt, isNotTaken, isStartingValidation, isSurprise, stateTable} from '../machine/states.ts';
import type {Eligibility} from '../zone/eligibility.ts';
import {hasNoMigration} from '../zone/hindrances.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';

/** A part of what is read of a zone, or why it could not be read. */
export type Found<Value> = {readonly value: Value} | {readonly failure: Failure};

/** What the service reports of the migration of a zone. */
export type ReportedMigration = {
	readonly eligibility: Eligibility;
	/** `undefined` where the service reports no status. */
	readonly status: MigrationStatus | undefined;
};

/** What all zones are compared by. A part that is `undefined` was not read yet. */
export type ZoneOverview = {
	readonly zone: MigrationZone;
	/** The migration that the journals of this machine have as unfinished; `value` is `undefined` where none has it. */
	readonly journal?: Found<UnfinishedMigration | undefined> | undefined;
	readonly migration?: Found<ReportedMigration> | undefined;
	/** How many custom rules the zone has, disabled ones too. */
	readonly customRules?: Found<number> | undefined;
};

/** How far the migration of a zone is, in one word. */
type Standing =
	/** The answer to a PUT was lost, or a journal that cannot be read may hold such a PUT. */
	| 'in doubt'
	/** A PUT is under way. */
	| 'sending'
	/** The journal waits for a person, or for a look at what the service has finished. */
	| 'unfinished'
	| 'validation'
	| 'pending'
	| 'eligible'
	| 'blocked'
	| 'complete'
	/** The zone never had the previous managed rules. */
	| 'none'
	/** The service could not be asked. */
	| 'unknown'
	| 'unread';

/**
 * How far the migration of a zone is. What a journal has as unfinished counts before what the service reports, because
 * only the journal knows of a PUT that has not shown yet.
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
	// A PUT that was given up may still arrive.
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

/** Custom rules that a zone can have; `undefined` where its plan is unknown. */
export const customRulesAllowed = ({plan}: Pick<MigrationZone, 'plan'>): number | undefined =>
	plan && rulesByPlan[plan];

/** Whether the zone has room for a tenth of its custom rules at most, or for a single rule. */
export function areCustomRulesNearlyFull({zone, customRules}: ZoneOverview): boolean {
	const used = valueIn(customRules);
	const allowed = customRulesAllowed(zone);
	return used !== undefined && allowed !== undefined && allowed - used <= Math.max(1, allowed / 10);
}

/** Why a zone comes where it does, the most urgent first. */
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

/**
 * What a zone needs attention for: the first of `attentions` that applies. A PUT whose outcome is open comes first,
 * then what the service works on, then what waits for a person; then custom rules that run out and what could not be
 * read; last what needs nothing. What was not read yet has no place among them, and is behind all.
 */
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

/** Whether somebody has to do, or look at, something in the zone. */
export const needsAttention = (overview: ZoneOverview): boolean =>
	attentions.indexOf(attentionOf(overview)) < attentions.indexOf('complete');

/** The order of zones: by what needs attention, then by name, then by id. For `toSorted`. */
export function byAttention(one: ZoneOverview, other: ZoneOverview): number {
	return (
		attentions.indexOf(attentionOf(one)) - attentions.indexOf(attentionOf(other)) ||
		compared(one.zone.name, other.zone.name) ||
		compared(one.zone.id, other.zone.id)
	);
}

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The parts that could not be read, and why; the migration first. */
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

/** What was read; `undefined` where it was not, or could not be. */
export const valueIn = <Value>(found: Found<Value> | undefined): Value | undefined =>
	found && 'value' in found ? found.value : undefined;

/** A zone of the list, as migrations name it. */
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
