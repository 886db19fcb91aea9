import {describe, expect, test} from 'vitest';
import {
	analyse,
	findField,
	findFunction,
	type Phase,
} from '../../../../source/firewall/expression/expressions.ts';
import {fields} from '../../../../source/firewall/expression/vocabulary/fields.ts';
import {functions} from '../../../../source/firewall/expression/vocabulary/functions.ts';
import {phases} from '../../../../source/firewall/expression/vocabulary/phases.ts';
import {getRequiredPlan, getVerdict} from '../../../../source/firewall/expression/vocabulary/verdict.ts';

const getVerdictKind = (name: string, phase: Phase): string | undefined => {
	const one = findField(name) ?? findFunction(name);
	return one && getVerdict(one, phase).kind;
};

describe('the verdict on fields and functions', () => {
	test.each([
		['http.host', 'http_request_firewall_custom', 'allowed'],
		['http.response.code', 'http_request_firewall_custom', 'error'],
		['http.response.code', 'http_ratelimit', 'error'],
		['http.response.code', 'http_ratelimit.counting_expression', 'allowed'],
		['http.response.code', 'http_custom_errors', 'allowed'],
		['raw.http.response.headers', 'http_response_cache_settings', 'error'],
		['http.response.set_cookies', 'http_custom_errors', 'error'],
		['http.response.set_cookies', 'http_response_firewall_custom', 'allowed'],
		['ip.src.timezone.name', 'http_request_late_transform', 'error'],
		['ip.src.timezone.name', 'http_request_late_transform.value', 'allowed'],
		['cf.sequence.current_op', 'http_request_redirect', 'allowed'],
		['cf.sequence.current_op', 'http_request_firewall_managed', 'error'],
		['cf.llm.prompt.detected', 'http_request_firewall_managed', 'warning'],
		['cf.llm.prompt.detected', 'http_ratelimit', 'allowed'],
		['http.request.accepted_languages', 'http_request_firewall_custom', 'warning'],
		['cf.zone.name', 'http_request_firewall_custom', 'warning'],
		['cf.zone.name', 'http_request_redirect', 'allowed'],
		['cf.bot_management.score', 'http_request_transform', 'warning'],
		['cf.bot_management.score', 'http_request_late_transform.value', 'allowed'],
		['http.request.uri.args', 'http_request_transform.value', 'allowed'],
		['ip.src', 'http_request_transform.value', 'warning'],
		['cf.waf.score', 'http_response_firewall_custom', 'allowed'],
		['ip.src.timezone.name', 'http_response_firewall_custom', 'error'],
		['cidr', 'http_ratelimit', 'allowed'],
		['cidr', 'http_request_firewall_managed', 'error'],
		['join', 'http_ratelimit', 'error'],
		['split', 'http_response_cache_settings.value', 'allowed'],
		['regex_replace', 'http_request_transform', 'error'],
		['regex_replace', 'http_request_dynamic_redirect.value', 'allowed'],
		['is_jwt_valid', 'http_request_firewall_custom', 'error'],
		['coalesce', 'http_response_cache_settings', 'warning'],
		['coalesce', 'http_request_firewall_custom', 'allowed'],
		['bit_slice', 'magic_transit', 'allowed'],
	] as const)('%s in %s: %s', (name, phase, kind) => {
		expect(getVerdictKind(name, phase)).toBe(kind);
	});

	test('allows each field and function in some phase, and names it in the reason otherwise', () => {
		const all = Object.keys(phases) as Phase[];
		for (const one of [...fields, ...functions]) {
			const verdicts = all.map(phase => getVerdict(one, phase));
			expect(verdicts.some(({kind}) => kind === 'allowed') || one.name === 'cf.zone.plan').toBe(true);
			for (const verdict of verdicts)
				if (verdict.kind !== 'allowed') expect(verdict.reason).toMatch(new RegExp(`^${one.name} .+\\.$`));
		}
	});

	test('names the rules that can use it and those that cannot', () => {
		expect(analyse('http.response.code eq 404').errors[0]?.sentence).toBe(
			'http.response.code is only available in rate limiting counting expressions, cache response rules, ' +
				'custom error rules, response header rules, compression rules, sensitive data rules, ' +
				'response firewall rules and custom log fields, not in firewall and custom rules.',
		);
		expect(analyse('cf.zone.plan eq "ENT"').warnings[0]?.sentence).toBe(
			'cf.zone.plan is documented for account rulesets, not for firewall and custom rules.',
		);
	});

	test.each([
		['http.host', 'http_ratelimit', {plan: 'pro'}],
		['http.request.uri.path', 'http_ratelimit', {}],
		['http.request.uri.path', 'http_ratelimit.counting_expression', {plan: 'business'}],
		['http.response.code', 'http_ratelimit.counting_expression', {plan: 'business'}],
		['ip.src.country', 'http_ratelimit', {plan: 'enterprise'}],
		['http.request.body.raw', 'http_ratelimit', {plan: 'enterprise', addOn: true}],
		['ip.src.country', 'http_request_firewall_custom', {}],
	] as const)('depends on the plan for %s in %s', (name, phase, plan) => {
		const field = findField(name);
		const {plan: needed, addOn} = field ? getRequiredPlan(field, phase) : {};
		expect({...(needed && {plan: needed}), ...(addOn && {addOn})}).toEqual(plan);
	});
});

describe('unknown names', () => {
	test('are errors that give the date of the lists, or warnings if newer names are allowed', () => {
		const text = 'cf.brand_new.thing eq "a" and brand_new(http.host, 5) eq 7';
		const strict = analyse(text);
		expect(strict.errors.map(({sentence}) => sentence)).toEqual([
			'Unknown field cf.brand_new.thing (as of 2026-10-10).',
			'Unknown function brand_new (as of 2026-10-10).',
		]);
		const lenient = analyse(text, {allowUnknown: true});
		expect(lenient.errors).toEqual([]);
		expect(lenient.warnings).toHaveLength(2);
	});

	test.each([
		'cf.brand_new',
		'not cf.brand_new',
		'brand_new(ssl)',
		'any(cf.brand_new[*])',
	])('are accepted as a condition on their own: %s', text => {
		expect(analyse(text, {allowUnknown: true})).toMatchObject({errors: []});
	});

	test.each([
		'cf.brand_new["a"][0] in {"b"}',
		'cf.brand_new in {192.0.2.0/24}',
		'http.host ne cf.brand_new',
		'brand_new(http.host) lt cf.brand_new',
		'coalesce(cf.brand_new, "") eq "a"',
		'starts_with(lower(cf.brand_new), "a")',
		'any(brand_new(cf.brand_new[*], ",")[*] eq "a")',
	])('are accepted wherever a field or a function is: %s', text => {
		expect(analyse(text).errors).not.toEqual([]);
		expect(analyse(text, {allowUnknown: true})).toMatchObject({errors: []});
	});

	test('are still told from strings without quotes', () => {
		expect(analyse('http.host eq shop.example', {allowUnknown: true}).errors).toHaveLength(1);
	});
});
