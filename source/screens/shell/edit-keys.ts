import type {Key} from '../../keyboard/key.ts';
import type {EditCommand} from '../../text/buffer/buffer.ts';

/** Keys of every field and editor, as in shells and terminal editors. */
const editCommands: Readonly<
	Record<string, Exclude<EditCommand['kind'], 'insert' | 'page-up' | 'page-down'>>
> = {
	left: 'left',
	'ctrl-b': 'left',
	right: 'right',
	'ctrl-f': 'right',
	up: 'up',
	'ctrl-p': 'up',
	down: 'down',
	'ctrl-n': 'down',
	'ctrl-left': 'word-left',
	'alt-left': 'word-left',
	'alt-b': 'word-left',
	'ctrl-right': 'word-right',
	'alt-right': 'word-right',
	'alt-f': 'word-right',
	home: 'line-start',
	'ctrl-a': 'line-start',
	end: 'line-end',
	'ctrl-e': 'line-end',
	'ctrl-home': 'buffer-start',
	'alt-<': 'buffer-start',
	'ctrl-end': 'buffer-end',
	'alt->': 'buffer-end',
	enter: 'newline',
	backspace: 'backspace',
	'ctrl-h': 'backspace',
	'shift-backspace': 'backspace',
	delete: 'delete',
	'ctrl-d': 'delete',
	'ctrl-w': 'delete-to-blank',
	'alt-backspace': 'delete-word-back',
	'ctrl-backspace': 'delete-word-back',
	'ctrl-u': 'kill-line',
	'ctrl-k': 'kill-to-line-end',
	'ctrl-_': 'undo',
	'alt-u': 'undo',
	'ctrl-y': 'redo',
	'alt-r': 'redo',
};

/** Returns the edit command of a key, if it has one; `pageRows` is the number of visible rows. */
export function getEditCommand({name, text}: Key, pageRows = 10): EditCommand | undefined {
	const kind = Object.hasOwn(editCommands, name) ? editCommands[name] : undefined;
	if (kind) return {kind};
	if (name === 'pageup' || name === 'pagedown')
		return {kind: name === 'pageup' ? 'page-up' : 'page-down', rows: Math.max(1, pageRows)};
	return text === '' ? undefined : {kind: 'insert', text};
}
