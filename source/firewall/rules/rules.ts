import type {Client} from '../../service/client.ts';
import {isRecord} from '../../service/envelope.ts';
import {pagedItems} from '../../service/paging.ts';
import {readResult} from '../../service/read-result.ts';
import {malformed, optionalText, text} from '../../service/reading.ts';
import type {JsonObject} from '../../text/json.ts';
import {rulePath, rulesPath} from '../paths.ts';
import type {FilterDraft} from './filter.ts';
import {filterBody, idFromStepOne, readFilter, sameMeaning} from './filters.ts';
import type {Rule, RuleFilter, RuleSettings} from './rule.ts';
import {usersOf} from './users.ts';
import {only, type WritingRequest, write} from './writing.ts';

/** Reads a rule from an answer; keeps unknown actions and products. */
export function readRule(item: Readonly<Record<string, unknown>>): Rule {
	const description = optionalText(item, 'description');
	const ref = optionalText(item, 'ref');
	const products = Array.isArray(item.products)
		? item.products.filter(product => typeof product === 'string')
		: [];
	return {
		id: text(item, 'id', 'a rule'),
		paused: item.paused === true,
		action: text(item, 'action', 'a rule'),
		priority: typeof item.priority === 'number' ? item.priority : null,
		filter: readRuleFilter(item.filter),
		...(products.length > 0 && {products}),
		...(description && {description}),
		...(ref && {ref}),
	};
}

function readRuleFilter(filter: unknown): RuleFilter {
	if (!isRecord(filter)) throw malformed('filter of a rule');
	return filter.deleted === true ? {id: text(filter, 'id', 'a filter'), deleted: true} : readFilter(filter);
}

/** Lists the firewall rules of a zone, 100 per page. */
export const rules = (client: Client, zone: string, signal: AbortSignal): AsyncGenerator<Rule> =>
	pagedItems(
		client,
		{
			path: rulesPath(zone),
			perPage: 100,
			one: 'a rule',
			read: readRule,
		},
		signal,
	);

export async function ruleById(client: Client, zone: string, id: string, signal: AbortSignal): Promise<Rule> {
	return readRule(only(await readResult(client, {path: rulePath(zone, id)}, signal)));
}

/** Filter in a rule's request body: its id or, in the combined call only, its settings. */
type BodyFilter = {readonly id: string} | FilterDraft;

/** Builds the request body of a new rule, without defaults and empty fields. */
const ruleBody = (filter: BodyFilter, settings: RuleSettings): JsonObject => ({
	filter: 'id' in filter ? {id: filter.id} : filterBody(filter),
	action: settings.action,
	...(settings.products && settings.products.length > 0 && {products: settings.products}),
	...(typeof settings.priority === 'number' && {priority: settings.priority}),
	...(settings.paused && {paused: true}),
	...(settings.description && {description: settings.description}),
	...(settings.ref && {ref: settings.ref}),
});

/** Builds the request of `postRule`: a list of one. */
export const ruleCreation = (zone: string, filter: BodyFilter, settings: RuleSettings) =>
	({
		method: 'POST',
		path: rulesPath(zone),
		body: [ruleBody(filter, settings)],
	}) as const satisfies WritingRequest;

/**
 * Creates one rule in one call, on an existing filter or combined with a new one. Use `createRule` of
 * create-rule.ts, which reports the current state on failure.
 */
export const postRule = (
	client: Client,
	zone: string,
	filter: BodyFilter,
	settings: RuleSettings,
	signal: AbortSignal,
): Promise<Rule> =>
	write(
		client,
		ruleCreation(zone, filter, settings),
		{
			read(item) {
				const rule = readRule(item);
				if (!isAnswerTo(rule, filter, settings)) throw malformed('rule: it is not the rule that was sent');
				return rule;
			},
			pretend: [
				{
					...ruleBody(filter, settings),
					id: '<id of the rule>',
					filter: {expression: '', id: idFromStepOne, ...filter},
				},
			],
		},
		signal,
	);

/** True if the rule in an answer has the requested settings and filter. */
function isAnswerTo(rule: Rule, filter: BodyFilter, {action, paused = false}: RuleSettings): boolean {
	if (rule.action !== action || rule.paused !== paused || 'deleted' in rule.filter) return false;
	return 'id' in filter
		? rule.filter.id === filter.id
		: sameMeaning([rule.filter], filter.expression) !== undefined;
}

/** Returns a rule's settings with changes applied; undefined changes are ignored. */
export function changedRule(rule: Rule, changes: Partial<RuleSettings>): Omit<Rule, 'id' | 'filter'> {
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

/**
 * Builds the request of `buildRuleUpdateChange`: the whole rule with changes, and only the id of its filter.
 */
export function ruleUpdate(zone: string, rule: Rule, changes: Partial<RuleSettings>) {
	const {action, products, priority, paused, description, ref} = changedRule(rule, changes);
	return {
		method: 'PUT',
		path: rulePath(zone, rule.id),
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
export async function rulesOn(
	client: Client,
	zone: string,
	filterId: string,
	signal: AbortSignal,
): Promise<readonly Rule[]> {
	return usersOf(filterId, await Array.fromAsync(rules(client, zone, signal)));
}

type Settings = Pick<Rule, 'action' | 'products' | 'description' | 'ref'> & {
	readonly paused?: boolean | undefined;
	readonly priority?: number | null | undefined;
};

/** True if a rule has the wanted settings. */
export const hasSettings = (there: Rule, wanted: Settings): boolean =>
	there.action === wanted.action &&
	there.paused === (wanted.paused ?? false) &&
	there.priority === (wanted.priority ?? null) &&
	(there.description ?? '') === (wanted.description ?? '') &&
	(there.ref ?? '') === (wanted.ref ?? '') &&
	[...(there.products ?? [])].sort().join() === [...(wanted.products ?? [])].sort().join();
