import {isIP} from 'node:net';

/** Something to block, parsed from one word. */
type Target =
	/** `address line`: a path with a query; `path below`: the beginning of a path. */
	| {readonly kind: 'address' | 'path' | 'path below' | 'address line' | 'country'; readonly text: string}
	| {readonly kind: 'as'; readonly number: string};

/** With sources and paths: a request must match both kinds (`all`) or either (`any`). */
export const targetMatches = ['all', 'any'] as const;
export type TargetMatch = (typeof targetMatches)[number];

/**
 * Meaning of a list of targets. Sources are addresses, networks (`10.0.0.0/8`), ranges
 * (`192.0.2.1-192.0.2.9`), `country:XX` and `asn:64500`; paths are `/wp-login.php`, or `/wp-admin/*` for
 * everything below. Values of one kind are alternatives. With both kinds each `TargetMatch` has its
 * expression. `unknown` is the first word that is neither. Does not check that addresses and codes exist.
 */
export type Targets =
	| {readonly kind: 'one'; readonly expression: string}
	| ({readonly kind: 'both'} & Readonly<Record<TargetMatch, string>>)
	| {readonly kind: 'unknown'; readonly word: string};

export function parseTargetWords(words: readonly string[]): Targets {
	const targets: Target[] = [];
	for (const word of words) {
		const target = parseTarget(word);
		if (!target) return {kind: 'unknown', word};
		targets.push(target);
	}
	const listTexts = (kind: Target['kind']) =>
		targets.flatMap(target => (target.kind === kind && 'text' in target ? [target.text] : []));
	const prefixConditions = listTexts('path below').map(
		path => `starts_with(http.request.uri.path, ${quoteString(path)})`,
	);
	const sources = [
		...buildConditions('ip.src', listTexts('address')),
		...buildConditions(
			'ip.src.asnum',
			targets.flatMap(target => (target.kind === 'as' ? [target.number] : [])),
		),
		...buildConditions('ip.src.country', listTexts('country').map(quoteString)),
	];
	const paths = [
		...buildConditions('http.request.uri.path', listTexts('path').map(quoteString)),
		...buildConditions('http.request.uri', listTexts('address line').map(quoteString)),
		...prefixConditions,
	];
	const anyExpression = [...sources, ...paths].join(' or ');
	if (sources.length === 0 || paths.length === 0) return {kind: 'one', expression: anyExpression};
	return {kind: 'both', all: `${joinConditions(sources)} and ${joinConditions(paths)}`, any: anyExpression};
}

const joinConditions = (conditions: readonly string[]): string =>
	conditions.length === 1 ? conditions.join() : `(${conditions.join(' or ')})`;

/** Parses a text of targets separated by spaces, commas or line breaks. */
export function parseTargets(text: string): Exclude<Targets, {kind: 'unknown'}> | undefined {
	const words = splitTargetWords(text);
	const targets = words.length > 0 ? parseTargetWords(words) : undefined;
	return targets?.kind === 'unknown' ? undefined : targets;
}

/** Builds the expression for exactly this path. */
export const buildPathExpression = (path: string): string =>
	`http.request.uri.path eq ${quoteString(path.toWellFormed())}`;

/** Builds the expression for exactly this path of a host; without a host, of any. */
export const buildHostPathExpression = (host: string | undefined, path: string): string =>
	host
		? `(http.host eq ${quoteString(host.toWellFormed())} and ${buildPathExpression(path)})`
		: buildPathExpression(path);

/** Builds the expression for one address; undefined if the text is not exactly one. */
export const buildAddressExpression = (address: string): string | undefined =>
	isIP(address) > 0 && !address.includes('%') ? `ip.src eq ${address}` : undefined;

/** Splits a text into words; `#` begins a comment. */
export const splitTargetWords = (text: string): readonly string[] =>
	text
		.replaceAll(/(^|\s)#.*$/gm, '')
		.split(/[\s,;]+/)
		.filter(word => word !== '');

const ipv4Pattern = /^\d{1,3}(?:\.\d{1,3}){3}/;

function parseTarget(word: string): Target | undefined {
	const range = word.replace(/(?<=[0-9a-f])-(?=[0-9a-f:])/i, '..');
	const [first = '', last] = range.split('..');
	if (isAddress(first) && (last === undefined || isAddress(last))) return {kind: 'address', text: range};
	const [, number] = /^(?:asn?:?|asnum:)(\d{1,10})$/i.exec(word) ?? [];
	if (number !== undefined) return {kind: 'as', number};
	const [, country] = /^country:([a-z]{2}|t1)$/i.exec(word) ?? [];
	if (country !== undefined) return {kind: 'country', text: country.toUpperCase()};
	if (!word.startsWith('/')) return undefined;
	if (word.endsWith('*') && !word.slice(0, -1).includes('*'))
		return {kind: 'path below', text: word.slice(0, -1)};
	if (word.includes('*')) return undefined;
	return {kind: word.includes('?') ? 'address line' : 'path', text: word};
}

const isAddress = (text: string): boolean => {
	const [address = '', bits, ...extraParts] = text.split('/');
	if (extraParts.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
	if (ipv4Pattern.test(address)) return address.replace(ipv4Pattern, '') === '';
	return /^[0-9a-f:.]+$/i.test(address) && address.split(':').length > 2;
};

/** Builds a condition: equality for a single value, else a set. */
function buildConditions(field: string, values: readonly string[]): readonly string[] {
	const uniqueValues = [...new Set(values)];
	const [firstValue] = uniqueValues;
	if (firstValue === undefined) return [];
	// A network or a range needs a set, even alone.
	const isSingleValue = uniqueValues.length === 1 && !/^[^"]*(?:\/|\.\.)/.test(firstValue);
	return [isSingleValue ? `${field} eq ${firstValue}` : `${field} in {${uniqueValues.join(' ')}}`];
}

const quoteString = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
