import {Failure, isFailure} from '../../failure.ts';
import {rulesPath} from '../../firewall/paths.ts';
import type {Client} from '../../service/client.ts';
import type {JsonObject} from '../../text/json.ts';
import type {Check, MigrationStatus, Observation} from '../machine/stage.ts';
import {stageOf, wordIn} from '../machine/stage-of.ts';
import {allPages, type Listing} from './all-pages.ts';
import {checkAndStatus, statusIn} from './calls.ts';
import {together} from './concurrent.ts';
import type {EligibilityFacts} from './eligibility.ts';
import type {MigrationZone} from './migration-zone.ts';
import {overridesPath} from './paths.ts';
import {parts, reasonUnread, type Snapshot} from './snapshot.ts';
import {orWithheld, type UnreadReason, unreadReason} from './unavailable.ts';

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
	let answers: Awaited<ReturnType<typeof checkAndStatus>>;
	try {
		answers = await checkAndStatus(client, zone, signal);
	} catch (error) {
		if (!isFailure(error, 'not_eligible')) throw error;
		return withoutCheck(zone, error);
	}
	const {checked, stated} = answers;
	const stage = stageOf(checked, stated);
	const facts = {zone, check: checked, stage, status: stated};
	if (stage === 'pending' || stage === 'complete') return facts;
	return {...facts, ...(await readHindrances(client, zone, signal))};
}

/** Reads what may block a zone besides the check: overrides and firewall rules with `bypass`. */
export async function readHindrances(
	client: Client,
	zone: Pick<MigrationZone, 'id'>,
	signal: AbortSignal,
): Promise<Pick<EligibilityFacts, 'overrides' | 'firewallRules' | 'unread'>> {
	const [overrides, firewallRules] = await together(signal, [
		within => given(client, {path: overridesPath(zone.id), one: 'an override', unpaged: true}, within),
		within =>
			given(client, {path: rulesPath(zone.id), query: {action: 'bypass'}, one: 'a firewall rule'}, within),
	]);
	return {
		overrides: overrides.items,
		firewallRules: firewallRules.items,
		unread: {overrides: overrides.unread, firewallRules: firewallRules.unread},
	};
}

const withoutCheck = (zone: MigrationZone, free: Failure): ReadFacts => ({
	zone,
	check: {compatible: false, state: undefined},
	stage: 'previous',
	free,
});

/** Reads a list, or why the service withholds it. */
async function given(
	client: Client,
	listing: Listing,
	signal: AbortSignal,
): Promise<{readonly items?: readonly JsonObject[]; readonly unread?: UnreadReason}> {
	const items = await orWithheld(allPages(client, listing, signal));
	return items instanceof Failure ? {unread: unreadReason(items)} : {items};
}

/** Returns what decides whether a zone is eligible, from a snapshot; unread parts are undefined. */
export function factsIn({zone, unread, ...snapshot}: Snapshot): EligibilityFacts {
	const why = (what: string) => unread.find(one => one.what === what)?.why;
	const read = <T>(what: string, value: T) => (why(what) === undefined ? value : undefined);
	const status = snapshot.status ? statusIn(snapshot.status) : undefined;
	const check: Check = {
		compatible: snapshot.check?.compatible === true,
		state: snapshot.check ? wordIn(snapshot.check, 'migration_state') : undefined,
		unanswered: why(parts.check),
	};
	return {
		zone,
		check,
		status,
		stage: stageOf(check, status),
		overrides: read(parts.overrides, snapshot.overrides),
		firewallRules: read(parts.firewallRules, snapshot.firewallRules),
		unread: {
			overrides: reasonUnread(unread, parts.overrides),
			firewallRules: reasonUnread(unread, parts.firewallRules),
		},
	};
}

/** Returns the facts of a snapshot with a later check and status. */
export const factsSince = (snapshot: Snapshot, {check, status, stage}: Observation): EligibilityFacts => ({
	...factsIn(snapshot),
	check,
	status,
	stage,
});
