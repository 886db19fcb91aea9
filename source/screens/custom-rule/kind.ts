import {
	findEquivalentCustomRule,
	formatEquivalentRuleWarning,
} from '../../firewall/rules/custom-rule-settings.ts';
import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {skippable} from '../../firewall/rules/skip.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import {actionDescriptions, productDescriptions} from '../stepped-form/descriptions.ts';
import {type RuleKind, ruleSteps} from '../stepped-form/rule-form.ts';
import {
	buildCustomRule,
	buildCustomRuleRequests,
	findCustomRuleNeighbours,
	getCustomActionRefusal,
	getSkipRefusal,
	getZoneRules,
	listCustomRuleFindings,
	listCustomRuleZoneNameReasons,
	parseTypedPosition,
} from './draft.ts';
import {
	applyCustomRuleChoice,
	describeCustomRuleEnding,
	describeCustomRuleOutcome,
	getCustomRuleLeaveWarning,
	getCustomRuleQuitMessage,
	isCustomRuleInputUnused,
	listCustomRuleChoices,
	stepCustomRuleBack,
} from './ending.ts';
import {describeCustomRuleReview} from './review.ts';
import type {CustomEnding, CustomForm, CustomPurpose} from './state.ts';

const responseHint = 'for the response to blocked requests';

/** Custom rules. */
export const customRuleKind: RuleKind<CustomForm, CustomPurpose, CustomEnding> = {
	screen: 'customRule',
	phase: customPhase,
	list: 'customRules',
	openingKey: 'a',
	group: 'Custom rule',
	noun: 'custom rule',
	draftKind: 'custom rule',
	getForm: state => state.customRule.data,
	getDraftKey(purpose) {
		if (purpose.kind === 'change') return `change ${purpose.rule.id}`;
		return purpose.copyOf ? `copy of ${purpose.copyOf.id ?? ''}` : 'new';
	},
	getPath: ({zone, purpose}) => [
		'custom rules',
		zone.name,
		purpose.kind === 'new' ? 'new rule' : 'change rule',
	],
	listSteps: () => ruleSteps,
	// The step also covers the description, the state, logging and the response.
	getStepName: (_, step) => (step === 'about' ? 'position' : step),
	listRows: ({action, purpose}) => [
		...(purpose.kind === 'new' ? (['order'] as const) : []),
		'description',
		'paused',
		...(action === 'skip' ? (['logged'] as const) : []),
		...(action === 'block' ? (['status', 'type', 'body'] as const) : []),
		'ends',
	],
	orderLabel: 'position',
	getHints: form => ({
		order: `1 to ${getZoneRules(form).length + 1}; leave empty for last`,
		status: `400 to 499, ${responseHint}; leave status and body empty for the service's own page`,
		type: `${responseHint}; space changes it`,
		body: responseHint,
	}),
	findOrderProblem(form) {
		const position = parseTypedPosition(form);
		return typeof position === 'object' ? position.problem : undefined;
	},
	describeNeighbours(form) {
		const {previous, next, position, count} = findCustomRuleNeighbours(form);
		return {
			previous: previous && formatRuleInShort(previous),
			rule: `${form.action ?? ''}   position ${position} of ${count}`,
			next: next && formatRuleInShort(next),
		};
	},
	actions: {
		block: 'blocks the request, optionally with a custom response',
		managed_challenge: actionDescriptions.managed_challenge,
		js_challenge: actionDescriptions.js_challenge,
		challenge: actionDescriptions.challenge,
		log: actionDescriptions.log,
		skip: 'skips rules and products that you choose next',
	},
	getOwnAction: ({purpose}) => (purpose.kind === 'change' ? purpose.rule.action : undefined),
	getActionRefusal: getCustomActionRefusal,
	chooser: {
		action: 'skip',
		title: 'What matching requests skip; space selects.',
		names: skippable,
		descriptions: {
			remaining: 'the custom rules after this one',
			'rate-limits': 'rate limiting rules',
			'bot-fight-mode': 'Super Bot Fight Mode',
			'managed-rules': 'managed rules',
			...productDescriptions,
		},
		noneWarning: 'Skip needs at least one choice: space selects it.',
		getNameRefusal: getSkipRefusal,
	},
	isExpressionAccepted: ({purpose, editing}) =>
		purpose.kind === 'change' && purpose.rule.expression === getTypedExpression(editing),
	listFindings: listCustomRuleFindings,
	buildRequests: buildCustomRuleRequests,
	findObstacle: form =>
		form.purpose.kind === 'change' &&
		!getZoneRules(form).some(({id}) => 'rule' in form.purpose && id === form.purpose.rule.id)
			? 'The rule no longer exists: it was deleted elsewhere.'
			: undefined,
	describeReview: describeCustomRuleReview,
	getWarning(form) {
		const rule = form.purpose.kind === 'new' ? buildCustomRule(form) : undefined;
		const duplicate = rule && findEquivalentCustomRule(rule, getZoneRules(form));
		return duplicate && formatEquivalentRuleWarning(duplicate);
	},
	getActionLabel: ({purpose}) => (purpose.kind === 'new' ? 'create this rule' : 'change this rule'),
	getLabel: ({purpose}) => (purpose.kind === 'new' ? 'creating a custom rule' : 'changing a custom rule'),
	getWorkSubject: () => ({kind: 'custom rules'}),
	getFirstProgressStep: () => 'rule',
	describeWrite(form) {
		if (form.purpose.kind === 'change') return `update custom rule ${form.purpose.rule.id}`;
		const rule = buildCustomRule(form);
		return `create custom rule${rule ? ` (${formatCustomRuleAction(rule)})` : ''}`;
	},
	listZoneNameReasons: listCustomRuleZoneNameReasons,
	getAffectedList: () => ({list: undefined, target: undefined}),
	isInputUnused: isCustomRuleInputUnused,
	losesNothingOnLeave: () => false,
	formatEndingSentence: describeCustomRuleEnding,
	buildResultText: describeCustomRuleOutcome,
	listChoices: listCustomRuleChoices,
	applyChoice: applyCustomRuleChoice,
	stepBack: stepCustomRuleBack,
	getLeaveWarning: getCustomRuleLeaveWarning,
	getLeaveMessage: form =>
		form.phase.name === 'ended' ? describeCustomRuleEnding(form, form.phase.ending) : undefined,
	getQuitMessage: getCustomRuleQuitMessage,
};

/** Formats a rule in a line. Raw text. */
const formatRuleInShort = (rule: RulesetRule): string =>
	[
		formatCustomRuleAction(rule),
		...(rule.enabled === false ? ['paused'] : []),
		rule.description || rule.expression,
	].join('   ');
