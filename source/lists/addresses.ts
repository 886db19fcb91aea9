import {Failure} from '../failure.ts';
import {formatIpAddress, parseIpAddress, parseNetwork} from '../firewall/expression/expressions.ts';

/** Prefix lengths of the networks that a list accepts, by IP version. */
export const listPrefixBits = {4: {min: 8, max: 32}, 6: {min: 4, max: 128}} as const;

/** An address of a list, or what is wrong with it. */
type ParsedListAddress = {readonly address: string} | {readonly problem: string};

/**
 * Parses an address or network as the service stores it: lower case, the shortest form of IPv6, no prefix
 * for a single address.
 */
export function parseListAddress(text: string): ParsedListAddress {
	if (!text.includes('/')) {
		const address = parseIpAddress(text);
		return address.ok ? {address: formatIpAddress(address)} : {problem: address.sentence};
	}
	const network = parseNetwork(text);
	if (!network.ok) return {problem: network.sentence};
	const {min, max} = listPrefixBits[network.version];
	if (network.bits < min)
		return {
			problem: `In a list, an IPv${network.version} network has a prefix length from ${min} to ${max}.`,
		};
	const address = formatIpAddress(network);
	return {address: network.bits === max ? address : `${address}/${network.bits}`};
}

/** Returns the addresses without duplicates, as the service stores them. Fails with `input_malformed`. */
export function parseListAddresses(texts: readonly string[]): readonly string[] {
	const addresses = new Set<string>();
	for (const text of texts) {
		const parsed = parseListAddress(text);
		if ('problem' in parsed)
			throw new Failure('input_malformed', `"${text}" is not an address for a list.`, {
				why: parsed.problem,
				left: 'Nothing was sent.',
				next: 'Give IPv4 and IPv6 addresses, or networks such as 203.0.113.0/24 and 2001:db8::/48.',
			});
		addresses.add(parsed.address);
	}
	return [...addresses];
}
