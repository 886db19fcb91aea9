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
				`The engine can't ${what}. Add another comparison with "and" or "and not".`,
			);
	if (reader.consume('?P=') || reader.consume('?P>'))
		reader.refuse(start, 'backreferences are not supported', "The engine doesn't support backreferences.");
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
			reader.refuse(start, 'unclosed capture group name', 'The name of this group must end with >.');
		if (character !== '>') {
			if (!(from === start ? /[\p{Alphabetic}_]/u : /[\p{Alphabetic}\p{N}_.[\]]/u).test(character))
				reader.refuse(
					from,
					'invalid capture group character',
					'A group name starts with a letter or _ and contains only letters, digits and _.',
				);
			continue;
		}
		if (name === '') reader.refuse(start, 'empty capture group name', 'The name of this group is missing.');
		if (names.has(name)) {
			reader.place = from;
			reader.refuse(start, 'duplicate capture group name', 'Another group already has this name.');
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
			reader.refuse(groupStart, 'expected flag but got end of regex', 'This group is not closed.');
		if (character === ':' || character === ')') {
			if (from > start && reader.pattern.charAt(from - 1) === '-') {
				reader.place = from;
				reader.refuse(from - 1, 'dangling flag negation operator', 'A flag is missing after this -.');
			}
			if (character === ':') return {kind: 'group', flags};
			if (from > start) return {kind: 'flags', flags};
			reader.place = start;
			reader.refuse(start - 1, 'repetition operator missing expression', 'Flags are missing here.');
		}
		if (!/[imsUuxR-]/.test(character))
			reader.refuse(
				from,
				'unrecognized flag',
				`The engine doesn't support (?${character}: use (?:…) for a plain group; flags are i, m, s, U, u, x, R.`,
			);
		if (seenFlags.has(character)) {
			const engine = character === '-' ? 'flag negation operator repeated' : 'duplicate flag';
			reader.refuse(from, engine, 'This is a duplicate.', '');
		}
		seenFlags.add(character);
		const isOn = !seenFlags.has('-');
		if (character === 'u') flags = {...flags, unicode: isOn};
		if (character === 'x') flags = {...flags, spaced: isOn};
	}
}
