import {execFileSync} from 'node:child_process';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {readPreferences} from '../../../source/settings/preferences/file.ts';
import {summarizePreferenceProblems} from '../../../source/settings/preferences/preferences.ts';
import {parsePreferences} from '../../../source/settings/preferences/read.ts';
import {resolveTarget} from '../../../source/settings/settings.ts';
import {folderWith} from '../support/files.ts';
import {createActiveContext, createSettingSources} from '../support/sources.ts';

const listProblems = async (text: string): Promise<string[]> =>
	(await parsePreferences(text, 'config.toml')).problems.map(
		({line, text: problem}) => `${line}: ${problem}`,
	);

describe('[defaults]', () => {
	test('are read with their lines', async () => {
		const text =
			'[defaults]\ntarget = "local"\nformat = "table"\npreview = false\npage_size = 100\nmouse = false\nhistory = false\n';
		expect(await parsePreferences(text, 'config.toml')).toEqual({
			defaults: {
				target: {value: 'local', from: 'config.toml:2'},
				format: {value: 'table', from: 'config.toml:3'},
				preview: {value: false, from: 'config.toml:4'},
				pageSize: {value: 100, from: 'config.toml:5'},
				history: {value: false, from: 'config.toml:7'},
				mouse: {value: false, from: 'config.toml:6'},
			},
			keys: {settings: []},
			theme: {roles: {}},
			commands: [],
			problems: [],
		});
	});

	test.each([
		['target = "here"', 'must be "local" or "remote".'],
		['target = 1', 'must be "local" or "remote".'],
		['format = "csv"', 'must be "json", "ndjson" or "table".'],
		['preview = "off"', 'must be true or false.'],
		['page_size = 9', 'must be a whole number from 10 to 1000.'],
		['page_size = 1001', 'must be a whole number from 10 to 1000.'],
		['page_size = 10.5', 'must be a whole number from 10 to 1000.'],
		['page_size = 99999999999999999999', 'must be a whole number from 10 to 1000.'],
		['mouse = 0', 'must be true or false.'],
	])('%s is a mistake, and the rest is in effect', async (line, rule) => {
		const {defaults, problems} = await parsePreferences(
			`[defaults]\n${line}\n${line.startsWith('mouse') ? 'preview' : 'mouse'} = true\n`,
			'config.toml',
		);
		expect(problems).toEqual([
			{line: 2, column: expect.any(Number), text: `"${line.split(' ')[0]}" ${rule}`},
		]);
		expect(Object.values(defaults)).toEqual([{value: true, from: 'config.toml:3'}]);
	});

	test('an unknown name is reported with the nearest one', async () => {
		expect(await listProblems('[default]\n')).toEqual([
			'1: there is no table "default" here. Did you mean "defaults"?',
		]);
		expect(await listProblems('[defaults]\n\npagesize = 10\n')).toEqual([
			'3: there is no default "pagesize" here. Did you mean "page_size"?',
		]);
		expect(await listProblems('defaults = 1\n')).toEqual(['1: "defaults" must be a table: [defaults].']);
		expect(await listProblems('[__proto__]\nx = 1\n')).toHaveLength(1);
	});
});

describe('text that is not TOML', () => {
	test('costs only its own line', async () => {
		const {defaults, problems} = await parsePreferences(
			'[defaults]\nformat = "table\ntarget = "local"\nmouse = \npreview = false\n',
			'config.toml',
		);
		expect(problems.map(({line}) => line)).toEqual([2, 4]);
		expect(problems[0]?.text).toMatch(/^this is not valid TOML: .*; this line is ignored\.$/);
		expect(Object.keys(defaults)).toEqual(['target', 'preview']);
	});

	test('costs the lines below it if it is a header', async () => {
		const {defaults, problems} = await parsePreferences(
			'[defaultz\nmouse = false\n\n[defaults]\npreview = false\n',
			'config.toml',
		);
		expect(problems).toMatchObject([
			{line: 1, text: expect.stringContaining('the lines below it are ignored')},
		]);
		expect(defaults).toEqual({preview: {value: false, from: 'config.toml:5'}});
	});

	test('resets everything if there is too much of it', async () => {
		const {defaults, problems} = await parsePreferences(
			`[defaults]\nmouse = false\n${'x = y = z\n'.repeat(30)}`,
			'config.toml',
		);
		expect(defaults).toEqual({});
		expect(problems.map(({text}) => text)).toContain(
			'nothing in the file is used: too much of it is not valid TOML.',
		);
	});
});

describe('the file', () => {
	test('need not exist', async () => {
		expect(await readPreferences({XDG_CONFIG_HOME: folderWith({})})).toBeUndefined();
		expect(await readPreferences({})).toBeUndefined();
	});

	test('sets nothing if others can write to it', async () => {
		const folder = folderWith({'ledge/config.toml': '[defaults]\nmouse = false\n'});
		const env = {XDG_CONFIG_HOME: folder};
		const file = join(folder, 'ledge/config.toml');
		chmodSync(file, 0o600);
		expect(await readPreferences(env)).toMatchObject({file, defaults: {mouse: {value: false}}, problems: []});
		chmodSync(file, 0o602);
		expect(await readPreferences(env)).toEqual({
			file,
			shownAs: file,
			defaults: {},
			keys: {settings: []},
			theme: {roles: {}},
			commands: [],
			problems: [{line: 0, column: 0, text: expect.stringContaining('Others can write to')}],
		});
	});

	test.each([
		['a pipe', (file: string) => execFileSync('mkfifo', ['-m', '600', file]), 'It is no regular file.'],
		['a folder', (file: string) => mkdirSync(file, {mode: 0o700}), 'It is a folder.'],
		[
			'too large',
			(file: string) => writeFileSync(file, `#${' '.repeat(1_000_000)}`, {mode: 0o600}),
			'It has 1,000,001 bytes; at most 1,000,000 bytes are read.',
		],
	])('sets nothing if it is %s, and is not waited for', async (_, create, why) => {
		const folder = folderWith({'ledge/contexts.toml': ''});
		const file = join(folder, 'ledge/config.toml');
		create(file);
		const preferences = await readPreferences({XDG_CONFIG_HOME: folder});
		expect(preferences && summarizePreferenceProblems(preferences)).toBe(
			`The configuration file ${file} cannot be read. Nothing in it is used. ${why}`,
		);
	});
});

test('read_only is refused with the places where it can be set', async () => {
	const {problems} = await parsePreferences('[defaults]\nread_only = true\n', 'config.toml');
	expect(problems).toEqual([
		{
			line: 2,
			column: 1,
			text: expect.stringMatching(/set it in a context, or use LEDGE_READ_ONLY=1 or --read-only\.$/),
		},
	]);
});

test('the target of the file comes after options, variables and the context', async () => {
	const preferences = {
		file: '',
		shownAs: 'config.toml',
		...(await parsePreferences('[defaults]\ntarget = "local"\n', 'config.toml')),
	};
	const resolve = (given: Parameters<typeof createSettingSources>[0]) =>
		resolveTarget({...createSettingSources(given), preferences}).value;
	expect(resolve({})).toBe('local');
	expect(resolve({context: createActiveContext({target: 'remote'})})).toBe('remote');
	expect(resolve({env: {LEDGE_TARGET: 'remote'}})).toBe('remote');
	expect(resolve({options: {remote: true}})).toBe('remote');
});
