import {type ClientOptions, createClient} from '../../source/service/client.ts';
import type {Clock} from '../../source/service/clock.ts';
import {createFixedCredentials} from '../../source/service/request-credentials.ts';
import type {Transport} from '../../source/service/transport.ts';

export type ScriptedReply =
	| Response
	| Error
	| ((request: Parameters<Transport>[0]) => Response | Promise<Response>);

export type SentRequest = Parameters<Transport>[0];

/**
 * A transport that gives the scripted responses in order, the last one again and again, and keeps the
 * requests.
 */
export function createScriptedTransport(...script: ScriptedReply[]): {
	transport: () => Promise<Transport>;
	sent: SentRequest[];
} {
	const sent: SentRequest[] = [];
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
export function createScriptedClock(
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

/** The base URL of the clients of tests; nothing is there. */
export const scriptedUrl = 'https://service.test/client/v4';

/** A client that gets the scripted responses, on a clock that only waits move. */
export function createScriptedClient(script: readonly ScriptedReply[], options: Partial<ClientOptions> = {}) {
	const clock = createScriptedClock();
	const {transport, sent} = createScriptedTransport(...script);
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

export const buildEnvelope = (
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

export const buildErrorResponse = (
	status: number,
	errors: object[] | null,
	headers: Record<string, string> = {},
): Response => Response.json({success: false, errors, messages: null, result: null}, {status, headers});

export const neverAbortedSignal = new AbortController().signal;
