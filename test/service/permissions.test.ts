import {expect, test} from 'vitest';
import {formatAdvice} from '../../source/failure.ts';
import {createRefusal} from '../../source/service/refusal.ts';

const adviseAfter403 = (method: string, path: string): string => {
	const errors = [{code: 10_000, message: 'Authentication error', chain: []}];
	const {details} = createRefusal(
		{status: 403, headers: new Headers(), method, path},
		{success: false, result: null, hasResult: true, errors, messages: [], info: {}},
	);
	return formatAdvice(details.next ?? '');
};

test.each([
	[
		'PUT',
		'/zones/z/rulesets/phases/http_request_firewall_custom/entrypoint',
		'Zone → WAF → Edit. Firewall Services → Edit covers only filters and firewall rules.',
	],
	['GET', '/zones/z/rulesets', 'Zone → WAF → Read.'],
	['POST', '/zones/z/filters', 'Zone → Firewall Services → Edit.'],
	['DELETE', '/zones/z/firewall/rules/r', 'Zone → Firewall Services → Edit.'],
	['GET', '/zones/z/firewall/waf/packages', 'Zone → Firewall Services → Read.'],
	['PUT', '/accounts/a/storage/kv/namespaces/n/values/k', 'Account → Workers KV Storage → Edit.'],
	['POST', '/graphql', 'Zone → Analytics → Read.'],
	['GET', '/zones?name=a', 'Zone → Zone → Read.'],
])('after a 403, %s %s names the permission', (method, path, sentence) => {
	expect(adviseAfter403(method, path)).toContain(`This needs the permission ${sentence} See `);
});

test('a path that ledge does not know gets the general advice', () => {
	expect(adviseAfter403('GET', '/user')).toMatch(/^See /);
});
