import {describe, expect, test} from 'vitest';
import {ask, createClockedSimulator, json, request} from '../asking.ts';

const path = '/filters/validate-expr';
const requestsByMethod = {
	GET: (expression: string) => [`${path}?expression=${encodeURIComponent(expression)}`, {}] as const,
	POST: (expression: string) => [path, json('POST', {expression})] as const,
};

describe.each(['GET', 'POST'] as const)('%s of the expression check', method => {
	test('accepts a valid expression, whatever plan it needs', async () => {
		const {simulator} = createClockedSimulator();
		const [requestPath, init] = requestsByMethod[method](
			'http.host matches "a" and ip.src in {192.0.2.0/24}',
		);
		const response = await simulator.fetch(request(requestPath, init));
		expect([response.status, await response.json()]).toEqual([
			200,
			{result: null, success: true, errors: [], messages: null},
		]);
	});

	test('answers an invalid expression in the documented form', async () => {
		const {simulator} = createClockedSimulator();
		const [requestPath, init] = requestsByMethod[method]('ip.src==34');
		const response = await simulator.fetch(request(requestPath, init));
		expect([response.status, await response.json()]).toEqual([
			400,
			{
				result: null,
				success: false,
				errors: [
					{
						message: expect.stringMatching(
							/^Filter parsing error:\n`ip\.src==34`\n +\^+ couldn't parse address in network: invalid IP address syntax\n$/,
						),
					},
				],
				messages: null,
			},
		]);
	});
});

test.each([
	['GET', undefined],
	['POST', {}],
	['POST', {expression: 1}],
])('%s without an expression gives 400', async (method, body) => {
	const {simulator} = createClockedSimulator();
	const response = await ask(simulator, path, body ? json(method, body) : {method});
	expect([response.status, response.errors]).toEqual([400, [{message: 'expression is required'}]]);
});
