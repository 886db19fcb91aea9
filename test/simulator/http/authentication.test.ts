import {describe, expect, test} from 'vitest';
import {createSimulator} from '../../../source/simulator/simulator.ts';
import {
	accountId,
	ask,
	createClockedSimulator,
	getErrorCodes,
	json,
	namespacesPath,
	type Observation,
} from '../asking.ts';

const someId = '0123456789abcdef0123456789abcdef';

/** Sends a request with exactly these headers. */
async function sendHeaders(headers: Record<string, string>, path = '/user', options = {}) {
	using simulator = createSimulator({samples: false, ...options});
	const response = await simulator.fetch(new Request(`http://x.invalid/client/v4${path}`, {headers}));
	const {result, errors} = (await response.json()) as Pick<Observation, 'result' | 'errors'>;
	return {status: response.status, result, error: errors[0]};
}

describe('the response to a credential', () => {
	test.each([
		['nothing at all', {}],
		['a key without an email', {'x-auth-key': 'simulated'}],
		['an email without a key', {'x-auth-email': 'operator@acme.example'}],
	])('is 400 and 9106 for %s', async (_, headers) => {
		expect(await sendHeaders(headers)).toMatchObject({
			status: 400,
			error: {code: 9106, message: 'Missing X-Auth-Key, X-Auth-Email or Authorization headers'},
		});
	});

	test.each([
		'simulated',
		'Basic c2ltdWxhdGVk',
		'Bearer',
		'Bearer "simulated"',
		'Bearer two words',
	])('is 400 and 6003 with 6111 for the malformed bearer %s', async authorization => {
		const {status, error} = await sendHeaders({authorization});
		expect([status, error]).toMatchObject([400, {code: 6003, error_chain: [{code: 6111}]}]);
	});

	test.each([
		['key', {'x-auth-key': 'a key', 'x-auth-email': 'operator@acme.example'}, 6103],
		['email', {'x-auth-key': 'simulated', 'x-auth-email': 'nobody'}, 6102],
	])('is 400 and 6003 with a chain for a malformed %s', async (_, headers, chainedCode) => {
		const {status, error} = await sendHeaders(headers);
		expect([status, error]).toMatchObject([400, {code: 6003, error_chain: [{code: chainedCode}]}]);
	});

	test('is 403 and 9109 for an unknown token, and 401 and 1000 at the token check', async () => {
		const headers = {authorization: 'Bearer unknown'};
		expect(await sendHeaders(headers)).toMatchObject({
			status: 403,
			error: {code: 9109, message: 'Invalid access token'},
		});
		expect(await sendHeaders(headers, '/user/tokens/verify')).toMatchObject({
			status: 401,
			error: {code: 1000, message: 'Invalid API Token'},
		});
	});

	test.each([
		['key', {'x-auth-key': 'unknown', 'x-auth-email': 'operator@acme.example'}],
		['email', {'x-auth-key': 'simulated', 'x-auth-email': 'someone@else.example'}],
	])('is 400 and 9103 for an unknown %s', async (_, headers) => {
		expect(await sendHeaders(headers)).toMatchObject({status: 400, error: {code: 9103}});
	});

	test('is the same for the token as a bearer or as the key with the email', async () => {
		expect(await sendHeaders({authorization: 'Bearer simulated'})).toMatchObject({status: 200});
		const keyAndEmail = {'x-auth-key': 'simulated', 'x-auth-email': 'Operator@acme.example'};
		expect(await sendHeaders(keyAndEmail)).toMatchObject({
			status: 200,
			result: {email: 'operator@acme.example'},
		});
	});

	test('depends on the bearer if both are given', async () => {
		const headers = {
			'x-auth-key': 'unknown',
			'x-auth-email': 'a@b.example',
			authorization: 'Bearer simulated',
		};
		expect((await sendHeaders(headers)).status).toBe(200);
	});

	test('depends on the configured tokens', async () => {
		const options = {tokens: ['one', 'two']};
		expect((await sendHeaders({authorization: 'Bearer two'}, '/user', options)).status).toBe(200);
		expect((await sendHeaders({authorization: 'Bearer simulated'}, '/user', options)).status).toBe(403);
	});

	test('is the token ID and its active status at the token check', async () => {
		const {simulator} = createClockedSimulator();
		const response = await ask(simulator, '/user/tokens/verify');
		expect(response.result).toEqual({id: expect.stringMatching(/^[0-9a-f]{32}$/), status: 'active'});
		expect((response as unknown as {messages: unknown}).messages).toEqual([
			{code: 10000, message: 'This API Token is valid and active', type: null},
		]);
	});

	test('is an error for key and email at the token check', async () => {
		const keyAndEmail = {'x-auth-key': 'simulated', 'x-auth-email': 'operator@acme.example'};
		const {status, error} = await sendHeaders(keyAndEmail, '/user/tokens/verify');
		expect([status, error]).toMatchObject([400, {code: 6003, error_chain: [{code: 6111}]}]);
	});

	test('is a success with the status for a disabled or expired token, but only at the token check', async () => {
		const options = {tokens: [{value: 'old', status: 'expired'}]};
		const headers = {authorization: 'Bearer old'};
		expect(await sendHeaders(headers, '/user/tokens/verify', options)).toMatchObject({
			status: 200,
			result: {status: 'expired'},
		});
		expect(await sendHeaders(headers, '/user', options)).toMatchObject({status: 403, error: {code: 9109}});
	});
});

describe('missing access', () => {
	test.each([
		['GET', `${namespacesPath}`, 403, 10037],
		['GET', `/accounts/${accountId}`, 403, 9109],
		['GET', '/accounts', 403, 9109],
		['GET', '/zones', 403, 9109],
	])('%s %s gives %i and %i', async (method, path, status, code) => {
		const {simulator} = createClockedSimulator({tokens: [{value: 'simulated', grants: []}]});
		const response = await ask(simulator, path, {method});
		expect([response.status, ...getErrorCodes(response)]).toEqual([status, code]);
	});

	test('a token with the read grant cannot write', async () => {
		const {simulator} = createClockedSimulator({tokens: [{value: 'simulated', grants: ['kv:read']}]});
		expect((await ask(simulator, namespacesPath)).status).toBe(200);
		const response = await ask(simulator, namespacesPath, json('POST', {title: 'a'}));
		expect([response.status, ...getErrorCodes(response)]).toEqual([403, 10037]);
		expect(response.errors[0]?.message).toMatch(/^create namespace: '/);
	});

	test('another account gives 401 and 10000 for KV, and 403 and 9109 elsewhere', async () => {
		const {simulator} = createClockedSimulator();
		const kv = await ask(simulator, `/accounts/${someId}/storage/kv/namespaces`);
		expect([kv.status, ...getErrorCodes(kv)]).toEqual([401, 10000]);
		const other = await ask(simulator, `/accounts/${someId}`);
		expect([other.status, ...getErrorCodes(other)]).toEqual([403, 9109]);
	});

	test('a zone that does not exist gives 403 and 9109', async () => {
		const {simulator} = createClockedSimulator();
		const response = await ask(simulator, `/zones/${someId}`);
		expect([response.status, ...getErrorCodes(response)]).toEqual([403, 9109]);
	});
});

describe('addresses', () => {
	test.each([
		'/nothing',
		'/accounts/short',
		'/zones/UPPER',
		'/accounts/short/storage/kv/namespaces',
		'/user/',
	])('%s gives 404 with 7003 and 7000', async path => {
		const {simulator} = createClockedSimulator();
		const response = await ask(simulator, path);
		expect([response.status, ...getErrorCodes(response)]).toEqual([404, 7003, 7000]);
		expect(response.errors[0]?.message).toBe(
			`Could not route to /client/v4${path}, perhaps your object identifier is invalid?`,
		);
	});

	test('a known address with another method gives 405 and the allowed methods', async () => {
		const {simulator} = createClockedSimulator();
		const response = await ask(simulator, namespacesPath, {method: 'PATCH'});
		expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
	});

	test('an address outside the base gives no envelope', async () => {
		const {simulator} = createClockedSimulator();
		const response = await simulator.fetch(new Request('http://x.invalid/client/v3/user'));
		expect([response.status, response.headers.get('content-type')]).toEqual([
			404,
			'text/html; charset=UTF-8',
		]);
	});
});

test('every response has its own cf-ray', async () => {
	const {simulator} = createClockedSimulator();
	const rays = await Promise.all(
		['/user', '/nothing', '/zones'].map(async path => (await ask(simulator, path)).headers.get('cf-ray')),
	);
	for (const ray of rays) expect(ray).toMatch(/^[0-9a-f]{16}-[A-Z]{3}$/);
	expect(new Set(rays).size).toBe(3);
});
