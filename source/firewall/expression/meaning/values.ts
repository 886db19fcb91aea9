import type {ComparisonOperator} from '../grammar/tree.ts';
import type {WarningCode} from '../lints/catalogue.ts';
import {countries} from '../vocabulary/countries.ts';
import type {Domain, Field} from '../vocabulary/entries.ts';

/** How a text is compared with the value of a field. */
export type TextComparison = 'whole' | 'beginning' | 'end' | 'part' | 'pattern';

/** Returns how an operator compares a text; undefined for order and regular expressions. */
export function getTextComparison(operator: ComparisonOperator): TextComparison | undefined {
	switch (operator) {
		case 'eq':
		case 'ne':
		case 'in':
			return 'whole';
		case 'contains':
			return 'part';
		case 'wildcard':
		case 'strict wildcard':
			return 'pattern';
		default:
			return undefined;
	}
}

/** Why no value of a field matches a text, and the likely intention. */
export type ValueMismatch = MismatchReason & {readonly code: WarningCode};

type MismatchReason = {
	/** A clause without a capital: "a path starts with /". */
	readonly reason: string;
	/** True if `reason` is about the values of the field and lacks its subject: "start with /". */
	readonly isAboutValues?: true;
	/** The replacement: another text, another field, or both. */
	readonly replacement?: {readonly field?: string; readonly text: string};
};

/**
 * Finds why no value of a field can match a text in this comparison, according to the documented domain of
 * the field; undefined if one may.
 */
export function findMismatch(
	{name, domain}: Field,
	comparison: TextComparison,
	text: string,
): ValueMismatch | undefined {
	if (text === '') return undefined;
	const mismatch = fieldChecks[name]?.(comparison, text);
	if (mismatch) return {code: fieldCodes[name] ?? 'L033', ...mismatch};
	if (!domain || domain.unclear) return undefined;
	return (
		addCode('L039', checkCase(domain, comparison, text)) ??
		addCode('L038', checkCountry(domain, comparison, text)) ??
		addCode('L033', checkOtherValues(domain, comparison, text))
	);
}

const checkOtherValues = (
	domain: Domain,
	comparison: TextComparison,
	text: string,
): MismatchReason | undefined =>
	checkEnum(domain, comparison, text) ??
	checkPrefix(domain, comparison, text) ??
	checkAbsentParts(domain, text) ??
	checkFormat(domain, comparison, text);

const addCode = (code: WarningCode, reason: MismatchReason | undefined): ValueMismatch | undefined =>
	reason && {code, ...reason};

/** The codes of fields with checks of their own. */
const fieldCodes: Readonly<Record<string, WarningCode>> = {
	'http.request.uri.path': 'L036',
	'raw.http.request.uri.path': 'L036',
	'http.request.full_uri': 'L037',
	'http.host': 'L037',
};

/** Checks for fields whose domain is more than a list or a pattern, with corrections for common mistakes. */
const fieldChecks: Readonly<
	Record<string, (comparison: TextComparison, text: string) => MismatchReason | undefined>
> = {
	'http.request.uri.path': checkPath,
	// Clients may send characters without their encoding.
	'raw.http.request.uri.path': (comparison, text) =>
		/[\u0080-\uffff]/.test(text) ? undefined : checkPath(comparison, text),
	'http.request.full_uri': checkFullUri,
	'http.host': checkHost,
	'http.request.uri.path.extension': (comparison, text) => {
		if (comparison === 'pattern' || !/[A-Z./]/.test(text)) return undefined;
		return {
			reason: 'a file extension is lower case, without the dot',
			...correctExtension(text, extension => extension.toLowerCase()),
		};
	},
	'raw.http.request.uri.path.extension': (comparison, text) =>
		comparison !== 'pattern' && /[./]/.test(text)
			? {reason: 'a file extension is what follows the last dot', ...correctExtension(text)}
			: undefined,
	'cf.tls_version': (comparison, text) => {
		const [, version] = /^(?:TLS[ v]*)?(1(?:\.[0-3])?)$/i.exec(text) ?? [];
		if (comparison !== 'whole' || version === undefined) return undefined;
		const correctText = `TLSv${version.replace(/\.0$/, '')}`;
		return correctText === text
			? undefined
			: {reason: `versions are written as ${correctText}`, replacement: {text: correctText}};
	},
	'http.request.body.mime': (comparison, text) =>
		comparison === 'whole' && !text.includes('/')
			? {reason: 'a media type has two parts, such as text/html'}
			: checkMediaType(comparison, text),
	'http.response.content_type.media_type': checkMediaType,
	'ip.src.subdivision_1_iso_code': checkSubdivision,
	'ip.src.subdivision_2_iso_code': checkSubdivision,
	'ip.src.region_code': (comparison, text) =>
		comparison === 'whole' && /^[A-Z]{2}-./.test(text)
			? {reason: 'a region code has no country prefix', replacement: {text: text.slice(3)}}
			: undefined,
	'http.request.version': (comparison, text) => {
		const [, version] = /^(?:http\/?)?\s*v?([123](?:\.[01])?)$/i.exec(text) ?? [];
		if (comparison !== 'whole' || version === undefined || /^HTTP\/(1\.0|1\.1|2|3)$/.test(text))
			return undefined;
		return {
			reason: 'valid versions are HTTP/1.0, HTTP/1.1, HTTP/2 and HTTP/3',
			replacement: {text: `HTTP/${version === '1' ? '1.1' : version.replace(/^([23])\.0$/, '$1')}`},
		};
	},
};

/** Corrects a text that no file extension contains: a path is compared with the path instead. */
function correctExtension(
	text: string,
	toStoredCase = (extension: string) => extension,
): Pick<MismatchReason, 'replacement'> {
	if (text.startsWith('/')) return {replacement: {field: 'uri.path', text}};
	const extension = toStoredCase(text.split('.').at(-1) ?? '');
	return extension === '' || extension.includes('/') ? {} : {replacement: {text: extension}};
}

function checkMediaType(comparison: TextComparison, text: string): MismatchReason | undefined {
	const [mediaType = ''] = text.split(';');
	const correctText = mediaType.trim().toLowerCase();
	if (comparison === 'pattern' || correctText === text || correctText === '') return undefined;
	return {reason: 'a media type is lower case and has no parameters', replacement: {text: correctText}};
}

function checkSubdivision(comparison: TextComparison, text: string): MismatchReason | undefined {
	if (comparison !== 'whole' || text.includes('-')) return undefined;
	return {reason: 'a subdivision code starts with its country, such as GB-ENG'};
}

function checkPath(comparison: TextComparison, text: string): MismatchReason | undefined {
	// A part of a path may be another URL: /fetch/https://a.example. That gets a hint elsewhere.
	if (/^[a-z]+:\/\//i.test(text) && comparison !== 'part' && comparison !== 'end') {
		const urlMatch = /^https?:\/\/[^/]*(\/[^?#]*)?$/.exec(text);
		return {
			reason: 'a path contains no scheme or host',
			...(urlMatch && {replacement: {text: urlMatch[1] ?? '/'}}),
		};
	}
	const fragmentMismatch = checkFragment(text);
	if (fragmentMismatch) return fragmentMismatch;
	if (text.includes('?') && comparison !== 'pattern')
		return {reason: 'the query is not part of the path', replacement: {field: 'uri', text}};
	if (/[ \u0080-\uffff]/u.test(text))
		return {
			reason: 'spaces and non-ASCII characters are encoded in a path',
			replacement: {text: encodeURI(text.replaceAll('%', '%25')).replaceAll('%25', '%')},
		};
	if ((comparison === 'whole' || comparison === 'beginning') && !text.startsWith('/')) {
		const isHost = /^[a-z0-9-]+(\.[a-z0-9-]+)+(\/|$)/.test(text) && /\.[a-z]{2,}(\/|$)/.test(text);
		const slash = text.indexOf('/');
		return {
			reason: 'a path starts with /',
			replacement: {text: isHost && slash > 0 ? text.slice(slash) : `/${text.replace(/^\^?\/?/, '')}`},
		};
	}
	if (comparison === 'pattern' && !/^[/*]/.test(text))
		return {reason: 'a path starts with /', replacement: {text: `/${text}`}};
	return undefined;
}

/** Checks for a fragment, which clients don't send. No correction if every text would match the rest. */
function checkFragment(text: string): MismatchReason | undefined {
	const [sentText = ''] = text.split('#');
	if (sentText === text) return undefined;
	return {
		reason: 'the part after # is never sent',
		...(/[^*]/.test(sentText) && {replacement: {text: sentText}}),
	};
}

function checkFullUri(comparison: TextComparison, text: string): MismatchReason | undefined {
	const fragmentMismatch = checkFragment(text);
	if (fragmentMismatch) return fragmentMismatch;
	if (comparison !== 'whole' && comparison !== 'beginning' && comparison !== 'pattern') return undefined;
	if (/^https?:\/\//.test(text) || (comparison === 'beginning' && 'https://'.startsWith(text)))
		return undefined;
	if (comparison === 'pattern' && /^(\*|h(t(t(ps?)?)?)?\*|https?:)/i.test(text)) return undefined;
	const reason = 'a full URL starts with its scheme, such as https://';
	if (comparison === 'pattern') return {reason, replacement: {text: `*${text}`}};
	if (/^[a-z]+:\/\//i.test(text))
		return {reason: 'a full URL starts with http:// or https://', ...lowerScheme(text)};
	return text.startsWith('/')
		? {reason, replacement: {field: 'uri', text}}
		: {reason, replacement: {text: `https://${text}`}};
}

function lowerScheme(text: string): Pick<MismatchReason, 'replacement'> {
	const lowerText = text.replace(/^https?(?=:)/i, scheme => scheme.toLowerCase());
	return lowerText === text ? {} : {replacement: {text: lowerText}};
}

function checkHost(_comparison: TextComparison, text: string): MismatchReason | undefined {
	const host = /^(?:[a-z]+:\/\/)?([^/?# ]+)[/?# ]?/i.exec(text)?.[1];
	if (!/[/? ]|:\/\//.test(text)) return undefined;
	return {
		reason: 'a host contains no scheme or path',
		...(host !== undefined && host !== text && {replacement: {text: host}}),
	};
}

function checkCase(
	{case: letterCase, keys}: Domain,
	comparison: TextComparison,
	text: string,
): MismatchReason | undefined {
	if (!letterCase || keys || comparison === 'pattern') return undefined;
	const casedText = letterCase === 'upper' ? text.toUpperCase() : text.toLowerCase();
	if (casedText === text) return undefined;
	return {
		reason: letterCase === 'upper' ? 'are upper case' : 'are lower case',
		isAboutValues: true,
		replacement: {text: casedText},
	};
}

function checkEnum(
	{enum: values, near = {}}: Domain,
	comparison: TextComparison,
	text: string,
): MismatchReason | undefined {
	if (!values || values.some(value => matchesText(comparison, value, text))) return undefined;
	const lowerText = text.toLowerCase();
	const correctText =
		near[text] ?? values.find(value => matchesText(comparison, value.toLowerCase(), lowerText));
	const exampleValues = values.filter(value => value !== '').slice(0, 8);
	const exampleList = `${exampleValues.join(', ')}${exampleValues.length < values.length - 1 ? ' …' : ''}`;
	return {
		reason: `are ${exampleList}`,
		isAboutValues: true,
		...(correctText !== undefined && {replacement: {text: comparison === 'whole' ? correctText : lowerText}}),
	};
}

function matchesText(comparison: TextComparison, value: string, text: string): boolean {
	switch (comparison) {
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
	comparison: TextComparison,
	text: string,
): MismatchReason | undefined {
	if (list !== 'countries' || comparison !== 'whole' || extra.includes(text)) return undefined;
	const upperCode = text.toUpperCase();
	const correctText = near[upperCode] ?? threeLetterCodes[upperCode];
	if (correctText)
		return {reason: `the code for this country is ${correctText}`, replacement: {text: correctText}};
	if (upperCode === 'EU')
		return {reason: 'the EU is not a country (use ip.src.is_in_european_union or ip.src.continent)'};
	if (text === upperCode && /^[A-Z]{2}$/.test(text)) return undefined;
	return {
		reason: 'a country is two capital letters (ISO 3166-1)',
		...(/^[A-Z]{2}$/.test(upperCode) ? {replacement: {text: upperCode}} : findCountryCode(text)),
	};
}

/** Finds the code of a country by its English name. */
function findCountryCode(text: string): Pick<MismatchReason, 'replacement'> {
	if (text.length < 4) return {};
	const names = new Intl.DisplayNames('en', {type: 'region'});
	const code = countries.find(one => names.of(one)?.toLowerCase() === text.toLowerCase());
	return code === undefined ? {} : {replacement: {text: code}};
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

function checkPrefix({prefix}: Domain, comparison: TextComparison, text: string): MismatchReason | undefined {
	if (comparison !== 'whole' && comparison !== 'beginning') return undefined;
	if (prefix === undefined || text.startsWith(prefix)) return undefined;
	const [, path] = /^https?:\/\/[^/]*(\/.*)$/.exec(text) ?? [];
	return {
		reason: `start with ${prefix}`,
		isAboutValues: true,
		replacement: {text: path ?? `${prefix}${text}`},
	};
}

function checkAbsentParts({absent = []}: Domain, text: string): MismatchReason | undefined {
	const absentPart = absent.find(part => text.includes(part));
	if (absentPart === undefined) return undefined;
	return absentPart === '#'
		? checkFragment(text)
		: {reason: `never contain ${absentPart}`, isAboutValues: true};
}

function checkFormat({regex}: Domain, comparison: TextComparison, text: string): MismatchReason | undefined {
	if (regex === undefined || comparison !== 'whole' || new RegExp(regex).test(text)) return undefined;
	const [mediaType = ''] = text.split(';');
	const correctText = [text.toUpperCase(), text.toLowerCase(), mediaType.trim().toLowerCase()].find(
		one => one !== '' && new RegExp(regex).test(one),
	);
	return {
		reason: 'have a different format',
		isAboutValues: true,
		...(correctText !== undefined && {replacement: {text: correctText}}),
	};
}
