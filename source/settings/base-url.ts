import {Failure} from '../failure.ts';
import {getPrefixedVariable, type SettingSources} from './settings.ts';
import type {Sourced} from './sourced.ts';

export const defaultBaseUrl = 'https://api.cloudflare.com/client/v4';

/** Address of the simulated service in messages and curl lines; never contacted. */
export const simulatedBaseUrl = 'http://simulated.invalid/client/v4';

type AddressSources = Pick<SettingSources, 'options' | 'variables' | 'prefix' | 'context'>;

/**
 * Resolves the service's base URL, without a trailing slash: `--base-url`, `CLOUDFLARE_API_BASE_URL` (or
 * `CF_API_BASE_URL`), the context, the default; a second account's own variable comes first. Credentials are
 * sent there, so it must be https; plain http is for this machine only. Fails with `usage`.
 */
export function resolveBaseUrl(sources: AddressSources): Sourced<string> {
	const setting = getPrefixedVariable(sources, 'CLOUDFLARE_API_BASE_URL') ?? getFirstAccountBaseUrl(sources);
	return setting === undefined ? {value: defaultBaseUrl, from: 'default'} : checkBaseUrl(setting);
}

/** True if the second account uses another service than the first: credentials must then never be shared. */
export function isOtherService(sources: AddressSources): boolean {
	const {prefix: _, ...firstAccount} = sources;
	const ownUrl = new URL(resolveBaseUrl(sources).value);
	return ownUrl.origin !== new URL(resolveBaseUrl(firstAccount).value).origin;
}

function getFirstAccountBaseUrl({options, variables, context}: AddressSources): Sourced<string> | undefined {
	if (options.baseUrl !== undefined) return {value: options.baseUrl, from: '--base-url'};
	const setting = variables('CLOUDFLARE_API_BASE_URL', 'CF_API_BASE_URL');
	if (setting || context?.baseUrl === undefined) return setting;
	return {value: context.baseUrl, from: context.from};
}

function checkBaseUrl({value, from}: Sourced<string>): Sourced<string> {
	const createFailure = (why: string): Failure => {
		// The part before an @ may be a password.
		const quotedValue = value.includes('@') ? '' : ` "${value}"`;
		return new Failure('usage', `The base URL${quotedValue} (${from}) cannot be used.`, {
			why,
			next: `Use something like ${defaultBaseUrl}, or leave it out.`,
		});
	};
	if (/[\s\p{Cc}]/u.test(value)) throw createFailure('It contains white space or control characters.');
	if (!URL.canParse(value)) throw createFailure('It is not a URL.');
	const url = new URL(value);
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		throw createFailure(`It starts with ${url.protocol}//, but must be http or https.`);
	if (url.username !== '' || url.password !== '')
		throw createFailure('It contains a user name or password; credentials belong in their own variables.');
	if (/[?#]/.test(value))
		throw createFailure('It contains a query or a fragment, which a base URL must not have.');
	if (url.protocol === 'http:' && !isLoopback(url.hostname))
		throw createFailure(
			'It is plain http, over which ledge sends credentials only to this machine (127.0.0.0/8, ::1, localhost).',
		);
	return {value: url.origin + url.pathname.replace(/\/+$/, ''), from};
}

/** True if a host, as parsed by `URL`, is this machine. */
export const isLoopback = (host: string): boolean =>
	host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
