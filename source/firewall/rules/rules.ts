import type {Client} from '../../service/client.ts';
import {listPagedItems} from '../../service/paging.ts';
import {readResult} from '../../service/read-result.ts';
import {createMalformedFailure, readOptionalText, requireText} from '../../service/response-fields.ts';
import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {getFirewallRulePath, getFirewallRulesPath} from '../paths.ts';
import type {FilterDraft} from './filter.ts';
import {buildFilterBody, pickEquivalentFilter, readFilter} from './filters.ts';
import type {Rule, RuleFilter, RuleSettings} from './rule.ts';
import {findFilterUsers} from './users.ts';
import {readSingleItem, sendFirewallWrite, type WritingRequest} from './writing.ts';

/** Reads a rule from a response; keeps unknown actions and products. */
export function readRule(item: Readonly<Record<string, unknown>>): Rule {
	const description = readOptionalText(item, 'description');
	const ref = readOptionalText(item, 'ref');
	const products = Array.isArray(item.products)
		? item.products.filter(product => typeof product === 'string')
		: [];
	return {
		id: requireText(item, 'id', 'a rule'),
		paused: item.paused === true,
		action: requireText(item, 'action', 'a rule'),
		priority: typeof item.priority === 'number' ? item.priority : null,
		filter: readRuleFilter(item.filter),
		...(products.length > 0 && {products}),
		...(description && {description}),
		...(ref && {ref}),
	};
}

function readRuleFilter(filter: unknown): RuleFilter {
	if (!isJsonObject(filter)) throw createMalformedFailure('filter of a rule');
	return filter.deleted === true
		? {id: requireText(filter, 'id', 'a filter'), deleted: true}
		: readFilter(filter);
}

/** Lists the firewall rules of a zone, 100 per page. */
export const listFirewallRules = (
	client: Client,
	zoneId: string,
	signal: AbortSignal,
): AsyncGenerator<Rule> =>
	listPagedItems(
		client,
		{
			path: getFirewallRulesPath(zoneId),
			perPage: 100,
			itemNoun: 'a rule',
			read: readRule,
		},
		signal,
	);

export async function readRuleById(
	client: Client,
	zoneId: string,
	id: string,
	signal: AbortSignal,
): Promise<Rule> {
	return readRule(readSingleItem(await readResult(client, {path: getFirewallRulePath(zoneId, id)}, signal)));
}

/**
 * Filter in a rule's request body: the id of an existing filter, or the settings of a new one, which the same
 * call creates.
 */
type BodyFilter = {readonly id: string} | FilterDraft;

/** Builds the request body of a new rule, without defaults and empty fields. */
const buildRuleBody = (filter: BodyFilter, settings: RuleSettings): JsonObject => ({
	filter: 'id' in filter ? {id: filter.id} : buildFilterBody(filter),
	action: settings.action,
	...(settings.products && settings.products.length > 0 && {products: settings.products}),
	...(typeof settings.priority === 'number' && {priority: settings.priority}),
	...(settings.paused && {paused: true}),
	...(settings.description && {description: settings.description}),
	...(settings.ref && {ref: settings.ref}),
});

/** Builds the request of `postRule`: a list of one. */
export const buildRuleCreationRequest = (zoneId: string, filter: BodyFilter, settings: RuleSettings) =>
	({
		method: 'POST',
		path: getFirewallRulesPath(zoneId),
		body: [buildRuleBody(filter, settings)],
	}) as const satisfies WritingRequest;

/**
 * Creates one rule in one call, on an existing filter or combined with a new one. Use `createRule` of
 * create-rule.ts, which reports the current state on failure.
 */
export const postRule = (
	client: Client,
	zoneId: string,
	filter: BodyFilter,
	settings: RuleSettings,
	signal: AbortSignal,
): Promise<Rule> =>
	sendFirewallWrite(
		client,
		buildRuleCreationRequest(zoneId, filter, settings),
		{
			read(item) {
				const rule = readRule(item);
				if (!matchesSentRule(rule, filter, settings))
					throw createMalformedFailure('rule: it differs from the rule that was sent');
				return rule;
			},
			dryRunResult: [
				{
					...buildRuleBody(filter, settings),
					id: '<id of the rule>',
					filter: {expression: '', id: '<id of the filter>', ...filter},
				},
			],
		},
		signal,
	);

/**
 * True if the rule in a response has the requested action, paused state and filter. Compares nothing else.
 */
function matchesSentRule(rule: Rule, filter: BodyFilter, {action, paused = false}: RuleSettings): boolean {
	if (rule.action !== action || rule.paused !== paused || 'deleted' in rule.filter) return false;
	return 'id' in filter
		? rule.filter.id === filter.id
		: pickEquivalentFilter([rule.filter], filter.expression) !== undefined;
}

/** Returns a rule's settings with changes applied; undefined changes are ignored. */
export function withRuleChanges(rule: Rule, changes: Partial<RuleSettings>): Omit<Rule, 'id' | 'filter'> {
	const action = changes.action ?? rule.action;
	return {
		action,
		products: action === 'bypass' ? (changes.products ?? rule.products) : undefined,
		priority: changes.priority === undefined ? rule.priority : changes.priority,
		paused: changes.paused ?? rule.paused,
		description: changes.description ?? rule.description,
		ref: changes.ref ?? rule.ref,
	};
}

/** Builds the request that changes a rule: the whole rule with the changes, and only the id of its filter. */
export function buildRuleUpdateRequest(zoneId: string, rule: Rule, changes: Partial<RuleSettings>) {
	const {action, products, priority, paused, description, ref} = withRuleChanges(rule, changes);
	return {
		method: 'PUT',
		path: getFirewallRulePath(zoneId, rule.id),
		body: {
			id: rule.id,
			filter: {id: rule.filter.id},
			action,
			paused,
			...(products && products.length > 0 && {products}),
			...((priority !== null || rule.priority !== null) && {priority}),
			...(description !== undefined && {description}),
			...(ref !== undefined && {ref}),
		},
	} as const satisfies WritingRequest;
}

/** Reads the rules that use a filter. */
export async function listRulesOnFilter(
	client: Client,
	zoneId: string,
	filterId: string,
	signal: AbortSignal,
): Promise<readonly Rule[]> {
	return findFilterUsers(filterId, await Array.fromAsync(listFirewallRules(client, zoneId, signal)));
}

type WantedSettings = Pick<Rule, 'action' | 'products' | 'description' | 'ref'> & {
	readonly paused?: boolean | undefined;
	readonly priority?: number | null | undefined;
};

/** True if a rule has the wanted settings. */
export const hasRuleSettings = (rule: Rule, target: WantedSettings): boolean =>
	rule.action === target.action &&
	rule.paused === (target.paused ?? false) &&
	rule.priority === (target.priority ?? null) &&
	(rule.description ?? '') === (target.description ?? '') &&
	(rule.ref ?? '') === (target.ref ?? '') &&
	[...(rule.products ?? [])].sort().join() === [...(target.products ?? [])].sort().join();
