import {findRulesBeforeDraft} from '../../firewall/rules/emergency-limits.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import type {RuleList} from '../rulesets/rule-list.ts';
import {createActionFactory, getReadOnlyReason} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {buildRuleFormActions, measureReview, openRuleForm} from '../stepped-form/rule-actions.ts';
import {emergencyKind} from './kind.ts';
import {buildEmergencyDraft, type EmergencyPurpose, getEmergencyRules, getUndoableCreation} from './state.ts';

/** Opens the emergency screen of the zone, after offering a stored draft. */
export function openEmergency(app: App, purpose: EmergencyPurpose = {}): void {
	const {latest: message, clear} = app.state().messages;
	// The heading of the screen already says that firewall rules are retired.
	if (message?.kind === 'failed') clear();
	openRuleForm(app, emergencyKind, purpose);
}

/** Creates the action that starts the emergency from a list of rules. */
export const createBlockNowAction = (
	{id, defineAction}: Pick<RuleList, 'id' | 'defineAction'>,
	screen: 'customRules' | 'firewall',
): Action =>
	defineAction(`${id}.emergency`, ['!'], 'block an address or a path now (emergency)', {
		effect: 'prepares a write',
		paletteMode: 'at once',
		hint: 'block now',
		searchTerms: [
			'attack',
			'stop attack',
			'stop attack now',
			'under attack mode',
			'panic',
			'panic mode',
			'block ip',
			'ban',
			'deny',
			'emergency block',
			'block address',
			'under attack',
			'ddos',
		],
		getUnavailableReason: state =>
			getReadOnlyReason(state) ?? (state[screen].data ? undefined : 'no zone is open'),
		run(app) {
			const zone = app.state()[screen].data?.zone;
			if (zone && screen !== 'firewall') app.state().firewall.open(zone);
			openEmergency(app);
		},
	});

const isInReview = ({emergency: {data: emergency}}: StateWith<'emergency'>): boolean =>
	emergency?.step === 'review' && emergency.phase.name === 'asking';

const hasPriority = ({emergency: {data: emergency}}: StateWith<'emergency'>): boolean =>
	emergency !== undefined && getBufferText(emergency.aboutFields.order) !== '';

const isCustomRuleShown = ({emergency: {data: emergency}}: StateWith<'emergency'>): boolean =>
	emergency?.way === 'custom rule' && emergency.customRules !== undefined;

/** Explains why running the rule first would have no effect; undefined if it would have one. */
function getPriorityRefusal(state: StateWith<'emergency'>): string | undefined {
	const emergency = state.emergency.data;
	if (!emergency) return 'no emergency block is open';
	if (emergency.way === 'custom rule') return 'a custom rule is placed first anyway';
	if (hasPriority(state)) return undefined;
	const rules = getEmergencyRules(emergency);
	return rules && findRulesBeforeDraft(buildEmergencyDraft(emergency), rules).length === 0
		? 'no earlier rule lets requests through, so it already blocks'
		: undefined;
}

const action = createActionFactory('Emergency', ['emergency menu']);

/** The actions of the emergency screen. Letters are text while the expression is edited. */
export const emergencyActions: readonly Action[] = [
	action(
		'emergency.read-on',
		['y', 'enter'],
		'read on: the request can be sent once all of it has been shown',
		{
			hint: 'read on',
			isActive: state =>
				isInReview(state) &&
				(state.emergency.data?.top ?? 0) < measureReview(emergencyKind, state).requestsTop,
			run({state}) {
				const {lastTop, visibleRows} = measureReview(emergencyKind, state());
				state().emergency.operations.scroll(Math.max(1, visibleRows - 1), lastTop);
			},
		},
	),
	...buildRuleFormActions(emergencyKind, [
		action('emergency.ends', ['e'], 'edit when the block ends', {
			effect: 'prepares a write',
			hint: 'end time',
			searchTerms: ['expire', 'temporary', 'until', 'time limit', 'for 2h'],
			isActive: isInReview,
			run: ({state}) => state().emergency.askEnd(),
		}),
		action('emergency.order', ['O'], 'run the block before all other rules', {
			effect: 'prepares a write',
			hint: 'run first',
			isActive: state => isInReview(state) && !hasPriority(state),
			getUnavailableReason: getPriorityRefusal,
			run: ({state}) => state().emergency.togglePriority(),
		}),
		action('emergency.no-order', ['O'], 'run the block in the usual order again, without a priority', {
			effect: 'prepares a write',
			hint: 'no priority',
			isActive: state => isInReview(state) && hasPriority(state),
			getUnavailableReason: getPriorityRefusal,
			run: ({state}) => state().emergency.togglePriority(),
		}),
		action(
			'emergency.custom',
			['t'],
			'block with a custom rule, which does not count toward the firewall rule limit',
			{
				hint: 'custom rule',
				isActive: state => isInReview(state) && !isCustomRuleShown(state),
				run: ({state}) => void state().emergency.showCustomRule(),
			},
		),
		action('emergency.firewall', ['t'], 'block with a firewall rule', {
			hint: 'firewall rule',
			isActive: state => isInReview(state) && isCustomRuleShown(state),
			getUnavailableReason: ({emergency: {data: emergency}}) =>
				emergency?.isRetired ? 'the service has retired them here' : undefined,
			run: ({state}) => state().emergency.showFirewallRule(),
		}),
		action('emergency.undo', ['u'], 'undo exactly what was created', {
			effect: 'writes',
			hint: 'UNDO',
			searchTerms: ['take back', 'revert'],
			isDestructive: true,
			isActive: ({emergency: {data: emergency}}) =>
				emergency?.phase.name === 'ended' && getUndoableCreation(emergency.phase.ending) !== undefined,
			run: ({state}) => void state().emergency.decide({id: 'undo', label: ''}),
		}),
	]),
];
