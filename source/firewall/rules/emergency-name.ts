import {findSources} from '../expression/expressions.ts';
import {findNameReasons, type RuleEffectChange} from './broad-rule.ts';

/**
 * Finds why an emergency block must be confirmed by typing the zone's name, as sentences; empty if it need
 * not. Reasons: it acts on nearly all traffic, or blocks addresses that it does not name. The latter does not
 * apply to a challenge, which lets ordinary visitors through.
 */
export function findEmergencyReasons(
	zone: {readonly name: string},
	change: RuleEffectChange,
): readonly string[] {
	const reasons = findNameReasons(zone, [change]);
	if (reasons.length > 0) return reasons;
	const {action, paused, filter} = change.after;
	const expression = 'expression' in filter ? filter.expression : undefined;
	if (action !== 'block' || paused || expression === undefined) return [];
	const sources = findSources(expression);
	if (sources === 'named') return [];
	return [
		`This rule also blocks ordinary visitors of ${zone.name}: ${sources === 'large' ? 'its networks contain a large share of all IP addresses' : 'it is not limited to specific IP addresses'}.`,
	];
}
