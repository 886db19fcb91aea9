import {isFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {pagedItems} from '../../service/paging.ts';
import {readResult} from '../../service/read-result.ts';
import {optionalText, text} from '../../service/reading.ts';
import {refusedWith} from '../../service/refusal.ts';
import type {JsonObject} from '../../text/json.ts';
import {canonical} from '../expression/expressions.ts';
import {filterPath, filtersPath} from '../paths.ts';
import type {Filter, FilterDraft} from './filter.ts';
import {only, type WritingRequest, write} from './writing.ts';

/** Placeholder id in a dry run for the result of the first of two calls. */
export const idFromStepOne = '<id from step 1>';

/** Reads a filter from an answer; empty fields are omitted. */
export function readFilter(item: Readonly<Record<string, unknown>>): Filter {
	const description = optionalText(item, 'description');
	const ref = optionalText(item, 'ref');
	return {
		id: text(item, 'id', 'a filter'),
		expression: text(item, 'expression', 'a filter'),
		paused: item.paused === true,
		...(description && {description}),
		...(ref && {ref}),
	};
}

/** Lists the filters of a zone, 100 per page. `expression` selects filters that contain it. */
export const filters = (
	client: Client,
	zone: string,
	signal: AbortSignal,
	query: {readonly expression?: string | undefined} = {},
): AsyncGenerator<Filter> =>
	pagedItems(
		client,
		{
			path: filtersPath(zone),
			query,
			perPage: 100,
			one: 'a filter',
			read: readFilter,
		},
		signal,
	);

export async function filterById(
	client: Client,
	zone: string,
	id: string,
	signal: AbortSignal,
): Promise<Filter> {
	return readFilter(only(await readResult(client, {path: filterPath(zone, id)}, signal)));
}

/** Longer queries (percent-encoded) are not sent: proxies and servers cut or refuse them. */
const longestQuery = 2_000;

/** Finds the filter with exactly this expression; a zone has at most one. */
export async function filterOfExpression(
	client: Client,
	zone: string,
	expression: string,
	signal: AbortSignal,
): Promise<Filter | undefined> {
	const short = encodeURIComponent(expression.toWellFormed()).length <= longestQuery;
	for await (const filter of filters(client, zone, signal, short ? {expression} : {}))
		if (filter.expression === expression) return filter;
	return undefined;
}

/**
 * Finds the filter that matches the same requests as an expression, preferring an exact match. Reads all
 * filters of the zone.
 */
export async function filterOfMeaning(
	client: Client,
	zone: string,
	expression: string,
	signal: AbortSignal,
): Promise<Filter | undefined> {
	const found: Filter[] = [];
	for await (const filter of filters(client, zone, signal)) {
		if (filter.expression === expression) return filter;
		found.push(filter);
	}
	return sameMeaning(found, expression);
}

/** Picks the filter that matches the same requests as an expression, preferring an exact match. */
export function sameMeaning(among: readonly Filter[], expression: string): Filter | undefined {
	const exactly = among.find(filter => filter.expression === expression);
	if (exactly || among.length === 0) return exactly;
	const meaning = canonical(expression);
	return meaning === undefined ? undefined : among.find(filter => meaningOf(filter) === meaning);
}

const meanings = new WeakMap<Filter, {readonly canonical: string | undefined}>();

/** Returns the canonical expression of a filter; computed once per object. */
function meaningOf(filter: Filter): string | undefined {
	const known = meanings.get(filter) ?? {canonical: canonical(filter.expression)};
	meanings.set(filter, known);
	return known.canonical;
}

/** Builds the request body of a new filter, without defaults and empty fields. */
export const filterBody = ({expression, paused, description, ref}: FilterDraft): JsonObject => ({
	expression,
	...(paused && {paused}),
	...(description && {description}),
	...(ref && {ref}),
});

/** Builds the request of `createFilter`: a list of one. */
export const filterCreation = (zone: string, draft: FilterDraft) =>
	({method: 'POST', path: filtersPath(zone), body: [filterBody(draft)]}) as const satisfies WritingRequest;

/**
 * Creates one filter. Fails with `already_exists` if the expression has one. A failure with
 * `details.outcomeUnknown` leaves open whether it was created; `createFilter` resolves that.
 */
export const postFilter = (
	client: Client,
	zone: string,
	draft: FilterDraft,
	signal: AbortSignal,
): Promise<Filter> =>
	write(
		client,
		filterCreation(zone, draft),
		{read: readFilter, pretend: [{...filterBody(draft), id: idFromStepOne}]},
		signal,
	);

/**
 * Builds the request of `updateFilter`: the whole filter. An empty description or reference removes the
 * existing one.
 */
export const filterUpdate = (zone: string, {id, expression, paused, description, ref}: Filter) =>
	({
		method: 'PUT',
		path: filterPath(zone, id),
		body: {
			id,
			expression,
			paused,
			...(description !== undefined && {description}),
			...(ref !== undefined && {ref}),
		},
	}) as const satisfies WritingRequest;

/** True if the filter equals the draft, field by field. */
export const isAs = (there: Filter, {expression, paused, description, ref}: FilterDraft): boolean =>
	there.expression === expression &&
	there.paused === (paused ?? false) &&
	(there.description ?? '') === (description ?? '') &&
	(there.ref ?? '') === (ref ?? '');

/** Asks the service to validate an expression; needs no zone and stores nothing. */
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
		const message = isFailure(error, 'refused_by_service') && refusedWith(error)?.errors[0]?.message;
		// A refusal for another reason, such as the plan or the edge, says nothing about the expression.
		if (!message || error.details.http === 403) throw error;
		return {valid: false, message};
	}
}
