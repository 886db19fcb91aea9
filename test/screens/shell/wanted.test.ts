import {describe, expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {getScreenContext, isActionBound} from '../../../source/screens/shell/action.ts';
import {buildPaletteRows, type PaletteRow} from '../../../source/screens/shell/action-lists.ts';
import type {Screen} from '../../../source/screens/shell/screen-name.ts';
import {screens} from '../../../source/store/screens.ts';
import {openedCustomRules} from '../support/custom-rules.ts';
import {openedShop} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';
import {later, type Wanted, wanted} from './wanted.ts';

const ids = new Set(actions.map(({id}) => id));

/** A way out of a form is the same wish. */
const isWanted = ({ids: wished}: Wanted, id: string): boolean =>
	wished.some(one => (one.startsWith('.') ? id.endsWith(one) : id.replace(/-menu$/, '') === one));

const isThere = ({ids: wished}: Wanted): boolean => wished.some(id => id.startsWith('.') || ids.has(id));

/** Namespaces, zones, keys and rules were read; one screen is in front. */
async function on(screen: Screen): Promise<TestStore> {
	const space = createTestStore();
	const {state, signal} = space;
	await state().connection.loadConnection();
	await space.openNamespace('CONFIG');
	await space.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	await state().zones.load(signal);
	await openedShop(space);
	if (screen === 'customRules') await openedCustomRules(space);
	if (screen === 'key') await state().key.open('site', signal);
	if (screen !== 'home') state().navigation.go(screen);
	return space;
}

const all = Object.keys(screens) as Screen[];

/** Where `:` is typed, letters are not text. */
const isPaletteHere = (space: TestStore): boolean => {
	const context = getScreenContext(space.state());
	return actions.some(action => action.keys.includes(':') && isActionBound(action, context, screens));
};

const destroys = (row: PaletteRow | undefined): boolean =>
	row?.kind === 'action' && row.action.isDestructive === true;

describe.each(all)('on %s', screen => {
	test('the wanted action or its obstacle is found first, and other words never find a destructive one first', async () => {
		const space = await on(screen);
		if (!isPaletteHere(space)) return;
		const wrong = wanted.flatMap(one =>
			one.words.flatMap(words => {
				const [first] = buildPaletteRows(actions, space.state(), words);
				const id = first?.kind === 'action' ? first.action.id : first && `${first.noun} ${first.name}`;
				if (id !== undefined && isWanted(one, id)) return [];
				return isThere(one) || destroys(first) ? [`${one.what}: ${words} → ${id}`] : [];
			}),
		);
		expect(wrong).toEqual([]);
	});
});

test('planned actions do not exist yet', () => {
	expect(later.filter(id => ids.has(id))).toEqual([]);
	expect(wanted.filter(one => !isThere(one)).map(({ids: [id]}) => id)).toEqual(later);
});
