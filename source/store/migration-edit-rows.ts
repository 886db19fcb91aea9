import {isJsonObject, type JsonObject, type JsonValue} from '../json.ts';
import type {Configuration, ConfiguredRule} from '../migration/configuration.ts';
import {executedRuleset} from '../migration/edits-overrides.ts';
import {
	managedRulesets,
	type ParanoiaLevel,
	paranoiaCategory,
	paranoiaLevels,
	thresholdRule,
} from '../migration/mapping.ts';

/** How an override stands: what it does not say is as the managed ruleset has it. */
type Overridden = {readonly action: string | undefined; readonly enabled: boolean | undefined};

/** A row of what can be edited. `index` is that of the rule of the configuration, from 0. */
export type EditRow =
	| {readonly kind: 'rule'; readonly index: number; readonly rule: ConfiguredRule}
	/** The paranoia level of the OWASP ruleset; none where the configuration says nothing of any. */
	| {readonly kind: 'paranoia'; readonly index: number; readonly level: ParanoiaLevel | undefined}
	/** The score from which requests are acted on, and the action. */
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

const objects = (value: JsonValue | undefined): readonly JsonObject[] =>
	Array.isArray(value) ? value.filter(isJsonObject) : [];

const overridden = ({action, enabled}: JsonObject): Overridden => ({
	action: typeof action === 'string' ? action : undefined,
	enabled: typeof enabled === 'boolean' ? enabled : undefined,
});

/** All that can be edited of a configuration: each rule, and below one that executes a ruleset what it overrides there. */
export const editRows = ({rules}: Configuration): readonly EditRow[] =>
	rules.flatMap((rule, index): EditRow[] => {
		const ruleset = executedRuleset(rule);
		if (ruleset === undefined) return [{kind: 'rule', index, rule}];
		const given = rule.action_parameters?.overrides;
		const overrides = isJsonObject(given) ? given : {};
		const isOwasp = ruleset === managedRulesets.owasp.id;
		const categories = objects(overrides.categories);
		const single = objects(overrides.rules);
		const levels = paranoiaLevels.map(paranoiaCategory);
		return [
			{kind: 'rule', index, rule},
			...(isOwasp ? owaspRows(index, categories, single) : []),
			...categories.flatMap((one): EditRow[] =>
				typeof one.category === 'string' && !(isOwasp && levels.includes(one.category))
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

function owaspRows(
	index: number,
	categories: readonly JsonObject[],
	single: readonly JsonObject[],
): EditRow[] {
	const said = (level: ParanoiaLevel) =>
		categories.findLast(({category}) => category === paranoiaCategory(level))?.enabled;
	const isSaid = paranoiaLevels.some(level => typeof said(level) === 'boolean');
	const scoring = single.find(({id}) => id === thresholdRule) ?? {};
	const threshold = scoring.score_threshold;
	return [
		// All rules of the levels up to this one are on.
		{
			kind: 'paranoia',
			index,
			level: isSaid ? (paranoiaLevels.findLast(level => said(level) !== false) ?? 1) : undefined,
		},
		{
			kind: 'threshold',
			index,
			threshold: typeof threshold === 'number' ? threshold : undefined,
			...overridden(scoring),
		},
	];
}
