import {type Failure, isFailure, toFailure} from '../../failure.ts';
import {readRulesetEntryPoint} from '../../rulesets/calls.ts';
import {customPhase} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {getOutcome} from '../../service/outcome.ts';
import type {Environment} from '../../state/directory.ts';
import {listUnfinishedMigrations, type UnfinishedMigration} from '../journal/unfinished.ts';
import {readConcurrently} from '../zone/concurrent.ts';
import {assessEligibility} from '../zone/eligibility.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import {readEligibilityFacts} from '../zone/read-facts.ts';
import {
	listOverviewFailures,
	type PartResult,
	type ReportedMigration,
	type ZoneOverview,
} from './overview.ts';

/** Finds the unfinished migration of a zone. */
type FindJournal = (zone: Pick<MigrationZone, 'id'>) => NonNullable<ZoneOverview['journal']>;

/**
 * Reads the journals of this machine at a place, once. An unreadable journal counts for the zone that its
 * folder is named after.
 */
export function readJournals(environment: Environment, place: string): FindJournal {
	let migrations: readonly UnfinishedMigration[];
	try {
		migrations = listUnfinishedMigrations(environment, place);
	} catch (error) {
		const failure = toFailure(error);
		return () => ({failure});
	}
	return ({id}) => ({value: migrations.find(one => belongsToZone(one, id))});
}

const belongsToZone = (one: UnfinishedMigration, zoneId: string): boolean =>
	('zone' in one ? one.zone.id : one.zoneId) === zoneId;

const concurrency = 4;

/**
 * Reads zones, four at a time, and reports each when it is complete. Sends at most five requests per zone if
 * the zone's firewall rules fit on one page. A failure affects only its own part of its zone. Once the
 * service is unreachable, the remaining zones get that failure without a request. Throws if the credential is
 * refused, and when interrupted.
 */
export async function readOverviews(
	client: Client,
	zones: Iterable<MigrationZone>,
	findJournal: FindJournal,
	onOverview: (overview: ZoneOverview) => void,
	signal: AbortSignal,
): Promise<void> {
	const zoneIterator = zones[Symbol.iterator]();
	let unreachableFailure: Failure | undefined;
	const readPendingZones = async (childSignal: AbortSignal): Promise<void> => {
		for (let nextZone = zoneIterator.next(); !nextZone.done; nextZone = zoneIterator.next()) {
			const zone = nextZone.value;
			const overview = unreachableFailure
				? {zone, migration: {failure: unreachableFailure}, customRules: {failure: unreachableFailure}}
				: await readOverview(client, zone, childSignal);
			unreachableFailure ??= findUnreachableFailure(overview);
			onOverview({...overview, journal: findJournal(zone)});
		}
	};
	await readConcurrently(
		signal,
		Array.from({length: concurrency}, () => readPendingZones),
	);
}

async function readOverview(client: Client, zone: MigrationZone, signal: AbortSignal): Promise<ZoneOverview> {
	const [migration, customRules] = await readConcurrently(signal, [
		childSignal => toPartResult(readReportedMigration(client, zone, childSignal)),
		childSignal => toPartResult(countCustomRules(client, zone, childSignal)),
	]);
	return {zone, migration, customRules};
}

async function readReportedMigration(
	client: Client,
	zone: MigrationZone,
	signal: AbortSignal,
): Promise<ReportedMigration> {
	const facts = await readEligibilityFacts(client, zone, signal);
	return {eligibility: assessEligibility(facts), status: facts.status};
}

async function countCustomRules(client: Client, {id}: MigrationZone, signal: AbortSignal): Promise<number> {
	return (await readRulesetEntryPoint(client, id, customPhase, signal))?.rules.length ?? 0;
}

async function toPartResult<Value>(reading: Promise<Value>): Promise<PartResult<Value>> {
	try {
		return {value: await reading};
	} catch (error) {
		// A refused credential, an interruption and an internal error concern all zones.
		if (!isFailure(error) || error.code === 'interrupted' || error.details.http === 401) throw error;
		return {failure: error};
	}
}

const findUnreachableFailure = (overview: ZoneOverview): Failure | undefined =>
	listOverviewFailures(overview).find(({failure}) => getOutcome(failure) === 'not sent')?.failure;
