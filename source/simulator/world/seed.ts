import type {JsonObject} from '../../text/json.ts';
import type {Plan} from '../accounts/plan.ts';
import type {CataloguePackage} from '../waf/catalogue.ts';
import type {SeededRuleset} from '../waf/seeded.ts';

/** A zone that was read from the original service, with each object as returned; null if missing. */
export type Seed = {
	readonly zone: {readonly id: string; readonly name: string; readonly plan: Plan | undefined};
	/** The eligibility check of the migration. */
	readonly check: JsonObject | null;
	readonly status: JsonObject | null;
	/** The switch of the previous managed rules. */
	readonly waf: JsonObject | null;
	readonly packages: readonly CataloguePackage[];
	readonly overrides: readonly JsonObject[];
	/** The firewall rules, including their filters. */
	readonly firewallRules: readonly JsonObject[];
	readonly filters: readonly JsonObject[];
	readonly pageRules: readonly JsonObject[];
	/** The configuration that the service proposes. */
	readonly proposed: JsonObject | null;
	/** The entry point ruleset of the managed phase. */
	readonly entryPoint: JsonObject | null;
	/** The managed rulesets that the zone can execute and that could be read. */
	readonly managed?: readonly SeededRuleset[] | undefined;
};
