import {planNames} from '../../service/plan.ts';
import {describeHolding} from '../../state/holder.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {UnfinishedMigration} from '../journal/unfinished.ts';
import type {MigrationStage} from '../machine/stage.ts';
import {stateTable} from '../machine/states.ts';
import {listBlockerNames, listUnreadNames} from '../zone/hindrances.ts';
import {
	areCustomRulesNearlyFull,
	getCustomRuleLimit,
	getReadValue,
	getZoneStanding,
	listOverviewFailures,
	type ZoneOverview,
} from './overview.ts';

/** The cells of a zone, for the table and the screen. Empty: not read yet. Contains raw data. */
type OverviewCells = {
	readonly plan: string;
	readonly old: string;
	readonly new: string;
	readonly migration: string;
	readonly custom: string;
	/** Details, a few words each. */
	readonly about: readonly string[];
};

/** Shown for values that the service does not report. */
const unreported = '–';

export function buildOverviewCells(overview: ZoneOverview): OverviewCells {
	const {zone, migration} = overview;
	const reported = getReadValue(migration);
	const formatStatus = (value: string | undefined) =>
		migration === undefined ? '' : 'failure' in migration ? 'unknown' : (value ?? unreported);
	return {
		plan: zone.plan ? planNames[zone.plan] : 'unknown',
		old: formatStatus(reported?.status?.oldWaf),
		new: formatStatus(reported?.status?.newWaf),
		migration: formatMigrationProgress(overview),
		custom: formatCustomRuleCount(overview),
		about: listOverviewDetails(overview),
	};
}

function formatMigrationProgress(overview: ZoneOverview): string {
	const standing = getZoneStanding(overview);
	switch (standing) {
		case 'unread':
			return '';
		case 'none':
			return unreported;
		case 'blocked': {
			const blockers = getReadValue(overview.migration)?.eligibility.blockers ?? [];
			return `blocked: ${blockers.filter(({hinders}) => hinders).length}`;
		}
		default:
			return standing;
	}
}

/** Formats the number of custom rules: "3/5", or "3" if the limit is unknown. */
function formatCustomRuleCount({zone, customRules}: ZoneOverview): string {
	if (customRules === undefined) return '';
	if ('failure' in customRules) return 'unknown';
	const allowed = getCustomRuleLimit(zone);
	return `${customRules.value}${allowed === undefined ? '' : `/${allowed}`}`;
}

/** What an active stage means. */
const stageDetails: Partial<Record<MigrationStage, readonly string[]>> = {
	validation: ['both versions are on'],
	pending: ['the previous version is being turned off'],
};

function listOverviewDetails(overview: ZoneOverview): readonly string[] {
	const {zone, migration} = overview;
	const journal = getReadValue(overview.journal);
	const found = getReadValue(migration)?.eligibility;
	const isPast = found?.stage === 'pending' || found?.stage === 'complete';
	return [
		...(journal ? [describeJournal(journal)] : []),
		...(!journal && found ? (stageDetails[found.stage] ?? []) : []),
		...(found && !isPast ? [...listBlockerNames(zone, found), ...listUnreadNames(found)] : []),
		...(areCustomRulesNearlyFull(overview) ? [describeCustomRuleRoom(overview)] : []),
		...listOverviewFailures(overview).map(({part, failure}) => `${part}: ${failure.message}`),
	];
}

function describeJournal(journal: UnfinishedMigration): string {
	if (!('record' in journal)) return journal.failure.message;
	const {means, brief = means} = stateTable[journal.record.state];
	return journal.holder ? `${brief}; ${describeHolding(journal.holder)}` : brief;
}

function describeCustomRuleRoom({zone, customRules}: ZoneOverview): string {
	const left = (getCustomRuleLimit(zone) ?? 0) - (getReadValue(customRules) ?? 0);
	return left > 0 ? `room for ${formatQuantity(left, 'custom rule')}` : 'no room for a custom rule';
}
