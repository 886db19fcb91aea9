import {rulesBefore} from '../../firewall/emergency-limits.ts';
import {commandAfter} from '../../store/emergency-endings.ts';
import {emergencyLeavingLines} from '../../store/emergency-leaving.ts';
import {emergencyDraft, listsOf, requestOf} from '../../store/emergency-state.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action, App} from '../action.ts';
import {curlOf} from '../firewall/wizard-review.ts';
import {isAt, partOf} from './emergency-part.ts';
import {emergencyScrolling, isUnseen, readOn} from './emergency-scrolling.ts';
import {quit} from './everywhere.ts';
import {menuAction} from './menu.ts';

export function openEmergency(app: App): void {
	app.state().beginEmergency();
	const {emergency, message, clearMessage, go} = app.state();
	if (!emergency) return;
	// That firewall rules are gone stands at its top.
	if (message?.kind === 'failed') clearMessage();
	go('emergency');
}

const typing = ['emergency'] as const;
const choosing = ['emergency menu'] as const;
const both = ['emergency', 'emergency menu'] as const;
const group = 'Emergency';

/** Esc: one stage back; from the first one out, which asks where something would be lost. */
function back(app: App) {
	const {state} = app;
	if (state().message) state().clearMessage();
	if (!state().backInEmergency()) leave(app);
}

/** Leaves it, at once where nothing would be lost. */
function leave({state}: App) {
	const {emergency, isEmergencyTouched, leaveEmergency, open} = state();
	if (!emergency || !isEmergencyTouched()) return leaveEmergency();
	open({
		kind: 'confirm',
		title: 'Leave the emergency?',
		lines: emergencyLeavingLines(emergency),
		does: 'leave it',
		confirm: () => state().leaveEmergency(),
	});
}

/** Why a priority would change nothing. */
function alreadyFirst(state: LedgeState): string | undefined {
	const {emergency, firewall} = state;
	if (!emergency) return 'nothing has begun';
	if (emergency.way.form === 'custom rule') return 'a custom rule goes before all others already';
	if (emergency.order === 'first') return undefined;
	const rules = listsOf(emergency, firewall)?.rules;
	return rules && rulesBefore(emergencyDraft(emergency), rules).length === 0
		? 'no rule lets anything through before it'
		: undefined;
}

/** What is put on the clipboard: the command that goes on, or the request as a `curl` line. */
function copied(state: LedgeState): string | undefined {
	const {emergency, connection} = state;
	if (!emergency) return undefined;
	switch (partOf(state)) {
		case 'ended':
			return commandAfter(emergency);
		case 'send': {
			const request = requestOf(emergency);
			return request && curlOf(request, connection);
		}
		default:
			return undefined;
	}
}

/** The failure of the message, or that of how it ended. */
function failureOf({message, emergency}: LedgeState) {
	if (message?.kind === 'failed') return message.failure;
	const ending = emergency?.phase.name === 'ended' ? emergency.phase.ending : undefined;
	return ending && 'failure' in ending ? ending.failure : undefined;
}

const help = ({state}: App) => state().open({kind: 'help', query: '', top: 0});

/** The keys of the emergency screen. Where the expression is typed, letters are text. */
export const emergencyActions: readonly Action[] = [
	{
		id: 'emergency.take',
		keys: ['tab'],
		title: 'take the completion, or the correction of the problem',
		hint: 'complete',
		group,
		where: typing,
		run: ({state}) => state().takeInEmergency(),
	},
	{
		id: 'emergency.next',
		keys: ['enter'],
		title: 'on to the action',
		hint: 'next',
		group,
		where: typing,
		run: ({state}) => state().nextInEmergency(),
	},
	{
		id: 'emergency.format',
		keys: ['ctrl-f'],
		title: 'write the expression in its canonical form',
		hint: 'format',
		group,
		where: typing,
		run: ({state}) => state().formatInEmergency(),
	},
	{
		id: 'emergency.problem',
		keys: ['ctrl-t'],
		title: 'go to the next problem of the expression',
		group,
		where: typing,
		run: ({state}) => state().toNextProblemInEmergency(),
	},
	menuAction({
		id: 'emergency.choose',
		title: 'move in the choices, and choose',
		hint: 'choose',
		group,
		where: choosing,
		isHere: isAt('action', 'ended'),
	}),
	readOn,
	{
		id: 'emergency.send',
		keys: ['enter'],
		title: 'send it: it is in force as soon as the service has it',
		hint: 'SEND IT',
		group,
		where: choosing,
		isHere: state => isAt('send')(state) && !isUnseen(state),
		run: ({state}) => void state().sendEmergency(),
	},
	{
		id: 'emergency.order',
		keys: ['p'],
		title: 'give it priority 1, so that it goes before the others, or none again',
		hint: 'put it first',
		group,
		where: choosing,
		isHere: isAt('send'),
		unavailable: alreadyFirst,
		run: ({state}) => state().changeEmergencyOrder(),
	},
	{
		id: 'emergency.request',
		keys: ['r'],
		title: 'show the request as a curl line, or as it is again',
		hint: 'curl',
		group,
		where: choosing,
		isHere: isAt('send'),
		run: ({state}) => state().changeEmergencyView(),
	},
	{
		id: 'emergency.copy',
		keys: ['y'],
		title: 'copy the request as a curl line, or the command that goes on',
		hint: 'copy',
		group,
		where: choosing,
		unavailable: state => (copied(state) ? undefined : 'there is nothing to copy here'),
		run({state, terminal}) {
			const text = copied(state());
			if (text) state().say(terminal.copy(text));
		},
	},
	{
		id: 'emergency.stop',
		keys: ['c'],
		title: 'stop what is being sent',
		hint: 'stop it',
		group,
		where: choosing,
		isHere: isAt('sending'),
		run: ({state}) =>
			state().open({
				kind: 'confirm',
				title: 'Stop it?',
				lines: ['What is under way may be done all the same: what is there then is read, and said.'],
				does: 'stop it',
				confirm: () => state().cancelEmergency(),
			}),
	},
	...emergencyScrolling,
	{
		id: 'emergency.back',
		keys: ['esc'],
		title: 'one stage back; from the first one out of it',
		hint: 'back',
		group,
		where: both,
		run: back,
	},
	{
		id: 'emergency.details',
		keys: ['i'],
		title: 'what happened, why, and what to do',
		hint: 'why',
		group,
		where: choosing,
		unavailable: state => (failureOf(state) ? undefined : 'nothing has failed'),
		run({state}) {
			const failure = failureOf(state());
			if (failure) state().open({kind: 'failure', failure});
		},
	},
	{
		id: 'emergency.suspend',
		keys: ['ctrl-z'],
		title: 'suspend ledge (fg brings it back)',
		group,
		where: both,
		run: ({terminal}) => terminal.suspend(),
	},
	{
		id: 'emergency.quit',
		keys: ['ctrl-c'],
		title: 'quit; asks where something would be lost',
		group,
		where: both,
		run: quit,
	},
	{
		id: 'emergency.menu-quit',
		keys: ['q'],
		title: 'quit; asks where something would be lost',
		group,
		where: choosing,
		run: quit,
	},
	{
		id: 'emergency.help',
		keys: ['f1', 'ctrl-g'],
		title: 'show the keys that work here',
		hint: 'help',
		group,
		where: typing,
		run: help,
	},
	{
		id: 'emergency.menu-help',
		keys: ['?', 'f1'],
		title: 'show the keys that work here',
		hint: 'help',
		group,
		where: choosing,
		run: help,
	},
];
