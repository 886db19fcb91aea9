import type {Fetch} from 'ofetch';

/**
 * The proxy that the environment names for a URL (`HTTPS_PROXY`, `HTTP_PROXY`, lower case too; `NO_PROXY` excepts;
 * loopback never goes through one), or `undefined`. Empty variables are unset.
 */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): string | undefined {
	const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
	if (host === 'localhost' || host === '::1' || /^127\./.test(host)) return undefined;
	const read = (name: string) => env[name.toLowerCase()] || env[name] || undefined;
	const proxy = url.protocol === 'https:' ? read('HTTPS_PROXY') : read('HTTP_PROXY');
	if (!proxy) return undefined;
	const port = url.port || (url.protocol === 'https:' ? '443' : '80');
	const excepted = (read('NO_PROXY') ?? '')
		.split(/[\s,]+/)
		.some(rule => rule !== '' && excepts(rule.toLowerCase(), host, port));
	return excepted ? undefined : proxy;
}

function excepts(rule: string, host: string, port: string): boolean {
	if (rule === '*') return true;
	const [, name = rule, rulePort] = /^(.*?)(?::(\d+))?$/.exec(rule) ?? [];
	if (rulePort && rulePort !== port) return false;
	const bare = name.replace(/^\*?\./, '');
	return host === bare || host.endsWith(`.${bare}`);
}

/** A `fetch` that goes through the proxy. Its library is loaded here, and only here. */
export async function proxiedFetch(proxy: string): Promise<Fetch> {
	const {fetch, ProxyAgent} = await import('undici');
	const dispatcher = new ProxyAgent(proxy);
	return ((input: string, init: object) => fetch(input, {...init, dispatcher})) as unknown as Fetch;
}
