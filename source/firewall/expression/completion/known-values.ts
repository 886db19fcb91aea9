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
		GET: 'retrieves a resource',
		POST: 'submits data',
		HEAD: 'retrieves headers only',
		PUT: 'replaces a resource',
		DELETE: 'deletes a resource',
		PATCH: 'changes part of a resource',
		OPTIONS: 'asks which methods are allowed',
		CONNECT: 'opens a tunnel',
		TRACE: 'echoes the request',
		PURGE: 'removes a resource from the cache',
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
		[1, 'certainly automated'],
		[30, 'below: probably automated'],
	]),
	'cf.waf.score': createNumberValues([
		[20, 'up to here: certainly an attack'],
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
		T1: 'Tor network',
	},
	'cf.waf.score.class': {
		attack: 'certainly an attack',
		likely_attack: 'probably an attack',
		likely_clean: 'probably not an attack',
		clean: 'certainly not an attack',
	},
	'cf.verified_bot_category': {
		'Search Engine Crawler': 'crawls pages for a search engine',
		'Search Engine Optimization': 'crawls pages to rate them for search',
		'Monitoring & Analytics': 'checks that pages work',
		'Advertising & Marketing': 'crawls pages for advertisers',
		'Page Preview': 'creates link previews',
		'Academic Research': 'crawls pages for research',
		Security: 'scans for vulnerabilities',
		Accessibility: 'tools for people with disabilities',
		Webhooks: 'calls from other services',
		'Social Media Marketing': 'crawls pages for social networks',
		'Feed Fetcher': 'fetches feeds',
		'AI Crawler': 'crawls pages to train models',
		'AI Assistant': 'fetches pages a user asked for',
		'AI Search': 'crawls pages for AI search',
		Aggregator: 'collects content from many pages',
		Archiver: 'keeps copies of pages',
		Other: 'any other category',
	},
	'cf.waf.content_scan.obj_results': {
		clean: 'nothing found',
		suspicious: 'may be malicious',
		infected: 'malicious',
		'not scanned': 'not checked',
	},
	'cf.waf.signature.request.confidence': {high: 'few false positives', low: 'more false positives'},
};

const specialCodes: Readonly<Record<string, string>> = {T1: 'Tor network', XX: 'unknown'};

/** Builds values with country names, which take a while to load: only on first use. */
function buildListValues({list, extra = []}: Domain, codes: readonly string[]): readonly KnownValue[] {
	const regions = list && new Intl.DisplayNames('en', {type: 'region'});
	const describeCode = (code: string) => specialCodes[code] ?? regions?.of(code) ?? code;
	return createTextValues(Object.fromEntries([...codes, ...extra].map(code => [code, describeCode(code)])));
}

const cachedValues = new Map<string, readonly KnownValue[]>();

/** Lists the values of a field if they are few and known; examples if the field has others. */
export function listKnownValues(fieldName: string | undefined): readonly KnownValue[] {
	if (fieldName === undefined) return [];
	const cached =
		cachedValues.get(fieldName) ??
		(Object.hasOwn(commonValues, fieldName) ? commonValues[fieldName] : undefined);
	if (cached) return cached;
	const knownField = findField(fieldName);
	const values = buildDomainValues(fieldName, knownField && getFieldDomain(knownField));
	cachedValues.set(fieldName, values);
	return values;
}

function buildDomainValues(fieldName: string, domain: Domain | undefined): readonly KnownValue[] {
	if (!domain) return [];
	if (domain.list) return buildListValues(domain, countries);
	const descriptions = valueDescriptions[findField(fieldName)?.replacement ?? fieldName] ?? {};
	const nonEmptyValues = (domain.enum ?? []).filter(value => value !== '');
	return createTextValues(
		Object.fromEntries(nonEmptyValues.map(value => [value, descriptions[value] ?? 'possible value'])),
	);
}

/** The headers that rules use most. */
export const knownHeaders: readonly KnownValue[] = createTextValues({
	accept: 'media types the client accepts',
	'accept-language': 'languages the client prefers',
	authorization: 'credentials of the client',
	'content-length': 'size of the body in bytes',
	'content-type': 'media type of the body',
	cookie: 'cookies',
	host: 'requested host',
	origin: 'site the request comes from',
	referer: 'page the request comes from',
	'user-agent': 'client software',
	'x-api-key': 'API key',
	'x-forwarded-for': 'addresses of proxies in between',
	'x-requested-with': 'script library that sent the request',
});
