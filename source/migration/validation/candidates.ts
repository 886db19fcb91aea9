import type {EventGroup} from '../../analytics/event-groups.ts';
import {hostPathExpression} from '../../firewall/rules/targets.ts';
import type {ExceptionDraft} from '../configuration/exceptions.ts';
import type {VersionEvents} from './events.ts';
import type {Place} from './places.ts';

/**
 * A rule and a path for which a person may want an exception, with what speaks for it. What could not be read is
 * `undefined`.
 */
export type Candidate = Place & {
	/** Different addresses whose requests were stopped there. */
	readonly addresses: number | undefined;
	/** Requests whose addresses were read: fewer than were stopped where there are more addresses than are listed. */
	readonly requestsOfAddresses: number | undefined;
	/** Those of them that other new rules stopped, too, wherever: an attacker trips several. */
	readonly byOthers: number | undefined;
	/** Requests from the most frequent of them. */
	readonly mostOfOne: number | undefined;
	readonly countries: number | undefined;
};

/** Addresses that a candidate has at least: fewer may be a single attacker. */
const leastAddresses = 3;
/** Candidates that are listed. */
const mostCandidates = 20;

/**
 * Where most of what the new rules stop was let through by the previous ones, from different addresses: three at least
 * that no other new rule stopped, and none with more than half of the requests. Most addresses first, 20 at most.
 */
export function candidatesIn(places: readonly Place[], events: VersionEvents): readonly Candidate[] {
	const addresses = partsBy(events.addresses, 'clientIP');
	const rulesOf = rulesByAddress(events.addresses ?? []);
	const countries = partsBy(events.countries, 'clientCountryName');
	return places
		.filter(({version, rule, path}) => version === 'new' && rule !== '' && path !== '')
		.filter(({only, stopped}) => only * 2 > stopped)
		.map((place): Candidate => {
			const from = addresses && [...(addresses.get(placeOf(place)) ?? [])];
			return {
				...place,
				addresses: from?.length,
				requestsOfAddresses: from?.reduce((sum, [, count]) => sum + count, 0),
				byOthers: from?.filter(([address]) => (rulesOf.get(address)?.size ?? 0) > 1).length,
				mostOfOne: from && Math.max(0, ...from.map(([, count]) => count)),
				countries: countries && (countries.get(placeOf(place))?.size ?? 0),
			};
		})
		.filter(
			({addresses: many, byOthers = 0, mostOfOne = 0, stopped}) =>
				many === undefined || (many - byOthers >= leastAddresses && mostOfOne * 2 <= stopped),
		)
		.toSorted((one, other) => (other.addresses ?? 0) - (one.addresses ?? 0) || other.only - one.only)
		.slice(0, mostCandidates);
}

const placeOf = ({rule, host, path}: Pick<Place, 'rule' | 'host' | 'path'>): string =>
	JSON.stringify([rule, host, path]);

/** The counts of each place by another dimension. */
function partsBy(
	groups: readonly EventGroup[] | undefined,
	dimension: 'clientIP' | 'clientCountryName',
): ReadonlyMap<string, ReadonlyMap<string, number>> | undefined {
	if (!groups) return undefined;
	const byPlace = new Map<string, Map<string, number>>();
	for (const {count, dimensions} of groups) {
		const {ruleId: rule = '', clientRequestHTTPHost: host = '', clientRequestPath: path = ''} = dimensions;
		const key = placeOf({rule, host, path});
		const counts = byPlace.get(key) ?? new Map<string, number>();
		const part = dimensions[dimension] ?? '';
		counts.set(part, (counts.get(part) ?? 0) + count);
		byPlace.set(key, counts);
	}
	return byPlace;
}

/** The rules that stopped each address. */
function rulesByAddress(groups: readonly EventGroup[]): ReadonlyMap<string, ReadonlySet<string>> {
	const rules = new Map<string, Set<string>>();
	for (const {dimensions} of groups) {
		const {clientIP: address = '', ruleId: rule = ''} = dimensions;
		const known = rules.get(address);
		if (known) known.add(rule);
		else rules.set(address, new Set([rule]));
	}
	return rules;
}

/** The exception that lets the requests of a candidate through: its rule alone, at its host and path alone. */
export function exceptionFor({
	rule,
	ruleset,
	host,
	path,
}: Pick<Place, 'rule' | 'ruleset' | 'host' | 'path'>): ExceptionDraft | undefined {
	if (ruleset === undefined) return undefined;
	return {
		expression: hostPathExpression(host, path),
		skips: {kind: 'rules', rules: {[ruleset]: [rule]}},
	};
}
