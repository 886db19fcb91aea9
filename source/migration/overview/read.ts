import {asFailure, type Failure, isFailure} from '../../failure.ts';
import {entryPoint} from '../../rulesets/calls.ts';
import {customPhase} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {outcomeOf} from '../../service/outcome.ts';
import type {Environment} from '../../state/directory.ts';
import {type UnfinishedMigration, unfinishedMigrations} from '../journal/unfinished.ts';
import {together} from '../zone/concurrent.ts';
import {eligibility} from '../zone/eligibility.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import {readFacts} from '../zone/read-facts.ts';
import {type Found, failuresOf, type ReportedMigration, type ZoneOverview} from './overview.ts';

/** Finds the unfinished migration of a zone. */
type Journals = (zone: Pick<MigrationZone, 'id'>) => NonNullable<ZoneOverview['journal']>;

/**
 * Reads the journals of this machine at a place, once. An unreadable journal counts for the zone of its
 * folder.
 */
export function readJournals(environment: Environment, place: string): Journals {
	let all: readonly UnfinishedMigration[];
	try {
		all = unfinishedMigrations(environment, place);
	} catch (error) {
		const failure = asFailure(error);
		return () => ({failure});
	}
	return ({id}) => ({value: all.find(one => isOf(one, id))});
}

const isOf = (one: UnfinishedMigration, zone: string): boolean =>
	('zone' in one ? one.zone.id : one.zoneId) === zone;

const lanes = 4;

/**
 * Reads zones, four at a time, and reports each when it is complete: at most five requests per zone if its
 * firewall rules fit on one page. A failure affects only its own part of its zone. Once the service is
 * unreachable, the remaining zones get that failure without a request. Throws if the credential is refused,
 * and when interrupted.
 */
export async function readOverviews(
	client: Client,
	zones: Iterable<MigrationZone>,
	journals: Journals,
	found: (overview: ZoneOverview) => void,
	signal: AbortSignal,
): Promise<void> {
	const waiting = zones[Symbol.iterator]();
	let unreachable: Failure | undefined;
	const lane = async (within: AbortSignal): Promise<void> => {
		for (let next = waiting.next(); !next.done; next = waiting.next()) {
			const zone = next.value;
			const read = unreachable
				? {zone, migration: {failure: unreachable}, customRules: {failure: unreachable}}
				: await readZone(client, zone, within);
			unreachable ??= unreachableIn(read);
			found({...read, journal: journals(zone)});
		}
	};
	await together(
		signal,
		Array.from({length: lanes}, () => lane),
	);
}

async function readZone(client: Client, zone: MigrationZone, signal: AbortSignal): Promise<ZoneOverview> {
	const [migration, customRules] = await together(signal, [
		within => foundIn(reportedMigration(client, zone, within)),
		within => foundIn(customRuleCount(client, zone, within)),
	]);
	return {zone, migration, customRules};
}

async function reportedMigration(
	client: Client,
	zone: MigrationZone,
	signal: AbortSignal,
): Promise<ReportedMigration> {
	const facts = await readFacts(client, zone, signal);
	return {eligibility: eligibility(facts), status: facts.status};
}

async function customRuleCount(client: Client, {id}: MigrationZone, signal: AbortSignal): Promise<number> {
	return (await entryPoint(client, id, customPhase, signal))?.rules.length ?? 0;
}

async function foundIn<Value>(reading: Promise<Value>): Promise<Found<Value>> {
	try {
		return {value: await reading};
	} catch (error) {
		// A refused credential, an interruption and an internal error concern all zones.
		if (!isFailure(error) || error.code === 'interrupted' || error.details.http === 401) throw error;
		return {failure: error};
	}
}

const unreachableIn = (overview: ZoneOverview): Failure | undefined =>
	failuresOf(overview).find(({failure}) => outcomeOf(failure) === 'not sent')?.failure;
