import type {ExpressionFunction, Parameter} from '../vocabulary/entries.ts';
import {functionNamed} from '../vocabulary/functions.ts';
import {typeName, type ValueType} from '../vocabulary/value-type.ts';
import type {Correction, Span} from './problem.ts';
import {type Reading, shown, spanOf} from './reading.ts';
import type {Argument, Literal} from './tree.ts';

/** A parsed argument; `type` is undefined if an error makes it unknown. */
export type ArgumentRead = {
	readonly argument: Argument;
	readonly type: ValueType | undefined;
	readonly each: boolean;
};

/** Counts the required arguments of a function. */
export const leastArguments = ({parameters}: ExpressionFunction): number =>
	parameters.filter(({optional}) => !optional).length;

/**
 * Checks arguments against the parameters of a function. Reports only the first error: after a missing or
 * extra argument, the others are out of place. Returns true if all are valid.
 */
export function checkArguments(
	reading: Reading,
	span: Span,
	called: ExpressionFunction,
	items: readonly ArgumentRead[],
): boolean {
	if (!hasRightCount(reading, span, called, items)) return false;
	for (const [place, read] of items.entries()) {
		const parameter = called.parameters[place] ?? called.parameters.at(-1);
		const found = reading.found.length;
		if (parameter && !fitsParameter(reading, called, parameter, read, place)) {
			reading.correctLast(found, rearranged(reading, span, called, items));
			return false;
		}
	}
	if (called.once === true && !isAlone(reading, called, items)) return false;
	return called.related === undefined || areRelated(reading, called.name, called.related, items);
}

function hasRightCount(
	reading: Reading,
	span: Span,
	called: ExpressionFunction,
	items: readonly ArgumentRead[],
): boolean {
	const {name, parameters} = called;
	const least = leastArguments(called);
	const isOpen = parameters.at(-1)?.repeated === true;
	const most = isOpen ? (called.most ?? Number.POSITIVE_INFINITY) : parameters.length;
	const count = items.length;
	if (count >= least && count <= most) return true;
	const [extra, last] = [items[most], items.at(-1)];
	const names = parameters
		.map(
			({name: one, optional, repeated}) =>
				`${optional ? '[' : ''}${one}${repeated ? ' …' : ''}${optional ? ']' : ''}`,
		)
		.join(', ');
	reading.error(
		count > most && extra && last ? spanOf(extra.argument, last.argument) : span,
		`${name} takes ${most === least ? least : most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`} ${most === 1 ? 'argument' : 'arguments'}, not ${count}: ${name}(${names}).`,
		{engine: 'invalid number of arguments', correction: rearranged(reading, span, called, items)},
	);
	return false;
}

const isLiteral = (argument: Argument): argument is Literal =>
	argument.kind !== 'field' && argument.kind !== 'call' && argument.kind !== 'expression';

/** Checks the kind and type of an argument, and reports the first error. Returns true if it is valid. */
function fitsParameter(
	reading: Reading,
	called: ExpressionFunction,
	parameter: Parameter,
	read: ArgumentRead,
	place: number,
): boolean {
	const {argument, type} = read;
	if (!type) return true;
	const number = `invalid type of argument #${place + 1}`;
	const here = called.parameters.length > 1 ? ` as argument ${place + 1}` : '';
	const written = shown(reading.slice(argument));
	const against = isLiteral(argument) ? 'field' : 'literal';
	if (parameter.only === against && !parameter.lenient) {
		reading.error(
			argument,
			against === 'field'
				? `${called.name} takes a field or what a function returns${here}, not a value that is written out.`
				: `The ${parameter.name} is written out here: no field or function can replace it.`,
			{engine: `${number}: expected ${against}, but got ${against === 'field' ? 'literal' : 'field'}`},
		);
		return false;
	}
	if (parameter.types.some(wanted => wanted === 'any' || fitsType(type, wanted))) {
		if (parameter.only === against)
			reading.warning(
				argument,
				`It is not documented that ${called.name} takes ${against === 'field' ? 'a value that is written out' : 'a field or a function'}${here}.`,
			);
		return checkValue(reading, called, parameter, argument);
	}
	if (parameter.unclearTypes?.some(wanted => fitsType(type, wanted))) {
		reading.warning(argument, `It is not documented that ${called.name} takes ${words[type.kind]}.`);
		return true;
	}
	const wanted = parameter.types.map(one => (one === 'any' ? one : typeName(one))).join(' or ');
	const array = type.kind === 'Array' && parameter.types.some(one => one !== 'any' && fitsType(type.of, one));
	reading.error(
		argument,
		`${called.name} takes ${inWords(parameter.types)}${here}: ${written} is of type ${typeName(type)}.${array && place === 0 ? ' [*] takes each value of it.' : ''}`,
		{engine: `${number}: expected value of type ${wanted}, but got ${typeName(type)}`},
	);
	return false;
}

const words: Readonly<Record<ValueType['kind'], string>> = {
	String: 'a text',
	Bytes: 'a text',
	Integer: 'a number',
	Boolean: 'a Boolean',
	IP: 'an address',
	Array: 'a list',
	Map: 'a map',
};

/** Formats types for a sentence: "a text, a list or a map". */
function inWords(types: Parameter['types']): string {
	const all = [...new Set(types.map(type => (type === 'any' ? 'any value' : words[type.kind])))];
	const last = all.pop() ?? '';
	return all.length > 0 ? `${all.join(', ')} or ${last}` : last;
}

/** Checks that the types of the arguments fit each other, and reports the first that does not. */
function areRelated(
	reading: Reading,
	name: string,
	related: Relation,
	items: readonly ArgumentRead[],
): boolean {
	const wanted = related === 'element' ? elementOf(items[0]?.type) : items.find(({type}) => type)?.type;
	if (!wanted) return true;
	const place = items.findIndex(
		({type}, at) => type && (related !== 'element' || at > 0) && !isRelated(related, type, wanted),
	);
	const other = items[place];
	if (!other?.type) return true;
	reading.error(other.argument, relation(name, related, wanted), {
		engine: `invalid type of argument #${place + 1}: expected value of type ${typeName(wanted)}, but got ${typeName(other.type)}`,
	});
	return false;
}

type Relation = NonNullable<ExpressionFunction['related']>;

const isRelated = (related: Relation, type: ValueType, wanted: ValueType): boolean =>
	related === 'one kind' && wanted.kind !== 'Array' ? type.kind !== 'Array' : fitsType(type, wanted);

function relation(name: string, related: Relation, wanted: ValueType): string {
	switch (related) {
		case 'one kind':
			return `${name} joins texts, or lists of one type, but not a text and a list.`;
		case 'one type':
			return `${name} takes values of one type: ${words[wanted.kind]} (${typeName(wanted)}) is needed here.`;
		case 'element':
			return `${name} looks for what the first argument holds: ${words[wanted.kind]} (${typeName(wanted)}) is needed here.`;
		default:
			return related satisfies never;
	}
}

const elementOf = (type: ValueType | undefined): ValueType | undefined =>
	type && 'of' in type ? type.of : undefined;

const fitsType = (type: ValueType, wanted: ValueType): boolean =>
	type === wanted ||
	typeName(type).replaceAll('Bytes', 'String') === typeName(wanted).replaceAll('Bytes', 'String');

/** Checks that no argument calls another function that is allowed only once. */
function isAlone(reading: Reading, {name}: ExpressionFunction, items: readonly ArgumentRead[]): boolean {
	const inner = items
		.flatMap(({argument}) => callsIn(argument))
		.find(call => call.name !== name && functionNamed(call.name)?.once === true);
	if (!inner) return true;
	reading.error(inner, `${inner.name} cannot be called within ${name}.`);
	return false;
}

/** Collects the calls in an argument, including itself. */
const callsIn = (argument: Argument): (Argument & {kind: 'call'})[] =>
	argument.kind === 'call' ? [argument, ...argument.arguments.flatMap(callsIn)] : [];

/**
 * Checks the bounds and valid values of an argument. Returns false if it is a field that the function
 * rejects.
 */
function checkValue(
	reading: Reading,
	called: ExpressionFunction,
	parameter: Parameter,
	argument: Argument,
): boolean {
	const {least, most, oneOf, name, fields, nonEmpty} = parameter;
	if (fields && !(argument.kind === 'field' && fields.includes(argument.name))) {
		reading.error(argument, `${called.name} takes ${fields.join(' or ')} here, and nothing else.`, {
			engine: 'invalid value for argument',
		});
		return false;
	}
	if (argument.kind === 'range' || argument.kind === 'network')
		reading.error(argument, `The ${name} is one value, not several.`, {engine: 'unrecognised input'});
	else if (argument.kind === 'integer') {
		const low = least !== undefined && argument.value < BigInt(least);
		const high = most !== undefined && argument.value > BigInt(most);
		if (low || high)
			reading.error(argument, `The ${name} goes from ${least} to ${most}: this is ${argument.value}.`, {
				engine: `invalid value for argument: expected ${least} to ${most}`,
				correction: String(low ? least : most),
			});
	} else if (argument.kind === 'string' && nonEmpty && argument.value === '')
		reading.error(argument, `The ${name} must not be empty.`, {engine: 'invalid value for argument'});
	else if (argument.kind === 'string' && oneOf && !oneOf.includes(argument.value)) {
		const choices = oneOf.map(one => `"${one}"`);
		const letters = lettersOf(argument.value);
		const meant = oneOf.find(one => lettersOf(one) === letters);
		reading.error(argument, `The ${name} is ${choices.join(' or ')}.`, {
			engine: `invalid value for argument: expected ${choices.join(' or ')}`,
			correction: meant === undefined ? undefined : `"${meant}"`,
		});
	}
	return true;
}

/** Returns the letters of a short text in lower case and sorted. */
const lettersOf = (text: string): string => [...text.slice(0, 20).toLowerCase()].toSorted().join('');

/** The time of the request, which a signature is compared with. */
const clock = 'http.request.timestamp.sec';

const isWrittenOut = ({argument: {kind}}: ArgumentRead): boolean =>
	kind !== 'field' && kind !== 'call' && kind !== 'expression';

/** Corrects arguments of the right kinds in the wrong order, or without the clock. */
function rearranged(
	reading: Reading,
	span: Span,
	{name, parameters}: ExpressionFunction,
	items: readonly ArgumentRead[],
): Correction | undefined {
	const last = items.at(-1);
	const [first, second] = items;
	if (!first || !second || !last) return undefined;
	const call = (written: readonly string[]): Correction => {
		const open = reading.slice({start: span.start, end: first.argument.start});
		return {span, text: `${open}${written.join(', ')})`};
	};
	const texts = items.map(({argument}) => reading.slice(argument));
	if (name === 'split' && items.length === 2) return call([...texts, '64']);
	if (name === 'is_timed_hmac_valid_v0') {
		const order = signatureOrder(reading, items);
		return order && call(order);
	}
	const isSwapped =
		parameters.length === 2 && items.length === 2 && isWrittenOut(first) && !isWrittenOut(second);
	return isSwapped && (parameters[0]?.only === 'field' || name === 'has_key' || name === 'has_value')
		? call([...texts].reverse())
		: undefined;
}

/** Orders the arguments of a signature check (key, message, lifetime, clock) if each can be identified. */
function signatureOrder(reading: Reading, items: readonly ArgumentRead[]): readonly string[] | undefined {
	const four = items.slice(0, 4);
	const of = (kind: string, written: boolean) =>
		four.filter(item => item.type?.kind === kind && isWrittenOut(item) === written);
	const [keys, messages, lifetimes, clocks] = [
		of('String', true),
		of('String', false),
		of('Integer', true),
		of('Integer', false),
	] as const;
	const isSure = keys.length === 1 && messages.length === 1 && lifetimes.length === 1 && clocks.length <= 1;
	if (!isSure || items.length < 3) return undefined;
	const slice = (all: readonly ArgumentRead[]) => all.map(({argument}) => reading.slice(argument));
	return [
		...slice([...keys, ...messages, ...lifetimes]),
		...(clocks.length > 0 ? slice(clocks) : [clock]),
		...slice(items.slice(keys.length + messages.length + lifetimes.length + clocks.length)),
	];
}
