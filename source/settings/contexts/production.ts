import type {Context} from './context.ts';
import type {KnownContexts} from './in-force.ts';

/** Where something is written, as far as it is known. */
export type WrittenPlace = {
	readonly accountId?: string | undefined;
	readonly zone?: {readonly id: string; readonly name: string} | undefined;
};

/**
 * The production context that a place belongs to: the one in force, whatever account was chosen beside it, since it
 * signs in as production; else the context of its account or zone, however that was chosen.
 */
export function productionContext(
	{contexts, inForce}: KnownContexts,
	{accountId, zone}: WrittenPlace,
): Context | undefined {
	if (inForce?.production) return inForce;
	return contexts?.all.find(
		context =>
			context.production &&
			((accountId !== undefined && context.accountId === accountId) ||
				(zone !== undefined &&
					[zone.id, zone.name.toLowerCase()].includes(context.zone?.toLowerCase() ?? ''))),
	);
}

/**
 * The production context that a zone may belong to for all that is known: its account could not be read, and no context
 * was chosen whose credential would tell. Undefined where that can be ruled out.
 */
export function possibleProduction(
	{contexts, inForce}: KnownContexts,
	{accountId, zone}: WrittenPlace,
): Context | undefined {
	if (inForce || !zone || accountId !== undefined) return undefined;
	return contexts?.all.find(context => context.production);
}
