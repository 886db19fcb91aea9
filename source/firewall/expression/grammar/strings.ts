import type {ExpressionProblem, Span} from './problem.ts';
import type {Quoted} from './quotes.ts';

/** The characters that a string stands for, their offsets in the text, and the invalid escapes. */
export type StringValue = {
	readonly value: string;
	/** Converts an index of the value, or its length, to an offset in the text. */
	readonly toOffset: (place: number) => number;
	readonly escapes: readonly EscapeProblem[];
};

type EscapeProblem = Span & Pick<ExpressionProblem, 'sentence' | 'correction'>;

const escapeCorrections: Readonly<Record<string, string>> = {n: '\\x0A', r: '\\x0D', t: '\\x09', 0: '\\000'};

/** Resolves the escapes of a string or of a pattern; raw strings have none. */
export function readStringValue(text: string, quoted: Quoted): StringValue {
	const source = text.slice(quoted.from, quoted.to);
	const plainValue: StringValue = {value: source, toOffset: place => quoted.from + place, escapes: []};
	if (quoted.form === 'raw' || !source.includes('\\')) return plainValue;
	return quoted.form === 'regex'
		? readRegexValue(source, quoted.from)
		: readEscapedValue(source, quoted.from);
}

function readRegexValue(source: string, from: number): StringValue {
	let value = '';
	let inClass = false;
	const offsets: number[] = [];
	for (let place = 0; place < source.length; place++) {
		const character = source.charAt(place);
		offsets.push(from + place);
		if (character !== '\\') {
			if (character === '[') inClass = true;
			else if (character === ']') inClass = false;
			value += character;
			continue;
		}
		const nextCharacter = source.charAt(++place);
		if (nextCharacter === '"' && !inClass) value += nextCharacter;
		else {
			value += character + nextCharacter;
			if (nextCharacter) offsets.push(from + place);
		}
	}
	return {value, toOffset: createOffsetLookup(offsets, from + source.length), escapes: []};
}

function readEscapedValue(source: string, from: number): StringValue {
	let value = '';
	const offsets: number[] = [];
	const escapes: EscapeProblem[] = [];
	for (let place = 0; place < source.length; ) {
		offsets.push(from + place);
		if (source.charAt(place) !== '\\') {
			value += source.charAt(place++);
			continue;
		}
		const read = readStringEscape(source, place);
		value += read.value;
		if ('sentence' in read) {
			const span = {start: from + place, end: from + place + read.length};
			escapes.push({...span, sentence: read.sentence, correction: {span, text: read.text}});
			for (let more = 1; more < read.value.length; more++) offsets.push(from + place + more);
		}
		place += read.length;
	}
	return {value, toOffset: createOffsetLookup(offsets, from + source.length), escapes};
}

type Escape =
	| {value: string; length: number}
	| {value: string; length: number; sentence: string; text: string};

function readStringEscape(source: string, place: number): Escape {
	const nextCharacter = source.charAt(place + 1);
	if (nextCharacter === '"' || nextCharacter === '\\') return {value: nextCharacter, length: 2};
	const hex = /^[0-9a-fA-F]{2}$/.exec(nextCharacter === 'x' ? source.slice(place + 2, place + 4) : '');
	if (hex) return {value: String.fromCharCode(Number.parseInt(hex[0], 16)), length: 4};
	const octal = /^[0-3][0-7]{2}$/.exec(source.slice(place + 1, place + 4));
	if (octal) return {value: String.fromCharCode(Number.parseInt(octal[0], 8)), length: 4};
	const character = String.fromCodePoint(source.codePointAt(place + 1) ?? 0x5c);
	if (nextCharacter === '')
		return {value: '\\', length: 1, sentence: 'Write a backslash as \\\\.', text: '\\\\'};
	return {
		value: `\\${character}`,
		length: 1 + character.length,
		sentence: `\\${character} is not a valid escape: use \\", \\\\, \\x and two hex digits, or \\ and three octal digits. Write a backslash as \\\\.`,
		text: escapeCorrections[nextCharacter] ?? `\\\\${character}`,
	};
}

const createOffsetLookup =
	(offsets: readonly number[], end: number) =>
	(place: number): number =>
		offsets[place] ?? end;

/** Converts the content of foreign quotes to a string in double quotes. */
export function requote(content: string, inRegex: boolean): string {
	const escapedText = content.replace(/\\(?:["\\]|x[0-9a-fA-F]{2}|[0-3][0-7]{2})|\\|"/g, escapeSequence => {
		if (escapeSequence === '"') return '\\"';
		return escapeSequence === '\\' && !inRegex ? '\\\\' : escapeSequence;
	});
	return `"${inRegex && /(?:^|[^\\])(?:\\\\)*\\$/.test(escapedText) ? `${escapedText}\\` : escapedText}"`;
}
