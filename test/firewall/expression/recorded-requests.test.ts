import {expect, test} from 'vitest';
import {createRequestMatcher} from '../../../source/firewall/expression/expressions.ts';

const request = {
	'http.request.method': 'POST',
	'http.host': 'acme.example',
	'http.request.uri.path': '/api/import',
	'http.request.uri.query': '',
	'http.user_agent': 'Agent/1.0',
	'ip.src': '203.0.113.20',
	'ip.src.country': 'DE',
	'ip.src.asnum': 64_505,
	ssl: true,
};

test.each([
	['http.request.method eq "POST"', true],
	['http.request.method ne "POST"', false],
	['http.request.method in {"GET" "HEAD"}', false],
	['http.request.uri.path contains "/api"', true],
	['starts_with(http.request.uri.path, "/api/")', true],
	['starts_with(lower(http.user_agent), "agent")', true],
	['http.host wildcard "*.EXAMPLE"', true],
	['http.host strict wildcard "*.EXAMPLE"', false],
	['ip.src in {203.0.113.0/24} and not http.request.method eq "GET"', true],
	['ip.src eq 203.0.113.21 or ip.src.asnum gt 64000', true],
	['ip.src.country eq "FR" xor ssl', true],
	['(not ssl) or http.request.uri.query ne ""', false],
	['true', true],
	['false', false],
	['http.request.uri.path matches "^/api/[a-z]+$"', true],
	// An expression that names a field or list whose value is unknown matches no request, even if negated, or
	// if another part of it is true.
	['cf.bot_management.score lt 30', false],
	['not cf.bot_management.score lt 30', false],
	['ssl or cf.bot_management.verified_bot', false],
	['ip.src in $office', false],
	// An invalid expression matches none.
	['http.host eq', false],
	['', false],
])('%s', (expression, holds) => {
	expect(createRequestMatcher(expression)(request)).toBe(holds);
});
