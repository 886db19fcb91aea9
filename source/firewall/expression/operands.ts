import {readArguments} from './arguments.ts';
import {fieldNamed} from './fields.ts';
import {functionNamed} from './functions.ts';
import type {Lexeme} from './lexer.ts';
import {readString} from './literals.ts';
import type {Span} from './problem.ts';
import {type Reading, shown, spanOf, type Typed} from './reading.ts';
import {fieldMeant, functionMeant, keywordApart} from './suggestions.ts';
import type {Index} from './tree.ts';
import {arrayOf, typeName, type ValueType} from './value-type.ts';

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
		unknownField(reading, word, span);
		return {operand, type: undefined, each: false};
	}
	reading.fields.add(field.name);
	if (field.scope)
		reading.error({
			span,
			sentence: `${field.name} can be used ${placeOf[field.scope]} only, not in the rules of a zone's firewall.`,
			engine: 'unknown identifier',
		});
	else if (!reading.needsPlan(span, field.name, field.plan) && field.addOn)
		reading.warning({span, sentence: `${field.name} needs an add-on that is bought besides the plan.`});
	if (field.replacement)
		reading.warning({
			span,
			sentence: `${field.name} is deprecated: it is called ${field.replacement} now.`,
			correction: {span, text: field.replacement},
		});
	if (field.name === 'cf.threat_score')
		reading.warning({span, sentence: 'cf.threat_score is always 0 now: a comparison with it tells nothing.'});
	return {operand, type: field.type, each: false};
}

const placeOf = {
	response: 'in rules about responses',
	transform: 'in transform rules',
	'account rulesets': 'in rulesets of an account',
} as const;

function unknownField(reading: Reading, word: Lexeme, span: Span): void {
	const engine = 'unknown identifier';
	const name = shown(word.text);
	if (functionNamed(word.text)) {
		reading.unreadable({
			span,
			sentence: `${name} is a function: what it looks at follows in parentheses, as ${name}(http.host).`,
			engine: 'expected literal "("',
		});
		return;
	}
	const apart = keywordApart(word.text);
	if (apart) {
		reading.unreadable({
			span,
			sentence: `A space is missing: ${apart}.`,
			engine,
			correction: {span, text: apart},
		});
		return;
	}
	const meant = reading.suggest(word.text, fieldMeant);
	reading.error({
		span,
		sentence: meant
			? `There is no field ${name}: ${meant} is meant, probably.`
			: `There is no field ${name}.`,
		engine,
		correction: meant ? {span, text: meant} : undefined,
	});
}

function readCall(reading: Reading, word: Lexeme): Typed | undefined {
	const nameSpan: Span = {start: word.start, end: word.end};
	const called = functionNamed(word.text);
	if (!called) unknownFunction(reading, word, nameSpan);
	else {
		reading.functions.add(called.name);
		if (called.elsewhere)
			reading.error({
				span: nameSpan,
				sentence: `${called.name} cannot be used here, but ${called.elsewhere}.`,
				engine: 'unknown identifier',
			});
		else reading.needsPlan(nameSpan, called.name, called.plan);
	}
	const read = reading.deeper(word, () => readArguments(reading, word, called));
	if (!read) return undefined;
	const operand = {
		kind: 'call',
		start: word.start,
		end: read.end,
		name: word.text,
		nameSpan,
		arguments: read.items.map(item => item.argument),
		indexes: [],
	} as const;
	const [first] = read.items;
	const gives = !read.closed ? undefined : called?.gives === 'first' ? first?.type : called?.gives;
	return {operand, type: gives && first?.each ? arrayOf(gives) : gives, each: false};
}

function unknownFunction(reading: Reading, word: Lexeme, span: Span): void {
	const meant = reading.suggest(word.text, functionMeant);
	reading.error({
		span,
		sentence: fieldNamed(word.text)
			? `${shown(word.text)} is a field, not a function: no parentheses follow it.`
			: `There is no function ${shown(word.text)}${meant ? `: ${meant} is meant, probably` : ''}.`,
		engine: fieldNamed(word.text) ? 'unrecognised input' : 'unknown identifier',
		correction: meant ? {span, text: meant} : undefined,
	});
}

function readIndexes(reading: Reading, base: Typed): Typed {
	if (base.operand.kind !== 'field' && base.operand.kind !== 'call') return base;
	const indexes: Index[] = [];
	let {type, each} = base;
	let end = base.operand.end;
	while (reading.isAt('[')) {
		const open = reading.current;
		if (!open) break;
		if (open.start > end) {
			const span = {start: end, end: open.start};
			reading.unreadable({
				span,
				sentence: 'No space stands between a name and its index.',
				engine: 'expected ComparisonOp',
				correction: {span, text: ''},
			});
		}
		reading.index++;
		const read = readIndex(reading, open);
		end = reading.previous?.end ?? end;
		if (!read) {
			type = undefined;
			continue;
		}
		if (type && !accepts(type, read)) {
			cannotAccess(reading, {start: base.operand.start, end: open.start}, read, type);
			type = undefined;
		}
		if (type?.kind === 'Map' && read.kind === 'key') lowerCaseKey(reading, base, read);
		indexes.push(read);
		if (read.kind === 'each') each = true;
		type = type && 'of' in type ? type.of : undefined;
	}
	return {operand: {...base.operand, indexes, end}, type, each};
}

const accepts = (type: ValueType, index: Index): boolean =>
	(type.kind === 'Array' && index.kind !== 'key') || (type.kind === 'Map' && index.kind !== 'position');

function cannotAccess(reading: Reading, of: Span, index: Index, type: ValueType): void {
	const span = {start: index.start, end: index.end};
	const name = shown(reading.slice(of));
	const needs =
		type.kind === 'Map'
			? 'has values by name: ["name"], or [*] for all'
			: type.kind === 'Array'
				? 'has values by position: [0], or [*] for all'
				: 'is one value and has no index';
	reading.error({
		span,
		sentence: `${name} ${needs} (${typeName(type)}).`,
		engine: `cannot access index ${shown(reading.slice({start: span.start + 1, end: span.end - 1}))} for type ${typeName(type)}`,
		correction: 'of' in type ? undefined : {span, text: ''},
	});
}

/** Names of headers are in lower case there, whatever the client sent. */
function lowerCaseKey(reading: Reading, base: Typed, index: Index): void {
	if (index.kind !== 'key' || index.key.kind !== 'string') return;
	if (base.operand.kind !== 'field' || base.operand.name !== 'http.request.headers') return;
	const {value, start, end} = index.key;
	if (value === value.toLowerCase()) return;
	reading.warning({
		span: {start, end},
		sentence: 'Names of headers are in lower case in http.request.headers: this one is never found.',
		correction: /^[A-Za-z0-9-]+$/.test(value)
			? {span: {start, end}, text: `"${value.toLowerCase()}"`}
			: undefined,
	});
}

/** Reads what stands behind `[`, and the `]`. */
function readIndex(reading: Reading, open: Lexeme): Index | undefined {
	const {current} = reading;
	let index: Index | undefined;
	if (current?.kind === 'sign' && current.text === '*') {
		index = {kind: 'each', start: open.start, end: current.end};
		reading.index++;
	} else if (current?.kind === 'string') {
		const {literal} = readString(reading, current);
		if (literal) index = {kind: 'key', key: literal, start: open.start, end: current.end};
		reading.index++;
	} else if (current?.kind === 'word') {
		index = wordIndex(reading, current, open);
		reading.index++;
	} else {
		reading.unreadable({
			span: current && current.text !== ']' ? current : open,
			sentence: 'In brackets stands a position, as [0], a name in quotes, as ["name"], or * for all.',
			engine: 'expected digit',
		});
		if (current?.text !== ']') return undefined;
	}
	const closing = reading.current;
	if (closing?.kind === 'sign' && closing.text === ']') {
		reading.index++;
		return index && {...index, end: closing.end};
	}
	reading.unreadable({
		span: open,
		sentence: 'Nothing closes this bracket: ] is missing.',
		engine: 'expected literal "]"',
		correction: reading.closing(']'),
	});
	return undefined;
}

function wordIndex(reading: Reading, word: Lexeme, open: Lexeme): Index | undefined {
	const span: Span = {start: word.start, end: word.end};
	if (/^(?:0|[1-9][0-9]{0,9})$/.test(word.text) && Number(word.text) <= 0xffff_ffff)
		return {kind: 'position', position: Number(word.text), ...spanOf(open, word)};
	const isNumber = /^-?[0-9]+$/.test(word.text);
	reading.unreadable({
		span,
		sentence: isNumber
			? 'A position is a number from 0 to 4294967295, without a 0 before it.'
			: 'A name in brackets stands in double quotes.',
		engine: isNumber ? 'invalid digit found in string while parsing with radix 10' : 'expected digit',
		correction: isNumber ? undefined : {span, text: `"${word.text}"`},
	});
	return undefined;
}
