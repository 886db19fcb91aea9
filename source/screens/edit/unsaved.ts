import {isLocalPlace} from '../../state/job-record.ts';
import type {Has} from '../../store/ledge-store.ts';
import {
	chooseUnfinished,
	draftsInWords,
	openDrafts,
	type Unfinished,
	unfinishedForms,
} from '../drafts/actions.ts';
import {everywhere} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import type {Edit} from './edit.ts';
import {unsavedEdits} from './slice.ts';

export const unsavedActions: readonly Action[] = [
	everywhere('edits.unsaved', ['U'], 'open unsaved edits and drafts, to continue or discard them', {
		words: ['unsaved', 'unsaved edits', 'drafts', 'resume edit', 'unsaved changes', 'continue edit'],
		unavailable: state =>
			unsavedEdits(state).length > 0 || draftsInWords(state, Date.now()) !== undefined
				? undefined
				: 'no edit and no draft is waiting',
		run: openUnfinished,
	}),
];

/** Formats the unsaved edits in one line: `2: newone in CONFIG, user:1 in CONFIG`; undefined if none. */
export function unsavedInWords(state: Has<'edits', 'list'>): string | undefined {
	const edits = unsavedEdits(state);
	return edits.length === 0 ? undefined : `${edits.length}: ${edits.map(nameOf).join(', ')}`;
}

function nameOf({key, label, target: {place}}: Edit): string {
	const where = isLocalPlace(place) ? ' (local)' : place === 'simulated' ? ' (simulated)' : '';
	return `${key} in ${label}${where}`;
}

/** Opens the only unsaved edit or draft, or asks which one. */
function openUnfinished(app: App): void {
	const edits = unfinishedEdits(app.state());
	if (edits.length === 0) {
		openDrafts(app);
		return;
	}
	const all = [...edits, ...unfinishedForms(app.state(), Date.now())];
	chooseUnfinished(app, `${all.length} edits and drafts`, all);
}

/** Opens the only unsaved edit of this session, or asks which one. */
export function openUnsaved(app: App): void {
	const edits = unfinishedEdits(app.state());
	if (edits.length > 0) chooseUnfinished(app, `${edits.length} edits are not saved`, edits);
}

const unfinishedEdits = (state: Has<'edits', 'list'>): readonly Unfinished[] =>
	unsavedEdits(state).map(edit => ({id: edit.id, text: nameOf(edit), open: app => ask(app, edit)}));

function ask({state}: App, edit: Edit): void {
	state().dialog.open({
		kind: 'choice',
		title: `The edit of ${nameOf(edit)} is not saved`,
		lines: [],
		choices: [
			{value: 'on', label: 'Continue it'},
			{value: 'later', label: 'Keep it for later'},
			{value: 'discard', label: 'Discard it, and its draft'},
		],
		choose(value) {
			if (value === 'on') {
				void state().work.run(`opening ${edit.key}`, 'read', signal => state().edits.goOn(edit.id, signal));
				return;
			}
			if (value !== 'discard') return;
			state().edits.discard(edit.id);
			state().messages.say(`The edit of ${edit.key} was discarded.`);
		},
	});
}
