import {type PatternFinding, patternError} from './finding.ts';

/** What flags say of the pattern from here on: Unicode classes (`u`), white space that does not count (`x`). */
export type Flags = {readonly unicode: boolean; readonly spaced: boolean};

/** What ends the reading of a pattern: its first error. */
export class PatternRefused extends Error {
	readonly finding: PatternFinding;

	constructor(finding: PatternFinding) {
		super(finding.sentence);
		this.finding = finding;
	}
}

/** A pattern and how far it has been read. */
export class Reader {
	readonly pattern: string;
	place = 0;
	flags: Flags = {unicode: false, spaced: false};

	constructor(pattern: string) {
		this.pattern = pattern;
	}

	get atEnd(): boolean {
		return this.place >= this.pattern.length;
	}

	/** The UTF-16 unit at the place, empty at the end. */
	get unit(): string {
		return this.pattern.charAt(this.place);
	}

	/** Passes the character (code point) at the place and returns it, empty at the end. */
	take(): string {
		const code = this.pattern.codePointAt(this.place);
		const character = code === undefined ? '' : String.fromCodePoint(code);
		this.place += character.length;
		return character;
	}

	isAt(text: string): boolean {
		return this.pattern.startsWith(text, this.place);
	}

	/** Passes a text where it is at the place; returns whether it was. */
	passes(text: string): boolean {
		const isHere = this.isAt(text);
		if (isHere) this.place += text.length;
		return isHere;
	}

	/** Goes over white space and comments where they do not count. */
	skipSpace(): void {
		if (!this.flags.spaced) return;
		while (!this.atEnd) {
			if (/\s/.test(this.unit)) this.place++;
			else if (this.unit === '#') {
				const end = this.pattern.indexOf('\n', this.place);
				this.place = end < 0 ? this.pattern.length : end + 1;
			} else return;
		}
	}

	/** Ends the reading with what is wrong from `start` to the place; a correction replaces just that. */
	refuse(start: number, engine: string, sentence: string, correction?: string): never {
		throw new PatternRefused(patternError(start, this.place, engine, sentence, correction));
	}
}
