import {namesOrigin} from '../../store/bulk-origin.ts';
import {allKeys, type ChosenKeys, chosenPart} from '../../store/chosen-keys.ts';
import {prefixHere} from '../../store/key-here.ts';
import type {App} from '../action.ts';

/**
 * Asks which keys are meant, where that is not clear: those that are selected, those below the prefix that the cursor
 * is on or in, or all of the namespace. A selection is taken as it is when it is chosen.
 */
export function chooseKeys(app: App, does: string, chosen: (keys: ChosenKeys) => void): void {
	const {keys, open} = app.state();
	if (!keys) return;
	const {index, namespace} = keys;
	const prefix = prefixHere(keys);
	const selected = (): ChosenKeys => ({kind: 'selected', names: namesOrigin(index.selectedNames())});
	const below: ChosenKeys | undefined = prefix === undefined ? undefined : {kind: 'prefix', prefix};
	const count = index.selectedCount;
	if (count === 0 && !below) {
		chosen(allKeys);
		return;
	}
	open({
		kind: 'choice',
		title: `${does} which keys of ${namespace.title}?`,
		lines: [],
		choices: [
			...(count > 0
				? [{value: 'selected', label: `The ${count === 1 ? 'key' : `${count} keys`} selected`}]
				: []),
			...(below ? [{value: 'prefix', label: `The ${chosenPart(below)}`}] : []),
			{value: 'all', label: 'All keys of the namespace'},
		],
		choose(value) {
			if (value === 'selected') chosen(selected());
			else chosen(value === 'prefix' && below ? below : allKeys);
		},
	});
}
