import {isJsonObject, type JsonObject} from '../../text/json.ts';
import {refuseRequest} from '../http/answer.ts';
import {maxMigratedExpressionBytes, maxMigratedRules} from './documented-mapping.ts';
import {getOwaspPackage, type MigratingZone} from './migrating-zone.ts';

/** True if a zone can migrate. In phase one, only a zone with almost nothing to migrate can. */
export function isCompatible(zone: MigratingZone, inPhaseTwo: boolean): boolean {
	if (zone.overrides.length > 0 || zone.seed?.incompatible) return false;
	if (inPhaseTwo) return true;
	const owaspSensitivity = getOwaspPackage(zone)?.sensitivity ?? 'off';
	return (
		(!zone.previousWaf.isOn || owaspSensitivity === 'off') &&
		zone.bypassRules.length === 0 &&
		zone.pageRules.length === 0
	);
}

/** Refuses the request if the zone is not eligible. */
export function requireCompatible(zone: MigratingZone, inPhaseTwo: boolean): void {
	if (isCompatible(zone, inPhaseTwo)) return;
	const ids = zone.overrides.map(({id}) => String(id));
	const reason =
		ids.length > 0
			? `delete its URI-based WAF overrides first: ${ids.join(', ')}`
			: 'it has settings that this phase of the migration does not take; see phase_two';
	refuseRequest(400, {message: `the zone is not eligible for the migration: ${reason}`});
}

/** Refuses the request if there is more to migrate than the service allows. */
export function requireWithinLimits({bypassRules}: MigratingZone): void {
	if (bypassRules.length > maxMigratedRules)
		refuseRequest(400, {
			message: `${bypassRules.length} firewall rules would have to be migrated, ${maxMigratedRules} can be: contact support`,
		});
	for (const rule of bypassRules) {
		const bytes = Buffer.byteLength(getBypassExpression(rule) ?? '');
		if (bytes > maxMigratedExpressionBytes)
			refuseRequest(400, {
				message: `the expression of firewall rule ${rule.id} has ${bytes} bytes, ${maxMigratedExpressionBytes} can be migrated: contact support`,
			});
	}
}

/** Returns the expression of a firewall rule; undefined if its filter is missing. */
export function getBypassExpression({filter}: JsonObject): string | undefined {
	const expression = isJsonObject(filter) ? filter.expression : undefined;
	return typeof expression === 'string' ? expression : undefined;
}
