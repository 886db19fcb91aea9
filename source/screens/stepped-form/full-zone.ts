import {findSpareRule} from '../../firewall/rules/emergency-quota.ts';

/**
 * Describes how to make room in a full zone, by deleting the cheapest of its rules. `alternative`: what needs no
 * room, if anything.
 */
export function describeMakingRoom(
	existingRules: Parameters<typeof findSpareRule>[0] | undefined,
	alternative?: string,
): string {
	const spare = existingRules && findSpareRule(existingRules);
	const deletion = `delete ${spare?.name ?? 'a rule'}`;
	return alternative === undefined
		? `First ${deletion}.`
		: `${alternative}, which does not count toward this limit; or first ${deletion}.`;
}
