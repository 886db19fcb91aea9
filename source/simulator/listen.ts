import {once} from 'node:events';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {Simulator} from './create.ts';
import {answerControl, controlPath} from './faults/control.ts';
import {isConnectionCut} from './faults/effects.ts';
import {buildErrorAnswer} from './http/answer.ts';
import {SimulatorError} from './http/error.ts';
import {basePath} from './http/incoming.ts';

type ListenOptions = {
	/** 0 picks a free port. */
	readonly port: number;
	/** A loopback address; default 127.0.0.1. */
	readonly host?: string;
	/** Closes the listener. */
	readonly signal?: AbortSignal;
};

export interface Listener extends AsyncDisposable {
	/** The base URL for clients: `http://127.0.0.1:PORT/client/v4`. */
	readonly url: string;
	readonly port: number;
	/** Closes every connection; does nothing if already closed. */
	close(): Promise<void>;
}

const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '::1'];

/**
 * Serves a simulator on a port of the loopback address. Answers only requests to that address, and none from
 * pages of other origins, so that no website can reach it through a browser. Fails with `usage` if the port
 * is taken or the host is reachable from other machines.
 */
export async function startListener(simulator: Simulator, options: ListenOptions): Promise<Listener> {
	const {host = '127.0.0.1', signal} = options;
	if (!loopbackHosts.includes(host)) {
		throw new SimulatorError('usage', `The simulated service does not listen on ${host}.`, {
			why: `Only this machine may reach it: ${loopbackHosts.join(', ')}.`,
			next: 'Leave the host out.',
		});
	}
	signal?.throwIfAborted();
	// Longer than clients keep an idle connection, so that they close it first and no request meets a closing
	// connection.
	const server = createServer({keepAliveTimeout: 120_000});
	await bind(server, options.port, host);
	const {port} = server.address() as AddressInfo;
	const hosts = new Set(['127.0.0.1', 'localhost', '[::1]'].map(name => `${name}:${port}`));
	const origins = new Set([...hosts].map(name => `http://${name}`));

	const serve = (incoming: IncomingMessage, outgoing: ServerResponse, sendContinue: () => void) => {
		const forbiddenBody = getForbiddenBody(incoming, hosts, origins);
		const completion = forbiddenBody
			? writeResponse(Response.json(forbiddenBody, {status: 403}), outgoing)
			: forwardRequest(simulator, incoming, outgoing, `http://${incoming.headers.host}`, sendContinue);
		completion.catch(error => handleFailure(error, outgoing));
	};
	server.on('request', (incoming, outgoing) => serve(incoming, outgoing, () => {}));
	server.on('checkContinue', (incoming, outgoing) =>
		serve(incoming, outgoing, () => outgoing.writeContinue()),
	);

	const close = async () => {
		signal?.removeEventListener('abort', close);
		if (!server.listening) return;
		const closing = once(server, 'close');
		server.close();
		server.closeAllConnections();
		await closing;
	};
	signal?.addEventListener('abort', close, {once: true});
	const urlHost = host === '::1' ? '[::1]' : host;
	return {url: `http://${urlHost}:${port}${basePath}`, port, close, [Symbol.asyncDispose]: close};
}

async function bind(server: Server, port: number, host: string): Promise<void> {
	try {
		server.listen(port, host);
		await once(server, 'listening');
	} catch (error) {
		throw new SimulatorError('usage', `The simulated service cannot listen on port ${port}.`, {
			why: error instanceof Error ? error.message : String(error),
			next: 'Give another one with --port; 0 takes a free one.',
			cause: error,
		});
	}
}

/**
 * Returns the body of a 403 if the request names another host or comes from a page of another origin;
 * undefined if it may pass.
 */
function getForbiddenBody(
	{headers}: IncomingMessage,
	hosts: ReadonlySet<string>,
	origins: ReadonlySet<string>,
) {
	const {host = '', origin} = headers;
	if (!hosts.has(host.toLowerCase()))
		return buildForbiddenBody('The simulated service answers to its own address only.');
	if (origin !== undefined && !origins.has(origin))
		return buildForbiddenBody('The simulated service does not answer to pages of other origins.');
	return undefined;
}

const buildForbiddenBody = (message: string) => buildErrorAnswer(403, {message}).body;

/**
 * Passes a request to the simulator and writes its answer. Calls `sendContinue` before the body is first
 * read.
 */
async function forwardRequest(
	simulator: Simulator,
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	origin: string,
	sendContinue: () => void,
): Promise<void> {
	const disconnection = new AbortController();
	outgoing.once('close', () => {
		if (!outgoing.writableFinished) disconnection.abort();
	});
	const request = toWebRequest(incoming, origin, sendContinue, disconnection.signal);
	if (!request)
		return writeResponse(
			Response.json(buildErrorAnswer(400, {message: 'Bad request'}).body, {status: 400}),
			outgoing,
		);
	const {pathname} = new URL(request.url);
	const pendingResponse = pathname.startsWith(controlPath)
		? answerControl(simulator, request, pathname)
		: simulator.fetch(request);
	await writeResponse(await pendingResponse, outgoing);
}

/** Converts to a web request; undefined if its method or address is invalid. */
function toWebRequest(
	incoming: IncomingMessage,
	origin: string,
	sendContinue: () => void,
	signal: AbortSignal,
): Request | undefined {
	const {method = 'GET', url = '', headersDistinct} = incoming;
	if (!url.startsWith('/')) return undefined;
	const headers = new Headers();
	for (const [name, values] of Object.entries(headersDistinct))
		for (const value of values ?? []) headers.append(name, value);
	const body = method === 'GET' || method === 'HEAD' ? null : streamBody(incoming, sendContinue);
	try {
		return new Request(`${origin}${url}`, {method, headers, signal, body, duplex: 'half'});
	} catch (error) {
		if (error instanceof TypeError) return undefined;
		throw error;
	}
}

/** Streams the body without reading ahead from the connection; drains the unread part if it is cancelled. */
function streamBody(incoming: IncomingMessage, sendContinue: () => void): ReadableStream<Uint8Array> {
	const pieces = incoming.iterator({destroyOnReturn: false});
	let hasStarted = false;
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				if (!hasStarted) sendContinue();
				hasStarted = true;
				const {done, value} = await pieces.next();
				if (done) controller.close();
				else controller.enqueue(value);
			},
			async cancel() {
				await pieces.return?.();
				incoming.resume();
			},
		},
		{highWaterMark: 0},
	);
}

/** Writes each piece before it reads the next one, so that a cut connection has sent all earlier pieces. */
async function writeResponse(response: Response, outgoing: ServerResponse): Promise<void> {
	outgoing.writeHead(response.status, Object.fromEntries(response.headers));
	for await (const piece of response.body ?? []) {
		await new Promise<void>((resolve, reject) =>
			outgoing.write(piece, error => (error ? reject(error) : resolve())),
		);
	}
	outgoing.end();
}

/**
 * Ends a request without a complete answer: closes the connection if a fault cut it or the client left;
 * otherwise reports a bug in the simulator, unless the headers are sent.
 */
function handleFailure(error: unknown, outgoing: ServerResponse): void {
	if (isConnectionCut(error) || outgoing.headersSent || outgoing.destroyed) {
		outgoing.destroy();
		return;
	}
	outgoing.writeHead(500, {'content-type': 'text/plain'});
	outgoing.end(`The simulator failed: ${error instanceof Error ? error.message : String(error)}\n`);
}
