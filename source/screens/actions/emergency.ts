import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import {rulesBefore} from '../../firewall/emergency-limits.ts';
import {commandAfter} from '../../store/emergency-endings.ts';
import {emergencyDraft, listsOf, requestOf} from '../../store/emergency-state.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Action, App} from '../action.ts';
import {emergencyLayout} from '../firewall/emergency-layout.ts';
import {emergencyLines} from '../firewall/emergency-lines.ts';
import {curlOf} from '../firewall/wizard-review.ts';
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

const {marks} = themeOf('none', true);

type Part = 'expression' | 'action' | 'send' | 'reading' | 'sending' | 'ended';

function partOf({emergency}: LedgeState): Part | undefined {
	if (!emergency) return undefined;
	return emergency.phase.name === 'asking' ? emergency.stage : emergency.phase.name;
}

const only =
	(...parts: readonly Part[]) =>
	(state: LedgeState): string | undefined => {
		const part = partOf(state);
		return part && parts.includes(part) ? undefined : 'it has no use at this point';
	};

/** Esc: one stage back; from the first one out, which asks where something would be lost. */
function back(app: App) {
	const {state} = app;
	if (state().message) state().clearMessage();
	if (!state().backInEmergency()) leave(app, () => state().leaveEmergency());
}

/** Leaves by `go`, at once where nothing would be lost. */
function leave({state}: App, go: () => void) {
	if (!state().isEmergencyTouched()) return go();
	state().open({
		kind: 'confirm',
		title: 'Leave the emergency?',
		lines: ['Nothing was sent, so nothing is in force. What you typed is gone then.'],
		does: 'leave it',
		confirm: go,
	});
}

/** Why a priority would change nothing. */
function alreadyFirst(state: LedgeState): string | undefined {
	const {emergency, firewall} = state;
	const wrong = only('send')(state);
	if (wrong !== undefined || !emergency) return wrong;
	if (emergency.way.form === 'custom rule') return 'a custom rule goes before all others already';
	if (emergency.order === 'first') return undefined;
	const rules = listsOf(emergency, firewall)?.rules;
	return rules && rulesBefore(emergencyDraft(emergency), rules).length === 0
		? 'no rule lets anything through before it'
		: undefined;
}

/** How far what is below can be scrolled. */
function scrolling(state: LedgeState): {last: number; room: number} {
	const {emergency, viewport} = state;
	if (!emergency) return {last: 0, room: 1};
	const room = emergencyLayout(emergency, viewport.columns, bodyRows(viewport.rows)).below;
	const lines = emergencyLines(emergency, state, viewport.columns, marks).length;
	return {last: Math.max(0, lines - room), room};
}

const scrolls = (
	id: string,
	keys: Action['keys'],
	title: string,
	by: (room: number) => number,
	hint?: string,
): Action => ({
	id: `emergency.${id}`,
	keys,
	title,
	...(hint !== undefined && {hint}),
	group,
	where: choosing,
	unavailable: state =>
		only('send')(state) ?? (scrolling(state).last > 0 ? undefined : 'all of it is in sight'),
	run({state}) {
		const {last, room} = scrolling(state());
		state().scrollEmergency(by(room), last);
	},
});

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
		unavailable: only('action', 'ended'),
	}),
	{
		id: 'emergency.send',
		keys: ['enter'],
		title: 'send it: it is in force as soon as the service has it',
		hint: 'SEND IT',
		group,
		where: choosing,
		unavailable: only('send'),
		run: ({state}) => void state().sendEmergency(),
	},
	{
		id: 'emergency.order',
		keys: ['p'],
		title: 'give it priority 1, so that it goes before the others, or none again',
		hint: 'put it first',
		group,
		where: choosing,
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
		unavailable: only('send'),
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
		unavailable: only('sending'),
		run: ({state}) =>
			state().open({
				kind: 'confirm',
				title: 'Stop it?',
				lines: ['What is under way may be done all the same: what is there then is read, and said.'],
				does: 'stop it',
				confirm: () => state().cancelEmergency(),
			}),
	},
	scrolls('page-down', ['space', 'pagedown'], 'one page down', room => Math.max(1, room - 1), 'more'),
	scrolls('page-up', ['pageup'], 'one page up', room => -Math.max(1, room - 1)),
	scrolls('line-down', ['down', 'j'], 'one row down', () => 1),
	scrolls('line-up', ['up', 'k'], 'one row up', () => -1),
	scrolls('first', ['g', 'home'], 'to the first row', () => Number.NEGATIVE_INFINITY),
	scrolls('last', ['G', 'end'], 'to the last row', () => Number.POSITIVE_INFINITY),
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
		run: app => leave(app, () => quit(app)),
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
