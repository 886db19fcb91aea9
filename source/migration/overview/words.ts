import {zonePlanNames} from '../../service/plan.ts';
import {describeHolding} from '../../state/holder.ts';
import {formatInteger, formatQuantity} from '../../text/figures.ts';
import type {UnfinishedMigration} from '../journal/unfinished.ts';
import type {MigrationStage} from '../machine/stage.ts';
import {stateTable} from '../machine/states.ts';
import {listBlockerNames, listUnreadNames} from '../zone/blocker-names.ts';
import {
	areCustomRulesNearlyFull,
	getCustomRuleLimit,
	getPartValue,
	getZoneProgress,
	listOverviewFailures,
	type ZoneOverview,
	type ZoneProgress,
} from './overview.ts';

/**
 * The cells of a zone, for the table and the screen. An empty cell was not read yet. The texts are not
 * escaped.
 */
type OverviewCells = {
	readonly plan: string;
	readonly old: string;
	readonly new: string;
	readonly migration: string;
	readonly custom: string;
	/** Details, of a few words each. */
	readonly about: readonly string[];
};

/** Shown for values that the service does not report. */
const unreportedText = '–';

export function buildOverviewCells(overview: ZoneOverview): OverviewCells {
	const {zone, migration} = overview;
	const reportedMigration = getPartValue(migration);
	const formatStatus = (value: string | undefined) =>
		migration === undefined ? '' : 'failure' in migration ? 'unknown' : (value ?? unreportedText);
	return {
		plan: zone.plan ? zonePlanNames[zone.plan] : 'unknown',
		old: formatStatus(reportedMigration?.status?.oldWaf),
		new: formatStatus(reportedMigration?.status?.newWaf),
		migration: formatMigrationProgress(overview),
		custom: formatCustomRuleCount(overview),
		about: listOverviewDetails(overview),
	};
}

/** Words for zones in a state, in the order of the totals. */
const totalWords: Readonly<Record<ZoneProgress, string>> = {
	'in doubt': 'in doubt',
	sending: 'sending',
	unfinished: 'unfinished',
	validation: 'validation',
	pending: 'pending',
	eligible: 'eligible',
	blocked: 'blocked',
	complete: 'complete',
	none: 'no migration',
	unknown: 'unknown',
	unread: 'loading',
};

/** Formats how many zones are in each state: "1 validation, 5 eligible, 7 complete". */
export function formatZoneTotals(overviews: readonly ZoneOverview[]): string {
	const counts = Map.groupBy(overviews, getZoneProgress);
	const texts = Object.entries(totalWords).flatMap(([progress, words]) => {
		const count = counts.get(progress as ZoneProgress)?.length ?? 0;
		return count === 0 ? [] : [`${formatInteger(count)} ${words}`];
	});
	return texts.join(', ');
}

function formatMigrationProgress(overview: ZoneOverview): string {
	const progress = getZoneProgress(overview);
	switch (progress) {
		case 'unread':
			return '';
		case 'none':
			return unreportedText;
		case 'blocked': {
			const blockers = getPartValue(overview.migration)?.eligibility.blockers ?? [];
			// Blockers that do not hinder are only notes.
			return `blocked: ${blockers.filter(({hinders}) => hinders).length}`;
		}
		default:
			return progress;
	}
}

/** Formats the number of custom rules: "3/5", or "3" if the limit is unknown. */
function formatCustomRuleCount({zone, customRules}: ZoneOverview): string {
	if (customRules === undefined) return '';
	if ('failure' in customRules) return 'unknown';
	const maxCount = getCustomRuleLimit(zone);
	return `${formatInteger(customRules.value)}${maxCount === undefined ? '' : `/${formatInteger(maxCount)}`}`;
}

/** What a stage means while the migration is in progress. */
const stageDetails: Partial<Record<MigrationStage, readonly string[]>> = {
	validation: ['both versions are on'],
	pending: ['the previous version is being turned off'],
};

function listOverviewDetails(overview: ZoneOverview): readonly string[] {
	const {zone, migration} = overview;
	const journal = getPartValue(overview.journal);
	const eligibility = getPartValue(migration)?.eligibility;
	const hasTurnOffBegun = eligibility?.stage === 'pending' || eligibility?.stage === 'complete';
	return [
		...(journal ? [describeJournal(journal)] : []),
		...(!journal && eligibility ? (stageDetails[eligibility.stage] ?? []) : []),
		...(eligibility && !hasTurnOffBegun
			? [...listBlockerNames(zone, eligibility), ...listUnreadNames(eligibility)]
			: []),
		...(areCustomRulesNearlyFull(overview) ? [describeCustomRuleRoom(overview)] : []),
		...listOverviewFailures(overview).map(({part, failure}) => `${part}: ${failure.message}`),
	];
}

function describeJournal(journal: UnfinishedMigration): string {
	if (!('record' in journal)) return journal.failure.message;
	const {meaning, shortMeaning = meaning} = stateTable[journal.record.state];
	return journal.holder ? `${shortMeaning}; ${describeHolding(journal.holder)}` : shortMeaning;
}

function describeCustomRuleRoom({zone, customRules}: ZoneOverview): string {
	const remainingCount = (getCustomRuleLimit(zone) ?? 0) - (getPartValue(customRules) ?? 0);
	return remainingCount > 0
		? `room for ${formatQuantity(remainingCount, 'custom rule')}`
		: 'no room for a custom rule';
}
