/** An IP address as a number, with its version. */
export type Address = {readonly version: 4 | 6; readonly value: bigint};

/**
 * The result of parsing an address, network or range. A failure has a sentence for people, and the likely
 * intention as `correction`.
 */
type ParseResult<Parsed> =
	| ({readonly ok: true} & Parsed)
	| {
			readonly ok: false;
			readonly sentence: string;
			readonly correction?: string;
			/** The message of the service's engine, if it says more than that the address is invalid. */
			readonly engineMessage?: string;
	  };

type Network = Address & {readonly bits: number};

const addressBits = {4: 32, 6: 128} as const;

/** Minimum prefix length of suggested networks: larger ones are rarely intended, and cover many addresses. */
export const minPrefixBits = {4: 8, 6: 16} as const;

/** The engine's message for an address that is not the first of its network. */
export const hostBitsMessage = 'host part of address was not zero';

/** Maximum length of a text to parse, above that of any address. */
const maxLength = 64;

/**
 * Parses an address as the service does: IPv4 in four decimal parts without leading zeros, IPv6 in any form
 * (RFC 4291, 2.2) without a zone.
 */
export function parseIpAddress(text: string): ParseResult<Address> {
	if (text.length > maxLength) return {ok: false, sentence: 'This is too long for an IP address.'};
	if (text.includes(':')) {
		const value = parseIpv6(text);
		if (value === undefined)
			return {
				ok: false,
				sentence: 'Invalid IPv6 address: use up to eight groups of hex digits, separated by colons.',
			};
		return {ok: true, version: 6, value};
	}
	const value = parseIpv4(text);
	if (value !== undefined) return {ok: true, version: 4, value};
	const unpadded = text.replace(/(?<![0-9])0+(?=[0-9])/g, '');
	if (unpadded !== text && parseIpv4(unpadded) !== undefined)
		return {
			ok: false,
			sentence: "The parts of an IPv4 address can't have leading zeros.",
			correction: unpadded,
		};
	return {
		ok: false,
		sentence: 'Invalid IPv4 address: use four numbers from 0 to 255, separated by dots.',
	};
}

/** Parses `address/bits`. The bits after the prefix must be zero; the correction is the intended network. */
export function parseNetwork(text: string): ParseResult<Network> {
	const slash = text.indexOf('/');
	const address = parseIpAddress(slash < 0 ? text : text.slice(0, slash));
	if (!address.ok)
		return address.correction && slash >= 0
			? {...address, correction: address.correction + text.slice(slash)}
			: dropCorrection(address);
	const lengthText = text.slice(slash + 1);
	const maxBits = addressBits[address.version];
	if (slash < 0 || !/^[0-9]+$/.test(lengthText) || Number(lengthText) > maxBits)
		return {
			ok: false,
			sentence: `An IPv${address.version} network needs a prefix length from 0 to ${maxBits} after a slash.`,
			...(slash < 0 ? {} : {engineMessage: formatLengthError(lengthText, address.version)}),
		};
	const bits = Number(lengthText);
	const networkAddress = toNetworkAddress(address, bits);
	if (networkAddress.value === address.value) return {ok: true, ...networkAddress, bits};
	if (bits < minPrefixBits[address.version])
		return {
			ok: false,
			sentence: `The bits after the prefix must be zero. /${bits} is a very large network: did you mean a longer prefix?`,
			engineMessage: hostBitsMessage,
		};
	const correction = `${formatIpAddress(networkAddress)}/${bits}`;
	return {
		ok: false,
		sentence: `The bits after the prefix must be zero: the network of this address is ${correction}.`,
		correction,
		engineMessage: hostBitsMessage,
	};
}

/** Formats the engine's message for an invalid prefix length, which it first parses as a byte. */
function formatLengthError(lengthText: string, version: 4 | 6): string {
	const bits = /^[0-9]+$/.test(lengthText) ? Number(lengthText) : undefined;
	if (bits === undefined)
		return `couldn't parse length in network: ${lengthText === '' ? 'cannot parse integer from empty string' : 'invalid digit found in string'}`;
	return bits > 255
		? "couldn't parse length in network: number too large to fit in target type"
		: `invalid length for network: Network length ${bits} is too long for Ipv${version} (maximum: ${addressBits[version]})`;
}

/** Parses `first..last`: addresses of one version, the smaller one first. */
export function parseRange(text: string): ParseResult<{readonly first: Address; readonly last: Address}> {
	const dots = text.indexOf('..');
	if (dots < 0) return {ok: false, sentence: 'Write a range with two dots: 192.0.2.1..192.0.2.9.'};
	const [firstText, lastText] = [text.slice(0, dots), text.slice(dots + 2)];
	const firstResult = parseIpAddress(firstText);
	if (!firstResult.ok) return dropCorrection(firstResult);
	const lastResult = parseIpAddress(lastText);
	if (!lastResult.ok) return dropCorrection(lastResult);
	if (firstResult.version !== lastResult.version)
		return {
			ok: false,
			sentence: 'Both ends of a range must be the same version: IPv4 or IPv6.',
			engineMessage: boundsMessage,
		};
	if (firstResult.value > lastResult.value)
		return {
			ok: false,
			sentence: 'The lower address of a range must come first.',
			engineMessage: boundsMessage,
			correction: `${lastText}..${firstText}`,
		};
	return {ok: true, first: firstResult, last: lastResult};
}

/** The engine's message for a range whose ends do not fit together. */
const boundsMessage = 'incompatible range bounds';

/** Returns the first address of the network that an address is in, for the given prefix length. */
export function toNetworkAddress({version, value}: Address, bits: number): Address {
	const hostBits = BigInt(Math.max(0, addressBits[version] - bits));
	return {version, value: (value >> hostBits) << hostBits};
}

/** Formats an address in its shortest form: lower case, the longest run of zeros as `::` (RFC 5952). */
export function formatIpAddress({version, value}: Address): string {
	if (version === 4) return [24n, 16n, 8n, 0n].map(shift => (value >> shift) & 0xffn).join('.');
	const groups = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map(shift => (value >> shift) & 0xffffn);
	const {start, length} = findLongestZeroRun(groups);
	const hex = groups.map(group => group.toString(16));
	if (length < 2) return hex.join(':');
	return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function findLongestZeroRun(groups: readonly bigint[]): {start: number; length: number} {
	let longestRun = {start: 0, length: 0};
	let length = 0;
	for (const [index, group] of groups.entries()) {
		length = group === 0n ? length + 1 : 0;
		if (length > longestRun.length) longestRun = {start: index - length + 1, length};
	}
	return longestRun;
}

function parseIpv4(text: string): bigint | undefined {
	const parts = text.split('.');
	if (parts.length !== 4) return;
	let value = 0;
	for (const part of parts) {
		if (!/^(?:0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return;
		value = value * 256 + Number(part);
	}
	return BigInt(value);
}

function parseIpv6(text: string): bigint | undefined {
	const [head = '', tail, ...more] = text.split('::');
	if (more.length > 0) return;
	const headGroups = parseIpv6Groups(head, tail === undefined);
	const tailGroups = tail === undefined ? [] : parseIpv6Groups(tail, true);
	if (!headGroups || !tailGroups) return;
	const missingCount = 8 - headGroups.length - tailGroups.length;
	if (tail === undefined ? missingCount !== 0 : missingCount < 1) return;
	return [...headGroups, ...new Array<bigint>(missingCount).fill(0n), ...tailGroups].reduce(
		(value, group) => (value << 16n) | group,
		0n,
	);
}

/**
 * Parses groups of four hex digits. With `allowsIpv4Tail`, the last one may be an IPv4 address, which counts
 * as two groups.
 */
function parseIpv6Groups(text: string, allowsIpv4Tail: boolean): bigint[] | undefined {
	if (text === '') return [];
	const groups: bigint[] = [];
	const parts = text.split(':');
	for (const [index, part] of parts.entries()) {
		if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`));
		else {
			const ipv4 = allowsIpv4Tail && index === parts.length - 1 ? parseIpv4(part) : undefined;
			if (ipv4 === undefined) return;
			groups.push(ipv4 >> 16n, ipv4 & 0xffffn);
		}
	}
	return groups;
}

/** Keeps the sentence of a failure: a correction for one part would not correct the whole text. */
const dropCorrection = ({sentence}: {sentence: string}): {ok: false; sentence: string} => ({
	ok: false,
	sentence,
});
