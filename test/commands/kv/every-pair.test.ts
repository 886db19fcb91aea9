import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {startRehearsalService} from '../../../source/commands/shell/rehearsal-service.ts';
import type {Failure} from '../../../source/failure.ts';
import {createNamespace, type Namespace} from '../../../source/kv/namespaces.ts';
import {compareStores} from '../../../source/kv/transfer/difference.ts';
import {parseStoreName} from '../../../source/kv/transfer/store-name.ts';
import {createSession, type Session} from '../../../source/session/session.ts';
import {openNamedStore, type StoreSide} from '../../../source/session/stores.ts';
import {prepareCopy, prepareExport} from '../../../source/session/transfers.ts';
import {createSimulator, type Simulator} from '../../../source/simulator/simulator.ts';
import {someOf} from '../../support/full.ts';
import {startService} from '../../support/service.ts';

const never = new AbortController().signal;
const later = Math.floor(Date.now() / 1000) + 1_000_000;

/** Text, bytes, nothing, metadata, expiry, a long value, names that are hard, and more keys than one reading takes. */
const samples = [
	{key: 'a/b c', value: 'hello'},
	{key: 'binary', value: '/wA=', base64: true},
	{key: 'empty', value: ''},
	{key: 'expiring', value: 'x', expiration: later},
	{key: 'large', value: 'ä'.repeat(524_288)},
	{key: 'meta', value: '{"a":1}', metadata: {owner: 'ann', list: [1, 2]}},
	{key: '\u{1f600}', value: '\ufffd', metadata: 0, expiration: later + 1},
	{key: '\uffee', value: 'before the other in UTF-16'},
	...Array.from({length: 150}, (_, at) => ({key: `k${at}`, value: `${at}`})),
];

let folder: string;
let session: Session;
let simulator: Simulator;

/** A namespace at the service over HTTP, a second one, and one of the simulated service of this process. */
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'ledge-'));
	simulator = createSimulator();
	const service = await startService();
	session = createSession(
		{},
		{
			cwd: () => folder,
			env: {...service.env, LEDGE_STATE_DIR: join(folder, 'state'), LEDGE_TIME_SCALE: '0.01'},
			events: {record() {}, waiting() {}, warn() {}},
			startSimulated: async () => ({fetch: request => simulator.fetch(request), [Symbol.dispose]() {}}),
			startRehearsal: startRehearsalService,
		},
	);
	const bindings: string[] = [];
	for (const side of ['FROM', 'TO']) {
		const [own, preview] = [await made(session, side), await made(session, `${side}_preview`)];
		bindings.push(`{binding = "${side}_BOUND", id = "${own.id}", preview_id = "${preview.id}"}`);
		await made(session.withOptions({cwd: folder, simulate: true}), side);
	}
	writeFileSync(join(folder, 'wrangler.toml'), `name = "w"\nkv_namespaces = [${bindings.join(', ')}]\n`);
	writeFileSync(join(folder, 'FROM.ndjson'), samples.map(entry => `${JSON.stringify(entry)}\n`).join(''));
});

afterAll(() => {
	session[Symbol.dispose]();
	simulator.close();
	rmSync(folder, {recursive: true, force: true});
});

async function made(at: Session, title: string): Promise<Namespace> {
	const {id} = await at.account(never);
	return createNamespace(await at.client(), id, title, never);
}

const kinds = ['file', 'local', 'remote', 'preview', 'simulated'] as const;
type Kind = (typeof kinds)[number];

const nameOf = (kind: Kind, side: 'FROM' | 'TO'): string =>
	({
		file: `file:${join(folder, `${side}.ndjson`)}`,
		local: `local:${side}`,
		remote: `remote:${side}`,
		preview: `preview:${side}_BOUND`,
		simulated: `simulated:${side}`,
	})[kind];

async function opened(kind: Kind, name: 'FROM' | 'TO', side: StoreSide, write = false) {
	const parsed = parseStoreName(nameOf(kind, name));
	return openNamedStore(session, parsed, {side, write, stdin: Readable.from([])}, never);
}

/** Puts what the samples are into the store that is copied from, once for each kind. */
const filled = new Set<Kind>(['file']);
async function source(kind: Kind) {
	if (!filled.has(kind)) {
		filled.add(kind);
		const from = await opened('file', 'FROM', 'from');
		const to = await opened(kind, 'FROM', 'to', true);
		using _from = from.store;
		using _to = to.store;
		await using copy = prepareCopy(session, from, to, {onlyMissing: false, failed: join(folder, 'failed')});
		await copy.start(() => {}, never).finished;
	}
	return opened(kind, 'FROM', 'from');
}

const pairs = kinds.flatMap(from => kinds.map(to => [from, to] as const));

test.each(someOf(pairs))('%s to %s: copied without differences', async (from, to) => {
	const one = await source(from);
	using first = one.store;
	const path = join(folder, 'TO.ndjson');
	if (to === 'file') {
		await using ready = await prepareExport(session, one, {path, over: true}, never);
		await ready.start(() => {}, never).finished;
	} else {
		const other = await opened(to, 'TO', 'to', true);
		using target = other.store;
		await target.deleteMany(
			samples.map(({key}) => key),
			never,
		);
		await using ready = prepareCopy(session, one, other, {
			onlyMissing: false,
			failed: join(folder, 'failed'),
		});
		expect(await ready.start(() => {}, never).finished).toMatchObject({done: samples.length, gone: 0});
	}
	const after = await opened(to, 'TO', 'to');
	using second = after.store;
	let same = 0;
	for await (const piece of compareStores(first, second, {}, never)) {
		expect(piece.differences).toEqual([]);
		same += piece.sameCount;
	}
	expect(same).toBe(samples.length);
});

test('a missing store is named in the error', async () => {
	const failure = await opened('remote', 'FROM', 'from')
		.then(() =>
			openNamedStore(
				session,
				parseStoreName('remote:NOWHERE'),
				{side: 'to', stdin: Readable.from([])},
				never,
			),
		)
		.catch((error: Failure) => error);
	expect(failure).toMatchObject({code: 'namespace_not_found'});
});
