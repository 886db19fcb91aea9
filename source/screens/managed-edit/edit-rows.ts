import type {ManagedConfiguration} from '../../migration/configuration/configuration.ts';
import {
	getParanoiaCategory,
	managedRulesets,
	type ParanoiaLevel,
	paranoiaLevels,
	thresholdRuleId,
} from '../../migration/configuration/mapping.ts';
import {findExecutedRulesetId} from '../../migration/configuration/override-edits.ts';
import {
	type ConfiguredRule,
	getRulesetOverrides,
	type OverrideSettings,
	readOverrideSettings,
	readOwaspSettings,
} from '../../migration/configuration/rule-overrides.ts';
import {filterObjects, type JsonObject} from '../../text/json.ts';
import {findCursor} from '../list/list.ts';

/** An editable row. `index`: the index, in the configuration, of the rule that it belongs to. */
export type EditRow =
	| {readonly kind: 'rule'; readonly index: number; readonly rule: ConfiguredRule}
	/** The override of a complete managed ruleset, if there is one. */
	| ({readonly kind: 'whole'; readonly index: number; readonly ruleset: string} & OverrideSettings)
	/** The paranoia level of the OWASP ruleset; undefined if the configuration sets none. */
	| {readonly kind: 'paranoia'; readonly index: number; readonly level: ParanoiaLevel | undefined}
	/** The score threshold of the ruleset, and its action. */
	| ({
			readonly kind: 'threshold';
			readonly index: number;
			readonly threshold: number | undefined;
	  } & OverrideSettings)
	| ({readonly kind: 'category'; readonly index: number; readonly category: string} & OverrideSettings)
	/** One managed rule. */
	| ({
			readonly kind: 'override';
			readonly index: number;
			readonly id: string;
			readonly ruleset: string;
	  } & OverrideSettings);

/**
 * Builds the editable rows of a configuration: one per rule, followed by the overrides of the ruleset that
 * the rule executes.
 */
export const buildEditRows = ({rules}: ManagedConfiguration): readonly EditRow[] =>
	rules.flatMap((rule, index): EditRow[] => {
		const ruleset = findExecutedRulesetId(rule);
		if (ruleset === undefined) return [{kind: 'rule', index, rule}];
		const overrides = getRulesetOverrides(rule);
		const isOwasp = ruleset === managedRulesets.owasp.id;
		const categories = filterObjects(overrides.categories);
		const ruleOverrides = filterObjects(overrides.rules);
		const rulesetOverride = readOverrideSettings(overrides);
		return [
			{kind: 'rule', index, rule},
			...(rulesetOverride.action === undefined && rulesetOverride.enabled === undefined
				? []
				: [{kind: 'whole' as const, index, ruleset, ...rulesetOverride}]),
			...(isOwasp ? buildOwaspRows(index, overrides) : []),
			...categories.flatMap((one): EditRow[] =>
				typeof one.category === 'string' && !(isOwasp && isImpliedByLevel(one, overrides))
					? [{kind: 'category', index, category: one.category, ...readOverrideSettings(one)}]
					: [],
			),
			...ruleOverrides.flatMap((one): EditRow[] =>
				typeof one.id === 'string' && !(isOwasp && one.id === thresholdRuleId)
					? [{kind: 'override', index, id: one.id, ruleset, ...readOverrideSettings(one)}]
					: [],
			),
		];
	});

/** True if a row turns something off. */
export const isEditRowOff = (row: EditRow): boolean =>
	row.kind === 'rule' ? row.rule.enabled === false : 'enabled' in row && row.enabled === false;

/**
 * Returns where the row at `cursor` is after a change of the configuration, so that inserted or removed rows
 * never put the cursor on another rule. Without that row, the cursor stays near.
 */
export function followEditRow(
	before: ManagedConfiguration,
	after: ManagedConfiguration,
	cursor: number,
): number {
	const row = buildEditRows(before)[cursor];
	const ruleIndex = row ? findRuleIndex(before.rules, after.rules, row.index) : -1;
	return findCursor(
		buildEditRows(after),
		one => one.index === ruleIndex && one.kind === row?.kind && getPart(one) === getPart(row),
		cursor,
	);
}

/** Finds a rule among the changed rules. One that was itself changed keeps its place between the others. */
function findRuleIndex(
	before: readonly ConfiguredRule[],
	after: readonly ConfiguredRule[],
	index: number,
): number {
	const rule = before[index];
	const id = rule?.id || undefined;
	const sameIndex = after.findIndex(one => one === rule || (id !== undefined && one.id === id));
	return sameIndex === -1 && before.length === after.length ? index : sameIndex;
}

/** Returns what distinguishes a row from others of its kind and rule. */
const getPart = (row: EditRow): string | undefined =>
	row.kind === 'override' ? row.id : row.kind === 'category' ? row.category : undefined;

/** True if the paranoia level implies a category override: levels above it are off, the others on. */
function isImpliedByLevel({category, ...rest}: JsonObject, overrides: JsonObject): boolean {
	const level = paranoiaLevels.find(one => getParanoiaCategory(one) === category);
	if (level === undefined) return false;
	const {action, enabled} = readOverrideSettings(rest);
	const maxLevel = readOwaspSettings(overrides).level;
	return action === undefined && !(enabled === false && maxLevel !== undefined && level <= maxLevel);
}

function buildOwaspRows(index: number, overrides: JsonObject): EditRow[] {
	const {level, threshold, scoringOverride} = readOwaspSettings(overrides);
	return [
		// All rules up to this level are on.
		{kind: 'paranoia', index, level},
		{kind: 'threshold', index, threshold, ...scoringOverride},
	];
}
