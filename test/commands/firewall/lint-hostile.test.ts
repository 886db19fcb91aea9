import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createScratchFolder, ledge} from '../../support/run.ts';

/** Escape sequences, controls of both sets, a mark that reverses the text, and line ends. */
const hostile = '\u001b[2J\u0007\u009b31m\u202e\u2066\rx\nfake.yaml:1:1: error: Fake';

/** Runs `firewall lint` in a folder with one file, or none. */
function createLint(name: string, content?: string | Uint8Array) {
	const cwd = createScratchFolder();
	if (content !== undefined) writeFileSync(join(cwd, name), content);
	return (...words: readonly string[]) => ledge(['firewall', 'lint', name, ...words], {cwd});
}

const rule = {action: hostile, expression: `http.hots eq "${hostile}"`, description: hostile, ref: hostile};

const terraform = {
	format_version: '1.0',
	values: {
		root_module: {
			resources: [
				{address: hostile, type: 'cloudflare_ruleset', values: {phase: hostile, rules: [rule]}},
				{
					address: `cloudflare_ruleset.${hostile}`,
					type: 'cloudflare_ruleset',
					values: {
						kind: 'zone',
						phase: 'http_request_firewall_custom',
						rules: [rule, null, 'x', {action: 5, expression: 7}],
					},
				},
				null,
				{type: 'cloudflare_firewall_rule', values: {filter: 3, action: null, zone_id: 4}},
			],
			child_modules: ['x', null, {resources: 'x', child_modules: 5}],
		},
	},
};

describe('nothing raw reaches the terminal, and no line is made up', () => {
	test.each([
		['names of rules, actions and expressions', 'rules.json', {custom_rules: [rule, {...rule, ref: 'b'}]}],
		['Terraform', 'tf.json', terraform],
		[
			'an export of firewall rules',
			'export.json',
			{
				filters: [{id: hostile, expression: rule.expression, paused: false}],
				rules: [{id: hostile, action: 'block', filter: {id: hostile}, paused: false, priority: null}],
			},
		],
		['the name of the file', 'a\u001b[2J\u202e\nb.json', {custom_rules: [rule]}],
	])('%s', async (_name, name, content) => {
		const lint = createLint(name, JSON.stringify(content));
		const {code, stdout, stderr} = await lint();
		expect({code, stderr}).toEqual({code: 1, stderr: ''});
		expect(stdout).toContain('\\x1b[2J');
		expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
		expect(stdout).not.toMatch(/^(?:fake|b\.json)/m);
		for (const option of ['--json', '--sarif=-']) {
			const {stdout: text} = await lint(option);
			expect(JSON.parse(text)).toBeDefined();
			expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
		}
	});
});

test.each([
	['a reference used twice', {custom_rules: [rule, rule]}],
	['an unknown field', {custom_rules: [{...rule, [hostile]: 1}]}],
])('nor do the problems of the file itself add lines: %s', async (_name, content) => {
	const {code, stdout, stderr} = await createLint('rules.json', JSON.stringify(content))();
	expect({code, stdout}).toEqual({code: 2, stdout: ''});
	expect(stderr).toContain('\\x1b[2J');
	expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
	expect(stderr).not.toMatch(/^\s*fake/m);
});

describe('input that is no rules is refused, with exit code 2 and no stack trace', () => {
	const deepModules = `{"format_version":"1.0","values":${'{"a":['.repeat(20_000)}${']}'.repeat(20_000)}}`;

	test.each([
		['bytes', 'rules.json', Uint8Array.from({length: 256}, (_, byte) => byte), 'is not UTF-8 text.'],
		['nothing', 'rules.yaml', '', 'rules.yaml is empty.'],
		['blanks', 'rules.json', ' \n\t\n', 'rules.json is empty.'],
		['null', 'rules.json', 'null', 'the file must be an object'],
		['a list', 'rules.json', '[]', 'the file must be an object'],
		['half of an object', 'rules.json', '{"custom_rules": [', 'is not valid'],
		['a key twice', 'rules.json', '{"custom_rules": [], "custom_rules": []}', 'Map keys must be unique'],
		['deep nesting', 'rules.json', deepModules, 'It is nested deeper than 1,000 levels.'],
		['deep nesting in YAML', 'rules.yaml', '['.repeat(50_000), 'It is nested too deeply.'],
		['many bytes', 'rules.json', `{"a":"${'x'.repeat(27_000_000)}"}`, 'files of at most 26214400 bytes'],
		['no file', 'none.json', undefined, 'cannot be read'],
	])('%s', async (_name, file, content, sentence) => {
		const {code, stdout, stderr} = await createLint(file, content)();
		expect({code, stdout}).toEqual({code: 2, stdout: ''});
		expect(stderr).toContain(sentence);
		expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
	});

	test('a folder', async () => {
		const cwd = createScratchFolder();
		mkdirSync(join(cwd, 'rules'));
		const {code, stderr} = await ledge(['firewall', 'lint', 'rules'], {cwd});
		expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining('is a folder.')});
	});
});
