import {Failure, isFailure} from '../../failure.ts';
import {getFirewallRulesPath} from '../../firewall/paths.ts';
import type {Client} from '../../service/client.ts';
import type {JsonObject} from '../../text/json.ts';
import type {CompatibilityCheck, MigrationStatus, Observation} from '../machine/stage.ts';
import {readServiceWord, resolveMigrationStage} from '../machine/stage-of.ts';
import {type PagedListing, readAllPages} from './all-pages.ts';
import {parseMigrationStatus, readCheckAndStatus} from './calls.ts';
import {readConcurrently} from './concurrent.ts';
import type {EligibilityFacts} from './eligibility.ts';
import type {MigrationZone} from './migration-zone.ts';
import {getOverridesPath} from './paths.ts';
import {findUnreadReason, type Snapshot, snapshotPartNames} from './snapshot.ts';
import {catchWithheld, toUnreadReason, type UnreadReason} from './unavailable.ts';

/** What decides whether a zone is eligible, and its migration status. */
type ReadFacts = EligibilityFacts & {readonly status?: MigrationStatus | undefined};

/**
 * Reads what decides whether a zone is eligible, with few requests: check and status, and, before the end of
 * the previous version, overrides and firewall rules with `bypass`. Parts that the service withholds are
 * undefined. A zone without a check gets `free`.
 */
export async function readFacts(
	client: Client,
	zone: MigrationZone,
	signal: AbortSignal,
): Promise<ReadFacts> {
	let reported: Awaited<ReturnType<typeof readCheckAndStatus>>;
	try {
		reported = await readCheckAndStatus(client, zone, signal);
	} catch (error) {
		if (!isFailure(error, 'not_eligible')) throw error;
		return buildFreeFacts(zone, error);
	}
	const {checked, stated} = reported;
	const stage = resolveMigrationStage(checked, stated);
	const facts = {zone, check: checked, stage, status: stated};
	if (stage === 'pending' || stage === 'complete') return facts;
	return {...facts, ...(await readPossibleBlockers(client, zone, signal))};
}

/** Reads what may block a zone besides the check: overrides and firewall rules with `bypass`. */
export async function readPossibleBlockers(
	client: Client,
	zone: Pick<MigrationZone, 'id'>,
	signal: AbortSignal,
): Promise<Pick<EligibilityFacts, 'overrides' | 'firewallRules' | 'unread'>> {
	const [overrides, firewallRules] = await readConcurrently(signal, [
		within =>
			readListing(client, {path: getOverridesPath(zone.id), one: 'an override', unpaged: true}, within),
		within =>
			readListing(
				client,
				{path: getFirewallRulesPath(zone.id), query: {action: 'bypass'}, one: 'a firewall rule'},
				within,
			),
	]);
	return {
		overrides: overrides.items,
		firewallRules: firewallRules.items,
		unread: {overrides: overrides.unread, firewallRules: firewallRules.unread},
	};
}

const buildFreeFacts = (zone: MigrationZone, free: Failure): ReadFacts => ({
	zone,
	check: {compatible: false, state: undefined},
	stage: 'previous',
	free,
});

/** Reads a list, or why the service withholds it. */
async function readListing(
	client: Client,
	listing: PagedListing,
	signal: AbortSignal,
): Promise<{readonly items?: readonly JsonObject[]; readonly unread?: UnreadReason}> {
	const items = await catchWithheld(readAllPages(client, listing, signal));
	return items instanceof Failure ? {unread: toUnreadReason(items)} : {items};
}

/** Returns what decides whether a zone is eligible, from a snapshot; unread parts are undefined. */
export function getEligibilityFacts({zone, unread, ...snapshot}: Snapshot): EligibilityFacts {
	const findReason = (what: string) => unread.find(one => one.what === what)?.why;
	const keepIfRead = <T>(what: string, value: T) => (findReason(what) === undefined ? value : undefined);
	const status = snapshot.status ? parseMigrationStatus(snapshot.status) : undefined;
	const check: CompatibilityCheck = {
		compatible: snapshot.check?.compatible === true,
		state: snapshot.check ? readServiceWord(snapshot.check, 'migration_state') : undefined,
		unanswered: findReason(snapshotPartNames.check),
	};
	return {
		zone,
		check,
		status,
		stage: resolveMigrationStage(check, status),
		overrides: keepIfRead(snapshotPartNames.overrides, snapshot.overrides),
		firewallRules: keepIfRead(snapshotPartNames.firewallRules, snapshot.firewallRules),
		unread: {
			overrides: findUnreadReason(unread, snapshotPartNames.overrides),
			firewallRules: findUnreadReason(unread, snapshotPartNames.firewallRules),
		},
	};
}

/** Returns the facts of a snapshot with a later check and status. */
export const getCurrentFacts = (
	snapshot: Snapshot,
	{check, status, stage}: Observation,
): EligibilityFacts => ({
	...getEligibilityFacts(snapshot),
	check,
	status,
	stage,
});
