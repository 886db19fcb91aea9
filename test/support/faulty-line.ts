import type {AddressInfo} from 'node:net';
import {createServer, type Socket} from 'node:net';
import type {Simulator} from '../../source/simulator/simulator.ts';

/** What comes back in place of the answer: bytes as they are, or the end of the connection. */
export type Reply =
	| {readonly bytes: string | Uint8Array; readonly ends?: 'keep' | 'end' | 'reset'}
	| {readonly change: (whole: Buffer) => Buffer}
	/** A head, and then this piece again and again until the other side hangs up. */
	| {readonly head: string; readonly endless: Uint8Array}
	/** `served` returns what the service answers. */
	| {
			readonly answer: (request: Arrived, served: () => Promise<Buffer>) => Uint8Array | Promise<Uint8Array>;
	  }
	| 'reset'
	| 'end'
	| 'silence';

export type LineFault = {
	/** Which requests it is for. */
	readonly matches: (request: Arrived) => boolean;
	/** Whether the service sees the request first. */
	readonly when: 'before the effect' | 'after the effect';
	readonly reply: Reply;
	/** Only for so many requests; all of them unless given. */
	readonly times?: number;
};

/** A request as it came off the wire. */
export type Arrived = {
	readonly method: string;
	readonly path: string;
	readonly body: Buffer;
	readonly head: string;
};

export type FaultyLine = AsyncDisposable & {
	readonly url: string;
	readonly env: Readonly<Record<string, string>>;
	/** Everything that arrived whole, in order. */
	arrived(): readonly Arrived[];
	/** Forgets what arrived, and makes this fault from now on; none when left out. */
	set(fault?: LineFault): void;
};

/**
 * A line of raw TCP in front of a simulated service, in this process. It reads requests by itself, so that what it
 * counts is what was sent, and it answers with any bytes, which no HTTP server would let through.
 */
export async function faultyLine(simulator: Simulator): Promise<FaultyLine> {
	const arrived: Arrived[] = [];
	const sockets = new Set<Socket>();
	let fault: LineFault | undefined;
	let left = 0;

	async function answer(request: Arrived, socket: Socket): Promise<void> {
		arrived.push(request);
		const isFaulty = fault?.matches(request) === true && left-- > 0;
		if (!isFaulty || !fault) return void socket.write(await served(simulator, request));
		const {when, reply} = fault;
		const needsAnswer = typeof reply === 'object' && 'change' in reply;
		const whole = when === 'after the effect' || needsAnswer ? await served(simulator, request) : undefined;
		if (reply === 'silence') return;
		if (reply === 'reset') return void socket.resetAndDestroy();
		if (reply === 'end') return void socket.end();
		if ('endless' in reply) {
			socket.write(reply.head);
			const more = (): void => {
				while (!socket.destroyed && socket.write(reply.endless));
			};
			socket.on('drain', more);
			return more();
		}
		if ('change' in reply) return void socket.end(reply.change(whole ?? Buffer.alloc(0)));
		if ('answer' in reply)
			return void socket.end(await reply.answer(request, () => served(simulator, request)));
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
			for (let taken = takeRequest(pending); taken; taken = takeRequest(pending)) {
				pending = pending.subarray(taken.length);
				void answer(taken.request, socket);
			}
		});
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`;
	return {
		url,
		env: {CLOUDFLARE_API_BASE_URL: url, CLOUDFLARE_API_TOKEN: 'simulated'},
		arrived: () => [...arrived],
		set(next) {
			arrived.length = 0;
			fault = next;
			left = next?.times ?? Number.POSITIVE_INFINITY;
		},
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

function takeRequest(bytes: Buffer): {readonly request: Arrived; readonly length: number} | undefined {
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
async function served(simulator: Simulator, {method, path, head, body}: Arrived): Promise<Buffer> {
	const headers = head
		.split('\r\n')
		.slice(1)
		.map(line => /^([^:]+): *(.*)$/.exec(line)?.slice(1, 3) as [string, string])
		.filter(([name]) => !/^(host|connection|content-length|accept-encoding)$/i.test(name));
	const hasBody = method !== 'GET' && body.length > 0;
	const answer = await simulator.fetch(
		new Request(`http://simulated.invalid${path}`, {
			method,
			headers,
			...(hasBody && {body: new Uint8Array(body)}),
		}),
	);
	const bytes = Buffer.from(await answer.arrayBuffer());
	const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
	const length = answer.headers.has('content-length') ? '' : `content-length: ${bytes.length}\r\n`;
	return Buffer.concat([
		Buffer.from(`HTTP/1.1 ${answer.status} \r\n${lines}${answer.status === 204 ? '' : length}\r\n`),
		bytes,
	]);
}

/** A whole answer of these parts, as it goes over the wire. */
export function rawAnswer(
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
const asJson = {'content-type': 'application/json'};
const asPage = {'content-type': 'text/html'};

/** Well-formed refusals below 500: what the service says is believed. */
export const refusals: Readonly<Record<string, Reply>> = Object.fromEntries(
	(
		[400, 401, 402, 403, 404, 405, 408, 409, 410, 412, 413, 415, 418, 421, 422, 423, 425, 429, 451] as const
	).map(status => [
		`${status} with an error`,
		{
			bytes: rawAnswer(status, envelope(false, [{code: 1, message: 'no'}]), asJson),
			ends: 'keep',
		} as const,
	]),
);

/** Answers that cannot be read, or that say nothing about the effect. */
export const damages: Readonly<Record<string, Reply>> = {
	'no answer': 'end',
	'a reset': 'reset',
	garbage: {bytes: 'ledge? what ledge?\r\n\r\n'},
	'a head that is too long': {bytes: rawAnswer(200, '', {'x-long': 'x'.repeat(70_000)})},
	'two content-lengths': {
		bytes: 'HTTP/1.1 200 x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}',
	},
	'status 000': {bytes: rawAnswer('000', '{}')},
	'status 999': {bytes: rawAnswer(999, envelope(true, [], {}), asJson)},
	'an unknown encoding': {bytes: rawAnswer(200, 'abc', {...asJson, 'content-encoding': 'rot13'})},
	'gzip that is none': {bytes: rawAnswer(200, 'abc', {...asJson, 'content-encoding': 'gzip'})},
	'101': {bytes: 'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'},
	'103, and then nothing': {bytes: 'HTTP/1.1 103 x\r\n\r\n'},
	'204': {bytes: 'HTTP/1.1 204 x\r\n\r\n'},
	'200 of nothing': {bytes: rawAnswer(200)},
	'200 of half a JSON': {bytes: rawAnswer(200, '{"success":tr', asJson)},
	'200 of another JSON': {bytes: rawAnswer(200, '{"ok":true}', asJson)},
	'200 of a page': {bytes: rawAnswer(200, page, asPage)},
	'200 that denies itself': {bytes: rawAnswer(200, envelope(false, []), asJson)},
	'302': {bytes: rawAnswer(302, '', {location: 'http://127.0.0.1:1/'})},
	'400 of a page': {bytes: rawAnswer(400, page, asPage)},
	'400 that says success': {bytes: rawAnswer(400, envelope(true, [], {}), asJson)},
	'403 of a page': {bytes: rawAnswer(403, page, {...asPage, 'cf-mitigated': 'challenge'})},
	'407': {bytes: rawAnswer(407, page, asPage)},
	'500 with an error': {bytes: rawAnswer(500, envelope(false, [{code: 1, message: 'no'}]), asJson)},
	'503 of nothing': {bytes: rawAnswer(503)},
	'524 of a page': {bytes: rawAnswer(524, page, asPage)},
	'a head that is cut': {change: whole => whole.subarray(0, 20)},
	'a body that is cut': {change: whole => whole.subarray(0, whole.length - 2)},
};
