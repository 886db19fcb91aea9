import {bodyRows} from '../../components/layout.ts';
import {themeOf} from '../../components/theme.ts';
import {rulesBefore} from '../../firewall/rules/emergency-limits.ts';
import type {Has} from '../../store/ledge-store.ts';
import {actionsOf, belongingTo} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {formOf} from '../shell/form-actions.ts';
import {formActions} from '../stepped-form/actions.ts';
import {curlOf} from '../stepped-form/curl.ts';
import {commandAfter} from './endings.ts';
import {layoutOf} from './layout.ts';
import {rowsOf} from './lines.ts';
import {draftOf, madeIn, obstacleIn, requestsOf, rulesIn} from './state.ts';

/** Opens the emergency of the zone; a draft is offered first. */
export function openEmergency(app: App): void {
	const emergency = app.state().emergency.data;
	const firewall = app.state().firewall.data;
	const offerDraftsOf = app.state().drafts.offerAllOf;
	if (!firewall || emergency) open(app);
	else offerDraftsOf({kind: 'emergency', zone: firewall.zone.id}, () => open(app));
}

function open(app: App): void {
	app.state().emergency.begin();
	const emergency = app.state().emergency.data;
	const {latest: message, clear: clearMessage} = app.state().messages;
	const {go} = app.state().navigation;
	if (!emergency) return;
	// Its heading shows that firewall rules are gone.
	if (message?.kind === 'failed') clearMessage();
	go('emergency');
}

type Part = 'expression' | 'action' | 'send' | 'reading' | 'sending' | 'ended';

/** Which of its parts the emergency screen shows. */
function partOf({emergency: {data: emergency}}: Has<'emergency'>): Part | undefined {
	if (!emergency) return undefined;
	return emergency.phase.name === 'asking' ? emergency.stage : emergency.phase.name;
}

const isAt = belongingTo(partOf);

const {marks} = themeOf('none', true);

/** How far it can be scrolled, and how far it has to be until the request was in sight. */
function extent(state: Has<'emergency' | 'connection' | 'firewall'> & Has<'navigation', 'viewport'>): {
	last: number;
	room: number;
	request: number;
} {
	const emergency = state.emergency.data;
	const {viewport} = state.navigation;
	if (!emergency) return {last: 0, room: 1, request: 0};
	const room = layoutOf(emergency, viewport.columns, bodyRows(viewport.rows)).below;
	const {rows, requestEnd} = rowsOf(emergency, state, marks);
	const last = Math.max(0, rows.length - room);
	// The last row counts the rows that follow, unless it is the end.
	const shown = requestEnd === rows.length ? room : room - 1;
	return {last, room, request: last === 0 ? 0 : Math.max(0, requestEnd - shown)};
}

/** Whether there is more of the request than was in sight: it is not sent before. */
const isUnseen = (
	state: Has<'emergency' | 'connection' | 'firewall'> & Has<'navigation', 'viewport'>,
): boolean => isAt('send')(state) && (state.emergency.data?.seen ?? 0) < extent(state).request;

/** Why a priority would change nothing. */
function alreadyFirst(state: Has<'emergency' | 'firewall'>): string | undefined {
	const emergency = state.emergency.data;
	const firewall = state.firewall.data;
	if (!emergency) return 'nothing has begun';
	if (emergency.way.form === 'custom rule') return 'a custom rule goes before all others already';
	if (emergency.order !== 'as it comes') return undefined;
	const rules = rulesIn(emergency, firewall);
	return rules && rulesBefore(draftOf(emergency), rules).length === 0
		? 'no rule lets anything through before it'
		: undefined;
}

/** What is put on the clipboard: the command to continue, or the request as a `curl` line. */
function copied(state: Has<'emergency' | 'connection'>): string | undefined {
	const emergency = state.emergency.data;
	const connection = state.connection.data;
	if (!emergency) return undefined;
	if (isAt('ended')(state)) return commandAfter(emergency);
	const requests = isAt('send')(state) ? requestsOf(emergency) : undefined;
	return requests?.map(request => curlOf(request, connection)).join('\n');
}

const form = formOf('emergency', 'Emergency');
const action = actionsOf(form.group, form.choosing);

const own: readonly Action[] = [
	action('emergency.read-on', ['enter'], 'read on: the request can be sent once all of it was in sight', {
		hint: 'read on',
		isHere: isUnseen,
		run({state}) {
			const {last, room} = extent(state());
			state().emergency.form.scroll(Math.max(1, room - 1), last);
		},
	}),
	action('emergency.send', ['enter'], 'send it: it is in force as soon as the service has it', {
		hint: 'SEND IT',
		destroys: true,
		isHere: state => isAt('send')(state) && !isUnseen(state),
		unavailable: ({emergency: {data: emergency}, firewall: {data: firewall}}) =>
			emergency && obstacleIn(emergency, firewall),
		run: ({state}) => void state().emergency.send(),
	}),
	action(
		'emergency.order',
		['p'],
		'put it first with a smaller priority than all others, or remove the priority',
		{
			hint: 'put it first',
			isHere: isAt('send'),
			unavailable: alreadyFirst,
			run: ({state}) => state().emergency.changeOrder(),
		},
	),
	action(
		'emergency.custom',
		['u'],
		'make it one custom rule instead, which does not count as a firewall rule',
		{
			hint: 'custom rule',
			isHere: isAt('send'),
			unavailable: ({emergency: {data: emergency}}) =>
				emergency?.way.form === 'custom rule' ? 'it is one custom rule already' : undefined,
			run: ({state}) => state().emergency.customRuleInstead(),
		},
	),
	action('emergency.undo', ['u'], 'undo it: take back exactly what was made', {
		hint: 'UNDO',
		words: ['take back', 'revert'],
		destroys: true,
		isHere: ({emergency: {data: emergency}}) =>
			emergency?.phase.name === 'ended' && madeIn(emergency.phase.ending) !== undefined,
		run: ({state}) => void state().emergency.undo(),
	}),
];

/** The keys of the emergency screen. Where the expression is typed, letters are text. */
export const emergencyActions: readonly Action[] = formActions({
	form,
	of: state => state.emergency.form,
	partOf,
	last: 'send',
	extent,
	next: state => state.emergency.next(),
	type: (state, key) => state.emergency.type(key),
	back: state => state.emergency.back(),
	copied,
	obstacle: ({emergency: {data: emergency}, firewall: {data: firewall}}) =>
		emergency && obstacleIn(emergency, firewall),
	own,
});
