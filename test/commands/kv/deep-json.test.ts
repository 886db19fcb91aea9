import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, describe, expect, test} from 'vitest';
import {parseRulesExport} from '../../../source/firewall/export/read-export.ts';
import {parseConfiguration} from '../../../source/migration/configuration/configuration.ts';
import {parseJson} from '../../../source/text/json.ts';
import {failureOf} from '../../settings/support/files.ts';
import {createScratchFolder, ledge} from '../../support/run.ts';

const depth = 20_000;
const lists = `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const local = ['--local', '--namespace-id', 'N'];

let cwd: string;

beforeEach(() => {
	cwd = createScratchFolder();
});

function run(words: readonly string[], input = '') {
	return ledge([...words, ...local], {cwd, input});
}

const write = (name: string, text: string): string => {
	writeFileSync(join(cwd, name), text);
	return name;
};

describe('JSON nested 20,000 levels deep', () => {
	test('can be written, read, exported and imported as a value, byte for byte', async () => {
		write('value', lists);
		await run(['kv', 'key', 'put', 'k', '--path', 'value']);
		expect((await run(['kv', 'key', 'get', 'k'])).stdout).toBe(lists);
		expect((await run(['kv', 'export', '--output', 'all.ndjson'])).code).toBe(0);
		expect(JSON.parse(readFileSync(join(cwd, 'all.ndjson'), 'utf8'))).toEqual({key: 'k', value: lists});
		await run(['kv', 'key', 'delete', 'k']);
		expect((await run(['kv', 'import', 'all.ndjson', '--yes'])).code).toBe(0);
		expect((await run(['kv', 'key', 'get', 'k'])).stdout).toBe(lists);
	});

	test.each<[string, readonly string[], string]>([
		['metadata', ['kv', 'key', 'put', 'k', 'v', '--metadata', objects], '--metadata is not valid JSON.'],
		[
			'a list as metadata',
			['kv', 'key', 'put', 'k', 'v', '--metadata', lists],
			'--metadata is not valid JSON.',
		],
		['a bulk file', ['kv', 'bulk', 'put', 'bulk.json'], 'The entry is nested too deeply.'],
		['lines to import', ['kv', 'import', 'lines.ndjson'], 'The entry is nested too deeply.'],
		['keys to delete', ['kv', 'bulk', 'delete', 'keys.json', '--yes'], 'The entry is nested too deeply.'],
	])('in %s fails with a clear error, and nothing is written', async (_, words, what) => {
		const entry = `{"key":"k","value":"v","metadata":${objects}}`;
		write('bulk.json', `[${entry}]`);
		write('lines.ndjson', `{"key":"a","value":"b"}\n${entry}\n`);
		write('keys.json', `[${lists}]`);
		const {code, stderr} = await run(words);
		expect(code).toBe(2);
		expect(stderr).toContain(what);
		expect(stderr).toContain('It is nested deeper than 1,000 levels.');
		expect(stderr).not.toContain('Something in ledge itself');
		expect((await run(['kv', 'key', 'list'])).stdout).toBe('[]\n');
	});

	test.each<[string, () => unknown, string]>([
		[
			'an export of firewall rules',
			() => parseRulesExport(`{"rules":${lists}}`, 'x.json'),
			'x.json is not a firewall rules export',
		],
		[
			'a configuration to migrate to',
			() => parseConfiguration(`{"rules":${lists}}`, 'c.json'),
			'c.json is not JSON',
		],
	])('in %s fails with a clear error', async (_, read, what) => {
		const failure = await failureOf(read);
		expect(failure).toMatchObject({code: 'input_malformed', exitCode: 2});
		expect(failure.message).toContain(what);
		expect(failure.details.why).toContain('nested deeper than 1,000 levels');
	});

	test('in a response of the service makes it unreadable', () => {
		expect(parseJson(`{"success":true,"result":${lists}}`)).toBeUndefined();
		expect(parseJson('{"success":true,"result":[[1]]}')).toEqual({success: true, result: [[1]]});
	});
});
