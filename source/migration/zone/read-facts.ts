import {Failure, isFailure} from '../../failure.ts';
import {getFirewallRulesPath} from '../../firewall/paths.ts';
import type {Client} from '../../service/client.ts';
import type {JsonObject} from '../../text/json.ts';
import {readServiceWord, resolveMigrationStage} from '../machine/resolve-stage.ts';
import type {CompatibilityCheck, MigrationStatus, Observation} from '../machine/stage.ts';
import {type PagedListing, readAllPages} from './all-pages.ts';
import {parseMigrationStatus, readCheckAndStatus} from './calls.ts';
import {readConcurrently} from './concurrent.ts';
import type {EligibilityFacts} from './eligibility.ts';
import type {MigrationZone} from './migration-zone.ts';
import {getOverridesPath} from './paths.ts';
import {findUnreadReason, type Snapshot, snapshotPartNames} from './snapshot.ts';
import {toFailureIfWithheld, toUnreadReason, type UnreadReason} from './withheld.ts';

/** The facts that decide whether a zone is eligible, and its migration status. */
type ZoneFacts = EligibilityFacts & {readonly status?: MigrationStatus | undefined};

/**
 * Reads what decides whether a zone is eligible, with few requests: check and status, and, while the previous
 * version is active, overrides and firewall rules with the action `bypass`. Parts that the service withholds
 * are undefined. If the service has no check for the zone, `missingCheckFailure` is set.
 */
export async function readEligibilityFacts(
	client: Client,
	zone: MigrationZone,
	signal: AbortSignal,
): Promise<ZoneFacts> {
	let checkAndStatus: Awaited<ReturnType<typeof readCheckAndStatus>>;
	try {
		checkAndStatus = await readCheckAndStatus(client, zone, signal);
	} catch (error) {
		if (!isFailure(error, 'not_eligible')) throw error;
		return buildFactsWithoutCheck(zone, error);
	}
	const {check, status} = checkAndStatus;
	const stage = resolveMigrationStage(check, status);
	const facts = {zone, check, stage, status};
	if (stage === 'pending' || stage === 'complete') return facts;
	return {...facts, ...(await readPossibleBlockers(client, zone, signal))};
}

/** Reads what may block a zone besides the check: overrides, and firewall rules with the action `bypass`. */
export async function readPossibleBlockers(
	client: Client,
	zone: Pick<MigrationZone, 'id'>,
	signal: AbortSignal,
): Promise<Pick<EligibilityFacts, 'overrides' | 'firewallRules' | 'unread'>> {
	const [overrides, firewallRules] = await readConcurrently(signal, [
		childSignal =>
			readListing(
				client,
				{path: getOverridesPath(zone.id), itemName: 'an override', unpaged: true},
				childSignal,
			),
		childSignal =>
			readListing(
				client,
				{path: getFirewallRulesPath(zone.id), query: {action: 'bypass'}, itemName: 'a firewall rule'},
				childSignal,
			),
	]);
	return {
		overrides: overrides.items,
		firewallRules: firewallRules.items,
		unread: {overrides: overrides.unread, firewallRules: firewallRules.unread},
	};
}

const buildFactsWithoutCheck = (zone: MigrationZone, missingCheckFailure: Failure): ZoneFacts => ({
	zone,
	check: {compatible: false, state: undefined},
	stage: 'previous',
	missingCheckFailure,
});

/** Reads a list, or returns why the service withholds it. */
async function readListing(
	client: Client,
	listing: PagedListing,
	signal: AbortSignal,
): Promise<{readonly items?: readonly JsonObject[]; readonly unread?: UnreadReason}> {
	const items = await toFailureIfWithheld(readAllPages(client, listing, signal));
	return items instanceof Failure ? {unread: toUnreadReason(items)} : {items};
}

/** Returns the facts that decide whether a zone is eligible, from a snapshot. Unread parts are undefined. */
export function getEligibilityFacts({zone, unread, ...snapshot}: Snapshot): EligibilityFacts {
	const findUnreadMessage = (what: string) => unread.find(one => one.what === what)?.why;
	const getIfRead = <T>(what: string, value: T) =>
		findUnreadMessage(what) === undefined ? value : undefined;
	const status = snapshot.status ? parseMigrationStatus(snapshot.status) : undefined;
	const check: CompatibilityCheck = {
		compatible: snapshot.check?.compatible === true,
		state: snapshot.check ? readServiceWord(snapshot.check, 'migration_state') : undefined,
		unanswered: findUnreadMessage(snapshotPartNames.check),
	};
	return {
		zone,
		check,
		status,
		stage: resolveMigrationStage(check, status),
		overrides: getIfRead(snapshotPartNames.overrides, snapshot.overrides),
		firewallRules: getIfRead(snapshotPartNames.firewallRules, snapshot.firewallRules),
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
