import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {refuse} from '../http/answer.ts';
import {longestExpression, mostBypasses} from './documented-mapping.ts';
import {type MigratingZone, owaspPackage} from './migrating-zone.ts';

/** True if a zone can migrate; in phase one only if it has hardly anything to migrate. */
export function isCompatible(zone: MigratingZone, phaseTwo: boolean): boolean {
	if (zone.overrides.length > 0 || zone.seed?.incompatible) return false;
	if (phaseTwo) return true;
	const owasp = owaspPackage(zone)?.sensitivity ?? 'off';
	return (!zone.waf.isOn || owasp === 'off') && zone.bypasses.length === 0 && zone.pageRules.length === 0;
}

/** Refuses the request if the zone is not eligible. */
export function refuseUnlessCompatible(zone: MigratingZone, phaseTwo: boolean): void {
	if (isCompatible(zone, phaseTwo)) return;
	const ids = zone.overrides.map(({id}) => String(id));
	const why =
		ids.length > 0
			? `delete its URI-based WAF overrides first: ${ids.join(', ')}`
			: 'it has settings that this phase of the migration does not take; see phase_two';
	refuse(400, {message: `the zone is not eligible for the migration: ${why}`});
}

/** Refuses the request if there is more to migrate than the service allows. */
export function refuseBeyondLimits({bypasses}: MigratingZone): void {
	if (bypasses.length > mostBypasses)
		refuse(400, {
			message: `${bypasses.length} firewall rules would have to be migrated, ${mostBypasses} can be: contact support`,
		});
	for (const rule of bypasses) {
		const bytes = Buffer.byteLength(expressionOf(rule) ?? '');
		if (bytes > longestExpression)
			refuse(400, {
				message: `the expression of firewall rule ${rule.id} has ${bytes} bytes, ${longestExpression} can be migrated: contact support`,
			});
	}
}

/** Returns the expression of a firewall rule; undefined if its filter is missing. */
export function expressionOf({filter}: JsonObject): string | undefined {
	const expression = isJsonObject(filter) ? filter.expression : undefined;
	return typeof expression === 'string' ? expression : undefined;
}
