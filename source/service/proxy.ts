import {Failure} from '../failure.ts';
import {isLoopback} from '../settings/base-url.ts';
import {buildWireResponse, toPlainHeaders, type WireFetch} from './http-fetch.ts';

/** A proxy and the variable that it comes from. */
export type NamedProxy = {
	/** With scheme and, if set, its password: never shown. */
	readonly url: string;
	readonly variable: string;
	/** The same without the password, for messages: scheme, host and port. */
	readonly displayUrl: string;
};

/**
 * Finds the proxy of a URL in the environment (`HTTPS_PROXY`, `HTTP_PROXY`, lower case too; `NO_PROXY`
 * excepts hosts; loopback never uses one). Empty variables are unset. The default scheme is `http`, as with
 * curl. Fails with `usage`, naming the variable but not its value, if it is not a proxy address.
 */
export function findProxy(url: URL, env: NodeJS.ProcessEnv): NamedProxy | undefined {
	if (isLoopback(url.hostname)) return undefined;
	const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
	const findVariable = (name: string) => [name.toLowerCase(), name].find(candidate => env[candidate]);
	const variable = findVariable(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
	const address = variable && env[variable];
	if (!address) return undefined;
	const port = url.port || (url.protocol === 'https:' ? '443' : '80');
	const exceptions = env[findVariable('NO_PROXY') ?? ''] ?? '';
	const isExempt = exceptions
		.split(/[\s,]+/)
		.some(rule => rule !== '' && isExcepted(rule.toLowerCase(), host, port));
	return isExempt ? undefined : parseProxy(variable, address);
}

function parseProxy(variable: string, address: string): NamedProxy {
	const text = address.includes('://') ? address : `http://${address}`;
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isUsable = url?.hostname && /^(https?|socks5?):$/.test(url.protocol) && isDecodable(url);
	if (url && isUsable) return {url: text, variable, displayUrl: `${url.protocol}//${url.host}`};
	throw new Failure('usage', `${variable} does not name a proxy that ledge can use.`, {
		why: 'It must look like http://host:port; write special characters in the user or password as %XX.',
		next: `Correct ${variable}, or unset it.`,
	});
}

function isDecodable({username, password}: URL): boolean {
	try {
		decodeURIComponent(username + password);
		return true;
	} catch (error) {
		if (error instanceof URIError) return false;
		throw error;
	}
}

function isExcepted(rule: string, host: string, port: string): boolean {
	if (rule === '*') return true;
	const [, name = rule, rulePort] = /^(.*?)(?::(\d+))?$/.exec(rule) ?? [];
	if (rulePort && rulePort !== port) return false;
	const domain = name.replace(/^\*?\./, '');
	return host === domain || host.endsWith(`.${domain}`);
}

/**
 * Creates a `fetch` through the proxy; like `createNodeFetch` it sends each request once. Only this function
 * loads the proxy library.
 */
export async function createProxiedFetch(proxy: NamedProxy): Promise<WireFetch> {
	const {ProxyAgent, request} = await import('undici');
	const dispatcher = new ProxyAgent(proxy.url);
	return async (url, {method = 'GET', headers = {}, body, signal, onSend} = {}) => {
		const reportingDispatcher = dispatcher.compose(
			dispatch => (options, handler) =>
				dispatch(options, {
					// Called when the connection through the proxy is established, before the head of the
					// request is written.
					onRequestStart(...args) {
						onSend?.();
						handler.onRequestStart?.(...args);
					},
					onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
					onResponseStart: (...args) => handler.onResponseStart?.(...args),
					onResponseData: (...args) => handler.onResponseData?.(...args),
					onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
					onResponseError: (...args) => handler.onResponseError?.(...args),
				}),
		);
		const response = await request(url, {
			dispatcher: reportingDispatcher,
			method: method as 'GET',
			headers: {accept: '*/*', ...toPlainHeaders(headers)},
			...(body !== undefined && {body}),
			...(signal && {signal}),
		});
		return buildWireResponse(response.statusCode, response.headers, response.body);
	};
}
