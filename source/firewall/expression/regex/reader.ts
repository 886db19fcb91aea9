import {createPatternError, type PatternFinding} from './finding.ts';

/** Flags that change the syntax: Unicode classes (`u`), ignored white space (`x`). */
export type Flags = {readonly unicode: boolean; readonly ignoresSpace: boolean};

/** Thrown at the first error of a pattern. */
export class PatternRefused extends Error {
	readonly finding: PatternFinding;

	constructor(finding: PatternFinding) {
		super(finding.sentence);
		this.finding = finding;
	}
}

/** A pattern and a position in it. */
export class PatternReader {
	readonly pattern: string;
	position = 0;
	flags: Flags = {unicode: false, ignoresSpace: false};

	constructor(pattern: string) {
		this.pattern = pattern;
	}

	get isAtEnd(): boolean {
		return this.position >= this.pattern.length;
	}

	/** The UTF-16 unit at the position, empty at the end. */
	get unit(): string {
		return this.pattern.charAt(this.position);
	}

	/** Consumes the character (code point) at the position and returns it, empty at the end. */
	take(): string {
		const code = this.pattern.codePointAt(this.position);
		const character = code === undefined ? '' : String.fromCodePoint(code);
		this.position += character.length;
		return character;
	}

	isAt(text: string): boolean {
		return this.pattern.startsWith(text, this.position);
	}

	/** Consumes `text` if it is at the position; returns true if so. */
	consume(text: string): boolean {
		const isFound = this.isAt(text);
		if (isFound) this.position += text.length;
		return isFound;
	}

	/** Skips white space and comments where they are ignored. */
	skipSpace(): void {
		if (!this.flags.ignoresSpace) return;
		while (!this.isAtEnd) {
			if (/\s/.test(this.unit)) this.position++;
			else if (this.unit === '#') {
				const end = this.pattern.indexOf('\n', this.position);
				this.position = end < 0 ? this.pattern.length : end + 1;
			} else return;
		}
	}

	/** Throws an error from `start` to the position; the correction replaces that span. */
	refuse(start: number, engineMessage: string, sentence: string, correction?: string): never {
		throw new PatternRefused(createPatternError(start, this.position, engineMessage, sentence, correction));
	}
}
