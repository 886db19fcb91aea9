import {findEnd, formatEndTime} from '../../firewall/rules/end-time.ts';
import {bypassableProducts, type Product, type Rule} from '../../firewall/rules/rule.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import {actionDescriptions, productDescriptions} from '../stepped-form/descriptions.ts';
import {describeEnd} from '../stepped-form/rule-end.ts';
import type {RuleKind} from '../stepped-form/rule-form.ts';
import {applyWizardChoice, listWizardChoices, stepWizardBack} from './choices.ts';
import {findRuleNeighbours, getProductRefusal, getRuleActionRefusal, listWizardFindings} from './draft.ts';
import {
	applyWizardEnding,
	describeWizardEnding,
	describeWizardOutcome,
	findWizardResult,
	getWizardCommand,
	getWizardLeaveMessage,
	getWizardLeaveWarning,
	getWizardQuitMessage,
	isWizardInputUnused,
} from './ending.ts';
import {buildWizardRequests, describeWizardWrite, listWizardZoneNameReasons} from './requests.ts';
import {describeWizardReview} from './review.ts';
import {
	isForRule,
	listWizardSteps,
	parseWizardPriority,
	type Wizard,
	type WizardEnding,
	type WizardPurpose,
} from './state.ts';

const labels = {
	'new rule': 'creating a firewall rule',
	'new filter': 'creating a filter',
	'change rule': 'changing a firewall rule',
	'change filter': 'changing a filter',
} as const satisfies Record<WizardPurpose['kind'], string>;

const actionLabels = {
	'new rule': 'create this rule',
	'new filter': 'create this filter',
	'change rule': 'change this rule',
	'change filter': 'change this filter',
} as const satisfies Record<WizardPurpose['kind'], string>;

/** Firewall rules and filters, in the rule wizard. */
export const firewallRuleKind: RuleKind<Wizard, WizardPurpose, WizardEnding> = {
	screen: 'wizard',
	list: 'firewall',
	openingKey: 'a',
	group: 'Rule wizard',
	noun: 'wizard',
	draftKind: 'rule',
	getForm: state => state.wizard.data,
	getDraftKey(purpose) {
		switch (purpose.kind) {
			case 'new rule':
				return purpose.filter ? `new rule on ${purpose.filter.id}` : purpose.kind;
			case 'new filter':
				return purpose.kind;
			case 'change rule':
				return `${purpose.kind} ${purpose.rule.id}`;
			case 'change filter':
				return `${purpose.kind} ${purpose.filter.id}`;
			default:
				return purpose satisfies never;
		}
	},
	getPath: ({zone, purpose}) => ['firewall rules', zone.name, purpose.kind],
	listSteps: ({purpose}) => listWizardSteps(purpose),
	getStepName: (wizard, step) =>
		step === 'about' ? (isForRule(wizard) ? 'order' : 'description, end') : step,
	listRows: wizard => [
		...(isForRule(wizard) ? (['order'] as const) : []),
		'description',
		'paused',
		// The end is part of the expression, which an existing filter keeps.
		...(wizard.filter ? [] : (['ends'] as const)),
	],
	listFilterNotes({purpose, filter}) {
		if (purpose.kind !== 'change rule') return ['It stays unchanged.'];
		if ('deleted' in purpose.rule.filter)
			return [
				"The filter of this rule was deleted, so the rule matches nothing. A rule can't get another filter: delete this rule and create a new one.",
			];
		const end = findEnd(filter?.expression ?? '');
		return [
			...(end === undefined ? [] : [describeEnd(end)]),
			`Expression and end time belong to the filter: ${nameKey('wizard.edit-filter', 'E')} edits them, for all rules that use it.`,
		];
	},
	describeFilterEnd({purpose, filter}) {
		const end = findEnd(filter?.expression ?? '');
		if (end === undefined) return undefined;
		const advice = purpose.kind === 'change rule' ? ' (E in step 1 changes it)' : '';
		return `ends         ${formatEndTime(end)}, by its filter${advice}`;
	},
	orderLabel: 'priority',
	describeQuotaAlternative: () =>
		`create a custom rule (esc, ${nameKey('go.custom-rules', '3')}, ${nameKey('custom.new', 'a')})`,
	getHints: () => ({order: 'lower numbers run first; rules without one follow, ordered by their action'}),
	findLineProblem(wizard) {
		const priority = parseWizardPriority(wizard);
		return typeof priority === 'object' && priority !== null ? priority.problem : undefined;
	},
	describeNeighbours(wizard) {
		if (!isForRule(wizard)) return undefined;
		const {previous, next, position, count} = findRuleNeighbours(wizard);
		return {
			previous: previous && formatRuleLine(previous),
			rule: `${wizard.action ?? ''}   position ${position} of ${count}`,
			next: next && formatRuleLine(next),
		};
	},
	actions: actionDescriptions,
	getOwnAction: ({purpose}) => (purpose.kind === 'change rule' ? purpose.rule.action : undefined),
	getActionRefusal: getRuleActionRefusal,
	chooser: {
		action: 'bypass',
		title: 'What matching requests bypass; space selects.',
		names: bypassableProducts,
		descriptions: productDescriptions,
		noneWarning: 'Bypass needs at least one product: space selects it.',
		getNameRefusal: (wizard, product) => getProductRefusal(wizard, product as Product),
	},
	isExpressionAccepted: ({purpose, editing}) =>
		purpose.kind === 'change filter' && purpose.filter.expression === getTypedExpression(editing),
	listFindings: listWizardFindings,
	buildRequests: buildWizardRequests,
	describeReview: describeWizardReview,
	getActionLabel: ({purpose}) => actionLabels[purpose.kind],
	getLabel: ({purpose}) => labels[purpose.kind],
	getWorkSubject: () => undefined,
	getFirstProgressStep: wizard =>
		wizard.purpose.kind === 'new filter' || buildWizardRequests(wizard).length > 1 ? 'filter' : 'rule',
	describeWrite: describeWizardWrite,
	listZoneNameReasons: listWizardZoneNameReasons,
	applyEnding: applyWizardEnding,
	getAffectedList: ({purpose}, ending) => ({
		list: ending.state === 'nothing' ? undefined : 'firewall',
		target:
			purpose.kind === 'change filter' && purpose.ruleId !== undefined
				? {kind: 'rule', id: purpose.ruleId}
				: findWizardResult(ending),
	}),
	isInputUnused: isWizardInputUnused,
	// The filter and the command keep the input.
	losesNothingOnLeave: ({state}) => state === 'filter only',
	formatEndingSentence: (_, ending) => describeWizardEnding(ending),
	buildResultText: describeWizardOutcome,
	listChoices: listWizardChoices,
	applyChoice: applyWizardChoice,
	stepBack: stepWizardBack,
	getLeaveWarning: getWizardLeaveWarning,
	getLeaveMessage: getWizardLeaveMessage,
	getQuitMessage: getWizardQuitMessage,
	getCommand: getWizardCommand,
};

/** Formats a rule in a line: action, priority, state, description. Raw text. */
function formatRuleLine({action, priority, description, paused, filter}: Rule): string {
	const summary = description || ('expression' in filter ? filter.expression : `filter ${filter.id}`);
	return [
		action,
		priority === null ? 'no priority' : `priority ${priority}`,
		...(paused ? ['paused'] : []),
		summary,
	].join('   ');
}
