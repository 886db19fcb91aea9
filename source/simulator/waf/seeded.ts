import type {JsonObject} from '../../text/json.ts';
import type {ResourceOwner, Resources} from '../world/resources.ts';
import type {CataloguePackage} from './catalogue.ts';

/** A rule of a managed ruleset: what a configuration can refer to, and its default behavior. */
type SeededRule = {
	readonly id: string;
	readonly description: string;
	readonly categories: readonly string[];
	/** The default action; most OWASP rules only add to the score. */
	readonly action: string;
	/** True if it is on by default. */
	readonly enabled: boolean;
	/** Only for the OWASP rule that sums the score. */
	readonly score_threshold?: number;
};

/** A managed ruleset that a zone can execute; without `rules` if they cannot be read. */
export type SeededRuleset = {
	readonly id: string;
	readonly name: string;
	/** A decimal number, if the list of rulesets has it. */
	readonly version?: string;
	readonly rules?: readonly SeededRule[];
};

/** The state of a zone that was read from the original service, for a rehearsal of its migration. */
export type SeededZone = {
	readonly packages: readonly CataloguePackage[];
	/** The configuration that the original service proposes; null if none. */
	readonly proposed: JsonObject | null;
	/** The managed rulesets that could be read from the original service. */
	readonly managed?: readonly SeededRuleset[];
	/** True if the original service reports it as incompatible, and nothing that was read explains why. */
	readonly incompatible: boolean;
};

const seedKind = 'seeded-zone';

/** Seeds never change and have thousands of rules, so each is parsed once. */
const seedCache = new WeakMap<Resources, Map<string, SeededZone>>();

/** Returns the seed of a zone; undefined for the world's own zones. */
export function readSeed({resources}: ResourceOwner, zoneId: string): SeededZone | undefined {
	const cachedSeed = seedCache.get(resources)?.get(zoneId);
	if (cachedSeed) return cachedSeed;
	const seed = resources.get(seedKind, zoneId, 'seed') as SeededZone | undefined;
	if (seed) cacheSeed(resources, zoneId, seed);
	return seed;
}

export function setSeed(resources: Resources, zoneId: string, seed: SeededZone): void {
	resources.set(seedKind, zoneId, 'seed', seed as unknown as JsonObject);
}

function cacheSeed(resources: Resources, zoneId: string, seed: SeededZone): void {
	const seeds = seedCache.get(resources) ?? new Map<string, SeededZone>();
	seedCache.set(resources, seeds.set(zoneId, seed));
}
