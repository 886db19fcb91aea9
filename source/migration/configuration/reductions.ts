import {formatQuantity} from '../../text/figures.ts';
import {filterObjects} from '../../text/json.ts';
import type {ManagedContents} from '../zone/managed-contents.ts';
import type {ManagedConfiguration} from './configuration.ts';
import {
	formatRulesetName,
	getParanoiaCategory,
	managedRulesets,
	paranoiaLevels,
	thresholdRuleId,
} from './mapping.ts';
import {findExecutedRulesetId} from './override-edits.ts';
import {
	type ConfiguredRule,
	findOverrideLayers,
	findTrafficFilter,
	getRulesetOverrides,
	readOwaspSettings,
} from './rule-overrides.ts';
import {
	type ComparedRule,
	collectComparedRules,
	computeRuleStrength,
	formatStrength,
	getScoreThreshold,
	listRuleOverrides,
	type Strength,
} from './rule-strength.ts';
import {
	type Execution,
	findSituations,
	isManagedRuleSkipped,
	skipsAllManagedRules,
	type TrafficSituation,
} from './situations.ts';

type Rules = Pick<ManagedConfiguration, 'rules'>;

type ReductionContext = {
	/** An expression that tests for this host matches nearly all requests. */
	readonly zoneName?: string | undefined;
	/** The managed rulesets of the zone that could be read. */
	readonly catalogue?: readonly ManagedContents[] | undefined;
};

/** Number of managed rules that may be set to `log` or off one by one before this counts as a reduction. */
const maxSingleRules = 10;

/** An exception matches nearly all requests of a rule if it matches at least this share of them. */
const nearlyAllShare = 0.9;

/**
 * Finds how a change reduces the protection of a zone, by comparing the rules that apply to each kind of
 * request before and after. Returns one sentence per reduction: a managed ruleset or category that is set to
 * `log` or off, or runs for fewer requests; more than ten rules that are set so by their own overrides; a
 * lower OWASP paranoia level; a higher score threshold; an exception that matches nearly all requests or
 * skips all managed rules. Up to ten single rules and other exceptions do not count. The sentences are not
 * escaped.
 */
export function findReductions(
	before: Rules,
	after: Rules,
	{zoneName, catalogue = []}: ReductionContext = {},
): readonly string[] {
	const situations = findSituations(before.rules, after.rules, zoneName);
	const rules = [...before.rules, ...after.rules];
	const ids = [...new Set(rules.flatMap(rule => findExecutedRulesetId(rule) ?? []))];
	const losses = ids.map(id => findLoss(id, collectComparedRules(id, rules, catalogue), situations));
	const singleRuleCount = losses.reduce(
		(sum, loss) => sum + (isFullLoss(loss) ? 0 : loss.singleRules.size),
		0,
	);
	const sentences = [
		...losses.flatMap(loss => describeLoss(loss, before, after, getRulesetName(catalogue, loss.rulesetId))),
		...(singleRuleCount > maxSingleRules
			? [`${formatQuantity(singleRuleCount, 'managed rule')} → log or off, blocks less.`]
			: []),
		...describeExceptions(losses, catalogue),
	];
	const isAllInactive =
		losses.some(({peakBefore}) => peakBefore.effective > 0) &&
		losses.every(({peakAfter}) => peakAfter.effective === 0);
	return sentences.length > 0 && isAllInactive
		? [...sentences, 'No managed ruleset stays active.']
		: sentences;
}

function getRulesetName(catalogue: readonly ManagedContents[], id: string): string {
	if (id === managedRulesets.owasp.id) return 'OWASP';
	return catalogue.find(one => one.id === id)?.name ?? formatRulesetName(id);
}

/** The strength of the strongest rule of a ruleset, over all requests. */
type PeakStrength = {
	readonly effective: Strength;
	/** The strength without exceptions. */
	readonly configured: Strength;
};

/** How a change weakens a managed ruleset. */
type Loss = {
	readonly rulesetId: string;
	readonly peakBefore: PeakStrength;
	readonly peakAfter: PeakStrength;
	/** Rules that are weaker only by their own overrides. */
	readonly singleRules: ReadonlySet<ComparedRule>;
	/**
	 * Rules that are weaker because of an override of their category or ruleset.
	 */
	readonly weakenedRules: ReadonlyMap<
		ComparedRule,
		{readonly remainingStrength: Strength; readonly isByCategory: boolean}
	>;
	/** True if the ruleset runs for fewer requests. */
	readonly isNarrowed: boolean;
	/** The raised OWASP score threshold, in points. */
	readonly threshold: readonly [from: number, to: number] | undefined;
	/**
	 * Number of rules that exceptions skip for nearly all requests. `isAll`: these are all rules that acted
	 * before.
	 */
	readonly skipped: {readonly ruleCount: number; readonly isAll: boolean};
	/** Exceptions that skip all managed rules for requests on which this ruleset acted. */
	readonly allSkippingExceptions: ReadonlySet<ConfiguredRule>;
};

/** Numbers of sample requests by part of the ordinary traffic; undefined: artificial requests. */
type Samples = Map<string | undefined, number>;

function findLoss(
	rulesetId: string,
	rules: readonly ComparedRule[],
	situations: readonly TrafficSituation[],
): Loss {
	const singleRules = new Set<ComparedRule>();
	const weakenedRules = new Map<ComparedRule, {remainingStrength: Strength; isByCategory: boolean}>();
	const allSkippingExceptions = new Set<ConfiguredRule>();
	const actingSamples = new Map<ComparedRule, Samples>();
	const skippedSamples = new Map<ComparedRule, Samples>();
	const [peakBefore, peakAfter] = [
		{effective: 0, configured: 0},
		{effective: 0, configured: 0},
	];
	let isNarrowed = false;
	let threshold: Loss['threshold'];
	const strength = buildStrengths(rulesetId, rules);
	for (const {samples, ...situation} of situations) {
		const before = situation.before.filter(one => one.rulesetId === rulesetId);
		const after = situation.after.filter(one => one.rulesetId === rulesetId);
		threshold = pickHigherThreshold(threshold, findRaisedThreshold(before, after, rules, strength));
		for (const rule of rules) {
			const oldStrength = strength.getEffective(before, rule);
			const newStrength = strength.getEffective(after, rule);
			const configuredStrength = strength.getConfigured(after, rule);
			peakBefore.effective = Math.max(peakBefore.effective, oldStrength);
			peakBefore.configured = Math.max(peakBefore.configured, strength.getConfigured(before, rule));
			peakAfter.effective = Math.max(peakAfter.effective, newStrength);
			peakAfter.configured = Math.max(peakAfter.configured, configuredStrength);
			if (oldStrength === 0) continue;
			addSamples(actingSamples, rule, samples);
			if (configuredStrength < oldStrength) {
				const cause = after.length === 0 ? 'narrowed' : strength.findCause(before, after, rule);
				if (cause === 'narrowed') isNarrowed = true;
				else if (cause === 'single') singleRules.add(rule);
				else {
					const isByCategory = cause === 'category';
					weakenedRules.set(rule, {remainingStrength: configuredStrength, isByCategory});
				}
			}
			if (newStrength < Math.min(oldStrength, configuredStrength)) {
				addSamples(skippedSamples, rule, samples);
				for (const exception of after.flatMap(({exceptions}) => exceptions))
					if (skipsAllManagedRules(exception)) allSkippingExceptions.add(exception);
			}
		}
	}
	for (const rule of weakenedRules.keys()) singleRules.delete(rule);
	const skippedRules = [...actingSamples].filter(([rule, samples]) =>
		isNearlyAll(skippedSamples.get(rule), samples),
	);
	return {
		rulesetId,
		peakBefore,
		peakAfter,
		singleRules,
		weakenedRules,
		isNarrowed,
		threshold,
		skipped: {ruleCount: skippedRules.length, isAll: skippedRules.length === actingSamples.size},
		allSkippingExceptions,
	};
}

function addSamples(
	totals: Map<ComparedRule, Samples>,
	rule: ComparedRule,
	samples: TrafficSituation['samples'],
): void {
	const ruleSamples = totals.get(rule) ?? new Map();
	for (const [traffic, count] of samples) ruleSamples.set(traffic, (ruleSamples.get(traffic) ?? 0) + count);
	totals.set(rule, ruleSamples);
}

/**
 * True if `part` has nearly all samples of one part of the ordinary traffic. Without ordinary samples: true
 * if it has all of `total`.
 */
function isNearlyAll(part: Samples | undefined, total: Samples): boolean {
	if (!part) return false;
	const ordinarySamples = [...total].filter(([traffic]) => traffic !== undefined);
	if (ordinarySamples.length === 0) return part.get(undefined) === total.get(undefined);
	return ordinarySamples.some(([traffic, count]) => (part.get(traffic) ?? 0) >= count * nearlyAllShare);
}

const pickHigherThreshold = (one: Loss['threshold'], other: Loss['threshold']): Loss['threshold'] =>
	one && (!other || one[1] >= other[1]) ? one : other;

type Strengths = ReturnType<typeof buildStrengths>;

/**
 * Computes and caches the strengths of a ruleset's rules. No OWASP rule is stronger than the rule that acts
 * on the score.
 */
function buildStrengths(rulesetId: string, rules: readonly ComparedRule[]) {
	const isOwasp = rulesetId === managedRulesets.owasp.id;
	const scoringRule = isOwasp ? rules.find(({id}) => id === thresholdRuleId) : undefined;
	const cache = new Map<ConfiguredRule, Map<ComparedRule, Strength>>();
	const computeStrength = (
		executeRule: ConfiguredRule,
		rule: ComparedRule,
		ownOverrides?: ReturnType<typeof listRuleOverrides>,
	): Strength => {
		const strength = computeRuleStrength(executeRule, rule, ownOverrides);
		return scoringRule && rule !== scoringRule
			? Math.min(strength, getCachedStrength(executeRule, scoringRule))
			: strength;
	};
	const getCachedStrength = (executeRule: ConfiguredRule, rule: ComparedRule): Strength => {
		const strengths = cache.get(executeRule) ?? new Map<ComparedRule, Strength>();
		cache.set(executeRule, strengths);
		const strength = strengths.get(rule) ?? computeStrength(executeRule, rule);
		strengths.set(rule, strength);
		return strength;
	};
	const hasException = (execution: Execution, rule: ComparedRule): boolean =>
		isManagedRuleSkipped(execution, rule.id) ||
		(scoringRule !== undefined && isManagedRuleSkipped(execution, scoringRule.id));
	const omitExcepted = (executions: readonly Execution[], rule: ComparedRule) =>
		executions.filter(one => !hasException(one, rule));
	const findStrongest = (executions: readonly Execution[], rule: ComparedRule) =>
		executions.toSorted((a, b) => getCachedStrength(b.rule, rule) - getCachedStrength(a.rule, rule))[0];
	const getHighest = (strengths: readonly Strength[]): Strength => Math.max(0, ...strengths);
	return {
		scoring: scoringRule,
		/** Returns the strength of a rule, with exceptions. */
		getEffective: (executions: readonly Execution[], rule: ComparedRule): Strength =>
			getHighest(omitExcepted(executions, rule).map(one => getCachedStrength(one.rule, rule))),
		/** Returns the strength of a rule, without exceptions. */
		getConfigured: (executions: readonly Execution[], rule: ComparedRule): Strength =>
			getHighest(executions.map(one => getCachedStrength(one.rule, rule))),
		hasException,
		/** Finds what made a rule weaker. */
		findCause(before: readonly Execution[], after: readonly Execution[], rule: ComparedRule) {
			const oldExecuteRule = findStrongest(omitExcepted(before, rule), rule)?.rule;
			const newExecuteRule = findStrongest(after, rule)?.rule;
			if (!oldExecuteRule || !newExecuteRule) return 'narrowed';
			const ownOverrides = [oldExecuteRule, newExecuteRule].map(executeRule =>
				listRuleOverrides(executeRule, rule),
			);
			const isSingle =
				rule !== scoringRule &&
				rule.id !== undefined &&
				ownOverrides.every(
					own => computeStrength(oldExecuteRule, rule, own) <= computeStrength(newExecuteRule, rule, own),
				);
			if (isSingle) return 'single';
			return serializeCategories(oldExecuteRule, rule) === serializeCategories(newExecuteRule, rule)
				? 'ruleset'
				: 'category';
		},
	};
}

const serializeCategories = (executeRule: ConfiguredRule, rule: ComparedRule): string =>
	JSON.stringify(findOverrideLayers(getRulesetOverrides(executeRule), rule).category);

/**
 * Finds the lowest OWASP threshold before and after the change. Undefined unless it is higher after the
 * change.
 */
function findRaisedThreshold(
	before: readonly Execution[],
	after: readonly Execution[],
	rules: readonly ComparedRule[],
	{scoring: scoringRule, hasException, getConfigured}: Strengths,
): Loss['threshold'] {
	if (!scoringRule || !rules.includes(scoringRule)) return undefined;
	const getLowest = (executions: readonly Execution[]): number =>
		Math.min(
			...executions
				.filter(one => !hasException(one, scoringRule) && getConfigured([one], scoringRule) > 0)
				.map(({rule}) => getScoreThreshold(rule, scoringRule)),
		);
	const [from, to] = [getLowest(before), getLowest(after)];
	return Number.isFinite(to) && to > from ? [from, to] : undefined;
}

/** True if the strongest rule of a ruleset went from on to log or off, or from log to off. */
const isFullLoss = ({peakBefore, peakAfter, singleRules, weakenedRules, isNarrowed}: Loss): boolean =>
	(singleRules.size > 0 || weakenedRules.size > 0 || isNarrowed) &&
	formatStrength(peakAfter.configured) !== formatStrength(peakBefore.configured) &&
	peakAfter.configured < peakBefore.configured;

function describeLoss(loss: Loss, before: Rules, after: Rules, name: string): readonly string[] {
	const {rulesetId, peakBefore, peakAfter, weakenedRules, isNarrowed, threshold} = loss;
	const executeRules = after.rules.filter(rule => findExecutedRulesetId(rule) === rulesetId);
	if (isFullLoss(loss)) {
		const [from, to] = [formatStrength(peakBefore.configured), formatStrength(peakAfter.configured)];
		const effect = from === 'log' ? 'logs' : 'blocks';
		return [`${name}: ${from} → ${executeRules.length === 0 ? 'removed' : to}, ${effect} nothing.`];
	}
	const level =
		rulesetId === managedRulesets.owasp.id ? describeLowerLevel(before, after, weakenedRules) : undefined;
	const levelCategories = new Set(level ? paranoiaLevels.map(getParanoiaCategory) : []);
	const otherRules = [...weakenedRules].filter(
		([rule]) => !rule.categories.some(one => levelCategories.has(one)),
	);
	const trafficFilters = executeRules.flatMap(rule => findTrafficFilter(rule) ?? []);
	const overriddenCategories = new Set(
		[...before.rules, ...after.rules]
			.filter(rule => findExecutedRulesetId(rule) === rulesetId)
			.flatMap(rule => filterObjects(getRulesetOverrides(rule).categories).map(({category}) => category)),
	);
	const rulesByCategory = Map.groupBy(
		otherRules.filter(([, {isByCategory}]) => isByCategory),
		([{categories}]) => categories.find(one => overriddenCategories.has(one)) ?? '',
	);
	const rulesByRuleset = otherRules.filter(([, {isByCategory}]) => !isByCategory);
	return [
		...(threshold ? [`${name}: score threshold ${threshold.join(' → ')}, blocks less.`] : []),
		...(level ? [`${name}: paranoia level ${level}, blocks less.`] : []),
		...(isNarrowed
			? [
					`${name}: ${trafficFilters.length > 0 ? `only for requests where ${trafficFilters.join(' or ')}` : 'for fewer requests'}, blocks less.`,
				]
			: []),
		...[...rulesByCategory].map(
			([category, rules]) => `${name}: category ${category} → ${formatRemaining(rules)}, blocks less.`,
		),
		...(rulesByRuleset.length > 0
			? [`${name}: all rules → ${formatRemaining(rulesByRuleset)}, except overridden ones; blocks less.`]
			: []),
	];
}

/** Formats what weakened rules still do: log, block with less sensitivity, or nothing. */
function formatRemaining(
	rules: readonly (readonly [ComparedRule, {readonly remainingStrength: Strength}])[],
): string {
	const remaining = formatStrength(Math.max(...rules.map(([, one]) => one.remainingStrength)));
	return remaining === 'on' ? 'less sensitive' : remaining;
}

/** Formats a lowered paranoia level, such as "2 → 1". Undefined unless it turned rules off. */
function describeLowerLevel(
	before: Rules,
	after: Rules,
	weakenedRules: Loss['weakenedRules'],
): string | undefined {
	const listLevels = ({rules}: Rules) =>
		rules
			.filter(rule => findExecutedRulesetId(rule) === managedRulesets.owasp.id)
			.map(rule => readOwaspSettings(getRulesetOverrides(rule)).level);
	const [from] = listLevels(before);
	const [to] = listLevels(after);
	const names = paranoiaLevels.map(getParanoiaCategory);
	const isByLevel = [...weakenedRules].some(
		([{categories}, {remainingStrength}]) =>
			remainingStrength === 0 && categories.some(one => names.includes(one)),
	);
	if (!isByLevel || to === undefined || (from !== undefined && from <= to)) return undefined;
	return `${from ?? 'default'} → ${to}`;
}

function describeExceptions(
	losses: readonly Loss[],
	catalogue: readonly ManagedContents[],
): readonly string[] {
	const affectedLosses = losses.filter(({skipped}) => skipped.ruleCount > 0);
	const exceptions = [...new Set(losses.flatMap(({allSkippingExceptions}) => [...allSkippingExceptions]))];
	const skippedNames = affectedLosses.map(({rulesetId, skipped: {ruleCount, isAll}}) => {
		const name = getRulesetName(catalogue, rulesetId);
		return isAll ? name : `${formatQuantity(ruleCount, 'rule')} of ${name}`;
	});
	return skippedNames.length > 0
		? [`Exception: skips ${skippedNames.join(', ')} for all or nearly all requests.`]
		: exceptions.map(
				({expression}) => `Exception: skips all managed rules for requests where ${expression}.`,
			);
}
