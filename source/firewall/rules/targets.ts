import {isIP} from 'node:net';

/** What people name when something has to be blocked at once, as a word each. */
type Target =
	| {readonly kind: 'address' | 'path' | 'path below' | 'address line' | 'country'; readonly text: string}
	| {readonly kind: 'as'; readonly number: string};

/**
 * The expression for what is named: addresses, networks (`10.0.0.0/8`), ranges (`192.0.2.1-192.0.2.9`), paths
 * (`/wp-login.php`; `/wp-admin/*` for all below), `country:XX` and `asn:64500`. Whatever matches one of them matches.
 * `unknown` is the first word that is none of these. Whether addresses and codes exist is not looked at.
 */
export function targetExpression(
	words: readonly string[],
): {readonly expression: string} | {readonly unknown: string} {
	const targets: Target[] = [];
	for (const word of words) {
		const target = targetOf(word);
		if (!target) return {unknown: word};
		targets.push(target);
	}
	const texts = (kind: Target['kind']) =>
		targets.flatMap(target => (target.kind === kind && 'text' in target ? [target.text] : []));
	const below = texts('path below').map(path => `starts_with(http.request.uri.path, ${quoted(path)})`);
	const conditions = [
		...among('ip.src', texts('address')),
		...among(
			'ip.src.asnum',
			targets.flatMap(target => (target.kind === 'as' ? [target.number] : [])),
		),
		...among('ip.src.country', texts('country').map(quoted)),
		...among('http.request.uri.path', texts('path').map(quoted)),
		...among('http.request.uri', texts('address line').map(quoted)),
		...below,
	];
	return {expression: conditions.join(' or ')};
}

/** The expression for a text that consists of such words only, with blanks, commas or line ends between them. */
export function expressionFor(text: string): string | undefined {
	const words = wordsOf(text);
	const found = words.length > 0 ? targetExpression(words) : undefined;
	return found && 'expression' in found ? found.expression : undefined;
}

/** The expression for exactly this path, whatever characters it has. */
export const pathExpression = (path: string): string =>
	`http.request.uri.path eq ${quoted(path.toWellFormed())}`;

/** The expression for exactly this path of a host; an unknown host is left out. */
export const hostPathExpression = (host: string | undefined, path: string): string =>
	host ? `(http.host eq ${quoted(host.toWellFormed())} and ${pathExpression(path)})` : pathExpression(path);

/** The expression for one address; `undefined` where the text is not exactly one. */
export const addressExpression = (address: string): string | undefined =>
	isIP(address) > 0 && !address.includes('%') ? `ip.src eq ${address}` : undefined;

/** The words of a text; what follows # in a line is a remark. */
export const wordsOf = (text: string): readonly string[] =>
	text
		.replaceAll(/(^|\s)#.*$/gm, '')
		.split(/[\s,;]+/)
		.filter(word => word !== '');

const version4 = /^\d{1,3}(?:\.\d{1,3}){3}/;

function targetOf(word: string): Target | undefined {
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
	const [address = '', bits, ...more] = text.split('/');
	if (more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
	if (version4.test(address)) return address.replace(version4, '') === '';
	return /^[0-9a-f:.]+$/i.test(address) && address.split(':').length > 2;
};

/** A field that has one of these values: compared with the only one, unless that holds several. */
function among(field: string, values: readonly string[]): readonly string[] {
	const unique = [...new Set(values)];
	const [only] = unique;
	if (only === undefined) return [];
	const isOne = unique.length === 1 && !/^[^"]*(?:\/|\.\.)/.test(only);
	return [isOne ? `${field} eq ${only}` : `${field} in {${unique.join(' ')}}`];
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
