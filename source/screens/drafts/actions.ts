import {nameKey} from '../../keyboard/named-keys.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import type {App} from '../shell/app.ts';
import {listScreens, type UnfinishedInput} from '../shell/screen.ts';
import {getCurrentScreen, type Screen} from '../shell/screen-name.ts';
import {formatTimeAgo} from './form.ts';
import {describeDraftsElsewhere} from './other-drafts.ts';

/** Lists open forms, drafts, and reviews that were not sent. Edits of this session are listed separately. */
export function listUnfinishedForms(state: LedgeState, now: number): readonly UnfinishedInput[] {
	const screens = listScreens(state.navigation.screens);
	return [
		...screens.flatMap(([screen, {getOpenForm}]): UnfinishedInput[] => {
			const form = getOpenForm?.(state);
			return form === undefined
				? []
				: [{id: screen, text: `${form}, still open`, open: app => openForm(app, screen, form)}];
		}),
		...state.drafts.list.map(({draft, offer, placeLabel}) => ({
			id: draft.id,
			text: `${offer.name} (${placeLabel}), ${formatTimeAgo(now - draft.saved)}`,
			open: (app: App) => app.state().drafts.offer(draft.id),
		})),
		...screens.flatMap(([, {listUnfinished}]) => listUnfinished?.(state) ?? []),
	];
}

/** Goes to an open form. If it is on screen already, offers to discard what is typed in it. */
function openForm(app: App, screen: Screen, form: string): void {
	const {state} = app;
	const {resumeForm, discardOpenForm} = state().navigation.screens[screen];
	if (getCurrentScreen(state()) !== screen) {
		if (resumeForm) resumeForm(app);
		else state().navigation.go(screen);
		return;
	}
	if (!discardOpenForm) {
		state().messages.say(`This is the unsaved edit: ${form}. Nothing of it was sent.`);
		return;
	}
	state().dialog.open({
		kind: 'choice',
		title: `You are editing the ${form}`,
		lines: ['Nothing of it was sent.'],
		choices: [
			{value: 'on', label: 'Continue editing'},
			{value: 'discard', label: 'Discard all edits'},
		],
		choose(value) {
			if (value === 'discard') discardOpenForm(state());
		},
	});
}

/** Formats the drafts in one line; undefined if none. */
export function formatDrafts(state: LedgeState, now: number): string | undefined {
	const forms = listUnfinishedForms(state, now);
	const elsewhereText = describeDraftsElsewhere(state.drafts.placesElsewhere);
	if (forms.length === 0) return elsewhereText?.replace(/\.$/, '');
	const texts = forms.map(({text}) => text).join('; ');
	const suffix = elsewhereText === undefined ? '' : `; ${state.drafts.placesElsewhere.length} elsewhere`;
	return `${forms.length === 1 ? '' : `${forms.length}: `}${texts}${suffix}`;
}

/** Opens the only draft, or asks which one. */
export function openDrafts(app: App): void {
	const forms = listUnfinishedForms(app.state(), Date.now());
	if (forms.length === 0) {
		const elsewhereText = describeDraftsElsewhere(app.state().drafts.placesElsewhere);
		if (elsewhereText !== undefined)
			app
				.state()
				.messages.say(`${elsewhereText} Press ${nameKey('go.contexts', 'C')} to switch context or account.`);
		return;
	}
	chooseUnfinished(app, `${forms.length} drafts`, forms);
}

/** Opens the only entry, or asks which one. */
export function chooseUnfinished(app: App, title: string, entries: readonly UnfinishedInput[]): void {
	const [first, ...others] = entries;
	if (first && others.length === 0) {
		first.open(app);
		return;
	}
	app.state().dialog.open({
		kind: 'choice',
		title,
		lines: [],
		choices: entries.map(({id, text}) => ({value: id, label: toDrawable(text)})),
		choose: id => entries.find(one => one.id === id)?.open(app),
	});
}
