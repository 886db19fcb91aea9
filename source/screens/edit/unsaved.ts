import {isLocalPlace} from '../../state/job-record.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {chooseUnfinished, formatDrafts, listUnfinishedForms, openDrafts} from '../drafts/actions.ts';
import {defineGlobalAction} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {UnfinishedInput} from '../shell/screen.ts';
import type {Edit} from './edit.ts';
import {listUnsavedEdits} from './slice.ts';

export const unsavedActions: readonly Action[] = [
	defineGlobalAction('edits.unsaved', ['U'], 'continue or discard unsaved edits and drafts', {
		searchTerms: ['unsaved', 'unsaved edits', 'drafts', 'resume edit', 'unsaved changes', 'continue edit'],
		getUnavailableReason: state =>
			listUnsavedEdits(state).length > 0 || formatDrafts(state, Date.now()) !== undefined
				? undefined
				: 'no unsaved edits or drafts',
		run: openUnfinished,
	}),
];

/** Formats the unsaved edits in one line: `2: newone in CONFIG, user:1 in CONFIG`; undefined if none. */
export function formatUnsavedEdits(state: StateWith<'edits', 'list'>): string | undefined {
	const edits = listUnsavedEdits(state);
	return edits.length === 0 ? undefined : `${edits.length}: ${edits.map(formatEditName).join(', ')}`;
}

function formatEditName({key, label, target: {place}}: Edit): string {
	const where = isLocalPlace(place) ? ' (local)' : place === 'simulated' ? ' (simulated)' : '';
	return `${key} in ${label}${where}`;
}

/** Opens the only unsaved edit or draft, or asks which one. */
function openUnfinished(app: App): void {
	const edits = listUnfinishedEdits(app.state());
	if (edits.length === 0) {
		openDrafts(app);
		return;
	}
	const entries = [...edits, ...listUnfinishedForms(app.state(), Date.now())];
	chooseUnfinished(app, `${entries.length} edits and drafts`, entries);
}

/** Opens the only unsaved edit of this session, or asks which one. */
export function openUnsavedEdits(app: App): void {
	const edits = listUnfinishedEdits(app.state());
	if (edits.length > 0) chooseUnfinished(app, `${edits.length} unsaved edits`, edits);
}

const listUnfinishedEdits = (state: StateWith<'edits', 'list'>): readonly UnfinishedInput[] =>
	listUnsavedEdits(state).map(edit => ({
		id: edit.id,
		text: formatEditName(edit),
		open: app => askAboutEdit(app, edit),
	}));

function askAboutEdit({state}: App, edit: Edit): void {
	state().dialog.open({
		kind: 'choice',
		title: `Unsaved edit of ${formatEditName(edit)}`,
		lines: [],
		choices: [
			{value: 'on', label: 'Continue editing'},
			{value: 'later', label: 'Keep for later'},
			{value: 'discard', label: 'Discard the edit and its draft'},
		],
		choose(value) {
			if (value === 'on') {
				void state().work.run(`opening ${edit.key}`, 'read', signal => state().edits.reopen(edit.id, signal));
				return;
			}
			if (value !== 'discard') return;
			state().edits.discard(edit.id);
			state().messages.say(`The edit of ${edit.key} was discarded.`);
		},
	});
}
