import type {Finding} from '../../firewall/rules/checks.ts';
import {checkDraft} from '../../firewall/rules/checks.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {sameMeaning} from '../../firewall/rules/filters.ts';
import {evaluationOrder} from '../../firewall/rules/order.ts';
import type {Product, Rule, RuleDraft, RuleSettings} from '../../firewall/rules/rule.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {isAction, isProduct, priorityOf, type Wizard} from './state.ts';

/** What the rule will do and say, as far as it was chosen; a priority that is none counts as none. */
function settingsOf(wizard: Wizard): RuleSettings | undefined {
	const {action, about} = wizard;
	if (!isAction(action)) return undefined;
	const priority = priorityOf(wizard);
	const description = textOf(about.description);
	return {
		action,
		...(action === 'bypass' && {products: wizard.chosen.filter(isProduct)}),
		priority: typeof priority === 'number' ? priority : null,
		paused: about.paused,
		...((description !== '' || wizard.purpose.kind === 'change rule') && {description}),
	};
}

/** The rule to be made: on the filter that was chosen, or with one of the expression that was typed. */
export function draftOf(wizard: Wizard): RuleDraft | undefined {
	const settings = settingsOf(wizard);
	if (!settings) return undefined;
	const {filter, editing} = wizard;
	return {
		...withoutIdle(settings),
		filter: filter ? {id: filter.id} : {expression: expressionOf(editing)},
	};
}

/** Says only what differs from what the service takes by itself. */
const withoutIdle = ({priority, paused, ...rest}: RuleSettings): RuleSettings => ({
	...rest,
	...(priority != null && {priority}),
	...(paused && {paused}),
});

/** The filter as it will stand, by itself. */
export function filterDraftOf({about, editing}: Wizard): Omit<Filter, 'id'> {
	const description = textOf(about.description);
	return {
		expression: expressionOf(editing),
		paused: about.paused,
		...(description !== '' && {description}),
	};
}

/** What can be said against it before anything is sent; never against what exists already and stays. */
export function findingsOf(wizard: Wizard): readonly Finding[] {
	const {zone, rules, purpose} = wizard;
	// For a filter by itself, any action does.
	const ofFilter = () => checkDraft({action: 'block', filter: filterDraftOf(wizard)}, zone);
	switch (purpose.kind) {
		case 'new rule': {
			const draft = draftOf(wizard);
			return draft ? checkDraft(draft, zone, {rules}) : [];
		}
		case 'change rule':
			return findingsOfChange(wizard, purpose.rule);
		case 'new filter':
			return ofFilter();
		case 'change filter': {
			const stays = purpose.filter.expression === expressionOf(wizard.editing);
			return ofFilter().filter(({about}) => about !== 'expression' || !stays);
		}
		default:
			return purpose satisfies never;
	}
}

function findingsOfChange(wizard: Wizard, {action: before, products = []}: Rule): readonly Finding[] {
	const {action, zone} = wizard;
	const stays = action === before;
	const draft = draftOf(isAction(action) ? wizard : {...wizard, action: 'block'});
	if (!draft) return [];
	const added = draft.products?.filter(product => !products.includes(product)) ?? [];
	const isSpared = stays && draft.products !== undefined && draft.products.length > added.length;
	const checked = isSpared ? {...draft, products: added.length > 0 ? added : anyProduct} : draft;
	return checkDraft(checked, zone).filter(({about}) => about !== 'action' || !stays);
}

/** A product that all plans have. */
const anyProduct = ['bic'] as const;

/** Why an action cannot be chosen in this zone; `undefined` when it can. The action of the rule itself always can. */
export function whyNotAction({zone, filter, purpose}: Wizard, action: string): string | undefined {
	if (purpose.kind === 'change rule' && purpose.rule.action === action) return undefined;
	if (!isAction(action)) return `There is no action "${action}".`;
	const draft: RuleDraft = {
		action,
		filter: filter ? {id: filter.id} : {expression: 'ssl'},
		...(action === 'bypass' && {products: anyProduct}),
	};
	return refusalIn(checkDraft(draft, zone), 'action');
}

/** Why a product cannot be gone around in this zone. Those of the rule that is changed always can. */
export function whyNotProduct({zone, purpose}: Wizard, product: Product): string | undefined {
	if (purpose.kind === 'change rule' && purpose.rule.products?.includes(product)) return undefined;
	const draft: RuleDraft = {action: 'bypass', filter: {expression: 'ssl'}, products: [product]};
	return refusalIn(checkDraft(draft, zone), 'products');
}

const refusalIn = (findings: readonly Finding[], about: Finding['about']): string | undefined =>
	findings.find(one => one.about === about && one.severity === 'error')?.sentence;

/** The rules that it would stand between, in the order in which they are evaluated. */
export function neighboursOf(wizard: Wizard): {
	readonly before: Rule | undefined;
	readonly after: Rule | undefined;
	readonly place: number;
	readonly of: number;
} {
	const {purpose, rules, about, action} = wizard;
	const priority = priorityOf(wizard);
	const own: Rule = {
		id: purpose.kind === 'change rule' ? purpose.rule.id : '',
		paused: about.paused,
		action: action ?? 'block',
		priority: typeof priority === 'number' ? priority : null,
		filter: wizard.filter ? {id: wizard.filter.id, deleted: true} : {id: '', deleted: true},
	};
	const others = rules.filter(({id}) => id !== own.id);
	const order = evaluationOrder([...others, own]);
	const at = order.indexOf(own);
	return {before: order[at - 1], after: order[at + 1], place: at + 1, of: order.length};
}

/** Another filter that matches the same requests already, by what was read before. */
export const sameFilter = ({filters, filter, editing, purpose}: Wizard): Filter | undefined =>
	filter
		? undefined
		: sameMeaning(
				filters.filter(({id}) => !(purpose.kind === 'change filter' && purpose.filter.id === id)),
				expressionOf(editing),
			);
