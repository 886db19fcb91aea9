import type {Key} from '../keyboard/key.ts';
import {withoutAlt} from '../keyboard/meaning.ts';
import {type App, contextOf, worksIn} from './action.ts';

/**
 * The one place where keys come in: finds the action of the key in what is in front and does it, or says why it
 * cannot be done. What no action wants goes to the field that is being typed in.
 */
export function dispatch(app: App, key: Key): void {
	if (perform(app, key)) return;
	const isTyping = typed(app, key);
	// Nothing is bound to it: it may be Esc, and another key right behind it. A letter with alt, where text is typed,
	// is rather someone's habit from other editors, and must not leave the field.
	const apart = withoutAlt(key);
	if (apart && !(isTyping && apart[1].text !== '')) for (const one of apart) dispatch(app, one);
}

/** Does the first action of the key that can be done. Gives whether the key has any. */
function perform(app: App, key: Key): boolean {
	const state = app.state();
	const context = contextOf(state);
	const own = app.actions.filter(one => one.keys.includes(key.name) && worksIn(one, context));
	const [first] = own;
	if (!first) return false;
	const possible = own.find(one => one.unavailable?.(state) === undefined);
	if (possible) {
		if (state.message && state.message.kind !== 'failed') state.clearMessage();
		possible.run(app, key);
	} else {
		state.warn(`${first.title}: ${first.unavailable?.(state)}`);
	}
	return true;
}

/** A key that only types: for the field in front, which ignores what it does not know. Gives whether there is one. */
function typed(app: App, key: Key): boolean {
	const state = app.state();
	switch (contextOf(state)) {
		case 'field':
			state.typeInField(key);
			return true;
		case 'editor':
			return state.typeInEditor(key);
		case 'entry':
		case 'filter':
		case 'palette':
		case 'help':
			forwardPlain(app, key);
			return true;
		default:
			return false;
	}
}

/** Ink's one-line field takes what it is given as it is: line feeds of a paste, and letters of control keys. */
function forwardPlain({terminal}: App, key: Key): void {
	const {name} = key;
	const edits = name === 'backspace' || name === 'delete' || name === 'left' || name === 'right';
	if (!edits && key.text === '') return;
	const text = key.text.replace(/[\s\p{Cc}]+/gu, ' ');
	terminal.forward(edits ? key : {...key, text, sequence: text});
}
