import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {PassThrough} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {
	type CheckedInput,
	checkInput,
	listInputWarnings,
	refuseProblems,
} from '../../../source/kv/bulk/check.ts';
import {type BulkFormat, keysFormat, writesFormat} from '../../../source/kv/bulk/entries.ts';
import {type BulkInput, openInput, readElements} from '../../../source/kv/bulk/input.ts';
import {Ranges} from '../../../source/text/ranges.ts';
import {failureOf, makeWorkspace, streamOf, type Workspace} from '../support/workspace.ts';

const signal = new AbortController().signal;
const now = 1_800_000_000;

const open = (space: Workspace, path: string, stdin = ''): Promise<BulkInput> =>
	openInput(path, {environment: space.environment, stdin: streamOf(stdin), signal});

async function check<Content>(
	content: string,
	format: BulkFormat<Content>,
	sentEntries?: Ranges,
): Promise<CheckedInput<Content>> {
	using space = makeWorkspace();
	using input = await open(space, space.writeFile('load.json', content));
	return await checkInput(input, format, {now, signal, ...(sentEntries && {sentEntries})});
}

const createWritesJson = (
	count: number,
	getExtraProperties: (number: number) => object = () => ({}),
): string =>
	JSON.stringify(
		Array.from({length: count}, (_, at) => ({
			key: `key:${at + 1}`,
			value: `v${at + 1}`,
			...getExtraProperties(at + 1),
		})),
		null,
		'\t',
	);

describe('the input', () => {
	test('is reported missing if it does not exist, is a folder, or cannot be read', async () => {
		using space = makeWorkspace();
		expect(await failureOf(open(space, space.path('absent')))).toMatchObject({code: 'input_missing'});
		expect(await failureOf(open(space, space.folder))).toMatchObject({
			code: 'input_missing',
			message: expect.stringContaining('is a folder'),
		});
	});

	test.skipIf(process.getuid?.() === 0)('is reported missing without read permission', async () => {
		using space = makeWorkspace();
		const path = space.writeFile('secret', '[]');
		chmodSync(path, 0);
		using input = await open(space, path);
		expect(await failureOf(checkInput(input, keysFormat, {now, signal}))).toMatchObject({
			code: 'input_missing',
		});
	});

	test('is copied from standard input, readable only by this user, and the copy is removed when it is disposed', async () => {
		using space = makeWorkspace();
		let copy = '';
		{
			using input = await open(space, '-', '["a","b"]');
			copy = input.path;
			expect(input).toMatchObject({label: 'standard input', size: 9, isInStateDirectory: true, isCopy: true});
			expect([readFileSync(copy, 'utf8'), statSync(copy).mode & 0o777]).toEqual(['["a","b"]', 0o600]);
			expect(copy.startsWith(space.state)).toBe(true);
		}
		expect(existsSync(copy)).toBe(false);
	});

	test('is read from standard input without a state directory, and leaves nothing behind', async () => {
		using space = makeWorkspace();
		let copy = '';
		{
			using input = await openInput('-', {environment: {}, stdin: streamOf('["a"]'), signal});
			copy = input.path;
			expect(input.isInStateDirectory).toBe(false);
			expect((await checkInput(input, keysFormat, {now, signal})).validCount).toBe(1);
		}
		expect(existsSync(copy)).toBe(false);
		expect(readdirSync(space.folder)).toEqual([]);
	});

	test('leaves no copy behind if copying it fails', async () => {
		using space = makeWorkspace();
		async function* broken(): AsyncGenerator<Uint8Array> {
			yield Buffer.from('["a"');
			throw Object.assign(new TypeError('no space'), {code: 'ENOSPC'});
		}
		const opened = openInput('-', {environment: space.environment, stdin: broken(), signal});
		expect(await failureOf(opened)).toMatchObject({
			code: 'file_failed',
			message: expect.stringMatching(/^The disk is full: /),
		});
		expect(readdirSync(`${space.state}/inputs`)).toEqual([]);
	});

	describe.skipIf(process.platform === 'win32')('through a pipe', () => {
		function createPipe(space: Workspace): string {
			const path = space.path('pipe');
			execFileSync('mkfifo', [path]);
			return path;
		}

		test('is read, even if its writer comes later', async () => {
			using space = makeWorkspace();
			const path = createPipe(space);
			const opening = open(space, path);
			await writeFile(path, '["a","b"]');
			using input = await opening;
			expect(readFileSync(input.path, 'utf8')).toBe('["a","b"]');
		});

		test('without a writer is given up on an interrupt, and leaves nothing behind', async () => {
			using space = makeWorkspace();
			const controller = new AbortController();
			const opening = openInput(createPipe(space), {
				environment: space.environment,
				stdin: streamOf(''),
				signal: controller.signal,
			});
			setImmediate(() => controller.abort());
			expect(await failureOf(opening)).toMatchObject({code: 'interrupted'});
			expect(readdirSync(`${space.state}/inputs`)).toEqual([]);
		});
	});

	test('from a silent standard input is given up on an interrupt', async () => {
		using space = makeWorkspace();
		const controller = new AbortController();
		const stdin = new PassThrough();
		const opening = openInput('-', {environment: space.environment, stdin, signal: controller.signal});
		setImmediate(() => controller.abort());
		expect(await failureOf(opening)).toMatchObject({code: 'interrupted'});
		expect(stdin.destroyed).toBe(true);
		expect(readdirSync(`${space.state}/inputs`)).toEqual([]);
	});

	test('is reported if it changes while being read', async () => {
		using space = makeWorkspace();
		const path = space.writeFile('load.json', '["a"]');
		using input = await open(space, path);
		appendFileSync(path, ' ');
		const read = async () => {
			for await (const _group of readElements(input, keysFormat, signal));
		};
		expect(await failureOf(read())).toMatchObject({code: 'changed_meanwhile'});
	});

	test('stops being read on an interrupt', async () => {
		using space = makeWorkspace();
		using input = await open(space, space.writeFile('load.json', createWritesJson(10)));
		const aborted = AbortSignal.abort();
		expect(await failureOf(checkInput(input, writesFormat, {now, signal: aborted}))).toMatchObject({
			code: 'interrupted',
		});
	});
});

describe('the check', () => {
	test('counts entries and computes the digest of the content', async () => {
		const content = createWritesJson(3000);
		const checked = await check(content, writesFormat);
		expect(checked).toMatchObject({entryCount: 3000, validCount: 3000, problemCount: 0, problems: []});
		expect(checked.digest).toBe(createHash('sha256').update(content).digest('hex'));
		expect(listInputWarnings(checked, {isOrdered: true})).toEqual([]);
	});

	test('accepts an empty array, but not an empty file', async () => {
		expect(await check('[]', writesFormat)).toMatchObject({entryCount: 0, validCount: 0});
		expect(await failureOf(check('', writesFormat))).toMatchObject({
			code: 'input_malformed',
			details: {why: 'It is empty.'},
		});
	});

	test('names the one bad entry of ten thousand, with its line and the rule', async () => {
		const content = createWritesJson(10_000, number => (number === 7341 ? {expiration_ttl: 59} : {}));
		const checked = await check(content, writesFormat);
		expect(checked).toMatchObject({entryCount: 10_000, validCount: 9999, problemCount: 1});
		const line = content.slice(0, content.indexOf('"key:7341"')).split('\n').length - 1;
		expect(await failureOf((async () => refuseProblems(checked))())).toMatchObject({
			code: 'input_malformed',
			message: expect.stringContaining('1 of the 10000 entries'),
			details: {
				why: `entry 7341 (line ${line}, key "key:7341"): The ttl is too short. A ttl must be at least 60 seconds; this one is 59.`,
				next: expect.stringContaining('--skip-invalid'),
			},
		});
	});

	test('reports the first twelve problems, and counts all', async () => {
		const checked = await check(
			createWritesJson(100, number => (number % 2 === 0 ? {value: number} : {})),
			writesFormat,
		);
		expect(checked.problemCount).toBe(50);
		expect(checked.problems.map(({entryNumber}) => entryNumber)).toEqual([
			2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24,
		]);
		expect(() => refuseProblems(checked)).toThrow(
			expect.objectContaining({
				details: expect.objectContaining({why: expect.stringMatching(/and 38 more$/)}),
			}),
		);
	});

	test('skips entries that a job has already sent', async () => {
		const content = createWritesJson(10, number => (number === 4 ? {expiration: now} : {}));
		expect((await check(content, writesFormat)).problemCount).toBe(1);
		expect(await check(content, writesFormat, new Ranges([[3, 6]]))).toMatchObject({
			problemCount: 0,
			validCount: 10,
		});
	});

	test('warns once each about properties that are not sent and about odd keys', async () => {
		const checked = await check(
			JSON.stringify([
				{key: 'a b', value: '', foo: 1, bar: 2},
				{key: 'c\u001fd', value: '', foo: 1},
				{key: 'e', value: ''},
			]),
			writesFormat,
		);
		expect(listInputWarnings(checked, {isOrdered: true})).toEqual([
			'The properties "foo", "bar" of 2 entries are unknown and are not sent.',
			'Keys with white space or control characters: 2; "a b", "c\\u001fd"',
		]);
	});

	test.each([
		['ttl', 'The property "ttl" of 1 entry is unknown and is not sent. Did you mean "expiration_ttl"?'],
		[
			'expration',
			'The property "expration" of 1 entry is unknown and is not sent. Did you mean "expiration"?',
		],
		['note', 'The property "note" of 1 entry is unknown and is not sent.'],
	])('says that %s is left out, not its entry, and which property was meant', async (name, warning) => {
		const checked = await check(JSON.stringify([{key: 'q', value: '1', [name]: 30}]), writesFormat);
		expect(checked.validCount).toBe(1);
		expect(listInputWarnings(checked, {isOrdered: true})).toEqual([warning]);
	});

	test('reports exactly which keys are repeated, with their first and last entry', async () => {
		const entries = Array.from({length: 5000}, (_, at) => ({key: `key:${at}`, value: 'v'}));
		const all = [
			...entries,
			{key: 'key:7', value: 'w'},
			{key: 'key:4999', value: 'w'},
			{key: 'key:7', value: 'x'},
		];
		const {repeats, ...checked} = await check(JSON.stringify(all), writesFormat);
		expect(repeats).toMatchObject({isExact: true, keyCount: 2, overruledCount: 3});
		expect(repeats.samples).toEqual([
			{key: 'key:7', times: 3, first: 8, last: 5003},
			{key: 'key:4999', times: 2, first: 5000, last: 5002},
		]);
		expect([repeats.has('key:7'), repeats.has('key:8')]).toEqual([true, false]);
		expect(listInputWarnings({...checked, repeats}, {isOrdered: true})).toEqual([
			'Repeated keys: 2; the last entry for each wins: "key:7", "key:4999"',
		]);
	});

	test('never misses a repeated key, even if there are too many to list', async () => {
		const keys = Array.from({length: 120_000}, (_, at) => `k${at}`);
		const {repeats} = await check(JSON.stringify([...keys, ...keys, 'alone']), keysFormat);
		expect(repeats).toMatchObject({isExact: false, overruledCount: undefined});
		expect(keys.every(key => repeats.has(key))).toBe(true);
	});

	test('does not mistake unique keys for repeated ones', async () => {
		const keys = Array.from({length: 100_000}, (_, at) => `user:${at}:profile`);
		const {repeats} = await check(JSON.stringify(keys), keysFormat);
		expect(repeats).toMatchObject({isExact: true, keyCount: 0});
	});
});
