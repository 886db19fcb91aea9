import {describe, expect, test} from 'vitest';
import {type Action, type App, type Context, groups, worksIn} from '../../source/screens/action.ts';
import {helpRows, paletteRows} from '../../source/screens/action-lists.ts';
import {actions} from '../../source/screens/actions.ts';
import {dispatch} from '../../source/screens/dispatch.ts';
import type {Screen} from '../../source/store/navigation-slice.ts';
import {createTestStore} from '../store/support/store.ts';

const screens = [...new Set(actions.flatMap(({where}) => (where === 'everywhere' ? [] : where)))].filter(
	(context): context is Screen => worksIn(actionNamed('help'), context),
);

function actionNamed(id: string): Action {
	const action = actions.find(one => one.id === id);
	if (!action) throw new Error(`There is no action "${id}".`);
	return action;
}

/** The ids of the actions that the keys of a screen reach, each pressed once, with everything possible. */
function handled(screen: Screen): Set<string> {
	const {store, state} = createTestStore();
	if (screen !== 'home') state().go(screen);
	const reached = new Set<string>();
	const possible = actions.map(({unavailable: _, ...action}) => ({
		...action,
		run: () => void reached.add(action.id),
	}));
	const app = {store, state, actions: possible, terminal: {forward() {}}} as unknown as App;
	for (const {keys} of actions) for (const name of keys) dispatch(app, {name, text: '', sequence: ''});
	return reached;
}

test('every action has an id of its own, a sentence, and a group of the help', () => {
	expect(new Set(actions.map(({id}) => id)).size).toBe(actions.length);
	for (const {title, group} of actions) {
		expect(title).not.toBe('');
		expect(groups).toContain(group);
	}
});

describe.each(screens)('on the screen %s', screen => {
	const on = () => {
		const {state} = createTestStore();
		if (screen !== 'home') state().go(screen);
		return state();
	};
	const here = new Set(actions.filter(action => worksIn(action, screen)).map(({id}) => id));

	test('the help lists every action whose key works, and no other', () => {
		const listed = helpRows(actions, on(), '').flatMap(row => ('action' in row ? [row.action.id] : []));
		expect(new Set(listed)).toEqual(here);
		expect(listed).toHaveLength(here.size);
	});

	test('the palette names them all, and those of other screens with where they work', () => {
		const rows = paletteRows(actions, on(), '');
		const named = new Set(rows.map(({action}) => action.id));
		for (const id of here) if (id !== 'palette') expect(named).toContain(id);
		const elsewhere = rows.filter(({action}) => !here.has(action.id));
		expect(elsewhere.every(({reason}) => reason !== undefined)).toBe(true);
	});

	test('a key reaches one action; where two share it, the later one is for when the first cannot be done', () => {
		const reached = handled(screen);
		for (const id of here) {
			if (reached.has(id)) continue;
			const action = actionNamed(id);
			const before = action.keys.map(key =>
				actions.find(one => one.keys.includes(key) && worksIn(one, screen) && one.id !== id),
			);
			expect(
				before.every(one => one?.unavailable !== undefined),
				`${id} is never reached`,
			).toBe(true);
		}
	});
});

test('letters are text where text is typed', () => {
	const typing: readonly Context[] = ['filter', 'field', 'entry', 'palette', 'help', 'editor' as Context];
	for (const action of actions)
		for (const context of typing)
			if (worksIn(action, context))
				for (const key of action.keys)
					expect([...key].length, `${action.id} takes "${key}"`).toBeGreaterThan(1);
});
