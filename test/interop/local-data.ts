import assert from 'node:assert/strict';
import {randomBytes} from 'node:crypto';
import {join} from 'node:path';
import type {Checks} from './checks.ts';
import {type Entry, type Listed, Namespace} from './namespace.ts';
import type {Program} from './programs.ts';

const expiration = 2_147_483_647;

const entries: readonly (Entry & {readonly what: string})[] = [
	{what: 'text', key: 'text', value: Buffer.from('hello')},
	{what: 'an empty value', key: 'empty', value: Buffer.alloc(0)},
	{
		what: 'every byte there is',
		key: 'binary',
		value: Buffer.from(Array.from({length: 256}, (_, byte) => byte)),
	},
	{what: '25 MiB exactly', key: 'large', value: randomBytes(26_214_400)},
	{what: 'a key of 512 bytes', key: 'é'.repeat(256), value: Buffer.from('long key')},
	{what: 'a key with spaces, slashes and signs', key: ' имя é/😀?#%41 ', value: Buffer.from('odd key')},
	{
		what: 'metadata',
		key: 'described',
		value: Buffer.from('v'),
		metadata: {name: 'имя', deep: [1, null, {a: true}]},
	},
	{what: 'an expiration', key: 'expiring', value: Buffer.from('v'), expiration},
	{what: 'a ttl', key: 'living', value: Buffer.from('v'), ttl: 3600},
];

const namesOf = (listed: readonly Listed[]): string[] => listed.map(({name}) => name);
const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** What one program writes is listed, read, changed and deleted by the other; and then the first one goes on. */
export async function checkLocalData(
	checks: Checks,
	wrangler: Program,
	ledge: Program,
	folder: string,
): Promise<void> {
	for (const [writer, reader] of [
		[wrangler, ledge],
		[ledge, wrangler],
	] as const) {
		const openNamespace = (program: Program, id: string) =>
			new Namespace(program, folder, [
				'--local',
				'--persist-to',
				join(folder, `by ${writer.name}`),
				'--namespace-id',
				id,
			]);
		await checkValues(
			checks,
			openNamespace(writer, '0123456789abcdef0123456789abcdef'),
			openNamespace(reader, '0123456789abcdef0123456789abcdef'),
		);
		await checkBulk(checks, openNamespace(writer, 'bulk'), openNamespace(reader, 'bulk'));
		for (const id of ['имя é', '../../evil', 'CON', 'a:b'])
			await checkNamespaceId(checks, id, openNamespace(writer, id), openNamespace(reader, id));
	}
}

async function checkValues(checks: Checks, writer: Namespace, reader: Namespace): Promise<void> {
	const [writerName, readerName] = [writer.program.name, reader.program.name];
	const before = Math.floor(Date.now() / 1000);
	for (const {what, ...entry} of entries)
		await checks.check(`${writerName} writes ${what}, ${readerName} reads it`, async () => {
			await writer.put(entry);
			assert.ok((await reader.get(entry.key)).equals(entry.value), 'the bytes differ');
		});
	await checks.check(`${readerName} lists what ${writerName} has written as ${writerName} does`, async () => {
		const listed = await reader.list();
		assert.deepEqual(listed, await writer.list());
		assert.deepEqual(namesOf(listed), entries.map(({key}) => key).sort(byBytes));
		const found = new Map(listed.map(entry => [entry.name, entry]));
		assert.deepEqual(found.get('described')?.metadata, {name: 'имя', deep: [1, null, {a: true}]});
		assert.equal(found.get('expiring')?.expiration, expiration);
		const secondsToLive = (found.get('living')?.expiration ?? 0) - before;
		assert.ok(secondsToLive >= 3600 && secondsToLive < 3900, `the ttl has become ${secondsToLive} s`);
		assert.deepEqual(namesOf(await reader.list('e')), ['empty', 'expiring']);
	});
	await checks.check(`${readerName} changes and deletes, and ${writerName} sees it and goes on`, async () => {
		await reader.put({key: 'text', value: Buffer.from('changed'), metadata: {by: readerName}});
		await reader.delete('large');
		await reader.delete('never was');
		assert.equal((await writer.get('text')).toString(), 'changed');
		assert.deepEqual((await writer.list('text'))[0]?.metadata, {by: readerName});
		assert.ok(!namesOf(await writer.list()).includes('large'));
		await writer.put({key: 'text', value: Buffer.from('changed back')});
		assert.equal((await reader.get('text')).toString(), 'changed back');
		assert.deepEqual(await reader.list('text'), [{name: 'text'}]);
	});
}

async function checkBulk(checks: Checks, writer: Namespace, reader: Namespace): Promise<void> {
	const [writerName, readerName] = [writer.program.name, reader.program.name];
	const manyEntries = Array.from({length: 1200}, (_, index) => ({
		key: `k${String(index).padStart(4, '0')}`,
		value: `v${index}`,
	}));
	const specialEntries = [
		{key: 'a\0b', value: 'NUL'},
		{key: '\uffff', value: 'last of the plane'},
		{key: '😀', value: 'beyond it'},
		{key: 'base64', value: 'AP/+', base64: true},
		{key: 'both', value: 'v', metadata: {a: 1}, expiration},
	];
	await checks.check(
		`${writerName} writes 1,205 entries at once, ${readerName} lists and reads them`,
		async () => {
			await writer.bulkPut([...manyEntries, ...specialEntries]);
			const listed = await reader.list();
			assert.deepEqual(
				namesOf(listed),
				[...manyEntries, ...specialEntries].map(({key}) => key).sort(byBytes),
			);
			assert.deepEqual(
				listed.find(({name}) => name === 'both'),
				{name: 'both', expiration, metadata: {a: 1}},
			);
			assert.equal((await reader.get('k1199')).toString(), 'v1199');
			assert.deepEqual([...(await reader.get('base64'))], [0, 255, 254]);
			assert.equal((await reader.get('😀')).toString(), 'beyond it');
		},
	);
	await checks.check(`${readerName} deletes 1,200 of them at once, ${writerName} sees the rest`, async () => {
		await reader.bulkDelete(manyEntries.map(({key}) => key));
		assert.deepEqual(namesOf(await writer.list()), specialEntries.map(({key}) => key).sort(byBytes));
		await reader.bulkDelete([{name: 'a\0b'}, {name: 'both'}]);
		assert.deepEqual(namesOf(await writer.list()), ['base64', '\uffff', '😀']);
	});
}

async function checkNamespaceId(
	checks: Checks,
	id: string,
	writer: Namespace,
	reader: Namespace,
): Promise<void> {
	await checks.check(
		`${writer.program.name} writes to the namespace id ${id}, ${reader.program.name} finds it`,
		async () => {
			await writer.putText('k', `in ${id}`);
			assert.equal((await reader.get('k')).toString(), `in ${id}`);
			await reader.putText('k', 'changed');
			assert.equal((await writer.get('k')).toString(), 'changed');
		},
	);
}
