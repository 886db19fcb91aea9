import {type Key, pressed} from '../../keyboard/key.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action, App} from '../shell/action.ts';
import {
	alwaysActions,
	backOrLeave,
	copyAction,
	detailsAction,
	type Form,
	failureIn,
	stopAction,
} from '../shell/form-actions.ts';
import {menuAction} from '../shell/menu.ts';
import {readFirewall} from '../zones/actions.ts';
import {ruleDraftKey} from './form.ts';
import {leavingLines} from './leaving.ts';
import {commandOf} from './outcome.ts';
import {isAt} from './part.ts';
import {curlOf} from './review.ts';
import {wizardScrolling} from './scrolling.ts';
import type {WizardPurpose} from './slice.ts';

/** Opens the wizard; first it is asked about what was typed before for the same. */
export function openWizard(app: App, purpose: WizardPurpose): void {
	const {wizard, firewall, offerDraftsOf} = app.state();
	if (!firewall || (wizard && wizard.phase.name !== 'asking')) {
		open(app, purpose);
		return;
	}
	const about = {kind: 'rule', zone: firewall.zone.id, key: ruleDraftKey(purpose)};
	offerDraftsOf(about, () => open(app, purpose));
}

function open(app: App, purpose: WizardPurpose): void {
	const {state} = app;
	state().beginWizard(purpose);
	const {wizard, firewall, message} = state();
	if (!wizard) return;
	// One that is still open may be of another zone: that becomes the one in front.
	if (firewall?.zone.id !== wizard.zone.id) {
		state().openZone(wizard.zone);
		readFirewall(app);
		if (message) state().warn(message.text);
	}
	state().go('wizard');
}

const typing = ['wizard'] as const;
const choosing = ['wizard menu'] as const;
const both = ['wizard', 'wizard menu'] as const;
const form: Form = {name: 'wizard', group: 'Rule wizard', typing, choosing};

/** Esc: one step back; from the first step out of the wizard, which asks where something would be lost. */
const back = (app: App): void =>
	backOrLeave(app, {
		name: 'wizard',
		back: () => app.state().previousStep(),
		lost() {
			const {wizard, isWizardTouched} = app.state();
			return wizard && isWizardTouched() ? leavingLines(wizard) : undefined;
		},
		leave: () => app.state().leaveWizard(),
		discard: () => app.state().discardWizard(),
	});

/** On to the next step; but what was pasted goes on to none, where the terminal does not mark pastes. */
function enter({state}: App, {pasted}: Key) {
	switch (pasted) {
		case undefined:
			return state().nextStep();
		case 'inside':
			return void state().typeInWizard(pressed('alt-enter', ''));
		case 'at the end':
			return state().warn('That enter came in one go with the text, as in a paste: press it once more.');
		default:
			return pasted satisfies never;
	}
}

/** What is put on the clipboard: the command that goes on, or the requests as `curl` lines. */
function copied({wizard, connection}: LedgeState): string | undefined {
	if (!wizard) return undefined;
	if (wizard.phase.name === 'ended') return commandOf(wizard);
	return wizard.step === 'review'
		? wizard.requests?.map(request => curlOf(request, connection)).join('\n')
		: undefined;
}

/** The keys of the rule wizard. Where text is typed, letters are text. */
export const wizardActions: readonly Action[] = [
	{
		id: 'wizard.take',
		keys: ['tab'],
		title: 'take the completion, or the correction of the problem',
		hint: 'complete',
		group: 'Rule wizard',
		where: typing,
		isHere: isAt('expression'),
		run: ({state}) => state().takeInWizard(),
	},
	{
		id: 'wizard.next-line',
		keys: ['tab'],
		title: 'on to the next line',
		hint: 'next line',
		group: 'Rule wizard',
		where: typing,
		isHere: isAt('about'),
		run: ({state}) => state().takeInWizard(),
	},
	{
		id: 'wizard.next',
		keys: ['enter'],
		title: 'on to the next step',
		hint: 'next',
		group: 'Rule wizard',
		where: typing,
		run: enter,
	},
	{
		id: 'wizard.format',
		keys: ['ctrl-f'],
		title: 'write the expression in its canonical form',
		hint: 'format',
		group: 'Rule wizard',
		where: typing,
		isHere: isAt('expression'),
		run: ({state}) => state().formatInWizard(),
	},
	{
		id: 'wizard.problem',
		keys: ['ctrl-t'],
		title: 'go to the next problem of the expression',
		group: 'Rule wizard',
		where: typing,
		isHere: isAt('expression'),
		run: ({state}) => state().toNextProblemInWizard(),
	},
	menuAction({
		id: 'wizard.choose',
		title: 'move in the choices, and choose',
		hint: 'choose',
		group: 'Rule wizard',
		where: choosing,
		isHere: isAt('action', 'ended'),
	}),
	{
		id: 'wizard.send',
		keys: ['enter'],
		title: 'send what the review shows',
		hint: 'send it',
		group: 'Rule wizard',
		destroys: true,
		where: choosing,
		isHere: isAt('review'),
		run: ({state}) => void state().sendWizard(),
	},
	{
		id: 'wizard.on',
		keys: ['enter'],
		title: 'on to the next step, with this filter or these products',
		hint: 'next',
		group: 'Rule wizard',
		where: choosing,
		isHere: isAt('filter', 'products'),
		run: ({state}) => state().nextStep(),
	},
	{
		id: 'wizard.product',
		keys: ['space', 'x'],
		title: 'choose the product, or no longer',
		hint: 'choose',
		group: 'Rule wizard',
		where: choosing,
		isHere: isAt('products'),
		run: ({state}) => state().toggleProduct(),
	},
	{
		id: 'wizard.product-down',
		keys: ['down', 'j'],
		title: 'one product down',
		group: 'Rule wizard',
		where: choosing,
		isHere: isAt('products'),
		run: ({state}) => state().moveInProducts(1),
	},
	{
		id: 'wizard.product-up',
		keys: ['up', 'k'],
		title: 'one product up',
		group: 'Rule wizard',
		where: choosing,
		isHere: isAt('products'),
		run: ({state}) => state().moveInProducts(-1),
	},
	{
		id: 'wizard.requests',
		keys: ['r'],
		title: 'show the requests as curl lines, or as they are again',
		hint: 'curl',
		group: 'Rule wizard',
		where: choosing,
		isHere: isAt('review'),
		run: ({state}) => state().changeRequestView(),
	},
	copyAction(form, 'copy the requests as curl lines, or the command that goes on', copied),
	stopAction(form, isAt('sending'), state => state.cancelWizard()),
	...wizardScrolling,
	{
		id: 'wizard.back',
		keys: ['esc'],
		title: 'one step back; from the first one out of the wizard',
		hint: 'back',
		words: ['go back'],
		group: 'Rule wizard',
		where: both,
		run: back,
	},
	detailsAction(form, 'details', ({wizard}) => failureIn(wizard)),
	...alwaysActions(form),
];
