import {describe, expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {getScreenContext, isActionBound} from '../../../source/screens/shell/action.ts';
import {buildPaletteRows, type PaletteRow} from '../../../source/screens/shell/action-lists.ts';
import type {Screen} from '../../../source/screens/shell/screen-name.ts';
import {screens} from '../../../source/store/screens.ts';
import {openMigratedCustomRules} from '../support/custom-rules.ts';
import {openShopFirewall} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';
import {plannedActionIds, type Wanted, wanted} from './wanted.ts';

const ids = new Set(actions.map(({id}) => id));

/** True if this action is wanted. The id may have the suffix `-menu`. */
const isWanted = ({ids: wantedIds}: Wanted, id: string): boolean =>
	wantedIds.some(one => (one.startsWith('.') ? id.endsWith(one) : id.replace(/-menu$/, '') === one));

const hasAction = ({ids: wantedIds}: Wanted): boolean =>
	wantedIds.some(id => id.startsWith('.') || ids.has(id));

/** Reads namespaces, zones, keys and rules, and opens a screen. */
async function openScreen(screen: Screen): Promise<TestStore> {
	const testStore = createTestStore();
	const {state, signal} = testStore;
	await state().connection.loadConnection();
	await testStore.openNamespace('CONFIG');
	await testStore.until(({keys: {data: keys}}) => keys?.listing.state === 'complete');
	await state().zones.load(signal);
	await openShopFirewall(testStore);
	if (screen === 'customRules') await openMigratedCustomRules(testStore);
	if (screen === 'key') await state().key.open('site', signal);
	if (screen !== 'home') state().navigation.go(screen);
	return testStore;
}

const screenNames = Object.keys(screens) as Screen[];

/** True if `:` opens the palette here. On a screen where letters are text, it does not. */
const isPaletteBound = (testStore: TestStore): boolean => {
	const context = getScreenContext(testStore.state());
	return actions.some(action => action.keys.includes(':') && isActionBound(action, context, screens));
};

const isDestructiveRow = (row: PaletteRow | undefined): boolean =>
	row?.kind === 'action' && row.action.isDestructive === true;

describe.each(screenNames)('on %s', screen => {
	test('the wanted action or its obstacle is found first, and other words never find a destructive one first', async () => {
		const testStore = await openScreen(screen);
		if (!isPaletteBound(testStore)) return;
		const wrong = wanted.flatMap(one =>
			one.words.flatMap(words => {
				const [first] = buildPaletteRows(actions, testStore.state(), words);
				const id = first?.kind === 'action' ? first.action.id : first && `${first.noun} ${first.name}`;
				if (id !== undefined && isWanted(one, id)) return [];
				return hasAction(one) || isDestructiveRow(first) ? [`${one.what}: ${words} → ${id}`] : [];
			}),
		);
		expect(wrong).toEqual([]);
	});
});

test('wanted actions without an implementation are exactly those listed as planned', () => {
	expect(plannedActionIds.filter(id => ids.has(id))).toEqual([]);
	expect(wanted.filter(one => !hasAction(one)).map(({ids: [id]}) => id)).toEqual(plannedActionIds);
});
