import type {CredentialSource} from '../credentials/source.ts';
import {baseUrl} from '../settings/base-url.ts';
import type {SettingSources} from '../settings/settings.ts';
import {type Client, type ClientOptions, createClient} from './client.ts';
import {type Clock, clockAt, clockOf} from './clock.ts';
import {plainHeaders, type WireFetch} from './http-fetch.ts';
import {proxiedFetch, proxyFor} from './proxy.ts';
import {fixedCredentials} from './request-credentials.ts';
import {createTransport} from './transport.ts';
import {untilAborted} from './until-aborted.ts';

export type ConnectOptions = Pick<
	ClientOptions,
	'concurrency' | 'readOnly' | 'dryRun' | 'events' | 'userAgent'
> & {
	/** Variables of the process, for proxies and tests. */
	readonly environment: NodeJS.ProcessEnv;
	/** Default: the clock of the environment. */
	readonly clock?: Clock | undefined;
};

/** Creates the client for the settings' service. Reads the first credential before it returns. */
export async function connect(
	sources: SettingSources,
	credentials: CredentialSource,
	options: ConnectOptions,
): Promise<Client> {
	const url = baseUrl(sources).value;
	const first = await credentials.current();
	const {environment, clock = clockAt(url, environment), ...rest} = options;
	return createClient({
		...rest,
		baseUrl: url,
		credentials,
		credentialVariables: first.shown(),
		clock,
		async transport() {
			const proxy = proxyFor(new URL(url), environment);
			return proxy ? createTransport(await proxiedFetch(proxy), proxy) : createTransport();
		},
	});
}

/** Address of the simulated service in messages and curl lines; never contacted. */
export const simulatedBaseUrl = 'http://simulated.invalid/client/v4';

/**
 * Creates the client of the simulated service, which answers in this process: no credential, no network.
 * Default clock: the environment's.
 */
export function connectSimulated(
	fetch: (request: Request) => Promise<Response>,
	options: ConnectOptions,
): Client {
	const {environment, clock = clockOf(environment), ...rest} = options;
	return createClient({
		...rest,
		baseUrl: simulatedBaseUrl,
		credentials: fixedCredentials({Authorization: 'Bearer simulated'}),
		credentialVariables: [{header: 'Authorization: Bearer ', variable: 'simulated'}],
		clock,
		transport: async () => createTransport(inProcess(fetch)),
	});
}

/** Adapts an in-process service to the transport's `fetch`. */
const inProcess =
	(fetch: (request: Request) => Promise<Response>): WireFetch =>
	async (url, {method = 'GET', headers = {}, body, signal, leaves} = {}) => {
		const request = new Request(url, {
			method,
			headers: plainHeaders(headers),
			...(body != null && {body: body as NonNullable<RequestInit['body']>}),
			...(signal && {signal}),
		});
		leaves?.();
		const answered = fetch(request);
		return signal ? untilAborted(answered, signal) : answered;
	};
