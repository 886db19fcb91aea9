import type {ManagedConfiguration} from '../migration/configuration/configuration.ts';
import type {ConfigurationEdit} from '../migration/configuration/edits.ts';
import {parseSkips, type Skips} from '../migration/configuration/exceptions.ts';
import {formatRulesetName} from '../migration/configuration/mapping.ts';
import {findExecutedRuleset, type OverrideChange} from '../migration/configuration/override-edits.ts';
import type {ConfiguredRule} from '../migration/configuration/rule-overrides.ts';
import {matchesPageRule} from '../migration/plan/expected.ts';
import type {NotMigrated} from '../migration/plan/left-behind.ts';
import type {Recreation, WantedRules} from '../migration/plan/recreation.ts';
import {type CatalogueRule, findSearchWords, getManagedRuleEffect, listCatalogueRules} from './catalogue.ts';
import type {ManagedRulesState} from './in-force.ts';

/** A managed rule with its ruleset. */
export type ChosenRule = Pick<CatalogueRule, 'id'> & {readonly ruleset: Pick<CatalogueRule['ruleset'], 'id'>};

/** How to recreate something that a migration left behind. */
export type RecreationStep =
	/** Already active. */
	| {readonly kind: 'recreated'}
	/** These edits, as one change. `rest`: settings that they do not cover, in words. */
	| {readonly kind: 'edits'; readonly edits: readonly ConfigurationEdit[]; readonly rest: readonly string[]}
	/** A person must choose the rules: search query and ruleset. */
	| {
			readonly kind: 'choice';
			readonly ruleset: string;
			readonly query: string;
			/** Names of old rules and groups that were not fully found by id. */
			readonly missing: readonly string[];
			/** Ids of rules found; preselected in the choice. */
			readonly found: readonly string[];
			readonly does: 'override' | 'skip';
			readonly rest: readonly string[];
	  }
	/** Needs a person, or is impossible now. `why` is a sentence. */
	| {readonly kind: 'by hand'; readonly why: string};

export const recreationWords: Readonly<Record<RecreationStep['kind'], string>> = {
	recreated: 'recreated',
	edits: 'one change',
	choice: 'choose rules',
	'by hand': 'by hand',
};

type Managed = Pick<ManagedRulesState, 'managed'> & {
	readonly configuration: Pick<ManagedConfiguration, 'rules'>;
};

/**
 * Plans how to recreate something in the active rules. `chosen` are the rules a person selected, instead of
 * those found by id. Pure: reads and sends nothing. `proposeEdits` applies the edits.
 *
 * The choice for a group or rule not found by id is not stored: an override of it always needs a choice, and
 * an exception counts as recreated once one with the same expression is active.
 */
export function planRecreation(
	{recreate, next}: Pick<NotMigrated, 'recreate' | 'next'>,
	now: Managed,
	chosen: readonly ChosenRule[] = [],
): RecreationStep {
	if (!recreate) return {kind: 'by hand', why: next};
	switch (recreate.kind) {
		case 'exception':
			return planException(recreate, now);
		case 'rules skipped':
			return planSkip(recreate, now, chosen);
		case 'rules overridden':
			return planOverride(recreate, now, chosen);
		default:
			return recreate satisfies never;
	}
}

type OfKind<Kind extends Recreation['kind']> = Extract<Recreation, {kind: Kind}>;

function planException({exception, url = ''}: OfKind<'exception'>, {configuration}: Managed): RecreationStep {
	const isMade = configuration.rules.some(
		(rule, place) =>
			(rule.expression === exception.expression || matchesPageRule(rule.expression, url)) &&
			isMatchingException(rule, exception) &&
			parseSkips(rule)?.kind === 'all' &&
			hasExecutionAfter(configuration, place),
	);
	if (isMade) return {kind: 'recreated'};
	if (!configuration.rules.some(rule => findExecutedRuleset(rule) !== undefined))
		return {kind: 'by hand', why: 'No managed ruleset is deployed, so there is nothing to skip.'};
	return {kind: 'edits', edits: [{kind: 'exception added', exception}], rest: []};
}

/** True if a managed ruleset is executed at or after a place: an exception skips only those. */
const hasExecutionAfter = ({rules}: Managed['configuration'], place: number): boolean =>
	rules.slice(place).some(rule => findExecutedRuleset(rule) !== undefined);

/** True if a rule is an exception with the draft's enabled state. */
const isMatchingException = (
	{action, enabled}: ConfiguredRule,
	draft: {readonly enabled?: boolean | undefined},
): boolean => action === 'skip' && (enabled !== false) === (draft.enabled !== false);

function planSkip(
	{exception, wanted, rest}: OfKind<'rules skipped'>,
	now: Managed,
	chosen: readonly ChosenRule[],
): RecreationStep {
	const {targets, missing, unread} = findRecreationTargets(wanted, now, chosen);
	const rules: Record<string, readonly string[]> = {};
	for (const {id, ruleset} of targets) rules[ruleset.id] = [...(rules[ruleset.id] ?? []), id];
	const {rules: inForce} = now.configuration;
	const isMade = inForce.some(
		(rule, place) =>
			rule.expression === exception.expression &&
			isMatchingException(rule, exception) &&
			hasExecutionAfter(now.configuration, place) &&
			targets.every(target => isRuleSkipped(parseSkips(rule), target)),
	);
	if (isMade) return {kind: 'recreated'};
	const blocker = unread ?? describeNotDeployed(wanted, now);
	if (blocker !== undefined) return {kind: 'by hand', why: blocker};
	if (missing.length > 0) return buildChoice(missing, now, targets, 'skip', rest);
	return {
		kind: 'edits',
		edits: [{kind: 'exception added', exception: {...exception, skips: {kind: 'rules', rules}}}],
		rest,
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
	{wanted, change}: OfKind<'rules overridden'>,
	now: Managed,
	chosen: readonly ChosenRule[],
): RecreationStep {
	const {targets, missing, unread} = findRecreationTargets([wanted], now, chosen);
	const blocker =
		unread ?? describeNotDeployed(targets.length > 0 ? targets.map(toRulesetRef) : [wanted], now);
	if (blocker !== undefined) return {kind: 'by hand', why: blocker};
	if (missing.length > 0) return buildChoice(missing, now, targets, 'override', []);
	const pending = targets.filter(target => !isOverridden(target, change, now));
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

/** True if a rule already has the override's effect everywhere its ruleset is executed. */
function isOverridden(
	{id, ruleset}: ChosenRule,
	{action, enabled}: OverrideChange,
	{configuration, managed = []}: Managed,
): boolean {
	const rule = managed.find(one => one.id === ruleset.id)?.rules?.find(one => one.id === id);
	if (!rule) return false;
	return configuration.rules
		.filter(one => findExecutedRuleset(one) === ruleset.id)
		.every(executing => {
			const effect = getManagedRuleEffect(executing, rule);
			return effect.enabled === enabled && (action === undefined || effect.action === action);
		});
}

type Targets = {
	readonly targets: readonly ChosenRule[];
	/** Wanted rules that were not all found. */
	readonly missing: readonly WantedRules[];
	/** Why the rules cannot be looked up. */
	readonly unread: string | undefined;
};

/** Finds the wanted rules: the chosen ones, else those that keep their old ids in the new version. */
function findRecreationTargets(
	wanted: readonly WantedRules[],
	{managed = []}: Managed,
	chosen: readonly ChosenRule[],
): Targets {
	if (chosen.length > 0) return {targets: chosen, missing: [], unread: undefined};
	const getRules = (ruleset: string) => managed.find(({id}) => id === ruleset)?.rules;
	const unread = wanted.find(({ruleset}) => !getRules(ruleset));
	const found = wanted.map(one => {
		const ruleIds = new Set(getRules(one.ruleset)?.map(({id}) => id));
		return {one, ids: one.ids.filter(id => ruleIds.has(id))};
	});
	return {
		targets: found.flatMap(({one: {ruleset}, ids}) => ids.map(id => ({id, ruleset: {id: ruleset}}))),
		missing: found.flatMap(({one, ids}) => (ids.length === 0 || ids.length < one.ids.length ? [one] : [])),
		unread: unread && `The rules of ${formatRulesetName(unread.ruleset)} could not be read.`,
	};
}

function describeNotDeployed(
	wanted: readonly {readonly ruleset: string}[],
	{configuration}: Managed,
): string | undefined {
	const executed = new Set(configuration.rules.map(findExecutedRuleset));
	const lacking = wanted.find(({ruleset}) => !executed.has(ruleset));
	return lacking && `${formatRulesetName(lacking.ruleset)} is not deployed.`;
}

function buildChoice(
	missing: readonly WantedRules[],
	{managed = []}: Managed,
	targets: readonly ChosenRule[],
	does: 'override' | 'skip',
	rest: readonly string[],
): RecreationStep {
	const {ruleset = '', name = ''} = missing[0] ?? {};
	return {
		kind: 'choice',
		ruleset,
		query: findSearchWords(name, listCatalogueRules(managed, ruleset)),
		missing: missing.map(({name}) => name),
		found: targets.map(({id}) => id),
		does,
		rest,
	};
}
