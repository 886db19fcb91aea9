import type {SimulatedAccount} from '../accounts/identities.ts';
import type {Route} from '../http/route.ts';
import type {World} from '../world/world.ts';
import type {KvUsage} from './kv-usage.ts';

/** Where numbers and events come from. */
export type Sources = {
	/** The worlds of the accounts, in their order; the first one has the zones. */
	readonly worlds: readonly [World, ...World[]];
	readonly accounts: readonly SimulatedAccount[];
	readonly usage: KvUsage;
};

/** The endpoint of numbers and events. Its queries have a quota of their own. */
export const analyticsPath = '/graphql';

/** Numbers and events. What answers is loaded with the first query: the language of queries is large. */
export const analyticsRoutes = (sources: Sources): readonly Route[] => [
	{
		method: 'POST',
		path: analyticsPath,
		answer: async ask => (await import('./answer.ts')).answerQuery(ask, sources),
	},
];
