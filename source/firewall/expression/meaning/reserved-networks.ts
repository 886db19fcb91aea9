import {parseIpAddress, parseNetwork} from '../grammar/addresses.ts';
import {abbreviate, type Parser} from '../grammar/parser.ts';
import type {Literal} from '../grammar/tree.ts';

const notPublic = 'it is not a public IP address';

/** Networks that no visitor comes from (IANA special-purpose address registries), with the reason. */
const reservedNetworks = (
	[
		['0.0.0.0/8', notPublic],
		['10.0.0.0/8', notPublic],
		['100.64.0.0/10', 'it is for NAT of providers (RFC 6598)'],
		['127.0.0.0/8', notPublic],
		['169.254.0.0/16', notPublic],
		['172.16.0.0/12', notPublic],
		['192.0.0.0/24', 'it is reserved for protocols (RFC 6890)'],
		['192.0.2.0/24', 'it is reserved for documentation (RFC 5737)'],
		['192.88.99.0/24', 'it was for 6to4 relays (RFC 7526)'],
		['192.168.0.0/16', notPublic],
		['198.18.0.0/15', 'it is reserved for benchmarks (RFC 2544)'],
		['198.51.100.0/24', 'it is reserved for documentation (RFC 5737)'],
		['203.0.113.0/24', 'it is reserved for documentation (RFC 5737)'],
		['224.0.0.0/4', notPublic],
		['240.0.0.0/4', 'it is reserved for future use (RFC 1112)'],
		['::/127', notPublic],
		['100::/64', 'it is reserved for discarding packets (RFC 6666)'],
		['2001:2::/48', 'it is reserved for benchmarks (RFC 5180)'],
		['2001:db8::/32', 'it is reserved for documentation (RFC 3849)'],
		['3fff::/20', 'it is reserved for documentation (RFC 9637)'],
		['fc00::/7', notPublic],
		['fe80::/10', notPublic],
		['ff00::/8', notPublic],
	] as const
).map(([text, reason]) => ({network: parseNetwork(text), reason}));

/** First octets of the reserved IPv4 networks, to skip most addresses quickly. */
const firstOctets = new Set(
	reservedNetworks.flatMap(({network}) => {
		if (!network.ok || network.version !== 4) return [];
		const octetCount = network.bits < 8 ? 2 ** (8 - network.bits) : 1;
		return Array.from({length: octetCount}, (_, index) => Number(network.value >> 24n) + index);
	}),
);

/** Starts of the reserved IPv6 networks, for the same purpose. */
const mayBeReserved = /^(?:[:013]|2001:|f[c-f])/i;

/** Adds hints to addresses, networks and ranges that no visitor comes from. */
export function addReservedNetworkHints(parser: Parser, items: readonly Literal[]): void {
	for (const item of items) {
		const reason = findReason(item);
		if (reason !== undefined)
			parser.hint(item, `No visitor comes from ${abbreviate(parser.slice(item))}: ${reason}.`, {
				code: 'L074',
			});
	}
}

function findReason(item: Literal): string | undefined {
	if (item.kind === 'range') {
		const reason = findReason(item.first);
		return reason === findReason(item.last) ? reason : undefined;
	}
	if (item.kind !== 'address' && item.kind !== 'network') return undefined;
	if (item.version === 4 ? !firstOctets.has(Number.parseInt(item.text, 10)) : !mayBeReserved.test(item.text))
		return undefined;
	const address = item.kind === 'address' ? parseIpAddress(item.text) : parseNetwork(item.text);
	if (!address.ok) return undefined;
	const width = address.version === 4 ? 32 : 128;
	const bits = item.kind === 'network' ? item.bits : width;
	return reservedNetworks.find(({network}) => {
		if (!network.ok || network.version !== address.version || network.bits > bits) return false;
		const hostBits = BigInt(width - network.bits);
		return network.value >> hostBits === address.value >> hostBits;
	})?.reason;
}
