import {dispatch} from '../../../source/screens/dispatch.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {createTestApp} from './drawn.tsx';
import {callMovedZoneAsOther, openShopFirewall} from './firewall.ts';
import {createTestStore, type TestStore} from './store.ts';

export const key = (name: string) => ({name, text: [...name].length === 1 ? name : '', sequence: name});

/** Opens the shop with three rules on two filters, in front, for keys. */
export async function openShopRules(testStore = createTestStore()) {
	const shopIds = await openShopFirewall(testStore);
	await testStore.state().connection.loadConnection();
	testStore.state().navigation.go('firewall');
	const app = createTestApp(testStore);
	const press = (...names: readonly string[]) => {
		for (const name of names) dispatch(app, key(name));
	};
	return {space: testStore, app, made: shopIds, press};
}

export function expectDialog<Kind extends Dialog['kind']>(
	{state}: TestStore,
	kind: Kind,
): Extract<Dialog, {kind: Kind}> {
	const dialog = state().dialog.current;
	if (dialog?.kind !== kind) throw new Error(`There is no ${kind}, but ${dialog?.kind}.`);
	return dialog as Extract<Dialog, {kind: Kind}>;
}

/** Chooses an entry of the choice in front. */
export function choose(testStore: TestStore, value: string): void {
	const dialog = expectDialog(testStore, 'choice');
	testStore.state().dialog.close();
	dialog.choose(value);
}

export const isIdle = ({work: {list: work}}: ReturnType<TestStore['state']>) => work.length === 0;
export const getRules = ({state}: TestStore) => state().firewall.data?.rules ?? [];
export const getMessage = ({state}: TestStore) => state().messages.latest?.text ?? '';

export type OpenedShop = Awaited<ReturnType<typeof openShopRules>>;

/** Presses keys, answers the question with yes, and waits. */
export async function doAndConfirm({space, press}: OpenedShop, ...names: readonly string[]): Promise<void> {
	press(...names);
	expectDialog(space, 'confirm');
	press('y');
	await space.until(isIdle);
}

/** Undoes the last change. */
export const undoLast = (opened: OpenedShop) => doAndConfirm(opened, 'u');

/** Deletes the rule under the cursor, and its filter if no other rule uses that. */
export const deleteCurrentRule = (opened: OpenedShop) => doAndConfirm(opened, 'd');

/** Lists the rules as the service has them, in the order of the list. */
export const readShopRules = (testStore: TestStore) =>
	callMovedZoneAsOther<{id: string; paused: boolean; priority?: number}[]>(
		testStore,
		'GET',
		'/firewall/rules?per_page=100',
	);

/** Counts the requests of a kind that this session sent. */
export const countCalls = ({state}: TestStore, method: string) =>
	state().activity.data.rows.filter(call => call.method === method).length;

/** Why `u` is unavailable. */
export const nothingToUndo = 'nothing to undo in this zone';
