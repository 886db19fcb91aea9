import {simulatedAccount} from '../accounts/identities.ts';
import {SimulatorError} from '../http/error.ts';
import type {ResourceOwner} from '../world/resources.ts';

/**
 * States of the filters and firewall rules of a zone, other than the usual one. `retired`: all calls get 410.
 * `read-only`: changes are refused with code 10020, as before the retirement.
 */
export const retirementStates = ['retired', 'read-only'] as const;
export type RetirementState = (typeof retirementStates)[number];

const stateId = 'firewall';

/** True if filters and firewall rules of a zone are in the state. */
export const isFirewall = (state: RetirementState, {resources}: ResourceOwner, zoneId: string): boolean =>
	resources.get(`firewall-${state}`, zoneId, stateId) !== undefined;

export const setRetirementState = (
	{resources}: ResourceOwner,
	zoneId: string,
	state: RetirementState,
): void => resources.set(`firewall-${state}`, zoneId, stateId, {});

/**
 * Returns the id of the zone with this name or id. Fails with `usage` if it is missing, or the name is
 * ambiguous.
 */
export function resolveZoneId({resources}: ResourceOwner, nameOrId: string): string {
	const zones = resources.list('zone', simulatedAccount.id);
	const searchName = nameOrId.toLowerCase();
	const matchingZones = zones.filter(zone => [zone.id, zone.name].includes(searchName));
	const [zone] = matchingZones;
	if (zone && matchingZones.length === 1) return String(zone.id);
	if (zone)
		throw new SimulatorError('usage', `"${nameOrId}" is the name of more than one simulated zone.`, {
			next: `Specify its id: ${matchingZones.map(match => match.id).join(' or ')}.`,
		});
	throw new SimulatorError('usage', `The simulated world has no zone "${nameOrId}".`, {
		why: `Its zones are ${[...new Set(zones.map(({name}) => name))].join(', ')}.`,
		next: 'Specify one of these names, or its id.',
	});
}
