import fc from 'fast-check';
import {managedRulesets, thresholdRuleId} from '../../source/migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../source/migration/configuration/rule-overrides.ts';
import type {ManagedContents} from '../../source/migration/zone/managed-contents.ts';
import type {JsonObject} from '../../source/text/json.ts';
import {createSeededRandom, getTestSeed} from '../support/seed.ts';

/**
 * Computes a second time whether a change reduces the protection of a zone, with requests and a model of
 * rules of its own, and without the code that is tested. Configurations are built from the model, and never
 * read back.
 */
export const zoneName = 'shop.example';

type Request = {
	readonly host: string;
	readonly path: string;
	readonly ssl: boolean;
	readonly address: string;
};

/** Expressions, each with a function that tells which requests it matches. */
const expressions = {
	true: () => true,
	ssl: ({ssl}) => ssl,
	'not ssl': ({ssl}) => !ssl,
	[`http.host eq "${zoneName}"`]: ({host}) => host === zoneName,
	[`http.host in {"${zoneName}" "www.${zoneName}"}`]: ({host}) =>
		[zoneName, `www.${zoneName}`].includes(host),
	[`ends_with(http.host, ".${zoneName}")`]: ({host}) => host.endsWith(`.${zoneName}`),
	'http.host eq "a.example"': ({host}) => host === 'a.example',
	'http.host ne "a.example"': ({host}) => host !== 'a.example',
	'http.request.uri.path eq "/shop"': ({path}) => path === '/shop',
	'not http.request.uri.path eq "/shop"': ({path}) => path !== '/shop',
	'(http.host eq "a.example" and http.request.uri.path eq "/shop")': ({host, path}) =>
		host === 'a.example' && path === '/shop',
	'http.request.uri.path eq "/shop" or http.request.uri.path eq "/y"': ({path}) =>
		path === '/shop' || path === '/y',
	'starts_with(http.request.uri.path, "/shop")': ({path}) => path.startsWith('/shop'),
	'ip.src in {192.0.2.0/24}': ({address}) => address.startsWith('192.0.2.'),
	'(ssl and ip.src eq 192.0.2.1)': ({ssl, address}) => ssl && address === '192.0.2.1',
} as const satisfies Readonly<Record<string, (request: Request) => boolean>>;

const texts: readonly string[] = Object.keys(expressions);
const holdsFor = (text: string, request: Request): boolean =>
	(expressions as Readonly<Record<string, (request: Request) => boolean>>)[text]?.(request) ?? false;

/** A request, and the part of ordinary traffic that it belongs to; undefined for a rare request. */
type SampleRequest = {readonly request: Request; readonly traffic: string | undefined};

const random = createSeededRandom(getTestSeed());
const createRandomWord = (): string => Math.floor(random() * 2 ** 40).toString(36);

const rareRequests: readonly SampleRequest[] = [
	zoneName,
	`www.${zoneName}`,
	'a.example',
	'b.example',
].flatMap(host =>
	['/', '/shop', '/shop2', '/y', '/z'].flatMap(path =>
		[true, false].flatMap(ssl =>
			['192.0.2.1', '192.0.2.2', '203.0.113.7', '2001:db8::1'].map(address => ({
				request: {host, path, ssl, address},
				traffic: undefined,
			})),
		),
	),
);

const hostsByLabel: Readonly<Record<string, () => string>> = {
	'the zone': () => zoneName,
	'its www': () => `www.${zoneName}`,
};

const ordinaryRequests: readonly SampleRequest[] = Object.entries(hostsByLabel).flatMap(
	([hostLabel, getHost]) =>
		['198.51.100.', '2001:db8::'].flatMap(network =>
			Array.from({length: 40}, (_, at) => ({
				request: {
					host: getHost(),
					path: `/o${createRandomWord()}`,
					ssl: at % 20 !== 0,
					address: `${network}${at + 1}`,
				},
				traffic: `${hostLabel} ${network}`,
			})),
		),
);

type Override = {readonly action?: string; readonly enabled?: boolean};
type SetName = 'platform' | 'owasp' | 'credentials';

/** A rule that executes a managed ruleset. `whole` overrides the ruleset, `own` single rules by their ids. */
type Execute = {
	readonly kind: 'execute';
	readonly set: SetName;
	readonly isOn: boolean;
	readonly expression: string;
	readonly whole: Override;
	readonly categories: Readonly<Record<string, Override>>;
	readonly own: Readonly<Record<string, Override>>;
	readonly threshold: number | undefined;
};

type Exception = {
	readonly kind: 'exception';
	readonly isOn: boolean;
	readonly expression: string;
	readonly skips: 'all' | SetName | {readonly set: SetName; readonly ids: readonly string[]};
};

export type Model = readonly (Execute | Exception)[];

/** A rule of a managed ruleset. `does`: 0 is nothing, 1 only logs, 2 acts. */
type Rule = {readonly id: string; readonly category: string | undefined; readonly does: 0 | 1 | 2};

const ruleIdsBySet = {
	platform: Array.from({length: 14}, (_, at) => `p${at}`),
	owasp: [...Array.from({length: 8}, (_, at) => `s${at}`), thresholdRuleId],
	credentials: ['c0', 'c1'],
} as const satisfies Record<SetName, readonly string[]>;
const categoriesBySet = {
	platform: ['wordpress', 'php'],
	owasp: [1, 2, 3, 4].map(level => `paranoia-level-${level}`),
	credentials: ['leaked'],
} as const satisfies Record<SetName, readonly string[]>;

/** The catalogue, if it can be read: some rules only log by default, some are off. */
const catalogue: Readonly<Record<SetName, readonly Rule[]>> = {
	platform: ruleIdsBySet.platform.map((id, at) => ({
		id,
		category: at < 3 ? 'wordpress' : 'php',
		does: at === 2 || at === 12 ? 1 : at === 13 ? 0 : 2,
	})),
	owasp: ruleIdsBySet.owasp.map((id, at) => ({
		id,
		category: id === thresholdRuleId ? undefined : `paranoia-level-${Math.floor(at / 2) + 1}`,
		does: at > 5 && id !== thresholdRuleId ? 0 : 2,
	})),
	credentials: [
		{id: 'c0', category: 'leaked', does: 1},
		{id: 'c1', category: undefined, does: 2},
	],
};
const catalogueThreshold = 40;

/** The same catalogue for the program, as the service sends it. */
export const catalogueContents: readonly ManagedContents[] = (Object.keys(catalogue) as SetName[]).map(
	set => ({
		...managedRulesets[set],
		rules: catalogue[set].map(({id, category, does}) => ({
			id,
			description: id,
			categories: category === undefined ? [] : [category, 'everything'],
			action: does === 1 ? 'log' : set === 'owasp' && id !== thresholdRuleId ? 'score' : 'block',
			enabled: does > 0,
			...(id === thresholdRuleId && {score_threshold: catalogueThreshold}),
		})),
	}),
);

/** If the catalogue is unknown: a rule for each id and category that can be named, which is on and blocks. */
const buildAssumedRules = (set: SetName, models: readonly Model[]): readonly Rule[] => {
	const namedIds = models.flat().flatMap(item => {
		if (item.kind === 'execute') return item.set === set ? Object.keys(item.own) : [];
		return typeof item.skips === 'object' && item.skips.set === set ? item.skips.ids : [];
	});
	return [
		...[...new Set([...namedIds, ...(set === 'owasp' ? [thresholdRuleId] : [])])].map(
			(id): Rule => ({id, category: undefined, does: 2}),
		),
		...[...categoriesBySet[set], undefined].map(
			(category): Rule => ({id: `some of ${category}`, category, does: 2}),
		),
	];
};

/** What a rule does: its own override counts before that of its category, and then the ruleset. */
function getRuleEffect(
	{whole, categories: categoryOverrides, own, isOn}: Execute,
	{id, category, does}: Rule,
): 0 | 1 | 2 {
	const overrides = [
		whole,
		(category === undefined ? undefined : categoryOverrides[category]) ?? {},
		own[id] ?? {},
	];
	const isEnabled = overrides.reduce((now, {enabled}) => enabled ?? now, does > 0);
	const action = overrides.reduce((now, one) => one.action ?? now, does === 1 ? 'log' : 'block');
	if (!isOn || !isEnabled) return 0;
	return action === 'log' ? 1 : 2;
}

type RuleResult = {
	readonly does: 0 | 1 | 2;
	readonly isSkippedByAll: boolean;
	readonly executedBy: Execute | undefined;
};

/** What a rule does to a request. `ignoresExceptions`: as if there were no exceptions. */
function evaluateRule(
	model: Model,
	request: Request,
	set: SetName,
	rule: Rule,
	ignoresExceptions = false,
): RuleResult {
	const skippedNames = new Set<string>();
	const thresholdRule = set === 'owasp' ? catalogue.owasp.find(({id}) => id === thresholdRuleId) : undefined;
	for (const item of model) {
		if (!item.isOn || !holdsFor(item.expression, request)) continue;
		if (item.kind === 'exception') {
			const {skips} = item;
			if (typeof skips !== 'string')
				for (const id of skips.set === set ? skips.ids : []) skippedNames.add(id);
			else if (skips === 'all' || skips === set) skippedNames.add(skips);
			continue;
		}
		if (item.set !== set) continue;
		const isSkipped =
			skippedNames.has('all') ||
			skippedNames.has(set) ||
			skippedNames.has(rule.id) ||
			(thresholdRule && skippedNames.has(thresholdRule.id));
		const maxEffect = thresholdRule ? getRuleEffect(item, thresholdRule) : 2;
		return {
			does:
				isSkipped && !ignoresExceptions ? 0 : (Math.min(getRuleEffect(item, rule), maxEffect) as 0 | 1 | 2),
			isSkippedByAll: skippedNames.has('all'),
			executedBy: item,
		};
	}
	return {does: 0, isSkippedByAll: false, executedBy: undefined};
}

const sets = ['platform', 'owasp', 'credentials'] as const;

/** True if a change of these rules has to be confirmed with the zone's name. */
export function shouldRequireZoneName(before: Model, after: Model, isCatalogueRead: boolean): boolean {
	const usedExpressions = new Set([...before, ...after].map(({expression}) => expression));
	const requestKinds = Map.groupBy([...rareRequests, ...ordinaryRequests], ({request}) =>
		[...usedExpressions].map(text => (holdsFor(text, request) ? '1' : '0')).join(''),
	);
	const weakenedIds: string[] = [];
	for (const set of sets) {
		const rules = isCatalogueRead ? catalogue[set] : buildAssumedRules(set, [before, after]);
		let [maxEffectBefore, maxEffectAfter] = [0, 0];
		const weakenedInSet = new Set<string>();
		for (const rule of rules) {
			const protectedCounts = new Map<string | undefined, number>();
			const lostCounts = new Map<string | undefined, number>();
			for (const kind of requestKinds.values()) {
				const {request} = kind[0] as SampleRequest;
				const resultBefore = evaluateRule(before, request, set, rule);
				const resultAfter = evaluateRule(after, request, set, rule);
				const resultWithoutExceptions = evaluateRule(after, request, set, rule, true);
				maxEffectBefore = Math.max(maxEffectBefore, evaluateRule(before, request, set, rule, true).does);
				maxEffectAfter = Math.max(maxEffectAfter, resultWithoutExceptions.does);
				if (resultBefore.does === 0) continue;
				if (
					rule.id === thresholdRuleId &&
					resultAfter.does > 0 &&
					getThreshold(resultAfter) > getThreshold(resultBefore)
				)
					return true;
				for (const {traffic} of kind) protectedCounts.set(traffic, (protectedCounts.get(traffic) ?? 0) + 1);
				if (resultAfter.does < Math.min(resultBefore.does, resultWithoutExceptions.does)) {
					if (resultAfter.isSkippedByAll) return true;
					for (const {traffic} of kind) lostCounts.set(traffic, (lostCounts.get(traffic) ?? 0) + 1);
				}
				if (resultWithoutExceptions.does < resultBefore.does) {
					if (!resultWithoutExceptions.executedBy || !isDueToOwnOverride(before, after, request, set, rule))
						return true;
					weakenedInSet.add(rule.id);
				}
			}
			if (isMostlyLost(lostCounts, protectedCounts)) return true;
		}
		if (weakenedInSet.size > 0 && maxEffectAfter < maxEffectBefore) return true;
		weakenedIds.push(...weakenedInSet);
	}
	return weakenedIds.length > 10;
}

const getThreshold = ({executedBy}: RuleResult): number => executedBy?.threshold ?? catalogueThreshold;

/** True if a rule does less only because of its own override, and not if that had stayed the same. */
function isDueToOwnOverride(
	before: Model,
	after: Model,
	request: Request,
	set: SetName,
	rule: Rule,
): boolean {
	if (rule.id === thresholdRuleId || rule.id.startsWith('some of')) return false;
	return [before, after].every(model => {
		const ruleOverride = model.flatMap(item =>
			item.kind === 'execute' && item.set === set ? [item.own[rule.id]] : [],
		)[0];
		const withOverride = (one: Model): Model =>
			one.map(item =>
				item.kind === 'execute' && item.set === set
					? {...item, own: {...item.own, [rule.id]: ruleOverride ?? {}}}
					: item,
			);
		const [modelBefore, modelAfter] = [withOverride(before), withOverride(after)];
		return (
			evaluateRule(modelBefore, request, set, rule, true).does <=
			evaluateRule(modelAfter, request, set, rule, true).does
		);
	});
}

/** True if nearly all of a part of ordinary traffic is lost, or all rare requests if there is no other. */
function isMostlyLost(
	lostCounts: ReadonlyMap<string | undefined, number>,
	protectedCounts: ReadonlyMap<string | undefined, number>,
): boolean {
	const parts = [...protectedCounts].filter(([traffic]) => traffic !== undefined);
	if (parts.length === 0)
		return protectedCounts.size > 0 && lostCounts.get(undefined) === protectedCounts.get(undefined);
	return parts.some(([traffic, count]) => (lostCounts.get(traffic) ?? 0) / count >= 0.9);
}

/** Converts a model to the rules that the service has. */
export const toConfiguredRules = (model: Model): readonly ConfiguredRule[] =>
	model.map((item): ConfiguredRule => {
		const {isOn, expression} = item;
		if (item.kind === 'exception')
			return {action: 'skip', expression, enabled: isOn, action_parameters: skipParameters(item.skips)};
		const {set, whole, categories: categoryOverrides, own, threshold} = item;
		const scores: Readonly<Record<string, JsonObject>> = {
			...own,
			...(threshold !== undefined && {
				[thresholdRuleId]: {...own[thresholdRuleId], score_threshold: threshold},
			}),
		};
		return {
			action: 'execute',
			expression,
			enabled: isOn,
			action_parameters: {
				id: managedRulesets[set].id,
				overrides: {
					...whole,
					categories: Object.entries(categoryOverrides).map(([category, says]) => ({category, ...says})),
					rules: Object.entries(scores).map(([id, says]) => ({id, ...says})),
				},
			},
		};
	});

function skipParameters(skips: Exception['skips']): JsonObject {
	if (skips === 'all') return {ruleset: 'current'};
	if (typeof skips === 'string') return {rulesets: [managedRulesets[skips].id]};
	return {rules: {[managedRulesets[skips.set].id]: skips.ids}};
}

const expression = fc.constantFrom(...texts);
/** Usually matches all requests. */
const usualExpression = fc.oneof(
	{weight: 3, arbitrary: fc.constant('true')},
	{weight: 1, arbitrary: expression},
);
const anyOverride: fc.Arbitrary<Override> = fc.record(
	{action: fc.constantFrom('block', 'log', 'managed_challenge'), enabled: fc.boolean()},
	{requiredKeys: []},
);
const createOverrides = (
	names: readonly string[],
	maxKeys: number,
): fc.Arbitrary<Readonly<Record<string, Override>>> =>
	fc.dictionary(fc.constantFrom(...names), anyOverride, {maxKeys, noNullPrototype: true});
const thresholds = fc.constantFrom(undefined, 25, 40, 60);

const execute = (set: SetName): fc.Arbitrary<Execute> =>
	fc.record({
		kind: fc.constant('execute' as const),
		set: fc.constant(set),
		isOn: fc.oneof({weight: 4, arbitrary: fc.constant(true)}, {weight: 1, arbitrary: fc.constant(false)}),
		expression: usualExpression,
		whole: fc.oneof({weight: 3, arbitrary: fc.constant({})}, {weight: 1, arbitrary: anyOverride}),
		categories: createOverrides(categoriesBySet[set], 2),
		own: createOverrides(ruleIdsBySet[set], 4),
		threshold: set === 'owasp' ? thresholds : fc.constant(undefined),
	});

const exception: fc.Arbitrary<Exception> = fc.record({
	kind: fc.constant('exception' as const),
	isOn: fc.oneof({weight: 4, arbitrary: fc.constant(true)}, {weight: 1, arbitrary: fc.constant(false)}),
	expression,
	skips: fc.oneof(
		fc.constant('all' as const),
		fc.constantFrom(...sets),
		fc.constantFrom(...sets).chain(set =>
			fc.record({
				set: fc.constant(set),
				ids: fc.uniqueArray(fc.constantFrom<string>(...ruleIdsBySet[set]), {minLength: 1, maxLength: 3}),
			}),
		),
	),
});

/** Any rules: each managed ruleset at most once, and exceptions between them. */
const anyModel: fc.Arbitrary<Model> = fc
	.tuple(
		fc.option(execute('platform'), {nil: undefined, freq: 6}),
		fc.option(execute('owasp'), {nil: undefined, freq: 6}),
		fc.option(execute('credentials'), {nil: undefined, freq: 2}),
		fc.array(fc.tuple(fc.nat({max: 3}), exception), {maxLength: 2}),
	)
	.map(([one, two, three, exceptions]) => {
		const model: (Execute | Exception)[] = [one, two, three].filter(item => item !== undefined);
		for (const [place, item] of exceptions) model.splice(Math.min(place, model.length), 0, item);
		return model;
	});

type Change = (model: Model) => Model;

const toIndex = (place: number, model: Model): number => (model.length === 0 ? 0 : place % model.length);
const changeExecute =
	(place: number, change: (item: Execute) => Execute): Change =>
	model => {
		const executeIndexes = model.flatMap((item, index) => (item.kind === 'execute' ? [index] : []));
		const chosenIndex = executeIndexes[place % Math.max(1, executeIndexes.length)];
		return model.map((item, index) =>
			index === chosenIndex && item.kind === 'execute' ? change(item) : item,
		);
	};

const anyPosition = fc.nat({max: 5});
/** Overrides up to all rules of a ruleset, one by one. */
const manyRuleOverrides = fc.tuple(anyPosition, fc.nat({max: 14}), anyOverride).map(([where, count, one]) =>
	changeExecute(where, item => ({
		...item,
		own: {...item.own, ...Object.fromEntries(ruleIdsBySet[item.set].slice(0, count).map(id => [id, one]))},
	})),
);

const anyChange: fc.Arbitrary<Change> = fc.oneof(
	fc.tuple(anyPosition, fc.nat({max: 13}), anyOverride).map(([where, which, one]) =>
		changeExecute(where, item => ({
			...item,
			own: {...item.own, [ruleIdsBySet[item.set][which % ruleIdsBySet[item.set].length] ?? '']: one},
		})),
	),
	fc.tuple(anyPosition, fc.nat({max: 3}), anyOverride).map(([where, which, one]) =>
		changeExecute(where, item => ({
			...item,
			categories: {
				...item.categories,
				[categoriesBySet[item.set][which % categoriesBySet[item.set].length] ?? '']: one,
			},
		})),
	),
	fc
		.tuple(anyPosition, anyOverride)
		.map(([where, whole]) => changeExecute(where, item => ({...item, whole}))),
	fc
		.tuple(anyPosition, usualExpression)
		.map(([where, text]) => changeExecute(where, item => ({...item, expression: text}))),
	fc
		.tuple(anyPosition, thresholds)
		.map(([where, threshold]) =>
			changeExecute(where, item => (item.set === 'owasp' ? {...item, threshold} : item)),
		),
	anyPosition.map(where => changeExecute(where, item => ({...item, own: {}}))),
	manyRuleOverrides,
	anyPosition.map(
		(where): Change =>
			model =>
				model.map((item, index) => (index === toIndex(where, model) ? {...item, isOn: !item.isOn} : item)),
	),
	anyPosition.map(
		(where): Change =>
			model =>
				model.filter((_, index) => index !== toIndex(where, model)),
	),
	fc.tuple(anyPosition, exception).map(
		([where, item]): Change =>
			model =>
				model.toSpliced(where % (model.length + 1), 0, item),
	),
	fc.tuple(anyPosition, expression).map(
		([where, text]): Change =>
			model =>
				model.map((item, index) =>
					index === toIndex(where, model) && item.kind === 'exception' ? {...item, expression: text} : item,
				),
	),
	fc.tuple(anyPosition, anyPosition).map(
		([from, to]): Change =>
			model => {
				const item = model[toIndex(from, model)];
				return item ? model.filter(one => one !== item).toSpliced(toIndex(to, model), 0, item) : model;
			},
	),
);

/** Two configurations: the second is usually one to three changes away from the first. */
export const anyPair: fc.Arbitrary<readonly [Model, Model]> = fc.oneof(
	{
		weight: 5,
		arbitrary: fc
			.tuple(anyModel, fc.array(anyChange, {minLength: 1, maxLength: 3}))
			.map(([model, changes]) => [model, changes.reduce((now, one) => one(now), model)] as const),
	},
	{weight: 1, arbitrary: fc.tuple(anyModel, anyModel)},
);
