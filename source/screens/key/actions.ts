import {nameKey} from '../../keyboard/named-keys.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {createActionFactory, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {promptForQuery} from './query-view.ts';
import {getFieldAtCursor, getFieldText} from './tree.ts';
import type {KeyView} from './value-view.ts';

const defineKeyAction = createActionFactory('Value', ['key']);

/** Opens a key of the open namespace. Resolves when it has been read or reading failed. */
export async function openKey(app: App, name: string): Promise<void> {
	const {go} = app.state().navigation;
	const closeKey = app.state().key.close;
	closeKey();
	const pendingRead = readKey(app, name);
	go('key');
	await pendingRead;
}

/** Reads the open key again. */
export function reloadKey(app: App): void {
	const name = app.state().key.data?.name;
	if (name !== undefined) void readKey(app, name);
}

const readKey = ({state}: App, name: string): Promise<boolean> =>
	state().work.run(`loading ${name}`, 'read', signal => state().key.open(name, signal));

/**
 * Esc: clears the search, else closes the full details, else leaves. If Esc has stopped a refresh, the value
 * stays open. Returns true if the caller must leave the screen.
 */
export function leaveKey({state}: App, hasStoppedReads: boolean): boolean {
	const {data: key, endQuery, endSearch, showDetails, close: closeKey} = state().key;
	if (hasStoppedReads && key?.reading === 'reading' && key.wholeKey) return false;
	if (endSearch() || endQuery()) return false;
	if (key?.showsDetails) {
		showDetails(false);
		return false;
	}
	if (key?.search?.isPreset) {
		// This leaves the screen itself, because the caller would first clear the search text as a filter.
		closeKey();
		state().navigation.back();
		return false;
	}
	closeKey();
	return true;
}

const getCurrentView = ({key: {data: key}}: StateWith<'key'>): KeyView | undefined => key?.view;

function getNoValueReason(state: StateWith<'key'>): string | undefined {
	return getCurrentView(state) ? undefined : 'no value loaded';
}

const getFoldAllBlockedReason = (state: StateWith<'key'>): string | undefined =>
	getCurrentView(state)?.form === 'json' ? undefined : 'nothing to fold';

function getFoldBlockedReason(state: StateWith<'key'>): string | undefined {
	const view = getCurrentView(state);
	const field = view?.form === 'json' ? getFieldAtCursor(view) : undefined;
	return field?.nodes.isContainer(field.node) ? undefined : 'nothing to fold';
}

function getSidewaysBlockedReason(state: StateWith<'key', 'data' | 'wrapsText'>): string | undefined {
	const view = getCurrentView(state);
	if (view?.form === 'hex') return 'hex rows always fit';
	if (view?.form === 'image') return 'the image is shown whole';
	return view?.form === 'text' && state.key.wrapsText ? 'long lines are wrapped' : getNoValueReason(state);
}

function getWrapBlockedReason(state: StateWith<'key'>): string | undefined {
	return getCurrentView(state)?.form === 'text' ? undefined : 'only text wraps; tab shows it';
}

const getCopyBlockedReason = (state: StateWith<'key'>): string | undefined =>
	getCurrentView(state)?.kind === 'binary'
		? `binary values can't be copied; ${nameKey('key.save', 'w')} saves the bytes to a file`
		: undefined;

/** Maximum characters copied of a line, rounded up to whole rows. It is more than any clipboard takes. */
const maxCopiedChars = 100_000;

/** Returns the whole line at the cursor, joined from its wrapped rows. */
function getCurrentLine({lines, cursors}: KeyView): string {
	const line = lines.at(cursors.text)?.line ?? 1;
	const first = lines.findRowOfLine(line);
	let text = '';
	for (let row = first; text.length < maxCopiedChars; row++) {
		const piece = lines.at(row);
		if (piece?.line !== line) break;
		text += piece.text;
	}
	return text;
}

function getCopyText(view: KeyView): string {
	const field = getFieldAtCursor(view);
	if (field) return getFieldText(field);
	return view.form === 'text' ? getCurrentLine(view) : getWholeText(view);
}

const getWholeText = ({bytes}: KeyView): string =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

const createCopyAction = (getText: (view: KeyView) => string) =>
	withSelection(
		getCurrentView,
		'no value loaded',
		({state, terminal}, view) => state().messages.say(terminal.copy(getText(view))),
		getCopyBlockedReason,
	);

/** Read-only actions on the open key. */
export const keyActions: readonly Action[] = [
	defineKeyAction('key.fold', ['enter'], 'open or close the field', {
		paletteMode: 'never',
		opensRow: true,
		searchTerms: ['expand', 'collapse'],
		hint: 'fold',
		getUnavailableReason: getFoldBlockedReason,
		run: app => app.state().key.toggleFold(),
	}),
	defineKeyAction('key.right', ['right', 'l'], 'open the field and go into it; scroll text to the right', {
		paletteMode: 'never',
		getUnavailableReason: getSidewaysBlockedReason,
		run: app => app.state().key.moveSideways(1),
	}),
	defineKeyAction('key.left', ['left', 'h'], 'close the field or go to its parent; scroll text to the left', {
		paletteMode: 'never',
		getUnavailableReason: getSidewaysBlockedReason,
		run: app => app.state().key.moveSideways(-1),
	}),
	defineKeyAction('key.fold-all', ['z'], 'open or close all fields', {
		paletteMode: 'never',
		searchTerms: ['expand all', 'collapse all'],
		hint: 'fold all',
		getUnavailableReason: getFoldAllBlockedReason,
		run: app => app.state().key.toggleAllFolds(),
	}),
	defineKeyAction('key.form', ['tab'], 'show the value in the next view: decoded, tree, text, hex', {
		hint: 'tree/text/hex',
		searchTerms: [
			'hex',
			'json',
			'view as',
			'show as text',
			'show as hex',
			'raw',
			'change view',
			'decode',
			'image',
		],
		getUnavailableReason: getNoValueReason,
		run: app => app.state().key.changeForm(1),
	}),
	defineKeyAction('key.form-before', ['shift-tab'], 'show the value in the previous view', {
		paletteMode: 'never',
		getUnavailableReason: getNoValueReason,
		run: app => app.state().key.changeForm(-1),
	}),
	defineKeyAction('key.wrap', ['L'], 'wrap or cut long lines of text', {
		hint: 'wrap',
		searchTerms: ['long', 'break', 'soft wrap', 'line break'],
		getUnavailableReason: getWrapBlockedReason,
		run({state}) {
			const {wrapsText, wrapText} = state().key;
			wrapText(!wrapsText);
		},
	}),
	defineKeyAction('key.find', ['/'], 'find text in the value', {
		hint: 'find',
		searchTerms: ['search', 'find in value', 'search in value', 'look for'],
		getUnavailableReason: state =>
			getCurrentView(state)?.form === 'image'
				? 'an image has no text; tab shows its bytes'
				: getNoValueReason(state),
		run(app) {
			app.state().key.beginSearch();
			app.state().dialog.beginFilter();
		},
	}),
	defineKeyAction('key.query', ['|'], 'ask a query of the JSON value', {
		hint: 'query',
		searchTerms: ['jmespath', 'jq', 'json query', 'ask', 'filter fields', 'select fields'],
		getUnavailableReason: state =>
			getCurrentView(state)?.kind === 'binary' ? 'only JSON can be queried' : getNoValueReason(state),
		run: app => void promptForQuery(app),
	}),
	defineKeyAction('key.find-next', ['n'], 'next match', {
		paletteMode: 'never',
		searchTerms: ['next match', 'find next'],
		getUnavailableReason: ({key: {data: key}}) =>
			key?.search?.query ? undefined : 'no search text; / starts a search',
		run: app => app.state().key.searchNext(),
	}),
	defineKeyAction('key.find-previous', ['N'], 'previous match', {
		paletteMode: 'never',
		searchTerms: ['previous match', 'find previous'],
		getUnavailableReason: ({key: {data: key}}) =>
			key?.search?.query ? undefined : 'no search text; / starts a search',
		run: app => app.state().key.searchNext('previous'),
	}),
	defineKeyAction('key.in-full', ['F'], 'show or hide the full name and metadata', {
		searchTerms: ['full name', 'show metadata', 'info', 'details of the key'],
		getUnavailableReason: getNoValueReason,
		run(app) {
			const {data: key, showDetails} = app.state().key;
			showDetails(key?.showsDetails !== true);
		},
	}),
	defineKeyAction('key.copy', ['y'], 'copy the field under the cursor, or the line of text', {
		searchTerms: ['yank', 'copy field', 'copy line'],
		hint: 'copy',
		...createCopyAction(getCopyText),
	}),
	defineKeyAction('key.copy-all', ['Y'], 'copy the whole value', {
		searchTerms: ['copy value', 'value to clipboard', 'copy all', 'clipboard'],
		...createCopyAction(getWholeText),
	}),
];
