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
import {serveExplorer} from '../../support/explorer.ts';
import {type Ended, ledge, type RunOptions, scratch, virtualClock} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

// What a deletion of many keys does with the trash: trash.test.ts. On screens: test/screens/trash/way-back.test.ts.

let service: ServedSimulator;
let folder: string;

beforeAll(async () => {
	service = await serveSimulator();
});
beforeEach(() => {
	folder = scratch();
});

const run = (words: readonly string[], {env, ...options}: RunOptions = {}): Promise<Ended> =>
	ledge(words, {cwd: folder, clock: virtualClock(Date.now()), env: {...service.env, ...env}, ...options});

const person = {tty: true} as const;

const trash = () => join(folder, '.local/state/ledge/trash');
const trashFiles = (): string[] =>
	existsSync(trash()) ? readdirSync(trash(), {recursive: true, encoding: 'utf8'}).sort() : [];

type Batch = {id: string; keys: number; first: string; reason: string; command: string};
const batches = async () => JSON.parse((await run(['kv', 'trash', 'list', '--json'])).stdout) as Batch[];

const stored = [
	{key: 'k', value: 'before', metadata: {v: 1}, expiration: 4_000_000_000},
	{key: 'other', value: 'else'},
];

/** A namespace with two keys, and the options that name it. */
async function filled(kind: 'local' | 'remote'): Promise<readonly string[]> {
	const id = kind === 'local' ? 'here' : await made();
	const at = kind === 'local' ? ['--namespace-id', id, '--local'] : ['--namespace-id', id];
	writeFileSync(join(folder, 'in.ndjson'), stored.map(entry => `${JSON.stringify(entry)}\n`).join(''));
	expect(await run(['kv', 'import', 'in.ndjson', ...at])).toMatchObject({code: 0});
	return at;
}

async function made(): Promise<string> {
	const title = `made-${Math.random().toString(36).slice(2)}`;
	const {stdout} = await run(['kv', 'namespace', 'create', title, '--no-prefix', '--json']);
	return (JSON.parse(stdout) as {id: string}[])[0]?.id ?? '';
}

const exported = async (at: readonly string[]) => (await run(['kv', 'export', ...at])).stdout;

/** Files that the commands below read, and an editor that writes `edited`. */
function prepare(): Readonly<Record<string, string>> {
	const editor = join(folder, 'editor.cjs');
	writeFileSync(editor, "require('node:fs').writeFileSync(process.argv[2], 'edited');");
	writeFileSync(join(folder, 'put.ndjson'), '{"key":"k","value":"put"}\n{"key":"new","value":"x"}\n');
	return {EDITOR: `${process.execPath} ${editor}`};
}

/** Every command that deletes or overwrites a key, how it is confirmed, and whether it keeps that unasked. */
const ways: Readonly<
	Record<
		string,
		{
			words: (at: readonly string[]) => readonly string[];
			reason: 'deleted' | 'overwritten';
			/** Where it goes to the trash without `--trash`. */
			by: 'person' | 'nobody' | 'everybody';
			/** What removes the other traces of it, so that a restore brings everything back. */
			rest?: (at: readonly string[]) => readonly string[];
		}
	>
> = {
	'kv key put': {words: at => ['kv', 'key', 'put', 'k', 'after', ...at], reason: 'overwritten', by: 'person'},
	'kv key put --path': {
		words: at => ['kv', 'key', 'put', 'k', '--path', 'put.ndjson', ...at],
		reason: 'overwritten',
		by: 'person',
	},
	'kv key delete': {words: at => ['kv', 'key', 'delete', 'k', ...at], reason: 'deleted', by: 'person'},
	'kv key edit': {words: at => ['kv', 'key', 'edit', 'k', ...at], reason: 'overwritten', by: 'person'},
	'kv key rename --overwrite': {
		words: at => ['kv', 'key', 'rename', 'other', 'k', '--overwrite', ...at],
		reason: 'overwritten',
		by: 'person',
		rest: at => ['kv', 'key', 'put', 'other', 'else', '--no-trash', ...at],
	},
	'kv key copy --overwrite': {
		words: at => ['kv', 'key', 'copy', 'other', 'k', '--overwrite', ...at],
		reason: 'overwritten',
		by: 'person',
	},
	'kv delete': {
		words: at => ['kv', 'delete', '--prefix', 'k', '--confirm', '1', ...at],
		reason: 'deleted',
		by: 'everybody',
	},
	'kv bulk put': {
		words: at => ['kv', 'bulk', 'put', 'put.ndjson', ...at],
		reason: 'overwritten',
		by: 'nobody',
		rest: at => ['kv', 'key', 'delete', 'new', '--no-trash', ...at],
	},
	'kv import': {
		words: at => ['kv', 'import', 'put.ndjson', ...at],
		reason: 'overwritten',
		by: 'nobody',
		rest: at => ['kv', 'key', 'delete', 'new', '--no-trash', ...at],
	},
	'kv copy': {
		words: ([, id, local]) => ['kv', 'copy', 'file:put.ndjson', `${local ? 'local' : 'remote'}:${id}`],
		reason: 'overwritten',
		by: 'nobody',
		rest: at => ['kv', 'key', 'delete', 'new', '--no-trash', ...at],
	},
	'kv rename-prefix --overwrite': {
		words: at => ['kv', 'rename-prefix', 'other', 'k', '--overwrite', '--confirm', '1', ...at],
		reason: 'overwritten',
		by: 'nobody',
		rest: at => ['kv', 'key', 'put', 'other', 'else', '--no-trash', ...at],
	},
};
const names = Object.keys(ways) as (keyof typeof ways)[];

/** The command that a run printed to undo it, as words. */
function printedWayBack({stderr}: Ended): readonly string[] {
	const [, printed] = /^To undo within 7 days: ledge (.+)$/m.exec(stderr) ?? [];
	expect(printed, stderr).toBeDefined();
	return (printed ?? '').split(' ');
}

describe.each(['local', 'remote'] as const)('%s', kind => {
	test.each(names)('%s keeps the previous value, and the printed command brings it back', async name => {
		const {words, reason, by, rest} = ways[name] ?? {};
		const at = await filled(kind);
		const env = prepare();
		const before = await exported(at);
		const given = [...(words?.(at) ?? []), ...(by === 'nobody' ? ['--trash'] : [])];
		const done = await run(given, {...person, env});
		expect(done).toMatchObject({code: 0});
		expect(await exported(at)).not.toBe(before);
		const kept = await batches();
		expect(kept).toMatchObject([{keys: 1, first: 'k', reason}]);
		const listed = await run(['kv', 'trash']);
		expect(listed.stdout).toMatch(new RegExp(`${reason} +1 +k `));
		expect(await run(printedWayBack(done))).toMatchObject({code: 0});
		if (rest) expect(await run(rest(at))).toMatchObject({code: 0});
		expect(await exported(at)).toBe(before);
		expect(await batches()).toEqual([]);
	});

	test.each(names)('%s keeps nothing with --no-trash, or in a script by default', async name => {
		const {words, by} = ways[name] ?? {};
		const at = await filled(kind);
		const env = prepare();
		const given = words?.(at) ?? [];
		const done =
			by === 'nobody'
				? await run(given, {...person, env})
				: await run(by === 'everybody' ? [...given, '--no-trash'] : given, {env});
		expect(done).toMatchObject({code: 0});
		expect(done.stderr).not.toContain('To undo');
		expect(trashFiles()).toEqual([]);
	});

	test.each(names)('%s: with a full trash nothing is changed, and --no-trash overrides this', async name => {
		const {words, reason, by} = ways[name] ?? {};
		const at = await filled(kind);
		const env = prepare();
		const before = await exported(at);
		fillUp();
		const files = trashFiles();
		const given = words?.(at) ?? [];
		const asking = by === 'nobody' ? [...given, '--trash'] : given;
		const nothing = reason === 'deleted' ? 'nothing was deleted' : 'nothing was written';
		const refused = await run([...asking, '--yes'], {...person, env});
		expect(refused.code).toBe(2);
		expect(refused.stderr).toMatch(new RegExp(`(does|do) not fit in the trash, so ${nothing}\\.`));
		expect(refused.stderr).toContain('--no-trash');
		const declined = await run(asking, {...person, env, input: 'n\n'});
		expect(declined.code).toBe(1);
		expect(declined.stderr).toMatch(/(Delete|Write) without the trash\? This cannot be undone\. \[y\/N\]/);
		expect(await exported(at)).toBe(before);
		const agreed = await run(asking, {...person, env, input: 'y\n'});
		expect(agreed).toMatchObject({code: 0});
		expect(await exported(at)).not.toBe(before);
		expect(trashFiles()).toEqual(files);
	});

	test('writing a new key needs no rollback', async () => {
		const at = await filled(kind);
		const written = await run(['kv', 'key', 'put', 'fresh', 'x', ...at], person);
		expect(written).toMatchObject({code: 0});
		expect(written.stderr).not.toContain('To undo');
		expect(trashFiles()).toEqual([]);
		expect(
			JSON.parse((await run(['kv', 'key', 'put', 'fresh', 'x', '--trash', '--json', ...at])).stdout),
		).toMatchObject({written: true, trash: (await batches())[0]?.id});
	});

	test('a restore over an existing key also keeps the replaced value', async () => {
		const at = await filled(kind);
		const before = await exported(at);
		const put = await run(['kv', 'key', 'put', 'k', 'after', ...at], person);
		const after = await exported(at);
		const [first] = await batches();
		const left = await run(['kv', 'trash', 'restore', first?.id ?? ''], person);
		expect(left.stderr).toContain('Already exists, left unchanged: "k"');
		expect(await exported(at)).toBe(after);
		const restored = await run(printedWayBack(put), person);
		expect(await exported(at)).toBe(before);
		expect(await batches()).toMatchObject([{reason: 'overwritten', command: 'kv trash restore'}]);
		expect(await run(printedWayBack(restored))).toMatchObject({code: 0});
		expect(await exported(at)).toBe(after);
	});

	test('a dry run shows the read, and neither keeps nor changes anything', async () => {
		const at = await filled(kind);
		prepare();
		const before = await exported(at);
		for (const words of [
			['put', 'k', 'x'],
			['delete', 'k'],
		]) {
			const {stdout} = await run(['kv', 'key', ...words, '--trash', '--dry-run', ...at]);
			expect(stdout).toMatch(kind === 'local' ? /^read "k" for the trash$/m : /^# 1 {2}POST .*\/bulk\/get$/m);
			expect(stdout).toMatch(
				kind === 'local' ? /^(put|delete) "k"/m : /^# 2 {2}(PUT|DELETE) .*\/values\/k$/m,
			);
		}
		const bulk = await run(['kv', 'bulk', 'put', 'put.ndjson', '--trash', '--dry-run', ...at]);
		expect(bulk.stderr).toContain('2 keys are read first, to keep copies in the trash');
		expect(trashFiles()).toEqual([]);
		expect(await exported(at)).toBe(before);
	});
});

/** Leaves no room in the trash. */
function fillUp(): void {
	const about = {
		v: 1,
		deleted: Date.now(),
		target: {place: 'simulated'},
		label: 'x',
		keys: 2,
		bytes: 2,
		command: 'x',
	};
	mkdirSync(join(trash(), 'full'), {recursive: true, mode: 0o700});
	writeFileSync(join(trash(), 'full/about.json'), JSON.stringify(about));
	writeFileSync(join(trash(), 'full/keys.ndjson'), '');
	truncateSync(join(trash(), 'full/keys.ndjson'), trashLimits.maxBytes);
}

describe('the calls to the service', () => {
	const callsOf = async (words: readonly string[], options: RunOptions = {}) => {
		const before = (await service.calls()).length;
		expect(await run(words, options)).toMatchObject({code: 0});
		return (await service.calls())
			.slice(before)
			.filter(({path}) => path.includes('/storage/kv/'))
			.map(({method, path}) => `${method} ${path.replace(/.*\/namespaces\/\w+/, '')}`);
	};

	test('are one in a script, plus one with --trash', async () => {
		const at = await filled('remote');
		expect(await callsOf(['kv', 'key', 'put', 'k', 'x', ...at])).toEqual(['PUT /values/k']);
		expect(await callsOf(['kv', 'key', 'delete', 'other', ...at])).toEqual(['DELETE /values/other']);
		expect(await callsOf(['kv', 'key', 'put', 'k', 'y', '--trash', ...at])).toEqual([
			'POST /bulk/get',
			'PUT /values/k',
		]);
		expect(await callsOf(['kv', 'key', 'delete', 'k', '--trash', ...at])).toEqual([
			'POST /bulk/get',
			'DELETE /values/k',
		]);
	});

	test('are announced before a bulk write that keeps overwritten values', async () => {
		const at = await filled('remote');
		const many = Array.from({length: 250}, (_, n) => `${JSON.stringify({key: `n${n}`, value: 'x'})}\n`);
		writeFileSync(join(folder, 'many.ndjson'), many.join(''));
		const said = await run(['kv', 'bulk', 'put', 'many.ndjson', '--trash', ...at]);
		expect(said.stderr).toContain('250 keys are read first, to keep copies in the trash: 3 calls.');
		expect(await callsOf(['kv', 'bulk', 'put', 'many.ndjson', ...at])).toEqual(['PUT /bulk']);
	});
});

describe('if a write fails', () => {
	test.each([
		['put', 'PUT', 'overwritten'],
		['delete', 'DELETE', 'deleted'],
	])('kv key %s: the kept value is removed if the write was rejected, and stays if the outcome is unknown', async (verb, method, reason) => {
		const at = await filled('remote');
		const words = ['kv', 'key', verb, 'k', ...(verb === 'put' ? ['x'] : []), '--trash', ...at];
		await service.setFaults(`status=403 code=10000 method=${method}`);
		expect((await run(words)).code).toBe(4);
		expect(trashFiles()).toEqual([]);
		await service.setFaults(`lost-answer method=${method}`);
		expect((await run(words)).code).toBe(1);
		await service.setFaults('');
		expect(await batches()).toMatchObject([{first: 'k', reason}]);
	});
});

describe('if the previous value cannot be read', () => {
	const unread = (nothing: string) => new RegExp(`cannot be read and kept in the trash, so ${nothing}\\.`);

	test.each([
		['kv key put', ['kv', 'key', 'put', 'k', 'x', '--trash'], 'nothing was written'],
		['kv key delete', ['kv', 'key', 'delete', 'k', '--trash'], 'nothing was deleted'],
		['kv bulk delete', ['kv', 'bulk', 'delete', 'names.json', '--yes'], 'nothing was deleted'],
		['kv bulk put', ['kv', 'bulk', 'put', 'put.ndjson', '--trash'], 'nothing was written'],
	])('%s: nothing is written on a service without /metadata, and --no-trash is suggested', async (_what, words, nothing) => {
		const at = await filled('remote');
		prepare();
		writeFileSync(join(folder, 'names.json'), '["k","other"]');
		const explorer = await serveExplorer(service);
		const {env} = explorer;
		const before = await exported(at);
		const refused = await run([...words, ...at], {env});
		expect(refused.code).toBe(1);
		expect(refused.stderr).toMatch(unread(nothing));
		expect(refused.stderr).toContain('--no-trash');
		expect(explorer.paths.filter(path => /^(PUT|DELETE)|bulk\/delete$/.test(path))).toEqual([]);
		expect(await exported(at)).toBe(before);
		expect(trashFiles()).toEqual([]);
		const without = words.includes('--trash')
			? words.filter(word => word !== '--trash')
			: [...words, '--no-trash'];
		expect(await run([...without, ...at], {env})).toMatchObject({code: 0});
		expect(await exported(at)).not.toBe(before);
	});

	test('damaged local data is overwritten only with --no-trash', async () => {
		const at = await filled('local');
		for (const file of readdirSync(join(folder, '.wrangler'), {recursive: true, encoding: 'utf8'}))
			if (file.includes('/blobs/') && statSync(join(folder, '.wrangler', file)).size === 'before'.length)
				rmSync(join(folder, '.wrangler', file));
		const refused = await run(['kv', 'key', 'put', 'k', 'x', '--trash', ...at]);
		expect(refused.stderr).toMatch(unread('nothing was written'));
		expect(await run(['kv', 'key', 'put', 'k', 'x', '--no-trash', ...at])).toMatchObject({code: 0});
		expect((await run(['kv', 'key', 'get', 'k', ...at])).stdout).toBe('x');
	});

	test('a temporary failure of the service does not skip the trash', async () => {
		const at = await filled('remote');
		await service.setFaults('status=500 path=/bulk/get');
		const refused = await run(['kv', 'key', 'put', 'k', 'x', '--trash', ...at]);
		await service.setFaults('');
		expect(refused.code).toBe(1);
		expect(refused.stderr).not.toContain('--no-trash');
		expect(trashFiles()).toEqual([]);
	});
});

test('the audit log names the trash entry, but no values', async () => {
	const at = await filled('remote');
	await run(['kv', 'key', 'put', 'k', 'after', ...at], person);
	const [{id} = {id: ''}] = await batches();
	const state = join(folder, '.local/state/ledge');
	const log = readdirSync(state)
		.filter(name => name.startsWith('audit'))
		.map(name => readFileSync(join(state, name), 'utf8'))
		.join('');
	expect(log).toContain(`put k, kept in the trash (${id})`);
	expect(log).not.toMatch(/before|after/);
});
