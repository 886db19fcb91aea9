import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import type {Has} from '../../store/ledge-store.ts';
import {actionsOf, belongingTo} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {formOf} from '../shell/form-actions.ts';
import {formActions} from '../stepped-form/actions.ts';
import {curlOf} from '../stepped-form/curl.ts';
import {readFirewall} from '../zones/actions.ts';
import {ruleDraftKey} from './form.ts';
import {commandOf} from './outcome.ts';
import {reviewRows} from './review.ts';
import type {WizardPurpose} from './slice.ts';
import {obstacleOf} from './steps.ts';

/** Opens the wizard; a draft of the same is offered first. */
export function openWizard(app: App, purpose: WizardPurpose): void {
	const wizard = app.state().wizard.data;
	const firewall = app.state().firewall.data;
	const offerDraftsOf = app.state().drafts.offerAllOf;
	if (!firewall || (wizard && wizard.phase.name !== 'asking')) {
		open(app, purpose);
		return;
	}
	const about = {kind: 'rule', zone: firewall.zone.id, key: ruleDraftKey(purpose)};
	offerDraftsOf(about, () => open(app, purpose));
}

function open(app: App, purpose: WizardPurpose): void {
	const {state} = app;
	state().wizard.begin(purpose);
	const wizard = state().wizard.data;
	const firewall = state().firewall.data;
	const message = state().messages.latest;
	if (!wizard) return;
	// A wizard that is still open may be of another zone: that becomes the one in front.
	if (firewall?.zone.id !== wizard.zone.id) {
		state().firewall.open(wizard.zone);
		readFirewall(app);
		if (message) state().messages.warn(message.text);
	}
	state().navigation.go('wizard');
}

type Part = 'expression' | 'about' | 'filter' | 'action' | 'products' | 'review' | 'sending' | 'ended';

/** Which of its parts the wizard shows. */
function partOf({wizard: {data: wizard}}: Has<'wizard'>): Part | undefined {
	if (!wizard) return undefined;
	if (wizard.phase.name !== 'asking') return wizard.phase.name;
	if (wizard.step === 'expression' && wizard.filter) return 'filter';
	return wizard.step === 'action' && wizard.product !== undefined ? 'products' : wizard.step;
}

const isAt = belongingTo(partOf);

const {marks} = themeOf('none', true);

/** How far the review can be scrolled. */
function extent({
	wizard: {data: wizard},
	connection: {data: connection},
	navigation: {viewport},
}: Has<'wizard' | 'connection'> & Has<'navigation', 'viewport'>): {last: number; room: number} {
	const height = bodyRows(viewport.rows);
	const room = height - (height >= 14 ? 3 : 2);
	if (!wizard) return {last: 0, room};
	const {length} = reviewRows(wizard, connection, viewport.columns, marks);
	return {last: Math.max(0, length - room), room};
}

/** What is put on the clipboard: the command to continue, or the requests as `curl` lines. */
function copied({
	wizard: {data: wizard},
	connection: {data: connection},
}: Has<'wizard' | 'connection'>): string | undefined {
	if (!wizard) return undefined;
	if (wizard.phase.name === 'ended') return commandOf(wizard);
	return wizard.step === 'review'
		? wizard.requests?.map(request => curlOf(request, connection)).join('\n')
		: undefined;
}

const form = formOf('wizard', 'Rule wizard');
const action = actionsOf(form.group, form.choosing);

const own: readonly Action[] = [
	action('wizard.next-line', ['tab'], 'next line', {
		where: form.typing,
		hint: 'next line',
		isHere: isAt('about'),
		run: ({state}) => state().wizard.nextLine(),
	}),
	action('wizard.send', ['enter'], 'send what the review shows', {
		hint: 'send it',
		destroys: true,
		isHere: isAt('review'),
		run: ({state}) => void state().wizard.send(),
	}),
	action('wizard.on', ['enter'], 'next step, with this filter or these products', {
		hint: 'next',
		isHere: isAt('filter', 'products'),
		run: ({state}) => state().wizard.nextStep(),
	}),
	action('wizard.product', ['space', 'x'], 'choose the product, or no longer', {
		hint: 'choose',
		isHere: isAt('products'),
		run: ({state}) => state().wizard.toggleProduct(),
	}),
	action('wizard.product-down', ['down', 'j'], 'one product down', {
		isHere: isAt('products'),
		run: ({state}) => state().wizard.moveInProducts(1),
	}),
	action('wizard.product-up', ['up', 'k'], 'one product up', {
		isHere: isAt('products'),
		run: ({state}) => state().wizard.moveInProducts(-1),
	}),
];

/** The keys of the rule wizard. Where text is typed, letters are text. */
export const wizardActions: readonly Action[] = formActions({
	form,
	of: state => state.wizard.form,
	partOf,
	last: 'review',
	extent,
	next: state => state.wizard.nextStep(),
	type: (state, key) => state.wizard.type(key),
	back: state => state.wizard.previousStep(),
	copied,
	obstacle: ({wizard: {data: wizard}}) => wizard && obstacleOf(wizard),
	own,
});
