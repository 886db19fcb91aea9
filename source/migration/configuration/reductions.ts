import {formatQuantity} from '../../text/figures.ts';
import {filterObjects} from '../../text/json.ts';
import type {ManagedContents} from '../zone/managed-contents.ts';
import type {ManagedConfiguration} from './configuration.ts';
import {
	type ComparedRule,
	collectComparedRules,
	computeRuleStrength,
	formatStrength,
	getScoreThreshold,
	listRuleOverrides,
	type Strength,
} from './judged-rules.ts';
import {
	formatRulesetName,
	getParanoiaCategory,
	managedRulesets,
	paranoiaLevels,
	thresholdRuleId,
} from './mapping.ts';
import {findExecutedRuleset} from './override-edits.ts';
import {
	type ConfiguredRule,
	findOverrideLayers,
	findTrafficFilter,
	getRulesetOverrides,
	readOwaspSettings,
} from './rule-overrides.ts';
import {
	type Execution,
	findSituations,
	isManagedRuleSkipped,
	skipsAllManagedRules,
	type TrafficSituation,
} from './situations.ts';

type Rules = Pick<ManagedConfiguration, 'rules'>;

type ReductionContext = {
	/** The zone's name: an expression that tests its host matches nearly all requests. */
	readonly zone?: string | undefined;
	/** The managed rulesets of the zone that could be read. */
	readonly managed?: readonly ManagedContents[] | undefined;
};

/** Managed rules that may be set to `log` or off one by one before this counts as a reduction. */
const maxSingleRules = 10;

/** Share of a rule's requests from which an exception counts as matching nearly all of them. */
const nearlyAllShare = 0.9;

/**
 * Finds how a change reduces the protection of a zone, by comparing what each kind of request meets before
 * and after. Returns one sentence per reduction: a managed ruleset or a category set to `log` or off, or
 * running for fewer requests; more than ten rules set so by their own overrides; a lower OWASP paranoia level
 * or a higher score threshold; an exception that matches nearly all requests or skips all managed rules. Up
 * to ten single rules and other exceptions do not count. Raw text of data.
 */
export function findReductions(
	before: Rules,
	after: Rules,
	{zone, managed = []}: ReductionContext = {},
): readonly string[] {
	const situations = findSituations(before.rules, after.rules, zone);
	const rules = [...before.rules, ...after.rules];
	const ids = [...new Set(rules.flatMap(rule => findExecutedRuleset(rule) ?? []))];
	const losses = ids.map(id => findLoss(id, collectComparedRules(id, rules, managed), situations));
	const singles = losses.reduce((sum, loss) => sum + (isFullLoss(loss) ? 0 : loss.single.size), 0);
	const sentences = [
		...losses.flatMap(loss => describeLoss(loss, before, after, getRulesetName(managed, loss.ruleset))),
		...(singles > maxSingleRules
			? [`${formatQuantity(singles, 'managed rule')} → log or off, blocks less.`]
			: []),
		...describeExceptions(losses, managed),
	];
	const isAllGone = losses.some(({was}) => was.met > 0) && losses.every(({is}) => is.met === 0);
	return sentences.length > 0 && isAllGone ? [...sentences, 'No managed ruleset stays active.'] : sentences;
}

function getRulesetName(managed: readonly ManagedContents[], id: string): string {
	if (id === managedRulesets.owasp.id) return 'OWASP';
	return managed.find(one => one.id === id)?.name ?? formatRulesetName(id);
}

/** Strength of the strongest rule of a ruleset, over all requests. */
type Strongest = {
	readonly met: Strength;
	/** Ignoring exceptions. */
	readonly set: Strength;
};

/** How a managed ruleset got weaker. */
type Loss = {
	readonly ruleset: string;
	readonly was: Strongest;
	readonly is: Strongest;
	/** Rules that are weaker only by their own overrides. */
	readonly single: ReadonlySet<ComparedRule>;
	/** Rules that are weaker by an override of their category or of the ruleset, with the strength left. */
	readonly settings: ReadonlyMap<ComparedRule, {readonly left: Strength; readonly isByCategory: boolean}>;
	/** It runs for fewer requests. */
	readonly isNarrowed: boolean;
	/** The raised OWASP score threshold, in points. */
	readonly threshold: readonly [from: number, to: number] | undefined;
	/** Number of rules that exceptions skip for nearly all requests; `isAll`: all rules that acted before. */
	readonly skipped: {readonly rules: number; readonly isAll: boolean};
	/** Exceptions that skip all managed rules for requests that this ruleset acted on. */
	readonly skippingAll: ReadonlySet<ConfiguredRule>;
};

type Samples = Map<string | undefined, number>;

function findLoss(
	ruleset: string,
	rules: readonly ComparedRule[],
	situations: readonly TrafficSituation[],
): Loss {
	const single = new Set<ComparedRule>();
	const settings = new Map<ComparedRule, {left: Strength; isByCategory: boolean}>();
	const skippingAll = new Set<ConfiguredRule>();
	const actingSamples = new Map<ComparedRule, Samples>();
	const skipped = new Map<ComparedRule, Samples>();
	const [was, is] = [
		{met: 0, set: 0},
		{met: 0, set: 0},
	];
	let isNarrowed = false;
	let threshold: Loss['threshold'];
	const strength = buildStrengths(ruleset, rules);
	for (const {samples, ...situation} of situations) {
		const before = situation.before.filter(one => one.ruleset === ruleset);
		const after = situation.after.filter(one => one.ruleset === ruleset);
		threshold = pickHigherThreshold(threshold, findRaisedThreshold(before, after, rules, strength));
		for (const rule of rules) {
			const old = strength.met(before, rule);
			const now = strength.met(after, rule);
			const set = strength.set(after, rule);
			was.met = Math.max(was.met, old);
			was.set = Math.max(was.set, strength.set(before, rule));
			is.met = Math.max(is.met, now);
			is.set = Math.max(is.set, set);
			if (old === 0) continue;
			addSamples(actingSamples, rule, samples);
			if (set < old) {
				const cause = after.length === 0 ? 'narrowed' : strength.findCause(before, after, rule);
				if (cause === 'narrowed') isNarrowed = true;
				else if (cause === 'single') single.add(rule);
				else settings.set(rule, {left: set, isByCategory: cause === 'category'});
			}
			if (now < Math.min(old, set)) {
				addSamples(skipped, rule, samples);
				for (const {exceptions} of after)
					for (const exception of exceptions) if (skipsAllManagedRules(exception)) skippingAll.add(exception);
			}
		}
	}
	for (const rule of settings.keys()) single.delete(rule);
	const lost = [...actingSamples].filter(([rule, samples]) => isNearlyAll(skipped.get(rule), samples));
	return {
		ruleset,
		was,
		is,
		single,
		settings,
		isNarrowed,
		threshold,
		skipped: {rules: lost.length, isAll: lost.length === actingSamples.size},
		skippingAll,
	};
}

function addSamples(
	to: Map<ComparedRule, Samples>,
	rule: ComparedRule,
	samples: TrafficSituation['samples'],
): void {
	const sum = to.get(rule) ?? new Map();
	for (const [traffic, count] of samples) sum.set(traffic, (sum.get(traffic) ?? 0) + count);
	to.set(rule, sum);
}

/**
 * True if `some` is nearly all of one part of ordinary traffic; without ordinary samples, if it is all of
 * them.
 */
function isNearlyAll(some: Samples | undefined, all: Samples): boolean {
	if (!some) return false;
	const ordinary = [...all].filter(([traffic]) => traffic !== undefined);
	if (ordinary.length === 0) return some.get(undefined) === all.get(undefined);
	return ordinary.some(([traffic, count]) => (some.get(traffic) ?? 0) >= count * nearlyAllShare);
}

const pickHigherThreshold = (one: Loss['threshold'], other: Loss['threshold']): Loss['threshold'] =>
	one && (!other || one[1] >= other[1]) ? one : other;

type Strengths = ReturnType<typeof buildStrengths>;

/**
 * Computes and caches rule strengths of a ruleset. No OWASP rule is stronger than the one that acts on the
 * score.
 */
function buildStrengths(ruleset: string, rules: readonly ComparedRule[]) {
	const isOwasp = ruleset === managedRulesets.owasp.id;
	const scoring = isOwasp ? rules.find(({id}) => id === thresholdRuleId) : undefined;
	const cache = new Map<ConfiguredRule, Map<ComparedRule, Strength>>();
	const computeStrength = (
		executing: ConfiguredRule,
		rule: ComparedRule,
		own?: ReturnType<typeof listRuleOverrides>,
	): Strength => {
		const strength = computeRuleStrength(executing, rule, own);
		return scoring && rule !== scoring ? Math.min(strength, getCachedStrength(executing, scoring)) : strength;
	};
	const getCachedStrength = (executing: ConfiguredRule, rule: ComparedRule): Strength => {
		const strengths = cache.get(executing) ?? new Map<ComparedRule, Strength>();
		cache.set(executing, strengths);
		const strength = strengths.get(rule) ?? computeStrength(executing, rule);
		strengths.set(rule, strength);
		return strength;
	};
	const isExcepted = (execution: Execution, rule: ComparedRule): boolean =>
		isManagedRuleSkipped(execution, rule.id) ||
		(scoring !== undefined && isManagedRuleSkipped(execution, scoring.id));
	const findStrongest = (executions: readonly Execution[], rule: ComparedRule) =>
		executions.toSorted((a, b) => getCachedStrength(b.rule, rule) - getCachedStrength(a.rule, rule))[0];
	const getHighest = (strengths: readonly Strength[]): Strength => Math.max(0, ...strengths);
	return {
		scoring,
		/** Strength of a rule, with exceptions. */
		met: (executions: readonly Execution[], rule: ComparedRule): Strength =>
			getHighest(
				executions.filter(one => !isExcepted(one, rule)).map(one => getCachedStrength(one.rule, rule)),
			),
		/** Strength of a rule, ignoring exceptions. */
		set: (executions: readonly Execution[], rule: ComparedRule): Strength =>
			getHighest(executions.map(one => getCachedStrength(one.rule, rule))),
		isOut: isExcepted,
		/** Finds what made a rule weaker. */
		findCause(before: readonly Execution[], after: readonly Execution[], rule: ComparedRule) {
			const old = findStrongest(
				before.filter(one => !isExcepted(one, rule)),
				rule,
			)?.rule;
			const now = findStrongest(after, rule)?.rule;
			if (!old || !now) return 'narrowed';
			const own = [old, now].map(executing => listRuleOverrides(executing, rule));
			const isSingle =
				rule !== scoring &&
				rule.id !== undefined &&
				own.every(same => computeStrength(old, rule, same) <= computeStrength(now, rule, same));
			if (isSingle) return 'single';
			return serializeCategories(old, rule) === serializeCategories(now, rule) ? 'ruleset' : 'category';
		},
	};
}

const serializeCategories = (executing: ConfiguredRule, rule: ComparedRule): string =>
	JSON.stringify(findOverrideLayers(getRulesetOverrides(executing), rule).category);

/** The lowest OWASP thresholds before and after, if requests need more points now. */
function findRaisedThreshold(
	before: readonly Execution[],
	after: readonly Execution[],
	rules: readonly ComparedRule[],
	{scoring, isOut: isExcepted, set}: Strengths,
): Loss['threshold'] {
	if (!scoring || !rules.includes(scoring)) return undefined;
	const getLowest = (executions: readonly Execution[]): number =>
		Math.min(
			...executions
				.filter(one => !isExcepted(one, scoring) && set([one], scoring) > 0)
				.map(({rule}) => getScoreThreshold(rule, scoring)),
		);
	const [from, to] = [getLowest(before), getLowest(after)];
	return Number.isFinite(to) && to > from ? [from, to] : undefined;
}

/** True if a whole ruleset went from on to log or off, or from log to off. */
const isFullLoss = ({was, is, single, settings, isNarrowed}: Loss): boolean =>
	(single.size > 0 || settings.size > 0 || isNarrowed) &&
	formatStrength(is.set) !== formatStrength(was.set) &&
	is.set < was.set;

function describeLoss(loss: Loss, before: Rules, after: Rules, name: string): readonly string[] {
	const {ruleset, was, is, settings, isNarrowed, threshold} = loss;
	const executing = after.rules.filter(rule => findExecutedRuleset(rule) === ruleset);
	if (isFullLoss(loss)) {
		const [from, to] = [formatStrength(was.set), formatStrength(is.set)];
		const what = from === 'log' ? 'logs' : 'blocks';
		return [`${name}: ${from} → ${executing.length === 0 ? 'removed' : to}, ${what} nothing.`];
	}
	const level =
		ruleset === managedRulesets.owasp.id ? describeLowerLevel(before, after, settings) : undefined;
	const levelCategories = new Set(level ? paranoiaLevels.map(getParanoiaCategory) : []);
	const others = [...settings].filter(([rule]) => !rule.categories.some(one => levelCategories.has(one)));
	const only = executing.flatMap(rule => findTrafficFilter(rule) ?? []);
	const overridden = new Set(
		[...before.rules, ...after.rules]
			.filter(rule => findExecutedRuleset(rule) === ruleset)
			.flatMap(rule => filterObjects(getRulesetOverrides(rule).categories).map(({category}) => category)),
	);
	const byCategory = Map.groupBy(
		others.filter(([, {isByCategory}]) => isByCategory),
		([{categories}]) => categories.find(one => overridden.has(one)) ?? '',
	);
	const byRuleset = others.filter(([, {isByCategory}]) => !isByCategory);
	return [
		...(threshold ? [`${name}: ${threshold.join(' → ')}, blocks less.`] : []),
		...(level ? [`${name}: ${level}, blocks less.`] : []),
		...(isNarrowed
			? [
					`${name}: ${only.length > 0 ? `only for requests with ${only.join(' or ')}` : 'for fewer requests'}, blocks less.`,
				]
			: []),
		...[...byCategory].map(
			([category, rules]) => `${name}: category ${category} → ${formatRemaining(rules)}, blocks less.`,
		),
		...(byRuleset.length > 0
			? [`${name}: all its rules → ${formatRemaining(byRuleset)}, except overridden ones; blocks less.`]
			: []),
	];
}

/** Formats what weakened rules still do. */
function formatRemaining(rules: readonly (readonly [ComparedRule, {readonly left: Strength}])[]): string {
	const left = formatStrength(Math.max(...rules.map(([, one]) => one.left)));
	return left === 'on' ? 'less sensitive' : left;
}

/** "PL2 → PL1" if a lower paranoia level turned rules off. */
function describeLowerLevel(before: Rules, after: Rules, settings: Loss['settings']): string | undefined {
	const listLevels = ({rules}: Rules) =>
		rules
			.filter(rule => findExecutedRuleset(rule) === managedRulesets.owasp.id)
			.map(rule => readOwaspSettings(getRulesetOverrides(rule)).level);
	const [from] = listLevels(before);
	const [to] = listLevels(after);
	const names = paranoiaLevels.map(getParanoiaCategory);
	const isByLevel = [...settings].some(
		([{categories}, {left}]) => left === 0 && categories.some(one => names.includes(one)),
	);
	if (!isByLevel || to === undefined || (from !== undefined && from <= to)) return undefined;
	return `${from === undefined ? 'default level' : `PL${from}`} → PL${to}`;
}

function describeExceptions(losses: readonly Loss[], managed: readonly ManagedContents[]): readonly string[] {
	const affected = losses.filter(({skipped}) => skipped.rules > 0);
	const all = [...new Set(losses.flatMap(({skippingAll}) => [...skippingAll]))];
	const what = affected.map(({ruleset, skipped: {rules, isAll}}) => {
		const name = getRulesetName(managed, ruleset);
		return isAll ? name : `${formatQuantity(rules, 'rule')} of ${name}`;
	});
	return [
		...(what.length > 0 ? [`Exception: skips ${what.join(', ')} for all or nearly all requests.`] : []),
		...(what.length > 0
			? []
			: all.map(({expression}) => `Exception: skips all managed rules for requests with ${expression}.`)),
	];
}
