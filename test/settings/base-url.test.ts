import {describe, expect, test} from 'vitest';
import {defaultBaseUrl, isOtherService, resolveBaseUrl} from '../../source/settings/base-url.ts';
import {failureOf} from './support/files.ts';
import {createSettingSources} from './support/sources.ts';

describe('the base URL', () => {
	test('comes from the flag, then the variables, then the default', () => {
		const env = {CLOUDFLARE_API_BASE_URL: 'https://new.test/v', CF_API_BASE_URL: 'https://old.test/v'};
		expect(resolveBaseUrl(createSettingSources({options: {baseUrl: 'https://flag.test/v'}, env}))).toEqual({
			value: 'https://flag.test/v',
			from: '--base-url',
		});
		expect(resolveBaseUrl(createSettingSources({env}))).toEqual({
			value: 'https://new.test/v',
			from: 'CLOUDFLARE_API_BASE_URL',
		});
		expect(resolveBaseUrl(createSettingSources({env: {CF_API_BASE_URL: 'https://old.test/v'}}))).toEqual({
			value: 'https://old.test/v',
			from: 'CF_API_BASE_URL',
		});
		expect(resolveBaseUrl(createSettingSources({env: {CLOUDFLARE_API_BASE_URL: ''}}))).toEqual({
			value: 'https://api.cloudflare.com/client/v4',
			from: 'default',
		});
	});

	test.each([
		['https://api.test/client/v4/', 'https://api.test/client/v4'],
		['https://api.test///', 'https://api.test'],
		['HTTPS://API.test:443/client/v4', 'https://api.test/client/v4'],
		['http://127.0.0.1:8799/client/v4', 'http://127.0.0.1:8799/client/v4'],
		['http://127.9.9.9/x', 'http://127.9.9.9/x'],
		['http://[::1]:1/client/v4', 'http://[::1]:1/client/v4'],
		['http://localhost/client/v4', 'http://localhost/client/v4'],
	])('%s is used as %s', (given, used) => {
		expect(resolveBaseUrl(createSettingSources({options: {baseUrl: given}})).value).toBe(used);
	});

	test.each([
		['', 'not a URL'],
		['api.test/client/v4', 'not a URL'],
		['ftp://api.test/', 'ftp://'],
		['file:///etc/passwd', 'file://'],
		['http://api.test/client/v4', 'plain http'],
		['http://127.0.0.1.api.test/', 'plain http'],
		['http://localhost.api.test/', 'plain http'],
		['http://[::2]/', 'plain http'],
		['http://0.0.0.0/', 'plain http'],
		['https://api.test/?a=1', 'query'],
		['https://api.test/#', 'fragment'],
		['https://api.test/a b', 'white space'],
		['https://api.test/\n', 'white space'],
		['https://api.test/\u001b[2J', 'control characters'],
	])('%s is refused: %s', async (given, why) => {
		const failure = await failureOf(() => resolveBaseUrl(createSettingSources({options: {baseUrl: given}})));
		expect(failure).toMatchObject({code: 'usage', exitCode: 2});
		expect(failure.message).toContain('--base-url');
		expect(failure.details.why).toContain(why);
	});

	test.each([
		'https://me:hunter2@api.test/',
		'https://me:hunter2@api.test:port/',
		'http://hunter2@api.test/ ',
	])('with a password is refused and not shown: %s', async given => {
		const failure = await failureOf(() => resolveBaseUrl(createSettingSources({options: {baseUrl: given}})));
		expect(failure.code).toBe('usage');
		expect(JSON.stringify([failure.message, failure.details])).not.toContain('hunter2');
	});
});

describe('the base URL of a second account', () => {
	const env = {LEDGE_FROM_CLOUDFLARE_API_BASE_URL: 'https://second.test/client/v4'};

	test('comes from its own variable, then the flag', () => {
		const options = {baseUrl: 'https://flag.test'};
		expect(resolveBaseUrl(createSettingSources({options, env, prefix: 'LEDGE_FROM_'})).from).toBe(
			'LEDGE_FROM_CLOUDFLARE_API_BASE_URL',
		);
		expect(resolveBaseUrl(createSettingSources({options, env, prefix: 'LEDGE_TO_'})).from).toBe('--base-url');
		expect(resolveBaseUrl(createSettingSources({options, env})).from).toBe('--base-url');
	});

	test('is another service if its origin differs', () => {
		expect(isOtherService(createSettingSources({env, prefix: 'LEDGE_FROM_'}))).toBe(true);
		expect(isOtherService(createSettingSources({env, prefix: 'LEDGE_TO_'}))).toBe(false);
		const same = {LEDGE_FROM_CLOUDFLARE_API_BASE_URL: defaultBaseUrl};
		expect(isOtherService(createSettingSources({env: same, prefix: 'LEDGE_FROM_'}))).toBe(false);
	});
});
