/** What sentences need of an action. */
type NamedAction = {
	readonly id: string;
	readonly title: string;
	readonly keys: readonly string[];
	/** Its keys by default, if they differ. */
	readonly defaultKeys?: readonly string[] | undefined;
};

/** Actions whose keys differ from the default. */
let changedActions: ReadonlyMap<string, NamedAction> = new Map();

/** Sets the actions whose keys sentences name. */
export function setNamedKeys(actions: readonly NamedAction[]): void {
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
