import {randomBytes} from 'node:crypto';
import type {JsonObject} from '../../text/json.ts';
import type {World} from '../world/world.ts';
import type {StoredFilters} from './stored-filters.ts';

/** A rule as it is kept: of its filter only the id. */
export type StoredRule = JsonObject & {
	readonly id: string;
	readonly paused: boolean;
	readonly action: string;
	readonly priority: number | null;
	readonly filter: string;
	readonly products?: readonly string[];
	readonly description?: string;
	readonly ref?: string;
};

/** The firewall rules of one zone. */
export class StoredRules {
	readonly #world: World;
	readonly #zone: string;

	constructor(world: World, zone: string) {
		this.#world = world;
		this.#zone = zone;
	}

	all(): readonly StoredRule[] {
		return this.#world.resources.list('firewall-rule', this.#zone) as StoredRule[];
	}

	get(id: string): StoredRule | undefined {
		return this.#world.resources.get('firewall-rule', this.#zone, id) as StoredRule | undefined;
	}

	/** Adds one with a new id. */
	add(rule: Omit<StoredRule, 'id'>): StoredRule {
		return this.put({...rule, id: randomBytes(16).toString('hex')} as StoredRule);
	}

	/** Replaces the rule of the same id. */
	put(rule: StoredRule): StoredRule {
		this.#world.resources.set('firewall-rule', this.#zone, rule.id, rule);
		return rule;
	}

	delete(id: string): void {
		this.#world.resources.delete('firewall-rule', this.#zone, id);
	}

	usersOf(filter: string): readonly StoredRule[] {
		return this.all().filter(rule => rule.filter === filter);
	}
}

/** A rule as an answer shows it; of a filter that is gone it says so. */
export function shownRule(rule: StoredRule, filters: StoredFilters): JsonObject {
	const {filter, ...rest} = rule;
	return {...rest, filter: filters.get(filter) ?? {id: filter, deleted: true}};
}
