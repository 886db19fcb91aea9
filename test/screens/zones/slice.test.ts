import {expect, test, vi} from 'vitest';
import {getSelectedZone, listVisibleZones} from '../../../source/screens/zones/slice.ts';
import {createTestStore} from '../support/store.ts';

const listNames = (state: ReturnType<ReturnType<typeof createTestStore>['state']>) =>
	listVisibleZones(state.zones.data).map(({name}) => name);

test('the zones of the credential are listed by name, with plan, status and account', async () => {
	const {state, signal} = createTestStore();
	await state().zones.load(signal);
	expect(listNames(state())).toEqual(listNames(state()).toSorted());
	const shop = state().zones.data.rows.find(({name}) => name === 'acme-shop.example');
	expect(shop).toMatchObject({level: 'pro', status: 'active', account: {name: 'Acme (simulated)'}});
});

test('the filter searches name, plan and ID, and keeps the cursor on its zone', async () => {
	const {state, signal} = createTestStore();
	await state().zones.load(signal);
	const shopIndex = listNames(state()).indexOf('acme-shop.example');
	state().zones.move(shopIndex);
	state().zones.filter('pro plan');
	expect(listNames(state())).toContain('acme-shop.example');
	expect(listNames(state())).not.toContain('acme-pay.example');
	expect(getSelectedZone(state().zones.data)?.name).toBe('acme-shop.example');
	state().zones.filter('6e23b6');
	expect(listNames(state())).toEqual(['acme-shop.example']);
	state().zones.filter('');
	expect(getSelectedZone(state().zones.data)?.name).toBe('acme-shop.example');
});

test('the filter moves the cursor to the zone that it names, or else to the first that begins with it', async () => {
	const {state, signal} = createTestStore();
	await state().zones.load(signal);
	state().zones.move(listNames(state()).indexOf('check.acme.example'));
	const getName = () => getSelectedZone(state().zones.data)?.name;
	state().zones.filter('acme.ex');
	expect(getName()).toBe('acme.example');
	state().zones.filter('done');
	expect(getName()).toBe('done.acme.example');
	state().zones.filter('done.acme.example');
	expect(getName()).toBe('done.acme.example');
	state().zones.filter('cme.example');
	expect(getName()).toBe('done.acme.example');
});

test('the cursor of a deleted zone moves to the zone now in its place', async () => {
	const {state, signal, simulator} = createTestStore();
	await state().zones.load(signal);
	state().zones.move(4);
	const [deletedName, next] = listNames(state()).slice(4);
	const originalFetch = simulator.fetch;
	vi.spyOn(simulator, 'fetch').mockImplementation(async request => {
		const response = await originalFetch(request);
		const body = (await response.json()) as {result: {name: string}[]};
		const result = body.result.filter(({name}) => name !== deletedName);
		const result_info = {page: 1, per_page: 50, count: result.length, total_count: result.length};
		return Response.json({...body, result, result_info});
	});
	await state().zones.load(signal);
	expect(listNames(state())).not.toContain(deletedName);
	expect(getSelectedZone(state().zones.data)?.name).toBe(next);
});

test('a zone given by name is found without a list', async () => {
	const {state, signal} = createTestStore({simulate: true, zone: 'acme-shop.example'});
	await expect(state().zones.findNamedZone(signal)).resolves.toMatchObject({
		id: '6e23b63489e7241c0d871b10a397cebb',
		plan: 'pro',
	});
	expect(state().zones.data.rows).toEqual([]);
});

test('a missing zone given by name is a failure, and the list can still be read', async () => {
	const {state, signal} = createTestStore({simulate: true, zone: 'nowhere.example'});
	await expect(state().zones.findNamedZone(signal)).rejects.toMatchObject({code: 'zone_not_found'});
	expect(state().zones.data.reading).toBe('failed');
	await state().zones.load(signal);
	expect(state().zones.data.rows.length).toBeGreaterThan(1);
	expect(state().zones.data.failure).toBeUndefined();
});

test('none of several zones is chosen automatically', async () => {
	const {state, signal} = createTestStore();
	await expect(state().zones.findNamedZone(signal)).resolves.toBeUndefined();
	expect(state().zones.data.rows.length).toBeGreaterThan(1);
});

test('a failure keeps the list already shown', async () => {
	const {state, signal, simulator} = createTestStore();
	await state().zones.load(signal);
	const before = listNames(state());
	simulator.close();
	await expect(state().zones.load(signal)).rejects.toThrow();
	expect(listNames(state())).toEqual(before);
	expect(state().zones.data.reading).toBe('read');
});

test('the cursor is restored after a filter without matches', async () => {
	const {state, signal} = createTestStore();
	await state().zones.load(signal);
	state().zones.move(2);
	const before = getSelectedZone(state().zones.data)?.name;
	for (const filter of ['no zone has this', '']) state().zones.filter(filter);
	expect(getSelectedZone(state().zones.data)?.name).toBe(before);
});

test('a stopped read is not a failure', async () => {
	const {state} = createTestStore();
	await expect(state().zones.load(AbortSignal.abort())).rejects.toMatchObject({code: 'interrupted'});
	expect(state().zones.data.reading).toBe('unread');
	expect(state().zones.data.failure).toBeUndefined();
});
