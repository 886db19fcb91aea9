import {mkdirSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findConfiguration, formatPath} from '../../source/settings/discovery.ts';
import type {TrustBasis} from '../../source/state/trust.ts';
import {failureOf, folderWith} from './support/files.ts';

describe('findConfiguration', () => {
	test.each([
		{there: ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'], taken: 'wrangler.json', format: 'json'},
		{there: ['wrangler.jsonc', 'wrangler.toml'], taken: 'wrangler.jsonc', format: 'jsonc'},
		{there: ['wrangler.toml'], taken: 'wrangler.toml', format: 'toml'},
		{there: ['above/wrangler.toml'], taken: undefined, format: undefined},
	])('picks $taken from $there in one folder', ({there, taken, format}) => {
		const folder = folderWith(Object.fromEntries(there.map(name => [name, ''])));
		expect(findConfiguration(folder)).toEqual(taken && {file: join(folder, taken), format});
	});

	test('prefers a wrangler.json far above to a wrangler.toml in the folder', () => {
		const folder = folderWith({'wrangler.json': '', 'a/b/wrangler.toml': '', 'a/wrangler.jsonc': ''});
		expect(findConfiguration(join(folder, 'a/b'))?.file).toBe(join(folder, 'wrangler.json'));
	});

	test('picks the nearest of several files with the same name', () => {
		const folder = folderWith({'wrangler.toml': '', 'a/wrangler.toml': '', 'a/b/c/x': ''});
		expect(findConfiguration(join(folder, 'a/b/c'))?.file).toBe(join(folder, 'a/wrangler.toml'));
	});

	test('skips a folder with the name of the file', () => {
		const folder = folderWith({'wrangler.toml': ''});
		mkdirSync(join(folder, 'wrangler.json'));
		expect(findConfiguration(folder)?.file).toBe(join(folder, 'wrangler.toml'));
	});

	test('takes only the file named by --config', () => {
		const folder = folderWith({'wrangler.json': '', 'other/my.JSONC': ''});
		expect(findConfiguration(folder, 'other/my.JSONC')).toEqual({
			file: join(folder, 'other/my.JSONC'),
			format: 'jsonc',
		});
	});

	test.each(['missing.toml', 'sub', ''])('refuses --config "%s", which is not a file', async named => {
		const folder = folderWith({'wrangler.json': '', 'sub/x': ''});
		const failure = await failureOf(() => findConfiguration(folder, named));
		expect(failure.code).toBe('input_missing');
		expect(failure.details.why).toContain(join(folder, named));
	});

	test('refuses a file whose extension does not tell its format', async () => {
		const folder = folderWith({'settings.yaml': ''});
		const failure = await failureOf(() => findConfiguration(folder, 'settings.yaml'));
		expect(failure).toMatchObject({code: 'usage', exitCode: 2});
		expect(failure.details.why).toContain('.json, .jsonc or .toml');
	});
});

describe('a configuration file owned by someone else', () => {
	/** The files belong to user 1001, ledge runs as user 1000, and the folder has this mode. */
	const basisFor = (folder: string, mode: number): TrustBasis => ({
		userIds: [1000],
		groupIds: [],
		readStatus: path => ({
			uid: path.startsWith(folder) ? 1001 : 0,
			gid: 1001,
			mode: path === folder ? mode : 0o644,
		}),
	});

	test('is refused in a folder that others can write, without falling back to a file above', async () => {
		const folder = realpathSync(folderWith({'wrangler.toml': '', 'a/wrangler.toml': '', 'a/b/x': ''}));
		const failure = await failureOf(() =>
			findConfiguration(join(folder, 'a/b'), undefined, basisFor(join(folder, 'a'), 0o1777)),
		);
		expect(failure).toMatchObject({code: 'configuration_untrusted', exitCode: 2});
		expect(failure.details.why).toContain(join(folder, 'a/wrangler.toml'));
		expect(failure.details.why).toContain('belongs to user 1001');
		expect(failure.next).toContain('--config ../wrangler.toml');
	});

	test('is used if --config names it, or if only its owner can write the folder', () => {
		const folder = realpathSync(folderWith({'wrangler.toml': ''}));
		const file = join(folder, 'wrangler.toml');
		expect(findConfiguration(folder, 'wrangler.toml', basisFor(folder, 0o1777))?.file).toBe(file);
		expect(findConfiguration(folder, undefined, basisFor(folder, 0o755))?.file).toBe(file);
		expect(findConfiguration(folder, undefined, basisFor(folder, 0o775))?.file).toBe(file);
	});
});

describe('formatPath', () => {
	test.each([
		{file: '/a/b/wrangler.toml', cwd: '/a/b', shown: 'wrangler.toml'},
		{file: '/a/b/wrangler.toml', cwd: '/a/b/c', shown: '../wrangler.toml'},
		{file: '/w.toml', cwd: '/a/b/c', shown: '/w.toml'},
	])('shows $file as $shown in $cwd', ({file, cwd, shown}) => {
		expect(formatPath(file, cwd)).toBe(shown);
	});
});
