import {describe, expect, test} from 'vitest';
import {
	resolveAccountId,
	resolveEnvironmentName,
	resolveReadOnly,
	resolveTarget,
	resolveZone,
} from '../../source/settings/settings.ts';
import {failureOf} from './support/files.ts';
import {createConfiguration, createSettingSources} from './support/sources.ts';

describe('the account', () => {
	const everything = {
		options: {accountId: 'flag'},
		env: {CLOUDFLARE_ACCOUNT_ID: 'variable', CF_ACCOUNT_ID: 'old'},
		configuration: createConfiguration('file'),
	};

	test('comes from the flag, then the variable, then the configuration', () => {
		expect(resolveAccountId(createSettingSources(everything))).toEqual({value: 'flag', from: '--account-id'});
		expect(resolveAccountId(createSettingSources({...everything, options: {}}))).toEqual({
			value: 'variable',
			from: 'CLOUDFLARE_ACCOUNT_ID',
		});
		expect(
			resolveAccountId(createSettingSources({...everything, options: {}, env: {CF_ACCOUNT_ID: 'old'}})),
		).toEqual({
			value: 'old',
			from: 'CF_ACCOUNT_ID',
		});
		expect(resolveAccountId(createSettingSources({configuration: createConfiguration('file')}))).toEqual({
			value: 'file',
			from: 'wrangler.toml:3',
		});
		expect(resolveAccountId(createSettingSources({}))).toBeUndefined();
	});

	test('is not set by an empty variable', () => {
		expect(resolveAccountId(createSettingSources({env: {CLOUDFLARE_ACCOUNT_ID: ''}}))).toBeUndefined();
	});

	test.each(['', 'a b', '../x', 'a\n', 'имя', 'a/b'])('"%s" is refused, naming its source', async value => {
		const failure = await failureOf(() =>
			resolveAccountId(createSettingSources({options: {accountId: value}})),
		);
		expect(failure).toMatchObject({code: 'usage', exitCode: 2});
		expect(failure.message).toContain('--account-id');
	});

	test('of a second account comes from its own variable, then the flag', () => {
		const second = {...everything, prefix: 'LEDGE_TO_' as const};
		expect(
			resolveAccountId(createSettingSources({...second, env: {LEDGE_TO_CLOUDFLARE_ACCOUNT_ID: 'own'}})),
		).toEqual({
			value: 'own',
			from: 'LEDGE_TO_CLOUDFLARE_ACCOUNT_ID',
		});
		expect(resolveAccountId(createSettingSources(second))?.value).toBe('flag');
	});

	test('is never taken from the first account if the second has its own credential', () => {
		const env = {...everything.env, LEDGE_TO_CLOUDFLARE_API_TOKEN: 't'};
		expect(resolveAccountId(createSettingSources({...everything, env, prefix: 'LEDGE_TO_'}))).toBeUndefined();
		expect(resolveAccountId(createSettingSources({...everything, env, prefix: 'LEDGE_FROM_'}))?.value).toBe(
			'flag',
		);
	});
});

describe('the zone', () => {
	test('comes from a flag, then the variable', () => {
		const env = {CLOUDFLARE_ZONE_ID: 'v'};
		expect(resolveZone(createSettingSources({options: {zoneId: 'f'}, env}))).toEqual({
			kind: 'id',
			id: {value: 'f', from: '--zone-id'},
		});
		expect(resolveZone(createSettingSources({options: {zone: 'example.com'}, env}))).toEqual({
			kind: 'name',
			name: {value: 'example.com', from: '--zone'},
		});
		expect(resolveZone(createSettingSources({env}))).toEqual({
			kind: 'id',
			id: {value: 'v', from: 'CLOUDFLARE_ZONE_ID'},
		});
		expect(resolveZone(createSettingSources({}))).toBeUndefined();
	});

	test('is refused if it is named twice or its ID is invalid', async () => {
		const twice = await failureOf(() =>
			resolveZone(createSettingSources({options: {zoneId: 'a', zone: 'b'}})),
		);
		expect(twice).toMatchObject({code: 'usage', message: '--zone-id and --zone cannot be used together.'});
		const wrong = await failureOf(() =>
			resolveZone(createSettingSources({env: {CLOUDFLARE_ZONE_ID: 'a/b'}})),
		);
		expect(wrong.message).toBe('The zone id in CLOUDFLARE_ZONE_ID is "a/b".');
	});
});

describe('the environment', () => {
	test('comes from --env, then CLOUDFLARE_ENV', () => {
		const env = {CLOUDFLARE_ENV: 'v'};
		expect(resolveEnvironmentName(createSettingSources({options: {env: 'f'}, env}))).toEqual({
			value: 'f',
			from: '--env',
		});
		expect(resolveEnvironmentName(createSettingSources({env}))).toEqual({value: 'v', from: 'CLOUDFLARE_ENV'});
		expect(resolveEnvironmentName(createSettingSources({options: {env: ''}, env}))).toBeUndefined();
		expect(resolveEnvironmentName(createSettingSources({}))).toBeUndefined();
	});
});

describe('read-only', () => {
	test.each([
		{options: {readOnly: true}, env: {}, value: true, from: '--read-only'},
		{options: {}, env: {LEDGE_READ_ONLY: '1'}, value: true, from: 'LEDGE_READ_ONLY'},
		{options: {readOnly: false}, env: {LEDGE_READ_ONLY: 'true'}, value: true, from: 'LEDGE_READ_ONLY'},
		{options: {}, env: {LEDGE_READ_ONLY: '0'}, value: false, from: 'LEDGE_READ_ONLY'},
		{options: {}, env: {LEDGE_READ_ONLY: ''}, value: false, from: 'default'},
		{options: {}, env: {}, value: false, from: 'default'},
	])('$options with $env is $value', ({options, env, value, from}) => {
		expect(resolveReadOnly(createSettingSources({options, env}))).toEqual({value, from});
	});

	test('is refused if its value means neither yes nor no', async () => {
		const failure = await failureOf(() =>
			resolveReadOnly(createSettingSources({env: {LEDGE_READ_ONLY: 'please'}})),
		);
		expect(failure).toMatchObject({code: 'usage', message: 'LEDGE_READ_ONLY is "please".'});
	});
});

describe('the target', () => {
	test.each([
		{options: {}, env: {}, value: 'remote', from: 'default'},
		{options: {}, env: {LEDGE_TARGET: 'local'}, value: 'local', from: 'LEDGE_TARGET'},
		{options: {}, env: {LEDGE_TARGET: 'remote'}, value: 'remote', from: 'LEDGE_TARGET'},
		{options: {local: true}, env: {}, value: 'local', from: '--local'},
		{options: {remote: true}, env: {LEDGE_TARGET: 'local'}, value: 'remote', from: '--remote'},
		{options: {local: false}, env: {LEDGE_TARGET: 'local'}, value: 'remote', from: '--local'},
		{options: {remote: false}, env: {}, value: 'local', from: '--remote'},
		{options: {local: true, remote: false}, env: {}, value: 'local', from: '--local'},
	])('$options with $env is $value', ({options, env, value, from}) => {
		expect(resolveTarget(createSettingSources({options, env}))).toEqual({value, from});
	});

	test.each([true, false])('is refused if both options are %s', async both => {
		const failure = await failureOf(() =>
			resolveTarget(createSettingSources({options: {local: both, remote: both}})),
		);
		expect(failure).toMatchObject({code: 'usage', message: "--local and --remote can't be combined."});
	});

	test('is refused if the variable names no target', async () => {
		const failure = await failureOf(() =>
			resolveTarget(createSettingSources({env: {LEDGE_TARGET: 'Local'}})),
		);
		expect(failure).toMatchObject({code: 'usage', message: 'LEDGE_TARGET is "Local".'});
	});
});
