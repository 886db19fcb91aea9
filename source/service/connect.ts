import type {CredentialSource} from '../credentials/source.ts';
import {resolveBaseUrl, simulatedBaseUrl} from '../settings/base-url.ts';
import type {SettingSources} from '../settings/settings.ts';
import {type Client, type ClientOptions, createClient} from './client.ts';
import {type Clock, createEnvironmentClock, createPlaceClock} from './clock.ts';
import {toPlainHeaders, type WireFetch} from './http-fetch.ts';
import {createProxiedFetch, findProxy} from './proxy.ts';
import {createFixedCredentials} from './request-credentials.ts';
import {createTransport} from './transport.ts';
import {waitOrAbort} from './wait-or-abort.ts';

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
	const url = resolveBaseUrl(sources).value;
	const firstCredential = await credentials.current();
	const {environment, clock = createPlaceClock(url, environment), ...clientOptions} = options;
	return createClient({
		...clientOptions,
		baseUrl: url,
		credentials,
		credentialVariables: firstCredential.getShownHeaders(),
		clock,
		async transport() {
			const proxy = findProxy(new URL(url), environment);
			return proxy ? createTransport(await createProxiedFetch(proxy), proxy) : createTransport();
		},
	});
}

/**
 * Creates the client of the simulated service, which answers in this process: no credential, no network.
 * Default clock: the environment's.
 */
export function connectSimulated(
	fetch: (request: Request) => Promise<Response>,
	options: ConnectOptions,
): Client {
	const {environment, clock = createEnvironmentClock(environment), ...clientOptions} = options;
	return createClient({
		...clientOptions,
		baseUrl: simulatedBaseUrl,
		credentials: createFixedCredentials({Authorization: 'Bearer simulated'}),
		credentialVariables: [{header: 'Authorization: Bearer ', variable: 'simulated'}],
		clock,
		transport: async () => createTransport(createInProcessFetch(fetch)),
	});
}

/** Adapts an in-process service to the transport's `fetch`. */
const createInProcessFetch =
	(fetch: (request: Request) => Promise<Response>): WireFetch =>
	async (url, {method = 'GET', headers = {}, body, signal, onSend} = {}) => {
		const request = new Request(url, {
			method,
			headers: toPlainHeaders(headers),
			...(body != null && {body: body as NonNullable<RequestInit['body']>}),
			...(signal && {signal}),
		});
		onSend?.();
		const pendingResponse = fetch(request);
		return signal ? waitOrAbort(pendingResponse, signal) : pendingResponse;
	};
