import type {ExpressionFunction, Field} from '../vocabulary/entries.ts';
import {fieldNamed, fields} from '../vocabulary/fields.ts';
import {functionNamed, functions} from '../vocabulary/functions.ts';
import type {Phase} from '../vocabulary/phases.ts';
import {verdictOn} from '../vocabulary/verdict.ts';
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
	'http.request.uri.path': 'http.path http.request.path http.uri.path',
	'http.request.uri.query': 'http.query http.request.query',
	'http.request.full_uri': 'http.url http.request.url',
	'http.host': 'http.request.host',
	'http.user_agent': 'http.request.user_agent',
	'http.referer': 'http.request.referer http.referrer',
	'http.request.headers': 'http.headers',
	'cf.client.bot': 'cf.verified_bot',
	'cf.api_gateway.fallthrough_detected': 'cf.api_gateway.fallthrough_triggered',
	ssl: 'https tls',
	'cf.edge.server_port': 'tcp.port tcp.dstport',
});

type Known = {readonly name: string; readonly letters: number};

const known = (name: string): Known => ({name, letters: lettersOf(name)});
/** What can be used in a phase, made when a name there is first not known. */
const knownIn = new Map<Phase, {readonly fields: readonly Known[]; readonly functions: readonly Known[]}>();

function namesIn(phase: Phase) {
	const before = knownIn.get(phase);
	if (before) return before;
	const isUsable = (one: Field | ExpressionFunction) => verdictOn(one, phase).kind === 'allowed';
	const names = {
		fields: fields.filter(one => !one.replacement && isUsable(one)).map(({name}) => known(name)),
		functions: functions.filter(isUsable).map(({name}) => known(name)),
	};
	knownIn.set(phase, names);
	return names;
}

/** The field that an unknown name was probably meant to be. */
export function fieldMeant(word: string, phase: Phase): string | undefined {
	const lower = word.toLowerCase();
	const other = otherNames.get(lower);
	if (other) return other;
	const {fields: names} = namesIn(phase);
	return near(word, names) ?? shortest(names, name => name.endsWith(`.${lower}`));
}

/** The function that an unknown name was probably meant to be. */
export function functionMeant(word: string, phase: Phase): string | undefined {
	const {functions: names} = namesIn(phase);
	const letters = word.toLowerCase().replaceAll('_', '');
	return names.find(({name}) => name.replaceAll('_', '') === letters)?.name ?? near(word, names);
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
