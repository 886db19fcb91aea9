import type {LedgeState} from '../../store/ledge-store.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {openListedKey, reloadKeys} from './actions.ts';
import {namesHolding} from './jumps.ts';
import type {NamespaceRow} from './namespace-rows.ts';
import {shownText} from './shown.ts';

/** The namespace whose keys are shown, or will be. */
const openNamespace = ({keys, opening}: LedgeState): NamespaceRow | undefined =>
	keys?.namespace ?? opening?.namespace;

export const keysScreen: ScreenDefinition = {
	group: 'Keys',
	path: (_before, state) => ['ledge', openNamespace(state)?.title ?? ''],
	actsOn(before, state) {
		const open = openNamespace(state);
		return open
			? {isLocal: open.where === 'local', isPreview: open.bindings.some(({preview}) => preview)}
			: before;
	},
	jumps: ({keys}, sought) =>
		(keys ? namesHolding(keys.index, sought) : []).map(name => ({
			what: 'key',
			name,
			run: app => openListedKey(app, name),
		})),
	reload: reloadKeys,
	move: (state, by) => state.moveInKeys(by),
	filter: {
		text: ({keys}) => keys?.filter ?? '',
		narrow: (state, text) => state.filterKeys(text),
		counts: ({keys}) => (keys ? shownText(keys) : ''),
	},
	takeBack({state}) {
		if (state().stopNarrowing()) return true;
		state().closeKeys();
		return false;
	},
};
