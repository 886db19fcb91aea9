import type {KeyTable} from '../../settings/preferences/key-table.ts';
import type {KeyPreferences} from '../../settings/preferences/preferences.ts';
import type {Action} from '../shell/app.ts';
import type {Screens} from '../shell/screen.ts';
import type {Bindings} from './bind.ts';

/** Creates a table of the actions of the screens, which loads the work with keys when it is needed. */
export const createKeyTable = (actions: readonly Action[], screens: Screens): KeyTable => ({
	async listActions() {
		const {listChangeableActions} = await import('./bind.ts');
		return listChangeableActions(actions, screens);
	},
	async listMeanings() {
		const {sharedMeanings} = await import('./shared-meanings.ts');
		return sharedMeanings;
	},
	async findProblems(keys: KeyPreferences) {
		const {bindActions} = await import('./bind.ts');
		const {problems}: Bindings = bindActions(actions, keys, {screens, complete: action => action});
		return problems;
	},
});
