import {affects, readSkips, type Skips} from '../migration/configuration/exceptions.ts';
import {
	managedRulesets,
	type ParanoiaLevel,
	rulesetName,
	thresholdRule,
} from '../migration/configuration/mapping.ts';
import {executedRuleset} from '../migration/configuration/override-edits.ts';
import {
	type Acting,
	acting,
	type ConfiguredRule,
	type Overridden,
	onlyFor,
	overridden,
	overridesIn,
	owaspSettings,
} from '../migration/configuration/rule-overrides.ts';
import type {ManagedRule} from '../migration/zone/managed-contents.ts';
import {objects} from '../text/json.ts';
import {effectOf} from './catalogue.ts';
import type {InForce} from './in-force.ts';

/** A managed rule in an override or exception; without a name if the catalogue lacks it. */
type NamedRule = {readonly id: string; readonly name: string | undefined};

/** A deployed managed ruleset; places count from 1. */
export type DeployedView = {
	/** Id of the executing rule. */
	readonly rule: string | undefined;
	readonly place: number;
	readonly ruleset: string;
	readonly name: string;
	readonly is: Acting;
	/** Expression of affected requests; undefined for all. */
	readonly only: string | undefined;
	/** Override of the whole ruleset. */
	readonly whole: Overridden;
	/** OWASP only: active settings, falling back to the ruleset's defaults. */
	readonly owasp:
		| {
				readonly level: ParanoiaLevel | undefined;
				readonly threshold: number | undefined;
				readonly action: string | undefined;
		  }
		| undefined;
	readonly categories: readonly (Overridden & {
		readonly category: string;
		readonly rules: number | undefined;
	})[];
	readonly rules: readonly (Overridden &
		NamedRule & {readonly threshold: number | undefined; readonly byDefault: Overridden | undefined})[];
};

/** An exception; places count from 1. */
export type ExceptionView = {
	readonly rule: string | undefined;
	readonly place: number;
	readonly enabled: boolean;
	readonly expression: string;
	readonly description: string;
	readonly logging: boolean;
	/** Undefined if it skips in a way unknown to ledge. */
	readonly skips: Skips | undefined;
	/** Rules that it names. */
	readonly named: readonly NamedRule[];
	/** Later rulesets that it skips in part or in full; empty if it has no effect. */
	readonly affects: readonly string[];
};

/** The active managed rules, part by part. */
export type ManagedView = {
	readonly rulesets: readonly DeployedView[];
	readonly exceptions: readonly ExceptionView[];
	/** Available managed rulesets that are not deployed. */
	readonly notDeployed: readonly {readonly id: string; readonly name: string}[];
};

/** Builds the view of the active managed rules with catalogue names. */
export function viewOf({configuration: {rules}, managed}: InForce): ManagedView {
	const catalogue = new Map(
		(managed ?? []).map(one => [
			one.id,
			{...one, byId: new Map((one.rules ?? []).map(rule => [rule.id, rule]))},
		]),
	);
	const ruleOf = (ruleset: string, id: string): ManagedRule | undefined =>
		catalogue.get(ruleset)?.byId.get(id);
	const nameOf = (ruleset: string): string => catalogue.get(ruleset)?.name ?? rulesetName(ruleset);
	const deployed = (rule: ConfiguredRule, index: number): readonly DeployedView[] => {
		const ruleset = executedRuleset(rule);
		if (ruleset === undefined) return [];
		const overrides = overridesIn(rule);
		const held = catalogue.get(ruleset)?.rules;
		return [
			{
				rule: idOf(rule),
				place: index + 1,
				ruleset,
				name: nameOf(ruleset),
				is: acting(rule),
				only: onlyFor(rule),
				whole: overridden(overrides),
				owasp:
					ruleset === managedRulesets.owasp.id ? owaspOf(rule, ruleOf(ruleset, thresholdRule)) : undefined,
				categories: objects(overrides.categories).flatMap(one =>
					typeof one.category === 'string'
						? [
								{
									category: one.category,
									...overridden(one),
									rules: held?.filter(({categories}) => categories.includes(String(one.category))).length,
								},
							]
						: [],
				),
				rules: objects(overrides.rules).flatMap(one => {
					if (typeof one.id !== 'string') return [];
					const known = ruleOf(ruleset, one.id);
					return [
						{
							id: one.id,
							name: known?.description,
							...overridden(one),
							threshold: typeof one.score_threshold === 'number' ? one.score_threshold : undefined,
							byDefault: known && {action: known.action, enabled: known.enabled},
						},
					];
				}),
			},
		];
	};
	const exception = (rule: ConfiguredRule, index: number): readonly ExceptionView[] => {
		if (rule.action !== 'skip') return [];
		const skips = readSkips(rule);
		const behind = rules.slice(index + 1).flatMap(one => executedRuleset(one) ?? []);
		return [
			{
				rule: idOf(rule),
				place: index + 1,
				enabled: rule.enabled !== false,
				expression: rule.expression,
				description: rule.description ?? '',
				logging: objects([rule.logging ?? {}])[0]?.enabled !== false,
				skips,
				named:
					skips?.kind === 'rules'
						? Object.entries(skips.rules).flatMap(([ruleset, ids]) =>
								ids.map(id => ({id, name: ruleOf(ruleset, id)?.description})),
							)
						: [],
				affects: [...new Set(behind.filter(ruleset => affects(rule, ruleset)))].map(nameOf),
			},
		];
	};
	const executed = new Set(rules.map(executedRuleset));
	return {
		rulesets: rules.flatMap(deployed),
		exceptions: rules.flatMap(exception),
		notDeployed: (managed ?? []).filter(({id}) => !executed.has(id)).map(({id, name}) => ({id, name})),
	};
}

const idOf = ({id}: ConfiguredRule): string | undefined => (typeof id === 'string' ? id : undefined);

function owaspOf(rule: ConfiguredRule, scoring: ManagedRule | undefined): NonNullable<DeployedView['owasp']> {
	const {level, threshold} = owaspSettings(overridesIn(rule));
	return {
		level,
		threshold: threshold ?? scoring?.score_threshold,
		action: scoring ? effectOf(rule, scoring).action : owaspSettings(overridesIn(rule)).scoring.action,
	};
}
