import type {LedgeState} from '../store/ledge-store.ts';
import {fuzzy} from '../text/fuzzy.ts';
import {type Action, contextOf, groups, screenContext, worksIn} from './action.ts';

export type PaletteRow = {readonly action: Action; readonly reason: string | undefined};

/** Every action that is not part of a dialog, those that can be done now first; the others with the reason. */
export function paletteRows(
	actions: readonly Action[],
	state: LedgeState,
	query: string,
): readonly PaletteRow[] {
	const screen = screenContext(state);
	const rows = actions
		.filter(({group, id}) => group !== 'Dialogs' && id !== 'palette')
		.map(action => ({
			action,
			reason: worksIn(action, screen)
				? action.unavailable?.(state)
				: `on ${typeof action.where === 'string' ? 'other screens' : action.where.join(', ')}`,
		}));
	const found = fuzzy(query, rows, ({action}) => `${action.group.toLowerCase()}: ${action.title}`).map(
		({candidate}) => candidate,
	);
	return [
		...found.filter(({reason}) => reason === undefined),
		...found.filter(({reason}) => reason !== undefined),
	];
}

type HelpRow = {readonly heading: string} | {readonly action: Action};

/** The actions whose keys work on the screen, in their groups, narrowed by what is sought. */
export function helpRows(actions: readonly Action[], state: LedgeState, query: string): readonly HelpRow[] {
	const screen = screenContext(state);
	const sought = query.toLowerCase();
	const here = actions.filter(
		action =>
			worksIn(action, screen) &&
			(sought === '' || `${action.title} ${action.keys.join(' ')}`.toLowerCase().includes(sought)),
	);
	return groups.flatMap(group => {
		const own = here.filter(action => action.group === group);
		return own.length === 0 ? [] : [{heading: group}, ...own.map(action => ({action}))];
	});
}

/** The actions that stand on the last line: those of what is in front that can be done now, help the last. */
export function hintedActions(actions: readonly Action[], state: LedgeState): readonly Action[] {
	const context = contextOf(state);
	const own = actions.filter(
		action =>
			action.hint !== undefined && worksIn(action, context) && action.unavailable?.(state) === undefined,
	);
	const reached = own.filter(({keys: [key]}, at) => own.findIndex(({keys}) => keys[0] === key) === at);
	return [...reached.filter(({id}) => id !== 'help'), ...reached.filter(({id}) => id === 'help')];
}
