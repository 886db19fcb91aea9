import type {Context} from './context.ts';
import type {KnownContexts} from './in-force.ts';

/** Where something is written, as far as it is known. */
export type WrittenPlace = {
	readonly accountId?: string | undefined;
	readonly zone?: {readonly id: string; readonly name: string} | undefined;
};

/**
 * The production context that a place belongs to: its account or zone is one of a context with `production = true`, however
 * it was chosen; or such a context is in force and nothing says another account.
 */
export function productionContext(
	{contexts, inForce}: KnownContexts,
	{accountId, zone}: WrittenPlace,
): Context | undefined {
	const production = (contexts?.all ?? []).filter(context => context.production);
	const holds = (context: Context) =>
		(accountId !== undefined && context.accountId === accountId) ||
		(zone !== undefined && [zone.id, zone.name.toLowerCase()].includes(context.zone?.toLowerCase() ?? ''));
	const byItself = production.filter(holds);
	const here = production.find(({name}) => name === inForce?.name);
	if (here && (byItself.includes(here) || accountId === undefined || here.accountId === undefined))
		return here;
	return byItself[0];
}
