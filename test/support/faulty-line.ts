import type {AddressInfo} from 'node:net';
import {createServer, type Socket} from 'node:net';
import type {Simulator} from '../../source/simulator/simulator.ts';

/** What comes back in place of the response: bytes as they are, or the end of the connection. */
export type Reply =
	| {readonly bytes: string | Uint8Array; readonly ends?: 'keep' | 'end' | 'reset'}
	| {readonly change: (fullResponse: Buffer) => Buffer}
	/** A head, and then this piece again and again until the other side hangs up. */
	| {readonly head: string; readonly endless: Uint8Array}
	/** `served` returns what the service answers. */
	| {
			readonly answer: (
				request: ArrivedRequest,
				served: () => Promise<Buffer>,
			) => Uint8Array | Promise<Uint8Array>;
	  }
	| 'reset'
	| 'end'
	| 'silence';

export type LineFault = {
	/** Which requests it is for. */
	readonly matches: (request: ArrivedRequest) => boolean;
	/** Whether the service sees the request first. */
	readonly when: 'before the effect' | 'after the effect';
	readonly reply: Reply;
	/** The number of requests that it affects; all of them unless given. */
	readonly times?: number;
};

/** A request as it came off the wire. */
export type ArrivedRequest = {
	readonly method: string;
	readonly path: string;
	readonly body: Buffer;
	readonly head: string;
};

export type FaultyLine = AsyncDisposable & {
	readonly url: string;
	readonly env: Readonly<Record<string, string>>;
	/** Everything that arrived whole, in order. */
	arrived(): readonly ArrivedRequest[];
	/** Forgets what arrived, and makes this fault from now on, or none. */
	setFault(fault?: LineFault): void;
};

/**
 * A line of raw TCP in front of a simulated service, in this process. It reads requests by itself, so that what it
 * counts is what was sent, and it answers with any bytes, which no HTTP server would let through.
 */
export async function startFaultyLine(simulator: Simulator): Promise<FaultyLine> {
	const arrived: ArrivedRequest[] = [];
	const sockets = new Set<Socket>();
	let fault: LineFault | undefined;
	let remainingCount = 0;

	async function respond(request: ArrivedRequest, socket: Socket): Promise<void> {
		arrived.push(request);
		const isFaulty = fault?.matches(request) === true && remainingCount-- > 0;
		if (!isFaulty || !fault) return void socket.write(await fetchFromSimulator(simulator, request));
		const {when, reply} = fault;
		const needsResponse = typeof reply === 'object' && 'change' in reply;
		const fullResponse =
			when === 'after the effect' || needsResponse ? await fetchFromSimulator(simulator, request) : undefined;
		if (reply === 'silence') return;
		if (reply === 'reset') return void socket.resetAndDestroy();
		if (reply === 'end') return void socket.end();
		if ('endless' in reply) {
			socket.write(reply.head);
			const pour = (): void => {
				while (!socket.destroyed && socket.write(reply.endless));
			};
			socket.on('drain', pour);
			return pour();
		}
		if ('change' in reply) return void socket.end(reply.change(fullResponse ?? Buffer.alloc(0)));
		if ('answer' in reply)
			return void socket.end(await reply.answer(request, () => fetchFromSimulator(simulator, request)));
		const {bytes, ends = 'end'} = reply;
		socket.write(bytes, () => {
			if (ends === 'end') socket.end();
			if (ends === 'reset') socket.resetAndDestroy();
		});
	}

	const server = createServer(socket => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => {});
		let pending = Buffer.alloc(0);
		socket.on('data', piece => {
			pending = Buffer.concat([pending, piece]);
			for (let parsed = takeRequest(pending); parsed; parsed = takeRequest(pending)) {
				pending = pending.subarray(parsed.length);
				void respond(parsed.request, socket);
			}
		});
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`;
	return {
		url,
		env: {CLOUDFLARE_API_BASE_URL: url, CLOUDFLARE_API_TOKEN: 'simulated'},
		arrived: () => [...arrived],
		setFault(next) {
			arrived.length = 0;
			fault = next;
			remainingCount = next?.times ?? Number.POSITIVE_INFINITY;
		},
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

function takeRequest(bytes: Buffer): {readonly request: ArrivedRequest; readonly length: number} | undefined {
	const end = bytes.indexOf('\r\n\r\n');
	if (end === -1) return undefined;
	const head = bytes.toString('latin1', 0, end);
	const [, method = '', path = ''] = /^(\w+) (\S+) HTTP/.exec(head) ?? [];
	const size = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
	const length = end + 4 + size;
	if (bytes.length < length) return undefined;
	return {request: {method, path, head, body: bytes.subarray(end + 4, length)}, length};
}

/** The bytes with which the simulated service answers. */
async function fetchFromSimulator(
	simulator: Simulator,
	{method, path, head, body}: ArrivedRequest,
): Promise<Buffer> {
	const headers = head
		.split('\r\n')
		.slice(1)
		.map(line => /^([^:]+): *(.*)$/.exec(line)?.slice(1, 3) as [string, string])
		.filter(([name]) => !/^(host|connection|content-length|accept-encoding)$/i.test(name));
	const hasBody = method !== 'GET' && body.length > 0;
	const response = await simulator.fetch(
		new Request(`http://simulated.invalid${path}`, {
			method,
			headers,
			...(hasBody && {body: new Uint8Array(body)}),
		}),
	);
	const bytes = Buffer.from(await response.arrayBuffer());
	const lines = [...response.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
	const length = response.headers.has('content-length') ? '' : `content-length: ${bytes.length}\r\n`;
	return Buffer.concat([
		Buffer.from(`HTTP/1.1 ${response.status} \r\n${lines}${response.status === 204 ? '' : length}\r\n`),
		bytes,
	]);
}

/** A complete response of these parts, as it goes over the wire. */
export function buildRawResponse(
	status: number | string,
	body: string | Uint8Array = '',
	headers: Readonly<Record<string, string>> = {},
): Buffer {
	const bytes = Buffer.from(body);
	const all = {'content-length': String(bytes.length), ...headers};
	const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
	return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} x\r\n${lines.join('')}\r\n`), bytes]);
}

const envelope = (success: boolean, errors: readonly object[], result: unknown = null): string =>
	JSON.stringify({success, errors, messages: [], result});

const page = '<html><title>Attention Required!</title></html>';
const jsonHeaders = {'content-type': 'application/json'};
const pageHeaders = {'content-type': 'text/html'};

/** Well-formed refusals below 500: what the service says is believed. */
export const refusals: Readonly<Record<string, Reply>> = Object.fromEntries(
	(
		[400, 401, 402, 403, 404, 405, 408, 409, 410, 412, 413, 415, 418, 421, 422, 423, 425, 429, 451] as const
	).map(status => [
		`${status} with an error`,
		{
			bytes: buildRawResponse(status, envelope(false, [{code: 1, message: 'no'}]), jsonHeaders),
			ends: 'keep',
		} as const,
	]),
);

/** Responses that cannot be read, or that say nothing about the effect. */
export const damages: Readonly<Record<string, Reply>> = {
	'no answer': 'end',
	'a reset': 'reset',
	garbage: {bytes: 'ledge? what ledge?\r\n\r\n'},
	'a head that is too long': {bytes: buildRawResponse(200, '', {'x-long': 'x'.repeat(70_000)})},
	'two content-lengths': {
		bytes: 'HTTP/1.1 200 x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
	},
	'status 000': {bytes: buildRawResponse('000', '{}')},
	'status 999': {bytes: buildRawResponse(999, envelope(true, [], {}), jsonHeaders)},
	'an unknown encoding': {bytes: buildRawResponse(200, 'abc', {...jsonHeaders, 'content-encoding': 'rot13'})},
	'gzip that is none': {bytes: buildRawResponse(200, 'abc', {...jsonHeaders, 'content-encoding': 'gzip'})},
	'101': {bytes: 'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'},
	'103, and then nothing': {bytes: 'HTTP/1.1 103 x\r\n\r\n'},
	'204': {bytes: 'HTTP/1.1 204 x\r\n\r\n'},
	'200 of nothing': {bytes: buildRawResponse(200)},
	'200 of half a JSON': {bytes: buildRawResponse(200, '{"success":tr', jsonHeaders)},
	'200 of another JSON': {bytes: buildRawResponse(200, '{"ok":true}', jsonHeaders)},
	'200 of a page': {bytes: buildRawResponse(200, page, pageHeaders)},
	'200 that denies itself': {bytes: buildRawResponse(200, envelope(false, []), jsonHeaders)},
	'302': {bytes: buildRawResponse(302, '', {location: 'http://127.0.0.1:1/'})},
	'400 of a page': {bytes: buildRawResponse(400, page, pageHeaders)},
	'400 that says success': {bytes: buildRawResponse(400, envelope(true, [], {}), jsonHeaders)},
	'403 of a page': {bytes: buildRawResponse(403, page, {...pageHeaders, 'cf-mitigated': 'challenge'})},
	'407': {bytes: buildRawResponse(407, page, pageHeaders)},
	'500 with an error': {
		bytes: buildRawResponse(500, envelope(false, [{code: 1, message: 'no'}]), jsonHeaders),
	},
	'503 of nothing': {bytes: buildRawResponse(503)},
	'524 of a page': {bytes: buildRawResponse(524, page, pageHeaders)},
	'a head that is cut': {change: fullResponse => fullResponse.subarray(0, 20)},
	'a body that is cut': {change: fullResponse => fullResponse.subarray(0, fullResponse.length - 2)},
};
