import {describe, expect, it} from 'vitest';
import {matchesRequest} from '../../../../source/firewall/expression/evaluate.ts';
import {analyse, formatExpression} from '../../../../source/firewall/expression/expressions.ts';
import {getSampleTraffic} from '../../../../source/firewall/expression/sample-requests.ts';

const listSentences = (text: string) => {
	const {errors, warnings} = analyse(text);
	return {errors: errors.map(({sentence}) => sentence), warnings: warnings.map(({sentence}) => sentence)};
};

describe('a field or function on the right side', () => {
	it.each([
		'http.request.uri.path ne raw.http.request.uri.path',
		'len(http.request.uri.path) gt len(http.request.uri.query)',
		'http.request.uri.args["first"][0] eq http.request.uri.args["second"][0]',
		'http.request.uri.path == lower(http.request.uri.path)',
		'cf.edge.server_port <= len(http.host)',
		'ip.src ne cidr(ip.src, 24, 48)',
		'http.host eq cf.ray_id',
		'not http.host lt http.referer and ssl',
	])('%s', text => {
		expect(listSentences(text)).toEqual({errors: [], warnings: []});
	});

	it.each([
		[
			'http.host eq len(http.host)',
			'len(http.host) is of type Integer, but http.host is of type String: only values of the same type can be compared.',
		],
		['http.host contains http.referer', 'contains takes a literal value, not a field or a function.'],
		['http.host wildcard lower(http.referer)', 'wildcard takes a literal value, not a field or a function.'],
		['ip.src lt ip.src', "lt can't be used with ip.src (IP); use eq, ne, in."],
		[
			'http.host eq ssl',
			'ssl is of type Boolean, but http.host is of type String: only values of the same type can be compared.',
		],
		['ssl eq ssl', 'ssl is a Boolean; use it without a comparison: ssl, or not ssl.'],
		['http.host eq http.request.headers.names[*]', '[*] can only be used to the left of eq.'],
		['http.host eq http.hots', undefined],
	])('%s is one error', (text, sentence) => {
		const {errors} = listSentences(text);
		expect(errors).toHaveLength(1);
		if (sentence !== undefined) expect(errors).toEqual([sentence]);
	});

	it('is corrected to has_value if it is a list', () => {
		const [error] = analyse('http.host eq http.request.headers.names').errors;
		expect(error?.correction?.text).toBe('has_value(http.request.headers.names, http.host)');
	});

	it('is accepted with a warning if the documentation leaves it open', () => {
		expect(listSentences('any(http.request.headers.names[*] eq http.host)')).toEqual({
			errors: [],
			warnings: [
				'It is not documented whether [*] can be compared with another field: test it in a log rule.',
			],
		});
	});

	it.each([
		['http.host eq http.host', 'always'],
		['http.host ne http.host', 'never'],
		['http.host lt http.host', 'never'],
		['http.host ge http.host', 'always'],
	])('%s is %s true, with a warning', (text, when) => {
		expect(listSentences(text)).toEqual({
			errors: [],
			warnings: [`Both sides are the same: this is ${when} true.`],
		});
	});

	it('is formatted, and evaluated for a request', () => {
		const text = 'http.host!=lower( http.host )';
		expect(formatExpression(text)).toBe('http.host ne lower(http.host)');
		const {tree} = analyse('http.host eq http.host');
		const other = analyse('len(http.host) lt len(http.host)').tree;
		for (const request of getSampleTraffic().flatMap(requests => requests.slice(0, 10))) {
			expect(tree && matchesRequest(tree, request)).toBe(true);
			expect(other && matchesRequest(other, request)).toBe(false);
		}
	});
});

describe('expressions that the engine accepts but nobody should write', () => {
	it.each([
		['http.host in {"a""b""c"}', 'A space is missing between two values', 'http.host in {"a" "b""c"}'],
		['ip.src in {}', 'This is never true: the set is empty.', undefined],
	])('%s gives a warning', (text, sentence, expectedText) => {
		const {errors, warnings} = analyse(text);
		expect(errors).toEqual([]);
		expect(warnings[0]?.sentence).toContain(sentence);
		const {span, text: correctionText} = warnings[0]?.correction ?? {};
		expect(span && text.slice(0, span.start) + correctionText + text.slice(span.end)).toBe(expectedText);
	});
});
