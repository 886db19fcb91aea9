import {affectsRuleset, parseSkips, type Skips} from '../migration/configuration/exceptions.ts';
import {getManagedRuleEffect} from '../migration/configuration/managed-effect.ts';
import {
	formatRulesetName,
	managedRulesets,
	type ParanoiaLevel,
	thresholdRuleId,
} from '../migration/configuration/mapping.ts';
import {findExecutedRulesetId} from '../migration/configuration/override-edits.ts';
import {
	type ConfiguredRule,
	findTrafficFilter,
	getRulesetActivity,
	getRulesetOverrides,
	type OverrideSettings,
	type RulesetActivity,
	readOverrideSettings,
	readOwaspSettings,
} from '../migration/configuration/rule-overrides.ts';
import type {ManagedRule} from '../migration/zone/managed-contents.ts';
import {filterObjects} from '../text/json.ts';
import type {ManagedRulesState} from './state.ts';

/** A managed rule in an override or exception; without a name if the catalogue lacks it. */
type NamedRule = {readonly id: string; readonly name: string | undefined};

/** A deployed managed ruleset. Printed with `--json` under these names; `place` counts from 1. */
export type DeployedView = {
	/** Id of the executing rule. */
	readonly rule: string | undefined;
	readonly place: number;
	readonly ruleset: string;
	readonly name: string;
	/** How much of the ruleset is active. */
	readonly is: RulesetActivity;
	/** Expression of affected requests; undefined for all. */
	readonly only: string | undefined;
	/** Override of the whole ruleset. */
	readonly whole: OverrideSettings;
	/** OWASP only: active settings, falling back to the ruleset's defaults. */
	readonly owasp:
		| {
				readonly level: ParanoiaLevel | undefined;
				readonly threshold: number | undefined;
				readonly action: string | undefined;
		  }
		| undefined;
	readonly categories: readonly (OverrideSettings & {
		readonly category: string;
		/** Number of rules in the category; undefined if the catalogue was not read. */
		readonly rules: number | undefined;
	})[];
	readonly rules: readonly (OverrideSettings &
		NamedRule & {readonly threshold: number | undefined; readonly byDefault: OverrideSettings | undefined})[];
};

/** An exception. Printed with `--json` under these names; `place` counts from 1. */
export type ExceptionView = {
	readonly rule: string | undefined;
	readonly place: number;
	readonly enabled: boolean;
	readonly expression: string;
	readonly description: string;
	readonly logging: boolean;
	/** Undefined if it skips in a way unknown to ledge. */
	readonly skips: Skips | undefined;
	/** Rules that it skips by id. */
	readonly named: readonly NamedRule[];
	/** Later rulesets that it skips in part or in full; empty if it has no effect. */
	readonly affects: readonly string[];
};

/** The active managed rules by kind. */
export type ManagedView = {
	readonly rulesets: readonly DeployedView[];
	readonly exceptions: readonly ExceptionView[];
	/** Available managed rulesets that are not deployed. */
	readonly notDeployed: readonly {readonly id: string; readonly name: string}[];
};

/** Builds the view of the active managed rules with catalogue names. */
export function buildManagedView({
	configuration: {rules},
	catalogue: contents,
}: ManagedRulesState): ManagedView {
	const contentsById = new Map(
		(contents ?? []).map(one => [
			one.id,
			{...one, byId: new Map((one.rules ?? []).map(rule => [rule.id, rule]))},
		]),
	);
	const findRule = (ruleset: string, id: string): ManagedRule | undefined =>
		contentsById.get(ruleset)?.byId.get(id);
	const getRulesetName = (ruleset: string): string =>
		contentsById.get(ruleset)?.name ?? formatRulesetName(ruleset);
	const buildDeployed = (rule: ConfiguredRule, index: number): readonly DeployedView[] => {
		const ruleset = findExecutedRulesetId(rule);
		if (ruleset === undefined) return [];
		const overrides = getRulesetOverrides(rule);
		const rulesetRules = contentsById.get(ruleset)?.rules;
		return [
			{
				rule: getRuleId(rule),
				place: index + 1,
				ruleset,
				name: getRulesetName(ruleset),
				is: getRulesetActivity(rule),
				only: findTrafficFilter(rule),
				whole: readOverrideSettings(overrides),
				owasp:
					ruleset === managedRulesets.owasp.id
						? getOwaspSettings(rule, findRule(ruleset, thresholdRuleId))
						: undefined,
				categories: filterObjects(overrides.categories).flatMap(one =>
					typeof one.category === 'string'
						? [
								{
									category: one.category,
									...readOverrideSettings(one),
									rules: rulesetRules?.filter(({categories}) => categories.includes(String(one.category)))
										.length,
								},
							]
						: [],
				),
				rules: filterObjects(overrides.rules).flatMap(one => {
					if (typeof one.id !== 'string') return [];
					const catalogueRule = findRule(ruleset, one.id);
					return [
						{
							id: one.id,
							name: catalogueRule?.description,
							...readOverrideSettings(one),
							threshold: typeof one.score_threshold === 'number' ? one.score_threshold : undefined,
							byDefault: catalogueRule && {action: catalogueRule.action, enabled: catalogueRule.enabled},
						},
					];
				}),
			},
		];
	};
	const buildException = (rule: ConfiguredRule, index: number): readonly ExceptionView[] => {
		if (rule.action !== 'skip') return [];
		const skips = parseSkips(rule);
		const laterRulesets = rules.slice(index + 1).flatMap(one => findExecutedRulesetId(one) ?? []);
		return [
			{
				rule: getRuleId(rule),
				place: index + 1,
				enabled: rule.enabled !== false,
				expression: rule.expression,
				description: rule.description ?? '',
				logging: filterObjects([rule.logging ?? {}])[0]?.enabled !== false,
				skips,
				named:
					skips?.kind === 'rules'
						? Object.entries(skips.rules).flatMap(([ruleset, ids]) =>
								ids.map(id => ({id, name: findRule(ruleset, id)?.description})),
							)
						: [],
				affects: [...new Set(laterRulesets.filter(ruleset => affectsRuleset(rule, ruleset)))].map(
					getRulesetName,
				),
			},
		];
	};
	const executedIds = new Set(rules.map(findExecutedRulesetId));
	return {
		rulesets: rules.flatMap(buildDeployed),
		exceptions: rules.flatMap(buildException),
		notDeployed: (contents ?? []).filter(({id}) => !executedIds.has(id)).map(({id, name}) => ({id, name})),
	};
}

const getRuleId = ({id}: ConfiguredRule): string | undefined => (typeof id === 'string' ? id : undefined);

function getOwaspSettings(
	rule: ConfiguredRule,
	thresholdRule: ManagedRule | undefined,
): NonNullable<DeployedView['owasp']> {
	const {level, threshold} = readOwaspSettings(getRulesetOverrides(rule));
	return {
		level,
		threshold: threshold ?? thresholdRule?.score_threshold,
		action: thresholdRule
			? getManagedRuleEffect(rule, thresholdRule).action
			: readOwaspSettings(getRulesetOverrides(rule)).scoringOverride.action,
	};
}
