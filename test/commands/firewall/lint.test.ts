import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createScratchFolder, ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';

/** Runs `firewall lint` in a folder with these files. */
function createLintRun(files: Readonly<Record<string, string | object>>) {
	const cwd = createScratchFolder();
	for (const [name, content] of Object.entries(files))
		writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));
	return {
		cwd,
		lint: (words: readonly string[], input?: string) =>
			ledge(['firewall', 'lint', ...words], {cwd, ...(input !== undefined && {input})}),
	};
}

const rules = `custom_rules:
  - description: Admin
    action: block
    expression: starts_with(http.request.uri.path, "/admin")
  - ref: login
    action: managed_challenge
    expression: http.request.uri.path eq "/admin/login"
  - action: block
    expression: http.hots eq "a"
    enabled: false
`;

const clean = 'custom_rules:\n  - action: block\n    expression: ssl and http.host eq "a.example"\n';

describe('a rules file', () => {
	test('is reported with places, rules, levels, codes, corrections and a summary', async () => {
		const {lint} = createLintRun({'rules.yaml': rules});
		const {code, stdout, stderr} = await lint(['rules.yaml']);
		expect({code, stderr}).toEqual({code: 1, stderr: ''});
		expect(
			stdout,
		).toBe(`rules.yaml:5:5: warning: The rule never runs: custom rule 1 "Admin" blocks all of its requests first. [L201]
  custom rule 2 login

rules.yaml:9:17: error: ${/error: (Unknown field http\.hots.*)\n/.exec(stdout)?.[1]}
  custom rule 3
  http.hots eq "a"
  ^^^^^^^^^
  replace http.hots with http.host

rules.yaml:8:5: hint: The rule is paused, so it does nothing. [L202]
  custom rule 3

1 error, 1 warning, 1 hint in 3 rules.
`);
	});

	test('comes from standard input, in YAML or JSON', async () => {
		const {lint} = createLintRun({});
		const yaml = await lint(['-'], rules);
		expect(yaml).toMatchObject({code: 1, stdout: expect.stringContaining('standard input:9:17: error: ')});
		const text = '{"custom_rules": [{"action": "block", "expression": "http.hots eq 1"}]}';
		const place = `standard input:1:${text.indexOf('http') + 1}: error: `;
		expect(await lint(['-'], text)).toMatchObject({code: 1, stdout: expect.stringContaining(place)});
	});

	test('without problems is said to have none', async () => {
		const {lint} = createLintRun({'a.yaml': clean, 'b.yaml': clean});
		expect(await lint(['a.yaml', 'b.yaml', '--deny', 'hint'])).toMatchObject({
			code: 0,
			stdout: 'No problems in 2 rules.\n',
		});
	});

	test('named twice is checked once', async () => {
		const {lint} = createLintRun({'rules.yaml': rules});
		const {stdout} = await lint(['rules.yaml', 'rules.yaml']);
		expect(stdout).toMatch(/\n1 error, 1 warning, 1 hint in 3 rules\.\n$/);
		expect(await lint(['-', '-'], rules)).toMatchObject({code: 1, stderr: ''});
	});

	test.each([
		['that is missing', 'none.yaml', 2],
		['that is no rules file', 'readme.md', 2],
		['with an unknown field', 'field.yaml', 2],
	])('%s is wrong input', async (_name, file, exitCode) => {
		const {lint} = createLintRun({
			'readme.md': '# Title\n',
			'field.yaml': 'custom_rules:\n  - action: block\n    expression: ssl\n    colour: red\n',
		});
		expect(await lint([file])).toMatchObject({code: exitCode, stdout: ''});
	});
});

describe('--deny', () => {
	test.each([
		['a warning', rules.split('  - action: block\n')[0] ?? '', {error: 0, warning: 1, hint: 1}],
		['a hint', `${clean}    enabled: false\n`, {error: 0, warning: 0, hint: 1}],
		['an error', rules, {error: 1, warning: 1, hint: 1}],
	])('says from which level on %s makes it exit with 1', async (_name, text, exitCodes) => {
		const {lint} = createLintRun({'rules.yaml': text});
		for (const [level, exitCode] of Object.entries(exitCodes))
			expect((await lint(['rules.yaml', '--deny', level])).code, level).toBe(exitCode);
		expect((await lint(['rules.yaml'])).code).toBe(exitCodes.error);
	});

	test('takes only a level', async () => {
		const {lint} = createLintRun({'rules.yaml': clean});
		expect((await lint(['rules.yaml', '--deny', 'note'])).code).toBe(2);
	});
});

test('--plan, --phase and --allow-unknown decide what is checked', async () => {
	const {lint} = createLintRun({
		'rules.yaml': 'custom_rules:\n  - action: block\n    expression: http.host matches "^a$"\n',
		'new.yaml': 'custom_rules:\n  - action: block\n    expression: http.brand_new eq "a"\n',
	});
	expect((await lint(['rules.yaml'])).code).toBe(0);
	expect((await lint(['rules.yaml', '--plan', 'pro'])).code).toBe(1);
	expect((await lint(['rules.yaml', '--plan', 'pro', '--phase', 'ratelimit'])).stdout).toBe(
		'No problems in 0 rules.\n',
	);
	expect((await lint(['new.yaml'])).code).toBe(1);
	expect(await lint(['new.yaml', '--allow-unknown'])).toMatchObject({
		code: 0,
		stdout: expect.stringContaining('1 warning in 1 rule.'),
	});
});

test('--json has the findings with their places, and what was not checked', async () => {
	const plan = {
		format_version: '1.2',
		resource_changes: [
			{
				address: 'cloudflare_ruleset.custom',
				mode: 'managed',
				type: 'cloudflare_ruleset',
				change: {
					actions: ['create'],
					after: {kind: 'zone', phase: 'http_request_firewall_custom', rules: [{action: 'block'}]},
					after_unknown: {rules: [{expression: true}]},
				},
			},
		],
	};
	const {lint} = createLintRun({'rules.yaml': rules, 'plan.json': plan});
	const {stdout, stderr} = await lint(['rules.yaml', 'plan.json', '--json']);
	expect(stderr).toBe('');
	expect(JSON.parse(stdout)).toEqual({
		errors: 1,
		warnings: 1,
		hints: 1,
		rules: 4,
		findings: [
			{
				level: 'warning',
				code: 'L201',
				sentence: expect.any(String),
				file: 'rules.yaml',
				zone: null,
				line: 5,
				column: 5,
				kind: 'custom rule',
				phase: 'http_request_firewall_custom',
				rule: {
					position: 2,
					id: null,
					ref: 'login',
					description: null,
					action: 'managed_challenge',
					address: null,
				},
				inExpression: null,
			},
			expect.objectContaining({
				line: 9,
				column: 17,
				inExpression: expect.objectContaining({
					expression: 'http.hots eq "a"',
					line: 1,
					column: 1,
					correction: {start: 0, end: 9, text: 'http.host'},
				}),
			}),
			expect.objectContaining({level: 'hint', code: 'L202'}),
		],
		notChecked: [
			{
				name: 'custom rule cloudflare_ruleset.custom.rules[0]',
				why: 'its expression is known only after apply',
			},
		],
	});
});

test('its codes are explained by `firewall explain --code`', async () => {
	const {stdout} = await ledge(['firewall', 'explain', '--code', 'l201']);
	expect(stdout).toMatch(/^L201 \(warning\): .*\n\n.*\n\nWrong:\n {2}custom_rules:\n {4}- action: block\n/);
	expect((await ledge(['firewall', 'explain', '--code'])).stdout).toMatch(/^L204 +hint /m);
});

test('names that would move the cursor are escaped, and cannot add lines', async () => {
	const {lint} = createLintRun({
		'rules.json': {
			custom_rules: [
				{action: 'block', expression: 'ssl', description: '\u001b[2J\nrules.json:1:1: error: Fake'},
				{action: 'block', expression: 'ssl', description: '\u202egnitset'},
			],
		},
	});
	const {stdout} = await lint(['rules.json']);
	expect(stdout).toContain('\\x1b[2J\\nrules.json:1:1: error: Fake');
	expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
	expect(stdout).not.toMatch(/^rules.json:1:1: error: Fake/m);
});

describe('--sarif', () => {
	test('writes a log with rules, levels and places, beside the text', async () => {
		const {lint, cwd} = createLintRun({'my rules.yaml': rules});
		const {code, stdout} = await lint(['my rules.yaml', '--sarif', 'lint.sarif']);
		expect({code, stdout}).toEqual({code: 1, stdout: expect.stringContaining('1 error, 1 warning')});
		const log = JSON.parse(readFileSync(join(cwd, 'lint.sarif'), 'utf8'));
		expect(log).toMatchObject({$schema: expect.stringContaining('sarif-2.1.0'), version: '2.1.0'});
		const [run] = log.runs;
		expect(run.columnKind).toBe('utf16CodeUnits');
		const {name, rules: descriptors} = run.tool.driver;
		expect(name).toBe('ledge');
		expect(descriptors.map(({id}: {id: string}) => id)).toEqual(['E003', 'L201', 'L202']);
		for (const {helpUri, shortDescription} of descriptors) {
			expect(helpUri).toMatch(/^https:\/\//);
			expect(shortDescription.text).toMatch(/^[A-Z].*\.$/);
		}
		expect(run.results.map(({level}: {level: string}) => level)).toEqual(['warning', 'error', 'note']);
		for (const {ruleId, ruleIndex} of run.results) expect(descriptors[ruleIndex].id).toBe(ruleId);
		expect(run.results[1]).toMatchObject({
			message: {
				text: expect.stringMatching(/^Unknown field http\.hots.* Suggested: http\.host \(custom rule 3\)$/),
			},
			locations: [
				{
					physicalLocation: {
						artifactLocation: {uri: 'my%20rules.yaml'},
						region: {startLine: 9, startColumn: 17},
					},
					logicalLocations: [
						{
							name: 'custom rule 3',
							fullyQualifiedName: 'my rules.yaml/http_request_firewall_custom/3',
						},
					],
				},
			],
		});
	});

	test('writes only the log to standard output for -, and replaces no file unasked', async () => {
		const {lint, cwd} = createLintRun({'rules.yaml': clean, 'lint.sarif': 'mine'});
		const {code, stdout} = await lint(['rules.yaml', '--sarif', '-']);
		expect(code).toBe(0);
		expect(JSON.parse(stdout).runs[0].results).toEqual([]);
		expect((await lint(['rules.yaml', '--sarif', 'lint.sarif'])).code).toBe(2);
		expect(readFileSync(join(cwd, 'lint.sarif'), 'utf8')).toBe('mine');
		expect((await lint(['rules.yaml', '--sarif', 'lint.sarif', '--yes'])).code).toBe(0);
		expect((await lint(['rules.yaml', '--sarif', '-', '--json'])).code).toBe(2);
		expect((await lint(['none.yaml', '--sarif', 'other.sarif'])).code).toBe(2);
		expect(existsSync(join(cwd, 'other.sarif'))).toBe(false);
	});
});

describe('a zone', () => {
	test('is checked with all its rules, by reads alone', async () => {
		const service = await serveSimulator();
		const {code, stdout} = await ledge(['firewall', 'lint', '--zone', 'acme.example', '--json'], service);
		const {findings, notChecked, rules: ruleCount} = JSON.parse(stdout);
		expect({code, notChecked}).toEqual({code: 0, notChecked: []});
		expect(ruleCount).toBeGreaterThan(10);
		expect(findings.filter((one: {code: string}) => one.code === 'L202')).toEqual([
			expect.objectContaining({zone: 'acme.example', file: null, line: null, kind: 'firewall rule'}),
			expect.objectContaining({kind: 'firewall rule'}),
		]);
		const log = JSON.parse(
			(await ledge(['firewall', 'lint', '--zone', 'acme.example', '--sarif', '-'], service)).stdout,
		);
		for (const {locations} of log.runs[0].results) {
			expect(locations).toEqual([{logicalLocations: [expect.objectContaining({kind: 'object'})]}]);
		}
	});

	test('whose firewall rules are retired has the others, and lists of the account are known', async () => {
		const service = await serveSimulator();
		const run = (...words: string[]) => ledge(['firewall', 'lint', ...words], service);
		const {stdout} = await run('--zone', 'done.acme.example', '--json');
		const kinds = new Set(JSON.parse(stdout).findings.map(({kind}: {kind: string}) => kind));
		expect([...kinds]).toEqual(['custom rule', 'rate limit']);
		expect(JSON.parse(stdout).notChecked).toEqual([]);
		const {lint: _, cwd} = createLintRun({
			'rules.yaml': 'custom_rules:\n  - action: block\n    expression: ip.src in $no_such_list\n',
		});
		const withZone = await ledge(['firewall', 'lint', 'rules.yaml', '--zone', 'done.acme.example'], {
			...service,
			cwd,
		});
		expect(withZone.stdout).toContain('no_such_list');
		expect((await ledge(['firewall', 'lint', 'rules.yaml'], {cwd})).stdout).toBe('No problems in 1 rule.\n');
	});

	test('names what the credential may not read', async () => {
		const service = await serveSimulator({
			faults: 'status=403 code=10000 message=Authentication%20error path=/http_ratelimit/',
		});
		const {code, stdout} = await ledge(['firewall', 'lint', '--zone', 'done.acme.example'], service);
		expect({code, stdout}).toEqual({
			code: 0,
			stdout: expect.stringContaining('\nNot checked: rate limits: '),
		});
	});
});

test('exports of firewall rules are read in both forms', async () => {
	const service = await serveSimulator();
	const {cwd, lint} = createLintRun({});
	for (const format of ['json', 'custom-rules']) {
		const {stdout} = await ledge(
			['firewall', 'export', '--zone', 'acme.example', '--format', format],
			service,
		);
		writeFileSync(join(cwd, 'export.json'), stdout);
		const result = await lint(['export.json']);
		expect(result).toMatchObject({code: 0, stdout: expect.stringContaining('The rule is paused')});
	}
});
