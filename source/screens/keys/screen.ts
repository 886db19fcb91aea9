import type {Has} from '../../store/ledge-store.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {openListedKey, reloadKeys} from './actions.ts';
import {namesHolding} from './jumps.ts';
import type {NamespaceRow} from './namespace-rows.ts';
import {shownText} from './shown.ts';

/** Returns the namespace that is shown or being opened. */
const openNamespace = ({
	keys: {data: keys, opening},
}: Has<'keys', 'data' | 'opening'>): NamespaceRow | undefined => keys?.namespace ?? opening?.namespace;

export const keysScreen: ScreenDefinition = {
	group: 'Keys',
	path: (_before, state) => ['ledge', openNamespace(state)?.title ?? ''],
	actsOn(before, state) {
		const open = openNamespace(state);
		return open
			? {isLocal: open.where === 'local', isPreview: open.bindings.some(({preview}) => preview)}
			: before;
	},
	jumps: ({keys: {data: keys}}, sought) =>
		(keys ? namesHolding(keys.index, sought) : []).map(name => ({
			what: 'key',
			name,
			run: app => openListedKey(app, name),
		})),
	reload: reloadKeys,
	move: (state, by) => state.keys.move(by),
	filter: {
		text: ({keys: {data: keys}}) => keys?.filter ?? '',
		narrow: (state, text) => state.keys.filter(text),
		counts: ({keys: {data: keys}}) => (keys ? shownText(keys) : ''),
	},
	takeBack({state}) {
		if (state().keys.stopNarrowing()) return true;
		state().keys.close();
		return false;
	},
};
