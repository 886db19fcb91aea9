import {array, boolean, intersect, literal, null_, nullable, string, union} from 'valibot';
import type {Filter} from '../../firewall/rules/filter.ts';
import {readFilter} from '../../firewall/rules/filters.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {readRule} from '../../firewall/rules/rules.ts';
import {findFilterUsers} from '../../firewall/rules/users.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import type {JsonObject} from '../../text/json.ts';
import {pickFields} from '../../text/schema.ts';
import type {FormCreator} from '../drafts/form.ts';
import type {FirewallState} from '../firewall/state.ts';
import {hasLoaded} from '../list/reading.ts';
import {createLines} from '../stepped-form/about-fields.ts';
import {createReadSchema, createRuleDraftForm} from '../stepped-form/rule-draft.ts';
import {firewallRuleKind} from './kind.ts';
import type {Wizard, WizardEnding, WizardPurpose} from './state.ts';

/** The purpose in a draft, with the original rule or filter. */
const purposeSchema = union([
	pickFields({purpose: literal('new rule'), base: nullable(createReadSchema(readFilter))}),
	pickFields({purpose: literal('new filter'), base: null_()}),
	pickFields({purpose: literal('change rule'), base: createReadSchema(readRule)}),
	pickFields({purpose: literal('change filter'), base: createReadSchema(readFilter)}),
]);

const schema = intersect([
	purposeSchema,
	pickFields({
		filter: nullable(pickFields({id: string(), expression: nullable(string())})),
		products: array(string()),
		priority: string(),
		description: string(),
		left: nullable(string()),
		own: nullable(pickFields({id: string(), made: boolean()})),
	}),
]);

/** The rule wizard as a form with drafts, which are kept until the input is active or discarded. */
export const createWizardForm: FormCreator = (get, ports) =>
	createRuleDraftForm<Wizard, WizardPurpose, WizardEnding, typeof schema>(
		firewallRuleKind,
		{
			schema,
			toFields({purpose, filter, chosenNames, aboutFields, orphanFilterId, ownFilter}) {
				const base = 'rule' in purpose ? purpose.rule : 'filter' in purpose ? purpose.filter : undefined;
				return {
					purpose: purpose.kind,
					base: base ? toBaseFields(base) : null,
					filter: filter ? {id: filter.id, expression: filter.expression ?? null} : null,
					products: chosenNames,
					priority: getBufferText(aboutFields.order),
					description: getBufferText(aboutFields.description),
					left: orphanFilterId ?? null,
					own: ownFilter ?? null,
				};
			},
			describe: ({purpose, description}) => ({name: draftNames[purpose], description}),
			readPurpose(draft, areListsLoaded): WizardPurpose {
				switch (draft.purpose) {
					case 'new rule':
						return {kind: draft.purpose, ...(draft.base && {filter: draft.base})};
					case 'new filter':
						return {kind: draft.purpose};
					case 'change rule':
						return {kind: draft.purpose, rule: draft.base};
					case 'change filter': {
						const rules = (areListsLoaded && get().firewall.data?.rules) || [];
						return {
							kind: draft.purpose,
							filter: draft.base,
							rulesOnFilter: findFilterUsers(draft.base.id, rules),
						};
					}
					default:
						return draft satisfies never;
				}
			},
			restore: (newForm, {filter, products, priority, description, left, own}) => ({
				...newForm,
				filter: filter ? {id: filter.id, expression: filter.expression ?? undefined} : undefined,
				chosenNames: products,
				aboutFields: {...newForm.aboutFields, ...createLines({order: priority, description})},
				orphanFilterId: left ?? undefined,
				ownFilter: own ?? undefined,
			}),
			describeChanges({base, filter}) {
				const lists = get().firewall.data;
				if (!lists || !hasLoaded(lists)) return undefined;
				return (base && describeBaseChange(base, lists)) ?? describeMissingFilter(filter?.id, lists);
			},
		},
		get,
		ports,
	);

const draftNames: Readonly<Record<WizardPurpose['kind'], string>> = {
	'new rule': 'rule',
	'new filter': 'filter',
	'change rule': 'rule change',
	'change filter': 'filter change',
};

const toFilterFields = ({id, expression, paused, description, ref}: Filter): JsonObject => ({
	id,
	expression,
	paused,
	description: description ?? null,
	ref: ref ?? null,
});

const toBaseFields = (base: Rule | Filter): JsonObject =>
	'action' in base
		? {
				id: base.id,
				paused: base.paused,
				action: base.action,
				priority: base.priority,
				filter: 'deleted' in base.filter ? {id: base.filter.id, deleted: true} : toFilterFields(base.filter),
				products: base.products ?? [],
				description: base.description ?? null,
				ref: base.ref ?? null,
			}
		: toFilterFields(base);

/**
 * Describes how a rule or filter changed since the draft was stored; undefined if it did not. Sending checks
 * again, and overwrites nothing.
 */
function describeBaseChange(base: Rule | Filter, {rules, filters}: FirewallState): string | undefined {
	const noun = 'action' in base ? 'rule' : 'filter';
	const current = (noun === 'rule' ? rules : filters).find(({id}) => id === base.id);
	if (!current) return `The ${noun} no longer exists: it was deleted after this draft was saved.`;
	return JSON.stringify(toBaseFields(current)) === JSON.stringify(toBaseFields(base))
		? undefined
		: `The ${noun} was changed after this draft was saved: it is not overwritten without asking.`;
}

const describeMissingFilter = (id: string | undefined, {filters}: FirewallState): string | undefined =>
	id === undefined || filters.some(filter => filter.id === id)
		? undefined
		: `Filter ${id} no longer exists: it was deleted after this draft was saved.`;
