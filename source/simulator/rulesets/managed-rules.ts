import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {refuseInvalidExpression} from '../accounts/expression-judgement.ts';
import {hasRequiredPlan} from '../accounts/plan.ts';
import {describePlanLack} from '../accounts/plan-lacks.ts';
import {newOverrideActions} from '../waf/managed-ids.ts';
import {refuseAction, refusePlan, refuseValue} from './errors.ts';
import type {GivenRule} from './given-rule.ts';
import type {ManagedCatalogue, ManagedRuleset} from './managed-catalogue.ts';
import {checkException} from './managed-skip.ts';
import {managedRulesPhase} from './phase-names.ts';
import type {PhaseRules} from './phase-rules.ts';

/** Rules of the managed phase: managed rulesets to execute, and exceptions from them. */
export const managedRules: PhaseRules = {
	phase: managedRulesPhase,
	source: 'firewall_managed',
	getMaxRules: () => 1000,
	check(rule, {plan, managed}, pointer) {
		if (!hasRequiredPlan(plan, 'pro')) refusePlan(describePlanLack(plan, 'managed rules', 'pro'), pointer);
		checkManagedAction(rule, managed, pointer);
		if (!managed.acceptedExpressions.has(rule.expression))
			refuseInvalidExpression(rule.expression, {plan, phase: managedRulesPhase}, `${pointer}/expression`);
	},
	// Only Enterprise may use both versions at once.
	checkTogether(rules, {plan, isMigrated}) {
		const index = rules.findIndex(({enabled}) => enabled);
		if (isMigrated || hasRequiredPlan(plan, 'enterprise') || index < 0) return;
		refusePlan(
			`${describePlanLack(plan, 'managed rules of both versions at once', 'enterprise')} Before its migration every rule must have enabled: false.`,
			`/rules/${index}/enabled`,
		);
	},
};

function checkManagedAction(rule: GivenRule, managed: ManagedCatalogue, pointer: string): void {
	switch (rule.action) {
		case 'execute':
			checkExecute(rule.action_parameters ?? {}, managed, `${pointer}/action_parameters`);
			break;
		case 'skip':
			checkException(rule.action_parameters ?? {}, managed, `${pointer}/action_parameters`);
			break;
		default:
			refuseAction(rule.action, managedRulesPhase, pointer);
	}
}

function checkExecute(given: JsonObject, managed: ManagedCatalogue, at: string): void {
	checkNames(given, ['id', 'version', 'overrides', 'matched_data'], at);
	const ruleset =
		managed.rulesets.find(({id}) => id === given.id) ??
		refuseValue(`there is no managed ruleset ${JSON.stringify(given.id)}`, `${at}/id`);
	if (given.matched_data !== undefined && !isJsonObject(given.matched_data))
		refuseValue('matched_data must be an object', `${at}/matched_data`);
	if (given.overrides !== undefined)
		checkOverrides(given.overrides, ruleset, managed.isWhole, `${at}/overrides`);
}

function checkOverrides(value: JsonValue, ruleset: ManagedRuleset, isWhole: boolean, at: string): void {
	const given = requireObjectParameter(value, at);
	checkNames(given, ['action', 'enabled', 'categories', 'rules', 'sensitivity_level'], at);
	checkSettings(given, at);
	for (const [index, one] of readArrayParameter(given.categories, `${at}/categories`).entries()) {
		const where = `${at}/categories/${index}`;
		const override = requireObjectParameter(one, where);
		checkNames(override, ['category', 'action', 'enabled', 'sensitivity_level'], where);
		checkSettings(override, where);
		const known = ruleset.rules.some(
			({categories}) => Array.isArray(categories) && categories.includes(override.category ?? ''),
		);
		if (isWhole ? !known : typeof override.category !== 'string')
			refuseValue(
				`no rule of the managed ruleset has the category ${JSON.stringify(override.category)}`,
				`${where}/category`,
			);
	}
	for (const [index, one] of readArrayParameter(given.rules, `${at}/rules`).entries())
		checkRuleOverride(
			requireObjectParameter(one, `${at}/rules/${index}`),
			ruleset,
			isWhole,
			`${at}/rules/${index}`,
		);
}

function checkRuleOverride(given: JsonObject, ruleset: ManagedRuleset, isWhole: boolean, at: string): void {
	checkNames(given, ['id', 'action', 'enabled', 'score_threshold', 'sensitivity_level'], at);
	checkSettings(given, at);
	const rule = ruleset.rules.find(({id}) => id === given.id);
	if (isWhole ? !rule : typeof given.id !== 'string')
		refuseValue(`the rule ${JSON.stringify(given.id)} does not belong to the managed ruleset`, `${at}/id`);
	const {score_threshold: threshold} = given;
	if (threshold === undefined) return;
	if (isWhole && !rule?.score_threshold)
		refuseValue('this rule has no score_threshold', `${at}/score_threshold`);
	if (typeof threshold !== 'number' || !Number.isInteger(threshold) || threshold < 1)
		refuseValue('score_threshold must be a whole number from 1', `${at}/score_threshold`);
}

/** Checks the settings that overrides have at every level. */
function checkSettings({action, enabled}: JsonObject, at: string): void {
	if (enabled !== undefined && typeof enabled !== 'boolean')
		refuseValue('enabled must be true or false', `${at}/enabled`);
	if (action !== undefined && !newOverrideActions.some(known => known === action))
		refuseValue(
			`${JSON.stringify(action)} is not a valid value for action; there are ${newOverrideActions.join(', ')}`,
			`${at}/action`,
		);
}

function checkNames(given: JsonObject, known: readonly string[], at: string): void {
	const other = Object.keys(given).find(name => !known.includes(name));
	if (other !== undefined) refuseValue(`unknown parameter ${other}`, `${at}/${other}`);
}

const requireObjectParameter = (value: JsonValue, at: string): JsonObject =>
	isJsonObject(value) ? value : refuseValue('must be an object', at);

const readArrayParameter = (value: JsonValue | undefined, at: string): readonly JsonValue[] =>
	value === undefined ? [] : Array.isArray(value) ? value : refuseValue('must be an array', at);
