import type {EventGroup} from '../../analytics/event-groups.ts';
import {buildHostPathExpression} from '../../firewall/rules/targets.ts';
import type {ExceptionDraft} from '../configuration/exceptions.ts';
import type {VersionEvents} from './events.ts';
import type {EventPlace} from './places.ts';

/**
 * A rule at a host and path that may need an exception, with the evidence. A count is undefined if it could
 * not be read.
 */
export type ExceptionCandidate = EventPlace & {
	/** Number of different addresses whose requests were stopped. */
	readonly addresses: number | undefined;
	/**
	 * Number of requests whose address was read. It is less than `stopped` if there are more addresses than
	 * rows.
	 */
	readonly attributedRequests: number | undefined;
	/**
	 * Number of these addresses that other new rules stopped, too, at any path. An attacker triggers several
	 * rules.
	 */
	readonly sharedAddresses: number | undefined;
	/** Number of requests from the most frequent address. */
	readonly maxPerAddress: number | undefined;
	readonly countries: number | undefined;
};

/** Minimum number of addresses: fewer may be a single attacker. */
const minAddresses = 3;
/** Maximum number of candidates. */
const maxCandidates = 20;

/**
 * Finds places where the previous rules let through most of what the new rules stop. The requests must come
 * from at least three addresses that no other new rule stopped, and at most half of them from one address.
 * Returns at most 20 candidates, those with the most addresses first.
 */
export function findExceptionCandidates(
	places: readonly EventPlace[],
	events: VersionEvents,
): readonly ExceptionCandidate[] {
	const addresses = countByPlace(events.byAddress, 'clientIP');
	const rulesByAddress = groupRulesByAddress(events.byAddress ?? []);
	const countries = countByPlace(events.byCountry, 'clientCountryName');
	return places
		.filter(({version, ruleId, path}) => version === 'new' && ruleId !== '' && path !== '')
		.filter(({stoppedAlone, stopped}) => stoppedAlone * 2 > stopped)
		.map((place): ExceptionCandidate => {
			const addressCounts = addresses && [...(addresses.get(serializePlace(place)) ?? [])];
			return {
				...place,
				addresses: addressCounts?.length,
				attributedRequests: addressCounts?.reduce((sum, [, count]) => sum + count, 0),
				sharedAddresses: addressCounts?.filter(([address]) => (rulesByAddress.get(address)?.size ?? 0) > 1)
					.length,
				maxPerAddress: addressCounts && Math.max(0, ...addressCounts.map(([, count]) => count)),
				countries: countries && (countries.get(serializePlace(place))?.size ?? 0),
			};
		})
		.filter(
			({addresses: addressCount, sharedAddresses = 0, maxPerAddress = 0, stopped}) =>
				addressCount === undefined ||
				(addressCount - sharedAddresses >= minAddresses && maxPerAddress * 2 <= stopped),
		)
		.toSorted(
			(one, other) => (other.addresses ?? 0) - (one.addresses ?? 0) || other.stoppedAlone - one.stoppedAlone,
		)
		.slice(0, maxCandidates);
}

const serializePlace = ({ruleId, host, path}: Pick<EventPlace, 'ruleId' | 'host' | 'path'>): string =>
	JSON.stringify([ruleId, host, path]);

/** Counts the requests at each place by address or by country. */
function countByPlace(
	groups: readonly EventGroup[] | undefined,
	dimension: 'clientIP' | 'clientCountryName',
): ReadonlyMap<string, ReadonlyMap<string, number>> | undefined {
	if (!groups) return undefined;
	const countsByPlace = new Map<string, Map<string, number>>();
	for (const {count, dimensions} of groups) {
		const {ruleId = '', clientRequestHTTPHost: host = '', clientRequestPath: path = ''} = dimensions;
		const key = serializePlace({ruleId, host, path});
		const counts = countsByPlace.get(key) ?? new Map<string, number>();
		const dimensionValue = dimensions[dimension] ?? '';
		counts.set(dimensionValue, (counts.get(dimensionValue) ?? 0) + count);
		countsByPlace.set(key, counts);
	}
	return countsByPlace;
}

/** Lists the rules that stopped each address. */
function groupRulesByAddress(groups: readonly EventGroup[]): ReadonlyMap<string, ReadonlySet<string>> {
	const rulesByAddress = new Map<string, Set<string>>();
	for (const {dimensions} of groups) {
		const {clientIP: address = '', ruleId: rule = ''} = dimensions;
		const knownRules = rulesByAddress.get(address);
		if (knownRules) knownRules.add(rule);
		else rulesByAddress.set(address, new Set([rule]));
	}
	return rulesByAddress;
}

/**
 * Builds the exception for a candidate. It skips only the candidate's rule, at its host and path. Undefined
 * if the ruleset is unknown.
 */
export function buildCandidateException({
	ruleId,
	rulesetId,
	host,
	path,
}: Pick<EventPlace, 'ruleId' | 'rulesetId' | 'host' | 'path'>): ExceptionDraft | undefined {
	if (rulesetId === undefined) return undefined;
	return {
		expression: buildHostPathExpression(host, path),
		skips: {kind: 'rules', rules: {[rulesetId]: [ruleId]}},
	};
}
