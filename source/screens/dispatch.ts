import type {Key} from '../keyboard/key.ts';
import {splitAlt} from '../keyboard/parse-sequence.ts';
import type {StateWith} from '../store/ledge-store.ts';
import {
	describeUnavailable,
	getInputContext,
	getReadOnlyReason,
	isActionActive,
	isActionBound,
	preferScreenActions,
} from './shell/action.ts';
import {listHintedActions} from './shell/action-lists.ts';
import type {App} from './shell/app.ts';
import {getCurrentScreen} from './shell/screen-name.ts';

/** Warnings that say why a key was unavailable: what the next key does replaces them. */
const refusals = new WeakSet<object>();

/**
 * Handles a key: runs its action in the current context, or reports why it is unavailable. Unbound keys go to
 * the focused field; what does nothing there either is reported.
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

/** Keys that a terminal also sends by itself: for the mouse and its wheel, and bytes without a name. */
const terminalKeys: ReadonlySet<string> = new Set([
	'up',
	'down',
	'click',
	'wheel-up',
	'wheel-down',
	'unknown',
]);

/**
 * Says that a key does nothing, unless a person may not have pressed it. Silent while a failure or warning is shown, unless it only says
 * why an earlier key was unavailable, and during a read or write, when the key was meant for what follows.
 */
function reportUnboundKey(app: App, {name}: Key): void {
	const state = app.state();
	const {latest, pendingWarning} = state.messages;
	if (name === 'paste' || terminalKeys.has(name)) return;
	if ((latest && latest.kind !== 'said' && !refusals.has(latest)) || pendingWarning !== undefined) return;
	if (state.work.list.some(({kind}) => kind === 'read' || kind === 'write')) return;
	state.messages.say(describeUnboundKey(app, name));
}

/**
 * Keys of vim, k9s, lazygit and other programs, and the default keys here of the actions that they run there.
 * Only keys whose meaning is clear wherever they are unbound.
 */
const habitKeys: Readonly<Record<string, readonly string[]>> = {
	v: ['ctrl-space'],
	V: ['ctrl-space'],
	'ctrl-d': ['d', 'pagedown'],
	'ctrl-u': ['pageup'],
	x: ['d'],
	delete: ['d'],
	n: ['a'],
	r: ['ctrl-r'],
	R: ['ctrl-r'],
	f5: ['ctrl-r'],
	z: ['u'],
};

/**
 * Names the key that answers the question, or else the keys of what the key does in other programs, or of the
 * screen, as far as they do something now.
 */
function describeUnboundKey({actions, state: getState}: App, name: string): string {
	const state = getState();
	const context = getInputContext(state);
	const availableActions = actions.filter(
		one => isActionActive(one, context, state) && one.getUnavailableReason?.(state) === undefined,
	);
	const answer = availableActions.find(
		({keys, effect, getHintPlace}) =>
			keys.includes('y') && effect !== undefined && getHintPlace?.(state) !== 'none',
	);
	if (answer) {
		const dialog = state.dialog.current;
		return `Press y to ${dialog?.kind === 'confirm' ? dialog.actionLabel : answer.title}, or esc.`;
	}
	const hasOtherStep = actions.some(
		one => one.keys.includes(name) && isActionBound(one, context, state.navigation.screens),
	);
	const meantActions = (habitKeys[name] ?? []).flatMap(
		habitKey =>
			preferScreenActions(
				availableActions.filter(
					({keys, defaultKeys = keys}) => keys.length > 0 && defaultKeys.includes(habitKey),
				),
			)[0] ?? [],
	);
	if (!hasOtherStep && meantActions.length > 0)
		return `${name} does nothing here. ${meantActions
			.map(({keys: [key], title}) => `${key}: ${title.split(/ \(|[:;] /, 1)[0]}`)
			.join(', ')}`;
	const hints = listHintedActions(actions, state)
		.filter(({where}) => where !== 'everywhere')
		.map(({keys: [key], hint}) => `${key} ${hint}`);
	const help = availableActions.find(({hint}) => hint === 'help');
	if ((hasOtherStep || !help) && hints.length > 0)
		return `${name} does nothing ${hasOtherStep ? 'now' : 'here'}. Keys here: ${hints.slice(0, 3).join(', ')}`;
	return `${name} does nothing here${help ? `; ${help.keys[0]} shows the keys` : ''}`;
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
		state.dialog.endQuestions();
		state.navigation.screens[getCurrentScreen(state)].stopFollowing?.(state);
		app.log?.write('action', {id: availableAction.id, key: key.name, context});
		state.places.passThrough(() => availableAction.run(app, key));
		leaveFailure(app, state);
	} else {
		const reasons = boundActions.map(action => action.getUnavailableReason?.(state));
		// What nothing on this screen can change comes first.
		const index = Math.max(0, reasons.indexOf(getReadOnlyReason(state) ?? ''));
		const [action = firstAction, reason] = [boundActions[index], reasons[index]];
		if (reason === undefined) return true;
		state.messages.warn(describeUnavailable(action, reason));
		const {latest} = app.state().messages;
		if (latest) refusals.add(latest);
	}
	return true;
}

/** Clears a failure that was shown in the state before a key, once its screen is left. */
function leaveFailure(
	app: App,
	before: StateWith<'messages', 'latest'> & StateWith<'navigation', 'stack'>,
): void {
	const state = app.state();
	const {latest} = state.messages;
	if (latest?.kind !== 'failed' || latest !== before.messages.latest || state.dialog.current) return;
	if (latest.isLeft || getCurrentScreen(state) !== getCurrentScreen(before)) state.messages.leave();
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
		case 'help search':
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
