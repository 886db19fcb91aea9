import type {Address} from './grammar/addresses.ts';
import {fieldNamed} from './vocabulary/fields.ts';
import type {ValueType} from './vocabulary/value-type.ts';

/** A value of a field in a request; `undefined` where the request has none. */
export type Value = string | number | boolean | Address | readonly Value[] | ByName | undefined;
/** What is looked up by a name, as a header: the same values for every name. */
type ByName = {readonly byName: readonly Value[]};

/** A request as traffic has it: `field` returns the same value each time. */
export type SampleRequest = {
	readonly number: number;
	readonly version: 4 | 6;
	field(name: string): Value;
};

/** Requests of each version of the protocol. */
const each = 20;

/**
 * Requests that have nothing in common but what all traffic has: a path begins with a slash, a host has a dot. Values
 * of which traffic has few (methods, versions, ports) are as often as there; all others are ones that nobody writes
 * into an expression, so that a condition that names a value does not hold for them.
 */
export const sampleRequests: readonly SampleRequest[] = ([4, 6] as const).flatMap(version =>
	Array.from({length: each}, (_, number) => ({
		number,
		version,
		field: (name: string) => valueOfField(name, number, version),
	})),
);

const words = ['q7', 'zwx', 'k', 'vv-3', 'xq_9', 'j0', 'ywz', 'gq'] as const;

const pick = <T>(things: readonly T[], number: number): T => things[number % things.length] as T;

/** Different for different numbers, and of no use to anybody: `q7zwx`, `zwxvv-3`. */
const word = (number: number): string => `${pick(words, number)}${pick(words, number * 3 + 1)}`;

function valueOfField(name: string, number: number, version: 4 | 6): Value {
	const type = fieldNamed(name)?.type;
	// Of a field that ledge does not know, it is assumed that a request has it.
	return type ? valueOfType(type, name, number, version) : word(number);
}

function valueOfType(type: ValueType, name: string, number: number, version: 4 | 6): Value {
	switch (type.kind) {
		case 'String':
		case 'Bytes':
			return textOf(name, number);
		case 'Integer':
			return integerOf(name, number);
		case 'Boolean':
			// Half the traffic is encrypted here; what other Boolean fields mark is rare.
			return name === 'ssl' ? number % 2 === 0 : false;
		case 'IP':
			return addressOf(number, version);
		case 'Array':
			return number % 2 === 0 ? [] : [valueOfType(type.of, '', number, version)];
		case 'Map':
			return {byName: number % 2 === 0 ? [] : [valueOfType(type.of, '', number, version)]};
	}
}

const texts: Readonly<Record<string, (number: number) => string>> = {
	'http.host': host,
	'http.request.method': number => pick(['GET', 'POST', 'GET', 'HEAD', 'GET', 'POST', 'GET', 'PUT'], number),
	'http.request.version': number => pick(['HTTP/1.1', 'HTTP/2', 'HTTP/3', 'HTTP/1.1', 'HTTP/2'], number),
	'http.user_agent': number => pick(['Qz/7.1', 'Mozilla/5.0 (Kv)', 'zw 3', 'xq-bot', 'k'], number),
	'cf.tls_version': number => pick(['TLSv1.3', 'TLSv1.2'], number),
	'http.request.uri.path': path,
	'raw.http.request.uri.path': path,
	'http.request.uri': uri,
	'raw.http.request.uri': uri,
	'http.request.full_uri': fullUri,
	'raw.http.request.full_uri': fullUri,
};

function host(number: number): string {
	return `${word(number)}.${pick(['example', 'test', 'invalid', 'qz'], number)}`;
}

function path(number: number): string {
	return pick(['/', `/${word(number)}`, `/${word(number)}/7`, '/3', `/k.${pick(words, number)}`], number);
}

function uri(number: number): string {
	return `${path(number)}${number % 3 === 0 ? `?${word(number)}=1` : ''}`;
}

function fullUri(number: number): string {
	return `${number % 2 === 0 ? 'https' : 'http'}://${host(number)}${uri(number)}`;
}

function textOf(name: string, number: number): string {
	const known = texts[name];
	if (known) return known(number);
	return number % 2 === 0 ? '' : word(number);
}

const integers = [0, 1, 13, 87, 613, 40_961, 70_001, 2_147_483_646] as const;

function integerOf(name: string, number: number): number {
	if (name === 'cf.edge.server_port') return pick([443, 80, 443, 80, 443, 8443, 80, 443], number);
	if (/(?:^|\.)(?:threat_)?score(?:\.|$)/.test(name)) return pick([1, 2, 29, 50, 87, 99], number);
	if (/port$/.test(name)) return pick([1, 613, 8081, 40_961, 65_535], number);
	if (name === 'http.request.timestamp.sec') return 1_800_000_000 + number;
	if (name === 'http.request.timestamp.msec') return number * 47;
	return pick(integers, number);
}

/** Over all that is routed: every first part from 1 to 223, every third of 2000::/3. */
function addressOf(number: number, version: 4 | 6): Address {
	const spread = BigInt(Math.floor(((number + 0.5) * 222) / each) + 1);
	if (version === 4) return {version, value: (spread << 24n) | BigInt(0x1d2b5 + number * 7919)};
	return {version, value: ((0x2000n + (spread * 0x2000n) / 224n) << 112n) | BigInt(0x1d2b5 + number * 7919)};
}
