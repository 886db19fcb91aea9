import {planNames} from '../../service/plan.ts';
import {holdingWords} from '../../state/holder.ts';
import {counted} from '../../text/figures.ts';
import type {UnfinishedMigration} from '../journal/unfinished.ts';
import type {Stage} from '../machine/stage.ts';
import {stateTable} from '../machine/states.ts';
import {hinderingWords, unreadWords} from '../zone/hindrances.ts';
import {
	areCustomRulesNearlyFull,
	customRulesAllowed,
	failuresOf,
	standingOf,
	valueIn,
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

export function cellsOf(overview: ZoneOverview): OverviewCells {
	const {zone, migration} = overview;
	const reported = valueIn(migration);
	const word = (said: string | undefined) =>
		migration === undefined ? '' : 'failure' in migration ? 'unknown' : (said ?? unreported);
	return {
		plan: zone.plan ? planNames[zone.plan] : 'unknown',
		old: word(reported?.status?.oldWaf),
		new: word(reported?.status?.newWaf),
		migration: migrationWord(overview),
		custom: customWord(overview),
		about: aboutOf(overview),
	};
}

function migrationWord(overview: ZoneOverview): string {
	const standing = standingOf(overview);
	switch (standing) {
		case 'unread':
			return '';
		case 'none':
			return unreported;
		case 'blocked': {
			const blockers = valueIn(overview.migration)?.eligibility.blockers ?? [];
			return `blocked: ${blockers.filter(({hinders}) => hinders).length}`;
		}
		default:
			return standing;
	}
}

/** Formats the number of custom rules: "3/5", or "3" if the limit is unknown. */
function customWord({zone, customRules}: ZoneOverview): string {
	if (customRules === undefined) return '';
	if ('failure' in customRules) return 'unknown';
	const allowed = customRulesAllowed(zone);
	return `${customRules.value}${allowed === undefined ? '' : `/${allowed}`}`;
}

/** What an active stage means. */
const underWay: Partial<Record<Stage, readonly string[]>> = {
	validation: ['both versions are on'],
	pending: ['the previous version is being turned off'],
};

function aboutOf(overview: ZoneOverview): readonly string[] {
	const {zone, migration} = overview;
	const journal = valueIn(overview.journal);
	const found = valueIn(migration)?.eligibility;
	const isPast = found?.stage === 'pending' || found?.stage === 'complete';
	return [
		...(journal ? [journalWords(journal)] : []),
		...(!journal && found ? (underWay[found.stage] ?? []) : []),
		...(found && !isPast ? [...hinderingWords(zone, found), ...unreadWords(found)] : []),
		...(areCustomRulesNearlyFull(overview) ? [roomWords(overview)] : []),
		...failuresOf(overview).map(({part, failure}) => `${part}: ${failure.message}`),
	];
}

function journalWords(journal: UnfinishedMigration): string {
	if (!('record' in journal)) return journal.failure.message;
	const {means, brief = means} = stateTable[journal.record.state];
	return journal.holder ? `${brief}; ${holdingWords(journal.holder)}` : brief;
}

function roomWords({zone, customRules}: ZoneOverview): string {
	const left = (customRulesAllowed(zone) ?? 0) - (valueIn(customRules) ?? 0);
	return left > 0 ? `room for ${counted(left, 'custom rule')}` : 'no room for a custom rule';
}
