import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {buffer} from 'node:stream/consumers';
import {onTestFinished} from 'vitest';
import type {RunningService} from './service.ts';

/** A call that something is to happen at: before the service sees it, or behind its answer before that is passed on. */
export type Watched = {
	readonly method: string;
	/** The end of the path. */
	readonly path: string;
	readonly when: 'before' | 'after';
	/** How many such calls go by before. */
	readonly skip?: number;
	/** `hold` leaves the call where it is: nobody answers it. */
	readonly does: () => Promise<unknown> | 'hold' | undefined;
};

/** A way to a service where others do something between two calls of a ledge; gives the variables that lead through it. */
export async function gateTo(
	service: RunningService,
	...watched: readonly Watched[]
): Promise<Readonly<Record<string, string>>> {
	const left = watched.map(one => ({...one, skip: one.skip ?? 0}));
	const {origin, pathname} = new URL(service.url);
	const server = createServer(async (request, response) => {
		const {method = '', url = '', headers} = request;
		const at = (when: Watched['when']) => {
			const isIt = (one: Watched) =>
				one.when === when && one.method === method && url.split('?')[0]?.endsWith(one.path);
			const one = left.find(isIt);
			if (!one || one.skip-- > 0) return undefined;
			left.splice(left.indexOf(one), 1);
			return one.does();
		};
		const body = await buffer(request);
		if ((await at('before')) === 'hold') return;
		const answer = await fetch(`${origin}${url}`, {
			method,
			headers: {
				authorization: headers.authorization ?? '',
				'content-type': headers['content-type'] ?? 'application/json',
			},
			...(body.length > 0 && {body}),
		});
		const bytes = Buffer.from(await answer.arrayBuffer());
		if ((await at('after')) === 'hold') return;
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
