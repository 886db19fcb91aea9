import {customPhase, managedPhase, type RulesetRule, rateLimitPhase} from '../../rulesets/ruleset.ts';
import {filterObjects, isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {findPhase} from '../expression/expressions.ts';
import type {Filter} from '../rules/filter.ts';
import type {Rule} from '../rules/rule.ts';
import {groupFirewallRules} from './firewall-rules.ts';
import type {LintedRule, LintInput, RuleGroup} from './rule-group.ts';

/** True for the output of `terraform show -json`: a state or a plan. */
export const isTerraformJson = (value: unknown): value is JsonObject =>
	isJsonObject(value) && typeof value.format_version === 'string' && !('rules' in value);

/** A resource as a state or plan has it. */
type Resource = {
	readonly address: string;
	readonly type: string;
	readonly values: JsonObject;
	/** Has `true` in place of each value that is known only after apply. */
	readonly unknown: JsonValue;
};

const knownAfterApply = 'known only after apply';

/**
 * Groups the rules in the output of `terraform show -json`, for provider versions 4 and 5. What a plan does not
 * know yet is left out with a reason.
 */
export function groupTerraformRules(json: JsonObject, fileName: string): LintInput {
	const resources = listResources(json);
	const source = {kind: 'file', name: fileName} as const;
	const rulesets = resources
		.filter(({type}) => type === 'cloudflare_ruleset')
		.map(resource => groupRuleset(resource, source));
	return {
		groups: [...rulesets.flatMap(({groups}) => groups), ...groupFirewallResources(resources, source)],
		leftOut: rulesets.flatMap(({leftOut}) => leftOut),
	};
}

/** Lists the resources that exist after a plan, or those of a state. */
function listResources(json: JsonObject): readonly Resource[] {
	if (!Array.isArray(json.resource_changes))
		return isJsonObject(json.values) ? listOfModule(json.values.root_module) : [];
	return json.resource_changes.filter(isJsonObject).flatMap(({address, type, mode, change}) =>
		mode !== 'data' && isJsonObject(change) && isJsonObject(change.after)
			? [
					{
						address: String(address),
						type: String(type),
						values: change.after,
						unknown: change.after_unknown ?? null,
					},
				]
			: [],
	);
}

function listOfModule(module: JsonValue | undefined): readonly Resource[] {
	if (!isJsonObject(module)) return [];
	const {resources, child_modules: children} = module;
	return [
		...filterObjects(resources).flatMap(({address, type, mode, values}) =>
			mode !== 'data' && isJsonObject(values)
				? [{address: String(address), type: String(type), values, unknown: null}]
				: [],
		),
		...filterObjects(children).flatMap(listOfModule),
	];
}

function groupRuleset({address, values, unknown}: Resource, source: RuleGroup['source']): LintInput {
	const leaveOut = (why: string): LintInput => ({groups: [], leftOut: [{name: address, why}]});
	const unknowns = isJsonObject(unknown) ? unknown : {};
	const phase = typeof values.phase === 'string' ? findPhase(values.phase) : undefined;
	if (unknowns.rules === true) return leaveOut(`its rules are ${knownAfterApply}`);
	if (unknowns.phase === true) return leaveOut(`its phase is ${knownAfterApply}`);
	if (!phase) return leaveOut(`ledge does not know the phase ${JSON.stringify(values.phase ?? null)}`);
	const unknownRules = toObjectList(unknowns.rules);
	const rules = toObjectList(values.rules).map((rule, index): LintedRule => {
		const cleanRule = cleanValue(rule) as RulesetRule;
		const unknownReason =
			unknownRules[index]?.expression === true
				? `its expression is ${knownAfterApply}`
				: typeof cleanRule.expression === 'string'
					? undefined
					: 'it has no expression';
		return {
			position: index + 1,
			rule: {
				...cleanRule,
				action: String(cleanRule.action ?? ''),
				expression: String(cleanRule.expression ?? ''),
			},
			action: String(cleanRule.action ?? ''),
			unknownReason,
			address: `${address}.rules[${index}]`,
		};
	});
	const isOfAccount = values.kind !== 'zone';
	return {
		groups: [{source, noun: isOfAccount ? 'rule' : getNoun(phase), phase, isOfAccount, rules}],
		leftOut: [],
	};
}

/** Provider 4 has a list with holes nowhere, so indexes agree with those of `after_unknown`. */
const toObjectList = (value: JsonValue | undefined): readonly JsonObject[] =>
	Array.isArray(value) ? value.map(item => (isJsonObject(item) ? item : {})) : [];

function getNoun(phase: string): RuleGroup['noun'] {
	switch (phase) {
		case customPhase:
			return 'custom rule';
		case rateLimitPhase:
			return 'rate limit';
		case managedPhase:
			return 'managed rule';
		default:
			return 'rule';
	}
}

/** Fields that provider 4 writes as blocks: lists of one object. */
const blockNames: ReadonlySet<string> = new Set(['action_parameters', 'ratelimit', 'logging', 'response']);

/** Returns a value without nulls and empty lists, and with blocks as objects, as the service has it. */
function cleanValue(value: JsonValue, name = ''): JsonValue {
	if (Array.isArray(value)) {
		const [first] = value;
		return blockNames.has(name) && value.length === 1 && first !== undefined
			? cleanValue(first)
			: value.map(item => cleanValue(item));
	}
	if (!isJsonObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).flatMap(([key, child]) =>
			child === null || (Array.isArray(child) && child.length === 0) ? [] : [[key, cleanValue(child, key)]],
		),
	);
}

/** Groups firewall rules and filters by zone. */
function groupFirewallResources(
	resources: readonly Resource[],
	source: RuleGroup['source'],
): readonly RuleGroup[] {
	const filters = resources.filter(({type}) => type === 'cloudflare_filter');
	const rules = resources.filter(({type}) => type === 'cloudflare_firewall_rule');
	// Resources whose zone is not known yet may be of different zones.
	const getZone = ({values, address}: Resource): string =>
		typeof values.zone_id === 'string' ? values.zone_id : address;
	return [...Map.groupBy([...filters, ...rules], getZone).values()].flatMap(ofZone => {
		const addresses = new Map<Rule | Filter, Pick<LintedRule, 'address' | 'unknownReason'>>();
		const zoneFilters = ofZone
			.filter(({type}) => type === 'cloudflare_filter')
			.map(resource => {
				const filter = toFilter(resource.values, resource.address);
				addresses.set(filter, {
					address: resource.address,
					...(filter.expression === '' && {unknownReason: describeUnknown(resource.unknown, 'expression')}),
				});
				return filter;
			});
		const zoneRules = ofZone
			.filter(({type}) => type === 'cloudflare_firewall_rule')
			.map(resource => {
				const filter = findFilter(resource, zoneFilters);
				const rule = toRule(resource, filter);
				addresses.set(rule, {
					address: resource.address,
					...(filter ? {} : {unknownReason: describeUnknown(resource.unknown, 'filter')}),
					...(filter?.expression === '' && {unknownReason: 'the expression of its filter is unknown'}),
				});
				return rule;
			});
		return groupFirewallRules(zoneRules, zoneFilters, {
			source,
			isListOrder: false,
			describe: item => addresses.get(item) ?? {},
		});
	});
}

function describeUnknown(unknown: JsonValue, name: 'expression' | 'filter'): string {
	const isPending = isJsonObject(unknown) && (unknown[name] === true || unknown[`${name}_id`] === true);
	return isPending ? `its ${name} is ${knownAfterApply}` : `its ${name} is not in the file`;
}

/** Provider 4 refers to a filter by id; provider 5 has it within the rule. */
function findFilter({values}: Resource, filters: readonly Filter[]): Filter | undefined {
	const inner = isJsonObject(values.filter) ? values.filter : undefined;
	return inner && typeof inner.expression === 'string'
		? toFilter(inner, '')
		: filters.find(({id}) => id === values.filter_id || id === inner?.id);
}

const toFilter = ({id, expression, paused, description, ref}: JsonObject, address: string): Filter => ({
	id: typeof id === 'string' ? id : address,
	expression: typeof expression === 'string' ? expression : '',
	paused: paused === true,
	...(typeof description === 'string' && description !== '' && {description}),
	...(typeof ref === 'string' && ref !== '' && {ref}),
});

function toRule({values, address}: Resource, filter: Filter | undefined): Rule {
	const {id, action, paused, priority, products, description, ref} = values;
	return {
		id: typeof id === 'string' ? id : address,
		action: String(isJsonObject(action) ? action.mode : action),
		paused: paused === true,
		priority: typeof priority === 'number' ? priority : null,
		filter: filter ?? {id: '', expression: '', paused: false},
		...(Array.isArray(products) && products.length > 0 && {products: products.map(String)}),
		...(typeof description === 'string' && description !== '' && {description}),
		...(typeof ref === 'string' && ref !== '' && {ref}),
	};
}
