import {listPrefixes} from '../../kv/key-index/prefixes.ts';
import {TreeRows} from '../../kv/key-index/tree-rows.ts';
import type {App} from '../shell/app.ts';
import {openKeys} from './actions.ts';
import type {NamespaceRow} from './namespace-rows.ts';

/** Milliseconds to spend on opening groups before the cursor moves. */
const openGroupsMs = 50;

/**
 * Opens the tree of a namespace, opens the group of `prefix`, and moves the cursor to that group once it is
 * listed. A namespace that is already open keeps its selection. Back leads to the current screen.
 */
export async function openKeysAtPrefix(app: App, namespace: NamespaceRow, prefix: string): Promise<void> {
	const {state} = app;
	state().navigation.goOnTop('keys');
	if (state().keys.data?.namespace.name !== namespace.name) await openKeys(app, namespace);
	if (state().keys.data?.namespace.name !== namespace.name) return;
	state().keys.filter('');
	state().keys.arrange('tree');
	const {rows} = state().keys.data ?? {};
	if (rows instanceof TreeRows) {
		rows.openGroups(listPrefixes(prefix, 0));
		rows.advance(openGroupsMs);
	}
	await state().keys.refresh(prefix);
}
