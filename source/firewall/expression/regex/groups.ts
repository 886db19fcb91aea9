import type {Flags, PatternReader} from './reader.ts';

/** A group that starts, or flags that apply from here on. */
type GroupStart = {readonly kind: 'group' | 'flags'; readonly flags: Flags};

const lookAround = [
	['?=', 'look ahead'],
	['?!', 'look ahead'],
	['?<=', 'look behind'],
	['?<!', 'look behind'],
] as const;

/** Reads the start of a group; the reader is at its parenthesis. `names` are those of earlier groups. */
export function readGroupStart(reader: PatternReader, names: Set<string>): GroupStart {
	const start = reader.place++;
	reader.skipSpace();
	for (const [opening, what] of lookAround)
		if (reader.consume(opening))
			reader.refuse(
				start,
				'look-around, including look-ahead and look-behind, is not supported',
				`The engine cannot ${what}. Use another comparison joined with and, and not, instead.`,
			);
	if (reader.consume('?P=') || reader.consume('?P>'))
		reader.refuse(start, 'backreferences are not supported', 'The engine cannot refer back to a group.');
	if (reader.consume('?P<') || reader.consume('?<')) return readName(reader, names);
	return reader.consume('?') ? readFlags(reader, start) : {kind: 'group', flags: reader.flags};
}

function readName(reader: PatternReader, names: Set<string>): GroupStart {
	const start = reader.place;
	for (;;) {
		const from = reader.place;
		const character = reader.take();
		const name = reader.pattern.slice(start, from);
		if (character === '')
			reader.refuse(start, 'unclosed capture group name', 'The name of this group needs a > behind it.');
		if (character !== '>') {
			if (!(from === start ? /[\p{Alphabetic}_]/u : /[\p{Alphabetic}\p{N}_.[\]]/u).test(character))
				reader.refuse(
					from,
					'invalid capture group character',
					'The name of a group begins with a letter or _, and continues with letters, digits and _.',
				);
			continue;
		}
		if (name === '') reader.refuse(start, 'empty capture group name', 'The name of this group is missing.');
		if (names.has(name)) {
			reader.place = from;
			reader.refuse(start, 'duplicate capture group name', 'Another group has this name already.');
		}
		names.add(name);
		return {kind: 'group', flags: reader.flags};
	}
}

/** Reads flags: `(?i)`, `(?i-s:`, `(?:`. The reader is after the question mark. */
function readFlags(reader: PatternReader, groupStart: number): GroupStart {
	const start = reader.place;
	const seenFlags = new Set<string>();
	let {flags} = reader;
	for (;;) {
		const from = reader.place;
		const character = reader.take();
		if (character === '')
			reader.refuse(groupStart, 'expected flag but got end of regex', 'This group is never closed.');
		if (character === ':' || character === ')') {
			if (from > start && reader.pattern.charAt(from - 1) === '-') {
				reader.place = from;
				reader.refuse(from - 1, 'dangling flag negation operator', 'Behind this - a flag is missing.');
			}
			if (character === ':') return {kind: 'group', flags};
			if (from > start) return {kind: 'flags', flags};
			reader.place = start;
			reader.refuse(start - 1, 'repetition operator missing expression', 'There are no flags here.');
		}
		if (!/[imsUuxR-]/.test(character))
			reader.refuse(
				from,
				'unrecognized flag',
				`(?${character} is nothing that the engine knows: a plain group is (?:…), flags are i, m, s, U, u, x, R.`,
			);
		if (seenFlags.has(character)) {
			const engine = character === '-' ? 'flag negation operator repeated' : 'duplicate flag';
			reader.refuse(from, engine, 'This is repeated.', '');
		}
		seenFlags.add(character);
		const isOn = !seenFlags.has('-');
		if (character === 'u') flags = {...flags, unicode: isOn};
		if (character === 'x') flags = {...flags, spaced: isOn};
	}
}
