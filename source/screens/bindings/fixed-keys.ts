import type {Action, InputContext} from '../shell/app.ts';
import {getEditCommand} from '../shell/edit-keys.ts';
import type {Screens} from '../shell/screen.ts';
import type {Screen} from '../shell/screen-name.ts';

/** Keys that always do what they do by default. */
const reservedKeys: Readonly<Record<string, string>> = {
	esc: 'esc always goes back',
	'ctrl-c': 'ctrl-c always quits',
};

/** Dialogs in which keys answer a question or are typed. */
const answeringContexts: ReadonlySet<InputContext> = new Set([
	'confirm',
	'field',
	'entry',
	'choice',
	'failure',
	'filter',
	'palette',
	'help search',
	'too small',
]);

/** Actions that show the rest of a review before it can be answered, or confirm that it was read. */
const readingActions: ReadonlySet<string> = new Set([
	'emergency.read-on',
	'migration.read-on',
	'migration.read-skipped',
	'migration.reviewed',
]);

/** Keys that are pressed to move, choose or answer, and so by accident. */
const accidentalKeys: ReadonlySet<string> = new Set([
	...'enter space tab shift-tab backspace up down left right home end pageup pagedown y'.split(' '),
]);

export const isReservedKey = (key: string): boolean => Object.hasOwn(reservedKeys, key);

/** True for an action that passes its keys to a menu. The keys of a menu follow those of moving. */
export const isMenuAction = ({keys}: Pick<Action, 'keys'>): boolean =>
	keys.includes('enter') && keys.includes('down');

const isTypingContext = (context: InputContext, screens: Screens): boolean =>
	answeringContexts.has(context) ||
	(context in screens && screens[context as Screen].textInput !== undefined);

const worksWhileTyping = ({where}: Action, screens: Screens): boolean =>
	where !== 'everywhere' && where.some(context => isTypingContext(context, screens));

/** Returns why the keys of an action cannot be changed. */
export function getFixedReason(action: Action, screens: Screens): string | undefined {
	const {where, keys, effect, id} = action;
	if (where !== 'everywhere' && where.some(context => answeringContexts.has(context)))
		return 'the keys that answer a question or edit a line are fixed';
	if (readingActions.has(id)) return 'the keys that show all of a review before it is answered are fixed';
	if (effect === 'writes' && (keys.includes('y') || worksWhileTyping(action, screens)))
		return 'the key that answers a review is fixed, so that nothing else does so by accident';
	return undefined;
}

/** Why an action cannot have a key. `isTyping`: because it works where text is typed. */
type KeyRefusal = {readonly text: string; readonly isTyping?: true};

/** Returns why an action cannot have a key that it does not have by default. */
export function findKeyRefusal(action: Action, key: string, screens: Screens): KeyRefusal | undefined {
	if (action.keys.includes(key)) return undefined;
	if (isReservedKey(key)) return {text: reservedKeys[key] ?? ''};
	const changesSomething = action.effect !== undefined || action.isDestructive === true;
	if (changesSomething && accidentalKeys.has(key) && !isMenuAction(action))
		return {
			text: `"${key}" is pressed too easily for actions that change something`,
		};
	if (!worksWhileTyping(action, screens)) return undefined;
	const isText = [...key].length === 1 || key === 'space';
	if (!isText && !getEditCommand({name: key, text: '', sequence: ''})) return undefined;
	return {text: `"${key}" edits the text that is typed there`, isTyping: true};
}
