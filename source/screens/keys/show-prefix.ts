import {prefixesOf} from '../../kv/key-index/prefixes.ts';
import {TreeRows} from '../../kv/key-index/tree-rows.ts';
import type {App} from '../shell/app.ts';
import {openKeys} from './actions.ts';
import type {NamespaceRow} from './namespace-rows.ts';

/** Milliseconds that groups may take to open before they are looked for. */
const patience = 50;

/**
 * Goes to the tree of the keys of a namespace, with the group of a prefix open and under the cursor; where it is not listed yet,
 * once the listing has come there. A namespace that is open stays so, with its selection.
 */
export async function showPrefix(app: App, namespace: NamespaceRow, prefix: string): Promise<void> {
	const {state} = app;
	if (state().keys.data?.namespace.name === namespace.name) state().navigation.go('keys');
	else await openKeys(app, namespace);
	if (state().keys.data?.namespace.name !== namespace.name) return;
	state().keys.filter('');
	state().keys.arrange('tree');
	const {rows} = state().keys.data ?? {};
	if (rows instanceof TreeRows) {
		rows.openPrefixesOf(prefixesOf(prefix, 0));
		rows.advance(patience);
	}
	await state().keys.refresh(prefix);
}
