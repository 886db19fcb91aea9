import {checkDraft} from '../../firewall/rules/checks.ts';
import {findEmergencyReasons} from '../../firewall/rules/emergency-name.ts';
import type {RuleKind} from '../stepped-form/rule-form.ts';
import {aboutActions, emergencyActions} from '../stepped-form/words.ts';
import {
	backFrom,
	changesOf,
	choicesOf,
	commandOf,
	endedWith,
	isDone,
	isUnused,
	lastWordsOf,
	leavingLines,
	leftSentence,
	onward,
	outcomeOf,
	sentenceOf,
} from './ending.ts';
import {describeReview, findingsOf, findObstacle} from './review.ts';
import {
	draftOf,
	type EmergencyPurpose,
	type EmergencyState,
	type Ending,
	findTargets,
	requestsOf,
} from './state.ts';

/** The emergency: an expression and three keys create a block. */
export const emergencyKind: RuleKind<EmergencyState, EmergencyPurpose, Ending> = {
	screen: 'emergency',
	list: 'firewall',
	key: '!',
	group: 'Emergency',
	noun: 'emergency',
	draftKind: 'emergency',
	read: state => state.emergency.data,
	draftKey: () => 'emergency',
	path: ({zone}) => ['firewall', zone.name, 'emergency'],
	heading(emergency) {
		if (emergency.way === 'firewall rule') return 'EMERGENCY: one call, filter and rule, in force at once';
		return emergency.isRetired
			? 'EMERGENCY: rules are retired (410), so a custom rule'
			: 'EMERGENCY: one custom rule, before all others';
	},
	typing(emergency) {
		const targets = findTargets(emergency);
		return {
			asks: 'What to block: an address, a network, a path (203.0.113.7, 10.0.0.0/8, /wp-login.php), or an expression.',
			meant:
				targets?.kind === 'both'
					? 'enter asks whether both the address and the path must match, or either'
					: targets && `enter reads it as: ${targets.expression}`,
		};
	},
	steps: () => ['expression', 'action', 'review'],
	stepName: (_, step) => step,
	rows: () => [],
	hints: () => ({}),
	orderProblem: () => undefined,
	neighbours: () => undefined,
	actions: Object.fromEntries(emergencyActions.map(action => [action, aboutActions[action]])),
	ownAction: () => undefined,
	whyNotAction: (emergency, action) =>
		checkDraft({...draftOf({...emergency, action}), filter: {expression: 'ssl'}}, emergency.zone).find(
			({about, severity}) => about === 'action' && severity === 'error',
		)?.sentence,
	isSameExpression: () => false,
	findings: findingsOf,
	requests: requestsOf,
	obstacle: findObstacle,
	review: describeReview,
	indent: 0,
	label: ({way}) => `creating a ${way}`,
	subject: ({way}) => (way === 'custom rule' ? {kind: 'custom rules'} : undefined),
	firstDoing: () => 'rule',
	describeWrite: ({way, action}) => `emergency ${way === 'custom rule' ? way : 'rule'} (${action})`,
	nameReasons: emergency => findEmergencyReasons(emergency.zone, {after: draftOf(emergency)}),
	endedWith,
	changes: changesOf,
	isUnused,
	isDone,
	// The filter and the command keep the input.
	isKept: ({state}) => state === 'filter left',
	sentence: (_, ending) => sentenceOf(ending),
	outcome: outcomeOf,
	choices: choicesOf,
	onward,
	backFrom,
	leavingLines,
	leftSentence,
	lastWords: lastWordsOf,
	command: commandOf,
};
