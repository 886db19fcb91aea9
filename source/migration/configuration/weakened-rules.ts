import {formatQuantity} from '../../text/figures.ts';
import type {ManagedContents} from '../zone/managed-contents.ts';
import type {ManagedConfiguration} from './configuration.ts';
import {formatActionWords} from './edits.ts';
import {getManagedRuleEffect, type ManagedRuleEffect} from './managed-effect.ts';
import {formatRulesetName, thresholdRuleId} from './mapping.ts';
import {findExecutedRulesetId} from './override-edits.ts';
import type {ConfiguredRule} from './rule-overrides.ts';
import {type ComparedRule, collectComparedRules, listRuleOverrides} from './rule-strength.ts';

type Rules = Pick<ManagedConfiguration, 'rules'>;

/** Rules with the same change that are named; more are only counted. */
const maxNamedRules = 3;

/**
 * Describes the managed rules that a change weakens although it does not reduce protection as a whole
 * (`findReductions`): rules that their own overrides set from block to a challenge, to `log` or off, and all
 * rules that challenge instead of blocking. The sentences are not escaped.
 */
export function describeWeakenedRules(
	before: Rules,
	after: Rules,
	catalogue: readonly ManagedContents[] = [],
): readonly string[] {
	const rules = [...before.rules, ...after.rules];
	const ids = [...new Set(rules.flatMap(rule => findExecutedRulesetId(rule) ?? []))];
	return ids.flatMap(rulesetId => {
		const ruleset = catalogue.find(({id}) => id === rulesetId);
		const [oldExecuteRule, newExecuteRule] = [before, after].map(one => findExecuteRule(one, rulesetId));
		if (!oldExecuteRule || !newExecuteRule) return [];
		const comparedRules = collectComparedRules(rulesetId, rules, catalogue);
		const changes = comparedRules.flatMap(rule => {
			const isKnown = ruleset?.rules?.some(({id}) => id === rule.id) ?? false;
			const change = findWeakening(rule, oldExecuteRule, newExecuteRule, isKnown);
			return change === undefined ? [] : [{rule, change}];
		});
		const rulesetName = ruleset?.name ?? formatRulesetName(rulesetId);
		return [...Map.groupBy(changes, ({change}) => change)].flatMap(([change, group]) => {
			const namedRules = group.flatMap(({rule: {id}}) => id ?? []);
			// A placeholder stands for an unknown number of rules.
			if (namedRules.length < group.length) return [`${rulesetName}: rules ${change}.`];
			return group.length > maxNamedRules
				? [`${rulesetName}: ${formatQuantity(group.length, 'rule')} ${change}.`]
				: namedRules.map(id => {
						const name = ruleset?.rules?.find(one => one.id === id)?.description;
						return `${rulesetName}: ${name ? `"${name}"` : `rule ${id}`} ${change}.`;
					});
		});
	});
}

/** Finds the rule that executes a ruleset, preferably one that is on. */
function findExecuteRule({rules}: Rules, rulesetId: string): ConfiguredRule | undefined {
	const executeRules = rules.filter(rule => findExecutedRulesetId(rule) === rulesetId);
	return executeRules.find(({enabled}) => enabled !== false) ?? executeRules[0];
}

/** Returns how a rule becomes weaker, as in "block → log, blocks less"; undefined if it does not. */
function findWeakening(
	rule: ComparedRule,
	oldExecuteRule: ConfiguredRule,
	newExecuteRule: ConfiguredRule,
	isKnown: boolean,
): string | undefined {
	const [oldEffect, newEffect] = [oldExecuteRule, newExecuteRule].map(one => getManagedRuleEffect(one, rule));
	if (!oldEffect || !newEffect) return undefined;
	const [oldRank, newRank] = [rankEffect(oldEffect), rankEffect(newEffect)];
	if (newRank >= oldRank) return undefined;
	const isChallenge = newRank === challengeRank;
	const hasOwnChange =
		JSON.stringify(listRuleOverrides(oldExecuteRule, rule)) !==
		JSON.stringify(listRuleOverrides(newExecuteRule, rule));
	if (!isChallenge && (!hasOwnChange || rule.id === thresholdRuleId)) return undefined;
	const oldText = !isKnown && oldEffect.by === undefined ? 'its default' : formatEffect(oldEffect);
	const loss = isChallenge
		? 'challenges instead of blocking'
		: oldRank === logRank
			? 'logs less'
			: 'blocks less';
	return `${oldText} → ${formatEffect(newEffect)}, ${loss}`;
}

const [logRank, challengeRank, blockRank] = [1, 2, 3];

function rankEffect({action, enabled}: ManagedRuleEffect): number {
	if (!enabled) return 0;
	if (action === 'log') return logRank;
	return action.endsWith('challenge') ? challengeRank : blockRank;
}

const formatEffect = ({action, enabled}: ManagedRuleEffect): string =>
	enabled ? formatActionWords(action) : 'off';
