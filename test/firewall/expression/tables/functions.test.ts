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

/** A field of each type, which is available in every phase in which a function is tested. */
const fieldByType: Readonly<Record<string, string>> = {
	String: 'http.host',
	Bytes: 'cf.random_seed',
	Integer: 'cf.edge.server_port',
	Boolean: 'ssl',
	IP: 'ip.src',
	'Array<String>': 'http.request.headers.names',
	'Map<Array<String>>': 'http.request.headers',
};
const literalByType: Readonly<Record<string, string>> = {
	String: '"a"',
	Bytes: '0a:1b:2c',
	Integer: '7',
	IP: '192.0.2.1',
};

/** A condition for each value of a list, as any and all take it. */
const condition = 'http.request.headers.names[*] eq "a"';

const listTypeNames = ({types, unclearTypes = []}: Parameter): string[] =>
	[...types, ...unclearTypes].map(type => (type === 'any' ? type : formatType(type)));

/** A literal that a parameter takes. */
function buildLiteral(parameter: Parameter): string | undefined {
	const {oneOf, minValue, maxValue} = parameter;
	if (oneOf) return `"${oneOf.at(-1)}"`;
	const type = listTypeNames(parameter).find(name => name in literalByType);
	return type === 'Integer'
		? String(Math.min(maxValue ?? 7, Math.max(minValue ?? 7, 7)))
		: type && literalByType[type];
}

/** Builds an argument that a parameter takes: a field if possible. */
function buildArgument(parameter: Parameter): string {
	const {requiredKind, fields = []} = parameter;
	const [type = ''] = listTypeNames(parameter);
	if (type === 'Array<Boolean>') return condition;
	const field = fields[0] ?? (type === 'any' ? 'http.host' : fieldByType[type]);
	return (requiredKind === 'literal' ? buildLiteral(parameter) : (field ?? buildLiteral(parameter))) ?? '';
}

/** Builds arguments that a function takes, including the optional ones unless told otherwise. */
function buildArguments({parameters, argumentRelation}: ExpressionFunction, withOptional = true): string[] {
	const usedParameters = parameters.filter(({optional}) => withOptional || !optional);
	return argumentRelation === 'element'
		? ['http.request.headers.names', 'http.host']
		: usedParameters.map(buildArgument);
}

/** A phase in which a function can be called, if possible one for conditions rather than values. */
const getPhase = ({phases: allowedPhases}: ExpressionFunction): Phase =>
	allowedPhases?.find(phase => !phase.endsWith('.value')) ?? allowedPhases?.[0] ?? defaultPhase;

/** Completes a call to an expression. */
function wrapCall(testedFunction: ExpressionFunction, call: string): string {
	if (getPhase(testedFunction).endsWith('.value')) return call;
	const {returns} = testedFunction;
	const type = returns === 'first' ? 'String' : formatType(returns);
	if (type === 'Boolean') return call;
	if (type.startsWith('Array<')) return `any(${call}[*] eq "a")`;
	return `${call} eq ${literalByType[type] ?? '"a"'}`;
}

const buildExpression = (testedFunction: ExpressionFunction, callArguments: readonly string[]): string =>
	wrapCall(testedFunction, `${testedFunction.name}(${callArguments.join(', ')})`);

const checkCall = (testedFunction: ExpressionFunction, callArguments: readonly string[]) => {
	const text = buildExpression(testedFunction, callArguments);
	const {errors, warnings} = analyse(text, {phase: getPhase(testedFunction)});
	return {text, errors, warnings};
};

/** Lists the text that each error marks. */
const listMarkedTexts = ({text, errors}: ReturnType<typeof checkCall>): string[] =>
	errors.map(({span}) => text.slice(span.start, span.end));

/** Builds arguments with one of them replaced. */
const replaceArgument = (
	testedFunction: ExpressionFunction,
	argumentIndex: number,
	replacement: string,
): string[] => buildArguments(testedFunction).with(argumentIndex, replacement);

describe.each(functions.map(one => [one.name, one] as const))('%s', (_name, testedFunction) => {
	const {parameters, maxArguments} = testedFunction;
	const requiredCount = parameters.filter(({optional}) => !optional).length;
	const isVariadic = parameters.at(-1)?.repeated === true;

	test('takes its required arguments, with or without optional ones', () => {
		for (const withOptional of [true, false])
			expect(checkCall(testedFunction, buildArguments(testedFunction, withOptional))).toMatchObject({
				errors: [],
			});
	});

	test('takes no fewer arguments', () => {
		for (let count = 0; count < requiredCount; count++) {
			const {errors} = checkCall(testedFunction, buildArguments(testedFunction, false).slice(0, count));
			expect(errors.map(({engineMessage}) => engineMessage)).toEqual(['invalid number of arguments']);
		}
	});

	test('takes no more arguments, and marks the extra ones', () => {
		const full = buildArguments(testedFunction);
		const last = full.at(-1) ?? '';
		const limit = isVariadic ? maxArguments : parameters.length;
		const maximalArguments = Array.from(
			{length: limit ?? 50},
			(_, argumentIndex) => full[argumentIndex] ?? last,
		);
		expect(checkCall(testedFunction, maximalArguments).errors).toEqual([]);
		if (limit === undefined) return;
		const result = checkCall(testedFunction, [...maximalArguments, last]);
		// any and all take one condition: a comma in it is a mistake in the condition.
		if (last === condition) expect(result.errors).toHaveLength(1);
		else {
			expect(listMarkedTexts(result)).toEqual([last]);
			expect(result.errors[0]?.engineMessage).toBe('invalid number of arguments');
		}
	});

	test('takes no argument of another type', () => {
		for (const [argumentIndex, parameter] of parameters.entries()) {
			const names = listTypeNames(parameter);
			if (names.includes('any') || testedFunction.argumentRelation === 'element') continue;
			const acceptedTypes = new Set(names.map(name => name.replaceAll('Bytes', 'String')));
			for (const [type, field] of Object.entries(fieldByType)) {
				if (acceptedTypes.has(type.replaceAll('Bytes', 'String'))) continue;
				const result = checkCall(testedFunction, replaceArgument(testedFunction, argumentIndex, field));
				expect({on: listMarkedTexts(result), text: result.text}).toEqual({on: [field], text: result.text});
			}
		}
	});

	test('takes literals and fields only as the parameter allows', () => {
		for (const [argumentIndex, parameter] of parameters.entries()) {
			const {requiredKind, lenient, types} = parameter;
			if (!requiredKind) continue;
			const [type = ''] = listTypeNames(parameter);
			const other =
				requiredKind === 'literal'
					? fieldByType[type]
					: type === 'any'
						? '"a"'
						: (buildLiteral(parameter) ?? '');
			if (!other)
				throw new Error(`${testedFunction.name} takes ${types.length} types that nothing is written for.`);
			const result = checkCall(testedFunction, replaceArgument(testedFunction, argumentIndex, other));
			const expectedMarks = lenient ? [] : [other];
			expect({on: listMarkedTexts(result), text: result.text}).toEqual({
				on: expectedMarks,
				text: result.text,
			});
			if (lenient)
				expect(result.warnings.map(({sentence}) => sentence).join(' ')).toContain('not documented whether');
		}
	});

	test('takes no number or text outside its limits', () => {
		for (const [
			argumentIndex,
			{minValue: low, maxValue: high, oneOf, nonEmpty, fields},
		] of parameters.entries()) {
			const wrong = [
				...(low === undefined ? [] : [String(low - 1)]),
				...(high === undefined ? [] : [String(high + 1)]),
				...(oneOf ? ['"none of these"'] : []),
				...(nonEmpty ? ['""'] : []),
				...(fields ? ['http.host', 'http.request.uri.path'] : []),
			];
			for (const other of wrong) {
				const result = checkCall(testedFunction, replaceArgument(testedFunction, argumentIndex, other));
				expect({on: listMarkedTexts(result), text: result.text}).toEqual({on: [other], text: result.text});
			}
			for (const edge of [low, high])
				if (edge !== undefined)
					expect(
						listMarkedTexts(
							checkCall(testedFunction, replaceArgument(testedFunction, argumentIndex, String(edge))),
						),
					).toEqual([]);
		}
	});

	test('takes no unknown name and no trailing comma, and needs its parentheses', () => {
		const full = buildArguments(testedFunction);
		const unknown = checkCall(testedFunction, full.with(0, 'http.no_such_field'));
		expect(listMarkedTexts(unknown)).toEqual(['http.no_such_field']);
		expect(checkCall(testedFunction, [...full, '']).errors).toHaveLength(1);
		const whole = wrapCall(testedFunction, `${testedFunction.name}(${full.join(', ')}`);
		// An index after a literal would be one more mistake, so the text ends before it.
		const text = whole.includes('7[*]') ? whole.slice(0, whole.indexOf('[*]')) : whole;
		expect(analyse(text, {phase: getPhase(testedFunction)}).errors).toHaveLength(1);
	});

	test('counts as one of 128 levels', () => {
		const phase = getPhase(testedFunction);
		if (phase.endsWith('.value')) return;
		const inner = buildExpression(testedFunction, buildArguments(testedFunction));
		// A call within any or all is on the second level already.
		const ownDepth = inner.startsWith('any(') && testedFunction.name !== 'any' ? 2 : 1;
		for (const [open, close] of [
			['(', ')'],
			['not ', ''],
			['!', ''],
		] as const) {
			const nested = (depth: number) =>
				open.repeat(depth - ownDepth) + inner + close.repeat(depth - ownDepth);
			expect(analyse(nested(128), {phase}).errors).toEqual([]);
			expect(analyse(nested(129), {phase}).errors.map(({engineMessage}) => engineMessage)).toEqual([
				'maximum nesting depth exceeded (limit: 128)',
			]);
		}
	});
});

/** These can be called only once in an expression. */
const singleUseFunctions: readonly string[] = ['regex_replace', 'wildcard_replace'];

/** Functions that take their own result as the first argument: they can be nested in themselves. */
const nestableFunctions = functions.filter(
	({name, parameters, returns}) =>
		returns !== 'first' &&
		parameters[0] !== undefined &&
		!parameters[0].fields &&
		listTypeNames(parameters[0]).includes(formatType(returns)) &&
		!singleUseFunctions.includes(name),
);

test.each(
	nestableFunctions.map(one => [one.name, one] as const),
)('%s nests in itself 128 deep, but not 129', (_name, testedFunction) => {
	const [first = '', ...rest] = buildArguments(testedFunction);
	const nested = (depth: number) => {
		let call = first;
		for (let level = 0; level < depth; level++)
			call = `${testedFunction.name}(${[call, ...rest].join(', ')})`;
		return wrapCall(testedFunction, call);
	};
	const phase = getPhase(testedFunction);
	expect(analyse(nested(20), {phase}).errors).toEqual([]);
	const countDepthErrors = (text: string) =>
		analyse(text, {phase}).errors.filter(({engineMessage}) =>
			engineMessage?.startsWith('maximum nesting depth'),
		).length;
	expect({at: countDepthErrors(nested(128)), above: countDepthErrors(nested(129))}).toEqual({
		at: 0,
		above: 1,
	});
});

test('a rule may have 64 regular expressions, however they are written and joined', () => {
	const joinConditions = (count: number, buildCondition: (at: number) => string, separator: string) =>
		Array.from({length: count}, (_, at) => buildCondition(at)).join(separator);
	for (const separator of [' or ', ' and ', ' xor ', ' || '])
		for (const buildCondition of [
			(at: number) => `http.host matches "a${at}"`,
			(at: number) => `lower(http.host) ~ r"a${at}"`,
			(at: number) => `(not any(http.request.headers.names[*] matches "a${at}"))`,
		]) {
			const text = joinConditions(65, buildCondition, separator);
			const {errors} = analyse(text);
			expect(analyse(joinConditions(64, buildCondition, separator)).errors).toEqual([]);
			expect(errors).toHaveLength(1);
			expect(errors[0]?.span.start).toBe(Math.max(text.lastIndexOf('matches'), text.lastIndexOf('~')));
		}
});
