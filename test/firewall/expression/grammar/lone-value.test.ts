import {describe, expect, test} from 'vitest';
import {analyse} from '../../../../source/firewall/expression/expressions.ts';

const phase = 'http_request_late_transform.value';

describe('an expression that returns a value', () => {
	test.each([
		'http.host',
		'concat("/a", http.request.uri.path)',
		'http.request.headers["x-a"][0]',
		'to_string(cf.edge.server_port)',
		'regex_replace(http.request.uri.path, "^/a", "/b")',
		'encode_base64(sha256(http.host), "u")',
		'split(http.host, ".", 3)',
	])('%s', text => {
		const valuePhase = text.startsWith('split') ? ('http_response_cache_settings.value' as const) : phase;
		const {errors, tree} = analyse(text, {phase: valuePhase});
		expect(errors).toEqual([]);
		expect(tree).toMatchObject({kind: 'bare', start: 0, end: text.length});
	});

	test.each([
		'http.host eq "a"',
		'ssl and ssl',
		'(http.host)',
		'"a"',
		'not ssl',
		'http.hst',
		'concat(http.host',
		'',
	])('is not %s', text => {
		expect(analyse(text, {phase}).errors).toHaveLength(1);
	});

	test('is not a condition elsewhere', () => {
		expect(analyse('concat("/a", http.request.uri.path)').errors).toHaveLength(1);
	});
});
