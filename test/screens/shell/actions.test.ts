import {describe, expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {isActionActive, isActionBound} from '../../../source/screens/shell/action.ts';
import {buildHelpRows} from '../../../source/screens/shell/action-lists.ts';
import type {Action, App, InputContext} from '../../../source/screens/shell/app.ts';
import {listHelpGroups} from '../../../source/screens/shell/screen.ts';
import type {Screen} from '../../../source/screens/shell/screen-name.ts';
import type {LedgeState} from '../../../source/store/ledge-store.ts';
import {screens as definitions} from '../../../source/store/screens.ts';
import {openShopFirewall} from '../support/firewall.ts';
import {createMigratingPerson, shop} from '../support/migration-store.ts';
import {listPaletteActions} from '../support/palette.ts';
import {createTestStore} from '../support/store.ts';

const screens = [...new Set(actions.flatMap(({where}) => (where === 'everywhere' ? [] : where)))].filter(
	(context): context is Screen => isActionBound(actionNamed('help'), context, definitions),
);

function actionNamed(id: string): Action {
	const action = actions.find(one => one.id === id);
	if (!action) throw new Error(`There is no action "${id}".`);
	return action;
}

/** The ids of the actions that the keys of a screen reach, each pressed once, with everything possible. */
function listReachedIds(screen: Screen): Set<string> {
	const {store, state} = createTestStore();
	if (screen !== 'home') state().navigation.go(screen);
	const reached = new Set<string>();
	const possible = actions.map(({getUnavailableReason: _, isActive: _here, ...action}) => ({
		...action,
		run: () => void reached.add(action.id),
	}));
	const app = {store, state, actions: possible, terminal: {forward() {}}} as unknown as App;
	for (const {keys} of actions) for (const name of keys) dispatch(app, {name, text: '', sequence: ''});
	return reached;
}

/** Whether each key of an action that works everywhere means something else on the screen. */
const isShadowed = (id: string, activeIds: ReadonlySet<string>): boolean => {
	const {where, keys} = actionNamed(id);
	const others = actions.filter(one => activeIds.has(one.id) && one.where !== 'everywhere');
	return where === 'everywhere' && keys.every(key => others.some(one => one.keys.includes(key)));
};

test('every action has its own ID, a sentence, and a group in the help', () => {
	expect(new Set(actions.map(({id}) => id)).size).toBe(actions.length);
	for (const {title, group} of actions) {
		expect(title).not.toBe('');
		expect(listHelpGroups(definitions)).toContain(group);
	}
});

describe.each(screens)('on the screen %s', screen => {
	const goToScreen = () => {
		const {state} = createTestStore();
		if (screen !== 'home') state().navigation.go(screen);
		return state();
	};
	const listActiveIds = () => {
		const state = goToScreen();
		return new Set(actions.filter(action => isActionActive(action, screen, state)).map(({id}) => id));
	};

	test('the help lists every key that works once, and no other', () => {
		const activeIds = listActiveIds();
		const rows = buildHelpRows(actions, goToScreen(), '');
		const listedKeys = rows.flatMap(row =>
			'action' in row ? row.keys : 'keys' in row && row.title.startsWith('0 Home') ? [...'0123456789'] : [],
		);
		const activeKeys = new Set([...activeIds].flatMap(id => actionNamed(id).keys));
		expect(listedKeys.toSorted()).toEqual([...activeKeys].toSorted());
		const listedIds = rows.flatMap(row => ('action' in row ? [row.action.id] : []));
		expect(listedIds.filter(id => !activeIds.has(id) || isShadowed(id, activeIds))).toEqual([]);
	});

	test('the palette lists every active action, and others with a reason or the way there', () => {
		const activeIds = listActiveIds();
		const rows = listPaletteActions(actions, goToScreen(), '');
		const paletteIds = new Set(rows.map(({action}) => action.id));
		for (const id of activeIds) if (id !== 'palette') expect(paletteIds).toContain(id);
		const elsewhere = rows.filter(({action}) => !isActionBound(action, screen, definitions));
		expect(elsewhere.every(row => row.reason !== undefined || row.route !== undefined)).toBe(true);
	});

	test('a key triggers one action; of two that share it, the later one works if the first is unavailable', () => {
		const activeIds = listActiveIds();
		const reached = listReachedIds(screen);
		for (const id of activeIds) {
			if (reached.has(id)) continue;
			const action = actionNamed(id);
			const before = action.keys.map(key =>
				actions.find(
					one => one.keys.includes(key) && isActionBound(one, screen, definitions) && one.id !== id,
				),
			);
			expect(
				before.every(one => one?.getUnavailableReason !== undefined || one?.isActive !== undefined),
				`${id} is never reached`,
			).toBe(true);
		}
	});
});

test('letters are text while text is typed', () => {
	const typing: readonly InputContext[] = [
		'filter',
		'field',
		'palette',
		'help search',
		'editor' as InputContext,
	];
	for (const action of actions)
		for (const context of typing)
			if (isActionBound(action, context, definitions))
				for (const key of action.keys)
					expect([...key].length, `${action.id} takes "${key}"`).toBeGreaterThan(1);
});

describe('in a step of the emergency', () => {
	const beginEmergency = async (expression: string) => {
		const testStore = createTestStore();
		await openShopFirewall(testStore);
		testStore.state().navigation.go('firewall');
		testStore.state().emergency.begin();
		testStore.state().navigation.go('emergency');
		for (const text of expression) testStore.state().emergency.type({name: text, text, sequence: text});
		return testStore;
	};
	const buildRows = (state: LedgeState) => buildHelpRows(actions, state, '');

	test('neither the help nor the palette lists an action of another step', async () => {
		const {state} = await beginEmergency('ip.src eq 192.0.2.99');
		state().emergency.goToNextStep();
		const ids = buildRows(state()).flatMap(row => ('action' in row ? [row.action.id] : []));
		expect(ids).toContain('emergency.choose');
		expect(ids).not.toContain('emergency.send');
		const paletteIds = listPaletteActions(actions, state(), '').map(({action}) => action.id);
		expect(paletteIds).toContain('emergency.choose');
		expect(paletteIds).not.toContain('emergency.send');
	});

	test('the help lists the text keys while text is typed', async () => {
		const {state} = await beginEmergency('');
		const keys = buildRows(state()).flatMap(row => ('keys' in row ? row.keys : []));
		for (const key of ['ctrl-n', 'alt-enter', 'ctrl-_', 'pagedown']) expect(keys).toContain(key);
	});

	test.each([':', 'ctrl-k'])('%s opens the palette if nothing is being typed', async name => {
		const {state, store} = await beginEmergency('ip.src eq 192.0.2.99');
		state().emergency.goToNextStep();
		dispatch({store, state, actions, terminal: {}} as unknown as App, {name, text: '', sequence: ''});
		expect(state().dialog.current?.kind).toBe('palette');
	});

	test('q asks before typed text is lost', async () => {
		const {state, store} = await beginEmergency('ip.src eq 192.0.2.99');
		state().emergency.goToNextStep();
		dispatch({store, state, actions, terminal: {}} as unknown as App, {name: 'q', text: 'q', sequence: 'q'});
		expect(state().dialog.current).toMatchObject({kind: 'confirm', title: 'Quit ledge?'});
	});
});

test('the help says what a key does now', async () => {
	const testStore = createTestStore();
	await testStore.openNamespace('CONFIG');
	const {state, signal, until} = testStore;
	void state().work.run('listing', 'background', () => state().keys.list(signal));
	await until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	state().navigation.go('keys');
	const findTitle = () =>
		buildHelpRows(actions, state(), '').find(row => 'keys' in row && row.keys.includes('d'));
	expect(findTitle()).toMatchObject({title: 'delete the key'});
	state().keys.toggleRowSelection();
	expect(findTitle()).toMatchObject({title: 'delete the selected keys'});
	const found = buildHelpRows(actions, state(), 'delete').flatMap(row =>
		'action' in row ? [row.title] : [],
	);
	expect(found).toEqual(expect.arrayContaining(['delete the key', 'delete the selected keys']));
});

test("the help begins with the screen's own actions", () => {
	const {state} = createTestStore();
	state().navigation.go('zones');
	expect(buildHelpRows(actions, state(), '')[0]).toEqual({heading: 'Zones'});
});

test('the palette calls places by their names', () => {
	const {state} = createTestStore();
	const reasons = listPaletteActions(actions, state(), '').map(({reason}) => reason);
	expect(reasons).toContain('only on the rule wizard');
	expect(reasons.some(reason => reason?.includes('menu'))).toBe(false);
});

describe('the palette in the migration, searched for the word', () => {
	const findInPalette = async () => {
		const {state} = await createMigratingPerson(shop);
		return listPaletteActions(actions, state(), 'migr').filter(({reason}) => reason === undefined);
	};

	test('lists mere moves after every other action', async () => {
		const moves = (await findInPalette()).map(({action}) => action.isMove === true);
		expect(moves).toContain(true);
		expect(moves.lastIndexOf(false)).toBeLessThan(moves.indexOf(true));
	});

	test('lists nothing twice', async () => {
		const titles = (await findInPalette()).map(({action}) => action.title);
		expect(titles).toContain('quit; asks first if something would be lost');
		expect(new Set(titles).size).toBe(titles.length);
	});
});
