import {describe, expect, test} from 'vitest';
import {findField, formatType} from '../../../../source/firewall/expression/expressions.ts';
import {
	commonFields,
	fields,
	vocabularyDate,
} from '../../../../source/firewall/expression/vocabulary/fields.ts';
import {defaultPhase, phases} from '../../../../source/firewall/expression/vocabulary/phases.ts';
import {getVerdict} from '../../../../source/firewall/expression/vocabulary/verdict.ts';
import {zonePlans} from '../../../../source/service/plan.ts';

const countByKey = (keys: readonly string[]): Record<string, number> => {
	const counts: Record<string, number> = {};
	for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
	return counts;
};

describe('the fields of expressions', () => {
	test('are 223, with unique names', () => {
		expect(fields).toHaveLength(223);
		expect(new Set(fields.map(({name}) => name)).size).toBe(223);
		expect(vocabularyDate).toMatch(/^20\d\d-\d\d-\d\d$/);
	});

	test('match the types of the program', () => {
		const all = Object.keys(phases);
		for (const {name, type, plan, scope, phases: allowedPhases, replacement, unclear} of fields) {
			expect({name, plan: plan === undefined || zonePlans.includes(plan)}).toEqual({name, plan: true});
			expect([undefined, 'response', 'transform', 'account rulesets']).toContain(scope);
			for (const phase of allowedPhases ?? []) expect(all).toContain(phase);
			if (type === undefined) expect(unclear).toBe(true);
			if (replacement !== undefined) expect(findField(replacement)).toBeDefined();
		}
	});

	test('have known counts by lowest plan and other requirements', () => {
		const needs = fields.map(({plan = 'all', addOn, earlyAccess}) =>
			addOn ? 'add-on' : earlyAccess ? 'early access' : plan,
		);
		expect(countByKey(needs)).toEqual({
			all: 116,
			'early access': 3,
			pro: 2,
			business: 7,
			enterprise: 28,
			'add-on': 67,
		});
	});

	test('include a known number of fields for other kinds of rules', () => {
		expect(countByKey(fields.flatMap(({scope}) => (scope ? [scope] : [])))).toEqual({
			response: 10,
			transform: 2,
			'account rulesets': 2,
		});
	});

	test('with former names have the type and plan of their replacement', () => {
		const deprecated = fields.filter(({replacement, unclear}) => replacement !== undefined && !unclear);
		expect(deprecated).toHaveLength(6);
		for (const {name, type, plan, replacement = ''} of deprecated) {
			expect(replacement).toBe(name.replace('ip.geoip.', 'ip.src.'));
			expect(findField(replacement)).toMatchObject({type, ...(plan && {plan})});
		}
	});

	test.each([
		['http.host', 'String', {}],
		['ip.src', 'IP', {}],
		['ssl', 'Boolean', {}],
		['cf.random_seed', 'Bytes', {}],
		['http.request.headers', 'Map<Array<String>>', {}],
		['http.request.cookies', 'Map<Array<String>>', {plan: 'pro'}],
		['ip.src.is_in_european_union', 'Boolean', {plan: 'business'}],
		['cf.waf.score', 'Integer', {plan: 'enterprise'}],
		['cf.bot_management.score', 'Integer', {plan: 'enterprise', addOn: true}],
		['http.request.jwt.claims.nbf.sec', 'Map<Array<Integer>>', {plan: 'enterprise', addOn: true}],
		['http.request.body.multipart.filenames', 'Array<Array<String>>', {plan: 'enterprise'}],
		['http.response.code', 'Integer', {scope: 'response'}],
		['cf.zone.plan', 'String', {scope: 'account rulesets'}],
		['ip.geoip.country', 'String', {replacement: 'ip.src.country'}],
	])('include %s as documented', (name, type, requirements) => {
		const found = findField(name);
		expect(found?.type && formatType(found.type)).toBe(type);
		const {plan, addOn, scope, replacement} = found ?? {};
		expect({plan, addOn, scope, replacement}).toEqual({
			plan: undefined,
			addOn: undefined,
			scope: undefined,
			replacement: undefined,
			...requirements,
		});
	});

	test('do not include other names', () => {
		for (const name of ['ip.addr', 'HTTP.HOST', 'http', '', 'constructor', '__proto__'])
			expect(findField(name)).toBeUndefined();
	});

	test('each have a short description', () => {
		for (const {about} of fields) expect(about).toMatch(/^\S.{3,68}\S$/);
	});

	test('can be used in firewall and custom rules if they are common', () => {
		expect(commonFields).toHaveLength(26);
		for (const field of commonFields)
			expect({...getVerdict(field, defaultPhase), replacement: field.replacement}).toEqual({kind: 'allowed'});
	});
});
