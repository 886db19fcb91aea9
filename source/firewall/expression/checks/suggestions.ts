import {fieldNamed, fields} from '../vocabulary/fields.ts';
import {functionNamed, functions} from '../vocabulary/functions.ts';
import {distanceWithin} from './edit-distance.ts';

/** What each of several spellings means; the spellings of one meaning have spaces between them. */
export const spellings = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
	new Map(
		Object.entries(table).flatMap(([meant, words]) => words.split(' ').map(word => [word, meant] as const)),
	);

/** Names that other tools have, or that samples show, for fields of this language. */
const otherNames: ReadonlyMap<string, string> = spellings({
	'ip.src': 'ip ip.addr ip.address src.ip http.request.ip',
	'ip.src.country': 'ip.country',
	'ip.src.asnum': 'ip.asn ip.src.asn asn',
	'http.request.method': 'http.method',
	'http.request.uri': 'http.uri',
	'http.request.uri.path': 'http.path http.request.path',
	'http.request.uri.query': 'http.query http.request.query',
	'http.request.full_uri': 'http.url http.request.url',
	'http.host': 'http.request.host',
	'http.user_agent': 'http.request.user_agent',
	'http.referer': 'http.request.referer http.referrer',
	'http.request.headers': 'http.headers',
	ssl: 'https tls',
	'cf.edge.server_port': 'tcp.port tcp.dstport',
});

type Known = {readonly name: string; readonly letters: number};

const known = (name: string): Known => ({name, letters: lettersOf(name)});
let knownFields: readonly Known[] | undefined;
let knownFunctions: readonly Known[] | undefined;

/** The field that an unknown name was probably meant to be. */
export function fieldMeant(word: string): string | undefined {
	const lower = word.toLowerCase();
	const other = otherNames.get(lower);
	if (other) return other;
	knownFields ??= fields.filter(field => !field.scope && !field.replacement).map(field => known(field.name));
	return near(word, knownFields) ?? shortest(knownFields, name => name.endsWith(`.${lower}`));
}

/** The function that an unknown name was probably meant to be. */
export function functionMeant(word: string): string | undefined {
	knownFunctions ??= functions.filter(({elsewhere}) => !elsewhere).map(({name}) => known(name));
	const letters = word.toLowerCase().replaceAll('_', '');
	return (
		knownFunctions.find(({name}) => name.replaceAll('_', '') === letters)?.name ?? near(word, knownFunctions)
	);
}

const keywordsBefore = ['not', 'and', 'or', 'xor'];
/** Operators that are found at the end of a word, the longer ones first. */
export const keywordsBehind = ['contains', 'matches', 'wildcard', 'eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in'];

/** A word that is a keyword and a name run together, written apart: `notssl`, `http.hosteq`. */
export function keywordApart(word: string): string | undefined {
	for (const keyword of keywordsBefore) {
		const rest = word.slice(keyword.length);
		if (word.startsWith(keyword) && isName(rest)) return `${keyword} ${rest}`;
	}
	for (const keyword of keywordsBehind) {
		const rest = word.slice(0, -keyword.length);
		if (word.endsWith(keyword) && isName(rest)) return `${rest} ${keyword}`;
	}
	return undefined;
}

export const isName = (word: string): boolean =>
	fieldNamed(word) !== undefined || functionNamed(word) !== undefined;

/** The nearest name; only those that can be near are compared letter by letter, since this runs on every key. */
function near(word: string, names: readonly Known[]): string | undefined {
	if (word.length > 80) return undefined;
	const lower = word.toLowerCase();
	const letters = lettersOf(word);
	let most = Math.min(5, Math.max(1, Math.floor(word.length / 3)));
	let best: string | undefined;
	for (const {name, letters: others} of names) {
		if (Math.abs(name.length - word.length) > most) continue;
		if (count(letters & ~others) > most || count(others & ~letters) > most) continue;
		const distance = distanceWithin(lower, name, most);
		if (distance === undefined) continue;
		best = name;
		most = distance - 1;
		if (most < 0) break;
	}
	return best;
}

function shortest(names: readonly Known[], wanted: (name: string) => boolean): string | undefined {
	let best: string | undefined;
	for (const {name} of names) if (wanted(name) && (!best || name.length < best.length)) best = name;
	return best;
}

/** Which letters a word has, one bit each; all but letters share the rest. */
function lettersOf(word: string): number {
	let bits = 0;
	for (let place = 0; place < word.length; place++) bits |= 1 << ((word.charCodeAt(place) | 0x20) & 31);
	return bits;
}

function count(bits: number): number {
	let left = bits;
	let found = 0;
	for (; left; left &= left - 1) found++;
	return found;
}
