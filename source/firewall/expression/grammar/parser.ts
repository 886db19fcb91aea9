import type {ExpressionContext} from '../context.ts';
import type {ErrorCode, HintCode, WarningCode} from '../lints/catalogue.ts';
import type {ExpressionFunction, Field} from '../vocabulary/entries.ts';
import {defaultPhase, type Phase} from '../vocabulary/phases.ts';
import {hasRequiredPlan, type Plan, planNames} from '../vocabulary/plan.ts';
import type {ValueType} from '../vocabulary/value-type.ts';
import {getVerdict, type Verdict} from '../vocabulary/verdict.ts';
import {isSign} from './name-extent.ts';
import {foreignConnectives, isNegationOperator, logicalOperators} from './operators.ts';
import {
	type Correction,
	createFoundProblem,
	type FoundProblem,
	type ProblemDetails,
	type Span,
} from './problem.ts';
import type {Lexeme} from './token.ts';
import type {Expression, LogicalOperator, Operand} from './tree.ts';

/** Maximum nesting of parentheses, `not` and functions, as the engine counts it. */
const maxDepth = 128;

/** Maximum number of unknown names to find suggestions for, which takes time. */
const maxSuggestions = 12;

/** A parsed operand, with the type of its value; undefined if an error makes that unknown. */
export type TypedOperand = {
	readonly operand: Operand;
	readonly type: ValueType | undefined;
	/** True if it stands for each of several values: `[*]`. */
	readonly isEach: boolean;
};

/** The operator between two conditions at `index`; `length` is the number of lexemes, 0 if it is missing. */
export type Connective = {
	readonly index: number;
	readonly operator: LogicalOperator;
	readonly length: number;
};

/** Parsed conditions, and whether they have one result or one per element. */
export type Conditions = {
	readonly expression: Expression | undefined;
	readonly resultKind: 'one' | 'each' | 'unknown';
};

/** The result for something that cannot be parsed. */
export const noConditions: Conditions = {expression: undefined, resultKind: 'unknown'};

/** The parsing functions that arguments and right sides call back; importing them there would be circular. */
type ParsingFunctions = {
	readonly readOperand: (parser: Parser) => TypedOperand | undefined;
	readonly readConditions: (parser: Parser) => Conditions;
};

/** The state of parsing an expression: the position, and what was found so far. */
export class Parser {
	readonly text: string;
	readonly context: ExpressionContext;
	readonly parsingFunctions: ParsingFunctions;
	/** Offsets where keywords were cut off words they are glued to. */
	readonly cutOffsets = new Set<number>();
	readonly problems: FoundProblem[] = [];
	readonly hints: FoundProblem[] = [];
	readonly fields = new Set<string>();
	readonly functions = new Set<string>();
	/** Brackets that are not closed before the end; the outermost is last. */
	readonly unclosedBrackets: Lexeme[] = [];
	index = 0;
	/** Count of errors so far. */
	errorCount = 0;
	/** True if something cannot be parsed, so that there is no tree. */
	broken = false;
	/** True if parsing ended early, so that nothing counts as missing. */
	gaveUp = false;
	/** Count of regular expressions so far. */
	regexCount = 0;
	/** Number of enclosing calls, in which a comma ends a value. */
	callDepth = 0;
	/** True inside `any` or `all`, where conditions look at several values. */
	inAnyOrAll = false;
	/** The last comparison. In `a eq 1 or 2`, its left side and operator are also meant for the `2`. */
	lastComparison:
		| {
				left: Span;
				operator: Span;
				operatorText: string;
				end: number;
				inAnyOrAll: boolean;
				/** True for `not contains` and `is not`, where the opposite of the operator is meant. */
				negated: boolean;
		  }
		| undefined;
	/** Cache of the last connective, so that its mistakes are reported once. */
	lastConnective: Connective | undefined;
	readonly #lexemes: Lexeme[];
	/** Plans and add-ons that were reported, each once. */
	readonly #reportedRequirements = new Set<string>();
	readonly #verdicts = new Map<Field | ExpressionFunction, Verdict>();
	#depth = 0;
	#suggestionCount = 0;

	constructor(
		text: string,
		lexemes: readonly Lexeme[],
		context: ExpressionContext,
		parsingFunctions: ParsingFunctions,
	) {
		this.text = text;
		this.#lexemes = [...lexemes];
		this.context = context;
		this.parsingFunctions = parsingFunctions;
	}

	/** Lexemes without spaces and comments. */
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

	/** Finds the index of the lexeme that ends where a span does. */
	findEndIndex({end}: Span): number | undefined {
		let index = this.index;
		while ((this.lexemes[index]?.end ?? end) < end) index++;
		return this.lexemes[index]?.end === end ? index : undefined;
	}

	isAt(sign: string): boolean {
		return isSign(this.current, sign);
	}

	/** The span of something missing: the next lexeme, or the end of the last one. */
	get missingSpan(): Span {
		const end = this.lexemes.at(-1)?.end ?? this.text.length;
		return this.current ?? {start: end, end};
	}

	/**
	 * Builds the insertion of a closing bracket after a lexeme; undefined after a string that is not closed.
	 */
	buildClosing(bracket: string, preceding: Lexeme | undefined = this.previous): Correction | undefined {
		if (!preceding || preceding.quoted?.closed === false) return undefined;
		return {span: {start: preceding.end, end: preceding.end}, text: bracket};
	}

	/** Consumes the current lexeme and returns it. */
	take(): Lexeme | undefined {
		return this.lexemes[this.index++];
	}

	slice(span: Span): string {
		return this.text.slice(span.start, span.end);
	}

	/** Reports an error that leaves the structure of the expression clear. */
	error(span: Span, sentence: string, details?: ProblemDetails & {readonly code?: ErrorCode}): void {
		this.errorCount++;
		this.problems.push(createFoundProblem('error', span, sentence, {code: 'E002', ...details}));
	}

	/** Reports an error in the structure, which prevents a tree. */
	syntaxError(span: Span, sentence: string, details?: ProblemDetails): void {
		this.broken = true;
		this.error(span, sentence, {code: 'E001', engineMessage: 'unrecognised input', ...details});
	}

	warning(span: Span, sentence: string, details: ProblemDetails & {readonly code: WarningCode}): void {
		this.problems.push(createFoundProblem('warning', span, sentence, details));
	}

	/**
	 * Reports an error that rests on ledge's tables, which may be older than the service: only a warning if the
	 * context allows unknown names.
	 */
	tableError(
		span: Span,
		sentence: string,
		{error, warning}: {readonly error: ErrorCode; readonly warning: WarningCode},
		details?: ProblemDetails,
	): void {
		if (this.context.allowUnknown) this.warning(span, sentence, {code: warning, ...details});
		else this.error(span, sentence, {code: error, ...details});
	}

	/** Adds a hint about something valid that is probably not intended. */
	hint(span: Span, sentence: string, details: ProblemDetails & {readonly code: HintCode}): void {
		this.hints.push(createFoundProblem('warning', span, sentence, details));
	}

	/**
	 * Discards the last problems that start at or after an offset, to report them as one. `errorCount` still
	 * counts them, since the error that replaces them follows.
	 */
	discardProblemsFrom(offset: number): void {
		while ((this.problems.at(-1)?.span.start ?? -1) >= offset) this.problems.pop();
	}

	/** Discards all problems after the first `problemCount`. */
	truncateProblems(problemCount: number): void {
		for (const {severity} of this.problems.splice(problemCount)) if (severity === 'error') this.errorCount--;
	}

	/**
	 * Adds a correction to the last problem if that is an error without one, and is not among the first
	 * `problemCount`.
	 */
	correctLast(problemCount: number, correction: Correction | undefined): void {
		const lastProblem = this.problems.at(-1);
		if (
			correction &&
			lastProblem &&
			this.problems.length > problemCount &&
			lastProblem.severity === 'error' &&
			!lastProblem.correction
		)
			this.problems[this.problems.length - 1] = {...lastProblem, correction};
	}

	/** Removes corrections that start before an offset from all problems after the first `problemCount`. */
	dropCorrectionsBefore(offset: number, problemCount: number): void {
		for (let index = problemCount; index < this.problems.length; index++) {
			const problem = this.problems[index];
			if (problem?.correction && problem.correction.span.start < offset)
				this.problems[index] = {...problem, correction: undefined};
		}
	}

	/**
	 * Cuts the current word in two, as the engine finds keywords without looking for the end of a word. Drops
	 * `droppedCount` wrong characters between the two.
	 */
	cut(length: number, droppedCount = 0): void {
		const word = this.current;
		if (!word) return;
		const middle = word.start + length;
		const firstPart: Lexeme = {
			kind: word.kind,
			start: word.start,
			end: middle,
			text: word.text.slice(0, length),
		};
		const start = middle + droppedCount;
		const secondPart: Lexeme = {
			kind: word.kind,
			start,
			end: word.end,
			text: word.text.slice(length + droppedCount),
		};
		this.#lexemes.splice(this.index, 1, firstPart, secondPart);
		this.cutOffsets.add(middle);
	}

	/** Warns of a keyword glued to the next word, which the engine accepts but people overlook. */
	warnGlued(word: Span, spacedText: string): void {
		this.warning(
			word,
			`A space is missing: ${abbreviate(spacedText)}. The service accepts this, but it is easy to misread.`,
			{code: 'L002', correction: spacedText},
		);
	}

	/** The phase of the rules that the expression is for. */
	get phase(): Phase {
		return this.context.phase ?? defaultPhase;
	}

	/** Records the use of a field or function, and returns whether it is valid here. Cached. */
	recordUse(entry: Field | ExpressionFunction): Verdict {
		const cachedVerdict = this.#verdicts.get(entry);
		if (cachedVerdict) return cachedVerdict;
		if ('parameters' in entry) this.functions.add(entry.name);
		else this.fields.add(entry.name);
		const verdict = getVerdict(entry, this.phase);
		this.#verdicts.set(entry, verdict);
		return verdict;
	}

	/**
	 * Reports a missing plan as an error and adds a hint at an add-on, each once, if the plan of the zone is
	 * known.
	 */
	requirePlan(span: Span, subject: string, {plan: requiredPlan, addOn}: {plan?: Plan; addOn?: true}): void {
		const {plan} = this.context;
		if (!plan || !requiredPlan || this.#reportedRequirements.has(subject)) return;
		const isPlanTooLow = !hasRequiredPlan(plan, requiredPlan);
		if (!isPlanTooLow && !addOn) return;
		this.#reportedRequirements.add(subject);
		const planText =
			requiredPlan === 'enterprise' ? 'the Enterprise plan' : `the ${planNames[requiredPlan]} plan or higher`;
		if (isPlanTooLow)
			this.tableError(
				span,
				`${subject} needs ${planText} and is not available on the ${planNames[plan]} plan.`,
				{error: 'E005', warning: 'L022'},
			);
		else this.hint(span, `${subject} needs a paid add-on to the plan.`, {code: 'L017'});
	}

	/** Suggests a name with the given function, at most `maxSuggestions` times. */
	suggest(
		word: string,
		findSuggestion: (word: string, phase: Phase) => string | undefined,
	): string | undefined {
		return this.#suggestionCount++ < maxSuggestions ? findSuggestion(word, this.phase) : undefined;
	}

	/** Reads something one level deeper. At the maximum depth, reports an error and ends parsing. */
	readNested<Result>(opening: Lexeme, read: () => Result): Result | undefined {
		if (this.#depth >= maxDepth) {
			this.syntaxError(
				opening,
				`Too deeply nested: parentheses, functions and "not" can be nested at most ${maxDepth} levels deep.`,
				{engineMessage: `maximum nesting depth exceeded (limit: ${maxDepth})`},
			);
			this.index = this.lexemes.length;
			this.unclosedBrackets.length = 0;
			this.gaveUp = true;
			return undefined;
		}
		this.#depth++;
		const result = read();
		this.#depth--;
		return result;
	}

	/** True at the end of what is being read: a closing parenthesis, the end, or a comma in a call. */
	get isAtBoundary(): boolean {
		const {current} = this;
		if (!current) return true;
		if (current.kind !== 'sign') return false;
		return current.text === ')' || (current.text === ',' && this.callDepth > 0);
	}

	/** Skips the current lexeme, and then up to a boundary or the next condition. */
	skipUnreadable(): void {
		this.index++;
		this.skipToNextCondition();
	}

	/** Skips to a boundary, or to a connective outside brackets, after which the next condition may start. */
	skipToNextCondition(): void {
		let depth = 0;
		for (let current = this.current; current; current = this.current) {
			if (depth === 0 && (this.isAtBoundary || isConnective(current))) return;
			if (current.kind === 'sign') {
				if ('([{'.includes(current.text)) depth++;
				else if (depth > 0 && ')]}'.includes(current.text)) depth--;
			}
			this.index++;
		}
	}
}

/** True if a lexeme is a connective, in upper or lower case. */
export const isConnective = ({kind, text}: Lexeme): boolean =>
	kind === 'word'
		? text.length <= 3 && logicalOperators.has(text.toLowerCase())
		: kind === 'sign' && (logicalOperators.has(text) || foreignConnectives.has(text));

export const isNegation = ({kind, text}: Lexeme): boolean =>
	kind === 'word'
		? text.length === 3 && isNegationOperator(text.toLowerCase())
		: kind === 'sign' && isNegationOperator(text);

/** Returns the span from the start of one to the end of another. */
export const joinSpans = (first: Span, last: Span): Span => ({start: first.start, end: last.end});

/** Shortens a part of an expression to at most 40 characters for a sentence. */
export function abbreviate(text: string): string {
	const characters = Array.from(text.length > 200 ? text.slice(0, 200) : text);
	return characters.length > 40 ? `${characters.slice(0, 39).join('')}…` : text;
}
