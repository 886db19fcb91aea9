import {countries} from '../vocabulary/countries.ts';
import type {Domain, Field} from '../vocabulary/entries.ts';

/** How a text is compared with the value of a field. */
export type TextComparison = 'whole' | 'beginning' | 'end' | 'part' | 'pattern';

/** Why no value of a field matches a text, and the likely intention. */
export type ValueMismatch = {
	/** The middle of a sentence: "a path begins with /". */
	readonly reason: string;
	/** True if `reason` is about the values of the field and lacks its subject: "begin with /". */
	readonly isAboutValues?: true;
	/** The replacement: another text, another field, or both. */
	readonly becomes?: {readonly field?: string; readonly text: string};
};

/**
 * Finds why no value of a field can match a text in this comparison, according to the documented domain of
 * the field; undefined if one may.
 */
export function findMismatch(
	{name, domain}: Field,
	how: TextComparison,
	text: string,
): ValueMismatch | undefined {
	if (text === '') return undefined;
	const found = fieldChecks[name]?.(how, text);
	if (found || !domain || domain.unclear) return found;
	return (
		checkCase(domain, how, text) ??
		checkEnum(domain, how, text) ??
		checkCountry(domain, how, text) ??
		checkPrefix(domain, how, text) ??
		checkAbsentParts(domain, text) ??
		checkFormat(domain, how, text)
	);
}

/** Checks for fields whose domain is more than a list or a pattern, with corrections for common mistakes. */
const fieldChecks: Readonly<
	Record<string, (how: TextComparison, text: string) => ValueMismatch | undefined>
> = {
	'http.request.uri.path': checkPath,
	'raw.http.request.uri.path': checkPath,
	'http.request.full_uri': checkFullUri,
	'http.host': checkHost,
	'http.request.uri.path.extension': (how, text) => {
		if (how === 'pattern' || !/[A-Z./]/.test(text)) return undefined;
		return {
			reason: 'an extension is in lower case, what follows the last dot',
			becomes: {text: (text.split('.').at(-1) ?? '').toLowerCase()},
		};
	},
	'cf.tls_version': (how, text) => {
		const [, version] = /^(?:TLS[ v]*)?(1(?:\.[0-3])?)$/i.exec(text) ?? [];
		if (how !== 'whole' || version === undefined) return undefined;
		const intended = `TLSv${version.replace(/\.0$/, '')}`;
		return intended === text
			? undefined
			: {reason: `versions are written as ${intended}`, becomes: {text: intended}};
	},
	'http.request.body.mime': checkMediaType,
	'http.response.content_type.media_type': checkMediaType,
	'ip.src.subdivision_1_iso_code': checkSubdivision,
	'ip.src.subdivision_2_iso_code': checkSubdivision,
	'ip.src.region_code': (how, text) =>
		how === 'whole' && /^[A-Z]{2}-./.test(text)
			? {reason: 'a region code has no country before it', becomes: {text: text.slice(3)}}
			: undefined,
	'http.request.version': (how, text) => {
		const [, number] = /^(?:http\/?)?\s*v?([123](?:\.[01])?)$/i.exec(text) ?? [];
		if (how !== 'whole' || number === undefined || /^HTTP\/(1\.0|1\.1|2|3)$/.test(text)) return undefined;
		return {
			reason: 'versions are HTTP/1.0, HTTP/1.1, HTTP/2 and HTTP/3',
			becomes: {text: `HTTP/${number === '1' ? '1.1' : number.replace(/^([23])\.0$/, '$1')}`},
		};
	},
};

function checkMediaType(how: TextComparison, text: string): ValueMismatch | undefined {
	const [type = ''] = text.split(';');
	const intended = type.trim().toLowerCase();
	if (how === 'pattern' || intended === text || intended === '') return undefined;
	return {reason: 'a media type is in lower case and has no parameters', becomes: {text: intended}};
}

function checkSubdivision(how: TextComparison, text: string): ValueMismatch | undefined {
	if (how !== 'whole' || text.includes('-')) return undefined;
	return {reason: 'a subdivision has its country before it, as GB-ENG'};
}

function checkPath(how: TextComparison, text: string): ValueMismatch | undefined {
	const address = /^https?:\/\/[^/]*(\/[^?#]*)?$/.exec(text);
	if (address) return {reason: 'a path has neither scheme nor host', becomes: {text: address[1] ?? '/'}};
	if (text.includes('://')) return {reason: 'a path has neither scheme nor host'};
	if (text.includes('#'))
		return {reason: 'the part behind # is never sent', becomes: {text: cutBefore(text, '#')}};
	if (text.includes('?') && how !== 'pattern')
		return {reason: 'the query is not part of the path', becomes: {field: 'uri', text}};
	if (/[ \u0080-\uffff]/u.test(text))
		return {
			reason: 'blanks and letters beyond ASCII are encoded in a path',
			becomes: {text: encodeURI(text.replaceAll('%', '%25')).replaceAll('%25', '%')},
		};
	if ((how === 'whole' || how === 'beginning') && !text.startsWith('/')) {
		const isHost = /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/|$)/.test(text) && /\.[a-z]{2,}(\/|$)/.test(text);
		const slash = text.indexOf('/');
		return {
			reason: 'a path begins with /',
			becomes: {text: isHost && slash > 0 ? text.slice(slash) : `/${text}`},
		};
	}
	if (how === 'pattern' && !/^[/*]/.test(text))
		return {reason: 'a path begins with /', becomes: {text: `/${text}`}};
	return undefined;
}

const cutBefore = (text: string, mark: string): string => text.slice(0, text.indexOf(mark));

function checkFullUri(how: TextComparison, text: string): ValueMismatch | undefined {
	if (text.includes('#'))
		return {reason: 'the part behind # is never sent', becomes: {text: cutBefore(text, '#')}};
	if (how !== 'whole' && how !== 'beginning' && how !== 'pattern') return undefined;
	if (/^https?:\/\//.test(text) || (how === 'beginning' && 'https://'.startsWith(text))) return undefined;
	if (how === 'pattern' && /^(\*|h(t(t(ps?)?)?)?\*|https?:)/i.test(text)) return undefined;
	const reason = 'the full address begins with its scheme, as https://';
	if (how === 'pattern') return {reason, becomes: {text: `*${text}`}};
	return text.startsWith('/')
		? {reason, becomes: {field: 'uri', text}}
		: {reason, becomes: {text: `https://${text}`}};
}

function checkHost(_how: TextComparison, text: string): ValueMismatch | undefined {
	const host = /^(?:[a-z]+:\/\/)?([^/?# ]+)[/?# ]?/i.exec(text)?.[1];
	if (!/[/? ]|:\/\//.test(text)) return undefined;
	return {
		reason: 'a host has neither scheme nor path',
		...(host !== undefined && host !== text && {becomes: {text: host}}),
	};
}

function checkCase(
	{case: wanted, keys}: Domain,
	how: TextComparison,
	text: string,
): ValueMismatch | undefined {
	if (!wanted || keys || how === 'pattern') return undefined;
	const cased = wanted === 'upper' ? text.toUpperCase() : text.toLowerCase();
	if (cased === text) return undefined;
	return {
		reason: wanted === 'upper' ? 'are in capitals' : 'are in lower case',
		isAboutValues: true,
		becomes: {text: cased},
	};
}

function checkEnum(
	{enum: values, near = {}}: Domain,
	how: TextComparison,
	text: string,
): ValueMismatch | undefined {
	if (!values || values.some(value => fits(how, value, text))) return undefined;
	const lower = text.toLowerCase();
	const intended = near[text] ?? values.find(value => fits(how, value.toLowerCase(), lower));
	const some = values.filter(value => value !== '').slice(0, 8);
	const list = `${some.join(', ')}${some.length < values.length - 1 ? ' …' : ''}`;
	return {
		reason: `are ${list}`,
		isAboutValues: true,
		...(intended !== undefined && {becomes: {text: how === 'whole' ? intended : lower}}),
	};
}

function fits(how: TextComparison, value: string, text: string): boolean {
	switch (how) {
		case 'whole':
			return value === text;
		case 'beginning':
			return value.startsWith(text);
		case 'end':
			return value.endsWith(text);
		case 'part':
			return value.includes(text);
		case 'pattern':
			return true;
	}
}

function checkCountry(
	{list, near = {}, extra = []}: Domain,
	how: TextComparison,
	text: string,
): ValueMismatch | undefined {
	if (list !== 'countries' || how !== 'whole' || extra.includes(text)) return undefined;
	const upper = text.toUpperCase();
	const intended = near[upper] ?? threeLetterCodes[upper];
	if (intended) return {reason: `the code of this country is ${intended}`, becomes: {text: intended}};
	if (upper === 'EU')
		return {reason: 'a country is not a continent: ip.src.is_in_european_union and ip.src.continent are'};
	if (text === upper && /^[A-Z]{2}$/.test(text)) return undefined;
	return {
		reason: 'a country is two capital letters (ISO 3166-1)',
		...(/^[A-Z]{2}$/.test(upper) ? {becomes: {text: upper}} : findCountryCode(text)),
	};
}

/** Finds the code of a country by its English name. */
function findCountryCode(text: string): Pick<ValueMismatch, 'becomes'> {
	if (text.length < 4) return {};
	const names = new Intl.DisplayNames('en', {type: 'region'});
	const code = countries.find(one => names.of(one)?.toLowerCase() === text.toLowerCase());
	return code === undefined ? {} : {becomes: {text: code}};
}

/** Three-letter codes of the countries that rules name most. */
const threeLetterCodes: Readonly<Record<string, string>> = {
	USA: 'US',
	GBR: 'GB',
	DEU: 'DE',
	GER: 'DE',
	FRA: 'FR',
	ESP: 'ES',
	ITA: 'IT',
	NLD: 'NL',
	CHN: 'CN',
	RUS: 'RU',
	PRK: 'KP',
	IRN: 'IR',
	IND: 'IN',
	BRA: 'BR',
	UKR: 'UA',
	CAN: 'CA',
	AUS: 'AU',
};

function checkPrefix(
	{prefix, notPrefix}: Domain,
	how: TextComparison,
	text: string,
): ValueMismatch | undefined {
	if (how !== 'whole' && how !== 'beginning') return undefined;
	if (notPrefix !== undefined && text.startsWith(notPrefix))
		return {
			reason: `do not begin with ${notPrefix}`,
			isAboutValues: true,
			becomes: {text: text.slice(notPrefix.length)},
		};
	if (prefix === undefined || text.startsWith(prefix)) return undefined;
	const [, rest] = /^https?:\/\/[^/]*(\/.*)$/.exec(text) ?? [];
	return {reason: `begin with ${prefix}`, isAboutValues: true, becomes: {text: rest ?? `${prefix}${text}`}};
}

function checkAbsentParts({absent = []}: Domain, text: string): ValueMismatch | undefined {
	const found = absent.find(part => text.includes(part));
	if (found === undefined) return undefined;
	return found === '#'
		? {reason: 'the part behind # is never sent', becomes: {text: cutBefore(text, '#')}}
		: {reason: `never have ${found} in them`, isAboutValues: true};
}

function checkFormat({regex}: Domain, how: TextComparison, text: string): ValueMismatch | undefined {
	if (regex === undefined || how !== 'whole' || new RegExp(regex).test(text)) return undefined;
	const [bare = ''] = text.split(';');
	const intended = [text.toUpperCase(), text.toLowerCase(), bare.trim().toLowerCase()].find(
		one => one !== '' && new RegExp(regex).test(one),
	);
	return {
		reason: 'have another form',
		isAboutValues: true,
		...(intended !== undefined && {becomes: {text: intended}}),
	};
}
