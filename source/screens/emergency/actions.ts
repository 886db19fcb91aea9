import {rulesBefore} from '../../firewall/rules/emergency-limits.ts';
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
import {curlOf} from '../wizard/review.ts';
import {commandAfter} from './endings.ts';
import {emergencyLeavingLines} from './leaving.ts';
import {isAt, partOf} from './part.ts';
import {emergencyScrolling, isUnseen, readOn} from './scrolling.ts';
import {emergencyDraft, listsOf, obstacleIn, requestOf} from './state.ts';

/** Opens the emergency of the zone; first it is asked about what was typed before. */
export function openEmergency(app: App): void {
	const {emergency, firewall, offerDraftsOf} = app.state();
	if (!firewall || emergency) open(app);
	else offerDraftsOf({kind: 'emergency', zone: firewall.zone.id}, () => open(app));
}

function open(app: App): void {
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
const form: Form = {name: 'emergency', group, typing, choosing};

/** Esc: one stage back; from the first one out, which asks where something would be lost. */
const back = (app: App): void =>
	backOrLeave(app, {
		name: 'emergency',
		back: () => app.state().backInEmergency(),
		lost() {
			const {emergency, isEmergencyTouched} = app.state();
			return emergency && isEmergencyTouched() ? emergencyLeavingLines(emergency) : undefined;
		},
		leave: () => app.state().leaveEmergency(),
		discard: () => app.state().discardEmergency(),
	});

/** Why a priority would change nothing. */
function alreadyFirst(state: LedgeState): string | undefined {
	const {emergency, firewall} = state;
	if (!emergency) return 'nothing has begun';
	if (emergency.way.form === 'custom rule') return 'a custom rule goes before all others already';
	if (emergency.order !== 'as it comes') return undefined;
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
		destroys: true,
		where: choosing,
		isHere: state => isAt('send')(state) && !isUnseen(state),
		unavailable: ({emergency, firewall}) => emergency && obstacleIn(emergency, firewall),
		run: ({state}) => void state().sendEmergency(),
	},
	{
		id: 'emergency.order',
		keys: ['p'],
		title: 'give it a smaller priority than all others have, so that it goes first, or none again',
		hint: 'put it first',
		group,
		where: choosing,
		isHere: isAt('send'),
		unavailable: alreadyFirst,
		run: ({state}) => state().changeEmergencyOrder(),
	},
	{
		id: 'emergency.custom',
		keys: ['u'],
		title: 'make it one custom rule instead, which needs no room among the firewall rules',
		hint: 'custom rule',
		group,
		where: choosing,
		isHere: isAt('send'),
		unavailable: ({emergency}) =>
			emergency?.way.form === 'custom rule' ? 'it is one custom rule already' : undefined,
		run: ({state}) => state().customRuleInstead(),
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
	copyAction(form, 'copy the request as a curl line, or the command that goes on', copied),
	stopAction(form, isAt('sending'), state => state.cancelEmergency()),
	...emergencyScrolling,
	{
		id: 'emergency.back',
		keys: ['esc'],
		title: 'one stage back; from the first one out of it',
		hint: 'back',
		words: ['go back'],
		group,
		where: both,
		run: back,
	},
	detailsAction(form, 'why', ({emergency}) => failureIn(emergency)),
	...alwaysActions(form),
];
