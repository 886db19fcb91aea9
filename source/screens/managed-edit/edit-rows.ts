import type {Configuration} from '../../migration/configuration/configuration.ts';
import {
	managedRulesets,
	type ParanoiaLevel,
	paranoiaCategory,
	paranoiaLevels,
	thresholdRule,
} from '../../migration/configuration/mapping.ts';
import {executedRuleset} from '../../migration/configuration/override-edits.ts';
import {
	type ConfiguredRule,
	type Overridden,
	overridden,
	overridesIn,
	owaspSettings,
} from '../../migration/configuration/rule-overrides.ts';
import {type JsonObject, objects} from '../../text/json.ts';

/** An editable row. `index`: the rule's position in the configuration, from 0. */
export type EditRow =
	| {readonly kind: 'rule'; readonly index: number; readonly rule: ConfiguredRule}
	/** The override of a complete managed ruleset, if there is one. */
	| ({readonly kind: 'whole'; readonly index: number; readonly ruleset: string} & Overridden)
	/** The paranoia level of the OWASP ruleset; undefined if the configuration sets none. */
	| {readonly kind: 'paranoia'; readonly index: number; readonly level: ParanoiaLevel | undefined}
	/** The score from which the ruleset acts, and its action. */
	| ({
			readonly kind: 'threshold';
			readonly index: number;
			readonly threshold: number | undefined;
	  } & Overridden)
	| ({readonly kind: 'category'; readonly index: number; readonly category: string} & Overridden)
	/** One managed rule. */
	| ({
			readonly kind: 'override';
			readonly index: number;
			readonly id: string;
			readonly ruleset: string;
	  } & Overridden);

/**
 * Builds the editable rows of a configuration: each rule, and below a rule that executes a ruleset its
 * overrides.
 */
export const editRows = ({rules}: Configuration): readonly EditRow[] =>
	rules.flatMap((rule, index): EditRow[] => {
		const ruleset = executedRuleset(rule);
		if (ruleset === undefined) return [{kind: 'rule', index, rule}];
		const overrides = overridesIn(rule);
		const isOwasp = ruleset === managedRulesets.owasp.id;
		const categories = objects(overrides.categories);
		const single = objects(overrides.rules);
		const whole = overridden(overrides);
		return [
			{kind: 'rule', index, rule},
			...(whole.action === undefined && whole.enabled === undefined
				? []
				: [{kind: 'whole' as const, index, ruleset, ...whole}]),
			...(isOwasp ? owaspRows(index, overrides) : []),
			...categories.flatMap((one): EditRow[] =>
				typeof one.category === 'string' && !(isOwasp && isSaidByLevel(one, overrides))
					? [{kind: 'category', index, category: one.category, ...overridden(one)}]
					: [],
			),
			...single.flatMap((one): EditRow[] =>
				typeof one.id === 'string' && !(isOwasp && one.id === thresholdRule)
					? [{kind: 'override', index, id: one.id, ruleset, ...overridden(one)}]
					: [],
			),
		];
	});

/** True if the paranoia level implies a category override: levels above it are off, the others on. */
function isSaidByLevel({category, ...rest}: JsonObject, overrides: JsonObject): boolean {
	const level = paranoiaLevels.find(one => paranoiaCategory(one) === category);
	if (level === undefined) return false;
	const {action, enabled} = overridden(rest);
	const highest = owaspSettings(overrides).level;
	return action === undefined && !(enabled === false && highest !== undefined && level <= highest);
}

function owaspRows(index: number, overrides: JsonObject): EditRow[] {
	const {level, threshold, scoring} = owaspSettings(overrides);
	return [
		// All rules up to this level are on.
		{kind: 'paranoia', index, level},
		{kind: 'threshold', index, threshold, ...scoring},
	];
}
