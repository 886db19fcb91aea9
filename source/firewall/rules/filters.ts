import {isFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {listPagedItems} from '../../service/paging.ts';
import {readResult} from '../../service/read-result.ts';
import {getRefusalBody} from '../../service/refusal.ts';
import {readOptionalText, requireText} from '../../service/response-fields.ts';
import type {JsonObject} from '../../text/json.ts';
import {canonicalize} from '../expression/expressions.ts';
import {getFilterPath, getFiltersPath} from '../paths.ts';
import type {Filter, FilterDraft} from './filter.ts';
import {readSingleItem, sendFirewallWrite, type WritingRequest} from './writing.ts';

/** Placeholder id in a dry run for the result of the first of two calls. */
export const idFromStepOne = '<id from step 1>';

/** Reads a filter from a response; empty fields are omitted. */
export function readFilter(item: Readonly<Record<string, unknown>>): Filter {
	const description = readOptionalText(item, 'description');
	const ref = readOptionalText(item, 'ref');
	return {
		id: requireText(item, 'id', 'a filter'),
		expression: requireText(item, 'expression', 'a filter'),
		paused: item.paused === true,
		...(description && {description}),
		...(ref && {ref}),
	};
}

/** Lists the filters of a zone, 100 per page. `expression` selects filters that contain it. */
export const listFilters = (
	client: Client,
	zoneId: string,
	signal: AbortSignal,
	query: {readonly expression?: string | undefined} = {},
): AsyncGenerator<Filter> =>
	listPagedItems(
		client,
		{
			path: getFiltersPath(zoneId),
			query,
			perPage: 100,
			itemNoun: 'a filter',
			read: readFilter,
		},
		signal,
	);

export async function readFilterById(
	client: Client,
	zoneId: string,
	id: string,
	signal: AbortSignal,
): Promise<Filter> {
	return readFilter(readSingleItem(await readResult(client, {path: getFilterPath(zoneId, id)}, signal)));
}

/** Longer queries (percent-encoded) are not sent: proxies and servers cut or refuse them. */
const maxQueryLength = 2_000;

/** Finds the filter with exactly this expression; a zone has at most one. */
export async function findFilterByExpression(
	client: Client,
	zoneId: string,
	expression: string,
	signal: AbortSignal,
): Promise<Filter | undefined> {
	const isShort = encodeURIComponent(expression.toWellFormed()).length <= maxQueryLength;
	for await (const filter of listFilters(client, zoneId, signal, isShort ? {expression} : {}))
		if (filter.expression === expression) return filter;
	return undefined;
}

/**
 * Finds the filter that matches the same requests as an expression, preferring an exact match. Reads all
 * filters of the zone.
 */
export async function findEquivalentFilter(
	client: Client,
	zoneId: string,
	expression: string,
	signal: AbortSignal,
): Promise<Filter | undefined> {
	const filters: Filter[] = [];
	for await (const filter of listFilters(client, zoneId, signal)) {
		if (filter.expression === expression) return filter;
		filters.push(filter);
	}
	return pickEquivalentFilter(filters, expression);
}

/** Picks the filter that matches the same requests as an expression, preferring an exact match. */
export function pickEquivalentFilter(candidates: readonly Filter[], expression: string): Filter | undefined {
	const exactMatch = candidates.find(filter => filter.expression === expression);
	if (exactMatch || candidates.length === 0) return exactMatch;
	const meaning = canonicalize(expression);
	return meaning === undefined ? undefined : candidates.find(filter => getFilterMeaning(filter) === meaning);
}

const canonicalExpressions = new WeakMap<Filter, {readonly canonical: string | undefined}>();

/** Returns the canonical expression of a filter; computed once per object. */
function getFilterMeaning(filter: Filter): string | undefined {
	const cachedExpression = canonicalExpressions.get(filter) ?? {canonical: canonicalize(filter.expression)};
	canonicalExpressions.set(filter, cachedExpression);
	return cachedExpression.canonical;
}

/** Builds the request body of a new filter, without defaults and empty fields. */
export const buildFilterBody = ({expression, paused, description, ref}: FilterDraft): JsonObject => ({
	expression,
	...(paused && {paused}),
	...(description && {description}),
	...(ref && {ref}),
});

/** Builds the request of `createFilter`: a list of one. */
export const buildFilterCreationRequest = (zoneId: string, draft: FilterDraft) =>
	({
		method: 'POST',
		path: getFiltersPath(zoneId),
		body: [buildFilterBody(draft)],
	}) as const satisfies WritingRequest;

/**
 * Creates one filter. Fails with `already_exists` if the expression has one. A failure with
 * `details.outcomeUnknown` leaves open whether it was created; `createFilter` resolves that.
 */
export const postFilter = (
	client: Client,
	zoneId: string,
	draft: FilterDraft,
	signal: AbortSignal,
): Promise<Filter> =>
	sendFirewallWrite(
		client,
		buildFilterCreationRequest(zoneId, draft),
		{read: readFilter, dryRunResult: [{...buildFilterBody(draft), id: idFromStepOne}]},
		signal,
	);

/**
 * Builds the request of `updateFilter`: the whole filter. An empty description or reference removes the
 * existing one.
 */
export const buildFilterUpdateRequest = (
	zoneId: string,
	{id, expression, paused, description, ref}: Filter,
) =>
	({
		method: 'PUT',
		path: getFilterPath(zoneId, id),
		body: {
			id,
			expression,
			paused,
			...(description !== undefined && {description}),
			...(ref !== undefined && {ref}),
		},
	}) as const satisfies WritingRequest;

/** True if the filter equals the draft, field by field. */
export const filterMatchesDraft = (
	filter: Filter,
	{expression, paused, description, ref}: FilterDraft,
): boolean =>
	filter.expression === expression &&
	filter.paused === (paused ?? false) &&
	(filter.description ?? '') === (description ?? '') &&
	(filter.ref ?? '') === (ref ?? '');

/** Asks the service to validate an expression. This needs no zone and stores nothing. */
export async function validateExpression(
	client: Client,
	expression: string,
	signal: AbortSignal,
): Promise<{readonly valid: true} | {readonly valid: false; readonly message: string}> {
	try {
		await client.call(
			{
				method: 'POST',
				path: '/filters/validate-expr',
				body: {kind: 'json', value: {expression}},
				repeat: 'throttled',
				writes: false,
			},
			signal,
		);
		return {valid: true};
	} catch (error) {
		const message = isFailure(error, 'refused_by_service') && getRefusalBody(error)?.errors[0]?.message;
		// A refusal for another reason, such as the plan or the edge, says nothing about the expression.
		if (!message || error.details.http === 403) throw error;
		return {valid: false, message};
	}
}
