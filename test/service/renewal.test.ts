import {describe, expect, test} from 'vitest';
import {Failure, isFailure} from '../../source/failure.ts';
import type {Call, CallRecord} from '../../source/service/call.ts';
import type {ClientOptions} from '../../source/service/client.ts';
import {getOutcome} from '../../source/service/outcome.ts';
import type {RequestCredential} from '../../source/service/request-credentials.ts';
import {failureOf} from '../settings/support/files.ts';
import {
	buildEnvelope,
	buildErrorResponse,
	createScriptedClient,
	neverAbortedSignal,
	type ScriptedReply,
} from './scripted-transport.ts';

const get: Call = {method: 'GET', path: '/thing', repeat: 'always', writes: false};
const post: Call = {
	method: 'POST',
	path: '/things',
	body: {kind: 'json', value: {title: 't'}},
	repeat: 'never',
	writes: true,
};

const credentialOf = (token: string): RequestCredential => {
	const headers = {Authorization: `Bearer ${token}`};
	return {headers: () => headers};
};

/** A login whose renewal leads to the next of these tokens; the last one cannot be renewed. */
function createLogin(...tokens: readonly string[]) {
	const all = tokens.map(credentialOf);
	let tokenIndex = 0;
	const renewedCredentials: RequestCredential[] = [];
	return {
		asked: renewedCredentials,
		async current() {
			const credential = all[tokenIndex];
			if (!credential) throw new Error('no token');
			return credential;
		},
		async renew(rejected: RequestCredential) {
			renewedCredentials.push(rejected);
			if (rejected === all[tokenIndex]) tokenIndex = Math.min(tokenIndex + 1, all.length - 1);
			const credential = all[tokenIndex];
			return credential === rejected ? undefined : credential;
		},
	};
}

function createTestClient(script: readonly ScriptedReply[], options: Partial<ClientOptions>) {
	const records: CallRecord[] = [];
	const {client, sent, clock} = createScriptedClient(script, {
		events: {record: record => records.push(record)},
		credentialVariables: [{header: 'Authorization: Bearer ', variable: '$CLOUDFLARE_API_TOKEN'}],
		...options,
	});
	const tokens = () => sent.map(({headers}) => (headers as Record<string, string>).Authorization);
	return {client, sent, records, tokens, clock};
}

const buildRejection = (message = 'Authentication error') =>
	buildErrorResponse(401, [{code: 10_000, message}]);
const [first, second, third] = [
	'first-token-0123456789',
	'second-token-0123456789',
	'third-token-0123456789',
];

describe('a credential that the service does not accept (401)', () => {
	test.each([
		['a read', get],
		['a write', post],
	])('is renewed, and %s is sent again at once', async (_, call) => {
		const credentials = createLogin(first, second);
		const {client, tokens, records, clock, sent} = createTestClient(
			[buildRejection(), buildEnvelope('yes')],
			{credentials},
		);
		expect((await client.call(call, neverAbortedSignal)).result).toBe('yes');
		expect(tokens()).toEqual([`Bearer ${first}`, `Bearer ${second}`]);
		expect(sent[1]?.body).toEqual(sent[0]?.body);
		// It is the same attempt: the wait and the number of attempts are those of the service's own failures.
		expect(records.map(({attempt, status}) => [attempt, status])).toEqual([
			[1, 401],
			[1, 200],
		]);
		expect(clock.waits).toEqual([]);
		expect(JSON.stringify(records)).not.toMatch(/-token-/);
		expect(credentials.asked).toHaveLength(1);
	});

	test('is renewed for the bytes of a value too', async () => {
		const {client, tokens} = createTestClient([buildRejection(), new Response('value')], {
			credentials: createLogin(first, second),
		});
		expect(Buffer.from((await client.read(get, neverAbortedSignal)).bytes).toString()).toBe('value');
		expect(tokens()).toHaveLength(2);
	});

	test.each([
		['a read', get],
		['a write', post],
	])('is refused if rejected a second time: %s', async (_, call) => {
		const credentials = createLogin(first, second, third);
		const {client, tokens} = createTestClient([buildRejection()], {credentials});
		const failure = await failureOf(() => client.call(call, neverAbortedSignal));
		expect(failure).toMatchObject({code: 'credential_refused', exitCode: 4, details: {http: 401}});
		expect(failure.details.outcomeUnknown).toBeUndefined();
		expect(getOutcome(failure)).toBe('not allowed');
		expect(tokens()).toHaveLength(2);
		expect(credentials.asked).toHaveLength(1);
	});

	test('is refused at once if there is no other one', async () => {
		const {client, sent} = createTestClient([buildRejection()], {credentials: createLogin(first)});
		expect((await failureOf(() => client.call(post, neverAbortedSignal))).code).toBe('credential_refused');
		expect(sent).toHaveLength(1);
	});

	test('is renewed if the service says so with 403', async () => {
		const unknown = buildErrorResponse(403, [{code: 9109, message: 'Invalid access token'}]);
		const {client, tokens} = createTestClient([unknown, buildEnvelope('yes')], {
			credentials: createLogin(first, second),
		});
		expect((await client.call(post, neverAbortedSignal)).result).toBe('yes');
		expect(tokens()).toEqual([`Bearer ${first}`, `Bearer ${second}`]);
	});

	test('is different from a missing permission (403)', async () => {
		const credentials = createLogin(first, second);
		const {client, sent} = createTestClient([buildErrorResponse(403, [{code: 10_000, message: 'no'}])], {
			credentials,
		});
		expect((await failureOf(() => client.call(get, neverAbortedSignal))).code).toBe('credential_refused');
		expect([sent.length, credentials.asked.length]).toEqual([1, 0]);
	});

	test('keeps the count of earlier attempts', async () => {
		const {client, records} = createTestClient(
			[buildErrorResponse(500, []), buildRejection(), buildErrorResponse(500, []), buildEnvelope('yes')],
			{
				credentials: createLogin(first, second),
			},
		);
		await client.call(get, neverAbortedSignal);
		expect(records.map(({attempt}) => attempt)).toEqual([1, 2, 2, 3]);
	});

	test('leaves the outcome of a write unknown if its response is missing after the renewal', async () => {
		const {client} = createTestClient([buildRejection(), new Failure('connection_lost', 'cut')], {
			credentials: createLogin(first, second),
		});
		const failure = await failureOf(() => client.call(post, neverAbortedSignal));
		expect(failure).toMatchObject({code: 'connection_lost', details: {outcomeUnknown: true}});
	});

	test('says why it cannot be renewed, and that the request had no effect', async () => {
		const {client, sent} = createTestClient([buildRejection()], {
			credentials: {
				...createLogin(first),
				async renew() {
					throw new Failure('credential_missing', `There is no wrangler; ${first} is old.`);
				},
			},
		});
		const failure = await failureOf(() => client.call(post, neverAbortedSignal));
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4, details: {http: 401}});
		expect(failure.message).toBe('There is no wrangler; [redacted] is old.');
		expect(getOutcome(failure)).toBe('not allowed');
		expect(failure.details.outcomeUnknown).toBeUndefined();
		expect(sent).toHaveLength(1);
	});

	test('is renewed by concurrent requests, each naming the token that was rejected', async () => {
		const credentials = createLogin(first, second);
		const {client, tokens} = createTestClient(
			[
				({headers}) =>
					(headers as Record<string, string>).Authorization?.includes(second)
						? buildEnvelope(1)
						: buildRejection(),
			],
			{credentials},
		);
		await Promise.all(Array.from({length: 4}, () => client.call(get, neverAbortedSignal)));
		expect(new Set(credentials.asked.map(one => one.headers().Authorization))).toEqual(
			new Set([`Bearer ${first}`]),
		);
		expect(tokens().filter(token => token === `Bearer ${second}`)).toHaveLength(4);
	});
});

describe('text echoed by the service', () => {
	test('is shown without either of the tokens', async () => {
		const echo = `no ${first} and ${second}, ${encodeURIComponent(second)} or ${Buffer.from(`x:${first}`).toString('base64')}`;
		const {client} = createTestClient([buildRejection(echo)], {credentials: createLogin(first, second)});
		const failure = await failureOf(() => client.call(get, neverAbortedSignal));
		const shownText = JSON.stringify([failure.message, failure.details]);
		expect(shownText).toContain('[redacted]');
		for (const secret of [first, second, Buffer.from(first).toString('base64').slice(0, 20)])
			expect(shownText).not.toContain(secret);
	});

	test('hides the old token in a response to the new one, also in its ray', async () => {
		const {client, records} = createTestClient(
			[
				buildRejection(),
				buildEnvelope('yes', {messages: [{code: 1, message: first}]}, 200, {'cf-ray': first}),
			],
			{credentials: createLogin(first, second)},
		);
		const {messages} = await client.call(get, neverAbortedSignal);
		expect(JSON.stringify([messages, records])).not.toContain(first);
	});
});

describe('the credential before each request', () => {
	test('is requested each time', async () => {
		let requestCount = 0;
		const {client, tokens} = createTestClient([buildEnvelope(1)], {
			credentials: {
				current: async () => credentialOf(`token-${++requestCount}`),
				renew: async () => undefined,
			},
		});
		for (const _ of [1, 2]) await client.call(get, neverAbortedSignal);
		expect(tokens()).toEqual(['Bearer token-1', 'Bearer token-2']);
	});

	test('that is unavailable means that nothing was sent', async () => {
		let isSent = false;
		const {client, sent, records, clock} = createTestClient([buildEnvelope(1)], {
			credentials: {
				async current() {
					throw new Failure('credential_missing', 'The login has expired.');
				},
				renew: async () => undefined,
			},
		});
		const onSend = () => {
			isSent = true;
		};
		for (const call of [get, post]) {
			const failure = await failureOf(() => client.call({...call, onSend}, neverAbortedSignal));
			expect(failure).toMatchObject({code: 'credential_missing', message: 'The login has expired.'});
			expect(getOutcome(failure)).toBe('not sent');
			expect(failure.details.outcomeUnknown).toBeUndefined();
		}
		expect([sent.length, records.length, clock.waits.length, isSent]).toEqual([0, 0, 0, false]);
	});

	test('is not requested by a dry run or a refused write', async () => {
		const credentials = {
			async current(): Promise<RequestCredential> {
				throw new Error('asked');
			},
			renew: async () => undefined,
		};
		await createTestClient([], {credentials, dryRun: true}).client.call(post, neverAbortedSignal);
		const failure = await failureOf(() =>
			createTestClient([], {credentials, readOnly: true}).client.call(post, neverAbortedSignal),
		);
		expect(isFailure(failure, 'read_only')).toBe(true);
	});

	test.each([
		'current',
		'renew',
	] as const)('is not waited for once the work is interrupted: %s', async slowStep => {
		const stop = new AbortController();
		const hang = () => {
			queueMicrotask(() => stop.abort());
			return new Promise<never>(() => {});
		};
		const {client, sent} = createTestClient([buildRejection()], {
			credentials: {...createLogin(first), [slowStep]: hang},
		});
		const failure = await failureOf(() => client.call(post, stop.signal));
		expect(failure.code).toBe('interrupted');
		expect(failure.details.outcomeUnknown).toBeUndefined();
		expect(sent).toHaveLength(slowStep === 'current' ? 0 : 1);
	});

	test('is not used if the request was interrupted meanwhile', async () => {
		const stop = new AbortController();
		const {client, sent} = createTestClient([buildEnvelope(1)], {
			credentials: {
				async current() {
					stop.abort();
					return credentialOf(first);
				},
				renew: async () => undefined,
			},
		});
		expect((await failureOf(() => client.call(post, stop.signal))).code).toBe('interrupted');
		expect(sent).toHaveLength(0);
	});
});
