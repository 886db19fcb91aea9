import type {JsonValue} from '../../text/json.ts';
import {type Answer, done} from '../http/answer.ts';
import {objectOf} from '../http/json-request.ts';
import type {Ask} from '../http/route.ts';
import {notFound, refuseValue} from './errors.ts';
import {readGivenRule} from './given-rule.ts';
import {placed} from './position.ts';
import type {StoredRule} from './stored-rulesets.ts';
import {checkedRules, checkTogether, rulesetNamed, writable, zoneRulesets} from './zone-rulesets.ts';

/** Adds a rule at its `position`, by default at the end. Answers with the whole ruleset. */
export function addRule(ask: Ask, body: JsonValue | undefined): Answer {
	const {position, ...given} = objectOf(body, 'a rule');
	const ruleset = rulesetNamed(ask);
	const {id: _, ...rule} = readGivenRule(given, '');
	const [added] = checkedRules(zoneRulesets(ask), writable(ruleset.phase), {
		given: [rule],
		before: [],
		at: () => '',
	});
	return withRules(ask, added ? placed(ruleset.rules, added, position) : ruleset.rules);
}

/** Replaces a rule, or only moves it if the body has nothing but a `position`. */
export function changeRule(ask: Ask, body: JsonValue | undefined): Answer {
	const {position, ...given} = objectOf(body, 'a rule');
	const ruleset = rulesetNamed(ask);
	const before = ruleNamed(ask);
	const others = ruleset.rules.filter(rule => rule.id !== before.id);
	if (Object.keys(given).length === 0 && position !== undefined)
		return withRules(ask, placed(others, before, position));
	const rule = {...readGivenRule(given, ''), id: before.id};
	if (given.id !== undefined && given.id !== before.id)
		return refuseValue('id is another one than in the path', '/id');
	const [changed = before] = checkedRules(zoneRulesets(ask), writable(ruleset.phase), {
		given: [rule],
		before: [before],
		at: () => '',
	});
	const rules =
		position === undefined
			? ruleset.rules.map(other => (other.id === before.id ? changed : other))
			: placed(others, changed, position);
	return withRules(ask, rules);
}

export function deleteRule(ask: Ask): Answer {
	const {id} = ruleNamed(ask);
	return withRules(
		ask,
		rulesetNamed(ask).rules.filter(rule => rule.id !== id),
	);
}

function ruleNamed(ask: Ask): StoredRule {
	const {rule: id = ''} = ask.parameters;
	return rulesetNamed(ask).rules.find(rule => rule.id === id) ?? notFound(`rule ${id}`);
}

function withRules(ask: Ask, rules: readonly StoredRule[]): Answer {
	const zone = zoneRulesets(ask);
	const ruleset = rulesetNamed(ask);
	checkTogether(zone, writable(ruleset.phase), rules);
	return done(zone.rulesets.change(ruleset, {rules}, zone.now));
}
