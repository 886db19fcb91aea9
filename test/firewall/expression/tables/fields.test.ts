import {describe, expect, test} from 'vitest';
import {analyse, type Phase} from '../../../../source/firewall/expression/expressions.ts';
import table from '../../../../source/firewall/expression/vocabulary/fields.json' with {type: 'json'};
import {phases} from '../../../../source/firewall/expression/vocabulary/phases.ts';
import type {ZonePlan} from '../../../../source/service/plan.ts';
import {documentedFor, has, lists, only, transformsOnly} from './documented-places.ts';

type Row = {
	readonly name: string;
	readonly type?: string;
	readonly plan?: string;
	readonly addOn?: boolean;
};

const fields: readonly Row[] = table.fields;
const allPhases = Object.keys(phases) as readonly Phase[];
const plans = [undefined, 'free', 'pro', 'business', 'enterprise'] as const;

/** Each operator as a word and as a sign, and none. */
const operators = [
	...['eq', 'ne', 'lt', 'le', 'gt', 'ge', '==', '!=', '<', '<=', '>', '>='],
	...['contains', 'matches', '~', 'wildcard', 'strict wildcard', 'in', '&', 'bitwise_and', ''],
] as const;
type Operator = (typeof operators)[number];

const ordered: readonly string[] = ['lt', 'le', 'gt', 'ge', '<', '<=', '>', '>='];
const equal: readonly string[] = ['eq', 'ne', '==', '!=', 'in'];
const ofText: readonly string[] = ['contains', 'matches', '~', 'wildcard', 'strict wildcard'];
const ofBits: readonly string[] = ['&', 'bitwise_and'];

/** Which operators compare a single value of a type. */
const takes: Readonly<Record<string, readonly string[]>> = {
	String: [...equal, ...ordered, ...ofText],
	Bytes: [...equal, ...ordered, ...ofText],
	Integer: [...equal, ...ordered, ...ofBits],
	IP: equal,
	Boolean: [''],
};

const values: Readonly<Record<string, string>> = {
	String: '"a"',
	Bytes: '"a"',
	Integer: '7',
	IP: '192.0.2.1',
	Boolean: 'true',
};

/** How single values are taken out of lists and maps, by the type of the whole. */
const ways: Readonly<Record<string, readonly [indexes: string, each?: 'any']>> = {
	'Array<': ['[*]', 'any'],
	'Array<Array<': ['[*][0]', 'any'],
	'Map<': ['["a"]'],
	'Map<Array<': ['["a"][0]'],
};

/** The field as a single value, and the type of that; an open type is taken for a text. */
function single({name, type = 'String'}: Row): {text: string; type: string; each: boolean} {
	const inner = /\w+(?=>*$)/.exec(type)?.[0] ?? type;
	const [indexes = '', each] = ways[type.slice(0, type.indexOf(inner))] ?? [];
	return {text: name + indexes, type: inner, each: each !== undefined};
}

function written(field: Row, operator: Operator, phase: Phase): string {
	const {text, type, each} = single(field);
	const value = values[type] ?? '';
	const right = operator === 'in' ? `{${value}}` : value;
	const whole = operator === '' ? text : `${text} ${operator} ${right}`;
	if (phase.endsWith('.value')) return operator === '' && each ? field.name : whole;
	return each ? `any(${whole})` : whole;
}

const rank = (plan: string): number => plans.indexOf(plan as ZonePlan);

const inRateLimits: Readonly<Record<string, ZonePlan>> = {
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
const counted = [
	'http.response.code',
	'http.response.headers',
	'http.response.headers.names',
	'http.response.headers.values',
];

/** The least plan that has the field in the rules of a phase. */
function leastPlan({name, plan = 'free'}: Row, phase: Phase): string {
	if (!phase.startsWith('http_ratelimit')) return plan;
	const documented = inRateLimits[name];
	const counts = phase === 'http_ratelimit.counting_expression';
	if (counts && counted.includes(name)) return 'business';
	if (!documented) return 'enterprise';
	return counts && rank(documented) < rank('business') ? 'business' : documented;
}

function inPhase(name: string, phase: Phase): 'allowed' | 'error' | 'warning' {
	const [pattern, alone] = only.find(([some]) => has(some, name)) ?? [];
	if (alone && !alone.includes(phase)) return 'error';
	// Its own page names the phase, which the lists may not do.
	if (pattern === name) return 'allowed';
	// The response firewall looks at what custom rules do, and at responses.
	const asked = phase === 'http_response_firewall_custom' && !alone ? 'http_request_firewall_custom' : phase;
	const known = transformsOnly[name] ?? documentedFor.find(([some]) => has(some, name))?.[1];
	if (known && !known.includes(asked)) return 'warning';
	const list = lists[asked];
	return !list || list.some(some => has(some, name)) ? 'allowed' : 'warning';
}

/** What the facts say of a field with an operator, without asking the program. */
function expected(field: Row, operator: Operator, phase: Phase, plan: ZonePlan | undefined) {
	const place = inPhase(field.name, phase);
	const isValue = phase.endsWith('.value');
	const lacksPlan =
		plan !== undefined &&
		(rank(plan) < rank(leastPlan(field, phase)) ||
			((operator === 'matches' || operator === '~') && rank(plan) < rank('business')));
	const {type} = single(field);
	const fits = isValue ? operator === '' : field.type === undefined || takes[type]?.includes(operator);
	return {error: place === 'error' || lacksPlan || !fits, place: place === 'warning'};
}

const aboutPlaces = /(?: is not documented for | is documented for .+, not for )/;

function found(text: string, phase: Phase, plan: ZonePlan | undefined) {
	const {errors, warnings} = analyse(text, {phase, plan});
	return {error: errors.length > 0, place: warnings.some(({sentence}) => aboutPlaces.test(sentence))};
}

/** Each expression whose verdict is another than the facts say. */
function unlike(cases: readonly (readonly [Row, Operator, Phase, ZonePlan | undefined])[]): string[] {
	return cases.flatMap(([field, operator, phase, plan]) => {
		// What has no type known is compared like a text; by itself nothing is known of it.
		if (field.type === undefined && (operator === '' || ofBits.includes(operator))) return [];
		const text = written(field, operator, phase);
		const [is, should] = [found(text, phase, plan), expected(field, operator, phase, plan)];
		// An expression that is refused is not judged further.
		const same = is.error === should.error && (is.error || is.place === should.place);
		return same ? [] : [`${text} (${phase}, ${plan}): ${JSON.stringify(is)}, not ${JSON.stringify(should)}`];
	});
}

/** One of some, each as often as the others. */
const turn = <Value>(some: readonly Value[], at: number): Value => some[at % some.length] as Value;
/** An operator that the field has, which is not refused for itself. */
function fitting(field: Row, phase: Phase, at: number): Operator {
	if (phase.endsWith('.value')) return '';
	return turn(takes[single(field).type] ?? [''], at) as Operator;
}

describe('every field, with its operators, phases and plans', () => {
	test('has the operators of its type', () => {
		const cases = fields.flatMap((field, row) =>
			operators.map(
				(operator, column) =>
					[field, operator, turn(allPhases, row * 5 + column * 3), turn(plans, row + column)] as const,
			),
		);
		expect(unlike(cases)).toEqual([]);
	});

	test('can be used in the phases that the documentation names', () => {
		const cases = fields.flatMap((field, row) =>
			allPhases.map(
				(phase, column) => [field, fitting(field, phase, row + column), phase, undefined] as const,
			),
		);
		expect(unlike(cases)).toEqual([]);
	});

	test('needs the plan that the documentation names', () => {
		const judged = [
			'http_request_firewall_custom',
			'http_ratelimit',
			'http_ratelimit.counting_expression',
			'http_request_late_transform.value',
		] as const;
		const cases = fields.flatMap((field, row) =>
			judged.flatMap(phase =>
				plans.map((plan, column) => [field, fitting(field, phase, row + column), phase, plan] as const),
			),
		);
		expect(unlike(cases)).toEqual([]);
	});

	test('gives the expected result in an even sample of all combinations', () => {
		const sizes = [fields.length, operators.length, allPhases.length, plans.length] as const;
		const all = sizes.reduce((product, size) => product * size, 1);
		const cases: (readonly [Row, Operator, Phase, ZonePlan | undefined])[] = [];
		for (let at = 0; at < all; at += 401) {
			const [a, b, c] = [Math.floor(at / 5), Math.floor(at / 175), Math.floor(at / 3675)];
			cases.push([turn(fields, c), turn(operators, b), turn(allPhases, a), turn(plans, at)]);
		}
		expect(cases.length).toBeGreaterThan(2000);
		expect(unlike(cases)).toEqual([]);
	});
});
