import {getFirewallRulePath} from '../../firewall/paths.ts';
import {findZoneNameReasons} from '../../firewall/rules/broad-rule.ts';
import {buildCreationRequests} from '../../firewall/rules/create-rule.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {buildFilterCreationRequest, buildFilterUpdateRequest} from '../../firewall/rules/filters.ts';
import {findFirewallRuleZoneNameReasons} from '../../firewall/rules/name-reasons.ts';
import type {Rule, RuleSettings} from '../../firewall/rules/rule.ts';
import {buildRuleUpdateRequest} from '../../firewall/rules/rules.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import type {ProgressStep} from '../stepped-form/rule-form.ts';
import type {WriteRequest} from '../write-flow/curl.ts';
import {buildFilterDraft, buildRuleDraft} from './draft.ts';
import {isAction, isProduct, parseWizardPriority, type Wizard} from './state.ts';

/** The changed part of a rule. An action unknown to ledge stays unchanged. */
type RuleChange =
	| {readonly kind: 'priority'; readonly priority: number | null}
	| {readonly kind: 'settings'; readonly changes: Partial<RuleSettings>}
	| {readonly kind: 'nothing'};

/** Computes the change of a rule: by PATCH if only the priority changes. */
export function computeRuleChange(wizard: Wizard, rule: Rule): RuleChange {
	const {action, chosenNames: products, aboutFields} = wizard;
	const typedPriority = parseWizardPriority(wizard);
	const priority = typeof typedPriority === 'number' ? typedPriority : null;
	const description = getBufferText(aboutFields.description);
	const isBypass = action === 'bypass';
	const chosenProducts = isBypass ? products.toSorted().join() : '';
	const previousProducts = isBypass ? (rule.products ?? []).toSorted().join() : '';
	const settingChanges: Partial<RuleSettings> = {
		...(isAction(action) && action !== rule.action && {action}),
		...(chosenProducts !== previousProducts && {products: products.filter(isProduct)}),
		...(aboutFields.paused !== rule.paused && {paused: aboutFields.paused}),
		...(description !== (rule.description ?? '') && {description}),
	};
	if (Object.keys(settingChanges).length > 0) {
		const changes = {...settingChanges, ...(priority !== rule.priority && {priority})};
		return {kind: 'settings', changes};
	}
	return priority === rule.priority ? {kind: 'nothing'} : {kind: 'priority', priority};
}

/** Returns the rule with the entered changes. */
function withRuleChange(wizard: Wizard, rule: Rule): Rule {
	const change = computeRuleChange(wizard, rule);
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
			const bypassedProducts = action === 'bypass' ? products : undefined;
			return {...rule, action, priority, paused, description, products: bypassedProducts};
		}
		default:
			return change satisfies never;
	}
}

/**
 * Returns the filter with the entered changes. An emptied description is sent as '', which removes the old
 * one.
 */
export function withFilterChange(wizard: Wizard, filter: Filter): Filter {
	const {expression, paused, description} = buildFilterDraft(wizard);
	const newDescription = description ?? (filter.description === undefined ? undefined : '');
	return {
		id: filter.id,
		expression,
		paused,
		...(newDescription !== undefined && {description: newDescription}),
		...(filter.ref !== undefined && {ref: filter.ref}),
	};
}

/** Builds the exact requests to send, in order; empty if nothing would change. */
export function buildWizardRequests(wizard: Wizard): readonly WriteRequest[] {
	const {purpose, zone} = wizard;
	switch (purpose.kind) {
		case 'new rule': {
			const draft = buildRuleDraft(wizard);
			return draft ? buildCreationRequests(zone, draft) : [];
		}
		case 'new filter':
			return [buildFilterCreationRequest(zone.id, buildFilterDraft(wizard))];
		case 'change rule': {
			const {rule} = purpose;
			const change = computeRuleChange(wizard, rule);
			switch (change.kind) {
				case 'nothing':
					return [];
				case 'priority':
					return [
						{
							method: 'PATCH',
							path: getFirewallRulePath(zone.id, rule.id),
							body: {id: rule.id, priority: change.priority},
						},
					];
				case 'settings':
					return [buildRuleUpdateRequest(zone.id, rule, change.changes)];
				default:
					return change satisfies never;
			}
		}
		case 'change filter': {
			const newFilter = withFilterChange(wizard, purpose.filter);
			const {filter} = purpose;
			const isSame =
				newFilter.expression === filter.expression &&
				newFilter.paused === filter.paused &&
				(newFilter.description ?? '') === (filter.description ?? '');
			return isSame ? [] : [buildFilterUpdateRequest(zone.id, newFilter)];
		}
		default:
			return purpose satisfies never;
	}
}

/** Lists the reasons to require the zone's name before sending, in sentences. */
export function listWizardZoneNameReasons(wizard: Wizard): readonly string[] {
	const {purpose, rules, zone} = wizard;
	switch (purpose.kind) {
		case 'new rule': {
			const draft = buildRuleDraft(wizard);
			if (!draft) return [];
			const {filter} = wizard;
			const knownFilter = filter && wizard.filters.find(({id}) => id === filter.id);
			const usedFilter = knownFilter ?? filter ?? {expression: getTypedExpression(wizard.editing)};
			return findZoneNameReasons(zone, [{after: {...draft, filter: usedFilter}}]);
		}
		case 'change rule': {
			const {rule} = purpose;
			const otherRules = rules.filter(({id}) => id !== rule.id);
			return findFirewallRuleZoneNameReasons(
				zone,
				[...otherRules, rule],
				[...otherRules, withRuleChange(wizard, rule)],
			);
		}
		case 'new filter':
			return [];
		case 'change filter': {
			const filter = withFilterChange(wizard, purpose.filter);
			return findFirewallRuleZoneNameReasons(
				zone,
				purpose.rulesOnFilter.map(rule => ({...rule, filter: purpose.filter})),
				purpose.rulesOnFilter.map(rule => ({...rule, filter})),
			);
		}
		default:
			return purpose satisfies never;
	}
}

/** Describes a write for the audit log, before the object has an id. */
export function describeWizardWrite(wizard: Wizard, step: Exclude<ProgressStep, 'looking' | 'undo'>): string {
	const {purpose, orphanFilterId} = wizard;
	switch (step) {
		case 'filter':
			return 'create filter';
		case 'rule':
			return `create rule (${buildRuleDraft(wizard)?.action})`;
		case 'change':
			return purpose.kind === 'change filter'
				? `update filter ${purpose.filter.id}`
				: `update rule ${'rule' in purpose ? purpose.rule.id : ''}`;
		case 'delete':
			return `delete filter ${orphanFilterId ?? ''}`;
		default:
			return step satisfies never;
	}
}
