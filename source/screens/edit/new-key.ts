import {nameKey} from '../../keyboard/named-keys.ts';
import {parseLifetime} from '../../kv/change/lifetime-input.ts';
import type {LifetimeChoice} from '../../kv/change/proposal.ts';
import {formatExpiration} from '../../kv/keys.ts';
import {findKeyProblem, shouldWarnAboutKey, toEpochSeconds} from '../../kv/limits.ts';
import {formatSpan} from '../../text/time-input.ts';
import {createActionFactory, getReadOnlyReason} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {createNewKeyEdit, type Edit, isEditChanged} from './edit.ts';
import {getCurrentEdit, getKeyPlace} from './slice.ts';

function askForNewKey(app: App): void {
	const {state} = app;
	state().dialog.openField({
		title: 'New key: name (1 of 4)',
		lines: ['The exact name, 1 to 512 bytes. Then: expiration, value, review.'],
		value: '',
		actionLabel: 'continue',
		check(name) {
			const keys = state().keys.data;
			const problem = findKeyProblem(name);
			if (problem) return `${problem.what} ${problem.why}`;
			const match = keys?.index.find(name);
			return match?.isFound
				? `A key with this name already exists: open it and press ${nameKey('edit.value', 'e')} to edit it.`
				: undefined;
		},
		submit(name) {
			const keys = state().keys.data;
			const {warn} = state().messages;
			if (!keys) return;
			state().edits.begin(createNewKeyEdit(getKeyPlace(keys, name)), () => openNewKey(app));
			if (shouldWarnAboutKey(name)) warn('Avoid whitespace and control characters in key names.');
		},
	});
}

/** Opens the editor of the new key; asks first when the key expires, unless an earlier edit is continued. */
function openNewKey(app: App): void {
	const {state} = app;
	const edit = getCurrentEdit(state());
	const openEditor = () => state().navigation.go('editor');
	if (!edit || isEditChanged(edit)) openEditor();
	else askForLifetime(app, edit, openEditor);
}

/** Asks when a new key expires; calls `onChosen` after an answer. */
function askForLifetime({state}: App, {id, key, lifetime}: Edit, onChosen?: () => void): void {
	const parse = (typed: string) =>
		parseLifetime(typed.trim() === '' ? 'never' : typed, toEpochSeconds(Date.now()));
	state().dialog.openField({
		title: `Expiration of ${key}${onChosen ? ' (2 of 4)' : ''}`,
		lines: ['A duration such as 90s, 24h or 7d, or a UTC time such as 2031-01-31 09:00. Empty: never.'],
		value: formatLifetimeInput(lifetime),
		actionLabel: 'continue',
		check(typed) {
			const parsed = parse(typed);
			return 'problem' in parsed ? `${parsed.problem.what} ${parsed.problem.why}` : undefined;
		},
		submit(typed) {
			const parsed = parse(typed);
			if ('problem' in parsed) return;
			state().edits.setLifetime(id, parsed.lifetime);
			onChosen?.();
		},
	});
}

/** Formats a lifetime as `parseLifetime` reads it; empty if unlimited. */
function formatLifetimeInput(lifetime: LifetimeChoice): string {
	if (typeof lifetime === 'string') return '';
	return 'ttl' in lifetime ? formatSpan(lifetime.ttl) : formatExpiration(lifetime.expiration);
}

/** These come after the other actions on keys in the hints. */
export const newKeyActions: readonly Action[] = [
	createActionFactory('Keys', ['keys'])('edit.new', ['a'], 'create a key', {
		effect: 'prepares a write',
		paletteMode: 'at once',
		hint: 'new',
		searchTerms: ['new key', 'add key', 'put key', 'insert', 'create key', 'write key'],
		getUnavailableReason: getReadOnlyReason,
		run: askForNewKey,
	}),
	createActionFactory('Editor', ['editor'])('editor.lifetime', ['ctrl-t'], 'set when the new key expires', {
		hint: 'expiration',
		searchTerms: ['ttl', 'time to live', 'lifetime', 'expires'],
		paletteMode: 'never',
		isActive: state => getCurrentEdit(state)?.origin === 'create',
		run(app) {
			const edit = getCurrentEdit(app.state());
			if (edit) askForLifetime(app, edit);
		},
	}),
];
