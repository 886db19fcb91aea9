import {computeEditDistance} from '../../../text/closest-name.ts';
import {findAdvice} from '../checks/other-names.ts';
import {separateKeyword, suggestField, suggestFunction} from '../checks/suggestions.ts';
import type {ExpressionFunction, Field} from '../vocabulary/entries.ts';
import {fields, findField, vocabularyDate} from '../vocabulary/fields.ts';
import {findFunction} from '../vocabulary/functions.ts';
import {toArrayType} from '../vocabulary/value-type.ts';
import {getRequiredPlan} from '../vocabulary/verdict.ts';
import {readArguments} from './arguments.ts';
import {readIndexes} from './indexes.ts';
import {buildPresenceCheck, reportLabel, reportMapNames} from './missing-names.ts';
import {findBracketEnd, isSign} from './name-extent.ts';
import {abbreviate, joinSpans, type Parser, type TypedOperand} from './parser.ts';
import type {Correction, ProblemDetails, Span} from './problem.ts';
import type {Lexeme} from './token.ts';

/** Reads a field or a call with its indexes. The parser is at a word. */
export function readOperand(parser: Parser): TypedOperand | undefined {
	const word = parser.take();
	if (!word) return undefined;
	const base = parser.isAt('(') ? readCall(parser, word) : readField(parser, word);
	return base && readIndexes(parser, base);
}

function readField(parser: Parser, word: Lexeme): TypedOperand {
	const span: Span = {start: word.start, end: word.end};
	const operand = {kind: 'field', ...span, name: word.text, indexes: []} as const;
	const field = findField(word.text);
	if (!field) {
		reportUnknownField(parser, word);
		return {operand, type: undefined, isEach: false};
	}
	if (checkUsable(parser, span, field)) {
		parser.requirePlan(span, field.name, getRequiredPlan(field, parser.phase));
		if (field.earlyAccess)
			parser.warning(span, `${field.name} is in early access: the service may reject it.`, {code: 'L014'});
	}
	if (field.replacement && field.unclear)
		parser.warning(
			span,
			`${field.name} is not in the documentation of ${vocabularyDate}; the closest field is ${field.replacement}.`,
			{code: 'L013'},
		);
	else if (field.replacement)
		parser.warning(span, `${field.name} is deprecated: use ${field.replacement}.`, {
			code: 'L012',
			correction: field.replacement,
		});
	if (field.name === 'cf.threat_score')
		parser.warning(span, 'cf.threat_score is always 0 now: this comparison has no effect.', {code: 'L015'});
	return {operand, type: field.type, isEach: false};
}

/**
 * Reports a field or function that rules of the parser's phase cannot use, or that is not documented for
 * them, and a second call where only one is allowed. Returns false if the rules cannot use it.
 */
function checkUsable(parser: Parser, span: Span, entry: Field | ExpressionFunction): boolean {
	const isSecondCall = 'parameters' in entry && parser.functions.has(entry.name);
	if (isSecondCall && (entry.oncePerExpression === true || entry.oncePerExpression?.includes(parser.phase))) {
		parser.error(span, `${entry.name} can only be called once in an expression.`);
		return true;
	}
	const verdict = parser.recordUse(entry);
	switch (verdict.kind) {
		case 'allowed':
			return true;
		case 'warning':
			parser.warning(span, verdict.reason, {code: 'L016'});
			return true;
		case 'error':
			if (verdict.isCertain)
				parser.error(span, verdict.reason, {code: 'E008', engineMessage: 'unknown identifier'});
			else
				parser.tableError(
					span,
					verdict.reason,
					{error: 'E004', warning: 'L021'},
					{engineMessage: 'unknown identifier'},
				);
			return !verdict.isCertain && parser.context.allowUnknown === true;
		default:
			return verdict satisfies never;
	}
}

/** Reports a name that is in no list. */
const reportUnlisted = (parser: Parser, word: Lexeme, sentence: string, details: ProblemDetails): void =>
	parser.tableError(word, sentence, {error: 'E003', warning: 'L011'}, details);

function reportUnknownField(parser: Parser, word: Lexeme): void {
	const engineMessage = 'unknown identifier';
	const name = abbreviate(word.text);
	if (findFunction(word.text)) {
		parser.syntaxError(
			word,
			`${name} is a function: put its arguments in parentheses, as in ${name}(http.host).`,
			{engineMessage: 'expected literal "("', correction: correctBrackets(parser, word)},
		);
		return;
	}
	const separatedText = separateKeyword(word.text);
	if (separatedText) {
		parser.syntaxError(word, `A space is missing: ${separatedText}.`, {
			engineMessage,
			correction: separatedText,
		});
		return;
	}
	if (reportLabel(parser, word) || reportMapNames(parser, word)) return;
	const suggestion = parser.suggest(word.text, suggestField);
	const mapValue = findMapValue(word.text, suggestion);
	if (mapValue) {
		reportUnlisted(
			parser,
			word,
			`Unknown field ${name} (as of ${vocabularyDate}): ${mapValue.map} is indexed by name, as in ${abbreviate(mapValue.text)}.`,
			{engineMessage, correction: mapValue.text},
		);
		return;
	}
	const suggestedField =
		suggestion && findField(suggestion)?.type?.kind === 'Map' && word.text.startsWith(`${suggestion}.`)
			? undefined
			: suggestion;
	const advice = findAdvice(word.text, 'field');
	const ending = suggestedField ? `; did you mean ${suggestedField}?` : advice ? `: ${advice}.` : '.';
	reportUnlisted(parser, word, `Unknown field ${name} (as of ${vocabularyDate})${ending}`, {
		engineMessage,
		correction: suggestedField,
	});
}

/** Corrects `lower[http.host]`. */
function correctBrackets(parser: Parser, word: Lexeme): Correction | undefined {
	const {lexemes, index, current: open} = parser;
	const endIndex = isSign(open, '[') ? findBracketEnd(lexemes, index) : undefined;
	const close = endIndex === undefined ? undefined : lexemes[endIndex - 1];
	if (!open || !close) return undefined;
	const innerText = parser.slice({start: open.end, end: close.start});
	return {span: joinSpans(word, close), text: `${word.text}(${innerText})`};
}

/** Finds the map value meant by `http.request.headers.accept`, unless a field has a similar name. */
function findMapValue(
	word: string,
	suggestion: string | undefined,
): {readonly map: string; readonly text: string} | undefined {
	const map = mapFields.find(({name}) => word.startsWith(`${name}.`))?.name;
	if (!map) return suggestion ? undefined : findElement(word);
	if (
		suggestion?.startsWith(`${map}.`) &&
		computeEditDistance(word.toLowerCase(), suggestion, 2) !== undefined
	)
		return undefined;
	const key = word.slice(map.length + 1);
	if (!/^[A-Za-z0-9_-]+$/.test(key)) return undefined;
	return {map, text: `${map}["${map === 'http.request.headers' ? key.toLowerCase() : key}"]`};
}

const elementPattern = /^http\.(?:request\.)?(?:(header|cookie)s?\.|x_(?!forwarded_for$))([A-Za-z0-9_-]+)$/;

/**
 * Finds the cookie or header meant by `http.cookie.session` or `http.x_api_key`, named as in other languages.
 */
function findElement(word: string): {readonly map: string; readonly text: string} | undefined {
	const [, kind, name] = elementPattern.exec(word.slice(0, 100)) ?? [];
	if (name === undefined) return undefined;
	const key = kind === 'cookie' ? name : `${kind ? '' : 'x-'}${name.toLowerCase().replaceAll('_', '-')}`;
	const map = `http.request.${kind === 'cookie' ? 'cookies' : 'headers'}`;
	return {map, text: `${map}["${key}"][0]`};
}

const mapFields = fields.filter(
	({type, replacement, scope}) => type?.kind === 'Map' && !replacement && !scope,
);

function readCall(parser: Parser, word: Lexeme): TypedOperand | undefined {
	const knownFunction = findFunction(word.text);
	const calledFunction = knownFunction ?? reportUnknownFunction(parser, word);
	const isUsable = !knownFunction || checkUsable(parser, word, knownFunction);
	if (knownFunction && isUsable) parser.requirePlan(word, knownFunction.name, knownFunction);
	const problemCount = parser.problems.length;
	// A function that cannot be used here is reported once; its arguments are not checked.
	const parsedArguments = parser.readNested(word, () =>
		readArguments(parser, word, isUsable ? calledFunction : undefined),
	);
	if (!parsedArguments) return undefined;
	if (!calledFunction && findAdvice(word.text.toLowerCase(), 'function') && !parser.context.allowUnknown)
		parser.truncateProblems(problemCount);
	const operand = {
		kind: 'call',
		start: word.start,
		end: parsedArguments.end,
		name: word.text,
		nameSpan: {start: word.start, end: word.end},
		arguments: parsedArguments.items.map(item => item.argument),
		indexes: [],
	} as const;
	const [firstArgument] = parsedArguments.items;
	const argumentType = parsedArguments.items.find(({type}) => type)?.type;
	const isCertainFunction = knownFunction !== undefined || calledFunction?.name === normalizeName(word.text);
	const isTypeKnown =
		parsedArguments.state === 'sound' ||
		(parsedArguments.state === 'flawed' && calledFunction?.returns !== 'first');
	const returns = calledFunction && isCertainFunction && isTypeKnown ? calledFunction.returns : undefined;
	const type = returns === 'first' ? argumentType : returns;
	return {operand, type: type && firstArgument?.isEach ? toArrayType(type) : type, isEach: false};
}

/** Returns a name in lower case. */
const normalizeName = (name: string): string => name.slice(0, 100).toLowerCase();

/** Corrects `ssl()`. */
function buildParenthesesRemoval({lexemes, index}: Parser, {text, ...word}: Lexeme): Correction | undefined {
	const close = lexemes[index + 1];
	return close && isSign(close, ')') ? {span: joinSpans(word, close), text} : undefined;
}

/** Reports an unknown function. Returns the intended one, if clear, so that its arguments can be checked. */
function reportUnknownFunction(parser: Parser, word: Lexeme): ExpressionFunction | undefined {
	const suggestion = findField(word.text) ? undefined : parser.suggest(word.text, suggestFunction);
	const name = abbreviate(word.text);
	if (findField(word.text))
		parser.error(word, `${name} is a field, not a function: remove the parentheses.`, {
			engineMessage: 'unrecognised input',
			correction: buildParenthesesRemoval(parser, word),
		});
	else {
		const advice = suggestion ? undefined : findAdvice(word.text.toLowerCase(), 'function');
		const ending = suggestion ? `; did you mean ${suggestion}?` : advice ? `: ${advice}.` : '.';
		const presenceCheck = advice?.startsWith('has_key') ? buildPresenceCheck(parser, word) : undefined;
		reportUnlisted(parser, word, `Unknown function ${name} (as of ${vocabularyDate})${ending}`, {
			engineMessage: 'unknown identifier',
			correction: presenceCheck ?? suggestion,
		});
	}
	return suggestion === undefined || parser.context.allowUnknown ? undefined : findFunction(suggestion);
}
