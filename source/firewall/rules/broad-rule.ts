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

/** Whether a rule is in force, does more than log, and matches all or nearly all traffic. */
function isBroad({action, paused, filter}: Acting): boolean {
	if (paused || action === 'log' || 'deleted' in filter || filter.paused) return false;
	return filter.expression !== undefined && matchesNearlyAll(filter.expression);
}

const expressionIn = ({filter}: Acting): string | undefined =>
	'expression' in filter ? filter.expression : undefined;

/**
 * Whether a write lets a rule act on nearly all traffic which did not do the same before: then the zone's name is
 * asked for. `before` is the rule as it was, where there was one.
 */
export function becomesBroad(after: Acting, before?: Acting): boolean {
	if (!isBroad(after)) return false;
	if (!before || !isBroad(before)) return true;
	return before.action !== after.action || expressionIn(before) !== expressionIn(after);
}

/** What a broad rule does, for the question before it. */
export function broadSentence({action}: Acting, {name}: {readonly name: string}): string {
	return `This rule ${does(action)} all or nearly all traffic of ${name}: its expression is always true, or only excludes some requests.`;
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
