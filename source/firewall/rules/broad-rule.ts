import {matchesNearlyAll} from '../expression/reach.ts';
import type {RuleFilter} from './rule.ts';

/** What a rule does to which requests, as far as that decides whether it acts on nearly all of them. */
export type Acting = {
	readonly action: string;
	readonly paused?: boolean | undefined;
	readonly filter:
		| RuleFilter
		| {readonly expression?: string | undefined; readonly paused?: boolean | undefined};
};

/** A rule as a write leaves it, and as it was before, where it existed. */
export type ActingChange = {readonly after: Acting; readonly before?: Acting | undefined};

type NamedZone = {readonly name: string};

/** Whether a rule is in force, does more than log, and matches all or nearly all traffic of the zone. */
function isBroad({action, paused, filter}: Acting, zone: NamedZone): boolean {
	if (paused || action === 'log' || 'deleted' in filter || filter.paused) return false;
	return filter.expression !== undefined && matchesNearlyAll(filter.expression, zone.name);
}

const expressionIn = ({filter}: Acting): string | undefined =>
	'expression' in filter ? filter.expression : undefined;

/** True if the write lets a rule act on nearly all traffic of the zone that did not do the same before. */
function becomesBroad({before, after}: ActingChange, zone: NamedZone): boolean {
	if (!isBroad(after, zone)) return false;
	if (!before || !isBroad(before, zone)) return true;
	return before.action !== after.action || expressionIn(before) !== expressionIn(after);
}

/** Why a write of these rules needs the zone's name, in sentences; none if it does not. */
export function findNameReasons(zone: NamedZone, changes: readonly ActingChange[]): readonly string[] {
	const broad = changes.filter(change => becomesBroad(change, zone));
	return [...new Set(broad.map(({after}) => broadSentence(after, zone)))];
}

/** What a broad rule does, for the question before it. */
function broadSentence({action}: Acting, {name}: NamedZone): string {
	return `This rule ${does(action)} all or nearly all traffic of ${name}.`;
}

function does(action: string): string {
	switch (action) {
		case 'block':
			return 'blocks';
		case 'challenge':
		case 'js_challenge':
		case 'managed_challenge':
			return 'challenges';
		case 'allow':
			return 'lets through';
		case 'bypass':
			return 'leads around security products';
		case 'skip':
			return 'skips other protection for';
		default:
			return `does "${action}" to`;
	}
}
