import {asFailure} from '../failure.ts';
import type {JsonObject, JsonValue} from '../json.ts';
import type {Client} from '../service/client.ts';
import {isRecord} from '../service/envelope.ts';
import {pagedItems} from '../service/paging.ts';
import {malformed, optionalText, readList, text} from '../service/reading.ts';
import {type Look, settled} from './doubt.ts';
import type {FilterDraft} from './filter.ts';
import {filterBody, idFromStepOne, readFilter} from './filters.ts';
import {rulesPerCall} from './limits.ts';
import {rulePath, rulesPath} from './paths.ts';
import type {Rule, RuleFilter, RuleSettings} from './rule.ts';
import {only, type WritingRequest, write} from './writing.ts';

/** A rule as the service gives it. Actions and products that this ledge does not know are kept as they are. */
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

/** All firewall rules of a zone, 100 a page, as they arrive (service-contract.md 3). */
export const rules = (client: Client, zone: string, signal: AbortSignal): AsyncGenerator<Rule> =>
	pagedItems(
		client,
		{
			path: rulesPath(zone),
			perPage: 100,
			read: result => readList(result, 'a rule', readRule),
			id: rule => rule.id,
		},
		signal,
	);

export async function ruleById(client: Client, zone: string, id: string, signal: AbortSignal): Promise<Rule> {
	const {result} = await client.call(
		{method: 'GET', path: rulePath(zone, id), repeat: 'always', writes: false},
		signal,
	);
	return readRule(only(result));
}

/** The filter in the body of a rule: its id, or, in the combined call only, what it is to be. */
type BodyFilter = {readonly id: string} | FilterDraft;

/** A rule to be made, as it is sent: what was not given, and what is so anyway, is left out. */
export const ruleBody = (filter: BodyFilter, settings: RuleSettings): JsonObject => ({
	filter: 'id' in filter ? {id: filter.id} : filterBody(filter),
	action: settings.action,
	...(settings.products && settings.products.length > 0 && {products: settings.products}),
	...(typeof settings.priority === 'number' && {priority: settings.priority}),
	...(settings.paused && {paused: true}),
	...(settings.description && {description: settings.description}),
	...(settings.ref && {ref: settings.ref}),
});

/** What `postRule` sends: a list of one (service-contract.md 3). */
export const ruleCreation = (zone: string, filter: BodyFilter, settings: RuleSettings) =>
	({
		method: 'POST',
		path: rulesPath(zone),
		body: [ruleBody(filter, settings)],
	}) as const satisfies WritingRequest;

/**
 * Makes one rule in one call, on a filter that there is or, combined, with one. Whoever wants a rule uses
 * `createRule` of create-rule.ts, which says what is there when this fails.
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
			read: readRule,
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

/** A rule with changes made to it. What a change gives as `undefined` stays. */
function changed(rule: Rule, changes: Partial<RuleSettings>): Omit<Rule, 'id' | 'filter'> {
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

/** What `updateRule` sends: the whole rule with the changes, and of its filter no more than the id (service-contract.md 3). */
export function ruleUpdate(zone: string, rule: Rule, changes: Partial<RuleSettings>) {
	const {action, products, priority, paused, description, ref} = changed(rule, changes);
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

/** Changes a rule and never its filter; pausing is one such change. After a lost answer the state is read, and what is there told. */
export function updateRule(
	client: Client,
	zone: string,
	rule: Rule,
	changes: Partial<RuleSettings>,
	signal: AbortSignal,
): Promise<Rule> {
	const wanted = changed(rule, changes);
	const pretend = {...rule, ...wanted};
	return settled(
		client,
		() => write(client, ruleUpdate(zone, rule, changes), {read: readRule, pretend}, signal),
		lookFor(client, zone, rule.id, there => there.filter.id === rule.filter.id && hasSettings(there, wanted)),
		signal,
	);
}

/** Gives a rule another priority, or none, and nothing else. After a lost answer the state is read, and what is there told. */
export const setPriority = (
	client: Client,
	zone: string,
	id: string,
	priority: number | null,
	signal: AbortSignal,
): Promise<Rule> =>
	settled(
		client,
		async () => {
			const request = {method: 'PATCH', path: rulePath(zone, id), body: {id, priority}} as const;
			if (!client.dryRun) return write(client, request, {read: readRule}, signal);
			const there = await ruleById(client, zone, id, signal);
			return write(client, request, {read: readRule, pretend: {...there, priority}}, signal);
		},
		lookFor(client, zone, id, there => there.priority === priority),
		signal,
	);

const lookFor = (client: Client, zone: string, id: string, isDone: (rule: Rule) => boolean) => ({
	async look(looking: AbortSignal): Promise<Look<Rule>> {
		const there = await ruleById(client, zone, id, looking);
		return isDone(there) ? {found: there} : {instead: `rule ${id} is not changed; it is: ${inShort(there)}.`};
	},
	where: `ledge firewall rule get ${id} --zone-id ${zone}`,
});

const inShort = ({action, paused, priority}: Rule): string =>
	`${action}, ${priority === null ? 'without priority' : `priority ${priority}`}, ${paused ? 'paused' : 'not paused'}`;

type Settings = Pick<Rule, 'action' | 'products' | 'description' | 'ref'> & {
	readonly paused?: boolean | undefined;
	readonly priority?: number | null | undefined;
};

/** Whether a rule that is there does and says what was asked for. */
export const hasSettings = (there: Rule, wanted: Settings): boolean =>
	there.action === wanted.action &&
	there.paused === (wanted.paused ?? false) &&
	there.priority === (wanted.priority ?? null) &&
	(there.description ?? '') === (wanted.description ?? '') &&
	(there.ref ?? '') === (wanted.ref ?? '') &&
	[...(there.products ?? [])].sort().join() === [...(wanted.products ?? [])].sort().join();

/**
 * Deletes rules, 25 a call; their filters stay. Rules that are not there count as deleted, as the service has it.
 * After a lost answer the state is read, and what is there told.
 */
export async function deleteRules(
	client: Client,
	zone: string,
	ids: readonly string[],
	signal: AbortSignal,
): Promise<void> {
	for (let from = 0; from < ids.length; from += rulesPerCall) {
		const some = ids.slice(from, from + rulesPerCall);
		const path = `${rulesPath(zone)}?${some.map(id => `id=${encodeURIComponent(id)}`).join('&')}`;
		try {
			await deletion(client, zone, {method: 'DELETE', path}, some, signal);
		} catch (error) {
			const failure = asFailure(error);
			const gone = from > 0 ? `Deleted before: ${ids.slice(0, from).join(', ')}. ` : '';
			throw failure.with({left: `${gone}${failure.details.left ?? ''}`});
		}
	}
}

/** Deletes one rule; its filter stays. Fails when there is no such rule. */
export const removeRule = (client: Client, zone: string, id: string, signal: AbortSignal): Promise<void> =>
	deletion(client, zone, {method: 'DELETE', path: rulePath(zone, id)}, [id], signal);

const deletion = (
	client: Client,
	zone: string,
	request: WritingRequest & {readonly body?: JsonValue},
	ids: readonly string[],
	signal: AbortSignal,
): Promise<void> =>
	settled(
		client,
		() => write(client, request, {read: () => undefined}, signal),
		{
			async look(looking): Promise<Look<undefined>> {
				const there: string[] = [];
				for await (const {id} of rules(client, zone, looking)) if (ids.includes(id)) there.push(id);
				return there.length === 0
					? {found: undefined}
					: {
							instead:
								there.length === 1
									? `rule ${there[0]} is still there.`
									: `rules ${there.join(', ')} are still there.`,
						};
			},
			where: `ledge firewall rule list --zone-id ${zone}`,
		},
		signal,
	);
