import type {LedgeState} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {isMigrationLost} from '../migration/leaving.ts';
import type {App} from '../shell/action.ts';
import type {Screen} from '../shell/navigation-slice.ts';
import {timeAgo} from './form.ts';

/** Something that was typed and not sent: a form that is still open behind other screens, or a draft on disk. */
type Unfinished = {readonly id: string; readonly text: string; open(app: App): void};

/** Edits of this session have an entry of their own. */
function unfinishedForms(state: LedgeState, now: number): readonly Unfinished[] {
	const {wizard, emergency, migration, drafts} = state;
	const still = (screen: Screen, text: string): Unfinished => ({
		id: screen,
		text: `${text}, still open`,
		open: app => app.state().go(screen),
	});
	return [
		...(wizard && state.isWizardTouched() ? [still('wizard', `rule for ${wizard.zone.name}`)] : []),
		...(emergency && state.isEmergencyTouched()
			? [still('emergency', `emergency for ${emergency.zone.name}`)]
			: []),
		...(migration && isMigrationLost(migration)
			? [still('migration', `migration of ${migration.zone.name}`)]
			: []),
		...drafts.map(({draft, offer}) => ({
			id: draft.id,
			text: `${offer.name}, ${timeAgo(now - draft.saved)}`,
			open: (app: App) => app.state().offerDraft(draft.id),
		})),
	];
}

/** The drafts in as many words as a line has; nothing where there are none. */
export function draftsInWords(state: LedgeState, now: number): string | undefined {
	const forms = unfinishedForms(state, now);
	if (forms.length === 0) return undefined;
	const all = forms.map(({text}) => text).join('; ');
	return forms.length === 1 ? all : `${forms.length}: ${all}`;
}

/** Goes to the draft, or asks which one is meant. */
export function openDrafts(app: App): void {
	const forms = unfinishedForms(app.state(), Date.now());
	const [first, ...others] = forms;
	if (!first) return;
	if (others.length === 0) {
		first.open(app);
		return;
	}
	app.state().open({
		kind: 'choice',
		title: `${forms.length} drafts`,
		lines: [],
		choices: forms.map(({id, text}) => ({value: id, label: drawable(text)})),
		choose: id => forms.find(one => one.id === id)?.open(app),
	});
}
