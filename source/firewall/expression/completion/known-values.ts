/** A value that a field can have, as it is written in an expression. */
export type KnownValue = {readonly text: string; readonly about: string};

const texts = (values: Readonly<Record<string, string>>): readonly KnownValue[] =>
	Object.entries(values).map(([value, about]) => ({text: `"${value}"`, about}));

const numbers = (values: readonly (readonly [number, string])[]): readonly KnownValue[] =>
	values.map(([value, about]) => ({text: String(value), about}));

const plain: Readonly<Record<string, readonly KnownValue[]>> = {
	'http.request.method': texts({
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
	'http.request.version': texts({
		'HTTP/1.0': 'since 1996',
		'HTTP/1.1': 'since 1997',
		'HTTP/2': 'since 2015',
		'HTTP/3': 'since 2022, over QUIC',
	}),
	'ip.src.continent': texts({
		AF: 'Africa',
		AN: 'Antarctica',
		AS: 'Asia',
		EU: 'Europe',
		NA: 'North America',
		OC: 'Oceania',
		SA: 'South America',
		T1: 'the Tor network',
	}),
	'cf.tls_version': texts({
		TLSv1: 'outdated',
		'TLSv1.1': 'outdated',
		'TLSv1.2': 'common',
		'TLSv1.3': 'newest',
	}),
	'cf.waf.score.class': texts({
		attack: 'surely an attack',
		likely_attack: 'probably an attack',
		likely_clean: 'probably none',
		clean: 'surely none',
	}),
	'cf.verified_bot_category': texts({
		'Search Engine Crawler': 'reads pages for a search engine',
		'Search Engine Optimization': 'reads pages to rate them',
		'Monitoring & Analytics': 'watches whether pages work',
		'Advertising & Marketing': 'reads pages for advertisers',
		'Page Preview': 'draws previews of links',
		'Academic Research': 'reads pages for research',
		Security: 'looks for weaknesses',
		Accessibility: 'reads pages for people with disabilities',
		Webhooks: 'calls that other services make',
		'Feed Fetcher': 'reads feeds',
		'AI Crawler': 'reads pages to train models',
		'AI Assistant': 'reads pages for a person who asked',
		'AI Search': 'reads pages for a search with a model',
		Aggregator: 'collects from many pages',
		Archiver: 'keeps copies of pages',
		Other: 'none of these',
	}),
	'cf.edge.server_port': numbers([
		[443, 'HTTPS'],
		[80, 'HTTP'],
		...[8443, 2053, 2083, 2087, 2096].map(port => [port, 'HTTPS'] as const),
		...[8080, 8880, 2052, 2082, 2086, 2095].map(port => [port, 'HTTP'] as const),
	]),
	'cf.bot_management.score': numbers([
		[1, 'surely a program'],
		[30, 'below: probably a program'],
	]),
	'cf.waf.score': numbers([
		[20, 'up to here: surely an attack'],
		[50, 'up to here: probably an attack'],
	]),
};

const countryCodes =
	'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
	'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
	'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
	'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
	'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
	'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
	'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

let countries: readonly KnownValue[] | undefined;

/** Made when first asked for: the names of countries take a while to load. */
function knownCountries(): readonly KnownValue[] {
	if (countries) return countries;
	const names = new Intl.DisplayNames('en', {type: 'region'});
	const codes = Object.fromEntries(countryCodes.split(' ').map(code => [code, names.of(code) ?? code]));
	countries = texts({...codes, T1: 'the Tor network', XX: 'not known'});
	return countries;
}

/** Values that a field can have, where they are few and known; for some these are only examples. */
export function knownValues(field: string | undefined): readonly KnownValue[] {
	if (field === 'ip.src.country') return knownCountries();
	return field !== undefined && Object.hasOwn(plain, field) ? (plain[field] ?? []) : [];
}

/** Headers that rules look at most. */
export const knownHeaders: readonly KnownValue[] = texts({
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
