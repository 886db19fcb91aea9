import type {DraftFinding} from '../../firewall/rules/checks.ts';
import {checkDraft} from '../../firewall/rules/checks.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {pickEquivalentFilter} from '../../firewall/rules/filters.ts';
import {sortForEvaluation} from '../../firewall/rules/order.ts';
import type {Product, Rule, RuleDraft, RuleSettings} from '../../firewall/rules/rule.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import {isAction, isProduct, parseWizardPriority, type Wizard} from './state.ts';

/**
 * Builds the rule's settings from the input; undefined without a known action. An invalid priority counts as
 * none.
 */
function buildRuleSettings(wizard: Wizard): RuleSettings | undefined {
	const {action, aboutFields} = wizard;
	if (!isAction(action)) return undefined;
	const priority = parseWizardPriority(wizard);
	const description = getBufferText(aboutFields.description);
	return {
		action,
		...(action === 'bypass' && {products: wizard.chosenNames.filter(isProduct)}),
		priority: typeof priority === 'number' ? priority : null,
		paused: aboutFields.paused,
		...((description !== '' || wizard.purpose.kind === 'change rule') && {description}),
	};
}

/**
 * Builds the rule draft, on the chosen filter or with the typed expression; undefined without a known action.
 */
export function buildRuleDraft(wizard: Wizard): RuleDraft | undefined {
	const settings = buildRuleSettings(wizard);
	if (!settings) return undefined;
	const {filter, editing} = wizard;
	return {
		...omitDefaults(settings),
		filter: filter ? {id: filter.id} : {expression: getTypedExpression(editing)},
	};
}

/** Leaves out settings that equal the service's defaults. */
const omitDefaults = ({priority, paused, ...rest}: RuleSettings): RuleSettings => ({
	...rest,
	...(priority != null && {priority}),
	...(paused && {paused}),
});

/** Builds the draft of a filter without a rule. */
export function buildFilterDraft({aboutFields, editing}: Wizard): Omit<Filter, 'id'> {
	const description = getBufferText(aboutFields.description);
	return {
		expression: getTypedExpression(editing),
		paused: aboutFields.paused,
		...(description !== '' && {description}),
	};
}

/** Checks the input before it is sent. Unchanged parts of existing objects are not reported. */
export function listWizardFindings(wizard: Wizard): readonly DraftFinding[] {
	const {rules, purpose} = wizard;
	const zone = {...wizard.zone, allowUnknown: true};
	// The action does not matter for a filter without a rule.
	const checkFilter = () => checkDraft({action: 'block', filter: buildFilterDraft(wizard)}, zone);
	switch (purpose.kind) {
		case 'new rule': {
			const draft = buildRuleDraft(wizard);
			return draft ? checkDraft(draft, zone, {rules}) : [];
		}
		case 'change rule':
			return checkRuleChange(wizard, purpose.rule);
		case 'new filter':
			return checkFilter();
		case 'change filter': {
			const isUnchanged = purpose.filter.expression === getTypedExpression(wizard.editing);
			return checkFilter().filter(({about}) => about !== 'expression' || !isUnchanged);
		}
		default:
			return purpose satisfies never;
	}
}

function checkRuleChange(
	wizard: Wizard,
	{action: originalAction, products = []}: Rule,
): readonly DraftFinding[] {
	const {action, zone} = wizard;
	const isUnchanged = action === originalAction;
	const draft = buildRuleDraft(isAction(action) ? wizard : {...wizard, action: 'block'});
	if (!draft) return [];
	const addedProducts = draft.products?.filter(product => !products.includes(product)) ?? [];
	const hasUnchangedProducts =
		isUnchanged && draft.products !== undefined && draft.products.length > addedProducts.length;
	const checkedDraft = hasUnchangedProducts
		? {...draft, products: addedProducts.length > 0 ? addedProducts : sampleProducts}
		: draft;
	return checkDraft(checkedDraft, {...zone, allowUnknown: true}).filter(
		({about}) => about !== 'action' || !isUnchanged,
	);
}

/** A product available on all plans, to check the other settings. */
const sampleProducts = ['bic'] as const;

/**
 * Explains why an action is unavailable in this zone; undefined if it is available. The rule's own action
 * always is.
 */
export function getRuleActionRefusal({zone, filter, purpose}: Wizard, action: string): string | undefined {
	if (purpose.kind === 'change rule' && purpose.rule.action === action) return undefined;
	if (!isAction(action)) return `There is no action "${action}".`;
	const draft: RuleDraft = {
		action,
		// `ssl` stands for any valid expression.
		filter: filter ? {id: filter.id} : {expression: 'ssl'},
		...(action === 'bypass' && {products: sampleProducts}),
	};
	return findErrorSentence(checkDraft(draft, zone), 'action');
}

/**
 * Explains why a product cannot be bypassed in this zone; undefined if it can. The rule's own products are
 * always allowed.
 */
export function getProductRefusal({zone, purpose}: Wizard, product: Product): string | undefined {
	if (purpose.kind === 'change rule' && purpose.rule.products?.includes(product)) return undefined;
	// `ssl` stands for any valid expression.
	const draft: RuleDraft = {action: 'bypass', filter: {expression: 'ssl'}, products: [product]};
	return findErrorSentence(checkDraft(draft, zone), 'products');
}

const findErrorSentence = (
	findings: readonly DraftFinding[],
	about: DraftFinding['about'],
): string | undefined => findings.find(one => one.about === about && one.severity === 'error')?.sentence;

/** Finds the neighbours of the rule in the order of evaluation. `position` counts from 1. */
export function findRuleNeighbours(wizard: Wizard): {
	readonly previous: Rule | undefined;
	readonly next: Rule | undefined;
	readonly position: number;
	readonly count: number;
} {
	const {purpose, rules, aboutFields, action} = wizard;
	const priority = parseWizardPriority(wizard);
	const ownRule: Rule = {
		id: purpose.kind === 'change rule' ? purpose.rule.id : '',
		paused: aboutFields.paused,
		action: action ?? 'block',
		priority: typeof priority === 'number' ? priority : null,
		// The order does not depend on the filter, so that it is not looked up.
		filter: wizard.filter ? {id: wizard.filter.id, deleted: true} : {id: '', deleted: true},
	};
	const otherRules = rules.filter(({id}) => id !== ownRule.id);
	const sortedRules = sortForEvaluation([...otherRules, ownRule]);
	const index = sortedRules.indexOf(ownRule);
	return {
		previous: sortedRules[index - 1],
		next: sortedRules[index + 1],
		position: index + 1,
		count: sortedRules.length,
	};
}

/** Finds another filter that matches the same requests, in the lists read last. */
export const findDuplicateFilter = ({filters, filter, editing, purpose}: Wizard): Filter | undefined =>
	filter
		? undefined
		: pickEquivalentFilter(
				filters.filter(({id}) => !(purpose.kind === 'change filter' && purpose.filter.id === id)),
				getTypedExpression(editing),
			);
