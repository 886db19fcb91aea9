import {findSources} from '../expression/expressions.ts';
import {type ActingChange, findNameReasons} from './broad-rule.ts';

/**
 * Why an emergency needs the zone's name, in sentences; none if it does not: it acts on nearly all traffic, or it
 * blocks requests that do not come from the addresses it names. A challenge lets ordinary visitors through.
 */
export function findEmergencyReasons(zone: {readonly name: string}, change: ActingChange): readonly string[] {
	const reasons = findNameReasons(zone, [change]);
	if (reasons.length > 0) return reasons;
	const {action, paused, filter} = change.after;
	const expression = 'expression' in filter ? filter.expression : undefined;
	if (action !== 'block' || paused || expression === undefined) return [];
	const sources = findSources(expression);
	if (sources === 'named') return [];
	return [
		`This rule also blocks ordinary visitors of ${zone.name}: ${sources === 'large' ? 'its networks hold a large part of all addresses' : 'it is not limited to named addresses'}.`,
	];
}
