import {existsSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parsePreferences} from '../../../source/settings/preferences/read.ts';
import {folderWith} from '../../settings/support/files.ts';
import {createScratchFolder, ledge} from '../../support/run.ts';

const withFile = (text: string) => ({XDG_CONFIG_HOME: folderWith({'ledge/config.toml': text})});

describe('ledge config init', () => {
	test('creates a file in which everything is commented out', async () => {
		const env = {XDG_CONFIG_HOME: createScratchFolder()};
		const file = join(env.XDG_CONFIG_HOME, 'ledge/config.toml');
		const preview = await ledge(['config', 'init', '--dry-run'], {env});
		expect(existsSync(file)).toBe(false);
		expect(await ledge(['config', 'init'], {env})).toMatchObject({code: 0, stderr: `Created ${file}.\n`});
		const text = readFileSync(file, 'utf8');
		expect(preview.stdout).toBe(text);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(text.split('\n').filter(line => !/^(#|\[\w+\]$|$)/.test(line))).toEqual([]);
		expect(await parsePreferences(text, file)).toMatchObject({defaults: {}, problems: []});
	});

	test('contains nothing but valid lines once the marks are removed', async () => {
		const {stdout} = await ledge(['config', 'init', '--dry-run']);
		const settings = stdout.replace(/^# (?=\[\[|[\w.-]+ = )/gm, '');
		const {commands, problems} = await parsePreferences(settings, 'config.toml');
		expect(problems).toEqual([]);
		expect(commands).toHaveLength(3);
	});

	test('never replaces a file', async () => {
		const env = withFile('# mine\n');
		const run = await ledge(['config', 'init'], {env});
		expect(run).toMatchObject({code: 1});
		expect(run.stderr).toContain('already exists');
		expect(readFileSync(join(env.XDG_CONFIG_HOME, 'ledge/config.toml'), 'utf8')).toBe('# mine\n');
	});
});

test('ledge config path prints the path, whether or not the file exists', async () => {
	const env = {XDG_CONFIG_HOME: createScratchFolder()};
	const file = join(env.XDG_CONFIG_HOME, 'ledge/config.toml');
	expect((await ledge(['config', 'path'], {env})).stdout).toBe(`${file}\n`);
	const {stdout} = await ledge(['config', 'path', '--json'], {env});
	expect(JSON.parse(stdout)).toEqual({file, exists: false});
});

describe('ledge config', () => {
	test('shows colours as the file writes them', async () => {
		const env = withFile('[theme]\naccent = 208\nsuccess = "bright-green"\nborder = "#FFF"\n');
		const {settings} = JSON.parse((await ledge(['config', '--json'], {env})).stdout);
		expect(settings).toMatchObject({
			'theme accent': {value: '208'},
			'theme success': {value: 'bright-green'},
			'theme border': {value: '#ffffff'},
		});
	});

	test('shows what the file sets and where', async () => {
		const env = withFile('[defaults]\ntarget = "local"\npage_size = 50\n');
		const {settings, problems} = JSON.parse((await ledge(['config', '--json'], {env})).stdout);
		expect(problems).toEqual([]);
		expect(settings).toMatchObject({
			target: {value: 'local', from: expect.stringMatching(/config\.toml:2$/)},
			'page size': {value: '50', from: expect.stringMatching(/config\.toml:3$/)},
			'own configuration': {value: expect.stringMatching(/config\.toml$/), from: 'found'},
		});
	});

	test('shows mistakes, and nothing of them reaches the terminal unescaped', async () => {
		const env = withFile('[defaults]\n"\\u001b[2Jmouse" = true\n');
		const {stdout} = await ledge(['config'], {env});
		expect(stdout).toContain('found, with 1 mistake');
		expect(stdout).toContain('config.toml:2: there is no default');
		expect(stdout).not.toContain('\u001b');
	});

	test('other commands mention a mistake only to a person', async () => {
		const env = withFile('[defaults]\nmous = true\nformt = 1\n');
		const words = ['--simulate', 'kv', 'namespace', 'list'];
		expect((await ledge(words, {env})).stderr).toBe('');
		const {stderr} = await ledge(words, {env, tty: true});
		expect(stderr).toMatch(
			/config\.toml:2: there is no default "mous" here\. Did you mean "mouse"\? And 1 more/,
		);
	});
});

test('the format of the file applies on a terminal only, and after --format', async () => {
	const env = withFile('[defaults]\nformat = "table"\n');
	const words = ['--simulate', 'kv', 'namespace', 'list'];
	expect((await ledge(words, {env, tty: true})).stdout).toMatch(/^TITLE/);
	expect((await ledge([...words, '--format', 'json'], {env, tty: true})).stdout).toMatch(/^\[/);
	expect((await ledge([...words, '--json'], {env, tty: true})).stdout).toMatch(/^\[/);
	expect((await ledge(words, {env})).stdout).toMatch(/^\[/);
});

test('ledge config shows the keys, mistakes in them and what they take from others', async () => {
	const env = withFile('[keys]\npreset = "vim"\nall.delete = "x"\nkeys.exprot = "W"\n');
	const {settings, problems} = JSON.parse((await ledge(['config', '--json'], {env})).stdout);
	expect(settings).toMatchObject({
		'own configuration': {from: 'found, with 1 mistake'},
		'key preset': {value: 'vim'},
		'key all.delete': {value: 'x', from: expect.stringMatching(/config\.toml:3$/)},
	});
	expect(problems).toEqual([
		{line: 3, column: 1, text: expect.stringContaining('"x" was keys.export'), isNotice: true},
		{line: 4, column: 1, text: expect.stringContaining('Did you mean "keys.export"?')},
	]);
});

test('ledge config lists the commands of the file, and what is wrong with them', async () => {
	const env = withFile(
		[
			'[[commands]]',
			'title = "Sort"',
			'key = "f9"',
			'command = ["jq", "-S", "a b", "{value_file}"]',
			'[[commands]]',
			'title = "Two"',
			'key = "f9"',
			'command = ["x", "{key}", "{prompt:What for}"]',
			'[[commands]]',
			'title = "Three"',
			'screens = ["keyz"]',
			'command = ["x"]',
			'',
		].join('\n'),
	);
	const {settings, problems} = JSON.parse((await ledge(['config', '--json'], {env})).stdout);
	expect(settings).toMatchObject({
		'command Sort': {value: "f9: jq -S 'a b' {value_file}", from: expect.stringMatching(/config\.toml:1$/)},
		'command Two': {value: 'f9: x {key} {prompt:What for}', from: expect.stringMatching(/config\.toml:5$/)},
	});
	expect(problems.map(({line}: {line: number}) => line)).toEqual([5, 9]);
});
