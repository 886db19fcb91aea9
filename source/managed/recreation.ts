import type {ManagedConfiguration} from '../migration/configuration/configuration.ts';
import type {ConfigurationEdit} from '../migration/configuration/edits.ts';
import {parseSkips, type Skips} from '../migration/configuration/exceptions.ts';
import {getManagedRuleEffect} from '../migration/configuration/managed-effect.ts';
import {formatRulesetName} from '../migration/configuration/mapping.ts';
import {findExecutedRulesetId, type OverrideChange} from '../migration/configuration/override-edits.ts';
import type {ConfiguredRule} from '../migration/configuration/rule-overrides.ts';
import {matchesPageRule} from '../migration/plan/expected.ts';
import type {UnmigratedSetting} from '../migration/plan/not-migrated.ts';
import type {Recreation, WantedRules} from '../migration/plan/recreation.ts';
import {type CatalogueRule, findSearchWords, listCatalogueRules} from './catalogue.ts';
import type {ManagedRulesState} from './state.ts';

/** A managed rule with its ruleset. */
export type ChosenRule = Pick<CatalogueRule, 'id'> & {readonly ruleset: Pick<CatalogueRule['ruleset'], 'id'>};

/** How to recreate something that a migration left behind. */
export type RecreationStep =
	/** Already active. */
	| {readonly kind: 'recreated'}
	/** These edits recreate it, as one change. `rest` names the settings that they do not cover. */
	| {readonly kind: 'edits'; readonly edits: readonly ConfigurationEdit[]; readonly rest: readonly string[]}
	/** A person must choose the rules, by searching `ruleset` for `query`. */
	| {
			readonly kind: 'choice';
			readonly ruleset: string;
			readonly query: string;
			/** Names of old rules and groups that were not fully found by id. */
			readonly missing: readonly string[];
			/** Ids of the rules that were found; they are preselected in the choice. */
			readonly found: readonly string[];
			readonly purpose: 'override' | 'skip';
			readonly rest: readonly string[];
	  }
	/** It can only be recreated by hand, or not at all for now. `why` is a sentence. */
	| {readonly kind: 'by hand'; readonly why: string};

export const recreationWords: Readonly<Record<RecreationStep['kind'], string>> = {
	recreated: 'recreated',
	edits: 'one change',
	choice: 'choose rules',
	'by hand': 'manual',
};

type ActiveManagedRules = Pick<ManagedRulesState, 'catalogue'> & {
	readonly configuration: Pick<ManagedConfiguration, 'rules'>;
};

/**
 * Plans how to recreate something in the active rules. `chosenRules` are those that a person chose, not
 * those found by id. Pure: reads and sends nothing. `proposeEdits` applies the edits.
 *
 * The choice for a group or rule not found by id is not stored: an override of it always needs a choice, and
 * an exception counts as recreated once one with the same expression is active.
 */
export function planRecreation(
	{recreate, next}: Pick<UnmigratedSetting, 'recreate' | 'next'>,
	current: ActiveManagedRules,
	chosenRules: readonly ChosenRule[] = [],
): RecreationStep {
	if (!recreate) return {kind: 'by hand', why: next};
	switch (recreate.kind) {
		case 'exception':
			return planException(recreate, current);
		case 'rules skipped':
			return planSkip(recreate, current, chosenRules);
		case 'rules overridden':
			return planOverride(recreate, current, chosenRules);
		default:
			return recreate satisfies never;
	}
}

type OfKind<Kind extends Recreation['kind']> = Extract<Recreation, {kind: Kind}>;

function planException(
	{exception, url = ''}: OfKind<'exception'>,
	{configuration}: ActiveManagedRules,
): RecreationStep {
	const isRecreated = configuration.rules.some(
		(rule, index) =>
			(rule.expression === exception.expression || matchesPageRule(rule.expression, url)) &&
			isMatchingException(rule, exception) &&
			parseSkips(rule)?.kind === 'all' &&
			hasExecutionAfter(configuration, index),
	);
	if (isRecreated) return {kind: 'recreated'};
	if (!configuration.rules.some(rule => findExecutedRulesetId(rule) !== undefined))
		return {kind: 'by hand', why: 'No managed ruleset is deployed, so there is nothing to skip.'};
	return {kind: 'edits', edits: [{kind: 'exception added', exception}], rest: []};
}

/** True if a managed ruleset is executed at or after an index: an exception skips only those. */
const hasExecutionAfter = ({rules}: ActiveManagedRules['configuration'], index: number): boolean =>
	rules.slice(index).some(rule => findExecutedRulesetId(rule) !== undefined);

/** True if a rule is an exception with the draft's enabled state. */
const isMatchingException = (
	{action, enabled}: ConfiguredRule,
	draft: {readonly enabled?: boolean | undefined},
): boolean => action === 'skip' && (enabled !== false) === (draft.enabled !== false);

function planSkip(
	{exception, wanted: wantedRules, rest: uncoveredSettings}: OfKind<'rules skipped'>,
	current: ActiveManagedRules,
	chosenRules: readonly ChosenRule[],
): RecreationStep {
	const {targets, missingRules, unreadReason} = findRecreationTargets(wantedRules, current, chosenRules);
	const rules: Record<string, readonly string[]> = {};
	for (const {id, ruleset} of targets) rules[ruleset.id] = [...(rules[ruleset.id] ?? []), id];
	const {rules: activeRules} = current.configuration;
	const isRecreated = activeRules.some(
		(rule, index) =>
			rule.expression === exception.expression &&
			isMatchingException(rule, exception) &&
			hasExecutionAfter(current.configuration, index) &&
			targets.every(target => isRuleSkipped(parseSkips(rule), target)),
	);
	if (isRecreated) return {kind: 'recreated'};
	const blocker = unreadReason ?? describeNotDeployed(wantedRules, current);
	if (blocker !== undefined) return {kind: 'by hand', why: blocker};
	if (missingRules.length > 0) return buildChoice(missingRules, current, targets, 'skip', uncoveredSettings);
	return {
		kind: 'edits',
		edits: [{kind: 'exception added', exception: {...exception, skips: {kind: 'rules', rules}}}],
		rest: uncoveredSettings,
	};
}

function isRuleSkipped(skips: Skips | undefined, {id, ruleset}: ChosenRule): boolean {
	switch (skips?.kind) {
		case 'all':
			return true;
		case 'rulesets':
			return skips.ids.includes(ruleset.id);
		case 'rules':
			return skips.rules[ruleset.id]?.includes(id) ?? false;
		case undefined:
			return false;
		default:
			return skips satisfies never;
	}
}

function planOverride(
	{wanted: wantedRules, change}: OfKind<'rules overridden'>,
	current: ActiveManagedRules,
	chosenRules: readonly ChosenRule[],
): RecreationStep {
	const {targets, missingRules, unreadReason} = findRecreationTargets([wantedRules], current, chosenRules);
	const blocker =
		unreadReason ??
		describeNotDeployed(targets.length > 0 ? targets.map(toRulesetRef) : [wantedRules], current);
	if (blocker !== undefined) return {kind: 'by hand', why: blocker};
	if (missingRules.length > 0) return buildChoice(missingRules, current, targets, 'override', []);
	const pending = targets.filter(target => !isOverridden(target, change, current));
	if (pending.length === 0) return {kind: 'recreated'};
	return {
		kind: 'edits',
		edits: pending.map(({id, ruleset}) => ({
			kind: 'managed rule override',
			ruleset: ruleset.id,
			id,
			...change,
		})),
		rest: [],
	};
}

const toRulesetRef = ({ruleset}: ChosenRule) => ({ruleset: ruleset.id});

/** True if a rule already has the effect of the override wherever its ruleset is executed. */
function isOverridden(
	{id, ruleset}: ChosenRule,
	{action, enabled}: OverrideChange,
	{configuration, catalogue = []}: ActiveManagedRules,
): boolean {
	const rule = catalogue.find(one => one.id === ruleset.id)?.rules?.find(one => one.id === id);
	if (!rule) return false;
	return configuration.rules
		.filter(one => findExecutedRulesetId(one) === ruleset.id)
		.every(executingRule => {
			const effect = getManagedRuleEffect(executingRule, rule);
			return effect.enabled === enabled && (action === undefined || effect.action === action);
		});
}

type Targets = {
	readonly targets: readonly ChosenRule[];
	/** Groups of wanted rules with at least one that was not found. */
	readonly missingRules: readonly WantedRules[];
	/** Why the rules cannot be looked up. */
	readonly unreadReason: string | undefined;
};

/** Finds the wanted rules: the chosen ones, else those that keep their old ids in the new version. */
function findRecreationTargets(
	wantedRules: readonly WantedRules[],
	{catalogue = []}: ActiveManagedRules,
	chosenRules: readonly ChosenRule[],
): Targets {
	if (chosenRules.length > 0) return {targets: chosenRules, missingRules: [], unreadReason: undefined};
	const getRules = (ruleset: string) => catalogue.find(({id}) => id === ruleset)?.rules;
	const unreadRules = wantedRules.find(({ruleset}) => !getRules(ruleset));
	const matches = wantedRules.map(one => {
		const ruleIds = new Set(getRules(one.ruleset)?.map(({id}) => id));
		return {one, ids: one.ids.filter(id => ruleIds.has(id))};
	});
	return {
		targets: matches.flatMap(({one: {ruleset}, ids}) => ids.map(id => ({id, ruleset: {id: ruleset}}))),
		missingRules: matches.flatMap(({one, ids}) =>
			ids.length === 0 || ids.length < one.ids.length ? [one] : [],
		),
		unreadReason: unreadRules && `The rules of ${formatRulesetName(unreadRules.ruleset)} could not be read.`,
	};
}

function describeNotDeployed(
	wantedRules: readonly {readonly ruleset: string}[],
	{configuration}: ActiveManagedRules,
): string | undefined {
	const executedIds = new Set(configuration.rules.map(findExecutedRulesetId));
	const missingRuleset = wantedRules.find(({ruleset}) => !executedIds.has(ruleset));
	return missingRuleset && `${formatRulesetName(missingRuleset.ruleset)} is not deployed.`;
}

function buildChoice(
	missingRules: readonly WantedRules[],
	{catalogue = []}: ActiveManagedRules,
	targets: readonly ChosenRule[],
	purpose: 'override' | 'skip',
	uncoveredSettings: readonly string[],
): RecreationStep {
	const {ruleset = '', name = ''} = missingRules[0] ?? {};
	return {
		kind: 'choice',
		ruleset,
		query: findSearchWords(name, listCatalogueRules(catalogue, ruleset)),
		missing: missingRules.map(({name}) => name),
		found: targets.map(({id}) => id),
		purpose,
		rest: uncoveredSettings,
	};
}
