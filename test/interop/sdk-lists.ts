import assert from 'node:assert/strict';
import type {Checks} from './checks.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** What the checks use of the SDK for lists. */
export type SdkLists = {
	list(parameters: Parameters): AsyncIterable<SdkList>;
	get(listId: string, parameters: Parameters): Promise<SdkList>;
	create(parameters: Parameters): Promise<SdkList>;
	readonly items: {
		list(listId: string, parameters: Parameters): AsyncIterable<SdkItem>;
		create(listId: string, parameters: Parameters): Promise<SdkOperation>;
		delete(listId: string, parameters: Parameters): Promise<SdkOperation>;
	};
	readonly bulkOperations: {
		get(operationId: string, parameters: Parameters): Promise<{readonly status: string}>;
	};
};

type SdkList = {
	readonly id: string;
	readonly name: string;
	readonly kind: string;
	readonly num_items: number;
};
type SdkItem = {readonly id: string; readonly ip?: string; readonly comment?: string};
type SdkOperation = {readonly operation_id: string};

const collect = <Item>(items: AsyncIterable<Item>): Promise<Item[]> => Array.fromAsync(items);

/** Checks that the SDK reads and changes the lists of an account. */
export async function checkSdkLists(
	checks: Checks,
	lists: SdkLists,
	account_id: string | undefined,
): Promise<void> {
	const {items, bulkOperations} = lists;
	/** Asks for the status of an operation until it ends. */
	const finish = async ({operation_id}: SdkOperation) => {
		const seen: string[] = [];
		do seen.push((await bulkOperations.get(operation_id, {account_id})).status);
		while (!['completed', 'failed'].includes(seen.at(-1) ?? ''));
		return seen;
	};
	await checks.check('the SDK lists the lists, and reads all pages of the items of one', async () => {
		const listed = await collect(lists.list({account_id}));
		assert.deepEqual([...new Set(listed.map(({kind}) => kind))].sort(), [
			'asn',
			'hostname',
			'ip',
			'redirect',
		]);
		const {id, num_items} = listed.find(({name}) => name === 'proxies') ?? {id: '', num_items: 0};
		const pages = await collect(items.list(id, {account_id, per_page: 500}));
		assert.deepEqual([num_items, new Set(pages.map(item => item.ip)).size], [1200, 1200]);
	});
	await checks.check('the SDK creates a list, and adds, comments and removes items', async () => {
		const {id} = await lists.create({account_id, name: 'sdk', kind: 'ip', description: 'made by the SDK'});
		const add = async (body: readonly Parameters[]) => finish(await items.create(id, {account_id, body}));
		assert.deepEqual(await add([{ip: '192.0.2.1'}, {ip: '2001:DB8::1/128', comment: 'first'}]), [
			'pending',
			'running',
			'completed',
		]);
		await add([{ip: '192.0.2.1', comment: 'second'}]);
		const listed = await collect(items.list(id, {account_id}));
		assert.deepEqual(
			listed.map(({ip, comment}) => [ip, comment]),
			[
				['192.0.2.1', 'second'],
				['2001:db8::1', 'first'],
			],
		);
		await finish(await items.delete(id, {account_id, items: [{id: listed[0]?.id}]}));
		assert.equal((await lists.get(id, {account_id})).num_items, 1);
	});
	await checks.check('the SDK is told that another operation is running, and of invalid items', async () => {
		const [first] = await collect(lists.list({account_id}));
		const id = first?.id ?? '';
		const operation = await items.create(id, {account_id, body: [{ip: '192.0.2.1'}]});
		const refusedWith = (status: number) => (error: unknown) =>
			(error as {readonly status?: number}).status === status;
		await assert.rejects(items.create(id, {account_id, body: [{ip: '192.0.2.2'}]}), refusedWith(429));
		await finish(operation);
		await assert.rejects(items.create(id, {account_id, body: [{ip: '10.0.0.0/7'}]}), refusedWith(400));
	});
}
