import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {trashLimits} from '../../../source/kv/trash/limits.ts';
import {serveMiniflareExplorer} from '../../support/explorer.ts';
import {
	createScratchFolder,
	createVirtualClock,
	type EndedRun,
	ledge,
	type RunOptions,
} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

// What a deletion of many keys does with the trash: trash.test.ts. On screens: test/screens/trash/way-back.test.ts.

let service: ServedSimulator;
let folder: string;

beforeAll(async () => {
	service = await serveSimulator();
});
beforeEach(() => {
	folder = createScratchFolder();
});

const run = (words: readonly string[], {env, ...options}: RunOptions = {}): Promise<EndedRun> =>
	ledge(words, {
		cwd: folder,
		clock: createVirtualClock(Date.now()),
		env: {...service.env, ...env},
		...options,
	});

const onTerminal = {tty: true} as const;

const getTrashFolder = () => join(folder, '.local/state/ledge/trash');
const listTrashFiles = (): string[] =>
	existsSync(getTrashFolder())
		? readdirSync(getTrashFolder(), {recursive: true, encoding: 'utf8'}).sort()
		: [];

type Batch = {id: string; keys: number; first: string; reason: string; command: string};
const listBatches = async () => JSON.parse((await run(['kv', 'trash', 'list', '--json'])).stdout) as Batch[];

const stored = [
	{key: 'k', value: 'before', metadata: {v: 1}, expiration: 4_000_000_000},
	{key: 'other', value: 'else'},
];

/** Creates a namespace with two keys, and returns the options that name it. */
async function createFilledNamespace(kind: 'local' | 'remote'): Promise<readonly string[]> {
	const id = kind === 'local' ? 'here' : await createNamespace();
	const namespaceOptions = kind === 'local' ? ['--namespace-id', id, '--local'] : ['--namespace-id', id];
	writeFileSync(join(folder, 'in.ndjson'), stored.map(entry => `${JSON.stringify(entry)}\n`).join(''));
	expect(await run(['kv', 'import', 'in.ndjson', ...namespaceOptions])).toMatchObject({code: 0});
	return namespaceOptions;
}

async function createNamespace(): Promise<string> {
	const title = `made-${Math.random().toString(36).slice(2)}`;
	const {stdout} = await run(['kv', 'namespace', 'create', title, '--no-prefix', '--json']);
	return (JSON.parse(stdout) as {id: string}[])[0]?.id ?? '';
}

const readExport = async (namespaceOptions: readonly string[]) =>
	(await run(['kv', 'export', ...namespaceOptions])).stdout;

/** Writes the files that the commands below read, and returns an editor that writes `edited`. */
function prepare(): Readonly<Record<string, string>> {
	const editor = join(folder, 'editor.cjs');
	writeFileSync(editor, "require('node:fs').writeFileSync(process.argv[2], 'edited');");
	writeFileSync(join(folder, 'put.ndjson'), '{"key":"k","value":"put"}\n{"key":"new","value":"x"}\n');
	return {EDITOR: `${process.execPath} ${editor}`};
}

/** Commands that delete or overwrite a key, their reason in the trash, and who gets a copy by default. */
const destructiveCommands: Readonly<
	Record<
		string,
		{
			words: (namespaceOptions: readonly string[]) => readonly string[];
			reason: 'deleted' | 'overwritten';
			/** For whom a copy is kept without `--trash`: only on a terminal, never, or also in scripts. */
			keptByDefaultFor: 'person' | 'nobody' | 'everybody';
			/** Command that reverts what a restore does not, so that the namespace is as before. */
			cleanUp?: (namespaceOptions: readonly string[]) => readonly string[];
		}
	>
> = {
	'kv key put': {
		words: namespaceOptions => ['kv', 'key', 'put', 'k', 'after', ...namespaceOptions],
		reason: 'overwritten',
		keptByDefaultFor: 'person',
	},
	'kv key put --path': {
		words: namespaceOptions => ['kv', 'key', 'put', 'k', '--path', 'put.ndjson', ...namespaceOptions],
		reason: 'overwritten',
		keptByDefaultFor: 'person',
	},
	'kv key delete': {
		words: namespaceOptions => ['kv', 'key', 'delete', 'k', ...namespaceOptions],
		reason: 'deleted',
		keptByDefaultFor: 'person',
	},
	'kv key edit': {
		words: namespaceOptions => ['kv', 'key', 'edit', 'k', ...namespaceOptions],
		reason: 'overwritten',
		keptByDefaultFor: 'person',
	},
	'kv key rename --overwrite': {
		words: namespaceOptions => ['kv', 'key', 'rename', 'other', 'k', '--overwrite', ...namespaceOptions],
		reason: 'overwritten',
		keptByDefaultFor: 'person',
		cleanUp: namespaceOptions => ['kv', 'key', 'put', 'other', 'else', '--no-trash', ...namespaceOptions],
	},
	'kv key copy --overwrite': {
		words: namespaceOptions => ['kv', 'key', 'copy', 'other', 'k', '--overwrite', ...namespaceOptions],
		reason: 'overwritten',
		keptByDefaultFor: 'person',
	},
	'kv delete': {
		words: namespaceOptions => ['kv', 'delete', '--prefix', 'k', '--confirm', '1', ...namespaceOptions],
		reason: 'deleted',
		keptByDefaultFor: 'everybody',
	},
	'kv bulk put': {
		words: namespaceOptions => ['kv', 'bulk', 'put', 'put.ndjson', ...namespaceOptions],
		reason: 'overwritten',
		keptByDefaultFor: 'nobody',
		cleanUp: namespaceOptions => ['kv', 'key', 'delete', 'new', '--no-trash', ...namespaceOptions],
	},
	'kv import': {
		words: namespaceOptions => ['kv', 'import', 'put.ndjson', ...namespaceOptions],
		reason: 'overwritten',
		keptByDefaultFor: 'nobody',
		cleanUp: namespaceOptions => ['kv', 'key', 'delete', 'new', '--no-trash', ...namespaceOptions],
	},
	'kv copy': {
		words: ([, id, local]) => ['kv', 'copy', 'file:put.ndjson', `${local ? 'local' : 'remote'}:${id}`],
		reason: 'overwritten',
		keptByDefaultFor: 'nobody',
		cleanUp: namespaceOptions => ['kv', 'key', 'delete', 'new', '--no-trash', ...namespaceOptions],
	},
	'kv rename-prefix --overwrite': {
		words: namespaceOptions => [
			'kv',
			'rename-prefix',
			'other',
			'k',
			'--overwrite',
			'--confirm',
			'1',
			...namespaceOptions,
		],
		reason: 'overwritten',
		keptByDefaultFor: 'nobody',
		cleanUp: namespaceOptions => ['kv', 'key', 'put', 'other', 'else', '--no-trash', ...namespaceOptions],
	},
};
const names = Object.keys(destructiveCommands) as (keyof typeof destructiveCommands)[];

/** The command that a run printed to undo it, as words. */
function getPrintedUndoWords({stderr}: EndedRun): readonly string[] {
	const [, printed] = /^To undo within 7 days: ledge (.+)$/m.exec(stderr) ?? [];
	expect(printed, stderr).toBeDefined();
	return (printed ?? '').split(' ');
}

describe.each(['local', 'remote'] as const)('%s', kind => {
	test.each(names)('%s keeps the previous value, and the printed command brings it back', async name => {
		const {words, reason, keptByDefaultFor, cleanUp} = destructiveCommands[name] ?? {};
		const namespaceOptions = await createFilledNamespace(kind);
		const env = prepare();
		const before = await readExport(namespaceOptions);
		const givenWords = [
			...(words?.(namespaceOptions) ?? []),
			...(keptByDefaultFor === 'nobody' ? ['--trash'] : []),
		];
		const done = await run(givenWords, {...onTerminal, env});
		expect(done).toMatchObject({code: 0});
		expect(await readExport(namespaceOptions)).not.toBe(before);
		const kept = await listBatches();
		expect(kept).toMatchObject([{keys: 1, first: 'k', reason}]);
		const listed = await run(['kv', 'trash']);
		expect(listed.stdout).toMatch(new RegExp(`${reason} +1 +k `));
		expect(await run(getPrintedUndoWords(done))).toMatchObject({code: 0});
		if (cleanUp) expect(await run(cleanUp(namespaceOptions))).toMatchObject({code: 0});
		expect(await readExport(namespaceOptions)).toBe(before);
		expect(await listBatches()).toEqual([]);
	});

	test.each(names)('%s keeps nothing with --no-trash, or in a script by default', async name => {
		const {words, keptByDefaultFor} = destructiveCommands[name] ?? {};
		const namespaceOptions = await createFilledNamespace(kind);
		const env = prepare();
		const givenWords = words?.(namespaceOptions) ?? [];
		const done =
			keptByDefaultFor === 'nobody'
				? await run(givenWords, {...onTerminal, env})
				: await run(keptByDefaultFor === 'everybody' ? [...givenWords, '--no-trash'] : givenWords, {env});
		expect(done).toMatchObject({code: 0});
		expect(done.stderr).not.toContain('To undo');
		expect(listTrashFiles()).toEqual([]);
	});

	test.each(names)('%s: a full trash stops it unless confirmed, and suggests --no-trash', async name => {
		const {words, reason, keptByDefaultFor} = destructiveCommands[name] ?? {};
		const namespaceOptions = await createFilledNamespace(kind);
		const env = prepare();
		const before = await readExport(namespaceOptions);
		fillTrash();
		const files = listTrashFiles();
		const givenWords = words?.(namespaceOptions) ?? [];
		const wordsWithTrash = keptByDefaultFor === 'nobody' ? [...givenWords, '--trash'] : givenWords;
		const unchangedText = reason === 'deleted' ? 'nothing was deleted' : 'nothing was written';
		const refused = await run([...wordsWithTrash, '--yes'], {...onTerminal, env});
		expect(refused.code).toBe(2);
		expect(refused.stderr).toMatch(new RegExp(`(does|do) not fit in the trash, so ${unchangedText}\\.`));
		expect(refused.stderr).toContain('--no-trash');
		const declined = await run(wordsWithTrash, {...onTerminal, env, input: 'n\n'});
		expect(declined.code).toBe(1);
		expect(declined.stderr).toMatch(/(Delete|Write) without the trash\? This cannot be undone\. \[y\/N\]/);
		expect(await readExport(namespaceOptions)).toBe(before);
		const agreed = await run(wordsWithTrash, {...onTerminal, env, input: 'y\n'});
		expect(agreed).toMatchObject({code: 0});
		expect(await readExport(namespaceOptions)).not.toBe(before);
		expect(listTrashFiles()).toEqual(files);
	});

	test('writing a new key prints no undo command', async () => {
		const namespaceOptions = await createFilledNamespace(kind);
		const written = await run(['kv', 'key', 'put', 'fresh', 'x', ...namespaceOptions], onTerminal);
		expect(written).toMatchObject({code: 0});
		expect(written.stderr).not.toContain('To undo');
		expect(listTrashFiles()).toEqual([]);
		expect(
			JSON.parse(
				(await run(['kv', 'key', 'put', 'fresh', 'x', '--trash', '--json', ...namespaceOptions])).stdout,
			),
		).toMatchObject({written: true, trash: (await listBatches())[0]?.id});
	});

	test('a restore over an existing key also keeps the replaced value', async () => {
		const namespaceOptions = await createFilledNamespace(kind);
		const before = await readExport(namespaceOptions);
		const put = await run(['kv', 'key', 'put', 'k', 'after', ...namespaceOptions], onTerminal);
		const after = await readExport(namespaceOptions);
		const [first] = await listBatches();
		const skipped = await run(['kv', 'trash', 'restore', first?.id ?? ''], onTerminal);
		expect(skipped.stderr).toContain('Already exists, left unchanged: "k"');
		expect(await readExport(namespaceOptions)).toBe(after);
		const restored = await run(getPrintedUndoWords(put), onTerminal);
		expect(await readExport(namespaceOptions)).toBe(before);
		expect(await listBatches()).toMatchObject([{reason: 'overwritten', command: 'kv trash restore'}]);
		expect(await run(getPrintedUndoWords(restored))).toMatchObject({code: 0});
		expect(await readExport(namespaceOptions)).toBe(after);
	});

	test('a dry run shows the read, and neither keeps nor changes anything', async () => {
		const namespaceOptions = await createFilledNamespace(kind);
		prepare();
		const before = await readExport(namespaceOptions);
		for (const words of [
			['put', 'k', 'x'],
			['delete', 'k'],
		]) {
			const {stdout} = await run(['kv', 'key', ...words, '--trash', '--dry-run', ...namespaceOptions]);
			expect(stdout).toMatch(kind === 'local' ? /^read "k" for the trash$/m : /^# 1 {2}POST .*\/bulk\/get$/m);
			expect(stdout).toMatch(
				kind === 'local' ? /^(put|delete) "k"/m : /^# 2 {2}(PUT|DELETE) .*\/values\/k$/m,
			);
		}
		const bulk = await run(['kv', 'bulk', 'put', 'put.ndjson', '--trash', '--dry-run', ...namespaceOptions]);
		expect(bulk.stderr).toContain('The values of 2 keys are read first, to keep copies in the trash');
		expect(listTrashFiles()).toEqual([]);
		expect(await readExport(namespaceOptions)).toBe(before);
	});
});

/** Leaves no room in the trash. */
function fillTrash(): void {
	const about = {
		v: 1,
		deleted: Date.now(),
		target: {place: 'simulated'},
		label: 'x',
		keys: 2,
		bytes: 2,
		command: 'x',
	};
	mkdirSync(join(getTrashFolder(), 'full'), {recursive: true, mode: 0o700});
	writeFileSync(join(getTrashFolder(), 'full/about.json'), JSON.stringify(about));
	writeFileSync(join(getTrashFolder(), 'full/keys.ndjson'), '');
	truncateSync(join(getTrashFolder(), 'full/keys.ndjson'), trashLimits.maxBytes);
}

describe('the calls to the service', () => {
	const runAndListCalls = async (words: readonly string[], options: RunOptions = {}) => {
		const before = (await service.calls()).length;
		expect(await run(words, options)).toMatchObject({code: 0});
		return (await service.calls())
			.slice(before)
			.filter(({path}) => path.includes('/storage/kv/'))
			.map(({method, path}) => `${method} ${path.replace(/.*\/namespaces\/\w+/, '')}`);
	};

	test('are one in a script, plus one with --trash', async () => {
		const namespaceOptions = await createFilledNamespace('remote');
		expect(await runAndListCalls(['kv', 'key', 'put', 'k', 'x', ...namespaceOptions])).toEqual([
			'PUT /values/k',
		]);
		expect(await runAndListCalls(['kv', 'key', 'delete', 'other', ...namespaceOptions])).toEqual([
			'DELETE /values/other',
		]);
		expect(await runAndListCalls(['kv', 'key', 'put', 'k', 'y', '--trash', ...namespaceOptions])).toEqual([
			'POST /bulk/get',
			'PUT /values/k',
		]);
		expect(await runAndListCalls(['kv', 'key', 'delete', 'k', '--trash', ...namespaceOptions])).toEqual([
			'POST /bulk/get',
			'DELETE /values/k',
		]);
	});

	test('are announced before a bulk write that keeps overwritten values', async () => {
		const namespaceOptions = await createFilledNamespace('remote');
		const many = Array.from({length: 250}, (_, n) => `${JSON.stringify({key: `n${n}`, value: 'x'})}\n`);
		writeFileSync(join(folder, 'many.ndjson'), many.join(''));
		const announced = await run(['kv', 'bulk', 'put', 'many.ndjson', '--trash', ...namespaceOptions]);
		expect(announced.stderr).toContain(
			'The values of 250 keys are read first, to keep copies in the trash: 3 calls.',
		);
		expect(await runAndListCalls(['kv', 'bulk', 'put', 'many.ndjson', ...namespaceOptions])).toEqual([
			'PUT /bulk',
		]);
	});
});

describe('if a write fails', () => {
	test.each([
		['put', 'PUT', 'overwritten'],
		['delete', 'DELETE', 'deleted'],
	])('kv key %s: the kept value is removed if the write was rejected, and stays if the outcome is unknown', async (verb, method, reason) => {
		const namespaceOptions = await createFilledNamespace('remote');
		const words = ['kv', 'key', verb, 'k', ...(verb === 'put' ? ['x'] : []), '--trash', ...namespaceOptions];
		await service.setFaults(`status=403 code=10000 method=${method}`);
		expect((await run(words)).code).toBe(4);
		expect(listTrashFiles()).toEqual([]);
		await service.setFaults(`lost-answer method=${method}`);
		expect((await run(words)).code).toBe(1);
		await service.setFaults('');
		expect(await listBatches()).toMatchObject([{first: 'k', reason}]);
	});
});

describe('if the previous value cannot be read', () => {
	const getUnreadPattern = (unchangedText: string) =>
		new RegExp(`cannot be read and kept in the trash, so ${unchangedText}\\.`);

	test.each([
		['kv key put', ['kv', 'key', 'put', 'k', 'x', '--trash'], 'nothing was written'],
		['kv key delete', ['kv', 'key', 'delete', 'k', '--trash'], 'nothing was deleted'],
		['kv bulk delete', ['kv', 'bulk', 'delete', 'names.json', '--yes'], 'nothing was deleted'],
		['kv bulk put', ['kv', 'bulk', 'put', 'put.ndjson', '--trash'], 'nothing was written'],
	])('%s: nothing is written on a service without /metadata, and --no-trash is suggested', async (_what, words, unchangedText) => {
		const namespaceOptions = await createFilledNamespace('remote');
		prepare();
		writeFileSync(join(folder, 'names.json'), '["k","other"]');
		const withoutMetadata = await serveMiniflareExplorer(service);
		const {env} = withoutMetadata;
		const before = await readExport(namespaceOptions);
		const refused = await run([...words, ...namespaceOptions], {env});
		expect(refused.code).toBe(1);
		expect(refused.stderr).toMatch(getUnreadPattern(unchangedText));
		expect(refused.stderr).toContain('--no-trash');
		expect(withoutMetadata.paths.filter(path => /^(PUT|DELETE)|bulk\/delete$/.test(path))).toEqual([]);
		expect(await readExport(namespaceOptions)).toBe(before);
		expect(listTrashFiles()).toEqual([]);
		const wordsWithoutTrash = words.includes('--trash')
			? words.filter(word => word !== '--trash')
			: [...words, '--no-trash'];
		expect(await run([...wordsWithoutTrash, ...namespaceOptions], {env})).toMatchObject({code: 0});
		expect(await readExport(namespaceOptions)).not.toBe(before);
	});

	test('damaged local data is overwritten only with --no-trash', async () => {
		const namespaceOptions = await createFilledNamespace('local');
		for (const file of readdirSync(join(folder, '.wrangler'), {recursive: true, encoding: 'utf8'}))
			if (file.includes('/blobs/') && statSync(join(folder, '.wrangler', file)).size === 'before'.length)
				rmSync(join(folder, '.wrangler', file));
		const refused = await run(['kv', 'key', 'put', 'k', 'x', '--trash', ...namespaceOptions]);
		expect(refused.stderr).toMatch(getUnreadPattern('nothing was written'));
		expect(await run(['kv', 'key', 'put', 'k', 'x', '--no-trash', ...namespaceOptions])).toMatchObject({
			code: 0,
		});
		expect((await run(['kv', 'key', 'get', 'k', ...namespaceOptions])).stdout).toBe('x');
	});

	test('a temporary failure of the service does not skip the trash', async () => {
		const namespaceOptions = await createFilledNamespace('remote');
		await service.setFaults('status=500 path=/bulk/get');
		const refused = await run(['kv', 'key', 'put', 'k', 'x', '--trash', ...namespaceOptions]);
		await service.setFaults('');
		expect(refused.code).toBe(1);
		expect(refused.stderr).not.toContain('--no-trash');
		expect(listTrashFiles()).toEqual([]);
	});
});

test('the audit log names the trash entry, but no values', async () => {
	const namespaceOptions = await createFilledNamespace('remote');
	await run(['kv', 'key', 'put', 'k', 'after', ...namespaceOptions], onTerminal);
	const [{id} = {id: ''}] = await listBatches();
	const state = join(folder, '.local/state/ledge');
	const log = readdirSync(state)
		.filter(name => name.startsWith('audit'))
		.map(name => readFileSync(join(state, name), 'utf8'))
		.join('');
	expect(log).toContain(`put k, kept in the trash (${id})`);
	expect(log).not.toMatch(/before|after/);
});
