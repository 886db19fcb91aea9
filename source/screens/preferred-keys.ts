import {setNamedKeys} from '../keyboard/named-keys.ts';
import type {PreferenceProblem, Preferences} from '../settings/preferences/preferences.ts';
import {screens} from '../store/screens.ts';
import {withPaletteRoute} from './palette-routes.ts';
import type {Action} from './shell/app.ts';

/** Gives actions the keys that the user prefers, which sentences name from now on. Returns all mistakes in the file, those of its keys too. */
export async function bindPreferredKeys(
	actions: readonly Action[],
	preferences: Preferences | undefined,
): Promise<{readonly actions: readonly Action[]; readonly problems: readonly PreferenceProblem[]}> {
	const {keys, commands = [], problems = []} = preferences ?? {};
	if (!keys || (keys.settings.length === 0 && !keys.preset && commands.length === 0)) {
		setNamedKeys([]);
		return {actions, problems};
	}
	const {bindPreferences} = await import('./bind-preferences.ts');
	const bindings = bindPreferences(actions, {keys, commands}, {screens, complete: withPaletteRoute});
	setNamedKeys(bindings.actions);
	return {
		actions: bindings.actions,
		problems: [...problems, ...bindings.problems].toSorted((one, other) => one.line - other.line),
	};
}
