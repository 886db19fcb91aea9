import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {findWranglerFolder} from '../../source/credentials/wrangler-folder.ts';
import {readVariables} from '../../source/settings/variables.ts';
import {folderWith} from '../settings/support/files.ts';

const findLoginFile = (
	env: Readonly<Record<string, string>>,
	home: string,
	platform: NodeJS.Platform,
): string =>
	join(findWranglerFolder(readVariables(env), {home, platform})?.path ?? '', 'config', 'default.toml');

describe('finding the wrangler login', () => {
	test.each([
		{platform: 'linux' as const, env: {}, path: '~/.config/.wrangler/config/default.toml'},
		{platform: 'linux' as const, env: {XDG_CONFIG_HOME: '/x'}, path: '/x/.wrangler/config/default.toml'},
		{
			platform: 'linux' as const,
			env: {XDG_CONFIG_HOME: 'x'},
			path: '~/.config/.wrangler/config/default.toml',
		},
		{platform: 'darwin' as const, env: {}, path: '~/Library/Preferences/.wrangler/config/default.toml'},
		{platform: 'darwin' as const, env: {XDG_CONFIG_HOME: '/x'}, path: '/x/.wrangler/config/default.toml'},
		{
			platform: 'win32' as const,
			env: {APPDATA: '/roaming'},
			path: '/roaming/xdg.config/.wrangler/config/default.toml',
		},
		{
			platform: 'win32' as const,
			env: {},
			path: '~/AppData/Roaming/xdg.config/.wrangler/config/default.toml',
		},
		{
			platform: 'win32' as const,
			env: {APPDATA: '/roaming', XDG_CONFIG_HOME: '/x'},
			path: '/x/.wrangler/config/default.toml',
		},
	])('$platform with $env: $path', ({platform, env, path}) => {
		const home = folderWith({});
		expect(findLoginFile(env, home, platform)).toBe(path.replace('~', home));
	});

	test('the old folder is preferred if it exists', () => {
		const home = folderWith({'.wrangler/x': ''});
		expect(findLoginFile({XDG_CONFIG_HOME: '/x'}, home, 'darwin')).toBe(
			join(home, '.wrangler/config/default.toml'),
		);
	});

	test('a file with that name is not used as a folder', () => {
		const home = folderWith({'.wrangler': ''});
		expect(findLoginFile({}, home, 'linux')).toBe(join(home, '.config/.wrangler/config/default.toml'));
	});

	test.each([
		['linux', 'HOME'],
		['darwin', 'HOME'],
		['win32', 'USERPROFILE'],
	] as const)('the home folder on %s comes from %s, and is shown as ~', (platform, name) => {
		const home = folderWith({'.wrangler/x': ''});
		const folder = findWranglerFolder(readVariables({[name]: home}), {platform});
		expect(folder?.path).toBe(join(home, '.wrangler'));
		expect(folder?.formatPath(join(home, '.wrangler/x'))).toBe('~/.wrangler/x');
		expect(folder?.formatPath(`${home}-other/x`)).toBe(`${home}-other/x`);
	});
});
