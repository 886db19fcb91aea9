import type {JsonValue} from '../../text/json.ts';
import {buildSuccessAnswer, type ServiceAnswer} from '../http/answer.ts';
import {requireObject} from '../http/json-request.ts';
import type {RequestContext} from '../http/route.ts';
import {refuseNotFound, refuseValue} from './errors.ts';
import {insertRule} from './position.ts';
import {readRequestedRule} from './requested-rule.ts';
import type {StoredRule} from './stored-rulesets.ts';
import {
	buildStoredRules,
	checkRuleCombination,
	getRequestedRuleset,
	getWritablePhase,
	getZoneRulesets,
} from './zone-rulesets.ts';

/** Adds a rule at the requested `position`, by default at the end. Answers with the whole ruleset. */
export function addStoredRule(context: RequestContext, body: JsonValue | undefined): ServiceAnswer {
	const {position, ...fields} = requireObject(body, 'a rule');
	const ruleset = getRequestedRuleset(context);
	const {id: _, ...rule} = readRequestedRule(fields, '');
	const [addedRule] = buildStoredRules(getZoneRulesets(context), getWritablePhase(ruleset.phase), {
		requestedRules: [rule],
		storedRules: [],
		getPointer: () => '',
	});
	return saveRules(context, addedRule ? insertRule(ruleset.rules, addedRule, position) : ruleset.rules);
}

/** Replaces a rule, or only moves it if the body has nothing but a `position`. */
export function changeStoredRule(context: RequestContext, body: JsonValue | undefined): ServiceAnswer {
	const {position, ...fields} = requireObject(body, 'a rule');
	const ruleset = getRequestedRuleset(context);
	const currentRule = getRequestedRule(context);
	const otherRules = ruleset.rules.filter(rule => rule.id !== currentRule.id);
	if (Object.keys(fields).length === 0 && position !== undefined)
		return saveRules(context, insertRule(otherRules, currentRule, position));
	const rule = {...readRequestedRule(fields, ''), id: currentRule.id};
	if (fields.id !== undefined && fields.id !== currentRule.id)
		return refuseValue('id is another one than in the path', '/id');
	const [changedRule = currentRule] = buildStoredRules(
		getZoneRulesets(context),
		getWritablePhase(ruleset.phase),
		{
			requestedRules: [rule],
			storedRules: [currentRule],
			getPointer: () => '',
		},
	);
	const rules =
		position === undefined
			? ruleset.rules.map(storedRule => (storedRule.id === currentRule.id ? changedRule : storedRule))
			: insertRule(otherRules, changedRule, position);
	return saveRules(context, rules);
}

export function deleteRequestedRule(context: RequestContext): ServiceAnswer {
	const {id} = getRequestedRule(context);
	return saveRules(
		context,
		getRequestedRuleset(context).rules.filter(rule => rule.id !== id),
	);
}

function getRequestedRule(context: RequestContext): StoredRule {
	const {rule: id = ''} = context.parameters;
	return getRequestedRuleset(context).rules.find(rule => rule.id === id) ?? refuseNotFound(`rule ${id}`);
}

function saveRules(context: RequestContext, rules: readonly StoredRule[]): ServiceAnswer {
	const zone = getZoneRulesets(context);
	const ruleset = getRequestedRuleset(context);
	checkRuleCombination(zone, getWritablePhase(ruleset.phase), rules);
	return buildSuccessAnswer(zone.rulesets.change(ruleset, {rules}, zone.now));
}
