import type {SimulatedAccount} from '../accounts/identities.ts';
import type {World} from '../world/world.ts';
import type {KvUsage} from './kv-usage.ts';

/** The accounts, worlds and counts of calls that the datasets are computed from. */
export type AnalyticsSources = {
	/** The worlds of the accounts, in their order; the first one has the zones. */
	readonly worlds: readonly [World, ...World[]];
	readonly accounts: readonly SimulatedAccount[];
	readonly usage: KvUsage;
};
