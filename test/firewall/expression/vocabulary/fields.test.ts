import {describe, expect, test} from 'vitest';
import {commonFields, fieldNamed, fields} from '../../../../source/firewall/expression/vocabulary/fields.ts';
import {typeName} from '../../../../source/firewall/expression/vocabulary/value-type.ts';

const countsOf = (keys: readonly string[]): Record<string, number> => {
	const counts: Record<string, number> = {};
	for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
	return counts;
};

describe('the fields of expressions', () => {
	test('there are 181, each with a name of its own', () => {
		expect(fields).toHaveLength(181);
		expect(new Set(fields.map(({name}) => name)).size).toBe(181);
	});

	test('so many of each type', () => {
		expect(countsOf(fields.map(({type}) => typeName(type)))).toEqual({
			String: 68,
			Boolean: 33,
			Integer: 25,
			'Array<String>': 28,
			'Map<Array<String>>': 12,
			'Array<Integer>': 4,
			'Array<Array<String>>': 5,
			'Map<Array<Integer>>': 2,
			'Map<Integer>': 1,
			IP: 2,
			Bytes: 1,
		});
	});

	test('so many by the least plan that has them, and by what else they need', () => {
		expect(countsOf(fields.map(({plan = 'all', addOn}) => (addOn ? 'add-on' : plan)))).toEqual({
			all: 111,
			pro: 2,
			business: 4,
			enterprise: 28,
			'add-on': 36,
		});
	});

	test('so many that only other rules can look at', () => {
		expect(countsOf(fields.flatMap(({scope}) => (scope ? [scope] : [])))).toEqual({
			response: 10,
			transform: 2,
			'account rulesets': 2,
		});
	});

	test('the deprecated ones name the field to use instead, of the same type', () => {
		const deprecated = fields.filter(({replacement}) => replacement !== undefined);
		expect(deprecated).toHaveLength(6);
		for (const {name, type, replacement = ''} of deprecated) {
			expect(replacement).toBe(name.replace('ip.geoip.', 'ip.src.'));
			expect(fieldNamed(replacement)?.type).toEqual(type);
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
	])('%s is known as it is documented', (name, type, more) => {
		const found = fieldNamed(name);
		expect(found && typeName(found.type)).toBe(type);
		const {plan, addOn, scope, replacement} = found ?? {};
		expect({plan, addOn, scope, replacement}).toEqual({
			plan: undefined,
			addOn: undefined,
			scope: undefined,
			replacement: undefined,
			...more,
		});
	});

	test('what is no field is not found', () => {
		for (const name of ['ip.addr', 'HTTP.HOST', 'http', '', 'constructor', '__proto__'])
			expect(fieldNamed(name)).toBeUndefined();
	});

	test('each is told in a few words', () => {
		for (const {about} of fields) expect(about).toMatch(/^\S.{3,68}\S$/);
	});

	test('the common ones can be used in rules of a zone', () => {
		expect(commonFields).toHaveLength(26);
		for (const {scope, replacement} of commonFields) expect({scope, replacement}).toEqual({});
	});
});
