import {describe, expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {listBadges} from '../../../source/screens/path.ts';
import type {SessionOptions} from '../../../source/session/parts.ts';
import {createTestApp} from '../support/drawn.tsx';
import {createTestStore} from '../support/store.ts';

type Case = {
	readonly named: string;
	readonly options: SessionOptions;
	readonly variables?: Readonly<Record<string, string>>;
};

/** The screens as they are when Home is first shown. */
async function openHome({options, variables = {}}: Omit<Case, 'named'>) {
	const testStore = createTestStore(options, {variables});
	await testStore.state().connection.loadConnection();
	const app = createTestApp(testStore);
	const press = (name: string) => dispatch(app, {name, text: name, sequence: name});
	const waitUntilIdle = () =>
		testStore.until(({work: {list: work}}) => work.every(({kind}) => kind !== 'read'));
	return {...testStore, app, press, idle: waitUntilIdle};
}

const localCases: readonly Case[] = [
	{named: '--local', options: {local: true}},
	{named: '--remote=false', options: {remote: false}},
	{named: 'LEDGE_TARGET=local', options: {}, variables: {LEDGE_TARGET: 'local'}},
	{
		named: '--local, with a credential',
		options: {local: true},
		variables: {
			CLOUDFLARE_API_TOKEN: 'secret',
			CLOUDFLARE_ACCOUNT_ID: 'acme',
			// Nothing listens on this port.
			CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9/client/v4',
		},
	},
];

describe.each(localCases)('with $named', given => {
	test('Home and the namespaces on N show local data', async () => {
		const {state, press, idle: waitUntilIdle} = await openHome(given);
		expect(listBadges(state())).toEqual(['LOCAL']);
		expect(buildHomeEntries(state())[0]?.value).toBe('local');
		press('1');
		await waitUntilIdle();
		expect(state().namespaces.data).toMatchObject({shownStorage: 'local', reading: 'read'});
		expect(listBadges(state())).toEqual(['LOCAL']);
	});

	test('the palette leads to local data', async () => {
		const {app, state, press, idle: waitUntilIdle} = await openHome(given);
		press('1');
		await waitUntilIdle();
		press('0');
		actions.find(({id}) => id === 'go.namespaces')?.run(app, {name: '', text: '', sequence: ''});
		expect(state().namespaces.data.shownStorage).toBe('local');
		expect(listBadges(state())).toEqual(['LOCAL']);
	});

	test('keys stay local wherever they are viewed, and L switches to the service', async () => {
		const {state, press, idle: waitUntilIdle} = await openHome(given);
		await state().keys.open(
			{name: 'local:SESSIONS', where: 'local', id: 'SESSIONS', title: 'SESSIONS', bindings: []},
			AbortSignal.timeout(10_000),
		);
		state().navigation.go('keys');
		expect(listBadges(state())).toEqual(['LOCAL']);
		expect(state().keys.data?.namespace.where).toBe('local');
		press('0');
		press('L');
		expect(state().namespaces.data.shownStorage).toBe('remote');
		expect(listBadges(state())).toEqual(['REMOTE']);
		await waitUntilIdle();
	});
});

test('LEDGE_TARGET=remote is the target even without a credential', async () => {
	const {state, press} = await openHome({options: {}, variables: {LEDGE_TARGET: 'remote'}});
	expect(listBadges(state())).toEqual(['REMOTE']);
	press('1');
	expect(state().namespaces.data.shownStorage).toBe('remote');
});

test('the target chosen by the user also applies on Home', async () => {
	const {app, state, press, idle: waitUntilIdle} = await openHome({options: {}});
	expect(listBadges(state())).toEqual(['REMOTE']);
	buildHomeEntries(state())
		.find(({value}) => value === 'local')
		?.open(app);
	await waitUntilIdle();
	press('0');
	expect(listBadges(state())).toEqual(['LOCAL']);
	press('1');
	expect(state().namespaces.data.shownStorage).toBe('local');
});

test('the simulated service has no local data: it refuses --local and ignores the variable', async () => {
	const refused = await openHome({options: {simulate: true, local: true}});
	expect(refused.state().connection.data?.problem?.message).toBe("--simulate and --local can't be combined.");
	const simulated = await openHome({options: {simulate: true}, variables: {LEDGE_TARGET: 'local'}});
	expect(listBadges(simulated.state())).toEqual(['SIMULATED']);
	simulated.press('1');
	expect(simulated.state().namespaces.data.shownStorage).toBe('remote');
});

test('an invalid target is reported on Home', async () => {
	const {state} = await openHome({options: {}, variables: {LEDGE_TARGET: 'loca'}});
	expect(state().connection.data?.problem?.message).toBe('LEDGE_TARGET is "loca".');
});
