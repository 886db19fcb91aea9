import {realpathSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findChosenAccount} from '../../source/credentials/chosen-account.ts';
import {readVariables} from '../../source/settings/variables.ts';
import type {TrustBasis} from '../../source/state/trust.ts';
import {failureOf, folderWith} from '../settings/support/files.ts';

const noVariables = readVariables({});
const buildAccountFile = (id: unknown, name: unknown = 'Shop'): string =>
	JSON.stringify({account: {id, name}});
const packageCache = 'node_modules/.cache/wrangler';

describe('the account chosen in wrangler', () => {
	test('is the one of the profile, next to the packages of the nearest project', () => {
		const folder = folderWith({
			[`${packageCache}/wrangler-account.json`]: buildAccountFile('ordinary'),
			[`${packageCache}/wrangler-account-work.json`]: buildAccountFile('of-work', 'Work'),
			'a/b/x': '',
		});
		for (const cwd of [folder, join(folder, 'a/b')]) {
			expect(findChosenAccount('default', cwd, noVariables)).toEqual({
				id: 'ordinary',
				name: 'Shop',
				from: join(folder, packageCache, 'wrangler-account.json'),
			});
			expect(findChosenAccount('work', cwd, noVariables)).toMatchObject({id: 'of-work', name: 'Work'});
			expect(findChosenAccount('other', cwd, noVariables)).toBeUndefined();
		}
	});

	test.each([
		['without packages', {'.wrangler/cache/wrangler-account.json': buildAccountFile('here')}, 'here'],
		[
			'beside packages without a cache',
			{'node_modules/x': '', '.wrangler/cache/wrangler-account.json': buildAccountFile('here')},
			'here',
		],
		[
			'beside packages with one',
			{
				[`${packageCache}/wrangler-account.json`]: buildAccountFile('beside'),
				'.wrangler/cache/wrangler-account.json': buildAccountFile('here'),
			},
			'beside',
		],
		['with nothing', {}, undefined],
	])('is looked up in a folder %s', (_, files, id) => {
		expect(findChosenAccount('default', folderWith(files), noVariables)?.id).toBe(id);
	});

	test('is found in WRANGLER_CACHE_DIR, relative to the working folder', () => {
		const folder = folderWith({
			'cache/wrangler-account.json': buildAccountFile('given'),
			[`${packageCache}/wrangler-account.json`]: buildAccountFile('beside'),
			'a/x': '',
		});
		for (const [cwd, cacheSetting] of [
			['a', '../cache'],
			['.', 'cache'],
			['a', join(folder, 'cache')],
		] as const) {
			const variables = readVariables({WRANGLER_CACHE_DIR: cacheSetting});
			expect(findChosenAccount('default', join(folder, cwd), variables)?.id).toBe('given');
			expect(findChosenAccount('work', join(folder, cwd), variables)).toBeUndefined();
		}
	});

	test('needs no account name', () => {
		const folder = folderWith({
			[`${packageCache}/wrangler-account.json`]: JSON.stringify({account: {id: 'a'}}),
		});
		expect(findChosenAccount('default', folder, noVariables)).toMatchObject({id: 'a', name: ''});
	});

	test.each([
		'',
		'{',
		'[]',
		'null',
		'{"account":"a"}',
		'{"account":{}}',
		buildAccountFile(1),
		buildAccountFile(''),
		buildAccountFile('../x'),
		buildAccountFile('a\n'),
	])('is not read from the file %j', text => {
		const folder = folderWith({[`${packageCache}/wrangler-account.json`]: text});
		expect(findChosenAccount('default', folder, noVariables)).toBeUndefined();
	});

	test('is not read from a folder with that name', () => {
		const folder = folderWith({[`${packageCache}/wrangler-account.json/x`]: ''});
		expect(findChosenAccount('default', folder, noVariables)).toBeUndefined();
	});

	test('is refused if someone else may have planted it', async () => {
		const folder = realpathSync(
			folderWith({[`${packageCache}/wrangler-account.json`]: buildAccountFile('planted'), 'a/x': ''}),
		);
		const basis = (mode: number): TrustBasis => ({
			userIds: [1000],
			groupIds: [],
			readStatus: path => ({
				uid: path.startsWith(join(folder, 'node_modules')) ? 1001 : 1000,
				gid: 1000,
				mode: path === folder ? mode : 0o755,
			}),
		});
		const failure = await failureOf(() =>
			findChosenAccount('default', join(folder, 'a'), noVariables, basis(0o777)),
		);
		expect(failure).toMatchObject({code: 'account_unclear', exitCode: 2});
		expect(failure.details.why).toContain('planted');
		expect(failure.details.why).toContain(`${join(folder, 'node_modules')} belongs to user 1001`);
		expect(failure.next).toContain('--account-id');
		expect(findChosenAccount('default', join(folder, 'a'), noVariables, basis(0o755))?.id).toBe('planted');
	});
});
