import {
	findEquivalentCustomRule,
	formatEquivalentRuleWarning,
} from '../../firewall/rules/custom-rule-settings.ts';
import {skippable} from '../../firewall/rules/skip.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import {rulesetActionIds} from '../rulesets/action-ids.ts';
import {customRuleType, type RuleType, rateLimitType} from '../rulesets/rule-type.ts';
import type {AboutRow} from '../stepped-form/about-fields.ts';
import {actionDescriptions, productDescriptions} from '../stepped-form/descriptions.ts';
import {type RuleKind, ruleSteps} from '../stepped-form/rule-form.ts';
import {
	buildFormRule,
	buildRulesetFormRequests,
	findFormNeighbours,
	getFormActionRefusal,
	getRateLimitTexts,
	getSkipRefusal,
	getZoneRules,
	listFormFindings,
	listFormZoneNameReasons,
	parseTypedPosition,
} from './draft.ts';
import {
	applyFormChoice,
	describeFormEnding,
	describeFormOutcome,
	getFormLeaveWarning,
	getFormQuitMessage,
	isFormInputUnused,
	listFormChoices,
	stepFormBack,
} from './ending.ts';
import {findRateLimitProblem} from './limit-lines.ts';
import {describeFormReview} from './review.ts';
import type {RulesetEnding, RulesetForm, RulesetPurpose} from './state.ts';

const responseHint = 'for the response to blocked requests';

/** A kind of form for the rules of a list. */
export type RulesetKind = RuleKind<RulesetForm, RulesetPurpose, RulesetEnding> & {
	readonly type: RuleType;
	readonly screen: 'customRule' | 'rateLimit';
	readonly list: RuleType['listScreen'];
};

/** Creates a kind of form, with what only this type of rules has. */
const createRulesetKind = (
	type: RuleType,
	screen: RulesetKind['screen'],
	aboutStepName: string,
	differences: Pick<RulesetKind, 'actions' | 'chooser' | 'listRows'>,
): RulesetKind => ({
	type,
	screen,
	phase: type.phase,
	list: type.listScreen,
	openingKey: 'a',
	group: type.sentenceNoun,
	noun: type.noun,
	draftKind: type.noun,
	getForm: state => state[screen].data,
	getDraftKey(purpose) {
		if (purpose.kind === 'change') return `change ${purpose.rule.id}`;
		return purpose.copyOf ? `copy of ${purpose.copyOf.id ?? ''}` : 'new';
	},
	getPath: ({zone, purpose}) => [
		`${type.noun}s`,
		zone.name,
		`${purpose.kind === 'new' ? 'new' : 'change'} ${type.shortNoun}`,
	],
	listSteps: () => ruleSteps,
	// The step also covers the description, the state, logging, the response and the limit.
	getStepName: (_, step) => (step === 'about' ? aboutStepName : step),
	orderLabel: 'position',
	getHints: form => ({
		order: `1 to ${getZoneRules(form).length + 1}; leave empty for last`,
		status: `400 to 499, ${responseHint}; leave status and body empty for the service's own page`,
		type: `${responseHint}; space changes it`,
		body: responseHint,
		requests: 'how many are allowed per period; more than that are acted on',
		period: 'seconds: 10, 60, 120, 300, 600 or 3600; which ones depends on the plan',
		characteristics:
			'each value is counted separately: ip.src per address, cf.colo.id per data center (required)',
		timeout: 'seconds, such as 60 or 600; 0 acts only on requests over the limit; depends on the plan',
		counting: 'expression of the requests to count; leave empty to count those that the rule matches',
	}),
	findLineProblem,
	describeNeighbours(form) {
		const {previous, next, position, count} = findFormNeighbours(form);
		return {
			previous: previous && formatRuleInShort(type, previous),
			rule: `${form.action ?? ''}   position ${position} of ${count}`,
			next: next && formatRuleInShort(type, next),
		};
	},
	getOwnAction: ({purpose}) => (purpose.kind === 'change' ? purpose.rule.action : undefined),
	getActionRefusal: getFormActionRefusal,
	isExpressionAccepted: ({purpose, editing}) =>
		purpose.kind === 'change' && purpose.rule.expression === getTypedExpression(editing),
	listFindings: listFormFindings,
	buildRequests: buildRulesetFormRequests,
	findObstacle: form =>
		form.purpose.kind === 'change' &&
		!getZoneRules(form).some(({id}) => 'rule' in form.purpose && id === form.purpose.rule.id)
			? `The ${type.shortNoun} no longer exists: it was deleted elsewhere.`
			: findLineProblem(form),
	describeReview: describeFormReview,
	getWarning(form) {
		const rule = form.purpose.kind === 'new' ? buildFormRule(form) : undefined;
		const duplicate = rule && findEquivalentCustomRule(rule, getZoneRules(form));
		return duplicate && formatEquivalentRuleWarning(duplicate, type.sentenceNoun);
	},
	getActionLabel: ({purpose}) => `${purpose.kind === 'new' ? 'create' : 'change'} this ${type.shortNoun}`,
	getLabel: ({purpose}) => `${purpose.kind === 'new' ? 'creating' : 'changing'} a ${type.noun}`,
	getWorkSubject: () => ({kind: `${type.noun}s`}),
	getFirstProgressStep: () => 'rule',
	describeWrite(form) {
		if (form.purpose.kind === 'change') return `update ${type.noun} ${form.purpose.rule.id}`;
		const rule = buildFormRule(form);
		return `create ${type.noun}${rule ? ` (${type.formatAction(rule)})` : ''}`;
	},
	listZoneNameReasons: listFormZoneNameReasons,
	getAffectedList: () => ({list: undefined, target: undefined}),
	isInputUnused: isFormInputUnused,
	losesNothingOnLeave: () => false,
	formatEndingSentence: describeFormEnding,
	buildResultText: describeFormOutcome,
	listChoices: listFormChoices,
	applyChoice: applyFormChoice,
	stepBack: stepFormBack,
	getLeaveWarning: getFormLeaveWarning,
	getLeaveMessage(form, isUndoHere) {
		if (form.phase.name !== 'ended') return undefined;
		const sentence = describeFormEnding(form, form.phase.ending);
		return isUndoHere && form.phase.ending.state === 'done'
			? `${sentence} ${nameKey(rulesetActionIds[type.listScreen].undo, 'u')} undoes it.`
			: sentence;
	},
	getQuitMessage: getFormQuitMessage,
	...differences,
});

/** Explains why a line of the step `about` is invalid; undefined if all are valid. */
function findLineProblem(form: RulesetForm): string | undefined {
	const {type, purpose} = form;
	const position = purpose.kind === 'new' ? parseTypedPosition(form) : undefined;
	if (typeof position === 'object') return position.problem;
	return type.listScreen === 'rateLimits'
		? findRateLimitProblem(getRateLimitTexts(form), purpose.kind === 'change' ? purpose.rule : purpose.copyOf)
		: undefined;
}

/** Lines of every rule, around those of its type. */
const listCommonRows = (
	{action, purpose}: RulesetForm,
	typeRows: readonly AboutRow[],
): readonly AboutRow[] => [
	...(purpose.kind === 'new' ? (['order'] as const) : []),
	...typeRows,
	'description',
	'paused',
	...(action === 'skip' ? (['logged'] as const) : []),
	...(action === 'block' ? (['status', 'type', 'body'] as const) : []),
];

const stoppingActions = {
	block: 'blocks the request, optionally with a custom response',
	managed_challenge: actionDescriptions.managed_challenge,
	js_challenge: actionDescriptions.js_challenge,
	challenge: actionDescriptions.challenge,
	log: actionDescriptions.log,
};

export const customRuleKind = createRulesetKind(customRuleType, 'customRule', 'position', {
	listRows: form => [...listCommonRows(form, []), 'ends'],
	actions: {...stoppingActions, skip: 'skips rules and products that you choose next'},
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
});

export const rateLimitKind = createRulesetKind(rateLimitType, 'rateLimit', 'limit', {
	// An end needs the time of a request, which other plans do not have in rate limits.
	listRows: form => [
		...listCommonRows(form, ['requests', 'period', 'characteristics', 'timeout', 'counting']),
		...(form.zone.plan === undefined || form.zone.plan === 'enterprise' ? (['ends'] as const) : []),
	],
	actions: stoppingActions,
});

/** Formats a rule in a line. Raw text. */
const formatRuleInShort = ({formatAction}: RuleType, rule: RulesetRule): string =>
	[
		formatAction(rule),
		...(rule.enabled === false ? ['paused'] : []),
		rule.description || rule.expression,
	].join('   ');
