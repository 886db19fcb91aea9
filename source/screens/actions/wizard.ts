import type {LedgeState} from '../../store/ledge-store.ts';
import type {WizardPurpose} from '../../store/wizard-slice.ts';
import type {Action, App} from '../action.ts';
import {commandOf} from '../firewall/wizard-outcome.ts';
import {curlOf} from '../firewall/wizard-review.ts';
import {quit} from './everywhere.ts';
import {menuAction} from './menu.ts';
import {only} from './wizard-part.ts';
import {wizardScrolling} from './wizard-scrolling.ts';

export function openWizard(app: App, purpose: WizardPurpose): void {
	app.state().beginWizard(purpose);
	if (app.state().wizard) app.state().go('wizard');
}

const typing = ['wizard'] as const;
const choosing = ['wizard menu'] as const;
const both = ['wizard', 'wizard menu'] as const;

/** Esc: one step back; from the first step out of the wizard, which asks where something would be lost. */
function back(app: App) {
	const {state} = app;
	if (state().message) state().clearMessage();
	if (!state().previousStep()) leave(app, () => state().leaveWizard());
}

/** Leaves by `go`, at once where nothing would be lost. */
function leave({state}: App, go: () => void) {
	if (!state().isWizardTouched()) return go();
	state().open({
		kind: 'confirm',
		title: 'Leave the wizard?',
		lines: ['Nothing was sent. What you typed and chose is gone then.'],
		does: 'leave it',
		confirm: go,
	});
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
		title: 'take the completion, or the correction of the problem; in other lines, on to the next one',
		hint: 'complete',
		group: 'Rule wizard',
		where: typing,
		run: ({state}) => state().takeInWizard(),
	},
	{
		id: 'wizard.next',
		keys: ['enter'],
		title: 'on to the next step',
		hint: 'next',
		group: 'Rule wizard',
		where: typing,
		run: ({state}) => state().nextStep(),
	},
	{
		id: 'wizard.format',
		keys: ['ctrl-f'],
		title: 'write the expression in its canonical form',
		hint: 'format',
		group: 'Rule wizard',
		where: typing,
		unavailable: only('expression'),
		run: ({state}) => state().formatInWizard(),
	},
	{
		id: 'wizard.problem',
		keys: ['ctrl-t'],
		title: 'go to the next problem of the expression',
		group: 'Rule wizard',
		where: typing,
		unavailable: only('expression'),
		run: ({state}) => state().toNextProblemInWizard(),
	},
	menuAction({
		id: 'wizard.choose',
		title: 'move in the choices, and choose',
		hint: 'choose',
		group: 'Rule wizard',
		where: choosing,
		unavailable: only('action', 'ended'),
	}),
	{
		id: 'wizard.send',
		keys: ['enter'],
		title: 'send what the review shows',
		hint: 'send it',
		group: 'Rule wizard',
		where: choosing,
		unavailable: only('review'),
		run: ({state}) => void state().sendWizard(),
	},
	{
		id: 'wizard.on',
		keys: ['enter'],
		title: 'on to the next step, with this filter or these products',
		hint: 'next',
		group: 'Rule wizard',
		where: choosing,
		unavailable: only('filter', 'products'),
		run: ({state}) => state().nextStep(),
	},
	{
		id: 'wizard.product',
		keys: ['space', 'x'],
		title: 'choose the product, or no longer',
		hint: 'choose',
		group: 'Rule wizard',
		where: choosing,
		unavailable: only('products'),
		run: ({state}) => state().toggleProduct(),
	},
	{
		id: 'wizard.product-down',
		keys: ['down', 'j'],
		title: 'one product down',
		group: 'Rule wizard',
		where: choosing,
		unavailable: only('products'),
		run: ({state}) => state().moveInProducts(1),
	},
	{
		id: 'wizard.product-up',
		keys: ['up', 'k'],
		title: 'one product up',
		group: 'Rule wizard',
		where: choosing,
		unavailable: only('products'),
		run: ({state}) => state().moveInProducts(-1),
	},
	{
		id: 'wizard.requests',
		keys: ['r'],
		title: 'show the requests as curl lines, or as they are again',
		hint: 'curl',
		group: 'Rule wizard',
		where: choosing,
		unavailable: only('review'),
		run: ({state}) => state().changeRequestView(),
	},
	{
		id: 'wizard.copy',
		keys: ['y'],
		title: 'copy the requests as curl lines, or the command that goes on',
		hint: 'copy',
		group: 'Rule wizard',
		where: choosing,
		unavailable: state => (copied(state) ? undefined : 'there is nothing to copy here'),
		run({state, terminal}) {
			const text = copied(state());
			if (text) state().say(terminal.copy(text));
		},
	},
	{
		id: 'wizard.stop',
		keys: ['c'],
		title: 'stop what is being sent',
		hint: 'stop it',
		group: 'Rule wizard',
		where: choosing,
		unavailable: only('sending'),
		run: ({state}) =>
			state().open({
				kind: 'confirm',
				title: 'Stop it?',
				lines: ['What is under way may be done all the same: what is there then is read, and said.'],
				does: 'stop it',
				confirm: () => state().cancelWizard(),
			}),
	},
	...wizardScrolling,
	{
		id: 'wizard.back',
		keys: ['esc'],
		title: 'one step back; from the first one out of the wizard',
		hint: 'back',
		group: 'Rule wizard',
		where: both,
		run: back,
	},
	{
		id: 'wizard.details',
		keys: ['i'],
		title: 'what happened, why, and what to do',
		group: 'Rule wizard',
		where: choosing,
		unavailable: ({message, wizard}) =>
			message?.kind === 'failed' || (wizard?.phase.name === 'ended' && 'failure' in wizard.phase.ending)
				? undefined
				: 'nothing has failed',
		run({state}) {
			const {message, wizard, open} = state();
			const ending = wizard?.phase.name === 'ended' ? wizard.phase.ending : undefined;
			const failure =
				ending && 'failure' in ending ? ending.failure : message?.kind === 'failed' && message.failure;
			if (failure) open({kind: 'failure', failure});
		},
	},
	{
		id: 'wizard.suspend',
		keys: ['ctrl-z'],
		title: 'suspend ledge (fg brings it back)',
		group: 'Rule wizard',
		where: both,
		run: ({terminal}) => terminal.suspend(),
	},
	{
		id: 'wizard.quit',
		keys: ['ctrl-c'],
		title: 'quit; asks where something would be lost',
		group: 'Rule wizard',
		where: both,
		run: app => leave(app, () => quit(app)),
	},
	{
		id: 'wizard.help',
		keys: ['f1', 'ctrl-g'],
		title: 'show the keys that work here',
		hint: 'help',
		group: 'Rule wizard',
		where: typing,
		run: ({state}) => state().open({kind: 'help', query: '', top: 0}),
	},
	{
		id: 'wizard.menu-help',
		keys: ['?', 'f1'],
		title: 'show the keys that work here',
		hint: 'help',
		group: 'Rule wizard',
		where: choosing,
		run: ({state}) => state().open({kind: 'help', query: '', top: 0}),
	},
];
