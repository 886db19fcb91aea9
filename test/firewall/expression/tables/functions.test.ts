import {describe, expect, test} from 'vitest';
import {
	analyse,
	type ExpressionFunction,
	formatType,
	type Parameter,
	type Phase,
} from '../../../../source/firewall/expression/expressions.ts';
import {functions} from '../../../../source/firewall/expression/vocabulary/functions.ts';
import {defaultPhase} from '../../../../source/firewall/expression/vocabulary/phases.ts';

/** A field of each type, which can be looked at wherever functions can be called. */
const fieldOf: Readonly<Record<string, string>> = {
	String: 'http.host',
	Bytes: 'cf.random_seed',
	Integer: 'cf.edge.server_port',
	Boolean: 'ssl',
	IP: 'ip.src',
	'Array<String>': 'http.request.headers.names',
	'Map<Array<String>>': 'http.request.headers',
};
const literalOf: Readonly<Record<string, string>> = {
	String: '"a"',
	Bytes: '0a:1b:2c',
	Integer: '7',
	IP: '192.0.2.1',
};

/** A condition for each of several values: what any and all take. */
const condition = 'http.request.headers.names[*] eq "a"';

const namesOf = ({types, unclearTypes = []}: Parameter): string[] =>
	[...types, ...unclearTypes].map(type => (type === 'any' ? type : formatType(type)));

/** A literal that a parameter takes. */
function literalFor(parameter: Parameter): string | undefined {
	const {oneOf, minValue, maxValue} = parameter;
	if (oneOf) return `"${oneOf.at(-1)}"`;
	const type = namesOf(parameter).find(name => name in literalOf);
	return type === 'Integer'
		? String(Math.min(maxValue ?? 7, Math.max(minValue ?? 7, 7)))
		: type && literalOf[type];
}

/** What a parameter takes: a field where it can be one. */
function right(parameter: Parameter): string {
	const {requiredKind, fields = []} = parameter;
	const [type = ''] = namesOf(parameter);
	if (type === 'Array<Boolean>') return condition;
	const field = fields[0] ?? (type === 'any' ? 'http.host' : fieldOf[type]);
	return (requiredKind === 'literal' ? literalFor(parameter) : (field ?? literalFor(parameter))) ?? '';
}

/** Arguments that a function takes, those that can be left out as well. */
function arguments_({parameters, argumentRelation}: ExpressionFunction, all = true): string[] {
	const some = parameters.filter(({optional}) => all || !optional);
	return argumentRelation === 'element' ? ['http.request.headers.names', 'http.host'] : some.map(right);
}

/** Where a function can be called, and whether its value is used there. */
const phaseOf = ({phases: own}: ExpressionFunction): Phase =>
	own?.find(phase => !phase.endsWith('.value')) ?? own?.[0] ?? defaultPhase;

/** A whole expression around a call. */
function around(called: ExpressionFunction, call: string): string {
	if (phaseOf(called).endsWith('.value')) return call;
	const {returns} = called;
	const type = returns === 'first' ? 'String' : formatType(returns);
	if (type === 'Boolean') return call;
	if (type.startsWith('Array<')) return `any(${call}[*] eq "a")`;
	return `${call} eq ${literalOf[type] ?? '"a"'}`;
}

const written = (called: ExpressionFunction, some: readonly string[]): string =>
	around(called, `${called.name}(${some.join(', ')})`);

const judged = (called: ExpressionFunction, some: readonly string[]) => {
	const text = written(called, some);
	const {errors, warnings} = analyse(text, {phase: phaseOf(called)});
	return {text, errors, warnings};
};

/** The text that each error marks. */
const marked = ({text, errors}: ReturnType<typeof judged>): string[] =>
	errors.map(({span}) => text.slice(span.start, span.end));

/** The arguments with one of them replaced. */
const replaced = (called: ExpressionFunction, place: number, by: string): string[] =>
	arguments_(called).with(place, by);

describe.each(functions.map(one => [one.name, one] as const))('%s', (_name, called) => {
	const {parameters, maxArguments} = called;
	const least = parameters.filter(({optional}) => !optional).length;
	const isOpen = parameters.at(-1)?.repeated === true;

	test('takes its required arguments, with or without optional ones', () => {
		for (const all of [true, false])
			expect(judged(called, arguments_(called, all))).toMatchObject({errors: []});
	});

	test('takes no fewer arguments', () => {
		for (let count = 0; count < least; count++) {
			const {errors} = judged(called, arguments_(called, false).slice(0, count));
			expect(errors.map(({engineMessage}) => engineMessage)).toEqual(['invalid number of arguments']);
		}
	});

	test('takes no more arguments, and marks the extra ones', () => {
		const full = arguments_(called);
		const last = full.at(-1) ?? '';
		const limit = isOpen ? maxArguments : parameters.length;
		const filled = Array.from({length: limit ?? 50}, (_, place) => full[place] ?? last);
		expect(judged(called, filled).errors).toEqual([]);
		if (limit === undefined) return;
		const read = judged(called, [...filled, last]);
		// any and all take one condition: a comma in it is a mistake in the condition.
		if (last === condition) expect(read.errors).toHaveLength(1);
		else {
			expect(marked(read)).toEqual([last]);
			expect(read.errors[0]?.engineMessage).toBe('invalid number of arguments');
		}
	});

	test('takes no argument of another type', () => {
		for (const [place, parameter] of parameters.entries()) {
			const names = namesOf(parameter);
			if (names.includes('any') || called.argumentRelation === 'element') continue;
			const wanted = new Set(names.map(name => name.replaceAll('Bytes', 'String')));
			for (const [type, field] of Object.entries(fieldOf)) {
				if (wanted.has(type.replaceAll('Bytes', 'String'))) continue;
				const read = judged(called, replaced(called, place, field));
				expect({on: marked(read), text: read.text}).toEqual({on: [field], text: read.text});
			}
		}
	});

	test('takes literals and fields only as the parameter allows', () => {
		for (const [place, parameter] of parameters.entries()) {
			const {requiredKind, lenient, types} = parameter;
			if (!requiredKind) continue;
			const [type = ''] = namesOf(parameter);
			const other =
				requiredKind === 'literal' ? fieldOf[type] : type === 'any' ? '"a"' : (literalFor(parameter) ?? '');
			if (!other) throw new Error(`${called.name} takes ${types.length} types that nothing is written for.`);
			const read = judged(called, replaced(called, place, other));
			const on = lenient ? [] : [other];
			expect({on: marked(read), text: read.text}).toEqual({on, text: read.text});
			if (lenient)
				expect(read.warnings.map(({sentence}) => sentence).join(' ')).toContain('not documented whether');
		}
	});

	test('takes no number or text outside its limits', () => {
		for (const [place, {minValue: low, maxValue: high, oneOf, nonEmpty, fields}] of parameters.entries()) {
			const wrong = [
				...(low === undefined ? [] : [String(low - 1)]),
				...(high === undefined ? [] : [String(high + 1)]),
				...(oneOf ? ['"none of these"'] : []),
				...(nonEmpty ? ['""'] : []),
				...(fields ? ['http.host', 'http.request.uri.path'] : []),
			];
			for (const other of wrong) {
				const read = judged(called, replaced(called, place, other));
				expect({on: marked(read), text: read.text}).toEqual({on: [other], text: read.text});
			}
			for (const edge of [low, high])
				if (edge !== undefined)
					expect(marked(judged(called, replaced(called, place, String(edge))))).toEqual([]);
		}
	});

	test('takes no unknown name and no trailing comma, and needs its parentheses', () => {
		const full = arguments_(called);
		const unknown = judged(called, full.with(0, 'http.no_such_field'));
		expect(marked(unknown)).toEqual(['http.no_such_field']);
		expect(judged(called, [...full, '']).errors).toHaveLength(1);
		const whole = around(called, `${called.name}(${full.join(', ')}`);
		// Behind a literal an index is one more mistake: there the text ends.
		const text = whole.includes('7[*]') ? whole.slice(0, whole.indexOf('[*]')) : whole;
		expect(analyse(text, {phase: phaseOf(called)}).errors).toHaveLength(1);
	});

	test('counts as one of 128 levels', () => {
		const phase = phaseOf(called);
		if (phase.endsWith('.value')) return;
		const inner = written(called, arguments_(called));
		// A call within any or all is on the second level already.
		const own = inner.startsWith('any(') && called.name !== 'any' ? 2 : 1;
		for (const [open, close] of [
			['(', ')'],
			['not ', ''],
			['!', ''],
		] as const) {
			const nested = (depth: number) => open.repeat(depth - own) + inner + close.repeat(depth - own);
			expect(analyse(nested(128), {phase}).errors).toEqual([]);
			expect(analyse(nested(129), {phase}).errors.map(({engineMessage}) => engineMessage)).toEqual([
				'maximum nesting depth exceeded (limit: 128)',
			]);
		}
	});
});

/** These are called once in an expression. */
const replacing: readonly string[] = ['regex_replace', 'wildcard_replace'];

/** Functions that take their own result as the first argument: they can be nested in themselves. */
const nesting = functions.filter(
	({name, parameters, returns}) =>
		returns !== 'first' &&
		parameters[0] !== undefined &&
		!parameters[0].fields &&
		namesOf(parameters[0]).includes(formatType(returns)) &&
		!replacing.includes(name),
);

test.each(
	nesting.map(one => [one.name, one] as const),
)('%s nests in itself 128 deep, but not 129', (_name, called) => {
	const [first = '', ...rest] = arguments_(called);
	const nested = (depth: number) => {
		let call = first;
		for (let level = 0; level < depth; level++) call = `${called.name}(${[call, ...rest].join(', ')})`;
		return around(called, call);
	};
	const phase = phaseOf(called);
	expect(analyse(nested(20), {phase}).errors).toEqual([]);
	const limit = (text: string) =>
		analyse(text, {phase}).errors.filter(({engineMessage}) =>
			engineMessage?.startsWith('maximum nesting depth'),
		).length;
	expect({at: limit(nested(128)), above: limit(nested(129))}).toEqual({at: 0, above: 1});
});

test('a rule may have 64 regular expressions, however they are written and joined', () => {
	const many = (count: number, one: (at: number) => string, joint: string) =>
		Array.from({length: count}, (_, at) => one(at)).join(joint);
	for (const joint of [' or ', ' and ', ' xor ', ' || '])
		for (const one of [
			(at: number) => `http.host matches "a${at}"`,
			(at: number) => `lower(http.host) ~ r"a${at}"`,
			(at: number) => `(not any(http.request.headers.names[*] matches "a${at}"))`,
		]) {
			const text = many(65, one, joint);
			const {errors} = analyse(text);
			expect(analyse(many(64, one, joint)).errors).toEqual([]);
			expect(errors).toHaveLength(1);
			expect(errors[0]?.span.start).toBe(Math.max(text.lastIndexOf('matches'), text.lastIndexOf('~')));
		}
});
