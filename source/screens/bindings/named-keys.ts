import type {Action} from '../shell/app.ts';

/** Actions whose keys differ from the default. */
let changedActions: ReadonlyMap<string, Action> = new Map();

/** Sets the actions whose keys sentences name. */
export function setNamedKeys(actions: readonly Action[]): void {
	changedActions = new Map(actions.flatMap(action => (action.defaultKeys ? [[action.id, action]] : [])));
}

/**
 * Names the key of an action in a sentence. An action without a key is named by what finds it in the palette,
 * such as ":filter".
 */
export function nameKey(id: string, defaultKey: string): string {
	const action = changedActions.get(id);
	if (!action) return defaultKey;
	const [word = ''] = action.title.split(/[ :;]/, 1);
	return action.keys[0] ?? `:${word}`;
}
