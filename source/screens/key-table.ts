import type {KeyTable} from '../settings/preferences/key-table.ts';
import type {Action} from './shell/app.ts';
import type {Screens} from './shell/screen.ts';

/** Creates a table of the actions of the screens, which loads the work with keys when it is needed. */
export const createKeyTable = (actions: readonly Action[], screens: Screens): KeyTable => ({
	async listActions() {
		const {listChangeableActions} = await import('./bindings/bind.ts');
		return listChangeableActions(actions, screens);
	},
	async listMeanings() {
		const {sharedMeanings} = await import('./bindings/shared-meanings.ts');
		return sharedMeanings;
	},
	async findProblems(preferences) {
		const {bindPreferences} = await import('./bind-preferences.ts');
		return bindPreferences(actions, preferences, {screens, complete: action => action}).problems;
	},
});
