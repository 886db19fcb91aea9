import {rulePath} from '../../firewall/paths.ts';
import {findNameReasons} from '../../firewall/rules/broad-rule.ts';
import {creationRequests} from '../../firewall/rules/create-rule.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {filterCreation, filterUpdate} from '../../firewall/rules/filters.ts';
import {findFirewallRuleReasons} from '../../firewall/rules/name-reasons.ts';
import type {Rule, RuleSettings} from '../../firewall/rules/rule.ts';
import {ruleUpdate} from '../../firewall/rules/rules.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import type {Doing} from '../stepped-form/rule-form.ts';
import type {WriteRequest} from '../write-flow/curl.ts';
import {draftOf, filterDraftOf} from './draft.ts';
import {isAction, isProduct, priorityOf, type Wizard} from './state.ts';

/** The changed part of a rule. An action unknown to ledge stays unchanged. */
type RuleChange =
	| {readonly kind: 'priority'; readonly priority: number | null}
	| {readonly kind: 'settings'; readonly changes: Partial<RuleSettings>}
	| {readonly kind: 'nothing'};

/** Computes the change of a rule: by PATCH if only the priority changes. */
export function ruleChangeOf(wizard: Wizard, rule: Rule): RuleChange {
	const {action, chosen: products, about} = wizard;
	const entered = priorityOf(wizard);
	const priority = typeof entered === 'number' ? entered : null;
	const description = textOf(about.description);
	const goesRound = action === 'bypass';
	const chosen = goesRound ? products.toSorted().join() : '';
	const before = goesRound ? (rule.products ?? []).toSorted().join() : '';
	const others: Partial<RuleSettings> = {
		...(isAction(action) && action !== rule.action && {action}),
		...(chosen !== before && {products: products.filter(isProduct)}),
		...(about.paused !== rule.paused && {paused: about.paused}),
		...(description !== (rule.description ?? '') && {description}),
	};
	if (Object.keys(others).length > 0) {
		const changes = {...others, ...(priority !== rule.priority && {priority})};
		return {kind: 'settings', changes};
	}
	return priority === rule.priority ? {kind: 'nothing'} : {kind: 'priority', priority};
}

/** Returns the rule with the entered changes. */
function changedRule(wizard: Wizard, rule: Rule): Rule {
	const change = ruleChangeOf(wizard, rule);
	switch (change.kind) {
		case 'nothing':
			return rule;
		case 'priority':
			return {...rule, priority: change.priority};
		case 'settings': {
			const {
				priority = rule.priority,
				paused = rule.paused,
				products = rule.products,
				action = rule.action,
				description = rule.description,
			} = change.changes;
			const kept = action === 'bypass' ? products : undefined;
			return {...rule, action, priority, paused, description, products: kept};
		}
		default:
			return change satisfies never;
	}
}

/**
 * Returns the filter with the entered changes. An emptied description is sent as '', which removes the old
 * one.
 */
export function changedFilter(wizard: Wizard, filter: Filter): Filter {
	const {expression, paused, description} = filterDraftOf(wizard);
	const said = description ?? (filter.description === undefined ? undefined : '');
	return {
		id: filter.id,
		expression,
		paused,
		...(said !== undefined && {description: said}),
		...(filter.ref !== undefined && {ref: filter.ref}),
	};
}

/** Builds the exact requests to send, in order; empty if nothing would change. */
export function requestsOf(wizard: Wizard): readonly WriteRequest[] {
	const {purpose, zone} = wizard;
	switch (purpose.kind) {
		case 'new rule': {
			const draft = draftOf(wizard);
			return draft ? creationRequests(zone, draft) : [];
		}
		case 'new filter':
			return [filterCreation(zone.id, filterDraftOf(wizard))];
		case 'change rule': {
			const {rule} = purpose;
			const change = ruleChangeOf(wizard, rule);
			switch (change.kind) {
				case 'nothing':
					return [];
				case 'priority':
					return [
						{
							method: 'PATCH',
							path: rulePath(zone.id, rule.id),
							body: {id: rule.id, priority: change.priority},
						},
					];
				case 'settings':
					return [ruleUpdate(zone.id, rule, change.changes)];
				default:
					return change satisfies never;
			}
		}
		case 'change filter': {
			const wanted = changedFilter(wizard, purpose.filter);
			const {filter} = purpose;
			const isSame =
				wanted.expression === filter.expression &&
				wanted.paused === filter.paused &&
				(wanted.description ?? '') === (filter.description ?? '');
			return isSame ? [] : [filterUpdate(zone.id, wanted)];
		}
		default:
			return purpose satisfies never;
	}
}

/** Lists the reasons to require the zone's name before sending, in sentences. */
export function nameReasonsOf(wizard: Wizard): readonly string[] {
	const {purpose, rules, zone} = wizard;
	switch (purpose.kind) {
		case 'new rule': {
			const draft = draftOf(wizard);
			if (!draft) return [];
			const {filter} = wizard;
			const known = filter && wizard.filters.find(({id}) => id === filter.id);
			const used = known ?? filter ?? {expression: expressionOf(wizard.editing)};
			return findNameReasons(zone, [{after: {...draft, filter: used}}]);
		}
		case 'change rule': {
			const {rule} = purpose;
			const others = rules.filter(({id}) => id !== rule.id);
			return findFirewallRuleReasons(zone, [...others, rule], [...others, changedRule(wizard, rule)]);
		}
		case 'new filter':
			return [];
		case 'change filter': {
			const filter = changedFilter(wizard, purpose.filter);
			return findFirewallRuleReasons(
				zone,
				purpose.users.map(rule => ({...rule, filter: purpose.filter})),
				purpose.users.map(rule => ({...rule, filter})),
			);
		}
		default:
			return purpose satisfies never;
	}
}

/** Describes a write for the audit log, before the object has an id. */
export function writeOf(wizard: Wizard, doing: Exclude<Doing, 'looking' | 'undo'>): string {
	const {purpose, left} = wizard;
	switch (doing) {
		case 'filter':
			return 'create filter';
		case 'rule':
			return `create rule (${draftOf(wizard)?.action})`;
		case 'change':
			return purpose.kind === 'change filter'
				? `update filter ${purpose.filter.id}`
				: `update rule ${'rule' in purpose ? purpose.rule.id : ''}`;
		case 'delete':
			return `delete filter ${left ?? ''}`;
		default:
			return doing satisfies never;
	}
}
