import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {getSelectedPlace} from '../../../source/screens/contexts/rows.ts';
import {Contexts} from '../../../source/screens/contexts/view.tsx';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {loadJobsAndAccount} from '../../../source/screens/home/actions.ts';
import {buildHomeEntries} from '../../../source/screens/home/entries.ts';
import {buildHomeFacts} from '../../../source/screens/home/facts.ts';
import {getSessionName} from '../../../source/screens/path.ts';
import type {App} from '../../../source/screens/shell/app.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import type {SessionOptions} from '../../../source/session/parts.ts';
import {applyRestart, buildRestartOptions, type Restart} from '../../../source/session/restart.ts';
import {createSimulator, startListener} from '../../../source/simulator/simulator.ts';
import {createTestApp, draw} from '../support/drawn.tsx';
import {listPaletteActions} from '../support/palette.ts';
import {createTestStore} from '../support/store.ts';

/** Starts a service whose token sees several accounts, the first with samples. Returns its variables. */
async function startService(accountCount: number) {
	const simulator = createSimulator({accounts: accountCount, rateLimit: false});
	const stop = new AbortController();
	const server = await startListener(simulator, {port: 0, signal: stop.signal});
	onTestFinished(async () => {
		stop.abort();
		await server.close();
		simulator.close();
	});
	return {CLOUDFLARE_API_BASE_URL: server.url, CLOUDFLARE_API_TOKEN: 'simulated'};
}

type Variables = Readonly<Record<string, string>>;

/** Opens the screens with these variables, and waits until the work of the start is done. */
async function openScreens(variables: Variables, options: SessionOptions = {}) {
	const testStore = createTestStore(options, {variables});
	const restarts: {readonly target: Restart; readonly onStart?: ((app: App) => void) | undefined}[] = [];
	const baseApp = createTestApp(testStore);
	const terminal = {
		...baseApp.terminal,
		restart: (target: Restart, onStart?: (app: App) => void) => void restarts.push({target, onStart}),
	};
	const app: App = {...baseApp, terminal};
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, {name, text: name.length === 1 ? name : '', sequence: name});
	};
	const waitForIdle = () => testStore.until(({work: {list: work}}) => work.length === 0);
	await testStore.state().connection.loadConnection();
	void loadJobsAndAccount(app);
	await waitForIdle();
	return {...testStore, app, press, idle: waitForIdle, restarts};
}

describe('a token with access to two accounts', () => {
	test('leads to a choice at the start, and the account is then shown by its name', async () => {
		const variables = await startService(2);
		const {state, app, press, until, restarts} = await openScreens(variables);
		await until(now => getCurrentScreen(now) === 'contexts');
		expect(state().messages.latest?.text).toContain('covers several accounts: choose one');
		const drawn = draw(app, <Contexts />);
		await drawn.until(rows => rows.some(row => row.includes('Acme (simulated)')));
		// With 80 columns, names are complete, and account ids have the rest of the row.
		expect(drawn.rows().find(row => row.includes('Account 2 (simulated) '))).toMatch(
			/\(simulated\) +[0-9a-f]{20}/,
		);
		press('enter');
		const [restart] = restarts;
		expect(restart?.target).toMatchObject({to: 'account', account: {label: 'Account 2 (simulated)'}});
		if (!restart) return;
		const next = await openScreens(variables, buildRestartOptions({}, applyRestart({}, restart.target)));
		expect(getSessionName(next.state())).toBe('Account 2 (simulated)');
		expect(getCurrentScreen(next.state())).toBe('home');
		expect(buildHomeEntries(next.state()).find(({value}) => value === 'account')?.label).toContain(
			'Account 2',
		);
		next.press('1');
		await next.idle();
		expect(next.state().namespaces.data).toMatchObject({reading: 'read', rows: []});
	});

	test('leads to a choice when namespaces are opened, and then to the namespaces', async () => {
		const variables = await startService(2);
		const {press, until, restarts, state} = await openScreens(variables, {local: true});
		expect(getCurrentScreen(state())).toBe('home');
		press('L');
		await until(now => getCurrentScreen(now) === 'contexts');
		press('/');
		for (const text of 'acme') state().dialog.typeInLine({name: text, text, sequence: text});
		press('enter', 'enter');
		expect(restarts[0]?.target).toMatchObject({to: 'account', account: {label: 'Acme (simulated)'}});
		const next = await openScreens(
			variables,
			buildRestartOptions({}, applyRestart({}, restarts[0]?.target ?? {to: 'as started'})),
		);
		restarts[0]?.onStart?.(next.app);
		await next.idle();
		expect(getCurrentScreen(next.state())).toBe('namespaces');
		expect(next.state().namespaces.data.rows.map(({title}) => title)).toContain('SESSIONS');
	});

	test('leads to the choice again with @, from anywhere', async () => {
		const variables = await startService(3);
		const {press, until, state} = await openScreens(variables, {
			accountId: '910896fde4470afb4fab0b3c5e3aaff8',
		});
		expect(getCurrentScreen(state())).toBe('home');
		press('1', '@');
		await until(({contexts: {data: contexts}}) => contexts.reading === 'read');
		expect(state().contexts.data.accounts).toHaveLength(3);
		expect(getSelectedPlace(state().contexts.data)?.id).toBe('910896fde4470afb4fab0b3c5e3aaff8');
	});
});

test('a token with access to one account leads to no choice', async () => {
	const {state} = await openScreens(await startService(1));
	expect(getCurrentScreen(state())).toBe('home');
	expect(getSessionName(state())).toBe('Acme (simulated)');
	expect(buildHomeEntries(state()).map(({value}) => value)).not.toContain('account');
});

describe('the simulated service', () => {
	const startOptions: SessionOptions = {
		local: true,
		baseUrl: 'https://api.example.test',
		zone: 'acme.example',
	};

	test('chosen on Home is named there, and Home leads back to the original service', async () => {
		const options = buildRestartOptions(startOptions, {isSimulated: true});
		const {state, app, restarts} = await openScreens({}, options);
		const connection = state().connection.data;
		const facts = connection ? buildHomeFacts(connection) : [];
		expect(facts[0]).toEqual(['Service', 'the simulated service, chosen on Home']);
		expect(getSessionName(state())).toBe('Acme (simulated)');
		buildHomeEntries(state())
			.find(({value}) => value === 'as started')
			?.open(app);
		expect(restarts.map(({target}) => target)).toEqual([{to: 'not simulated'}]);
		expect(buildRestartOptions(startOptions, {})).toEqual({...startOptions, choices: {}});
	});

	test('chosen on Home keeps the account chosen before for later', () => {
		const chosen = applyRestart({}, {to: 'account', account: {id: 'a1', label: 'Acme'}});
		const simulated = applyRestart(chosen, {to: 'simulated'});
		expect(buildRestartOptions(startOptions, simulated)).not.toHaveProperty('accountId');
		expect(buildRestartOptions(startOptions, applyRestart(simulated, {to: 'not simulated'}))).toMatchObject({
			...startOptions,
			accountId: 'a1',
		});
	});

	test('chosen by --simulate is named as such, and Home offers no way back', async () => {
		const {state} = await openScreens({}, {simulate: true});
		const connection = state().connection.data;
		expect(connection ? buildHomeFacts(connection)[0] : []).toEqual([
			'Service',
			'the simulated service, set by --simulate',
		]);
		expect(buildHomeEntries(state()).map(({value}) => value)).not.toContain('as started');
	});
});

test('Home says that bindings in cloudflare.config.ts are not read', async () => {
	const testStore = createTestStore({});
	writeFileSync(join(testStore.folder, 'cloudflare.config.ts'), 'export default {accountId: "1"};');
	await testStore.state().connection.loadConnection();
	const connection = testStore.state().connection.data;
	const facts = connection ? buildHomeFacts(connection) : [];
	expect(facts).toContainEqual([
		'Configuration',
		"none: ledge doesn't read the bindings in cloudflare.config.ts; use a title or an id",
	]);
	expect(connection?.accountId).toBeUndefined();
});

test.each([
	'account',
	'context',
	'environment',
	'profile',
	'switch',
	'production',
	'login',
])('the palette finds the list of contexts by "%s"', async word => {
	const {state} = await openScreens({}, {local: true});
	const found = listPaletteActions(actions, state(), word).map(({action}) => action.id);
	expect(found.slice(0, 3)).toContain('go.contexts');
});
