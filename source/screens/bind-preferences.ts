import type {Preferences} from '../settings/preferences/preferences.ts';
import {type Bindings, bindActions} from './bindings/bind.ts';
import {buildOwnCommandActions} from './own-commands/actions.ts';
import type {Action} from './shell/app.ts';
import type {Screens} from './shell/screen.ts';

/**
 * Adds the user's own commands to the actions, and gives all of them the keys that the user prefers. Lines
 * that come first get a key that several want, whatever their table.
 */
export function bindPreferences(
	actions: readonly Action[],
	{keys, commands}: Pick<Preferences, 'keys' | 'commands'>,
	{screens, complete}: {readonly screens: Screens; complete(action: Action): Action},
): Bindings {
	const ownCommands = buildOwnCommandActions(commands, screens);
	const settings = [...keys.settings, ...ownCommands.settings].toSorted(
		(one, other) => one.line - other.line,
	);
	const bindings = bindActions(
		[...ownCommands.actions.map(complete), ...actions],
		{...keys, settings},
		{screens, complete},
	);
	const problems = [...ownCommands.problems, ...bindings.problems];
	return {
		actions: bindings.actions,
		problems: problems.toSorted((one, other) => one.line - other.line),
	};
}
