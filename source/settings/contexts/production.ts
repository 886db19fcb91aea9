import type {KnownContexts} from './active-context.ts';
import type {Context} from './context.ts';

/** What is known of the destination of a write. */
export type WrittenPlace = {
	readonly accountId?: string | undefined;
	readonly zone?: {readonly id: string; readonly name: string} | undefined;
};

/**
 * Finds the production context of a place: the active one, whatever account was chosen, since it signs in as
 * production; else the context of its account or zone.
 */
export function findProductionContext(
	{contextsFile, active}: KnownContexts,
	{accountId, zone}: WrittenPlace,
): Context | undefined {
	if (active?.production) return active;
	return contextsFile?.all.find(
		context =>
			context.production &&
			((accountId !== undefined && context.accountId === accountId) ||
				(zone !== undefined &&
					[zone.id, zone.name.toLowerCase()].includes(context.zone?.toLowerCase() ?? ''))),
	);
}

/**
 * Finds a production context that a zone may belong to, if the account of the zone could not be read and no
 * context is active; undefined otherwise.
 */
export function findPossibleProduction(
	{contextsFile, active}: KnownContexts,
	{accountId, zone}: WrittenPlace,
): Context | undefined {
	if (active || !zone || accountId !== undefined) return undefined;
	return contextsFile?.all.find(context => context.production);
}
