import {describe, expect, test} from 'vitest';
import {analyse, type Phase} from '../../../../source/firewall/expression/expressions.ts';
import table from '../../../../source/firewall/expression/vocabulary/fields.json' with {type: 'json'};
import {phases} from '../../../../source/firewall/expression/vocabulary/phases.ts';
import type {ZonePlan} from '../../../../source/service/plan.ts';
import {
	allowedOnlyIn,
	documentedFieldsByPhase,
	documentedOnlyFor,
	matchesNamePattern,
	transformsOnly,
} from './documented-places.ts';

type Row = {
	readonly name: string;
	readonly type?: string;
	readonly plan?: string;
	readonly addOn?: boolean;
};

const fields: readonly Row[] = table.fields;
const allPhases = Object.keys(phases) as readonly Phase[];
const plans = [undefined, 'free', 'pro', 'business', 'enterprise'] as const;

/** Each operator as a word and as a symbol; the empty text stands for no operator. */
const operators = [
	...['eq', 'ne', 'lt', 'le', 'gt', 'ge', '==', '!=', '<', '<=', '>', '>='],
	...['contains', 'matches', '~', 'wildcard', 'strict wildcard', 'in', '&', 'bitwise_and', ''],
] as const;
type Operator = (typeof operators)[number];

const orderOperators: readonly string[] = ['lt', 'le', 'gt', 'ge', '<', '<=', '>', '>='];
const equalityOperators: readonly string[] = ['eq', 'ne', '==', '!=', 'in'];
const textOperators: readonly string[] = ['contains', 'matches', '~', 'wildcard', 'strict wildcard'];
const bitOperators: readonly string[] = ['&', 'bitwise_and'];

/** The operators that can compare a single value of a type. */
const operatorsByType: Readonly<Record<string, readonly string[]>> = {
	String: [...equalityOperators, ...orderOperators, ...textOperators],
	Bytes: [...equalityOperators, ...orderOperators, ...textOperators],
	Integer: [...equalityOperators, ...orderOperators, ...bitOperators],
	IP: equalityOperators,
	Boolean: [''],
};

const literalByType: Readonly<Record<string, string>> = {
	String: '"a"',
	Bytes: '"a"',
	Integer: '7',
	IP: '192.0.2.1',
	Boolean: 'true',
};

/** The indexes that select single values of lists and maps, by the beginning of the type. */
const indexesByType: Readonly<Record<string, readonly [indexes: string, each?: 'any']>> = {
	'Array<': ['[*]', 'any'],
	'Array<Array<': ['[*][0]', 'any'],
	'Map<': ['["a"]'],
	'Map<Array<': ['["a"][0]'],
};

/** Selects a single value of a field, and its type; an unknown type counts as String. */
function selectSingleValue({name, type = 'String'}: Row): {text: string; type: string; each: boolean} {
	const inner = /\w+(?=>*$)/.exec(type)?.[0] ?? type;
	const [indexes = '', each] = indexesByType[type.slice(0, type.indexOf(inner))] ?? [];
	return {text: name + indexes, type: inner, each: each !== undefined};
}

function buildExpression(field: Row, operator: Operator, phase: Phase): string {
	const {text, type, each} = selectSingleValue(field);
	const value = literalByType[type] ?? '';
	const right = operator === 'in' ? `{${value}}` : value;
	const comparison = operator === '' ? text : `${text} ${operator} ${right}`;
	if (phase.endsWith('.value')) return operator === '' && each ? field.name : comparison;
	return each ? `any(${comparison})` : comparison;
}

const getPlanRank = (plan: string): number => plans.indexOf(plan as ZonePlan);

const planInRateLimits: Readonly<Record<string, ZonePlan>> = {
	'http.request.uri.path': 'free',
	'cf.bot_management.verified_bot': 'free',
	'cf.client.bot': 'free',
	'http.host': 'pro',
	'http.request.uri': 'pro',
	'http.request.full_uri': 'pro',
	'http.request.uri.query': 'pro',
	'http.request.method': 'business',
	'ip.src': 'business',
	'http.user_agent': 'business',
};
const countableFields = [
	'http.response.code',
	'http.response.headers',
	'http.response.headers.names',
	'http.response.headers.values',
];

/** The lowest plan that has the field in the rules of a phase. */
function getLowestPlan({name, plan = 'free'}: Row, phase: Phase): string {
	if (!phase.startsWith('http_ratelimit')) return plan;
	const documented = planInRateLimits[name];
	const isCounting = phase === 'http_ratelimit.counting_expression';
	if (isCounting && countableFields.includes(name)) return 'business';
	if (!documented) return 'enterprise';
	return isCounting && getPlanRank(documented) < getPlanRank('business') ? 'business' : documented;
}

function getPhaseVerdict(name: string, phase: Phase): 'allowed' | 'error' | 'warning' {
	const [pattern, allowedPhases] =
		allowedOnlyIn.find(([fieldPattern]) => matchesNamePattern(fieldPattern, name)) ?? [];
	if (allowedPhases && !allowedPhases.includes(phase)) return 'error';
	// The page of this very field names the phase; the lists may not.
	if (pattern === name) return 'allowed';
	// The response firewall has the fields of custom rules, and those of responses.
	const effectivePhase =
		phase === 'http_response_firewall_custom' && !allowedPhases ? 'http_request_firewall_custom' : phase;
	const documentedPhases =
		transformsOnly[name] ??
		documentedOnlyFor.find(([fieldPattern]) => matchesNamePattern(fieldPattern, name))?.[1];
	if (documentedPhases && !documentedPhases.includes(effectivePhase)) return 'warning';
	const list = documentedFieldsByPhase[effectivePhase];
	return !list || list.some(fieldPattern => matchesNamePattern(fieldPattern, name)) ? 'allowed' : 'warning';
}

/** The expected verdict on a field with an operator, from the tables and without the program. */
function computeExpected(field: Row, operator: Operator, phase: Phase, plan: ZonePlan | undefined) {
	const phaseVerdict = getPhaseVerdict(field.name, phase);
	const isValue = phase.endsWith('.value');
	const lacksPlan =
		plan !== undefined &&
		(getPlanRank(plan) < getPlanRank(getLowestPlan(field, phase)) ||
			((operator === 'matches' || operator === '~') && getPlanRank(plan) < getPlanRank('business')));
	const {type} = selectSingleValue(field);
	const isOperatorValid = isValue
		? operator === ''
		: field.type === undefined || operatorsByType[type]?.includes(operator);
	return {
		error: phaseVerdict === 'error' || lacksPlan || !isOperatorValid,
		place: phaseVerdict === 'warning',
	};
}

const phaseWarningPattern = /(?: is not documented for | is documented for .+, not for )/;

function getActual(text: string, phase: Phase, plan: ZonePlan | undefined) {
	const {errors, warnings} = analyse(text, {phase, plan});
	return {error: errors.length > 0, place: warnings.some(({sentence}) => phaseWarningPattern.test(sentence))};
}

/** Lists each expression whose verdict differs from the tables. */
function listDifferences(
	cases: readonly (readonly [Row, Operator, Phase, ZonePlan | undefined])[],
): string[] {
	return cases.flatMap(([field, operator, phase, plan]) => {
		// A field of unknown type is compared like a text; its verdict without a comparison is unknown.
		if (field.type === undefined && (operator === '' || bitOperators.includes(operator))) return [];
		const text = buildExpression(field, operator, phase);
		const [actual, expectedVerdict] = [
			getActual(text, phase, plan),
			computeExpected(field, operator, phase, plan),
		];
		// After an error, warnings do not matter.
		const same =
			actual.error === expectedVerdict.error && (actual.error || actual.place === expectedVerdict.place);
		return same
			? []
			: [`${text} (${phase}, ${plan}): ${JSON.stringify(actual)}, not ${JSON.stringify(expectedVerdict)}`];
	});
}

/** Picks an element by a running number, so that each is picked equally often. */
const pickInTurn = <Value>(some: readonly Value[], at: number): Value => some[at % some.length] as Value;
/** Picks an operator that the field supports. */
function pickOperator(field: Row, phase: Phase, at: number): Operator {
	if (phase.endsWith('.value')) return '';
	return pickInTurn(operatorsByType[selectSingleValue(field).type] ?? [''], at) as Operator;
}

describe('every field, with its operators, phases and plans', () => {
	test('has the operators of its type', () => {
		const cases = fields.flatMap((field, row) =>
			operators.map(
				(operator, column) =>
					[
						field,
						operator,
						pickInTurn(allPhases, row * 5 + column * 3),
						pickInTurn(plans, row + column),
					] as const,
			),
		);
		expect(listDifferences(cases)).toEqual([]);
	});

	test('can be used in the phases that the documentation names', () => {
		const cases = fields.flatMap((field, row) =>
			allPhases.map(
				(phase, column) => [field, pickOperator(field, phase, row + column), phase, undefined] as const,
			),
		);
		expect(listDifferences(cases)).toEqual([]);
	});

	test('needs the plan that the documentation names', () => {
		const checkedPhases = [
			'http_request_firewall_custom',
			'http_ratelimit',
			'http_ratelimit.counting_expression',
			'http_request_late_transform.value',
		] as const;
		const cases = fields.flatMap((field, row) =>
			checkedPhases.flatMap(phase =>
				plans.map((plan, column) => [field, pickOperator(field, phase, row + column), phase, plan] as const),
			),
		);
		expect(listDifferences(cases)).toEqual([]);
	});

	test('gives the expected result in an even sample of all combinations', () => {
		const sizes = [fields.length, operators.length, allPhases.length, plans.length] as const;
		const all = sizes.reduce((product, size) => product * size, 1);
		const cases: (readonly [Row, Operator, Phase, ZonePlan | undefined])[] = [];
		// A prime step spreads the sample evenly. 5, 175 and 3675 are the numbers of plans, plans × phases,
		// and plans × phases × operators.
		for (let at = 0; at < all; at += 401) {
			const [phaseTurn, operatorTurn, fieldTurn] = [
				Math.floor(at / 5),
				Math.floor(at / 175),
				Math.floor(at / 3675),
			];
			cases.push([
				pickInTurn(fields, fieldTurn),
				pickInTurn(operators, operatorTurn),
				pickInTurn(allPhases, phaseTurn),
				pickInTurn(plans, at),
			]);
		}
		expect(cases.length).toBeGreaterThan(2000);
		expect(listDifferences(cases)).toEqual([]);
	});
});
