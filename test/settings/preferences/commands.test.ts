import {describe, expect, test} from 'vitest';
import {parsePreferences} from '../../../source/settings/preferences/read.ts';

async function read(...lines: readonly string[]) {
	const {commands, problems} = await parsePreferences(`${lines.join('\n')}\n`, 'config.toml');
	return {commands, mistakes: problems.map(({line, text}) => `${line}: ${text}`)};
}

const readOne = (...lines: readonly string[]) => read('[[commands]]', 'title = "One"', ...lines);

describe('an entry', () => {
	test('is read with all its settings', async () => {
		const {commands, mistakes} = await read(
			'[[commands]]',
			'title = "Sort fields"',
			'command = ["jq", "-S", ".", "{value_file}"]',
			'key = ["J", "f5"]',
			'screens = ["key"]',
			'hint = "sort"',
			'output = "value"',
			'foreground = true',
			'confirm = "Sort?"',
			'read_only = true',
			'timeout = 5',
			'env = ["CLOUDFLARE_API_TOKEN"]',
		);
		expect(mistakes).toEqual([]);
		expect(commands).toEqual([
			{
				title: 'Sort fields',
				command: ['jq', '-S', '.', '{value_file}'],
				keys: ['J', 'f5'],
				screens: ['key'],
				hint: 'sort',
				output: 'value',
				isForeground: true,
				confirm: 'Sort?',
				isReadOnly: true,
				timeoutSeconds: 5,
				environment: ['CLOUDFLARE_API_TOKEN'],
				line: 1,
				column: 1,
			},
		]);
	});

	test('has safe defaults', async () => {
		const {commands} = await readOne('command = ["date"]');
		expect(commands).toMatchObject([
			{
				keys: [],
				screens: undefined,
				output: 'status',
				isForeground: false,
				confirm: false,
				isReadOnly: false,
				timeoutSeconds: 60,
				environment: [],
			},
		]);
	});

	test.each([
		'command = ["x", "{key}"]',
		'command = ["x", "{value_file}"]',
		'command = ["x", "{selected_file}"]',
		'command = ["x"]\noutput = "value"',
	])('that needs a key belongs to the screens of keys: %s', async line => {
		expect((await readOne(line)).commands).toMatchObject([{screens: ['keys', 'key']}]);
	});

	test('in the foreground has no time limit of its own', async () => {
		expect((await readOne('command = ["vi"]', 'foreground = true')).commands).toMatchObject([
			{timeoutSeconds: undefined},
		]);
	});
});

describe('a placeholder', () => {
	test.each([
		'--key={key}',
		'{key}.json',
		'{key}{zone}',
		'a {prompt:Name}',
	])('inside a word is a mistake: %s', async word => {
		const {commands, mistakes} = await readOne(`command = ["x", ${JSON.stringify(word)}]`);
		expect(commands).toEqual([]);
		expect(mistakes).toEqual([expect.stringMatching(/^3: .*must be an argument of its own, not a part of /)]);
	});

	test.each([
		['{value_fil}', 'Did you mean {value_file}?'],
		['{value}', 'Did you mean {value_file}?'],
		['{prompt}', 'Did you mean {prompt:Name}?'],
		['{zonee}', 'Did you mean {zone}?'],
		[
			'{bucket}',
			'There is: {key}, {value_file}, {selected_file}, {namespace}, {namespace_id}, {zone}, {zone_id}, {prompt:Name}.',
		],
	])('that does not exist is a mistake: %s', async (word, help) => {
		const {commands, mistakes} = await readOne(`command = ["x", "${word}"]`);
		expect(commands).toEqual([]);
		expect(mistakes).toEqual([
			`3: there is no placeholder ${word}. ${help} Write "{${word}}" for this text itself. This command is ignored.`,
		]);
	});

	test('is reported with every other mistake in the arguments', async () => {
		const {mistakes} = await readOne('command = ["x", "{vaule_file}", "{zone}", "--key={key}"]');
		expect(mistakes).toEqual([
			expect.stringContaining('{value_file}'),
			expect.stringContaining('--key={key}'),
		]);
	});

	test('cannot be the program', async () => {
		const {commands, mistakes} = await readOne('command = ["{key}"]');
		expect([commands, mistakes]).toEqual([
			[],
			['3: the program must be a name, not "{key}". This command is ignored.'],
		]);
	});

	test('needs a name if it asks', async () => {
		expect((await readOne('command = ["x", "{prompt: }"]')).mistakes).toEqual([
			'3: "{prompt: }" must have a name: "{prompt:Name}". This command is ignored.',
		]);
	});

	test.each([
		'{{key}}',
		'map({{key}})',
		'{key: .id}',
		'{"a":{"key":1}}',
		'{}',
	])('is not in %s', async word => {
		expect((await readOne(`command = ["jq", '${word}']`)).mistakes).toEqual([]);
	});
});

describe('a mistake', () => {
	test.each([
		['title = 1', '"title" must be one line of text, at most 60 characters.'],
		['title = "a\\u001b[31m"', '"title" must be one line of text, at most 60 characters.'],
		['command = "jq ."', '"command" must be a list of words: ["program", "argument"].'],
		['command = []', '"command" must be a list of words: ["program", "argument"].'],
		['output = "screen"', '"output" must be "none", "status", "pager" or "value".'],
		['confirm = "a\\u202e"', '"confirm" must be true, false, or a question.'],
		['confirm = 1', '"confirm" must be true, false, or a question.'],
		['timeout = 0', '"timeout" must be a whole number of seconds from 1 to 86400.'],
		['env = ["A=b"]', '"env" must be a list of names of variables, such as ["CLOUDFLARE_API_TOKEN"].'],
		['key = 1', '"key" must be a key such as "x", several in [ ], or "none".'],
	])('%s drops the command as a whole, and no other', async (line, rule) => {
		const name = line.split(' ')[0];
		const rest = [
			...(name === 'title' ? [] : ['title = "One"']),
			...(name === 'command' ? [] : ['command = ["x"]']),
		];
		const {commands, mistakes} = await read(
			'[[commands]]',
			line,
			...rest,
			'[[commands]]',
			'title = "Two"',
			'command = ["y"]',
		);
		expect(commands).toMatchObject([{title: 'Two'}]);
		expect(mistakes).toEqual([`2: ${rule}`]);
	});

	test('in the name of a setting drops the command: its question could be meant', async () => {
		const {commands, mistakes} = await readOne('command = ["rm", "x"]', 'confrim = true');
		expect(commands).toEqual([]);
		expect(mistakes).toEqual(['4: there is no setting of a command "confrim" here. Did you mean "confirm"?']);
	});

	test('of TOML drops the command that has the line, and no other', async () => {
		const {commands, mistakes} = await read(
			'[[commands]]',
			'title = "One"',
			'command = ["x"]',
			'confirm = tru',
			'[[commands]]',
			'title = "Two"',
			'command = ["y"]',
			'[defaults]',
			'mouse = maybe',
		);
		expect(commands).toMatchObject([{title: 'Two'}]);
		expect(mistakes).toContainEqual('1: this command is ignored: a line of it is not valid TOML.');
	});

	test('a title or a program is missing, or a title is there twice', async () => {
		expect((await read('[[commands]]', 'command = ["x"]')).mistakes).toEqual([
			'1: a command must have a title. This command is ignored.',
		]);
		expect((await readOne('confirm = true')).mistakes).toEqual([
			'1: a command must have "command", a list of words: ["program", "argument"]. This command is ignored.',
		]);
		const {commands, mistakes} = await readOne(
			'command = ["x"]',
			'[[commands]]',
			'title = "One"',
			'command = ["y"]',
		);
		expect(commands).toMatchObject([{command: ['x']}]);
		expect(mistakes).toEqual(['5: "One" is already the command of line 1. This command is ignored.']);
	});

	test.each([
		'./x',
		'bin/x',
		'../x',
		'',
	])('%j as a program is refused: a project could provide it', async program => {
		const {commands, mistakes} = await readOne(`command = ["${program}"]`);
		expect(commands).toEqual([]);
		expect(mistakes).toHaveLength(1);
	});

	test.each(['/usr/bin/x', '~/bin/x', 'x'])('%s is a program', async program => {
		expect((await readOne(`command = ["${program}"]`)).mistakes).toEqual([]);
	});

	test('"commands" is no table', async () => {
		expect((await read('commands = "x"')).mistakes).toEqual(['1: "commands" must be entries: [[commands]].']);
	});
});
