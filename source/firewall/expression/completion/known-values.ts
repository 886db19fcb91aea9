import {countries} from '../vocabulary/countries.ts';
import type {Domain} from '../vocabulary/entries.ts';
import {findField, getFieldDomain} from '../vocabulary/fields.ts';

/** A possible value of a field, as written in an expression. */
export type KnownValue = {readonly text: string; readonly about: string};

const createTextValues = (values: Readonly<Record<string, string>>): readonly KnownValue[] =>
	Object.entries(values).map(([value, about]) => ({text: `"${value}"`, about}));

const createNumberValues = (values: readonly (readonly [number, string])[]): readonly KnownValue[] =>
	values.map(([value, about]) => ({text: String(value), about}));

const commonValues: Readonly<Record<string, readonly KnownValue[]>> = {
	'http.request.method': createTextValues({
		GET: 'asks for something',
		POST: 'sends something',
		HEAD: 'asks for headers only',
		PUT: 'puts something in its place',
		DELETE: 'removes something',
		PATCH: 'changes a part of something',
		OPTIONS: 'asks what is allowed',
		CONNECT: 'opens a tunnel',
		TRACE: 'asks for the request itself',
		PURGE: 'removes something from the cache',
	}),
	'http.request.version': createTextValues({
		'HTTP/1.0': 'since 1996',
		'HTTP/1.1': 'since 1997',
		'HTTP/2': 'since 2015',
		'HTTP/3': 'since 2022, over QUIC',
	}),
	'cf.tls_version': createTextValues({
		TLSv1: 'outdated',
		'TLSv1.1': 'outdated',
		'TLSv1.2': 'common',
		'TLSv1.3': 'newest',
	}),
	'cf.edge.server_port': createNumberValues([
		[443, 'HTTPS'],
		[80, 'HTTP'],
		...[8443, 2053, 2083, 2087, 2096].map(port => [port, 'HTTPS'] as const),
		...[8080, 8880, 2052, 2082, 2086, 2095].map(port => [port, 'HTTP'] as const),
	]),
	'cf.bot_management.score': createNumberValues([
		[1, 'surely a program'],
		[30, 'below: probably a program'],
	]),
	'cf.waf.score': createNumberValues([
		[20, 'up to here: surely an attack'],
		[50, 'up to here: probably an attack'],
	]),
};

/** Meanings of enumerated values, by field. */
const valueDescriptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'ip.src.continent': {
		AF: 'Africa',
		AN: 'Antarctica',
		AS: 'Asia',
		EU: 'Europe',
		NA: 'North America',
		OC: 'Oceania',
		SA: 'South America',
		T1: 'the Tor network',
	},
	'cf.waf.score.class': {
		attack: 'surely an attack',
		likely_attack: 'probably an attack',
		likely_clean: 'probably none',
		clean: 'surely none',
	},
	'cf.verified_bot_category': {
		'Search Engine Crawler': 'reads pages for a search engine',
		'Search Engine Optimization': 'reads pages to rate them',
		'Monitoring & Analytics': 'watches whether pages work',
		'Advertising & Marketing': 'reads pages for advertisers',
		'Page Preview': 'draws previews of links',
		'Academic Research': 'reads pages for research',
		Security: 'looks for weaknesses',
		Accessibility: 'reads pages for people with disabilities',
		Webhooks: 'calls that other services make',
		'Social Media Marketing': 'reads pages for social networks',
		'Feed Fetcher': 'reads feeds',
		'AI Crawler': 'reads pages to train models',
		'AI Assistant': 'reads pages for a person who asked',
		'AI Search': 'reads pages for a search with a model',
		Aggregator: 'collects from many pages',
		Archiver: 'keeps copies of pages',
		Other: 'none of these',
	},
	'cf.waf.content_scan.obj_results': {
		clean: 'nothing found',
		suspicious: 'may be malicious',
		infected: 'malicious',
		'not scanned': 'not looked at',
	},
	'cf.waf.signature.request.confidence': {high: 'few false alarms', low: 'more of them'},
};

const specialCodes: Readonly<Record<string, string>> = {T1: 'the Tor network', XX: 'not known'};

/** Builds values with country names, which take a while to load: only on first use. */
function buildListValues({list, extra = []}: Domain, names: readonly string[]): readonly KnownValue[] {
	const regions = list && new Intl.DisplayNames('en', {type: 'region'});
	const describeCode = (code: string) => specialCodes[code] ?? regions?.of(code) ?? code;
	return createTextValues(Object.fromEntries([...names, ...extra].map(code => [code, describeCode(code)])));
}

const cachedValues = new Map<string, readonly KnownValue[]>();

/** Lists the values of a field if they are few and known; examples if the field has others. */
export function listKnownValues(field: string | undefined): readonly KnownValue[] {
	if (field === undefined) return [];
	const cached =
		cachedValues.get(field) ?? (Object.hasOwn(commonValues, field) ? commonValues[field] : undefined);
	if (cached) return cached;
	const known = findField(field);
	const values = buildDomainValues(field, known && getFieldDomain(known));
	cachedValues.set(field, values);
	return values;
}

function buildDomainValues(field: string, domain: Domain | undefined): readonly KnownValue[] {
	if (!domain) return [];
	if (domain.list) return buildListValues(domain, countries);
	const words = valueDescriptions[findField(field)?.replacement ?? field] ?? {};
	const nonEmptyValues = (domain.enum ?? []).filter(value => value !== '');
	return createTextValues(
		Object.fromEntries(nonEmptyValues.map(value => [value, words[value] ?? 'one of its values'])),
	);
}

/** The headers that rules use most. */
export const knownHeaders: readonly KnownValue[] = createTextValues({
	accept: 'what the client wants',
	'accept-language': 'languages that the client wants',
	authorization: 'who the client says it is',
	'content-length': 'bytes of the body',
	'content-type': 'media type of the body',
	cookie: 'cookies',
	host: 'host that was asked for',
	origin: 'page that the request comes from',
	referer: 'page with the link',
	'user-agent': 'program that asks',
	'x-api-key': 'key for an API',
	'x-forwarded-for': 'addresses of proxies on the way',
	'x-requested-with': 'what made the request',
});
