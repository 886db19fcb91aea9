import type {Place} from '../analysis.ts';
import type {ExpressionFunction, Field} from '../vocabulary/entries.ts';
import {type Phase, usualPhase} from '../vocabulary/phases.ts';
import {type Plan, planHas, planNames} from '../vocabulary/plan.ts';
import type {ValueType} from '../vocabulary/value-type.ts';
import {type Verdict, verdictOn} from '../vocabulary/verdict.ts';
import {isSign} from './name-extent.ts';
import {foreignLogical, isNot, logicalOperators} from './operators.ts';
import type {Correction, Problem, Span} from './problem.ts';
import type {Lexeme} from './token.ts';
import type {Expression, LogicalOperator, Operand} from './tree.ts';

/** Parentheses, `not` and functions within each other, as the engine counts them. */
const deepest = 128;

/** How many unknown names are compared with the known ones; in a text of nothing else it would take too long. */
const mostSuggestions = 12;

/** What was read, and the type of its value; none where an error made it unknowable. */
export type Typed = {
	readonly operand: Operand;
	readonly type: ValueType | undefined;
	/** Whether it is each of several values: `[*]`. */
	readonly each: boolean;
};

/** What joins two conditions: so many lexemes, none where it was forgotten. */
export type Joint = {readonly index: number; readonly operator: LogicalOperator; readonly length: number};

/** Conditions that were read, and whether they hold once or for each of several values. */
export type Conditions = {
	readonly expression: Expression | undefined;
	readonly returns: 'one' | 'each' | 'unknown';
};

/** What is read where nothing can be understood. */
export const nothing: Conditions = {expression: undefined, returns: 'unknown'};

export type Found = Omit<Problem, 'line' | 'column'> & {readonly mistake?: Mistake | undefined};

/** What is wrong, where the sentence quotes the expression and so differs from place to place. */
export type Mistake = 'unquoted text' | 'dash in a range' | 'star in an address' | 'open quote';

/** What the engine reports, and what can be written instead: of the whole span where it is a text. */
type Details = {
	readonly engine?: string | undefined;
	readonly correction?: Correction | string | undefined;
	readonly mistake?: Mistake | undefined;
};

/** Readers that call each other in turn, as the arguments of a function hold conditions: handed in, so that no file needs them both ways. */
type Grammar = {
	readonly readOperand: (reading: Reading) => Typed | undefined;
	readonly readConditions: (reading: Reading) => Conditions;
};

/** A reader's place in an expression, and what it noticed so far. */
export class Reading {
	readonly text: string;
	readonly place: Place;
	readonly grammar: Grammar;
	/** Where keywords were cut off the words that they are glued to. */
	readonly cuts = new Set<number>();
	readonly found: Found[] = [];
	readonly hinted: Found[] = [];
	readonly fields = new Set<string>();
	readonly functions = new Set<string>();
	/** Brackets that nothing closes before the text ends, the outermost last. */
	readonly unclosed: Lexeme[] = [];
	index = 0;
	/** Errors so far, to know whether something went well. */
	errorCount = 0;
	/** Whether something could not be understood, so that there is no tree. */
	broken = false;
	/** Whether the rest was given up: nothing is missing then. */
	gaveUp = false;
	/** Regular expressions so far. */
	regexes = 0;
	/** Within how many functions, where a comma ends what is read. */
	calls = 0;
	/** Within `any` or `all`, where conditions look at several values. */
	overSeveral = false;
	/** The comparison that was read last: its left side and operator may be meant again. */
	lastComparison:
		| {
				left: Span;
				operator: Span;
				operatorText: string;
				end: number;
				overSeveral: boolean;
				/** `contains not`, `is not`: what is written between the left side and the value says the opposite. */
				negated: boolean;
		  }
		| undefined;
	/** What joins conditions at a place, as it was read last: so that what is wrong with it is said once. */
	joint: Joint | undefined;
	readonly #lexemes: Lexeme[];
	/** What was said of plans and add-ons, each once. */
	readonly #needs = new Set<string>();
	readonly #verdicts = new Map<Field | ExpressionFunction, Verdict>();
	#depth = 0;
	#suggestions = 0;

	constructor(text: string, lexemes: readonly Lexeme[], place: Place, grammar: Grammar) {
		this.text = text;
		this.#lexemes = [...lexemes];
		this.place = place;
		this.grammar = grammar;
	}

	/** Without what separates. */
	get lexemes(): readonly Lexeme[] {
		return this.#lexemes;
	}

	get current(): Lexeme | undefined {
		return this.lexemes[this.index];
	}

	get next(): Lexeme | undefined {
		return this.lexemes[this.index + 1];
	}

	get previous(): Lexeme | undefined {
		return this.lexemes[this.index - 1];
	}

	/** The index of the lexeme that ends where a span does, if one does. */
	lastIn({end}: Span): number | undefined {
		let place = this.index;
		while ((this.lexemes[place]?.end ?? end) < end) place++;
		return this.lexemes[place]?.end === end ? place : undefined;
	}

	isAt(sign: string): boolean {
		return isSign(this.current, sign);
	}

	/** Where something is missing: at what follows, or behind the last lexeme. */
	get here(): Span {
		const end = this.lexemes.at(-1)?.end ?? this.text.length;
		return this.current ?? {start: end, end};
	}

	/** What closes a bracket behind what was read last; nothing does behind a string that is open itself. */
	closing(bracket: string, after: Lexeme | undefined = this.previous): Correction | undefined {
		if (!after || after.quoted?.closed === false) return undefined;
		return {span: {start: after.end, end: after.end}, text: bracket};
	}

	/** Goes on, and returns what it went past. */
	take(): Lexeme | undefined {
		return this.lexemes[this.index++];
	}

	slice(span: Span): string {
		return this.text.slice(span.start, span.end);
	}

	/** An error that leaves the structure of the expression plain. */
	error(span: Span, sentence: string, details?: Details): void {
		this.errorCount++;
		this.#note('error', span, sentence, details);
	}

	/** An error about the structure: no tree can be had. */
	unreadable(span: Span, sentence: string, details?: Details): void {
		this.broken = true;
		this.error(span, sentence, {engine: 'unrecognised input', ...details});
	}

	warning(span: Span, sentence: string, details?: Details): void {
		this.#note('warning', span, sentence, details);
	}

	/** What may be meant as it is, but probably is not. */
	hint({start, end}: Span, sentence: string): void {
		this.hinted.push({severity: 'warning', span: {start, end}, sentence});
	}

	#note(
		severity: Problem['severity'],
		{start, end}: Span,
		sentence: string,
		{engine, correction: mended, mistake}: Details = {},
	): void {
		const span = {start, end};
		const correction = typeof mended === 'string' ? {span, text: mended} : mended;
		this.found.push({
			severity,
			span,
			sentence,
			...(engine !== undefined && {engine}),
			...(mistake !== undefined && {mistake}),
			...(correction && {
				correction: {
					span: {start: correction.span.start, end: correction.span.end},
					text: correction.text,
				},
			}),
		});
	}

	/** Takes back what was said of the text from an offset on: it is told better, as one. */
	forget(offset: number): void {
		while ((this.found.at(-1)?.span.start ?? -1) >= offset) this.found.pop();
	}

	/** Takes back all that was said since so many things were found. */
	forgetSince(found: number): void {
		for (const {severity} of this.found.splice(found)) if (severity === 'error') this.errorCount--;
	}

	/** Adds a correction to the error that was found last, if it was found since then and has none. */
	correctLast(since: number, correction: Correction | undefined): void {
		const last = this.found.at(-1);
		if (correction && last && this.found.length > since && last.severity === 'error' && !last.correction)
			this.found[this.found.length - 1] = {...last, correction};
	}

	/** Takes back the corrections since then that reach before an offset, where more is to be mended first. */
	keepCorrectionsBehind(offset: number, found: number): void {
		for (let place = found; place < this.found.length; place++) {
			const one = this.found[place];
			if (one?.correction && one.correction.span.start < offset)
				this.found[place] = {...one, correction: undefined};
		}
	}

	/**
	 * Cuts the word at the place in two: the engine looks for keywords without asking where a word ends
	. `dropped` characters between the two are wrong, and belong to neither.
	 */
	cut(length: number, dropped = 0): void {
		const word = this.current;
		if (!word) return;
		const middle = word.start + length;
		const first: Lexeme = {kind: word.kind, start: word.start, end: middle, text: word.text.slice(0, length)};
		const start = middle + dropped;
		const second: Lexeme = {kind: word.kind, start, end: word.end, text: word.text.slice(length + dropped)};
		this.#lexemes.splice(this.index, 1, first, second);
		this.cuts.add(middle);
	}

	/** A keyword that is glued to what follows: the engine takes it, whoever reads it will not see it. */
	glued(word: Span, apart: string): void {
		this.warning(
			word,
			`A space is missing: ${shown(apart)}. The service finds the keyword, but whoever reads this may not.`,
			{correction: apart},
		);
	}

	/** The rules that the expression is for. */
	get phase(): Phase {
		return this.place.phase ?? usualPhase;
	}

	/** Notes that a field or function is used, and whether it can be: judged once, however often it is written. */
	use(one: Field | ExpressionFunction): Verdict {
		const before = this.#verdicts.get(one);
		if (before) return before;
		if ('parameters' in one) this.functions.add(one.name);
		else this.fields.add(one.name);
		const verdict = verdictOn(one, this.phase);
		this.#verdicts.set(one, verdict);
		return verdict;
	}

	/** What the plan lacks is an error, and an add-on a warning: each once, and only where the plan is known. */
	needs(span: Span, what: string, {plan: needed, addOn}: {plan?: Plan; addOn?: true}): void {
		const {plan} = this.place;
		if (!plan || !needed || this.#needs.has(what)) return;
		const lacks = !planHas(plan, needed);
		if (!lacks && !addOn) return;
		this.#needs.add(what);
		const higher =
			needed === 'enterprise' ? 'the Enterprise plan' : `the ${planNames[needed]} plan or a higher one`;
		if (lacks) this.error(span, `${what} needs ${higher}, and is not in the ${planNames[plan]} plan.`);
		else this.warning(span, `${what} needs an add-on that is bought on top of the plan.`);
	}

	/** What was probably meant by a name, as long as there were not too many of them. */
	suggest(word: string, meant: (word: string, phase: Phase) => string | undefined): string | undefined {
		return this.#suggestions++ < mostSuggestions ? meant(word, this.phase) : undefined;
	}

	/** Reads something one level deeper; too deep, all that is left is given up. */
	deeper<Result>(opening: Lexeme, read: () => Result): Result | undefined {
		if (this.#depth >= deepest) {
			this.unreadable(
				opening,
				`Parentheses, not and functions can stand within each other ${deepest} levels deep: this exceeds it.`,
				{engine: `maximum nesting depth exceeded (limit: ${deepest})`},
			);
			this.index = this.lexemes.length;
			this.unclosed.length = 0;
			this.gaveUp = true;
			return undefined;
		}
		this.#depth++;
		const result = read();
		this.#depth--;
		return result;
	}

	/** Whether what is read ends here: at a bracket, the end, or the comma between arguments. */
	get atBoundary(): boolean {
		const {current} = this;
		if (!current) return true;
		if (current.kind !== 'sign') return false;
		return current.text === ')' || (current.text === ',' && this.calls > 0);
	}

	/** Passes the lexeme at the place, and what cannot be understood behind it. */
	pass(): void {
		this.index++;
		this.stepOver();
	}

	/** Passes what cannot be understood, up to where the next condition may begin. */
	stepOver(): void {
		let depth = 0;
		for (let current = this.current; current; current = this.current) {
			if (depth === 0 && (this.atBoundary || isLogical(current))) return;
			if (current.kind === 'sign') {
				if ('([{'.includes(current.text)) depth++;
				else if (depth > 0 && ')]}'.includes(current.text)) depth--;
			}
			this.index++;
		}
	}
}

/** Whether a lexeme joins conditions, in whatever case it is written. */
export const isLogical = ({kind, text}: Lexeme): boolean =>
	kind === 'word'
		? text.length <= 3 && logicalOperators.has(text.toLowerCase())
		: kind === 'sign' && (logicalOperators.has(text) || foreignLogical.has(text));

export const isNotLexeme = ({kind, text}: Lexeme): boolean =>
	kind === 'word' ? text.length === 3 && isNot(text.toLowerCase()) : kind === 'sign' && isNot(text);

/** A stretch from the first to the last of something. */
export const spanOf = (first: Span, last: Span): Span => ({start: first.start, end: last.end});

/** A piece of an expression for a sentence: short, in quotes of its own. */
export function shown(text: string): string {
	const characters = Array.from(text.length > 200 ? text.slice(0, 200) : text);
	return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : text;
}
