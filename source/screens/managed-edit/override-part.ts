import {findExecutingRule} from '../../managed/catalogue.ts';
import type {ConfigurationEdit} from '../../migration/configuration/edits.ts';
import {getManagedRuleEffect} from '../../migration/configuration/managed-effect.ts';
import {thresholdRuleId} from '../../migration/configuration/mapping.ts';
import type {OverrideChange} from '../../migration/configuration/override-edits.ts';
import {
	getRulesetOverrides,
	type OverrideSettings,
	readOverrideSettings,
} from '../../migration/configuration/rule-overrides.ts';
import {filterObjects} from '../../text/json.ts';
import type {EditRow} from './edit-rows.ts';
import type {ManagedEditor} from './editor.ts';

/** The part of a managed ruleset that an override applies to. */
export type OverridePart =
	| {readonly kind: 'whole'}
	| {readonly kind: 'category'; readonly category: string}
	| {readonly kind: 'override'; readonly id: string};

/** Returns the part that the action of a row is about; for a rule, its whole ruleset. */
export function getRowPart(row: EditRow): OverridePart | undefined {
	switch (row.kind) {
		case 'rule':
		case 'whole':
			return {kind: 'whole'};
		case 'category':
			return {kind: 'category', category: row.category};
		case 'override':
			return {kind: 'override', id: row.id};
		case 'threshold':
			return {kind: 'override', id: thresholdRuleId};
		case 'paranoia':
			return undefined;
		default:
			return row satisfies never;
	}
}

/** What the override of a part sets, and whether the part is off, by that or by an override above it. */
export type PartSettings = OverrideSettings & {readonly isOff: boolean};

export function readPartSettings(
	{configuration, catalogue}: Pick<ManagedEditor, 'configuration' | 'catalogue'>,
	rulesetId: string,
	part: OverridePart,
): PartSettings {
	const executingRule = findExecutingRule(configuration.rules, rulesetId);
	if (!executingRule) return {...readOverrideSettings({}), isOff: false};
	const overrides = getRulesetOverrides(executingRule);
	const ofRuleset = readOverrideSettings(overrides);
	switch (part.kind) {
		case 'whole':
			return {...ofRuleset, isOff: ofRuleset.enabled === false};
		case 'category': {
			const entry = filterObjects(overrides.categories).findLast(({category}) => category === part.category);
			const settings = readOverrideSettings(entry ?? {});
			return {...settings, isOff: (settings.enabled ?? ofRuleset.enabled) === false};
		}
		case 'override': {
			const entry = filterObjects(overrides.rules).findLast(({id}) => id === part.id);
			const settings = readOverrideSettings(entry ?? {});
			const managedRule = catalogue?.find(({id}) => id === rulesetId)?.rules?.find(({id}) => id === part.id);
			const isEnabled = managedRule
				? getManagedRuleEffect({...executingRule, enabled: true}, managedRule).enabled
				: (settings.enabled ?? ofRuleset.enabled);
			return {...settings, isOff: isEnabled === false};
		}
		default:
			return part satisfies never;
	}
}

export function buildOverrideEdit(
	rulesetId: string,
	part: OverridePart,
	change: OverrideChange,
): ConfigurationEdit {
	switch (part.kind) {
		case 'whole':
			return {kind: 'ruleset override', ruleset: rulesetId, ...change};
		case 'category':
			return {kind: 'category override', ruleset: rulesetId, category: part.category, ...change};
		case 'override':
			return {kind: 'managed rule override', ruleset: rulesetId, id: part.id, ...change};
		default:
			return part satisfies never;
	}
}

/** Builds the edit that sets the action of a part. A part that is off is turned on, so that it has an effect. */
export const buildActionEdit = (
	rulesetId: string,
	part: OverridePart,
	action: NonNullable<OverrideChange['action']>,
	{isOff}: PartSettings,
): ConfigurationEdit =>
	part.kind === 'override' && part.id === thresholdRuleId && !isOff
		? {kind: 'threshold action', action}
		: buildOverrideEdit(rulesetId, part, {action, ...(isOff && {enabled: true})});

/** Says before the choice that an action also turns on the parts that are off. */
export function listTurnOnNotes(parts: readonly PartSettings[]): readonly string[] {
	const offCount = parts.filter(({isOff}) => isOff).length;
	if (offCount === 0) return [];
	return parts.length === 1
		? ['It is off now. Choosing an action also turns it on.']
		: [`${offCount} of ${parts.length} are off now. Choosing an action also turns them on.`];
}

/** Marks the choice that is set now. */
export const markCurrentChoice = <Choice extends {readonly value: string; readonly label: string}>(
	choices: readonly Choice[],
	currentValue: string | undefined,
): readonly Choice[] =>
	choices.map(choice =>
		choice.value === currentValue ? {...choice, label: `${choice.label} (current)`} : choice,
	);
