import {type Product, products, type Rule} from '../../firewall/rules/rule.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import type {RuleKind} from '../stepped-form/rule-form.ts';
import {aboutActions, aboutProducts} from '../stepped-form/words.ts';
import {findingsOf, neighboursOf, whyNotAction, whyNotProduct} from './draft.ts';
import {
	commandOf,
	endedWith,
	isUnused,
	lastWordsOf,
	leavingLines,
	leftSentence,
	madeBy,
	outcomeOf,
	sentenceOf,
} from './ending.ts';
import {backFrom, choicesOf, onward} from './onward.ts';
import {nameReasonsOf, requestsOf, writeOf} from './requests.ts';
import {describeReview} from './review.ts';
import {type Ending, isOfRule, priorityOf, stepsOf, type Wizard, type WizardPurpose} from './state.ts';

const labels = {
	'new rule': 'creating a firewall rule',
	'new filter': 'creating a filter',
	'change rule': 'changing a firewall rule',
	'change filter': 'changing a filter',
} as const satisfies Record<WizardPurpose['kind'], string>;

/** Firewall rules and filters, in the rule wizard. */
export const firewallRules: RuleKind<Wizard, WizardPurpose, Ending> = {
	screen: 'wizard',
	list: 'firewall',
	key: 'n',
	group: 'Rule wizard',
	noun: 'wizard',
	draftKind: 'rule',
	read: state => state.wizard.data,
	draftKey(purpose) {
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
	path: ({zone, purpose}) => ['firewall', zone.name, purpose.kind],
	steps: ({purpose}) => stepsOf(purpose),
	stepName: (wizard, step) => (step === 'about' ? (isOfRule(wizard) ? 'order' : 'description') : step),
	rows: wizard => (isOfRule(wizard) ? ['order', 'description', 'paused'] : ['description', 'paused']),
	order: 'priority',
	hints: () => ({order: 'smaller goes first; empty is none, which goes last'}),
	orderProblem(wizard) {
		const priority = priorityOf(wizard);
		return typeof priority === 'object' && priority !== null ? priority.problem : undefined;
	},
	neighbours(wizard) {
		if (!isOfRule(wizard)) return undefined;
		const {before, after, place, of} = neighboursOf(wizard);
		return {
			before: before && ruleInShort(before),
			own: `${wizard.action ?? ''}   number ${place} of ${of}`,
			after: after && ruleInShort(after),
		};
	},
	actions: aboutActions,
	ownAction: ({purpose}) => (purpose.kind === 'change rule' ? purpose.rule.action : undefined),
	whyNotAction,
	chooser: {
		action: 'bypass',
		title: 'What the request goes around; space chooses.',
		names: products,
		about: aboutProducts,
		none: 'Bypass needs at least one product: space chooses it.',
		whyNot: (wizard, product) => whyNotProduct(wizard, product as Product),
	},
	isSameExpression: ({purpose, editing}) =>
		purpose.kind === 'change filter' && purpose.filter.expression === expressionOf(editing),
	findings: findingsOf,
	requests: requestsOf,
	review: describeReview,
	label: ({purpose}) => labels[purpose.kind],
	subject: () => undefined,
	firstDoing: wizard =>
		wizard.purpose.kind === 'new filter' || requestsOf(wizard).length > 1 ? 'filter' : 'rule',
	describeWrite: writeOf,
	nameReasons: nameReasonsOf,
	endedWith,
	changes: ending => ({
		changes: ending.state === 'nothing' ? undefined : 'firewall',
		made: madeBy(ending),
	}),
	isUnused,
	// The filter and the command keep the input.
	isKept: ({state}) => state === 'filter only',
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

/** Formats a rule in a line: action, priority, state, description. Raw text. */
function ruleInShort({action, priority, description, paused, filter}: Rule): string {
	const says = description || ('expression' in filter ? filter.expression : `filter ${filter.id}`);
	return [
		action,
		priority === null ? 'no priority' : `priority ${priority}`,
		...(paused ? ['paused'] : []),
		says,
	].join('   ');
}
