import type {Key} from '../keyboard/key.ts';
import {withoutAlt} from '../keyboard/meaning.ts';
import {belongsTo, contextOf, keyed} from './shell/action.ts';
import type {App} from './shell/app.ts';
import {screenOf} from './shell/screen-name.ts';

/**
 * The one place where keys come in: finds the action of the key in what is in front and performs it, or reports
 * why it cannot be done. What no action wants goes to the field that is being typed in.
 */
export function dispatch(app: App, key: Key): void {
	if (perform(app, key) || typed(app, key)) return;
	// Nothing is bound to it: it may be Esc, and another key right behind it. In a field, which Esc empties, a letter
	// with alt is rather someone's habit from other editors.
	const apart = withoutAlt(key);
	const context = contextOf(app.state());
	if (apart && !(context === 'field' && apart[1].text !== '')) for (const one of apart) dispatch(app, one);
}

/** Performs the first of the key's actions that is possible now. Returns whether an action has this key. */
function perform(app: App, key: Key): boolean {
	const state = app.state();
	const context = contextOf(state);
	const own = keyed(app.actions.filter(one => one.keys.includes(key.name) && belongsTo(one, context, state)));
	const [first] = own;
	if (!first) return false;
	const possible = own.find(one => one.unavailable?.(state) === undefined);
	if (possible) {
		if (state.messages.latest && state.messages.latest.kind !== 'failed') state.messages.clear();
		possible.run(app, key);
	} else {
		// The reason is what counts; of a narrow line the end is cut.
		state.messages.warn(`${first.unavailable?.(state)} (${first.title})`);
	}
	return true;
}

/** A key that only types: for the field in front. Returns whether there is one, and the key means anything in it. */
function typed(app: App, key: Key): boolean {
	const state = app.state();
	const context = contextOf(state);
	switch (context) {
		case 'field':
			return state.dialog.typeInField(key);
		case 'filter':
		case 'palette':
		case 'help':
			return state.dialog.typeInLine(key);
		case 'entry':
			return forwardPlain(app, key);
		default: {
			const screen = screenOf(state);
			return context === screen && (state.navigation.screens[screen].text?.type(state, key) ?? false);
		}
	}
}

/** Ink's one-line field takes what it is given as it is: line feeds of a paste, and letters of control keys. */
function forwardPlain({terminal}: App, key: Key): boolean {
	const {name} = key;
	const edits = name === 'backspace' || name === 'delete' || name === 'left' || name === 'right';
	if (!edits && key.text === '') return false;
	const text = key.text.replace(/[\s\p{Cc}]+/gu, ' ');
	terminal.forward(edits ? key : {...key, text, sequence: text});
	return true;
}
