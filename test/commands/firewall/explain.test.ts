import {describe, expect, test} from 'vitest';
import {ledge} from '../../support/run.ts';
import {serveSimulator} from '../../support/serve-simulator.ts';

const explain = (words: readonly string[], input?: string) =>
	ledge(['firewall', 'explain', ...words], input === undefined ? {} : {input});

describe('a valid expression', () => {
	test('is reported with its normal form, fields, functions and length', async () => {
		const {code, stdout, stderr} = await explain(['lower(http.host)   ==   "a.example"  &&  ssl']);
		expect({code, stderr}).toEqual({code: 0, stderr: ''});
		expect(stdout).toMatch(/^The expression is valid\.\n/);
		expect(stdout).toContain('\n  lower(http.host) eq "a.example" and ssl\n');
		expect(stdout).toMatch(
			/\nFields:\n {2}NAME +TYPE +PLAN +ABOUT\n {2}http\.host +String +all +\S.*\n {2}ssl +Boolean +all +\S/,
		);
		expect(stdout).toMatch(/\nFunctions:\n {2}NAME +PLAN +ABOUT\n {2}lower +all +\S/);
		expect(stdout).toMatch(/\nLength: 44 of 4,096 characters\n$/);
	});

	test('stays valid despite warnings', async () => {
		const {code, stdout} = await explain(['ip.geoip.country eq "DE"']);
		expect(code).toBe(0);
		expect(stdout).toContain('\nWarnings:\n');
		expect(stdout).toContain('ip.src.country');
	});

	test('comes from standard input, without the final line feed', async () => {
		const {code, stdout} = await explain(['-', '--json'], 'ssl\n');
		expect(code).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({valid: true, characters: 3, bytes: 3});
	});
});

/** The texts above the carets in the output. */
function getMarkedTexts(stdout: string): string[] {
	const lines = stdout.split('\n');
	return lines.flatMap((line, index) => {
		const carets = /^( +)(\^+)$/.exec(line);
		if (!carets) return [];
		const [, before = '', under = ''] = carets;
		return [(lines[index - 1] ?? '').slice(before.length, before.length + under.length)];
	});
}

describe('an invalid expression', () => {
	test('is reported with the position, the text and a correction for each error', async () => {
		const {code, stdout, stderr} = await explain(['http.hots eq "a"\nand ssl == true']);
		expect({code, stderr}).toEqual({code: 1, stderr: ''});
		expect(stdout).toMatch(/^The expression is not valid: 2 errors\.\n/);
		expect(stdout).toContain('line 1, column 1: ');
		expect(stdout).toContain('line 2, column ');
		expect(getMarkedTexts(stdout)[0]).toBe('http.hots');
		expect(stdout).toContain('replace http.hots with http.host');
	});

	test('has carets in the right place after wide characters', async () => {
		const {stdout} = await explain(['http.host eq "日本" and foo']);
		const [line = '', carets = ''] = stdout.split('\n').slice(3, 5);
		expect(line).toBe('  http.host eq "日本" and foo');
		// Two characters of two columns each stand before the name.
		expect(carets).toBe(`${' '.repeat(line.indexOf('foo') + 2)}^^^`);
	});

	test('has control characters escaped, with carets still in place', async () => {
		const {stdout} = await explain(['ssl\t\u001b[2J\u202e']);
		expect(stdout).toContain('ssl\\t\\x1b[2J\\u202e');
		expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
	});

	test('can be too long: more than 4,096 bytes', async () => {
		// 15: the length of the expression without the value.
		const text = `http.host eq "${'x'.repeat(4096 - 15)}"`;
		expect((await explain(['-'], text)).code).toBe(0);
		const {code, stdout} = await explain(['-'], text.replace('"x', '"xx'));
		expect(code).toBe(1);
		expect(stdout).toMatch(/4,?097/);
		expect(stdout).toContain('4,097 of 4,096 characters');
	});

	test('can be empty text', async () => {
		expect((await explain([''])).code).toBe(1);
	});

	test('is reported in full with --json, with exit code 1', async () => {
		const {code, stdout, stderr} = await explain(['http.hots eq "é"', '--json']);
		expect({code, stderr}).toEqual({code: 1, stderr: ''});
		expect(JSON.parse(stdout)).toEqual({
			valid: false,
			plan: null,
			errors: [
				{
					line: 1,
					column: 1,
					start: 0,
					end: 9,
					sentence: expect.stringContaining('http.hots'),
					code: 'E003',
					engine: 'unknown identifier',
					correction: {start: 0, end: 9, text: 'http.host'},
				},
			],
			warnings: [],
			hints: [],
			formatted: expect.anything(),
			fields: [],
			functions: [],
			characters: 16,
			bytes: 17,
		});
	});
});

describe('the plan', () => {
	const regex = 'http.host matches "^a$"';

	test('turns a warning into an error if it lacks a feature', async () => {
		expect((await explain([regex])).code).toBe(0);
		expect((await explain([regex, '--plan', 'business'])).code).toBe(0);
		const {code, stdout} = await explain([regex, '--plan', 'pro']);
		expect(code).toBe(1);
		expect(stdout).toMatch(/^The expression is not valid on the Pro plan: /);
	});

	test('comes from the named zone', async () => {
		const {env} = await serveSimulator();
		const explainForZone = async (zone: string) =>
			JSON.parse((await ledge(['firewall', 'explain', regex, '--zone', zone, '--json'], {env})).stdout);
		expect(await explainForZone('acme-shop.example')).toMatchObject({plan: 'pro', valid: false});
		expect(await explainForZone('acme-pay.example')).toMatchObject({plan: 'business', valid: true});
	});

	test('comes from --plan without looking up the zone', async () => {
		const {code} = await explain([regex, '--plan', 'business', '--zone', 'nowhere.example']);
		expect(code).toBe(0);
	});

	test('must exist', async () => {
		expect((await explain(['ssl', '--plan', 'gold'])).code).toBe(2);
	});
});

test('a missing expression is wrong use', async () => {
	expect(await explain([])).toMatchObject({code: 2, stdout: ''});
});

test('input that is not UTF-8 is reported as such', async () => {
	const {code, stderr} = await ledge(['firewall', 'explain', '-'], {input: Uint8Array.of(0x22, 0xff)});
	expect(code).toBe(2);
	expect(stderr).toContain('UTF-8');
});

describe('codes', () => {
	test('end the sentence of a warning, and are in --json', async () => {
		expect((await explain(['http.host in {}'])).stdout).toMatch(/the set is empty\. \[L005\]\n/);
		const {warnings} = JSON.parse((await explain(['http.host in {}', '--json'])).stdout);
		expect(warnings).toMatchObject([{code: 'L005', sentence: expect.not.stringContaining('L005')}]);
		expect((await explain(['http.hots eq "a"'])).stdout).toContain('did you mean http.host? [E003]\n');
		expect((await explain(['ip.src eq 10.0.0.1'])).stdout).toContain('a public IP address. [L074]\n');
	});

	test('are explained with their examples', async () => {
		const {code, stdout, stderr} = await explain(['--code', 'l005']);
		expect({code, stderr}).toEqual({code: 0, stderr: ''});
		expect(stdout).toMatch(
			/^L005 \(warning\): Empty set\n\n.+\.\n\nWrong:\n {2}http\.host in \{\}\nRight:\n {2}http\.host in \{"a\.example"\}\n\nSee https:\S+\n$/,
		);
		expect(JSON.parse((await explain(['--code', 'L001', '--json'])).stdout)).toMatchObject({
			code: 'L001',
			level: 'warning',
			title: 'Octal number',
			example: {
				wrong: 'cf.edge.server_port eq 0443',
				phase: null,
				plan: null,
				letsThrough: false,
				allowUnknown: false,
			},
		});
	});

	test('are escaped in examples', async () => {
		expect((await explain(['--code', 'L004'])).stdout).toContain('"a.example\\u200b"');
	});

	test('are all listed without a value', async () => {
		const {stdout} = await explain(['--code']);
		expect(stdout).toMatch(/^CODE +LEVEL +TITLE\nE001 +error +Syntax error\n/);
		expect(stdout).toMatch(/\nL001 +warning +Octal number\n/);
		const lints = JSON.parse((await explain(['--code', '--json'])).stdout);
		expect(lints.map(({code}: {code: string}) => code)).toContain('L005');
	});

	test('say where their example is used', async () => {
		expect((await explain(['--code', 'L056'])).stdout).toContain(
			'\nWrong (the account has the list $office of kind ip):\n  ip.src in $ofice\n',
		);
		expect((await explain(['--code', 'E005'])).stdout).toContain('\nWrong (Pro plan):\n');
	});

	test('that are unknown are wrong use, with the closest one and how to list them', async () => {
		expect(await explain(['--code', 'L01'])).toMatchObject({
			code: 2,
			stderr: expect.stringMatching(
				/Unknown code "L01"[\s\S]*Did you mean L001\?[\s\S]*firewall explain --code/,
			),
		});
		expect(await explain(['ssl', '--code', 'L001'])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining("--code and an expression can't be combined"),
		});
	});
});

describe('--deny', () => {
	const exitCode = async (...words: string[]) => (await explain(words)).code;

	test('warning makes the exit code 1 for warnings, but not for hints', async () => {
		expect(await exitCode('http.host in {}', '--deny', 'warning')).toBe(1);
		expect(await exitCode('http.host in {}')).toBe(0);
		expect(await exitCode('ip.src eq 10.0.0.1', '--deny', 'warning')).toBe(0);
	});

	test('hint makes the exit code 1 for hints and warnings', async () => {
		expect(await exitCode('ip.src eq 10.0.0.1', '--deny', 'hint')).toBe(1);
		expect(await exitCode('http.host in {}', '--deny', 'hint')).toBe(1);
		expect(await exitCode('ssl', '--deny', 'hint', '--json')).toBe(0);
	});

	test('takes no other level', async () => {
		expect(await exitCode('ssl', '--deny', 'error')).toBe(2);
	});
});

describe('the lists of fields and functions', () => {
	test('can be searched by words in names and descriptions', async () => {
		const {code, stdout} = await explain(['--fields', 'BOT verified']);
		expect(code).toBe(0);
		expect(stdout).toContain(
			'cf.bot_management.verified_bot  Boolean  Enterprise, add-on\n    whether the client is a verified bot\n',
		);
		expect(stdout).toMatch(/\n\d+ fields?, 0 functions; as of \d{4}-\d\d-\d\d\n$/);
		const functions = (await explain(['--fields=base64'])).stdout;
		expect(functions).toContain('encode_base64(');
		expect(functions).toMatch(/Only in .*response header/);
	});

	test('are shown with values and as JSON', async () => {
		expect((await explain(['--fields=continent'])).stdout).toContain(
			'Values: AF, AN, AS, EU, NA, OC, SA, T1',
		);
		const {fields, functions, date} = JSON.parse((await explain(['--fields', '--json'])).stdout);
		expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
		expect(fields.length).toBeGreaterThan(200);
		expect(fields.find((one: {name: string}) => one.name === 'cf.waf.score')).toMatchObject({
			type: 'Integer',
			plan: 'enterprise',
			addOn: false,
		});
		expect(functions.find((one: {name: string}) => one.name === 'split')).toMatchObject({
			call: expect.stringMatching(/^split\(.*\) → Array<String>$/),
			onlyIn: expect.arrayContaining(['http_custom_errors']),
		});
	});

	test('contain only entries usable in the given phase', async () => {
		const customPhase = JSON.parse((await explain(['--fields=split', '--json', '--phase', 'custom'])).stdout);
		expect(customPhase.functions).toEqual([]);
		const errorsPhase = JSON.parse((await explain(['--fields=split', '--json', '--phase', 'errors'])).stdout);
		expect(errorsPhase.functions).toHaveLength(1);
	});
});

describe('the phase', () => {
	test('decides which fields are usable and whether a value is expected', async () => {
		expect(await explain(['http.response.code eq 404'])).toMatchObject({code: 1});
		expect(await explain(['http.response.code eq 404', '--phase', 'errors'])).toMatchObject({code: 0});
		expect(await explain(['concat(http.host, "x")'])).toMatchObject({code: 1});
		const value = ['concat(http.host, "x")', '--phase', 'http_response_headers_transform.value'];
		expect(await explain(value)).toMatchObject({code: 0});
		expect(await explain(['ssl', '--phase', 'custm'])).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('Did you mean "custom"?'),
		});
	});

	test('an unknown name is an error with the date of the lists, or a warning with --allow-unknown', async () => {
		const words = ['http.request.brand_new eq "x"'];
		const refused = await explain(words);
		expect(refused).toMatchObject({code: 1, stdout: expect.stringMatching(/\(as of \d{4}-\d\d-\d\d\)/)});
		expect(await explain([...words, '--allow-unknown'])).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/Warnings:[\s\S]*\(as of \d{4}-/),
		});
	});

	test('what the plan or the phase lacks is a warning with --allow-unknown, but not a response in custom rules', async () => {
		const allow = async (...words: string[]) =>
			JSON.parse((await explain([...words, '--allow-unknown', '--json'])).stdout);
		expect(await allow('http.host matches "^a$"', '--plan', 'free')).toMatchObject({
			errors: [],
			warnings: [{code: 'L022'}],
		});
		expect(await allow('sha256(http.host) eq "00"')).toMatchObject({errors: [], warnings: [{code: 'L021'}]});
		expect(await allow('http.response.code eq 404')).toMatchObject({errors: [{code: 'E008'}]});
	});
});
