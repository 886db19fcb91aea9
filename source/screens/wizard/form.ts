import {array, boolean, intersect, literal, null_, nullable, string, union} from 'valibot';
import type {Filter} from '../../firewall/rules/filter.ts';
import {readFilter} from '../../firewall/rules/filters.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {readRule} from '../../firewall/rules/rules.ts';
import {usersOf} from '../../firewall/rules/users.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import type {JsonObject} from '../../text/json.ts';
import {fields} from '../../text/schema.ts';
import type {FormCreator} from '../drafts/form.ts';
import type {FirewallState} from '../firewall/state.ts';
import {hasLoaded} from '../list/reading.ts';
import {keptRuleForm, readBy} from '../stepped-form/rule-draft.ts';
import {lineOf} from '../stepped-form/rule-form.ts';
import {firewallRules} from './kind.ts';
import type {Ending, Wizard, WizardPurpose} from './state.ts';

/** The purpose in a draft, with the original rule or filter. */
const openedFor = union([
	fields({purpose: literal('new rule'), base: nullable(readBy(readFilter))}),
	fields({purpose: literal('new filter'), base: null_()}),
	fields({purpose: literal('change rule'), base: readBy(readRule)}),
	fields({purpose: literal('change filter'), base: readBy(readFilter)}),
]);

const schema = intersect([
	openedFor,
	fields({
		filter: nullable(fields({id: string(), expression: nullable(string())})),
		products: array(string()),
		priority: string(),
		description: string(),
		left: nullable(string()),
		own: nullable(fields({id: string(), made: boolean()})),
	}),
]);

/** The rule wizard as a form with drafts, which are kept until the input is active or discarded. */
export const createWizardForm: FormCreator = (get, ports) =>
	keptRuleForm<Wizard, WizardPurpose, Ending, typeof schema>(
		firewallRules,
		{
			schema,
			fields({purpose, filter, chosen, about, left, own}) {
				const base = 'rule' in purpose ? purpose.rule : 'filter' in purpose ? purpose.filter : undefined;
				return {
					purpose: purpose.kind,
					base: base ? toFields(base) : null,
					filter: filter ? {id: filter.id, expression: filter.expression ?? null} : null,
					products: chosen,
					priority: textOf(about.order),
					description: textOf(about.description),
					left: left ?? null,
					own: own ?? null,
				};
			},
			described: ({purpose, description}) => ({name: names[purpose], description}),
			purpose(draft, isRead): WizardPurpose {
				switch (draft.purpose) {
					case 'new rule':
						return {kind: draft.purpose, ...(draft.base && {filter: draft.base})};
					case 'new filter':
						return {kind: draft.purpose};
					case 'change rule':
						return {kind: draft.purpose, rule: draft.base};
					case 'change filter': {
						const rules = (isRead && get().firewall.data?.rules) || [];
						return {kind: draft.purpose, filter: draft.base, users: usersOf(draft.base.id, rules)};
					}
					default:
						return draft satisfies never;
				}
			},
			restored: (begun, {filter, products, priority, description, left, own}) => ({
				...begun,
				filter: filter ? {id: filter.id, expression: filter.expression ?? undefined} : undefined,
				chosen: products,
				about: {...begun.about, order: lineOf(priority), description: lineOf(description)},
				left: left ?? undefined,
				own: own ?? undefined,
			}),
			changedSince({base, filter}) {
				const there = get().firewall.data;
				if (!there || !hasLoaded(there)) return undefined;
				return (base && baseChange(base, there)) ?? filterChange(filter?.id, there);
			},
		},
		get,
		ports,
	);

const names: Readonly<Record<WizardPurpose['kind'], string>> = {
	'new rule': 'rule',
	'new filter': 'filter',
	'change rule': 'change of a rule',
	'change filter': 'change of a filter',
};

const filterFields = ({id, expression, paused, description, ref}: Filter): JsonObject => ({
	id,
	expression,
	paused,
	description: description ?? null,
	ref: ref ?? null,
});

const toFields = (base: Rule | Filter): JsonObject =>
	'action' in base
		? {
				id: base.id,
				paused: base.paused,
				action: base.action,
				priority: base.priority,
				filter: 'deleted' in base.filter ? {id: base.filter.id, deleted: true} : filterFields(base.filter),
				products: base.products ?? [],
				description: base.description ?? null,
				ref: base.ref ?? null,
			}
		: filterFields(base);

/**
 * Describes how a rule or filter changed since the draft was stored; undefined if it did not. Sending checks
 * again, and overwrites nothing.
 */
function baseChange(base: Rule | Filter, {rules, filters}: FirewallState): string | undefined {
	const what = 'action' in base ? 'rule' : 'filter';
	const now = (what === 'rule' ? rules : filters).find(({id}) => id === base.id);
	if (!now) return `The ${what} is gone: it was deleted since this was typed.`;
	return JSON.stringify(toFields(now)) === JSON.stringify(toFields(base))
		? undefined
		: `The ${what} was changed since this was typed: nothing is written over it without asking.`;
}

const filterChange = (id: string | undefined, {filters}: FirewallState): string | undefined =>
	id === undefined || filters.some(filter => filter.id === id)
		? undefined
		: `The filter ${id} is gone: it was deleted since this was typed.`;
