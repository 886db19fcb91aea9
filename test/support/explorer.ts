import {createServer, request} from 'node:http';
import type {AddressInfo} from 'node:net';
import {atFileEnd} from './file-end.ts';

/**
 * Serves what `service` serves, as the explorer of Miniflare does: a bulk read answers with values alone, and there is no
 * `/metadata`. On loopback, until the tests of the file are done. Returns the variables that lead there.
 */
export async function serveMiniflareExplorer(service: {
	readonly url: string;
}): Promise<{readonly env: Readonly<Record<string, string>>; readonly paths: readonly string[]}> {
	const origin = new URL(service.url);
	const paths: string[] = [];
	const server = createServer((incoming, outgoing) => {
		const {method = 'GET', url = '/', headers} = incoming;
		paths.push(`${method} ${url}`);
		if (url.includes('/metadata/')) {
			outgoing.writeHead(404, {'content-type': 'text/plain'}).end('404 Not Found');
			return;
		}
		const isBulkRead = url.endsWith('/bulk/get');
		const chunks: Buffer[] = [];
		incoming.on('data', chunk => chunks.push(chunk));
		incoming.on('end', () => {
			const body = Buffer.concat(chunks);
			const forwardedBody = isBulkRead ? withoutMetadata(body) : body;
			const {'content-length': _, 'transfer-encoding': __, ...others} = headers;
			const forwarded = request(
				{
					host: origin.hostname,
					port: origin.port,
					method,
					path: url,
					headers: {...others, host: origin.host, 'content-length': forwardedBody.length},
				},
				response => {
					outgoing.writeHead(response.statusCode ?? 500, response.headers);
					response.pipe(outgoing);
				},
			);
			forwarded.end(forwardedBody);
		});
	});
	await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
	atFileEnd(() => new Promise(done => server.close(done)));
	const {port} = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}${origin.pathname}`;
	return {env: {CLOUDFLARE_API_BASE_URL: url, CLOUDFLARE_API_TOKEN: 'simulated'}, paths};
}

/** The body of a bulk read that asks for values alone. */
function withoutMetadata(body: Buffer): Buffer {
	const {withMetadata: _, ...rest} = JSON.parse(body.toString()) as Record<string, unknown>;
	return Buffer.from(JSON.stringify(rest));
}
