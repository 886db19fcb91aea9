import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {refuseInvalidExpression} from '../accounts/expression-check.ts';
import {describeMissingFeature} from '../accounts/missing-features.ts';
import {hasRequiredPlan} from '../accounts/plan.ts';
import {newOverrideActions} from '../waf/managed-ids.ts';
import {refuseAction, refusePlanFeature, refuseValue} from './errors.ts';
import type {ManagedCatalogue, ManagedRuleset} from './managed-catalogue.ts';
import {checkException} from './managed-skip.ts';
import {managedRulesPhase} from './phase-names.ts';
import type {PhaseDefinition} from './phase-rules.ts';
import type {RequestedRule} from './requested-rule.ts';

/** The phase whose rules execute managed rulesets, or make exceptions from them. */
export const managedPhaseDefinition: PhaseDefinition = {
	name: managedRulesPhase,
	source: 'firewall_managed',
	getMaxRules: () => 1000,
	check(rule, {plan, catalogue}, pointer) {
		if (!hasRequiredPlan(plan, 'pro'))
			refusePlanFeature(describeMissingFeature(plan, 'managed rules', 'pro'), pointer);
		checkManagedAction(rule, catalogue, pointer);
		if (!catalogue.acceptedExpressions.has(rule.expression))
			refuseInvalidExpression(rule.expression, {plan, phase: managedRulesPhase}, `${pointer}/expression`);
	},
	// Only Enterprise may use both versions at once.
	checkCombination(rules, {plan, isMigrated}) {
		const index = rules.findIndex(({enabled}) => enabled);
		if (isMigrated || hasRequiredPlan(plan, 'enterprise') || index < 0) return;
		refusePlanFeature(
			`${describeMissingFeature(plan, 'managed rules of both versions at once', 'enterprise')} Before its migration every rule must have enabled: false.`,
			`/rules/${index}/enabled`,
		);
	},
};

function checkManagedAction(rule: RequestedRule, catalogue: ManagedCatalogue, pointer: string): void {
	switch (rule.action) {
		case 'execute':
			checkExecute(rule.action_parameters ?? {}, catalogue, `${pointer}/action_parameters`);
			break;
		case 'skip':
			checkException(rule.action_parameters ?? {}, catalogue, `${pointer}/action_parameters`);
			break;
		default:
			refuseAction(rule.action, managedRulesPhase, pointer);
	}
}

function checkExecute(parameters: JsonObject, catalogue: ManagedCatalogue, pointer: string): void {
	checkNames(parameters, ['id', 'version', 'overrides', 'matched_data'], pointer);
	const ruleset =
		catalogue.rulesets.find(({id}) => id === parameters.id) ??
		refuseValue(`there is no managed ruleset ${JSON.stringify(parameters.id)}`, `${pointer}/id`);
	if (parameters.matched_data !== undefined && !isJsonObject(parameters.matched_data))
		refuseValue('matched_data must be an object', `${pointer}/matched_data`);
	if (parameters.overrides !== undefined)
		checkOverrides(parameters.overrides, ruleset, catalogue.isComplete, `${pointer}/overrides`);
}

function checkOverrides(
	value: JsonValue,
	ruleset: ManagedRuleset,
	isComplete: boolean,
	pointer: string,
): void {
	const overrides = requireObjectParameter(value, pointer);
	checkNames(overrides, ['action', 'enabled', 'categories', 'rules', 'sensitivity_level'], pointer);
	checkSettings(overrides, pointer);
	for (const [index, item] of readArrayParameter(overrides.categories, `${pointer}/categories`).entries()) {
		const overridePointer = `${pointer}/categories/${index}`;
		const override = requireObjectParameter(item, overridePointer);
		checkNames(override, ['category', 'action', 'enabled', 'sensitivity_level'], overridePointer);
		checkSettings(override, overridePointer);
		const isKnownCategory = ruleset.rules.some(
			({categories}) => Array.isArray(categories) && categories.includes(override.category ?? ''),
		);
		if (isComplete ? !isKnownCategory : typeof override.category !== 'string')
			refuseValue(
				`no rule of the managed ruleset has the category ${JSON.stringify(override.category)}`,
				`${overridePointer}/category`,
			);
	}
	for (const [index, item] of readArrayParameter(overrides.rules, `${pointer}/rules`).entries())
		checkRuleOverride(
			requireObjectParameter(item, `${pointer}/rules/${index}`),
			ruleset,
			isComplete,
			`${pointer}/rules/${index}`,
		);
}

function checkRuleOverride(
	override: JsonObject,
	ruleset: ManagedRuleset,
	isComplete: boolean,
	pointer: string,
): void {
	checkNames(override, ['id', 'action', 'enabled', 'score_threshold', 'sensitivity_level'], pointer);
	checkSettings(override, pointer);
	const rule = ruleset.rules.find(({id}) => id === override.id);
	if (isComplete ? !rule : typeof override.id !== 'string')
		refuseValue(
			`the rule ${JSON.stringify(override.id)} does not belong to the managed ruleset`,
			`${pointer}/id`,
		);
	const {score_threshold: threshold} = override;
	if (threshold === undefined) return;
	if (isComplete && !rule?.score_threshold)
		refuseValue('this rule has no score_threshold', `${pointer}/score_threshold`);
	if (typeof threshold !== 'number' || !Number.isInteger(threshold) || threshold < 1)
		refuseValue('score_threshold must be a whole number from 1', `${pointer}/score_threshold`);
}

/** Checks the settings that overrides have at every level. */
function checkSettings({action, enabled}: JsonObject, pointer: string): void {
	if (enabled !== undefined && typeof enabled !== 'boolean')
		refuseValue('enabled must be true or false', `${pointer}/enabled`);
	if (action !== undefined && !newOverrideActions.some(allowedAction => allowedAction === action))
		refuseValue(
			`${JSON.stringify(action)} is not a valid value for action; there are ${newOverrideActions.join(', ')}`,
			`${pointer}/action`,
		);
}

function checkNames(parameters: JsonObject, allowedNames: readonly string[], pointer: string): void {
	const unknownName = Object.keys(parameters).find(name => !allowedNames.includes(name));
	if (unknownName !== undefined) refuseValue(`unknown parameter ${unknownName}`, `${pointer}/${unknownName}`);
}

const requireObjectParameter = (value: JsonValue, pointer: string): JsonObject =>
	isJsonObject(value) ? value : refuseValue('must be an object', pointer);

const readArrayParameter = (value: JsonValue | undefined, pointer: string): readonly JsonValue[] =>
	value === undefined ? [] : Array.isArray(value) ? value : refuseValue('must be an array', pointer);
