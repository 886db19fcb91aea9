import {counted, grouped} from '../../text/figures.ts';
import type {App} from '../shell/app.ts';
import {allKeys, type ChosenKeys, chosenPart} from './chosen.ts';
import {prefixHere} from './here.ts';
import {namesOrigin} from './origin.ts';
import {hiddenSelected, isAllShown, selectedShownNames, shownNames} from './shown.ts';
import type {KeysState} from './state.ts';

type Choice = {readonly value: string; readonly label: string; readonly keys: () => ChosenKeys};

/**
 * Asks which keys an action takes: the selected ones, those the filter shows, those below the prefix at the
 * cursor, or all. With a filter, "all" is never assumed. Calls back at once if there is only one choice.
 * Names are copied when a choice is made.
 */
export function chooseKeys(app: App, does: string, chosen: (keys: ChosenKeys) => void): void {
	const keys = app.state().keys.data;
	const {open} = app.state().dialog;
	if (!keys) return;
	const choices = choicesIn(keys);
	if (choices.length === 1 && keys.filter === '') {
		chosen(allKeys);
		return;
	}
	open({
		kind: 'choice',
		title: `${does} which keys of ${keys.namespace.title}?`,
		lines: keys.filter === '' ? [] : [`The filter ${JSON.stringify(keys.filter)} is set.`],
		choices,
		choose(value) {
			const choice = choices.find(one => one.value === value);
			if (choice) chosen(choice.keys());
		},
	});
}

function choicesIn(keys: KeysState): readonly Choice[] {
	const {filter} = keys;
	const prefix = prefixHere(keys);
	const below: ChosenKeys | undefined = prefix === undefined ? undefined : {kind: 'prefix', prefix};
	return [
		...selected(keys),
		...(filter !== '' && keys.rows.count > 0 ? [shown(keys)] : []),
		...(below ? [{value: 'prefix', label: `The ${chosenPart(below)}`, keys: () => below}] : []),
		{value: 'all', label: allText(keys), keys: () => allKeys},
	];
}

/** Offers the selection; if the filter hides part of it, its visible part comes first. */
function selected(keys: KeysState): readonly Choice[] {
	const count = keys.index.selectedCount;
	if (count === 0) return [];
	const hidden = hiddenSelected(keys);
	const all: Choice = {
		value: 'selected',
		label: `The ${count === 1 ? 'key' : `${grouped(count)} keys`} selected${hidden > 0 ? `, ${grouped(hidden)} of them hidden by the filter` : ''}`,
		keys: () => ({kind: 'selected', names: namesOrigin(keys.index.selectedNames())}),
	};
	if (hidden === 0 || hidden === count) return [all];
	const shown: Choice = {
		value: 'selected and shown',
		label: `The ${counted(count - hidden, 'key')} selected and shown`,
		keys: () => ({kind: 'selected', names: namesOrigin(selectedShownNames(keys))}),
	};
	return [shown, all];
}

/**
 * If the filter hides part of the selection, asks whether to take all of it or the visible part, which then
 * becomes the selection.
 */
export function chooseSelected(app: App, does: string, chosen: () => void): void {
	const keys = app.state().keys.data;
	const {open} = app.state().dialog;
	if (!keys) return;
	const count = keys.index.selectedCount;
	const hidden = hiddenSelected(keys);
	if (hidden === 0 || hidden === count) {
		chosen();
		return;
	}
	open({
		kind: 'choice',
		title: `${does} which selected keys of ${keys.namespace.title}?`,
		lines: [`The filter ${JSON.stringify(keys.filter)} is set.`],
		choices: [
			{value: 'shown', label: `The ${counted(count - hidden, 'key')} selected and shown`},
			{
				value: 'all',
				label: `All ${grouped(count)} selected, ${grouped(hidden)} of them hidden by the filter`,
			},
		],
		choose(value) {
			if (value === 'shown') app.state().keys.selectOnlyShown();
			chosen();
		},
	});
}

/** The keys that match the filter so far; more may match while the listing continues. */
function shown(keys: KeysState): Choice {
	const {filter} = keys;
	return {
		value: 'filtered',
		label: `The ${counted(keys.rows.count, 'key')} shown${isAllShown(keys) ? '' : ' so far: not all are listed yet'}`,
		keys: () => ({kind: 'filtered', filter, names: namesOrigin(shownNames(keys))}),
	};
}

function allText({index, listing, filter, rows}: KeysState): string {
	if (filter === '') return 'All keys of the namespace';
	const all = listing.state === 'complete' ? grouped(index.count) : `${grouped(index.count)}+`;
	return `All ${all} keys of the namespace, not only the ${grouped(rows.count)} shown`;
}
