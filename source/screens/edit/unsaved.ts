import type {LedgeState} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {draftsInWords, openDrafts} from '../drafts/actions.ts';
import {type Action, type App, everywhere} from '../shell/action.ts';
import type {Edit} from './edit.ts';
import {unsavedEdits} from './slice.ts';

export const unsavedActions: readonly Action[] = [
	everywhere('edits.unsaved', ['U'], 'continue an unsaved edit, or discard it', {
		words: ['unsaved', 'unsaved edits', 'drafts', 'resume edit', 'unsaved changes', 'continue edit'],
		unavailable: state =>
			unsavedEdits(state).length > 0 || draftsInWords(state, Date.now()) !== undefined
				? undefined
				: 'no edit and no draft is waiting',
		run: app => (unsavedEdits(app.state()).length > 0 ? openUnsaved(app) : openDrafts(app)),
	}),
];

/** What is not saved, in as many words as a line has: `2: newone in CONFIG, user:1 in CONFIG`; nothing when all is. */
export function unsavedInWords(state: LedgeState): string | undefined {
	const edits = unsavedEdits(state);
	return edits.length === 0 ? undefined : `${edits.length}: ${edits.map(nameOf).join(', ')}`;
}

const nameOf = ({key, label}: Edit): string => `${key} in ${label}`;

/** Asks which of the edits of this session is meant, unless there is only one, and what is to become of it. */
export function openUnsaved(app: App): void {
	const edits = unsavedEdits(app.state());
	const [first, ...others] = edits;
	if (!first) return;
	if (others.length === 0) ask(app, first);
	else chooseOf(app, edits);
}

function chooseOf(app: App, edits: readonly Edit[]): void {
	app.state().open({
		kind: 'choice',
		title: `${edits.length} edits are not saved`,
		lines: [],
		choices: edits.map(edit => ({value: edit.id, label: drawable(nameOf(edit))})),
		choose(id) {
			const edit = edits.find(one => one.id === id);
			if (edit) ask(app, edit);
		},
	});
}

function ask({state}: App, edit: Edit): void {
	state().open({
		kind: 'choice',
		title: `The edit of ${nameOf(edit)} is not saved`,
		lines: [],
		choices: [
			{value: 'on', label: 'Continue it'},
			{value: 'discard', label: 'Discard it, and its draft'},
		],
		choose(value) {
			if (value === 'on') {
				void state().run(`opening ${edit.key}`, 'read', signal => state().goOnWithEdit(edit.id, signal));
				return;
			}
			state().discardEdit(edit.id);
			state().say(`The edit of ${edit.key} was discarded.`);
		},
	});
}
