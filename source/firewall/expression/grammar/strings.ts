import type {ExpressionProblem, Span} from './problem.ts';
import type {Quoted} from './quotes.ts';

/** The characters that a string stands for, their offsets in the text, and the invalid escapes. */
export type StringValue = {
	readonly value: string;
	/** Converts an index of the value, or its length, to an offset in the text. */
	readonly toOffset: (index: number) => number;
	readonly invalidEscapes: readonly EscapeProblem[];
};

type EscapeProblem = Span & Pick<ExpressionProblem, 'sentence' | 'correction'>;

const escapeCorrections: Readonly<Record<string, string>> = {n: '\\x0A', r: '\\x0D', t: '\\x09', 0: '\\000'};

/** Resolves the escapes of a string or of a pattern; raw strings have none. */
export function readStringValue(text: string, quoted: Quoted): StringValue {
	const source = text.slice(quoted.contentStart, quoted.contentEnd);
	const plainValue: StringValue = {
		value: source,
		toOffset: index => quoted.contentStart + index,
		invalidEscapes: [],
	};
	if (quoted.form === 'raw' || !source.includes('\\')) return plainValue;
	return quoted.form === 'regex'
		? readRegexValue(source, quoted.contentStart)
		: readEscapedValue(source, quoted.contentStart);
}

function readRegexValue(source: string, contentStart: number): StringValue {
	let value = '';
	let inClass = false;
	const offsets: number[] = [];
	for (let index = 0; index < source.length; index++) {
		const character = source.charAt(index);
		offsets.push(contentStart + index);
		if (character !== '\\') {
			if (character === '[') inClass = true;
			else if (character === ']') inClass = false;
			value += character;
			continue;
		}
		const nextCharacter = source.charAt(++index);
		if (nextCharacter === '"' && !inClass) value += nextCharacter;
		else {
			value += character + nextCharacter;
			if (nextCharacter) offsets.push(contentStart + index);
		}
	}
	return {value, toOffset: createOffsetLookup(offsets, contentStart + source.length), invalidEscapes: []};
}

function readEscapedValue(source: string, contentStart: number): StringValue {
	let value = '';
	const offsets: number[] = [];
	const invalidEscapes: EscapeProblem[] = [];
	for (let index = 0; index < source.length; ) {
		offsets.push(contentStart + index);
		if (source.charAt(index) !== '\\') {
			value += source.charAt(index++);
			continue;
		}
		const parsedEscape = readStringEscape(source, index);
		value += parsedEscape.value;
		if ('sentence' in parsedEscape) {
			const span = {start: contentStart + index, end: contentStart + index + parsedEscape.length};
			invalidEscapes.push({
				...span,
				sentence: parsedEscape.sentence,
				correction: {span, text: parsedEscape.correctText},
			});
			for (let extraIndex = 1; extraIndex < parsedEscape.value.length; extraIndex++)
				offsets.push(contentStart + index + extraIndex);
		}
		index += parsedEscape.length;
	}
	return {value, toOffset: createOffsetLookup(offsets, contentStart + source.length), invalidEscapes};
}

type Escape =
	| {value: string; length: number}
	| {value: string; length: number; sentence: string; correctText: string};

function readStringEscape(source: string, index: number): Escape {
	const nextCharacter = source.charAt(index + 1);
	if (nextCharacter === '"' || nextCharacter === '\\') return {value: nextCharacter, length: 2};
	const hex = /^[0-9a-fA-F]{2}$/.exec(nextCharacter === 'x' ? source.slice(index + 2, index + 4) : '');
	if (hex) return {value: String.fromCharCode(Number.parseInt(hex[0], 16)), length: 4};
	const octal = /^[0-3][0-7]{2}$/.exec(source.slice(index + 1, index + 4));
	if (octal) return {value: String.fromCharCode(Number.parseInt(octal[0], 8)), length: 4};
	const character = String.fromCodePoint(source.codePointAt(index + 1) ?? 0x5c);
	if (nextCharacter === '')
		return {value: '\\', length: 1, sentence: 'Write a backslash as \\\\.', correctText: '\\\\'};
	return {
		value: `\\${character}`,
		length: 1 + character.length,
		sentence: `\\${character} is not a valid escape: use \\", \\\\, \\x and two hex digits, or \\ and three octal digits. Write a backslash as \\\\.`,
		correctText: escapeCorrections[nextCharacter] ?? `\\\\${character}`,
	};
}

const createOffsetLookup =
	(offsets: readonly number[], end: number) =>
	(index: number): number =>
		offsets[index] ?? end;

/** Converts the content of foreign quotes to a string in double quotes. */
export function requote(content: string, inRegex: boolean): string {
	const escapedText = content.replace(/\\(?:["\\]|x[0-9a-fA-F]{2}|[0-3][0-7]{2})|\\|"/g, escapeSequence => {
		if (escapeSequence === '"') return '\\"';
		return escapeSequence === '\\' && !inRegex ? '\\\\' : escapeSequence;
	});
	return `"${inRegex && /(?:^|[^\\])(?:\\\\)*\\$/.test(escapedText) ? `${escapedText}\\` : escapedText}"`;
}
