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
import {everyThirdUnlessFull} from '../../support/full.ts';
import {startService} from '../../support/service.ts';

const neverAborted = new AbortController().signal;
const laterSeconds = Math.floor(Date.now() / 1000) + 1_000_000;

/** Text, bytes, no bytes, metadata, expiration, a long value, difficult names, and keys for several reads. */
const samples = [
	{key: 'a/b c', value: 'hello'},
	{key: 'binary', value: '/wA=', base64: true},
	{key: 'empty', value: ''},
	{key: 'expiring', value: 'x', expiration: laterSeconds},
	{key: 'large', value: 'ä'.repeat(524_288)},
	{key: 'meta', value: '{"a":1}', metadata: {owner: 'ann', list: [1, 2]}},
	{key: '\u{1f600}', value: '\ufffd', metadata: 0, expiration: laterSeconds + 1},
	{key: '\uffee', value: 'before the other in UTF-16'},
	...Array.from({length: 150}, (_, at) => ({key: `k${at}`, value: `${at}`})),
];

let folder: string;
let session: Session;
let simulator: Simulator;

/** Creates for each side a namespace over HTTP, its preview, and one of the simulator of this process. */
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
		const [main, preview] = [
			await createNamespaceIn(session, side),
			await createNamespaceIn(session, `${side}_preview`),
		];
		bindings.push(`{binding = "${side}_BOUND", id = "${main.id}", preview_id = "${preview.id}"}`);
		await createNamespaceIn(session.withOptions({cwd: folder, simulate: true}), side);
	}
	writeFileSync(join(folder, 'wrangler.toml'), `name = "w"\nkv_namespaces = [${bindings.join(', ')}]\n`);
	writeFileSync(join(folder, 'FROM.ndjson'), samples.map(entry => `${JSON.stringify(entry)}\n`).join(''));
});

afterAll(() => {
	session[Symbol.dispose]();
	simulator.close();
	rmSync(folder, {recursive: true, force: true});
});

async function createNamespaceIn(givenSession: Session, title: string): Promise<Namespace> {
	const {id} = await givenSession.account(neverAborted);
	return createNamespace(await givenSession.client(), id, {title}, neverAborted);
}

const kinds = ['file', 'local', 'remote', 'preview', 'simulated'] as const;
type Kind = (typeof kinds)[number];

const getStoreName = (kind: Kind, side: 'FROM' | 'TO'): string =>
	({
		file: `file:${join(folder, `${side}.ndjson`)}`,
		local: `local:${side}`,
		remote: `remote:${side}`,
		preview: `preview:${side}_BOUND`,
		simulated: `simulated:${side}`,
	})[kind];

async function openStore(kind: Kind, name: 'FROM' | 'TO', side: StoreSide, write = false) {
	const parsed = parseStoreName(getStoreName(kind, name));
	return openNamedStore(session, parsed, {side, write, stdin: Readable.from([])}, neverAborted);
}

/** Opens the store to copy from; the first time for each kind, fills it with the samples. */
const filledKinds = new Set<Kind>(['file']);
async function openFilledSource(kind: Kind) {
	if (!filledKinds.has(kind)) {
		filledKinds.add(kind);
		const from = await openStore('file', 'FROM', 'from');
		const to = await openStore(kind, 'FROM', 'to', true);
		using _from = from.store;
		using _to = to.store;
		await using copy = prepareCopy(session, from, to, {onlyMissing: false, failed: join(folder, 'failed')});
		await copy.start(() => {}, neverAborted).finished;
	}
	return openStore(kind, 'FROM', 'from');
}

const pairs = kinds.flatMap(from => kinds.map(to => [from, to] as const));

test.each(everyThirdUnlessFull(pairs))('%s to %s: copied without differences', async (from, to) => {
	const openedSource = await openFilledSource(from);
	using sourceStore = openedSource.store;
	const path = join(folder, 'TO.ndjson');
	if (to === 'file') {
		await using ready = await prepareExport(session, openedSource, {path, over: true}, neverAborted);
		await ready.start(() => {}, neverAborted).finished;
	} else {
		const openedTarget = await openStore(to, 'TO', 'to', true);
		using targetStore = openedTarget.store;
		await targetStore.deleteMany(
			samples.map(({key}) => key),
			neverAborted,
		);
		await using ready = prepareCopy(session, openedSource, openedTarget, {
			onlyMissing: false,
			failed: join(folder, 'failed'),
		});
		expect(await ready.start(() => {}, neverAborted).finished).toMatchObject({done: samples.length, gone: 0});
	}
	const copied = await openStore(to, 'TO', 'to');
	using copiedStore = copied.store;
	let sameTotal = 0;
	for await (const piece of compareStores(sourceStore, copiedStore, {}, neverAborted)) {
		expect(piece.differences).toEqual([]);
		sameTotal += piece.sameCount;
	}
	expect(sameTotal).toBe(samples.length);
});

test('a missing store is named in the error', async () => {
	const failure = await openStore('remote', 'FROM', 'from')
		.then(() =>
			openNamedStore(
				session,
				parseStoreName('remote:NOWHERE'),
				{side: 'to', stdin: Readable.from([])},
				neverAborted,
			),
		)
		.catch((error: Failure) => error);
	expect(failure).toMatchObject({code: 'namespace_not_found'});
});
