import type {JsonObject} from '../../text/json.ts';
import type {ResourceOwner, Resources} from '../world/resources.ts';
import type {CataloguePackage} from './catalogue.ts';

/** A rule of a managed ruleset: what a configuration can name it by, and what it does unless that overrides it. */
type SeededRule = {
	readonly id: string;
	readonly description: string;
	readonly categories: readonly string[];
	/** What it does by default; a rule of OWASP only adds to the score. */
	readonly action: string;
	/** Whether it is on by default. */
	readonly enabled: boolean;
	/** Only the rule that adds up the scores of OWASP has one. */
	readonly score_threshold?: number;
};

/** A managed ruleset that a zone can execute; without `rules` where they cannot be read. */
export type SeededRuleset = {
	readonly id: string;
	readonly name: string;
	/** A decimal number as text, where the list has one. */
	readonly version?: string;
	readonly rules?: readonly SeededRule[];
};

/** What a zone has that came from somewhere else, for a rehearsal. */
export type SeededZone = {
	readonly packages: readonly CataloguePackage[];
	/** What that place proposes; null where it proposes nothing. */
	readonly proposed: JsonObject | null;
	/** The managed rulesets of that place, as far as they could be read. */
	readonly managed?: readonly SeededRuleset[];
	/** Said by that place, while nothing that was read explains it. */
	readonly incompatible: boolean;
};

const kind = 'seeded-zone';

/** Seeds never change, and have thousands of rules: each is read once. */
const read = new WeakMap<Resources, Map<string, SeededZone>>();

/** What came from elsewhere, `undefined` for a zone of the world's own. */
export function readSeed({resources}: ResourceOwner, zone: string): SeededZone | undefined {
	const known = read.get(resources)?.get(zone);
	if (known) return known;
	const seed = resources.get(kind, zone, 'seed') as SeededZone | undefined;
	if (seed) remember(resources, zone, seed);
	return seed;
}

export function setSeed(resources: Resources, zone: string, seed: SeededZone): void {
	resources.set(kind, zone, 'seed', seed as unknown as JsonObject);
}

function remember(resources: Resources, zone: string, seed: SeededZone): void {
	const seeds = read.get(resources) ?? new Map<string, SeededZone>();
	read.set(resources, seeds.set(zone, seed));
}
