import {counted} from '../../text/figures.ts';
import {matchesNearlyAll} from '../expression/expressions.ts';
import type {RuleFilter} from './rule.ts';

/** The parts of a rule that decide whether it acts on nearly all traffic. */
export type Acting = {
	readonly id?: string | undefined;
	readonly action: string;
	readonly description?: string | undefined;
	/** Products that a bypass or skip rule leaves out. */
	readonly products?: readonly string[] | undefined;
	readonly paused?: boolean | undefined;
	readonly filter:
		| RuleFilter
		| {readonly expression?: string | undefined; readonly paused?: boolean | undefined};
};

/** A rule after a write, and before it if it existed. */
export type ActingChange = {readonly after: Acting; readonly before?: Acting | undefined};

/** A rule that is deleted. */
type ActingRemoval = {readonly before: Acting; readonly after?: undefined};

/** One rule that is created, changed or deleted. */
export type RuleWrite = ActingChange | ActingRemoval;

/** Rules in evaluation order, before and after a write. */
type RuleOrder = {readonly before: readonly Acting[]; readonly after: readonly Acting[]};

type NamedZone = {readonly name: string};

/** Rules that one write may pause or delete before the zone's name is required. */
const mostRulesAtOnce = 10;

export const isActive = ({paused, filter}: Acting): boolean =>
	!(paused || 'deleted' in filter || filter.paused);

export const decides = (rule: Acting): boolean => isActive(rule) && rule.action !== 'log';

export const expressionIn = ({filter}: Acting): string | undefined =>
	'expression' in filter ? filter.expression : undefined;

/** True if an enforcing rule matches all or nearly all traffic of the zone. */
function isBroad(rule: Acting, zone: NamedZone): boolean {
	const expression = expressionIn(rule);
	return decides(rule) && expression !== undefined && matchesNearlyAll(expression, zone.name);
}

/** True if a write makes a rule act on nearly all traffic and it did not before. */
function becomesBroad({before, after}: ActingChange, zone: NamedZone): boolean {
	const did = before && decides(before) && doesAsMuch(before, after);
	return !did && isBroad(after, zone);
}

/** True if `before` already did everything that `after` does, to the same requests. */
const doesAsMuch = (before: Acting, after: Acting): boolean =>
	before.action === after.action &&
	expressionIn(before) === expressionIn(after) &&
	(after.products ?? []).every(name => before.products?.includes(name));

/**
 * Finds why a write needs the zone's name, as sentences; empty if it does not. Reasons: a rule newly acts on
 * nearly all traffic, a broad rule moves ahead of others, or more than ten rules are paused or deleted.
 */
export function findNameReasons(
	zone: NamedZone,
	changes: readonly RuleWrite[],
	order: RuleOrder = {before: [], after: []},
): readonly string[] {
	const broad = changes.flatMap(change =>
		change.after && becomesBroad(change, zone) ? [broadSentence(change.after, zone)] : [],
	);
	return [...new Set([...broad, ...overtakingSentences(zone, order), ...lossSentences(zone, changes)])];
}

/** Builds `--confirm ZONE` for a printed command if there are reasons. */
export const confirmOptions = (zone: NamedZone, reasons: readonly string[]): readonly string[] =>
	reasons.length > 0 ? ['--confirm', zone.name] : [];

/** Like `buildConfirmOptions`, but finds the reasons itself. */
export const confirmWords = (zone: NamedZone, changes: readonly RuleWrite[]): readonly string[] =>
	confirmOptions(zone, findNameReasons(zone, changes));

/** Describes broad rules that move ahead of rules that ran before them. */
function overtakingSentences(zone: NamedZone, {before, after}: RuleOrder): readonly string[] {
	const places = new Map(before.map(({id}, place) => [id, place]));
	return after.flatMap((rule, index) => {
		const place = places.get(rule.id);
		if (place === undefined) return [];
		const overtaken = after
			.slice(index + 1)
			.filter(other => (places.get(other.id) ?? Number.POSITIVE_INFINITY) < place)
			.filter(other => decides(other) && other.action !== rule.action);
		if (overtaken.length === 0 || !isBroad(rule, zone)) return [];
		return [
			`${broadSentence(rule, zone)} It will run before ${counted(overtaken.length, 'rule')} that ${overtaken.length === 1 ? 'runs' : 'run'} before it now.`,
		];
	});
}

/** Returns a sentence if too many rules are paused or deleted at once. */
function lossSentences({name}: NamedZone, changes: readonly RuleWrite[]): readonly string[] {
	const deleted = changes.filter(({after}) => !after);
	const paused = changes.filter(({before, after}) => before && after && isActive(before) && !isActive(after));
	const lost = deleted.length + paused.length;
	if (lost <= mostRulesAtOnce) return [];
	const does = [...(paused.length > 0 ? ['pauses'] : []), ...(deleted.length > 0 ? ['deletes'] : [])];
	return [`This ${does.join(' or ')} ${counted(lost, 'rule')} of ${name}.`];
}

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
