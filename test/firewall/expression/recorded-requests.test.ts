import {describe, expect, it, test} from 'vitest';
import {
	type ExactRequest,
	evaluateRequest,
	matchesRequest,
} from '../../../source/firewall/expression/evaluate.ts';
import {analyse, createRequestMatcher} from '../../../source/firewall/expression/expressions.ts';
import {getSampleTraffic, type SampleRequest} from '../../../source/firewall/expression/sample-requests.ts';
import {Unknown} from '../../../source/firewall/expression/unknown.ts';
import {getRunCount} from '../../support/full.ts';
import {anyExpression, createChooser} from './any-expression.ts';

const request = {
	'http.request.method': 'POST',
	'http.host': 'acme.example',
	'http.request.uri.path': '/api/import',
	'http.request.uri.query': 'q=%41+b',
	'http.user_agent': 'Agent/1.0',
	'http.request.headers': {'user-agent': ['Agent/1.0']},
	'ip.src': '203.0.113.20',
	'ip.src.country': 'DE',
	'ip.src.asnum': 64_505,
	ssl: true,
};

/** The result for the request, with unknown results as the list of what is unknown. */
function findResult(expression: string): boolean | readonly string[] {
	const result = createRequestMatcher(expression)(request);
	return typeof result === 'boolean' ? result : [...result.fields, ...result.operations];
}

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
	['(not ssl) or http.request.uri.query eq ""', false],
	['url_decode(http.request.uri.query) eq "q=A b"', true],
	['any(http.request.headers["user-agent"][*] contains "Agent")', true],
	['true', true],
	['false', false],
	['http.request.uri.path matches "^/api/[a-z]+$"', true],
	// What decides the result does so whatever is unknown in the rest.
	['ssl or cf.bot_management.verified_bot', true],
	['not ssl and cf.bot_management.score lt 30', false],
	['not (not ssl and cf.bot_management.score lt 30)', true],
	['ip.src.country in {"FR"} and ip.src in $office', false],
	['any(http.request.headers["user-agent"][*] eq "x") and ssl', false],
	['has_key(http.request.headers, "user-agent")', true],
	// An invalid expression matches none.
	['http.host eq', false],
	['', false],
])('%s is decided', (expression, result) => {
	expect(findResult(expression)).toBe(result);
});

test.each([
	['cf.bot_management.score lt 30', ['cf.bot_management.score']],
	['not cf.bot_management.score lt 30', ['cf.bot_management.score']],
	['cf.bot_management.score lt 30 xor ssl', ['cf.bot_management.score']],
	['cf.client.bot and (ssl or http.cookie contains "a")', ['cf.client.bot']],
	['cf.client.bot or http.cookie contains "a"', ['cf.client.bot', 'http.cookie']],
	['lower(http.cookie) contains "a"', ['http.cookie']],
	['len(http.request.body.raw) gt 5', ['http.request.body.raw']],
	['any(http.request.headers["x-a"][*] eq "b")', ['http.request.headers["x-a"]']],
	['all(http.request.uri.args.names[*] eq "b")', ['http.request.uri.args.names']],
	['has_key(http.request.headers, "x-a")', ['http.request.headers']],
	['len(http.request.headers) gt 0', ['http.request.headers']],
	['http.host eq http.referer', ['http.referer']],
	['ip.src in $office', ['$office']],
	['sha256(http.host) eq "a"', ['sha256()']],
	// Patterns that JavaScript would read differently.
	['http.host matches "[[:alpha:]]"', ['matches "[[:alpha:]]"']],
	['http.host matches r"\\Aacme\\z"', [`matches ${JSON.stringify('\\Aacme\\z')}`]],
	['http.newer.field eq "a"', ['http.newer.field']],
])('%s is unknown', (expression, unknown) => {
	expect(findResult(expression)).toEqual(unknown);
});

describe('requests that do not record all fields', () => {
	const samples = getSampleTraffic('shop.example').flatMap(requests => requests.slice(0, 3));

	/** Records the fields of a sample for which `isRecorded` is true. */
	const record = (sample: SampleRequest, isRecorded: (name: string) => boolean): ExactRequest => ({
		field: name => (isRecorded(name) ? sample.field(name) : new Unknown([name])),
		isExact: true,
	});

	it('have the result of the complete request, or an unknown one', () => {
		const choose = createChooser(11);
		const counts = {decided: 0, lost: 0};
		for (let run = 0; run < getRunCount(3000); run++) {
			const text = anyExpression(choose);
			const {tree, fields} = analyse(text);
			if (!tree) throw new Error(text);
			const hidden = new Set(fields.filter(() => choose(3) === 0));
			for (const sample of samples) {
				const completeResult = evaluateRequest(
					tree,
					record(sample, () => true),
				);
				if (completeResult instanceof Unknown) {
					expect([...completeResult.fields], text).toEqual([]);
					expect(completeResult.operations.size, text).toBeGreaterThan(0);
				} else expect(completeResult, text).toBe(matchesRequest(tree, sample));
				const result = evaluateRequest(
					tree,
					record(sample, name => !hidden.has(name)),
				);
				if (result instanceof Unknown) {
					expect(
						[...result.fields].filter(name => !hidden.has(name)),
						text,
					).toEqual([]);
					counts.lost++;
				} else {
					expect(result, text).toBe(completeResult);
					counts.decided++;
				}
			}
		}
		expect(counts.lost).toBeGreaterThan(100);
		expect(counts.decided).toBeGreaterThan(100);
	});
});
