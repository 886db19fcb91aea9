import {randomBytes} from 'node:crypto';
import type {JsonObject} from '../../text/json.ts';
import type {Collection} from '../world/resources.ts';
import type {World} from '../world/world.ts';
import type {RequestedRule} from './requested-rule.ts';

/** A rule as it is stored and returned. */
export type StoredRule = JsonObject &
	RequestedRule & {
		readonly id: string;
		readonly version: string;
		readonly ref: string;
		readonly last_updated: string;
	};

/** A ruleset as it is stored and returned. */
export type StoredRuleset = JsonObject & {
	readonly id: string;
	readonly name: string;
	readonly description: string;
	readonly source: string;
	readonly kind: 'zone';
	readonly version: string;
	readonly rules: readonly StoredRule[];
	readonly last_updated: string;
	readonly phase: string;
};

/** The parts of a ruleset that a change replaces. */
type RulesetChanges = {readonly description?: string; readonly rules: readonly StoredRule[]};

/** The rulesets of one zone, with all their versions. */
export class StoredRulesets {
	readonly #resources: World['resources'];
	readonly #zoneId: string;
	readonly #collection: Collection<StoredRuleset>;

	constructor({resources}: World, zoneId: string) {
		this.#resources = resources;
		this.#zoneId = zoneId;
		this.#collection = resources.getCollection('ruleset', zoneId);
	}

	list(): readonly StoredRuleset[] {
		return this.#collection.list();
	}

	get(id: string): StoredRuleset | undefined {
		return this.#collection.get(id);
	}

	/** Returns the entry point of a phase. */
	findByPhase(phase: string): StoredRuleset | undefined {
		return this.list().find(ruleset => ruleset.phase === phase);
	}

	/** Returns the existing versions, oldest first. */
	listVersions(id: string): readonly StoredRuleset[] {
		return this.#resources.list('ruleset-version', this.#getVersionParent(id)) as StoredRuleset[];
	}

	findVersion(id: string, version: string): StoredRuleset | undefined {
		return this.listVersions(id).find(ruleset => ruleset.version === version);
	}

	create(
		ruleset: {name: string; description: string; source: string; phase: string},
		changes: RulesetChanges,
		now: number,
	) {
		return this.#save({
			id: generateId(),
			kind: 'zone',
			...ruleset,
			...changes,
			version: '1',
			last_updated: formatTimestamp(now),
		} as StoredRuleset);
	}

	/** Saves a new version, numbered one higher. */
	change(ruleset: StoredRuleset, changes: RulesetChanges, now: number): StoredRuleset {
		return this.#save({
			...ruleset,
			...changes,
			version: String(Number(ruleset.version) + 1),
			last_updated: formatTimestamp(now),
		} as StoredRuleset);
	}

	/** Deletes a ruleset with all its versions. */
	delete({id}: StoredRuleset): void {
		for (const {version} of this.listVersions(id)) this.deleteVersion(id, version);
		this.#collection.delete(id);
	}

	deleteVersion(id: string, version: string): void {
		this.#resources.delete('ruleset-version', this.#getVersionParent(id), version);
	}

	#save(ruleset: StoredRuleset): StoredRuleset {
		this.#resources.set('ruleset-version', this.#getVersionParent(ruleset.id), ruleset.version, ruleset);
		return this.#collection.put(ruleset);
	}

	#getVersionParent(id: string): string {
		return `${this.#zoneId}/${id}`;
	}
}

/** Builds the stored form of a rule; returns `storedRule` if nothing changes. */
export function buildStoredRule(
	requestedRule: RequestedRule,
	storedRule: StoredRule | undefined,
	now: number,
): StoredRule {
	const {id = storedRule?.id ?? generateId(), action, expression, description, enabled} = requestedRule;
	const {ratelimit} = requestedRule;
	const parameters = requestedRule.action_parameters ?? {};
	const logging = requestedRule.logging ?? (action === 'skip' ? {enabled: true} : undefined);
	const content = {
		ref: requestedRule.ref ?? storedRule?.ref ?? id,
		action,
		// The service adds the version of the executed managed ruleset.
		...(action === 'execute'
			? {action_parameters: {version: 'latest', ...parameters}}
			: Object.keys(parameters).length > 0 && {action_parameters: parameters}),
		expression,
		description,
		enabled,
		...(logging && {logging}),
		...(ratelimit && {ratelimit}),
	};
	if (storedRule && isUnchanged(content, storedRule)) return storedRule;
	const version = String(Number(storedRule?.version ?? 0) + 1);
	return {id, version, ...content, last_updated: formatTimestamp(now)} as StoredRule;
}

function isUnchanged(
	content: JsonObject,
	{id: _, version: __, last_updated: ___, ...storedContent}: StoredRule,
): boolean {
	return JSON.stringify(content) === JSON.stringify(storedContent);
}

const generateId = (): string => randomBytes(16).toString('hex');

/** Formats a time as RFC 3339 with microseconds. */
const formatTimestamp = (now: number): string => new Date(now).toISOString().replace('Z', '000Z');
