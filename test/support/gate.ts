import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {buffer} from 'node:stream/consumers';
import {onTestFinished} from 'vitest';
import type {RunningService} from './service.ts';

/** A call at which something happens: before the service gets it, or before its response is passed on. */
export type WatchedCall = {
	readonly method: string;
	/** The end of the path. */
	readonly path: string;
	readonly when: 'before' | 'after';
	/** How many such calls are passed on first. */
	readonly skip?: number;
	/** `hold` leaves the call without a response. */
	readonly does: () => Promise<unknown> | 'hold' | undefined;
};

/**
 * Starts a proxy to a service in which something happens between two calls of ledge, as if by others. Returns
 * the variables that lead through it.
 */
export async function startGate(
	service: RunningService,
	...watched: readonly WatchedCall[]
): Promise<Readonly<Record<string, string>>> {
	const remaining = watched.map(call => ({...call, skip: call.skip ?? 0}));
	const {origin, pathname} = new URL(service.url);
	const server = createServer(async (request, response) => {
		const {method = '', url = '', headers} = request;
		const runActionAt = (when: WatchedCall['when']) => {
			const isExpected = (call: WatchedCall) =>
				call.when === when && call.method === method && url.split('?')[0]?.endsWith(call.path);
			const watchedCall = remaining.find(isExpected);
			if (!watchedCall || watchedCall.skip-- > 0) return undefined;
			remaining.splice(remaining.indexOf(watchedCall), 1);
			return watchedCall.does();
		};
		const body = await buffer(request);
		if ((await runActionAt('before')) === 'hold') return;
		const answer = await fetch(`${origin}${url}`, {
			method,
			headers: {
				authorization: headers.authorization ?? '',
				'content-type': headers['content-type'] ?? 'application/json',
			},
			...(body.length > 0 && {body}),
		});
		const bytes = Buffer.from(await answer.arrayBuffer());
		if ((await runActionAt('after')) === 'hold') return;
		response.writeHead(answer.status, {'content-type': 'application/json'}).end(bytes);
	});
	await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const {port} = server.address() as AddressInfo;
	return {...service.env, CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}${pathname}`};
}
