import {distanceWithin} from '../checks/edit-distance.ts';
import {insteadOf} from '../checks/other-names.ts';
import {fieldMeant, functionMeant, keywordApart} from '../checks/suggestions.ts';
import type {ExpressionFunction, Field} from '../vocabulary/entries.ts';
import {fieldNamed, fields, listsDate} from '../vocabulary/fields.ts';
import {functionNamed} from '../vocabulary/functions.ts';
import {arrayOf} from '../vocabulary/value-type.ts';
import {planIn} from '../vocabulary/verdict.ts';
import {readArguments} from './arguments.ts';
import {readIndexes} from './indexes.ts';
import {label, nameInMap, presenceOf} from './missing-names.ts';
import {behindBrackets, isSign} from './name-extent.ts';
import type {Correction, Span} from './problem.ts';
import {type Reading, shown, spanOf, type Typed} from './reading.ts';
import type {Lexeme} from './token.ts';

/** Reads a field or a call with its indexes. The parser is at a word. */
export function readOperand(reading: Reading): Typed | undefined {
	const word = reading.take();
	if (!word) return undefined;
	const base = reading.isAt('(') ? readCall(reading, word) : readField(reading, word);
	return base && readIndexes(reading, base);
}

function readField(reading: Reading, word: Lexeme): Typed {
	const span: Span = {start: word.start, end: word.end};
	const operand = {kind: 'field', ...span, name: word.text, indexes: []} as const;
	const field = fieldNamed(word.text);
	if (!field) {
		unknownField(reading, word);
		return {operand, type: undefined, each: false};
	}
	if (canBeUsed(reading, span, field)) {
		reading.needs(span, field.name, planIn(field, reading.phase));
		if (field.earlyAccess)
			reading.warning(span, `${field.name} is in early access: the service may refuse it.`);
	}
	if (field.replacement && field.unclear)
		reading.warning(
			span,
			`${field.name} is not in the documents of ${listsDate}: ${field.replacement} is nearest to it.`,
		);
	else if (field.replacement)
		reading.warning(span, `${field.name} is deprecated: it is called ${field.replacement} now.`, {
			correction: field.replacement,
		});
	if (field.name === 'cf.threat_score')
		reading.warning(span, 'cf.threat_score is always 0 now: a comparison with it tells nothing.');
	return {operand, type: field.type, each: false};
}

/**
 * Reports something that is invalid in these rules, or not documented for them. Returns false if it is
 * invalid.
 */
function canBeUsed(reading: Reading, span: Span, one: Field | ExpressionFunction): boolean {
	const isSecond = 'parameters' in one && reading.functions.has(one.name);
	if (isSecond && (one.once === true || one.once?.includes(reading.phase))) {
		reading.error(span, `${one.name} can be called once in an expression: this exceeds it.`);
		return true;
	}
	const verdict = reading.use(one);
	switch (verdict.kind) {
		case 'allowed':
			return true;
		case 'warning':
			reading.warning(span, verdict.reason);
			return true;
		case 'error':
			reading.error(span, verdict.reason, {engine: 'unknown identifier'});
			return false;
		default:
			return verdict satisfies never;
	}
}

/** Reports a name that is in no list: an error, or a warning if it may be newer than the lists. */
function notListed(
	reading: Reading,
	word: Lexeme,
	sentence: string,
	details: {engine?: string; correction?: Correction | string | undefined},
): void {
	if (reading.place.allowUnknown) reading.warning(word, sentence, details);
	else reading.error(word, sentence, details);
}

function unknownField(reading: Reading, word: Lexeme): void {
	const engine = 'unknown identifier';
	const name = shown(word.text);
	if (functionNamed(word.text)) {
		reading.unreadable(
			word,
			`${name} is a function: what it looks at follows in parentheses, as ${name}(http.host).`,
			{engine: 'expected literal "("', correction: otherBrackets(reading, word)},
		);
		return;
	}
	const apart = keywordApart(word.text);
	if (apart) {
		reading.unreadable(word, `A space is missing: ${apart}.`, {engine, correction: apart});
		return;
	}
	if (label(reading, word) || nameInMap(reading, word)) return;
	const suggested = reading.suggest(word.text, fieldMeant);
	const byName = valueByName(word.text, suggested);
	if (byName) {
		notListed(
			reading,
			word,
			`There is no field ${name} (lists of ${listsDate}): ${byName.map} has values by name, as ${shown(byName.text)}.`,
			{engine, correction: byName.text},
		);
		return;
	}
	const meant =
		suggested && fieldNamed(suggested)?.type?.kind === 'Map' && word.text.startsWith(`${suggested}.`)
			? undefined
			: suggested;
	const instead = insteadOf(word.text, 'field');
	const ending = meant ? `; did you mean ${meant}?` : instead ? `: ${instead}.` : '.';
	notListed(reading, word, `There is no field ${name} (lists of ${listsDate})${ending}`, {
		engine,
		correction: meant,
	});
}

/** Corrects `lower[http.host]`. */
function otherBrackets(reading: Reading, word: Lexeme): Correction | undefined {
	const {lexemes, index, current: open} = reading;
	const behind = isSign(open, '[') ? behindBrackets(lexemes, index) : undefined;
	const close = behind === undefined ? undefined : lexemes[behind - 1];
	if (!open || !close) return undefined;
	const inner = reading.slice({start: open.end, end: close.start});
	return {span: spanOf(word, close), text: `${word.text}(${inner})`};
}

/** Finds the map value meant by `http.request.headers.accept`, unless a field has a similar name. */
function valueByName(
	word: string,
	suggested: string | undefined,
): {readonly map: string; readonly text: string} | undefined {
	const map = mapsByName.find(({name}) => word.startsWith(`${name}.`))?.name;
	if (!map) return suggested ? undefined : elementNamed(word);
	if (suggested?.startsWith(`${map}.`) && distanceWithin(word.toLowerCase(), suggested, 2) !== undefined)
		return undefined;
	const key = word.slice(map.length + 1);
	if (!/^[A-Za-z0-9_-]+$/.test(key)) return undefined;
	return {map, text: `${map}["${map === 'http.request.headers' ? key.toLowerCase() : key}"]`};
}

const elementNames = /^http\.(?:request\.)?(?:(header|cookie)s?\.|x_(?!forwarded_for$))([A-Za-z0-9_-]+)$/;

/**
 * Finds the cookie or header meant by `http.cookie.session` or `http.x_api_key`, named as in other languages.
 */
function elementNamed(word: string): {readonly map: string; readonly text: string} | undefined {
	const [, kind, name] = elementNames.exec(word.slice(0, 100)) ?? [];
	if (name === undefined) return undefined;
	const key = kind === 'cookie' ? name : `${kind ? '' : 'x-'}${name.toLowerCase().replaceAll('_', '-')}`;
	const map = `http.request.${kind === 'cookie' ? 'cookies' : 'headers'}`;
	return {map, text: `${map}["${key}"][0]`};
}

const mapsByName = fields.filter(
	({type, replacement, scope}) => type?.kind === 'Map' && !replacement && !scope,
);

function readCall(reading: Reading, word: Lexeme): Typed | undefined {
	const known = functionNamed(word.text);
	const called = known ?? unknownFunction(reading, word);
	const isUsable = !known || canBeUsed(reading, word, known);
	if (known && isUsable) reading.needs(word, known.name, known);
	const found = reading.found.length;
	// A function that cannot be used here is reported once; its arguments are not checked.
	const read = reading.deeper(word, () => readArguments(reading, word, isUsable ? called : undefined));
	if (!read) return undefined;
	if (!called && insteadOf(word.text.toLowerCase(), 'function') && !reading.place.allowUnknown)
		reading.forgetSince(found);
	const operand = {
		kind: 'call',
		start: word.start,
		end: read.end,
		name: word.text,
		nameSpan: {start: word.start, end: word.end},
		arguments: read.items.map(item => item.argument),
		indexes: [],
	} as const;
	const [first] = read.items;
	const typed = read.items.find(({type}) => type)?.type;
	const isSure = known !== undefined || called?.name === plainName(word.text);
	const isKnown = read.state === 'sound' || (read.state === 'flawed' && called?.returns !== 'first');
	const returns = called && isSure && isKnown ? called.returns : undefined;
	const type = returns === 'first' ? typed : returns;
	return {operand, type: type && first?.each ? arrayOf(type) : type, each: false};
}

/** Returns a name in lower case. */
const plainName = (name: string): string => name.slice(0, 100).toLowerCase();

/** Corrects `ssl()`. */
function emptyParentheses({lexemes, index}: Reading, {text, ...word}: Lexeme): Correction | undefined {
	const close = lexemes[index + 1];
	return close && isSign(close, ')') ? {span: spanOf(word, close), text} : undefined;
}

/** Reports an unknown function. Returns the intended one, if clear, so that its arguments can be checked. */
function unknownFunction(reading: Reading, word: Lexeme): ExpressionFunction | undefined {
	const meant = fieldNamed(word.text) ? undefined : reading.suggest(word.text, functionMeant);
	const name = shown(word.text);
	if (fieldNamed(word.text))
		reading.error(word, `${name} is a field, not a function: no parentheses follow it.`, {
			engine: 'unrecognised input',
			correction: emptyParentheses(reading, word),
		});
	else {
		const instead = meant ? undefined : insteadOf(word.text.toLowerCase(), 'function');
		const ending = meant ? `; did you mean ${meant}?` : instead ? `: ${instead}.` : '.';
		const presence = instead?.startsWith('has_key') ? presenceOf(reading, word) : undefined;
		notListed(reading, word, `There is no function ${name} (lists of ${listsDate})${ending}`, {
			engine: 'unknown identifier',
			correction: presence ?? meant,
		});
	}
	return meant === undefined || reading.place.allowUnknown ? undefined : functionNamed(meant);
}
