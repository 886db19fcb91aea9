import {type ClientOptions, createClient} from '../../source/service/client.ts';
import type {Clock} from '../../source/service/clock.ts';
import {createFixedCredentials} from '../../source/service/request-credentials.ts';
import type {Transport} from '../../source/service/transport.ts';

export type Scripted =
	| Response
	| Error
	| ((request: Parameters<Transport>[0]) => Response | Promise<Response>);

export type Sent = Parameters<Transport>[0];

/** A transport that gives the scripted answers in order and keeps what it was sent; the last one stays. */
export function scriptedTransport(...script: Scripted[]): {
	transport: () => Promise<Transport>;
	sent: Sent[];
} {
	const sent: Sent[] = [];
	let next = 0;
	return {
		sent,
		transport: async () => async request => {
			sent.push(request);
			const step = script[Math.min(next++, script.length - 1)];
			if (step instanceof Error) throw step;
			const answer = await (typeof step === 'function' ? step(request) : step);
			if (!answer) throw new Error('the script is empty');
			const copy = answer.clone();
			return {status: copy.status, headers: copy.headers, bytes: new Uint8Array(await copy.arrayBuffer())};
		},
	};
}

/** A clock that only waits move. */
export function scriptedClock(
	start = 1_000_000,
): Clock & {readonly waits: number[]; advance(milliseconds: number): void} {
	let now = start;
	const waits: number[] = [];
	return {
		scale: 1,
		now: () => now,
		elapsed: () => now,
		random: () => 0.5,
		waits,
		advance(milliseconds) {
			now += milliseconds;
		},
		async wait(milliseconds, signal) {
			signal.throwIfAborted();
			waits.push(milliseconds);
			now += milliseconds;
		},
	};
}

/** Where the clients of tests send to; nothing is there. */
export const scriptedUrl = 'https://service.test/client/v4';

/** A client that is given the scripted answers, on a clock that only waits move. */
export function scriptedClient(script: readonly Scripted[], options: Partial<ClientOptions> = {}) {
	const clock = scriptedClock();
	const {transport, sent} = scriptedTransport(...script);
	const client = createClient({
		baseUrl: scriptedUrl,
		credentials: createFixedCredentials({}),
		credentialVariables: [],
		userAgent: 'ledge/test',
		transport,
		clock,
		...options,
	});
	return {client, sent, clock};
}

export const envelope = (
	result: unknown,
	more: object = {},
	status = 200,
	headers: Record<string, string> = {},
): Response =>
	Response.json(
		{
			success: status < 400,
			errors: [],
			messages: [],
			result,
			...(Array.isArray(result) && {result_info: {per_page: 100, count: result.length}}),
			...more,
		},
		{status, headers},
	);

export const refused = (
	status: number,
	errors: object[] | null,
	headers: Record<string, string> = {},
): Response => Response.json({success: false, errors, messages: null, result: null}, {status, headers});

export const never = new AbortController().signal;
