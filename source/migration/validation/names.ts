import {parsePreviousRules} from '../zone/previous-rules.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import type {FindRuleName} from './places.ts';

/** Creates a function that finds a rule of either version in a snapshot of the zone. */
export function createRuleNameFinder(
	snapshot: Pick<Snapshot, 'managed'> | Snapshot | undefined,
): FindRuleName {
	const names = new Map<string, {readonly name: string; readonly ruleset?: string}>();
	const packages = snapshot && 'packages' in snapshot ? parsePreviousRules(snapshot).packages : [];
	for (const {rules} of packages) for (const {id, description} of rules) names.set(id, {name: description});
	for (const {id: ruleset, rules = []} of snapshot?.managed ?? [])
		for (const {id, description} of rules) names.set(id, {name: description, ruleset});
	return rule => names.get(rule);
}
