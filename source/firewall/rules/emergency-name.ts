import {classifySources} from '../expression/expressions.ts';
import {findZoneNameReasons, type RuleEffectChange} from './broad-rule.ts';
import {removeEnd} from './end-time.ts';

/**
 * Finds why an emergency block must be confirmed by typing the zone's name, as sentences; empty if it need
 * not. Reasons: it acts on nearly all traffic, or blocks addresses that it does not name. The latter does not
 * apply to a challenge, which lets ordinary visitors through.
 */
export function findEmergencyZoneNameReasons(
	zone: {readonly name: string},
	change: RuleEffectChange,
): readonly string[] {
	const reasons = findZoneNameReasons(zone, [change]);
	if (reasons.length > 0) return reasons;
	const {action, paused, filter} = change.after;
	const expression = 'expression' in filter ? filter.expression : undefined;
	if (action !== 'block' || paused || expression === undefined) return [];
	const sources = classifySources(removeEnd(expression));
	if (sources === 'named') return [];
	return [
		`This rule also blocks ordinary visitors of ${zone.name}: ${sources === 'large' ? 'its networks contain a large share of all IP addresses' : 'it is not limited to specific IP addresses'}.`,
	];
}
