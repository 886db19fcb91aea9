import {randomBytes} from 'node:crypto';
import type {JsonObject} from '../../text/json.ts';
import {refuseInvalidExpression} from '../accounts/expression-check.ts';
import type {Plan} from '../accounts/plan.ts';
import {refuseRequest} from '../http/answer.ts';
import type {Collection} from '../world/resources.ts';
import type {World} from '../world/world.ts';
import {readCommonTexts, readPaused, refuseInvalid} from './body-fields.ts';

/** A filter as it is stored and returned. */
export type StoredFilter = JsonObject & {
	readonly id: string;
	readonly expression: string;
	readonly paused: boolean;
	readonly description?: string;
	readonly ref?: string;
};

/** The error of a duplicate filter; rules created together with their filters have another code. */
type DuplicateError = {readonly code: 10102 | 10202; readonly message: string};

const duplicateError: DuplicateError = {code: 10102, message: 'config duplicates an already existing config'};

/** The fields of a filter in a request. */
type FilterInput = {
	readonly expression: string;
	readonly paused?: boolean | undefined;
	readonly description?: string | undefined;
	readonly ref?: string | undefined;
};

/** Reads a filter of a request without checking its expression. `itemName` names it in a refusal. */
export function readFilterInput(item: JsonObject, itemName: string): FilterInput {
	const {expression} = item;
	if (expression === undefined) return refuseInvalid(itemName, 'expression is required');
	if (typeof expression !== 'string') return refuseInvalid(itemName, 'expression must be a text');
	return {expression, paused: readPaused(item, itemName), ...readCommonTexts(item, itemName)};
}

/** The filters of one zone. */
export class StoredFilters {
	readonly #collection: Collection<StoredFilter>;
	readonly #plan: Plan;
	/**
	 * Ids of the filters created by this request. A refusal for a duplicate does not name them, because it
	 * rolls these filters back.
	 */
	readonly #createdIds = new Set<string>();

	constructor(world: World, zoneId: string, plan: Plan) {
		this.#collection = world.resources.getCollection('filter', zoneId);
		this.#plan = plan;
	}

	list(): readonly StoredFilter[] {
		return this.#collection.list();
	}

	get(id: string): StoredFilter | undefined {
		return this.#collection.get(id);
	}

	/** Creates a filter; refuses an invalid expression or a duplicate. */
	add(input: FilterInput, error?: DuplicateError): StoredFilter {
		const filter = this.put(randomBytes(16).toString('hex'), input, error);
		this.#createdIds.add(filter.id);
		return filter;
	}

	/**
	 * Stores a filter under an id; replaces an existing one. Refuses an invalid expression or a duplicate.
	 */
	put(id: string, input: FilterInput, error: DuplicateError = duplicateError): StoredFilter {
		const {expression, paused = false, description, ref} = input;
		refuseInvalidExpression(expression, {plan: this.#plan});
		const duplicate = this.list().find(stored => stored.expression === expression && stored.id !== id);
		if (duplicate)
			return refuseRequest(400, {
				...error,
				...(!this.#createdIds.has(duplicate.id) && {meta: {id: duplicate.id}}),
			});
		return this.#collection.put({
			id,
			expression,
			paused,
			...(description && {description}),
			...(ref && {ref}),
		});
	}

	delete(id: string): void {
		this.#collection.delete(id);
	}
}
