import {distanceWithin} from '../checks/edit-distance.ts';
import {fieldMeant, functionMeant, keywordApart} from '../checks/suggestions.ts';
import type {ExpressionFunction} from '../vocabulary/entries.ts';
import {fieldNamed, fields} from '../vocabulary/fields.ts';
import {functionNamed} from '../vocabulary/functions.ts';
import {arrayOf, string, type ValueType} from '../vocabulary/value-type.ts';
import {readArguments} from './arguments.ts';
import {readIndexes} from './indexes.ts';
import type {Lexeme} from './lexer.ts';
import type {Span} from './problem.ts';
import {type Reading, shown, type Typed} from './reading.ts';

/** Reads a field or a call of a function, and its indexes; the place is at a word. */
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
	reading.fields.add(field.name);
	if (field.scope)
		reading.error(
			span,
			`${field.name} can be used ${placeOf[field.scope]} only, not in the rules of a zone's firewall.`,
			{engine: 'unknown identifier'},
		);
	else if (!reading.needsPlan(span, field.name, field.plan) && field.addOn)
		reading.warning(span, `${field.name} needs an add-on that is bought on top of the plan.`);
	if (field.replacement)
		reading.warning(span, `${field.name} is deprecated: it is called ${field.replacement} now.`, {
			correction: field.replacement,
		});
	if (field.name === 'cf.threat_score')
		reading.warning(span, 'cf.threat_score is always 0 now: a comparison with it tells nothing.');
	return {operand, type: field.type, each: false};
}

const placeOf = {
	response: 'in rules about responses',
	transform: 'in transform rules',
	'account rulesets': 'in rulesets of an account',
} as const;

function unknownField(reading: Reading, word: Lexeme): void {
	const engine = 'unknown identifier';
	const name = shown(word.text);
	if (functionNamed(word.text)) {
		reading.unreadable(
			word,
			`${name} is a function: what it looks at follows in parentheses, as ${name}(http.host).`,
			{engine: 'expected literal "("'},
		);
		return;
	}
	const apart = keywordApart(word.text);
	if (apart) {
		reading.unreadable(word, `A space is missing: ${apart}.`, {engine, correction: apart});
		return;
	}
	const suggested = reading.suggest(word.text, fieldMeant);
	const byName = valueByName(word.text, suggested);
	if (byName) {
		reading.error(
			word,
			`There is no field ${name}: ${byName.map} has values by name, as ${shown(byName.text)}.`,
			{engine, correction: byName.text},
		);
		return;
	}
	const meant =
		suggested && fieldNamed(suggested)?.type.kind === 'Map' && word.text.startsWith(`${suggested}.`)
			? undefined
			: suggested;
	reading.error(
		word,
		meant ? `There is no field ${name}: ${meant} is meant, probably.` : `There is no field ${name}.`,
		{engine, correction: meant},
	);
}

/** `http.request.headers.accept`: one of the values of a map, unless a field of nearly that name is there. */
function valueByName(
	word: string,
	suggested: string | undefined,
): {readonly map: string; readonly text: string} | undefined {
	const map = mapsByName.find(({name}) => word.startsWith(`${name}.`))?.name;
	if (!map) return undefined;
	if (suggested?.startsWith(`${map}.`) && distanceWithin(word.toLowerCase(), suggested, 2) !== undefined)
		return undefined;
	const key = word.slice(map.length + 1);
	if (!/^[A-Za-z0-9_-]+$/.test(key)) return undefined;
	return {map, text: `${map}["${map === 'http.request.headers' ? key.toLowerCase() : key}"]`};
}

const mapsByName = fields.filter(
	({type, replacement, scope}) => type.kind === 'Map' && !replacement && !scope,
);

function readCall(reading: Reading, word: Lexeme): Typed | undefined {
	const known = functionNamed(word.text);
	const called = known ?? unknownFunction(reading, word);
	if (known && called) {
		reading.functions.add(called.name);
		if (called.elsewhere)
			reading.error(word, `${called.name} cannot be used here, but ${called.elsewhere}.`, {
				engine: 'unknown identifier',
			});
		else reading.needsPlan(word, called.name, called.plan);
	}
	const read = reading.deeper(word, () => readArguments(reading, word, called));
	if (!read) return undefined;
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
	const isSure = known !== undefined || called?.name === plainName(word.text);
	const isKnown = read.state === 'sound' || (read.state === 'flawed' && called?.returns !== 'first');
	const returns = called && isSure && isKnown ? givenBy(called, first?.type) : undefined;
	return {operand, type: returns && first?.each ? arrayOf(returns) : returns, each: false};
}

/** A name as it is written here, where only its case was another. */
const plainName = (name: string): string => name.slice(0, 100).toLowerCase();

/** The type of what a function returns; anything but a list becomes a text where texts are put together. */
function givenBy({returns}: ExpressionFunction, first: ValueType | undefined): ValueType | undefined {
	if (returns !== 'first' || !first) return returns === 'first' ? undefined : returns;
	return first.kind === 'Array' || first.kind === 'Bytes' ? first : string;
}

/** Reports a wrong name, and returns the function that is meant, if that is plain: its arguments are read. */
function unknownFunction(reading: Reading, word: Lexeme): ExpressionFunction | undefined {
	const meant = fieldNamed(word.text) ? undefined : reading.suggest(word.text, functionMeant);
	reading.error(
		word,
		fieldNamed(word.text)
			? `${shown(word.text)} is a field, not a function: no parentheses follow it.`
			: `There is no function ${shown(word.text)}${meant ? `: ${meant} is meant, probably` : ''}.`,
		{
			engine: fieldNamed(word.text) ? 'unrecognised input' : 'unknown identifier',
			correction: meant,
		},
	);
	return meant === undefined ? undefined : functionNamed(meant);
}
