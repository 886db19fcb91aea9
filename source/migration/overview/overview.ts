import type {Failure} from '../../failure.ts';
import {maxRulesByPlan} from '../../firewall/limits.ts';
import type {Zone} from '../../service/zones.ts';
import type {UnfinishedMigration} from '../journal/unfinished.ts';
import type {MigrationStatus} from '../machine/stage.ts';
import {
	hasUnknownOutcome,
	isNotAccepted,
	isStartingValidation,
	isUnexpectedState,
	stateTable,
} from '../machine/states.ts';
import {hasNoMigration} from '../zone/blocker-names.ts';
import type {Eligibility} from '../zone/eligibility.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';

/** A part of a zone, or why it could not be read. */
export type PartResult<Value> = {readonly value: Value} | {readonly failure: Failure};

/** What the service reports about the migration of a zone. */
export type ReportedMigration = {
	readonly eligibility: Eligibility;
	/** Undefined if the service reports no status. */
	readonly status: MigrationStatus | undefined;
};

/** The data by which zones are compared. A part is undefined until it was read. */
export type ZoneOverview = {
	readonly zone: MigrationZone;
	/** The unfinished migration in the journals of this machine; `value` is undefined if none exists. */
	readonly journal?: PartResult<UnfinishedMigration | undefined> | undefined;
	readonly migration?: PartResult<ReportedMigration> | undefined;
	/** Number of custom rules, including disabled ones. */
	readonly customRules?: PartResult<number> | undefined;
};

/** The progress of a zone's migration, in one word. */
export type ZoneProgress =
	/** The response to a PUT was lost, or an unreadable journal may hold such a PUT. */
	| 'in doubt'
	/** A PUT is under way. */
	| 'sending'
	/** The journal waits for the user, or ledge has not read yet what the service has finished. */
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
export function getZoneProgress(overview: ZoneOverview): ZoneProgress {
	const journal = getPartValue(overview.journal);
	const reportedMigration = getPartValue(overview.migration);
	if (journal) return getJournalProgress(journal, reportedMigration);
	if (reportedMigration) return getReportedProgress(reportedMigration.eligibility);
	return overview.migration ? 'unknown' : 'unread';
}

function getJournalProgress(
	journal: UnfinishedMigration,
	reportedMigration: ReportedMigration | undefined,
): ZoneProgress {
	if (!('record' in journal)) return 'in doubt';
	const {state, put, seen} = journal.record;
	const {activity, stage: stateStage} = stateTable[state];
	if (activity === 'sending') return 'sending';
	// An abandoned PUT may still arrive.
	if (hasUnknownOutcome(state) || (isNotAccepted(state) && put?.came === 'given up')) return 'in doubt';
	if (isUnexpectedState(state)) return 'unfinished';
	// After a PUT that was not accepted, the state says nothing about the stage: the last observation counts.
	const stage = reportedMigration?.eligibility.stage ?? (isNotAccepted(state) ? seen?.stage : stateStage);
	if (stage === 'validation' || stage === 'pending') return stage;
	return isStartingValidation(state) && stage !== 'complete' ? 'validation' : 'unfinished';
}

function getReportedProgress(eligibility: Eligibility): ZoneProgress {
	if (hasNoMigration(eligibility)) return 'none';
	switch (eligibility.stage) {
		case 'validation':
		case 'pending':
		case 'complete':
			return eligibility.stage;
		case 'previous':
		case 'unknown':
			return eligibility.eligible ? 'eligible' : 'blocked';
		default:
			return eligibility.stage satisfies never;
	}
}

/** Returns the maximum number of custom rules. Undefined if the zone's plan is unknown. */
export const getCustomRuleLimit = ({plan}: Pick<MigrationZone, 'plan'>): number | undefined =>
	plan && maxRulesByPlan[plan];

/** True if at most a tenth of the allowed custom rules, or one, can still be created. */
export function areCustomRulesNearlyFull({zone, customRules}: ZoneOverview): boolean {
	const usedCount = getPartValue(customRules);
	const maxCount = getCustomRuleLimit(zone);
	return (
		usedCount !== undefined && maxCount !== undefined && maxCount - usedCount <= Math.max(1, maxCount / 10)
	);
}

/**
 * Reasons for the position of a zone in the list, the most urgent first. Unlike in `ZoneProgress`, `in doubt`
 * includes a PUT under way and an unfinished journal.
 */
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

/** Returns why a zone needs attention: the first of `attentions` that applies. */
export function getZoneAttention(overview: ZoneOverview): Attention {
	const progress = getZoneProgress(overview);
	switch (progress) {
		case 'in doubt':
		case 'sending':
		case 'unfinished':
			return 'in doubt';
		case 'validation':
		case 'pending':
			return 'in progress';
		case 'eligible':
		case 'blocked':
			return progress;
		case 'complete':
		case 'none':
		case 'unknown':
			if (areCustomRulesNearlyFull(overview)) return 'custom rules nearly full';
			if (listOverviewFailures(overview).length > 0) return 'not readable';
			return progress === 'complete' ? progress : 'nothing to do';
		case 'unread':
			return progress;
		default:
			return progress satisfies never;
	}
}

/** True if the user has to do or check something in the zone. */
export const needsAttention = (overview: ZoneOverview): boolean =>
	attentions.indexOf(getZoneAttention(overview)) < attentions.indexOf('complete');

/** Compares zones by attention, then by name, then by id; for `toSorted`. */
export function compareByAttention(one: ZoneOverview, other: ZoneOverview): number {
	return (
		attentions.indexOf(getZoneAttention(one)) - attentions.indexOf(getZoneAttention(other)) ||
		compareTexts(one.zone.name, other.zone.name) ||
		compareTexts(one.zone.id, other.zone.id)
	);
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Lists the parts that could not be read, with the reason. The migration comes first. */
export function listOverviewFailures({migration, customRules, journal}: ZoneOverview): readonly {
	readonly part: 'migration' | 'custom rules' | 'journals';
	readonly failure: Failure;
}[] {
	const parts = [
		['migration', migration],
		['custom rules', customRules],
		['journals', journal],
	] as const;
	return parts.flatMap(([part, result]) =>
		result && 'failure' in result ? [{part, failure: result.failure}] : [],
	);
}

/** Returns a value that was read. Undefined if it was not read yet or could not be. */
export const getPartValue = <Value>(result: PartResult<Value> | undefined): Value | undefined =>
	result && 'value' in result ? result.value : undefined;

/** Converts a zone of the list to a migration zone. */
export function toMigrationZone({id, name, level, account}: Zone): MigrationZone {
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
