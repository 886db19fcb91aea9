import {createServer, type Server} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import {describe, expect, onTestFinished, test} from 'vitest';
import {startFirewallInProcess} from '../../support/firewall-in-process.ts';
import {everyThirdUnlessFull} from '../../support/full.ts';

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const html = '<html>no</html>';
const buildResponse = (status: string, body: string, more = ''): string =>
	`HTTP/1.1 ${status}\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;

/** What a broken proxy or edge sends in place of the response to a write. */
const oddResponses: Record<string, string> = {
	'nothing, and the connection ends': '',
	garbage: '\u0000\u0001\u0002 not HTTP at all\r\n\r\n',
	'half a head': 'HTTP/1.1 200 OK\r\nContent-Ty',
	'headers that are too long': `${head}X-Long: ${'x'.repeat(200_000)}\r\n\r\n{}`,
	'two lengths': `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
	'the status 000': buildResponse('000 Nothing', html),
	'an unknown encoding': `${head}Content-Encoding: zstd2\r\nContent-Length: 2\r\n\r\n{}`,
	'a body that is cut': `${head}Content-Length: 900\r\n\r\n{"success":true`,
	'an empty success': `${head}Content-Length: 0\r\n\r\n`,
	'a success without a result': `${head}Content-Length: 46\r\n\r\n{"success":true,"errors":[],"messages":[]}    `,
	'101': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n',
	'204': 'HTTP/1.1 204 No Content\r\n\r\n',
	'302': buildResponse('302 Found', html, 'Location: https://elsewhere.example/\r\n'),
	'401 without an envelope': buildResponse('401 Unauthorized', html),
	'403 of the edge': buildResponse('403 Forbidden', html),
	'404 without an envelope': buildResponse('404 Not Found', html),
	'407': buildResponse('407 Proxy Authentication Required', html),
	'421': buildResponse('421 Misdirected Request', html),
	'502': buildResponse('502 Bad Gateway', html),
	'200 with a page': buildResponse('200 OK', html),
};

/**
 * Passes requests on to the simulated service, but answers a write to a path like `spoils` with these bytes.
 * `passes`: the service executes that write as well.
 */
async function startProxy(
	firewall: Awaited<ReturnType<typeof startFirewallInProcess>>,
	{spoils, bytes, passes}: {readonly spoils: RegExp; readonly bytes: string; readonly passes: boolean},
): Promise<{readonly url: string; countSpoiltWrites(): number}> {
	let spoiltCount = 0;
	const sockets = new Set<Socket>();
	const server: Server = createServer(async (request, response) => {
		const pieces: Buffer[] = [];
		for await (const piece of request) pieces.push(piece as Buffer);
		const method = request.method ?? '';
		const isSpoilt = method !== 'GET' && spoils.test(request.url ?? '');
		const forward = () =>
			firewall.service.simulator.fetch(
				new Request(`http://simulated.invalid${request.url}`, {
					method,
					headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
					...(pieces.length > 0 && {body: Buffer.concat(pieces)}),
				}),
			);
		if (isSpoilt) {
			spoiltCount++;
			if (passes) await forward();
			request.socket.end(bytes, 'latin1');
			return;
		}
		const forwarded = await forward();
		response.writeHead(forwarded.status, Object.fromEntries(forwarded.headers));
		response.end(Buffer.from(await forwarded.arrayBuffer()));
	});
	server.on('connection', socket => {
		sockets.add(socket);
		socket.on('error', () => {});
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`,
		countSpoiltWrites: () => spoiltCount,
	};
}

const expression = 'ip.src eq 192.0.2.1';
const commands = {
	'filter create': {spoils: /\/filters$/, words: ['filter', 'create', '--expression', expression]},
	'rule create, its filter': {
		spoils: /\/filters$/,
		words: ['rule', 'create', '--expression', expression, '--action', 'block'],
	},
	'rule create, the rule': {
		spoils: /\/firewall\/rules$/,
		words: ['rule', 'create', '--expression', expression, '--action', 'block'],
	},
	emergency: {spoils: /\/firewall\/rules$/, words: ['emergency', '--expression', expression]},
} as const;

describe.each(Object.entries(commands))('%s', (name, {spoils, words}) => {
	test.each(
		everyThirdUnlessFull(Object.entries(oddResponses)),
	)('%s after the effect: the result is found, and the write is not sent again', async (_what, bytes) => {
		const firewall = await startFirewallInProcess('pro');
		const {url, countSpoiltWrites} = await startProxy(firewall, {spoils, bytes, passes: true});
		const ended = await firewall.run(words, {env: {CLOUDFLARE_API_BASE_URL: url}});
		expect(ended).toMatchObject({code: 0, stderr: expect.not.stringContaining('Nothing was created')});
		expect(await firewall.filters()).toHaveLength(1);
		expect(await firewall.rules()).toHaveLength(name === 'filter create' ? 0 : 1);
		expect(countSpoiltWrites()).toBe(1);
	});

	test.each(
		everyThirdUnlessFull(Object.entries(oddResponses)),
	)('%s before the effect: the outcome is unknown, and it is not sent again', async (_what, bytes) => {
		const firewall = await startFirewallInProcess('pro');
		const {url, countSpoiltWrites} = await startProxy(firewall, {spoils, bytes, passes: false});
		const ended = await firewall.run(words, {env: {CLOUDFLARE_API_BASE_URL: url}});
		expect(ended.code).toBe(1);
		expect(ended.stderr).not.toContain('Nothing was created');
		expect(ended.stderr).toMatch(/may still take effect|is not known/);
		expect(await firewall.rules()).toHaveLength(0);
		expect(await firewall.filters()).toHaveLength(name === 'rule create, the rule' ? 1 : 0);
		expect(countSpoiltWrites()).toBe(1);
	});
});
