import {describe, expect, test} from 'vitest';
import {formatOwnPath, getOwnFile} from '../../source/settings/own-file.ts';

describe('the path of a file of the user', () => {
	test.each([
		['linux', {HOME: '/h'}, '/h/.config/ledge/contexts.toml'],
		['darwin', {HOME: '/h'}, '/h/.config/ledge/contexts.toml'],
		['linux', {HOME: '/h', XDG_CONFIG_HOME: '/x'}, '/x/ledge/contexts.toml'],
		['linux', {HOME: '/h', XDG_CONFIG_HOME: 'x'}, '/h/.config/ledge/contexts.toml'],
		['linux', {HOME: '/h', XDG_CONFIG_HOME: ''}, '/h/.config/ledge/contexts.toml'],
		['linux', {HOME: 'h'}, undefined],
		['linux', {}, undefined],
		[
			'win32',
			{APPDATA: 'C:\\Users\\ada\\AppData\\Roaming'},
			'C:\\Users\\ada\\AppData\\Roaming\\ledge\\contexts.toml',
		],
		['win32', {APPDATA: 'C:\\r', XDG_CONFIG_HOME: 'D:\\x'}, 'D:\\x\\ledge\\contexts.toml'],
		['win32', {APPDATA: 'r', HOME: '/h'}, undefined],
	] as const)('on %s with %j is %s', (platform, env, file) => {
		expect(getOwnFile('contexts.toml', env, platform)).toBe(file);
	});

	test('is shown with ~ for the home folder', () => {
		expect(formatOwnPath('/h/.config/x', {HOME: '/h'})).toBe('~/.config/x');
		expect(formatOwnPath('/home/x', {HOME: '/h'})).toBe('/home/x');
		expect(formatOwnPath('/h/x', {})).toBe('/h/x');
	});
});
