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
	const start = reader.position++;
	reader.skipSpace();
	for (const [opening, feature] of lookAround)
		if (reader.consume(opening))
			reader.refuse(
				start,
				'look-around, including look-ahead and look-behind, is not supported',
				`The engine can't ${feature}. Add another comparison with "and" or "and not".`,
			);
	if (reader.consume('?P=') || reader.consume('?P>'))
		reader.refuse(start, 'backreferences are not supported', "The engine doesn't support backreferences.");
	if (reader.consume('?P<') || reader.consume('?<')) return readName(reader, names);
	return reader.consume('?') ? readFlags(reader, start) : {kind: 'group', flags: reader.flags};
}

function readName(reader: PatternReader, names: Set<string>): GroupStart {
	const start = reader.position;
	for (;;) {
		const characterStart = reader.position;
		const character = reader.take();
		const name = reader.pattern.slice(start, characterStart);
		if (character === '')
			reader.refuse(start, 'unclosed capture group name', 'The name of this group must end with >.');
		if (character !== '>') {
			if (!(characterStart === start ? /[\p{Alphabetic}_]/u : /[\p{Alphabetic}\p{N}_.[\]]/u).test(character))
				reader.refuse(
					characterStart,
					'invalid capture group character',
					'A group name starts with a letter or _ and contains only letters, digits and _.',
				);
			continue;
		}
		if (name === '') reader.refuse(start, 'empty capture group name', 'The name of this group is missing.');
		if (names.has(name)) {
			reader.position = characterStart;
			reader.refuse(start, 'duplicate capture group name', 'Another group already has this name.');
		}
		names.add(name);
		return {kind: 'group', flags: reader.flags};
	}
}

/** Reads flags: `(?i)`, `(?i-s:`, `(?:`. The reader is after the question mark. */
function readFlags(reader: PatternReader, groupStart: number): GroupStart {
	const start = reader.position;
	const seenFlags = new Set<string>();
	let {flags} = reader;
	for (;;) {
		const characterStart = reader.position;
		const character = reader.take();
		if (character === '')
			reader.refuse(groupStart, 'expected flag but got end of regex', 'This group is not closed.');
		if (character === ':' || character === ')') {
			if (characterStart > start && reader.pattern.charAt(characterStart - 1) === '-') {
				reader.position = characterStart;
				reader.refuse(
					characterStart - 1,
					'dangling flag negation operator',
					'A flag is missing after this -.',
				);
			}
			if (character === ':') return {kind: 'group', flags};
			if (characterStart > start) return {kind: 'flags', flags};
			reader.position = start;
			reader.refuse(start - 1, 'repetition operator missing expression', 'Flags are missing here.');
		}
		if (!/[imsUuxR-]/.test(character))
			reader.refuse(
				characterStart,
				'unrecognized flag',
				`The engine doesn't support (?${character}: use (?:…) for a plain group; flags are i, m, s, U, u, x, R.`,
			);
		if (seenFlags.has(character)) {
			const engineMessage = character === '-' ? 'flag negation operator repeated' : 'duplicate flag';
			reader.refuse(characterStart, engineMessage, 'This is a duplicate.', '');
		}
		seenFlags.add(character);
		const isOn = !seenFlags.has('-');
		if (character === 'u') flags = {...flags, unicode: isOn};
		if (character === 'x') flags = {...flags, ignoresSpace: isOn};
	}
}
