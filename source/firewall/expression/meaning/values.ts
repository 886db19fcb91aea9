import {countries} from '../vocabulary/countries.ts';
import type {Domain, Field} from '../vocabulary/entries.ts';

/** How a text is compared with the value of a field. */
export type TextComparison = 'whole' | 'beginning' | 'end' | 'part' | 'pattern';

/** Why no value of a field matches a text, and the likely intention. */
export type Misfit = {
	/** The middle of a sentence: "a path begins with /". */
	readonly why: string;
	/** True if `reason` is about the values of the field and lacks its subject: "begin with /". */
	readonly ofValues?: true;
	/** The replacement: another text, another field, or both. */
	readonly becomes?: {readonly field?: string; readonly text: string};
};

/**
 * Finds why no value of a field can match a text in this comparison, according to the documented domain of
 * the field; undefined if one may.
 */
export function misfit({name, domain}: Field, how: TextComparison, text: string): Misfit | undefined {
	if (text === '') return undefined;
	const found = special[name]?.(how, text);
	if (found || !domain || domain.unclear) return found;
	return (
		wrongCase(domain, how, text) ??
		notInEnum(domain, how, text) ??
		notACountry(domain, how, text) ??
		wrongBeginning(domain, how, text) ??
		holdsForeign(domain, text) ??
		wrongForm(domain, how, text)
	);
}

/** Checks for fields whose domain is more than a list or a pattern, with corrections for common mistakes. */
const special: Readonly<Record<string, (how: TextComparison, text: string) => Misfit | undefined>> = {
	'http.request.uri.path': inPath,
	'raw.http.request.uri.path': inPath,
	'http.request.full_uri': inFullUri,
	'http.host': inHost,
	'http.request.uri.path.extension': (how, text) => {
		if (how === 'pattern' || !/[A-Z./]/.test(text)) return undefined;
		return {
			why: 'an extension is in lower case, what follows the last dot',
			becomes: {text: (text.split('.').at(-1) ?? '').toLowerCase()},
		};
	},
	'cf.tls_version': (how, text) => {
		const [, version] = /^(?:TLS[ v]*)?(1(?:\.[0-3])?)$/i.exec(text) ?? [];
		if (how !== 'whole' || version === undefined) return undefined;
		const meant = `TLSv${version.replace(/\.0$/, '')}`;
		return meant === text ? undefined : {why: `versions are written as ${meant}`, becomes: {text: meant}};
	},
	'http.request.body.mime': inMediaType,
	'http.response.content_type.media_type': inMediaType,
	'ip.src.subdivision_1_iso_code': inSubdivision,
	'ip.src.subdivision_2_iso_code': inSubdivision,
	'ip.src.region_code': (how, text) =>
		how === 'whole' && /^[A-Z]{2}-./.test(text)
			? {why: 'a region code has no country before it', becomes: {text: text.slice(3)}}
			: undefined,
	'http.request.version': (how, text) => {
		const [, number] = /^(?:http\/?)?\s*v?([123](?:\.[01])?)$/i.exec(text) ?? [];
		if (how !== 'whole' || number === undefined || /^HTTP\/(1\.0|1\.1|2|3)$/.test(text)) return undefined;
		return {
			why: 'versions are HTTP/1.0, HTTP/1.1, HTTP/2 and HTTP/3',
			becomes: {text: `HTTP/${number === '1' ? '1.1' : number.replace(/^([23])\.0$/, '$1')}`},
		};
	},
};

function inMediaType(how: TextComparison, text: string): Misfit | undefined {
	const [type = ''] = text.split(';');
	const meant = type.trim().toLowerCase();
	if (how === 'pattern' || meant === text || meant === '') return undefined;
	return {why: 'a media type is in lower case and has no parameters', becomes: {text: meant}};
}

function inSubdivision(how: TextComparison, text: string): Misfit | undefined {
	if (how !== 'whole' || text.includes('-')) return undefined;
	return {why: 'a subdivision has its country before it, as GB-ENG'};
}

function inPath(how: TextComparison, text: string): Misfit | undefined {
	const address = /^https?:\/\/[^/]*(\/[^?#]*)?$/.exec(text);
	if (address) return {why: 'a path has neither scheme nor host', becomes: {text: address[1] ?? '/'}};
	if (text.includes('://')) return {why: 'a path has neither scheme nor host'};
	if (text.includes('#')) return {why: 'the part behind # is never sent', becomes: {text: before(text, '#')}};
	if (text.includes('?') && how !== 'pattern')
		return {why: 'the query is not part of the path', becomes: {field: 'uri', text}};
	if (/[ \u0080-\uffff]/u.test(text))
		return {
			why: 'blanks and letters beyond ASCII are encoded in a path',
			becomes: {text: encodeURI(text.replaceAll('%', '%25')).replaceAll('%25', '%')},
		};
	if ((how === 'whole' || how === 'beginning') && !text.startsWith('/')) {
		const isHost = /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/|$)/.test(text) && /\.[a-z]{2,}(\/|$)/.test(text);
		const slash = text.indexOf('/');
		return {
			why: 'a path begins with /',
			becomes: {text: isHost && slash > 0 ? text.slice(slash) : `/${text}`},
		};
	}
	if (how === 'pattern' && !/^[/*]/.test(text))
		return {why: 'a path begins with /', becomes: {text: `/${text}`}};
	return undefined;
}

const before = (text: string, mark: string): string => text.slice(0, text.indexOf(mark));

function inFullUri(how: TextComparison, text: string): Misfit | undefined {
	if (text.includes('#')) return {why: 'the part behind # is never sent', becomes: {text: before(text, '#')}};
	if (how !== 'whole' && how !== 'beginning' && how !== 'pattern') return undefined;
	if (/^https?:\/\//.test(text) || (how === 'beginning' && 'https://'.startsWith(text))) return undefined;
	if (how === 'pattern' && /^(\*|h(t(t(ps?)?)?)?\*|https?:)/i.test(text)) return undefined;
	const why = 'the full address begins with its scheme, as https://';
	if (how === 'pattern') return {why, becomes: {text: `*${text}`}};
	return text.startsWith('/')
		? {why, becomes: {field: 'uri', text}}
		: {why, becomes: {text: `https://${text}`}};
}

function inHost(_how: TextComparison, text: string): Misfit | undefined {
	const host = /^(?:[a-z]+:\/\/)?([^/?# ]+)[/?# ]?/i.exec(text)?.[1];
	if (!/[/? ]|:\/\//.test(text)) return undefined;
	return {
		why: 'a host has neither scheme nor path',
		...(host !== undefined && host !== text && {becomes: {text: host}}),
	};
}

function wrongCase({case: wanted, keys}: Domain, how: TextComparison, text: string): Misfit | undefined {
	if (!wanted || keys || how === 'pattern') return undefined;
	const cased = wanted === 'upper' ? text.toUpperCase() : text.toLowerCase();
	if (cased === text) return undefined;
	return {
		why: wanted === 'upper' ? 'are in capitals' : 'are in lower case',
		ofValues: true,
		becomes: {text: cased},
	};
}

function notInEnum({enum: values, near = {}}: Domain, how: TextComparison, text: string): Misfit | undefined {
	if (!values || values.some(value => fits(how, value, text))) return undefined;
	const lower = text.toLowerCase();
	const meant = near[text] ?? values.find(value => fits(how, value.toLowerCase(), lower));
	const some = values.filter(value => value !== '').slice(0, 8);
	const list = `${some.join(', ')}${some.length < values.length - 1 ? ' …' : ''}`;
	return {
		why: `are ${list}`,
		ofValues: true,
		...(meant !== undefined && {becomes: {text: how === 'whole' ? meant : lower}}),
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

function notACountry(
	{list, near = {}, extra = []}: Domain,
	how: TextComparison,
	text: string,
): Misfit | undefined {
	if (list !== 'countries' || how !== 'whole' || extra.includes(text)) return undefined;
	const upper = text.toUpperCase();
	const meant = near[upper] ?? threeLetters[upper];
	if (meant) return {why: `the code of this country is ${meant}`, becomes: {text: meant}};
	if (upper === 'EU')
		return {why: 'a country is not a continent: ip.src.is_in_european_union and ip.src.continent are'};
	if (text === upper && /^[A-Z]{2}$/.test(text)) return undefined;
	return {
		why: 'a country is two capital letters (ISO 3166-1)',
		...(/^[A-Z]{2}$/.test(upper) ? {becomes: {text: upper}} : named(text)),
	};
}

/** Finds the code of a country by its English name. */
function named(text: string): Pick<Misfit, 'becomes'> {
	if (text.length < 4) return {};
	const names = new Intl.DisplayNames('en', {type: 'region'});
	const code = countries.find(one => names.of(one)?.toLowerCase() === text.toLowerCase());
	return code === undefined ? {} : {becomes: {text: code}};
}

/** Three-letter codes of the countries that rules name most. */
const threeLetters: Readonly<Record<string, string>> = {
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

function wrongBeginning({prefix, notPrefix}: Domain, how: TextComparison, text: string): Misfit | undefined {
	if (how !== 'whole' && how !== 'beginning') return undefined;
	if (notPrefix !== undefined && text.startsWith(notPrefix))
		return {
			why: `do not begin with ${notPrefix}`,
			ofValues: true,
			becomes: {text: text.slice(notPrefix.length)},
		};
	if (prefix === undefined || text.startsWith(prefix)) return undefined;
	const [, rest] = /^https?:\/\/[^/]*(\/.*)$/.exec(text) ?? [];
	return {why: `begin with ${prefix}`, ofValues: true, becomes: {text: rest ?? `${prefix}${text}`}};
}

function holdsForeign({absent = []}: Domain, text: string): Misfit | undefined {
	const found = absent.find(part => text.includes(part));
	if (found === undefined) return undefined;
	return found === '#'
		? {why: 'the part behind # is never sent', becomes: {text: before(text, '#')}}
		: {why: `never have ${found} in them`, ofValues: true};
}

function wrongForm({regex}: Domain, how: TextComparison, text: string): Misfit | undefined {
	if (regex === undefined || how !== 'whole' || new RegExp(regex).test(text)) return undefined;
	const [bare = ''] = text.split(';');
	const meant = [text.toUpperCase(), text.toLowerCase(), bare.trim().toLowerCase()].find(
		one => one !== '' && new RegExp(regex).test(one),
	);
	return {why: 'have another form', ofValues: true, ...(meant !== undefined && {becomes: {text: meant}})};
}
