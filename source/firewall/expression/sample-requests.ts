import {domainToASCII} from 'node:url';
import type {Address} from './grammar/addresses.ts';
import {fieldNamed} from './vocabulary/fields.ts';
import type {ValueType} from './vocabulary/value-type.ts';

/** A value of a field in a request; `undefined` where the request has none. */
export type Value = string | number | boolean | Address | readonly Value[] | ByName | undefined;
/** What is looked up by a name, as a header. */
type ByName = {readonly byName: ReadonlyMap<string, Value>};

/** A request as traffic has it: `field` returns the same value each time. */
export type SampleRequest = {
	readonly number: number;
	readonly version: 4 | 6;
	field(name: string): Value;
};

/** Requests of one site by one version of the protocol. */
const count = 40;

/**
 * Requests to a zone, grouped by the host that ordinary visitors ask for (the zone or its `www`) and by version of the
 * protocol. Ordinary ones are what browsers send: HTTPS on port 443, GET. The unusual ones (`unusual`) differ from that
 * in everything at once, so that several conditions which ordinary requests meet still hold together for as many. Values
 * that rules name to pick some visitors (paths, addresses, countries, cookies) are ones that nobody writes into an
 * expression: naming such a value never holds, excluding it always does. Without a zone's name, a made-up one.
 */
export function sampleTraffic(zone = 'q7zwx.invalid'): readonly (readonly SampleRequest[])[] {
	if (latest?.zone !== zone) latest = {zone, traffic: makeTraffic(zone)};
	return latest.traffic;
}

type Traffic = ReturnType<typeof sampleTraffic>;

/** Rules are judged one after the other, and all of one zone. */
let latest: {readonly zone: string; readonly traffic: Traffic} | undefined;

function makeTraffic(zone: string): Traffic {
	const name = zone.toLowerCase();
	const names = [...new Set([name, domainToASCII(name) || name])];
	const sites = names.flatMap(one => [one, `www.${one}`].map(host => ({zone: one, host})));
	return sites.flatMap(site =>
		([4, 6] as const).map(version =>
			Array.from({length: count}, (_, number) => sampleRequest(site, version, number)),
		),
	);
}

type Site = {readonly zone: string; readonly host: string};

/** What the values of several fields follow from. */
type Basics = {
	readonly number: number;
	readonly version: 4 | 6;
	readonly zone: string;
	readonly host: string;
	readonly encrypted: boolean;
	readonly method: string;
	readonly protocol: string;
	readonly tls: string;
	readonly userAgent: string;
	readonly path: string;
	readonly query: string;
	readonly cookie: string;
	readonly referer: string;
};

type Unusual = Partial<Omit<Basics, 'host'>> & {readonly subdomain?: string};

const unusual: readonly Unusual[] = [
	{encrypted: false, method: 'HEAD', protocol: 'HTTP/1.1', tls: '', userAgent: 'Qz/7.1', subdomain: 'k'},
	{method: 'POST', protocol: 'HTTP/1.1', tls: 'TLSv1.2', userAgent: 'zw 3', subdomain: 'zwx'},
	{method: 'OPTIONS', protocol: 'HTTP/1.1', tls: 'TLSv1.2', userAgent: 'xq-bot', subdomain: 'vv-3'},
];

function sampleRequest({zone, host}: Site, version: 4 | 6, number: number): SampleRequest {
	const {subdomain, ...differences} = unusual[number] ?? {};
	const at = spread(number);
	const basics: Basics = {
		number,
		version,
		zone,
		host: subdomain === undefined ? host : `${subdomain}.${zone}`,
		encrypted: true,
		method: 'GET',
		protocol: pick(['HTTP/2', 'HTTP/2', 'HTTP/3'], at('protocol')),
		tls: 'TLSv1.3',
		userAgent: pick(browsers, at('user agent')),
		path: path(number, at('path')),
		query: at('query') < 0.4 ? `${word(number)}=${word(number + 3)}` : '',
		cookie: at('cookie') < 0.5 ? `${word(number)}=${word(number + 1)}` : '',
		referer: pick(
			[`https://${host}/`, '', `https://${host}${path(number + 1, at('path'))}`, ''],
			at('referer'),
		),
		...differences,
	};
	const known = new Map<string, Value>();
	return {
		number,
		version,
		field(name) {
			if (!known.has(name)) known.set(name, valueOfField(name, basics));
			return known.get(name);
		},
	};
}

const browsers = [
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
	'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
	'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
	'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
	'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
] as const;

const words = ['q7', 'zwx', 'k', 'vv-3', 'xq_9', 'j0', 'ywz', 'gq'] as const;

/** The thing at a share from 0 up to 1 of a list. */
const pick = <T>(things: readonly T[], share: number): T => things[Math.floor(share * things.length)] as T;

/** Different for different numbers, and of no use to anybody: `q7zwx`, `zwxvv-3`. */
const word = (number: number): string =>
	`${words[number % words.length]}${words[(number * 3 + 1) % words.length]}`;

/** Factors that have nothing in common with `count`. */
const factors = [1, 3, 7, 9, 11, 13, 17, 19, 21, 23, 27, 29, 31, 33, 37, 39] as const;

/**
 * A share from 0 up to 1 of a request, by what is spread: each share occurs once among the requests of a site, in an
 * order of its own, so that values of different fields do not go together.
 */
function spread(number: number): (what: string) => number {
	return what => {
		let mixed = 7;
		for (const character of what)
			mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
		const factor = factors[(mixed >>> 4) % factors.length] as number;
		return ((number * factor + (mixed >>> 8)) % count) / count;
	};
}

/** Few are of a file: visitors need pages, and `/` is one of many. */
function path(number: number, share: number): string {
	if (share < 0.05) return '/';
	if (share < 0.1) return `/${word(number)}/${word(number + 1)}.${word(number + 2)}`;
	return pick(
		[`/${word(number)}`, `/${word(number)}/7`, `/${word(number)}/${word(number + 5)}`, '/3/'],
		share,
	);
}

function valueOfField(name: string, basics: Basics): Value {
	const known = values[name];
	if (known) return known(basics);
	if (name.startsWith('raw.http.request.')) return valueOfField(name.slice('raw.'.length), basics);
	const field = fieldNamed(name);
	if (field?.replacement !== undefined) return valueOfField(field.replacement, basics);
	// Of a field that ledge does not know, it is assumed that a request has it.
	return field?.type ? valueOfType(field.type, name, basics) : word(basics.number);
}

const values: Readonly<Record<string, (basics: Basics) => Value>> = {
	ssl: ({encrypted}) => encrypted,
	'http.host': ({host}) => host,
	'http.request.method': ({method}) => method,
	'http.request.version': ({protocol}) => protocol,
	'http.request.uri': uri,
	'http.request.uri.path': basics => basics.path,
	'http.request.uri.path.basename': basics => basename(basics.path),
	'http.request.uri.path.extension': basics => /\.([^./]+)$/.exec(basics.path)?.[1] ?? '',
	'http.request.uri.query': ({query}) => query,
	'http.request.full_uri': basics => `${basics.encrypted ? 'https' : 'http'}://${basics.host}${uri(basics)}`,
	'http.user_agent': ({userAgent}) => userAgent,
	'http.cookie': ({cookie}) => cookie,
	'http.referer': ({referer}) => referer,
	'http.request.headers': basics => ({byName: headers(basics)}),
	'http.request.headers.names': basics => [...headers(basics).keys()],
	'http.request.headers.values': basics => [...headers(basics).values()].flat(),
	'http.request.cookies': ({cookie}) => ({byName: pairs(cookie)}),
	'http.request.uri.args': ({query}) => ({byName: pairs(query)}),
	'http.request.uri.args.names': ({query}) => [...pairs(query).keys()],
	'http.request.uri.args.values': ({query}) => [...pairs(query).values()].flat(),
	'http.request.accepted_languages': () => ['qz'],
	'http.request.timestamp.sec': ({number}) => 1_800_000_000 + number,
	'http.request.timestamp.msec': ({number}) => number * 23,
	'http.request.body.size': ({method}) => (method === 'POST' ? 613 : 0),
	// User-assigned codes, which are of no country.
	'ip.src.country': ({number}) => `Q${'MNOPQRSTUVWXYZ'[number % 14]}`,
	'ip.src.continent': ({number}) =>
		pick(['EU', 'NA', 'AS', 'EU', 'SA', 'AS', 'NA', 'OC', 'AF', 'AS'], spread(number)('continent')),
	'ip.src.asnum': ({number}) => 4_199_999_001 + number,
	'cf.edge.server_port': ({encrypted}) => (encrypted ? 443 : 80),
	'cf.edge.client_tcp': ({protocol}) => protocol !== 'HTTP/3',
	'cf.tls_version': ({tls}) => tls,
	'cf.zone.name': ({zone}) => zone,
	'cf.threat_score': () => 0,
	'cf.waf.score.class': () => 'clean',
	'cf.bot_management.js_detection.passed': ({number}) => spread(number)('js detection') < 0.6,
};

function uri({path: asked, query}: Basics): string {
	return query === '' ? asked : `${asked}?${query}`;
}

const basename = (asked: string): string => asked.slice(asked.lastIndexOf('/') + 1);

const headers = ({host, userAgent, cookie, referer}: Basics): ReadonlyMap<string, readonly string[]> =>
	new Map(
		Object.entries({host, 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'gzip', cookie, referer})
			.filter(([, value]) => value !== '')
			.map(([name, value]) => [name, [value]]),
	);

/** The only pair of a query or of cookies, by its name. */
function pairs(text: string): ReadonlyMap<string, readonly string[]> {
	const [name, value] = text.split('=');
	return new Map(name && value ? [[name, [value]]] : []);
}

/** Fields that only few requests have a value of. */
const rarelyThere =
	/^cf\.(?:tls_client_auth|worker|verified_bot_category|hostname|sequence|fraud)|^http\.(?:x_forwarded_for|request\.body)|subdivision/;

function valueOfType(type: ValueType, name: string, {number, version}: Basics): Value {
	switch (type.kind) {
		case 'String':
		case 'Bytes':
			return rarelyThere.test(name) || spread(number)(name) < 0.5 ? '' : word(number);
		case 'Integer':
			return integerOf(name, number);
		case 'Boolean':
			// What they mark is rare.
			return false;
		case 'IP':
			return addressOf(spread(number)(name), number, version);
		case 'Array':
			return [];
		case 'Map':
			return {byName: new Map()};
	}
}

const integers = [0, 1, 13, 87, 613, 40_961, 70_001, 2_147_483_646] as const;
/** 1 is a program for sure, 99 a person. */
const botScores = [1, 2, 12, 25, 29, 45, 60, 75, 80, 85, 90, 92, 95, 96, 97, 98, 98, 99, 99, 99] as const;
/** 1 is an attack for sure; attacks are rare. */
const attackScores = [60, 75, 83, 90, 95, 98, 99, 99, 100, 100] as const;

function integerOf(name: string, number: number): number {
	const share = spread(number)(name);
	if (name.startsWith('cf.waf.score')) return pick(attackScores, share);
	if (/(?:^|\.)score(?:\.|$)/.test(name)) return pick(botScores, share);
	if (/port$/.test(name)) return pick([1613, 8081, 40_961, 65_535], share);
	return pick(integers, share);
}

/** Over all that is routed: every first part from 1 to 223, every part of 2000::/3. */
function addressOf(share: number, number: number, version: 4 | 6): Address {
	const first = BigInt(Math.floor((share + 0.5 / count) * 222) + 1);
	if (version === 4) return {version, value: (first << 24n) | BigInt(0x1d2b5 + number * 7919)};
	return {version, value: ((0x2000n + (first * 0x2000n) / 224n) << 112n) | BigInt(0x1d2b5 + number * 7919)};
}
