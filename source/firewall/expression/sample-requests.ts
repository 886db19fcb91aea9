import {domainToASCII} from 'node:url';
import type {FieldValue} from './field-value.ts';
import type {Address} from './grammar/addresses.ts';
import {findField} from './vocabulary/fields.ts';
import type {ValueType} from './vocabulary/value-type.ts';

/** A made-up request. `index`: its index in its group. `field` returns the same value each time. */
export type SampleRequest = {
	readonly index: number;
	readonly version: 4 | 6;
	field(name: string): FieldValue;
};

/** Sample requests per host and IP version. */
const requestsPerGroup = 40;

/**
 * Returns sample requests to a zone, grouped by host (the zone or its `www`) and by IP version. Ordinary ones
 * are what browsers send: HTTPS on port 443, GET. Each of the few `unusualRequests` is unusual in every
 * respect at once. If each were unusual in a different respect, several conditions on common values, joined
 * with `and`, would together exclude too many requests. Values that rules use to pick visitors (paths,
 * addresses, countries, cookies) are made up: an expression that names one never matches, one that excludes
 * it always does. Uses a made-up zone by default.
 */
export function getSampleTraffic(zone = 'q7zwx.invalid'): readonly (readonly SampleRequest[])[] {
	if (cachedTraffic?.zone !== zone) cachedTraffic = {zone, traffic: buildTraffic(zone)};
	return cachedTraffic.traffic;
}

type Traffic = ReturnType<typeof getSampleTraffic>;

/** Cache of one zone: callers evaluate many rules of the same zone in a row. */
let cachedTraffic: {readonly zone: string; readonly traffic: Traffic} | undefined;

function buildTraffic(zone: string): Traffic {
	const name = zone.toLowerCase();
	const names = [...new Set([name, domainToASCII(name) || name])];
	const sites = names.flatMap(one => [one, `www.${one}`].map(host => ({zone: one, host})));
	return sites.flatMap(site =>
		([4, 6] as const).map(version =>
			Array.from({length: requestsPerGroup}, (_, index) => buildSampleRequest(site, version, index)),
		),
	);
}

type Site = {readonly zone: string; readonly host: string};

/** Properties from which field values are derived. */
type Basics = {
	readonly index: number;
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

type UnusualRequest = Partial<Omit<Basics, 'host'>> & {readonly subdomain?: string};

const unusualRequests: readonly UnusualRequest[] = [
	{encrypted: false, method: 'HEAD', protocol: 'HTTP/1.1', tls: '', userAgent: 'Qz/7.1', subdomain: 'k'},
	{method: 'POST', protocol: 'HTTP/1.1', tls: 'TLSv1.2', userAgent: 'zw 3', subdomain: 'zwx'},
	{method: 'OPTIONS', protocol: 'HTTP/1.1', tls: 'TLSv1.2', userAgent: 'xq-bot', subdomain: 'vv-3'},
];

function buildSampleRequest({zone, host}: Site, version: 4 | 6, index: number): SampleRequest {
	const {subdomain, ...differences} = unusualRequests[index] ?? {};
	const getSpreadNumber = createSpreadNumberGetter(index);
	const basics: Basics = {
		index,
		version,
		zone,
		host: subdomain === undefined ? host : `${subdomain}.${zone}`,
		encrypted: true,
		method: 'GET',
		protocol: pick(['HTTP/2', 'HTTP/2', 'HTTP/3'], getSpreadNumber('protocol')),
		tls: 'TLSv1.3',
		userAgent: pick(browsers, getSpreadNumber('user agent')),
		path: makePath(index, getSpreadNumber('path')),
		query: getSpreadNumber('query') < 0.4 ? `${makeWord(index)}=${makeWord(index + 3)}` : '',
		cookie: getSpreadNumber('cookie') < 0.5 ? `${makeWord(index)}=${makeWord(index + 1)}` : '',
		referer: pick(
			[`https://${host}/`, '', `https://${host}${makePath(index + 1, getSpreadNumber('path'))}`, ''],
			getSpreadNumber('referer'),
		),
		...differences,
	};
	const fieldValues = new Map<string, FieldValue>();
	return {
		index,
		version,
		field(name) {
			if (!fieldValues.has(name)) fieldValues.set(name, getFieldValue(name, basics));
			return fieldValues.get(name);
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

/** Picks an item of a list by a number from 0 up to, but not including, 1. */
const pick = <T>(items: readonly T[], spreadNumber: number): T =>
	items[Math.floor(spreadNumber * items.length)] as T;

/** Makes a meaningless word per index: `q7zwx`, `zwxvv-3`. */
const makeWord = (index: number): string =>
	`${words[index % words.length]}${words[(index * 3 + 1) % words.length]}`;

/** Factors coprime to `requestsPerGroup`. */
const factors = [1, 3, 7, 9, 11, 13, 17, 19, 21, 23, 27, 29, 31, 33, 37, 39] as const;

/**
 * Returns a function that maps a property to a number from 0 up to, but not including, 1. The numbers are
 * spread evenly: each occurs once per group of samples, in a different order for each property, so that
 * properties do not correlate.
 */
function createSpreadNumberGetter(index: number): (property: string) => number {
	return property => {
		let hash = 7;
		for (const character of property)
			hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
		const factor = factors[(hash >>> 4) % factors.length] as number;
		return ((index * factor + (hash >>> 8)) % requestsPerGroup) / requestsPerGroup;
	};
}

/** Makes a path: mostly pages, a few files, rarely `/`. */
function makePath(index: number, spreadNumber: number): string {
	if (spreadNumber < 0.05) return '/';
	if (spreadNumber < 0.1) return `/${makeWord(index)}/${makeWord(index + 1)}.${makeWord(index + 2)}`;
	return pick(
		[`/${makeWord(index)}`, `/${makeWord(index)}/7`, `/${makeWord(index)}/${makeWord(index + 5)}`, '/3/'],
		spreadNumber,
	);
}

function getFieldValue(name: string, basics: Basics): FieldValue {
	const getKnownValue = fieldValueGetters[name];
	if (getKnownValue) return getKnownValue(basics);
	if (name.startsWith('raw.http.request.')) return getFieldValue(name.slice('raw.'.length), basics);
	const field = findField(name);
	if (field?.replacement !== undefined) return getFieldValue(field.replacement, basics);
	// Requests are assumed to have fields that ledge does not know.
	return field?.type ? getTypeValue(field.type, name, basics) : makeWord(basics.index);
}

const fieldValueGetters: Readonly<Record<string, (basics: Basics) => FieldValue>> = {
	ssl: ({encrypted}) => encrypted,
	'http.host': ({host}) => host,
	'http.request.method': ({method}) => method,
	'http.request.version': ({protocol}) => protocol,
	'http.request.uri': formatUri,
	'http.request.uri.path': basics => basics.path,
	'http.request.uri.path.basename': basics => getBasename(basics.path),
	'http.request.uri.path.extension': basics => /\.([^./]+)$/.exec(basics.path)?.[1] ?? '',
	'http.request.uri.query': ({query}) => query,
	'http.request.full_uri': basics =>
		`${basics.encrypted ? 'https' : 'http'}://${basics.host}${formatUri(basics)}`,
	'http.user_agent': ({userAgent}) => userAgent,
	'http.cookie': ({cookie}) => cookie,
	'http.referer': ({referer}) => referer,
	'http.request.headers': basics => ({byName: buildHeaders(basics)}),
	'http.request.headers.names': basics => [...buildHeaders(basics).keys()],
	'http.request.headers.values': basics => [...buildHeaders(basics).values()].flat(),
	'http.request.cookies': ({cookie}) => ({byName: parsePairs(cookie)}),
	'http.request.uri.args': ({query}) => ({byName: parsePairs(query)}),
	'http.request.uri.args.names': ({query}) => [...parsePairs(query).keys()],
	'http.request.uri.args.values': ({query}) => [...parsePairs(query).values()].flat(),
	'http.request.accepted_languages': () => ['qz'],
	'http.request.timestamp.sec': ({index}) => 1_800_000_000 + index,
	'http.request.timestamp.msec': ({index}) => index * 23,
	'http.request.body.size': ({method}) => (method === 'POST' ? 613 : 0),
	// User-assigned codes, which no country has.
	'ip.src.country': ({index}) => `Q${'MNOPQRSTUVWXYZ'[index % 14]}`,
	'ip.src.continent': ({index}) =>
		pick(
			['EU', 'NA', 'AS', 'EU', 'SA', 'AS', 'NA', 'OC', 'AF', 'AS'],
			createSpreadNumberGetter(index)('continent'),
		),
	'ip.src.asnum': ({index}) => 4_199_999_001 + index,
	'cf.edge.server_port': ({encrypted}) => (encrypted ? 443 : 80),
	'cf.edge.client_tcp': ({protocol}) => protocol !== 'HTTP/3',
	'cf.tls_version': ({tls}) => tls,
	'cf.zone.name': ({zone}) => zone,
	'cf.threat_score': () => 0,
	'cf.waf.score.class': () => 'clean',
	'cf.bot_management.js_detection.passed': ({index}) => createSpreadNumberGetter(index)('js detection') < 0.6,
};

function formatUri({path: uriPath, query}: Basics): string {
	return query === '' ? uriPath : `${uriPath}?${query}`;
}

const getBasename = (uriPath: string): string => uriPath.slice(uriPath.lastIndexOf('/') + 1);

const buildHeaders = ({host, userAgent, cookie, referer}: Basics): ReadonlyMap<string, readonly string[]> =>
	new Map(
		Object.entries({host, 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'gzip', cookie, referer})
			.filter(([, value]) => value !== '')
			.map(([name, value]) => [name, [value]]),
	);

/** Parses the single pair of a query or a cookie header. */
function parsePairs(text: string): ReadonlyMap<string, readonly string[]> {
	const [name, value] = text.split('=');
	return new Map(name && value ? [[name, [value]]] : []);
}

/** Fields that few requests have. */
const rareFields =
	/^cf\.(?:tls_client_auth|worker|verified_bot_category|hostname|sequence|fraud)|^http\.(?:x_forwarded_for|request\.body)|subdivision/;

function getTypeValue(type: ValueType, name: string, {index, version}: Basics): FieldValue {
	switch (type.kind) {
		case 'String':
		case 'Bytes':
			return rareFields.test(name) || createSpreadNumberGetter(index)(name) < 0.5 ? '' : makeWord(index);
		case 'Integer':
			return pickInteger(name, index);
		case 'Boolean':
			// Such flags mark rare requests.
			return false;
		case 'IP':
			return makeAddress(createSpreadNumberGetter(index)(name), index, version);
		case 'Array':
			return [];
		case 'Map':
			return {byName: new Map()};
	}
}

const integers = [0, 1, 13, 87, 613, 40_961, 70_001, 2_147_483_646] as const;
/** From 1 (certainly a bot) to 99 (a person). */
const botScores = [1, 2, 12, 25, 29, 45, 60, 75, 80, 85, 90, 92, 95, 96, 97, 98, 98, 99, 99, 99] as const;
/** From 1 (certainly an attack) to 100; attacks are rare. */
const attackScores = [60, 75, 83, 90, 95, 98, 99, 99, 100, 100] as const;

function pickInteger(name: string, index: number): number {
	const spreadNumber = createSpreadNumberGetter(index)(name);
	if (name.startsWith('cf.waf.score')) return pick(attackScores, spreadNumber);
	if (/(?:^|\.)score(?:\.|$)/.test(name)) return pick(botScores, spreadNumber);
	if (/port$/.test(name)) return pick([1613, 8081, 40_961, 65_535], spreadNumber);
	return pick(integers, spreadNumber);
}

/** Spreads addresses over all routed space: first octets 1 to 223, and 2000::/3. */
function makeAddress(spreadNumber: number, index: number, version: 4 | 6): Address {
	const firstOctet = BigInt(Math.floor((spreadNumber + 0.5 / requestsPerGroup) * 222) + 1);
	if (version === 4) return {version, value: (firstOctet << 24n) | BigInt(0x1d2b5 + index * 7919)};
	return {
		version,
		value: ((0x2000n + (firstOctet * 0x2000n) / 224n) << 112n) | BigInt(0x1d2b5 + index * 7919),
	};
}
