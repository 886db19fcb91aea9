import {randomBytes} from 'node:crypto';
import type {JsonObject} from '../../text/json.ts';
import {refuseBroken} from '../accounts/expression-judgement.ts';
import type {Plan} from '../accounts/plan.ts';
import {refuse} from '../http/answer.ts';
import type {Collection} from '../world/resources.ts';
import type {World} from '../world/world.ts';
import {invalid, readPaused, readTexts} from './texts.ts';

/** A filter as it is stored and returned. */
export type StoredFilter = JsonObject & {
	readonly id: string;
	readonly expression: string;
	readonly paused: boolean;
	readonly description?: string;
	readonly ref?: string;
};

/** The error of a duplicate; the combined call has another code. */
type DuplicateWords = {readonly code: 10102 | 10202; readonly message: string};

const duplicateWords: DuplicateWords = {code: 10102, message: 'config duplicates an already existing config'};

/** A filter to create. */
type FilterDraft = {
	readonly expression: string;
	readonly paused?: boolean | undefined;
	readonly description?: string | undefined;
	readonly ref?: string | undefined;
};

/** Reads a filter of a request without checking its expression. `where` names it in a refusal. */
export function readFilter(given: JsonObject, where: string): FilterDraft {
	const {expression} = given;
	if (expression === undefined) return invalid(where, 'expression is required');
	if (typeof expression !== 'string') return invalid(where, 'expression must be a text');
	return {expression, paused: readPaused(given, where), ...readTexts(given, where)};
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
		this.#kept = world.resources.of('filter', zone);
		this.#plan = plan;
	}

	all(): readonly StoredFilter[] {
		return this.#kept.all();
	}

	get(id: string): StoredFilter | undefined {
		return this.#kept.get(id);
	}

	/** Creates a filter; refuses an invalid expression or a duplicate. */
	add(draft: FilterDraft, words?: DuplicateWords): StoredFilter {
		const filter = this.put(randomBytes(16).toString('hex'), draft, words);
		this.#made.add(filter.id);
		return filter;
	}

	/** Stores a filter under an id, replacing the one there; refuses an invalid expression or a duplicate. */
	put(id: string, draft: FilterDraft, words: DuplicateWords = duplicateWords): StoredFilter {
		const {expression, paused = false, description, ref} = draft;
		refuseBroken(expression, {plan: this.#plan});
		const same = this.all().find(other => other.expression === expression && other.id !== id);
		if (same) return refuse(400, {...words, ...(!this.#made.has(same.id) && {meta: {id: same.id}})});
		return this.#kept.put({id, expression, paused, ...(description && {description}), ...(ref && {ref})});
	}

	delete(id: string): void {
		this.#kept.delete(id);
	}
}
