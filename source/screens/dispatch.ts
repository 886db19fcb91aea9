import type {Key} from '../keyboard/key.ts';
import {splitAlt} from '../keyboard/parse-sequence.ts';
import {getInputContext, isActionActive, isActionBound, preferScreenActions} from './shell/action.ts';
import type {App} from './shell/app.ts';
import {getCurrentScreen} from './shell/screen-name.ts';

/**
 * Handles a key: runs its action in the current context, or reports why it is unavailable. Unbound keys go to
 * the focused field; where there is none, a character is reported.
 */
export function dispatch(app: App, key: Key): void {
	if (performAction(app, key) || typeKey(app, key)) return;
	// An unbound alt key may be Esc and another key in quick succession. Not in a field, which Esc
	// closes: there, alt with a letter is more likely a habit from other editors.
	const splitKeys = splitAlt(key);
	const context = getInputContext(app.state());
	if (splitKeys && !(context === 'field' && splitKeys[1].text !== ''))
		for (const one of splitKeys) dispatch(app, one);
	if (!splitKeys) reportUnboundKey(app, key);
}

/** Says that a character does nothing on the screen. A failure stays; dialogs hide the message. */
function reportUnboundKey(app: App, {name, text}: Key): void {
	const state = app.state();
	const context = getInputContext(state);
	const screen = getCurrentScreen(state);
	const isScreen =
		context === `${screen} menu` || (context === screen && !state.navigation.screens[screen].textInput);
	if (!isScreen || text === '' || name !== text || state.messages.latest?.kind === 'failed') return;
	const inactiveAction = app.actions.find(
		one => one.keys.includes(name) && isActionBound(one, context, state.navigation.screens),
	);
	state.messages.warn(
		inactiveAction
			? `${name} does nothing at this point (${inactiveAction.title})`
			: `${name} does nothing here; ? lists the keys`,
	);
}

/** Runs the first available action of the key. Returns whether an action has this key. */
function performAction(app: App, key: Key): boolean {
	const state = app.state();
	const context = getInputContext(state);
	const boundActions = preferScreenActions(
		app.actions.filter(one => one.keys.includes(key.name) && isActionActive(one, context, state)),
	);
	const [firstAction] = boundActions;
	if (!firstAction) return false;
	const availableAction = boundActions.find(one => one.getUnavailableReason?.(state) === undefined);
	if (availableAction) {
		if (state.messages.latest && state.messages.latest.kind !== 'failed') state.messages.clear();
		app.log?.write('action', {id: availableAction.id, key: key.name, context});
		availableAction.run(app, key);
	} else {
		// The reason comes first: narrow lines are cut at the end.
		state.messages.warn(`${firstAction.getUnavailableReason?.(state)} (${firstAction.title})`);
	}
	return true;
}

/** Passes a key to the focused field. Returns whether the field handles it. */
function typeKey(app: App, key: Key): boolean {
	const state = app.state();
	const context = getInputContext(state);
	switch (context) {
		case 'field':
			return state.dialog.typeInField(key);
		case 'filter':
		case 'palette':
		case 'help':
			return state.dialog.typeInLine(key);
		case 'entry':
			return forwardToInkField(app, key);
		default: {
			const screen = getCurrentScreen(state);
			return (
				context === screen && (state.navigation.screens[screen].textInput?.handleKey(state, key) ?? false)
			);
		}
	}
}

/**
 * Forwards a key to Ink's one-line field, without line feeds of a paste or letters of control keys, which it
 * would insert.
 */
function forwardToInkField({terminal}: App, key: Key): boolean {
	const {name} = key;
	const isEditKey = name === 'backspace' || name === 'delete' || name === 'left' || name === 'right';
	if (!isEditKey && key.text === '') return false;
	const text = key.text.replace(/[\s\p{Cc}]+/gu, ' ');
	terminal.forward(isEditKey ? key : {...key, text, sequence: text});
	return true;
}
