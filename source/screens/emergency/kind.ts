import {checkDraft} from '../../firewall/rules/checks.ts';
import {findEmergencyZoneNameReasons} from '../../firewall/rules/emergency-name.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {actionDescriptions, emergencyActionNames} from '../stepped-form/descriptions.ts';
import type {RuleKind} from '../stepped-form/rule-form.ts';
import {
	applyEmergencyChoice,
	applyEmergencyEnding,
	describeEmergencyEnding,
	describeEmergencyOutcome,
	getEmergencyAffectedList,
	getEmergencyCommand,
	getEmergencyLeaveMessage,
	getEmergencyLeaveWarning,
	getEmergencyQuitMessage,
	isEmergencyDone,
	isEmergencyInputUnused,
	listEmergencyChoices,
	stepEmergencyBack,
} from './ending.ts';
import {describeEmergencyReview, findEmergencyObstacle, listEmergencyFindings} from './review.ts';
import {
	buildEmergencyDraft,
	buildEmergencyRequests,
	type EmergencyEnding,
	type EmergencyPurpose,
	type EmergencyState,
} from './state.ts';

/** The emergency: an expression and three keys create a block. */
export const emergencyKind: RuleKind<EmergencyState, EmergencyPurpose, EmergencyEnding> = {
	screen: 'emergency',
	list: 'firewall',
	openingKey: '!',
	group: 'Emergency',
	noun: 'emergency',
	draftKind: 'emergency',
	getForm: state => state.emergency.data,
	getDraftKey: () => 'emergency',
	getPath: ({zone}) => ['firewall rules', zone.name, 'emergency'],
	getHeading(emergency) {
		if (emergency.way === 'firewall rule') return 'EMERGENCY: filter and rule in one call, effective now';
		return emergency.isRetired
			? 'EMERGENCY: custom rule, as firewall rules are retired'
			: 'EMERGENCY: one custom rule, placed first';
	},
	emptyPrompt:
		'What to block: an address, a network, a path (203.0.113.7, 10.0.0.0/8, /wp-login.php), or an expression.',
	listSteps: () => ['expression', 'action', 'review'],
	getStepName: (_, step) => step,
	listRows: () => [],
	describeQuotaAlternative: () => `use a custom rule (${nameKey('emergency.custom', 't')} in the review)`,
	getHints: () => ({}),
	findLineProblem: () => undefined,
	describeNeighbours: () => undefined,
	actions: Object.fromEntries(emergencyActionNames.map(action => [action, actionDescriptions[action]])),
	getOwnAction: () => undefined,
	getActionRefusal: (emergency, action) =>
		checkDraft(
			// `ssl` stands for any valid expression.
			{...buildEmergencyDraft({...emergency, action}), filter: {expression: 'ssl'}},
			emergency.zone,
		).find(({about, severity}) => about === 'action' && severity === 'error')?.sentence,
	isExpressionAccepted: () => false,
	listFindings: listEmergencyFindings,
	buildRequests: buildEmergencyRequests,
	findObstacle: findEmergencyObstacle,
	describeReview: describeEmergencyReview,
	indent: 0,
	getActionLabel: () => 'create this rule',
	getLabel: ({way}) => `creating a ${way}`,
	getWorkSubject: ({way}) => (way === 'custom rule' ? {kind: 'custom rules'} : undefined),
	getFirstProgressStep: () => 'rule',
	describeWrite: ({way, action}) => `emergency ${way === 'custom rule' ? way : 'rule'} (${action})`,
	listZoneNameReasons(emergency) {
		const {zone, confirmedBlock} = emergency;
		const draft = buildEmergencyDraft(emergency);
		const wasConfirmed =
			confirmedBlock?.action === draft.action && confirmedBlock.filter.expression === draft.filter.expression;
		return wasConfirmed ? [] : findEmergencyZoneNameReasons(zone, {after: draft});
	},
	applyEnding: applyEmergencyEnding,
	getAffectedList: (_, ending) => getEmergencyAffectedList(ending),
	isInputUnused: isEmergencyInputUnused,
	isDone: isEmergencyDone,
	// The filter and the command keep the input.
	losesNothingOnLeave: ({state}) => state === 'filter left',
	formatEndingSentence: (_, ending) => describeEmergencyEnding(ending),
	buildResultText: describeEmergencyOutcome,
	listChoices: listEmergencyChoices,
	applyChoice: applyEmergencyChoice,
	stepBack: stepEmergencyBack,
	getLeaveWarning: getEmergencyLeaveWarning,
	getLeaveMessage: getEmergencyLeaveMessage,
	getQuitMessage: getEmergencyQuitMessage,
	getCommand: getEmergencyCommand,
};
