import {randomBytes} from 'node:crypto';
import type {JsonObject} from '../../text/json.ts';
import {refuseInvalidExpression} from '../accounts/expression-judgement.ts';
import type {Plan} from '../accounts/plan.ts';
import {refuseRequest} from '../http/answer.ts';
import type {Collection} from '../world/resources.ts';
import type {World} from '../world/world.ts';
import {readCommonTexts, readPaused, refuseInvalid} from './texts.ts';

/** A filter as it is stored and returned. */
export type StoredFilter = JsonObject & {
	readonly id: string;
	readonly expression: string;
	readonly paused: boolean;
	readonly description?: string;
	readonly ref?: string;
};

/** The error of a duplicate; the combined call has another code. */
type DuplicateError = {readonly code: 10102 | 10202; readonly message: string};

const duplicateError: DuplicateError = {code: 10102, message: 'config duplicates an already existing config'};

/** A filter to create. */
type FilterDraft = {
	readonly expression: string;
	readonly paused?: boolean | undefined;
	readonly description?: string | undefined;
	readonly ref?: string | undefined;
};

/** Reads a filter of a request without checking its expression. `where` names it in a refusal. */
export function readFilterDraft(given: JsonObject, where: string): FilterDraft {
	const {expression} = given;
	if (expression === undefined) return refuseInvalid(where, 'expression is required');
	if (typeof expression !== 'string') return refuseInvalid(where, 'expression must be a text');
	return {expression, paused: readPaused(given, where), ...readCommonTexts(given, where)};
}

/** The filters of one zone. */
export class StoredFilters {
	readonly #kept: Collection<StoredFilter>;
	readonly #plan: Plan;
	/**
	 * Filters created by this request: a refusal for a duplicate does not name their ids, because it undoes
	 * them.
	 */
	readonly #made = new Set<string>();

	constructor(world: World, zone: string, plan: Plan) {
		this.#kept = world.resources.getCollection('filter', zone);
		this.#plan = plan;
	}

	list(): readonly StoredFilter[] {
		return this.#kept.list();
	}

	get(id: string): StoredFilter | undefined {
		return this.#kept.get(id);
	}

	/** Creates a filter; refuses an invalid expression or a duplicate. */
	add(draft: FilterDraft, error?: DuplicateError): StoredFilter {
		const filter = this.put(randomBytes(16).toString('hex'), draft, error);
		this.#made.add(filter.id);
		return filter;
	}

	/** Stores a filter under an id, replacing the one there; refuses an invalid expression or a duplicate. */
	put(id: string, draft: FilterDraft, error: DuplicateError = duplicateError): StoredFilter {
		const {expression, paused = false, description, ref} = draft;
		refuseInvalidExpression(expression, {plan: this.#plan});
		const duplicate = this.list().find(other => other.expression === expression && other.id !== id);
		if (duplicate)
			return refuseRequest(400, {...error, ...(!this.#made.has(duplicate.id) && {meta: {id: duplicate.id}})});
		return this.#kept.put({id, expression, paused, ...(description && {description}), ...(ref && {ref})});
	}

	delete(id: string): void {
		this.#kept.delete(id);
	}
}
