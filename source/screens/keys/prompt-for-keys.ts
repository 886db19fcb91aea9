import {formatInteger, formatQuantity} from '../../text/figures.ts';
import {shortenKeyName} from '../../text/short-name.ts';
import type {App} from '../shell/app.ts';
import {allKeys, type ChosenKeys, formatKeySubset} from './chosen-keys.ts';
import {getCurrentKeyName, getCurrentPrefix} from './cursor-row.ts';
import {createNamesOrigin, listOriginNames} from './origin.ts';
import {
	countHiddenSelected,
	countShownKeys,
	formatListedCount,
	formatPrefixCount,
	isFiltered,
	isShownComplete,
	listSelectedShownNames,
	listShownKeyNames,
} from './shown-keys.ts';
import type {KeysState} from './state.ts';

type Choice = {readonly value: string; readonly label: string; readonly keys: () => ChosenKeys};

/**
 * Asks which keys an action takes: the selected ones, those that match the filter, those below the prefix at
 * the cursor, or all. `startsAtCursor`: without a selection, the key under the cursor comes first. If all keys
 * are the only choice and no filter is set, it does not ask. Names are copied when a choice is made.
 */
export function promptForKeys(
	app: App,
	verb: string,
	onChosen: (keys: ChosenKeys) => void,
	{startsAtCursor = false} = {},
): void {
	const keys = app.state().keys.data;
	const {open} = app.state().dialog;
	if (!keys) return;
	const choices = [...(startsAtCursor ? listCursorKeyChoices(keys) : []), ...listKeyChoices(keys)];
	if (choices.length === 1 && !isFiltered(keys)) {
		onChosen(allKeys);
		return;
	}
	open({
		kind: 'choice',
		title: `${verb} which keys in ${keys.namespace.title}?`,
		lines: isFiltered(keys) ? [`The filter ${JSON.stringify(keys.filter)} is active.`] : [],
		choices,
		choose(value) {
			const choice = choices.find(one => one.value === value);
			if (choice) onChosen(choice.keys());
		},
	});
}

function listKeyChoices(keys: KeysState): readonly Choice[] {
	const cursorPrefix = getCurrentPrefix(keys);
	// A group around all keys of a prefix filter would be more than is shown.
	const prefix = cursorPrefix?.startsWith(keys.prefixKeys?.prefix ?? '') ? cursorPrefix : undefined;
	const prefixKeys: ChosenKeys | undefined = prefix === undefined ? undefined : {kind: 'prefix', prefix};
	return [
		...listSelectedKeyChoices(keys),
		...(isFiltered(keys) && keys.rows.count > 0 ? [buildShownKeysChoice(keys)] : []),
		...(prefixKeys
			? [{value: 'prefix', label: `The ${formatKeySubset(prefixKeys)}`, keys: () => prefixKeys}]
			: []),
		{value: 'all', label: formatAllKeysLabel(keys), keys: () => allKeys},
	];
}

/** Offers the key under the cursor if no key is selected. */
function listCursorKeyChoices(keys: KeysState): readonly Choice[] {
	const name = getCurrentKeyName(keys);
	if (name === undefined || keys.index.selectedCount > 0) return [];
	return [{value: 'key', label: `Only ${shortenKeyName(name)}`, keys: () => ({kind: 'key', name})}];
}

/** Offers the selection; if the filter hides part of it, its visible part comes first. */
function listSelectedKeyChoices(keys: KeysState): readonly Choice[] {
	const selectedCount = keys.index.selectedCount;
	if (selectedCount === 0) return [];
	const hiddenCount = countHiddenSelected(keys);
	const allChoice: Choice = {
		value: 'selected',
		label: `The ${selectedCount === 1 ? 'selected key' : `${formatInteger(selectedCount)} selected keys`}${hiddenCount > 0 ? `, ${formatInteger(hiddenCount)} of them hidden by the filter` : ''}`,
		keys: () => ({kind: 'selected', names: createNamesOrigin(keys.index.listSelectedNames())}),
	};
	if (hiddenCount === 0 || hiddenCount === selectedCount) return [allChoice];
	const shownChoice: Choice = {
		value: 'selected and shown',
		label: `The ${formatQuantity(selectedCount - hiddenCount, 'selected key')} shown`,
		keys: () => ({kind: 'selected', names: createNamesOrigin(listSelectedShownNames(keys))}),
	};
	return [shownChoice, allChoice];
}

/**
 * If the filter hides part of the selection, asks whether to take all of it or only the visible part. The
 * visible part then becomes the selection.
 */
export function promptForSelectedKeys(app: App, verb: string, onChosen: () => void): void {
	const keys = app.state().keys.data;
	const {open} = app.state().dialog;
	if (!keys) return;
	const selectedCount = keys.index.selectedCount;
	const hiddenCount = countHiddenSelected(keys);
	if (hiddenCount === 0 || hiddenCount === selectedCount) {
		onChosen();
		return;
	}
	const shownNames = createNamesOrigin(listSelectedShownNames(keys));
	const allNames = createNamesOrigin(keys.index.listSelectedNames());
	open({
		kind: 'choice',
		title: `${verb} which selected keys in ${keys.namespace.title}?`,
		lines: [`The filter ${JSON.stringify(keys.filter)} is active.`],
		choices: [
			{value: 'shown', label: `The ${formatQuantity(selectedCount - hiddenCount, 'selected key')} shown`},
			{
				value: 'all',
				label: `All ${formatInteger(selectedCount)} selected keys, ${formatInteger(hiddenCount)} of them hidden by the filter`,
			},
		],
		choose(value) {
			app.state().keys.selectOnly(listOriginNames(value === 'shown' ? shownNames : allNames));
			onChosen();
		},
	});
}

/**
 * The keys that match the filter so far; more may match while the listing continues. A prefix stands for all
 * its keys, which are listed again.
 */
function buildShownKeysChoice(keys: KeysState): Choice {
	const {filter, prefixKeys} = keys;
	if (prefixKeys)
		return {
			value: 'filtered',
			label: `The ${formatPrefixCount(prefixKeys)} that start with ${JSON.stringify(prefixKeys.prefix)}`,
			keys: () => ({kind: 'prefix', prefix: prefixKeys.prefix}),
		};
	return {
		value: 'filtered',
		label: `The ${formatQuantity(keys.rows.count, 'key')} shown${isShownComplete(keys) ? '' : ' so far; the list is incomplete'}`,
		keys: () => ({kind: 'filtered', filter, names: createNamesOrigin(listShownKeyNames(keys))}),
	};
}

function formatAllKeysLabel(keys: KeysState): string {
	if (!isFiltered(keys)) return 'All keys in the namespace';
	return `All ${formatListedCount(keys)} keys in the namespace, not just the ${formatInteger(countShownKeys(keys))} shown`;
}
