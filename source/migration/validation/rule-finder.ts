import {parsePreviousRules} from '../zone/previous-rules.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import type {FindManagedRule} from './places.ts';

/** Creates a function that finds a rule of either version in a snapshot of the zone. */
export function createManagedRuleFinder(
	snapshot: Pick<Snapshot, 'catalogue'> | Snapshot | undefined,
): FindManagedRule {
	const names = new Map<string, {readonly name: string; readonly rulesetId?: string}>();
	const packages = snapshot && 'packages' in snapshot ? parsePreviousRules(snapshot).packages : [];
	for (const {rules} of packages) for (const {id, description} of rules) names.set(id, {name: description});
	for (const {id: rulesetId, rules = []} of snapshot?.catalogue ?? [])
		for (const {id, description} of rules) names.set(id, {name: description, rulesetId});
	return ruleId => names.get(ruleId);
}
