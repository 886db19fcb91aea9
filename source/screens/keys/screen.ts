import type {StateWith} from '../../store/ledge-store.ts';
import type {ScreenDefinition} from '../shell/screen.ts';
import {getNoKeysReason, openListedKey, reloadKeys} from './actions.ts';
import {findMatchingKeyNames} from './jumps.ts';
import type {NamespaceRow} from './namespace-rows.ts';
import {formatShownCount} from './shown-keys.ts';

/** Returns the namespace that is shown or being opened. */
const getShownNamespace = ({
	keys: {data: keys, opening},
}: StateWith<'keys', 'data' | 'opening'>): NamespaceRow | undefined => keys?.namespace ?? opening?.namespace;

export const keysScreen: ScreenDefinition = {
	group: 'Keys',
	buildPath: (_before, state) => ['ledge', getShownNamespace(state)?.title ?? ''],
	getTarget(before, state) {
		const namespace = getShownNamespace(state);
		return namespace
			? {isLocal: namespace.where === 'local', isPreview: namespace.bindings.some(({preview}) => preview)}
			: before;
	},
	listJumps: ({keys: {data: keys}}, searchText) =>
		(keys ? findMatchingKeyNames(keys.index, searchText) : []).map(name => ({
			noun: 'key',
			name,
			run: app => openListedKey(app, name),
		})),
	reload: reloadKeys,
	stopFollowing: state => state.keys.stopFollowing(),
	move: (state, by) => state.keys.move(by),
	selection: {
		isActive: () => true,
		getUnavailableReason: getNoKeysReason,
		countSelected: ({keys: {data: keys}}) => keys?.index.selectedCount ?? 0,
		extend: (state, distance) => state.keys.extendSelection(distance),
		selectRange: state => state.keys.selectRange(),
	},
	filter: {
		getText: ({keys: {data: keys}}) => keys?.filter ?? '',
		setText: (state, text) => state.keys.filter(text),
		finish: state => state.keys.finishFilter(),
		formatCounts: ({keys: {data: keys}}) => (keys ? formatShownCount(keys) : ''),
	},
	handleEscape({state}) {
		if (state().keys.clearFilters()) return true;
		state().keys.close();
		return false;
	},
};
