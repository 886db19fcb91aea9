import {matchesNearlyAll} from '../firewall/expression/expressions.ts';
import {acting, onlyFor} from '../migration/configuration/acting.ts';
import {
	type Configuration,
	type ConfiguredRule,
	canonicalRule,
} from '../migration/configuration/configuration.ts';
import {affects} from '../migration/configuration/exceptions.ts';
import {managedRulesets, rulesetName, thresholdRule} from '../migration/configuration/mapping.ts';
import {executedRuleset} from '../migration/configuration/override-edits.ts';
import {overridesIn} from '../migration/configuration/rule-overrides.ts';
import {managedPhase} from '../rulesets/ruleset.ts';
import {objects} from '../text/json.ts';

type Rules = Pick<Configuration, 'rules'>;

/**
 * In what a change leaves the zone with less protection than a slip should: a managed ruleset that acts no longer or on less, and an
 * exception that skips all managed rules or is for nearly all requests. Each is a sentence; the zone's name is typed for them.
 */
export function dangersOf(before: Rules, after: Rules, zone: string | undefined): readonly string[] {
	return [...lessOf(before, after), ...newExceptions(before, after, zone)];
}

/** How far a managed ruleset acts, the least first. */
const extents = ['not at all', 'in part', 'for some requests', 'for all requests'] as const;
type Extent = {readonly is: (typeof extents)[number]; readonly only: readonly string[]};

function lessOf(before: Rules, after: Rules): readonly string[] {
	const ids = [...new Set(before.rules.flatMap(rule => executedRuleset(rule) ?? []))];
	const less = ids.flatMap(id => {
		const [was, is] = [extentOf(before, id), extentOf(after, id)];
		const lost = extents.indexOf(is.is) - extents.indexOf(was.is);
		const narrowed =
			lost === 0 && is.is === 'for some requests' && !was.only.every(one => is.only.includes(one));
		if (lost >= 0 && !narrowed) return [];
		return [`${rulesetName(id)} ${lessened(after, id, is)}.`];
	});
	const isLast = ids.length > 0 && !after.rules.some(rule => actsAtAll(rule));
	return less.length > 0 && isLast ? [...less, 'No managed ruleset acts afterwards.'] : less;
}

function lessened(after: Rules, id: string, {is, only}: Extent): string {
	switch (is) {
		case 'not at all':
			return after.rules.some(rule => executedRuleset(rule) === id) ? 'is turned off' : 'is removed';
		case 'in part':
			return 'is turned off but for what an override turns on';
		case 'for some requests':
		case 'for all requests':
			return `acts only for requests with ${only.join(' or ')}`;
		default:
			return is satisfies never;
	}
}

function extentOf({rules}: Rules, id: string): Extent {
	const all = rules.filter(rule => executedRuleset(rule) === id && actsAtAll(rule));
	const whole = all.filter(rule => acting(rule) === 'on');
	const only = whole.flatMap(rule => onlyFor(rule) ?? []);
	if (all.length === 0) return {is: 'not at all', only};
	if (whole.length === 0) return {is: 'in part', only};
	return {is: only.length < whole.length ? 'for all requests' : 'for some requests', only};
}

/** OWASP only counts points where the rule that acts on them is off. */
function actsAtAll(rule: ConfiguredRule): boolean {
	const how = acting(rule);
	if (rule.action !== 'execute' || (how !== 'on' && how !== 'partly on')) return false;
	if (executedRuleset(rule) !== managedRulesets.owasp.id) return true;
	return objects(overridesIn(rule).rules).findLast(({id}) => id === thresholdRule)?.enabled !== false;
}

/** Exceptions that skip much, and did not skip as much of what acted before. */
function newExceptions(before: Rules, after: Rules, zone: string | undefined): readonly string[] {
	const executed = new Set(before.rules.flatMap(rule => executedRuleset(rule) ?? []));
	const known = before.rules.flatMap((rule, index) =>
		isWide(rule, zone) ? [{same: sameness(rule), skipped: skippedBy(before, index, executed)}] : [],
	);
	return after.rules.flatMap((rule, index) => {
		if (!isWide(rule, zone)) return [];
		const skipped = skippedBy(after, index, executed);
		const was = known.find(
			one => one.same === sameness(rule) && skipped.every(id => one.skipped.includes(id)),
		);
		return was ? [] : [wideSentence(rule, zone)];
	});
}

const isWide = (rule: ConfiguredRule, zone: string | undefined): boolean =>
	rule.action === 'skip' &&
	rule.enabled !== false &&
	(skipsAll(rule) || matchesNearlyAll(rule.expression, zone));

function skipsAll({action_parameters: {ruleset, phases} = {}}: ConfiguredRule): boolean {
	return ruleset === 'current' || (Array.isArray(phases) && phases.includes(managedPhase));
}

/** What an exception does, whatever it is called. */
const sameness = (rule: ConfiguredRule): string =>
	JSON.stringify({...canonicalRule(rule), description: '', logging: null});

const skippedBy = ({rules}: Rules, index: number, among: ReadonlySet<string>): readonly string[] =>
	rules.slice(index + 1).flatMap(rule => {
		const id = executedRuleset(rule);
		return id !== undefined && among.has(id) && affects(rules[index] as ConfiguredRule, id) ? [id] : [];
	});

function wideSentence(rule: ConfiguredRule, zone: string | undefined): string {
	const which = matchesNearlyAll(rule.expression, zone)
		? 'all or nearly all requests'
		: `requests with ${rule.expression}`;
	return skipsAll(rule)
		? `An exception skips all managed rules for ${which}.`
		: `An exception skips managed rules for ${which}.`;
}
