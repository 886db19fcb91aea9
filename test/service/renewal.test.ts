import {describe, expect, test} from 'vitest';
import {Failure, isFailure} from '../../source/failure.ts';
import type {Call, CallRecord} from '../../source/service/call.ts';
import type {ClientOptions} from '../../source/service/client.ts';
import {getOutcome} from '../../source/service/outcome.ts';
import type {RequestCredential} from '../../source/service/request-credentials.ts';
import {failureOf} from '../settings/support/files.ts';
import {envelope, never, refused, type Scripted, scriptedClient} from './scripted-transport.ts';

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

/** A login whose renewal leads to the next of these tokens; the last one has no other behind it. */
function loginOf(...tokens: readonly string[]) {
	const all = tokens.map(credentialOf);
	let at = 0;
	const asked: RequestCredential[] = [];
	return {
		asked,
		async current() {
			const now = all[at];
			if (!now) throw new Error('no token');
			return now;
		},
		async renew(was: RequestCredential) {
			asked.push(was);
			if (was === all[at]) at = Math.min(at + 1, all.length - 1);
			const now = all[at];
			return now === was ? undefined : now;
		},
	};
}

function clientOf(script: readonly Scripted[], options: Partial<ClientOptions>) {
	const records: CallRecord[] = [];
	const {client, sent, clock} = scriptedClient(script, {
		events: {record: record => records.push(record)},
		credentialVariables: [{header: 'Authorization: Bearer ', variable: '$CLOUDFLARE_API_TOKEN'}],
		...options,
	});
	const tokens = () => sent.map(({headers}) => (headers as Record<string, string>).Authorization);
	return {client, sent, records, tokens, clock};
}

const refusal = (message = 'Authentication error') => refused(401, [{code: 10_000, message}]);
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
		const credentials = loginOf(first, second);
		const {client, tokens, records, clock, sent} = clientOf([refusal(), envelope('yes')], {credentials});
		expect((await client.call(call, never)).result).toBe('yes');
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
		const {client, tokens} = clientOf([refusal(), new Response('value')], {
			credentials: loginOf(first, second),
		});
		expect(Buffer.from((await client.read(get, never)).bytes).toString()).toBe('value');
		expect(tokens()).toHaveLength(2);
	});

	test.each([
		['a read', get],
		['a write', post],
	])('is refused if rejected a second time: %s', async (_, call) => {
		const credentials = loginOf(first, second, third);
		const {client, tokens} = clientOf([refusal()], {credentials});
		const failure = await failureOf(() => client.call(call, never));
		expect(failure).toMatchObject({code: 'credential_refused', exitCode: 4, details: {http: 401}});
		expect(failure.details.outcomeUnknown).toBeUndefined();
		expect(getOutcome(failure)).toBe('not allowed');
		expect(tokens()).toHaveLength(2);
		expect(credentials.asked).toHaveLength(1);
	});

	test('is refused at once if there is no other one', async () => {
		const {client, sent} = clientOf([refusal()], {credentials: loginOf(first)});
		expect((await failureOf(() => client.call(post, never))).code).toBe('credential_refused');
		expect(sent).toHaveLength(1);
	});

	test('is renewed if the service says so with 403', async () => {
		const unknown = refused(403, [{code: 9109, message: 'Invalid access token'}]);
		const {client, tokens} = clientOf([unknown, envelope('yes')], {credentials: loginOf(first, second)});
		expect((await client.call(post, never)).result).toBe('yes');
		expect(tokens()).toEqual([`Bearer ${first}`, `Bearer ${second}`]);
	});

	test('is different from a missing permission (403)', async () => {
		const credentials = loginOf(first, second);
		const {client, sent} = clientOf([refused(403, [{code: 10_000, message: 'no'}])], {credentials});
		expect((await failureOf(() => client.call(get, never))).code).toBe('credential_refused');
		expect([sent.length, credentials.asked.length]).toEqual([1, 0]);
	});

	test('keeps the count of earlier attempts', async () => {
		const {client, records} = clientOf([refused(500, []), refusal(), refused(500, []), envelope('yes')], {
			credentials: loginOf(first, second),
		});
		await client.call(get, never);
		expect(records.map(({attempt}) => attempt)).toEqual([1, 2, 2, 3]);
	});

	test('leaves a write in doubt if its answer is missing after the renewal', async () => {
		const {client} = clientOf([refusal(), new Failure('connection_lost', 'cut')], {
			credentials: loginOf(first, second),
		});
		const failure = await failureOf(() => client.call(post, never));
		expect(failure).toMatchObject({code: 'connection_lost', details: {outcomeUnknown: true}});
	});

	test('says why it cannot be renewed, and that the request had no effect', async () => {
		const {client, sent} = clientOf([refusal()], {
			credentials: {
				...loginOf(first),
				async renew() {
					throw new Failure('credential_missing', `There is no wrangler; ${first} is old.`);
				},
			},
		});
		const failure = await failureOf(() => client.call(post, never));
		expect(failure).toMatchObject({code: 'credential_missing', exitCode: 4, details: {http: 401}});
		expect(failure.message).toBe('There is no wrangler; [redacted] is old.');
		expect(getOutcome(failure)).toBe('not allowed');
		expect(failure.details.outcomeUnknown).toBeUndefined();
		expect(sent).toHaveLength(1);
	});

	test('is renewed in exchange for the rejected token by concurrent requests', async () => {
		const credentials = loginOf(first, second);
		const {client, tokens} = clientOf(
			[
				({headers}) =>
					(headers as Record<string, string>).Authorization?.includes(second) ? envelope(1) : refusal(),
			],
			{credentials},
		);
		await Promise.all(Array.from({length: 4}, () => client.call(get, never)));
		expect(new Set(credentials.asked.map(one => one.headers().Authorization))).toEqual(
			new Set([`Bearer ${first}`]),
		);
		expect(tokens().filter(token => token === `Bearer ${second}`)).toHaveLength(4);
	});
});

describe('text echoed by the service', () => {
	test('is shown without either of the tokens', async () => {
		const echo = `no ${first} and ${second}, ${encodeURIComponent(second)} or ${Buffer.from(`x:${first}`).toString('base64')}`;
		const {client} = clientOf([refusal(echo)], {credentials: loginOf(first, second)});
		const failure = await failureOf(() => client.call(get, never));
		const told = JSON.stringify([failure.message, failure.details]);
		expect(told).toContain('[redacted]');
		for (const secret of [first, second, Buffer.from(first).toString('base64').slice(0, 20)])
			expect(told).not.toContain(secret);
	});

	test('hides the old token in an answer to the new one, also in its ray', async () => {
		const {client, records} = clientOf(
			[refusal(), envelope('yes', {messages: [{code: 1, message: first}]}, 200, {'cf-ray': first})],
			{credentials: loginOf(first, second)},
		);
		const {messages} = await client.call(get, never);
		expect(JSON.stringify([messages, records])).not.toContain(first);
	});
});

describe('the credential before each request', () => {
	test('is requested each time', async () => {
		let asked = 0;
		const {client, tokens} = clientOf([envelope(1)], {
			credentials: {current: async () => credentialOf(`token-${++asked}`), renew: async () => undefined},
		});
		for (const _ of [1, 2]) await client.call(get, never);
		expect(tokens()).toEqual(['Bearer token-1', 'Bearer token-2']);
	});

	test('that is unavailable means that nothing was sent', async () => {
		let isLeft = false;
		const {client, sent, records, clock} = clientOf([envelope(1)], {
			credentials: {
				async current() {
					throw new Failure('credential_missing', 'The login has expired.');
				},
				renew: async () => undefined,
			},
		});
		const onSend = () => {
			isLeft = true;
		};
		for (const call of [get, post]) {
			const failure = await failureOf(() => client.call({...call, onSend}, never));
			expect(failure).toMatchObject({code: 'credential_missing', message: 'The login has expired.'});
			expect(getOutcome(failure)).toBe('not sent');
			expect(failure.details.outcomeUnknown).toBeUndefined();
		}
		expect([sent.length, records.length, clock.waits.length, isLeft]).toEqual([0, 0, 0, false]);
	});

	test('is not requested by a dry run or a refused write', async () => {
		const credentials = {
			async current(): Promise<RequestCredential> {
				throw new Error('asked');
			},
			renew: async () => undefined,
		};
		await clientOf([], {credentials, dryRun: true}).client.call(post, never);
		const failure = await failureOf(() =>
			clientOf([], {credentials, readOnly: true}).client.call(post, never),
		);
		expect(isFailure(failure, 'read_only')).toBe(true);
	});

	test.each([
		'current',
		'renew',
	] as const)('is not waited for once the work is interrupted: %s', async slow => {
		const stop = new AbortController();
		const hangs = () => {
			queueMicrotask(() => stop.abort());
			return new Promise<never>(() => {});
		};
		const {client, sent} = clientOf([refusal()], {credentials: {...loginOf(first), [slow]: hangs}});
		const failure = await failureOf(() => client.call(post, stop.signal));
		expect(failure.code).toBe('interrupted');
		expect(failure.details.outcomeUnknown).toBeUndefined();
		expect(sent).toHaveLength(slow === 'current' ? 0 : 1);
	});

	test('is not used if the request was interrupted meanwhile', async () => {
		const stop = new AbortController();
		const {client, sent} = clientOf([envelope(1)], {
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
