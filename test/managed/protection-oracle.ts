import fc from 'fast-check';
import {managedRulesets, thresholdRuleId} from '../../source/migration/configuration/mapping.ts';
import type {ConfiguredRule} from '../../source/migration/configuration/rule-overrides.ts';
import type {ManagedContents} from '../../source/migration/zone/managed-contents.ts';
import type {JsonObject} from '../../source/text/json.ts';
import {randomFrom, seedOf} from '../support/seed.ts';

/**
 * A second computation of what a change takes from the protection of a zone: its own requests, its own model of rules, nothing
 * of the code that is tested. A configuration is made of the model, and never read back.
 */
export const zoneName = 'shop.example';

type Request = {
	readonly host: string;
	readonly path: string;
	readonly ssl: boolean;
	readonly address: string;
};

/** Expressions, with what they hold for. */
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

/** Part of the traffic of a zone; requests of none are possible, and rare. */
type Met = {readonly request: Request; readonly traffic: string | undefined};

const random = randomFrom(seedOf());
const word = (): string => Math.floor(random() * 2 ** 40).toString(36);

const rare: readonly Met[] = [zoneName, `www.${zoneName}`, 'a.example', 'b.example'].flatMap(host =>
	['/', '/shop', '/shop2', '/y', '/z'].flatMap(path =>
		[true, false].flatMap(ssl =>
			['192.0.2.1', '192.0.2.2', '203.0.113.7', '2001:db8::1'].map(address => ({
				request: {host, path, ssl, address},
				traffic: undefined,
			})),
		),
	),
);

const hostsOf: Readonly<Record<string, () => string>> = {
	'the zone': () => zoneName,
	'its www': () => `www.${zoneName}`,
};

const ordinary: readonly Met[] = Object.entries(hostsOf).flatMap(([called, host]) =>
	['198.51.100.', '2001:db8::'].flatMap(network =>
		Array.from({length: 40}, (_, at) => ({
			request: {host: host(), path: `/o${word()}`, ssl: at % 20 !== 0, address: `${network}${at + 1}`},
			traffic: `${called} ${network}`,
		})),
	),
);

type Says = {readonly action?: string; readonly enabled?: boolean};
type SetName = 'platform' | 'owasp' | 'credentials';

type Execute = {
	readonly kind: 'execute';
	readonly set: SetName;
	readonly isOn: boolean;
	readonly expression: string;
	readonly whole: Says;
	readonly categories: Readonly<Record<string, Says>>;
	readonly own: Readonly<Record<string, Says>>;
	readonly threshold: number | undefined;
};

type Exception = {
	readonly kind: 'exception';
	readonly isOn: boolean;
	readonly expression: string;
	readonly skips: 'all' | SetName | {readonly set: SetName; readonly ids: readonly string[]};
};

export type Model = readonly (Execute | Exception)[];

type Rule = {readonly id: string; readonly category: string | undefined; readonly does: 0 | 1 | 2};

const ids = {
	platform: Array.from({length: 14}, (_, at) => `p${at}`),
	owasp: [...Array.from({length: 8}, (_, at) => `s${at}`), thresholdRuleId],
	credentials: ['c0', 'c1'],
} as const satisfies Record<SetName, readonly string[]>;
const categories = {
	platform: ['wordpress', 'php'],
	owasp: [1, 2, 3, 4].map(level => `paranoia-level-${level}`),
	credentials: ['leaked'],
} as const satisfies Record<SetName, readonly string[]>;

/** What the catalogue has, where it can be read: some rules only log by default, some are off. */
const catalogue: Readonly<Record<SetName, readonly Rule[]>> = {
	platform: ids.platform.map((id, at) => ({
		id,
		category: at < 3 ? 'wordpress' : 'php',
		does: at === 2 || at === 12 ? 1 : at === 13 ? 0 : 2,
	})),
	owasp: ids.owasp.map((id, at) => ({
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

/** The same for the program: how the service writes it. */
export const contents: readonly ManagedContents[] = (Object.keys(catalogue) as SetName[]).map(set => ({
	...managedRulesets[set],
	rules: catalogue[set].map(({id, category, does}) => ({
		id,
		description: id,
		categories: category === undefined ? [] : [category, 'everything'],
		action: does === 1 ? 'log' : set === 'owasp' && id !== thresholdRuleId ? 'score' : 'block',
		enabled: does > 0,
		...(id === thresholdRuleId && {score_threshold: catalogueThreshold}),
	})),
}));

/** A rule for everything that a person can name, where the catalogue is unknown: it is on and blocks. */
const unread = (set: SetName, models: readonly Model[]): readonly Rule[] => {
	const named = models.flat().flatMap(item => {
		if (item.kind === 'execute') return item.set === set ? Object.keys(item.own) : [];
		return typeof item.skips === 'object' && item.skips.set === set ? item.skips.ids : [];
	});
	return [
		...[...new Set([...named, ...(set === 'owasp' ? [thresholdRuleId] : [])])].map(
			(id): Rule => ({id, category: undefined, does: 2}),
		),
		...[...categories[set], undefined].map(
			(category): Rule => ({id: `some of ${category}`, category, does: 2}),
		),
	];
};

/** What one rule does to a request, by what is said of it. */
function doing({whole, categories: some, own, isOn}: Execute, {id, category, does}: Rule): 0 | 1 | 2 {
	const said = [whole, (category === undefined ? undefined : some[category]) ?? {}, own[id] ?? {}];
	const isEnabled = said.reduce((now, {enabled}) => enabled ?? now, does > 0);
	const action = said.reduce((now, one) => one.action ?? now, does === 1 ? 'log' : 'block');
	if (!isOn || !isEnabled) return 0;
	return action === 'log' ? 1 : 2;
}

type Meeting = {
	readonly does: 0 | 1 | 2;
	readonly isSkippedByAll: boolean;
	readonly ran: Execute | undefined;
};

/** What a request meets of a rule. `isOpen`: as if there were no exceptions. */
function meets(model: Model, request: Request, set: SetName, rule: Rule, isOpen = false): Meeting {
	const skipped = new Set<string>();
	const scoring = set === 'owasp' ? catalogue.owasp.find(({id}) => id === thresholdRuleId) : undefined;
	for (const item of model) {
		if (!item.isOn || !holdsFor(item.expression, request)) continue;
		if (item.kind === 'exception') {
			const {skips} = item;
			if (typeof skips !== 'string') for (const id of skips.set === set ? skips.ids : []) skipped.add(id);
			else if (skips === 'all' || skips === set) skipped.add(skips);
			continue;
		}
		if (item.set !== set) continue;
		const isOut =
			skipped.has('all') || skipped.has(set) || skipped.has(rule.id) || (scoring && skipped.has(scoring.id));
		const strongest = scoring ? doing(item, scoring) : 2;
		return {
			does: isOut && !isOpen ? 0 : (Math.min(doing(item, rule), strongest) as 0 | 1 | 2),
			isSkippedByAll: skipped.has('all'),
			ran: item,
		};
	}
	return {does: 0, isSkippedByAll: false, ran: undefined};
}

const sets = ['platform', 'owasp', 'credentials'] as const;

/** Whether a change of these rules wants the zone's name. */
export function wantsName(before: Model, after: Model, isRead: boolean): boolean {
	const used = new Set([...before, ...after].map(({expression}) => expression));
	const kinds = Map.groupBy([...rare, ...ordinary], ({request}) =>
		[...used].map(text => (holdsFor(text, request) ? '1' : '0')).join(''),
	);
	const several: string[] = [];
	for (const set of sets) {
		const rules = isRead ? catalogue[set] : unread(set, [before, after]);
		let [was, is] = [0, 0];
		const fallen = new Set<string>();
		for (const rule of rules) {
			const all = new Map<string | undefined, number>();
			const lost = new Map<string | undefined, number>();
			for (const kind of kinds.values()) {
				const {request} = kind[0] as Met;
				const old = meets(before, request, set, rule);
				const now = meets(after, request, set, rule);
				const open = meets(after, request, set, rule, true);
				was = Math.max(was, meets(before, request, set, rule, true).does);
				is = Math.max(is, open.does);
				if (old.does === 0) continue;
				if (rule.id === thresholdRuleId && now.does > 0 && pointsOf(now) > pointsOf(old)) return true;
				for (const {traffic} of kind) all.set(traffic, (all.get(traffic) ?? 0) + 1);
				if (now.does < Math.min(old.does, open.does)) {
					if (now.isSkippedByAll) return true;
					for (const {traffic} of kind) lost.set(traffic, (lost.get(traffic) ?? 0) + 1);
				}
				if (open.does < old.does) {
					if (!open.ran || !isOwn(before, after, request, set, rule)) return true;
					fallen.add(rule.id);
				}
			}
			if (isMostly(lost, all)) return true;
		}
		if (fallen.size > 0 && is < was) return true;
		several.push(...fallen);
	}
	return several.length > 10;
}

const pointsOf = ({ran}: Meeting): number => ran?.threshold ?? catalogueThreshold;

/** Whether a rule does less by nothing but what is said of it alone: it does not, with that as it was or as it is. */
function isOwn(before: Model, after: Model, request: Request, set: SetName, rule: Rule): boolean {
	if (rule.id === thresholdRuleId || rule.id.startsWith('some of')) return false;
	return [before, after].every(model => {
		const said = model.flatMap(item =>
			item.kind === 'execute' && item.set === set ? [item.own[rule.id]] : [],
		)[0];
		const withSaid = (one: Model): Model =>
			one.map(item =>
				item.kind === 'execute' && item.set === set
					? {...item, own: {...item.own, [rule.id]: said ?? {}}}
					: item,
			);
		const [old, now] = [withSaid(before), withSaid(after)];
		return meets(old, request, set, rule, true).does <= meets(now, request, set, rule, true).does;
	});
}

/** Nearly all of a part of ordinary traffic; where the rule met none of it, all that it met. */
function isMostly(
	some: ReadonlyMap<string | undefined, number>,
	all: ReadonlyMap<string | undefined, number>,
): boolean {
	const parts = [...all].filter(([traffic]) => traffic !== undefined);
	if (parts.length === 0) return all.size > 0 && some.get(undefined) === all.get(undefined);
	return parts.some(([traffic, count]) => (some.get(traffic) ?? 0) / count >= 0.9);
}

/** The rules as the service has them. */
export const configured = (model: Model): readonly ConfiguredRule[] =>
	model.map((item): ConfiguredRule => {
		const {isOn, expression} = item;
		if (item.kind === 'exception')
			return {action: 'skip', expression, enabled: isOn, action_parameters: skipParameters(item.skips)};
		const {set, whole, categories: some, own, threshold} = item;
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
					categories: Object.entries(some).map(([category, says]) => ({category, ...says})),
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
/** More often for all requests than for others. */
const mostlyAll = fc.oneof({weight: 3, arbitrary: fc.constant('true')}, {weight: 1, arbitrary: expression});
const says: fc.Arbitrary<Says> = fc.record(
	{action: fc.constantFrom('block', 'log', 'managed_challenge'), enabled: fc.boolean()},
	{requiredKeys: []},
);
const dictionary = (
	names: readonly string[],
	maxKeys: number,
): fc.Arbitrary<Readonly<Record<string, Says>>> =>
	fc.dictionary(fc.constantFrom(...names), says, {maxKeys, noNullPrototype: true});
const thresholds = fc.constantFrom(undefined, 25, 40, 60);

const execute = (set: SetName): fc.Arbitrary<Execute> =>
	fc.record({
		kind: fc.constant('execute' as const),
		set: fc.constant(set),
		isOn: fc.oneof({weight: 4, arbitrary: fc.constant(true)}, {weight: 1, arbitrary: fc.constant(false)}),
		expression: mostlyAll,
		whole: fc.oneof({weight: 3, arbitrary: fc.constant({})}, {weight: 1, arbitrary: says}),
		categories: dictionary(categories[set], 2),
		own: dictionary(ids[set], 4),
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
				ids: fc.uniqueArray(fc.constantFrom<string>(...ids[set]), {minLength: 1, maxLength: 3}),
			}),
		),
	),
});

/** Any rules: each managed ruleset once at the most, and exceptions between them. */
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

const at = (place: number, model: Model): number => (model.length === 0 ? 0 : place % model.length);
const changed =
	(place: number, change: (item: Execute) => Execute): Change =>
	model => {
		const there = model.flatMap((item, index) => (item.kind === 'execute' ? [index] : []));
		const chosen = there[place % Math.max(1, there.length)];
		return model.map((item, index) => (index === chosen && item.kind === 'execute' ? change(item) : item));
	};

const place = fc.nat({max: 5});
/** Up to a whole ruleset of rules, each by itself. */
const manyOwn = fc.tuple(place, fc.nat({max: 14}), says).map(([where, count, one]) =>
	changed(where, item => ({
		...item,
		own: {...item.own, ...Object.fromEntries(ids[item.set].slice(0, count).map(id => [id, one]))},
	})),
);

const change: fc.Arbitrary<Change> = fc.oneof(
	fc.tuple(place, fc.nat({max: 13}), says).map(([where, which, one]) =>
		changed(where, item => ({
			...item,
			own: {...item.own, [ids[item.set][which % ids[item.set].length] ?? '']: one},
		})),
	),
	fc.tuple(place, fc.nat({max: 3}), says).map(([where, which, one]) =>
		changed(where, item => ({
			...item,
			categories: {
				...item.categories,
				[categories[item.set][which % categories[item.set].length] ?? '']: one,
			},
		})),
	),
	fc.tuple(place, says).map(([where, whole]) => changed(where, item => ({...item, whole}))),
	fc.tuple(place, mostlyAll).map(([where, text]) => changed(where, item => ({...item, expression: text}))),
	fc
		.tuple(place, thresholds)
		.map(([where, threshold]) =>
			changed(where, item => (item.set === 'owasp' ? {...item, threshold} : item)),
		),
	place.map(where => changed(where, item => ({...item, own: {}}))),
	manyOwn,
	place.map(
		(where): Change =>
			model =>
				model.map((item, index) => (index === at(where, model) ? {...item, isOn: !item.isOn} : item)),
	),
	place.map(
		(where): Change =>
			model =>
				model.filter((_, index) => index !== at(where, model)),
	),
	fc.tuple(place, exception).map(
		([where, item]): Change =>
			model =>
				model.toSpliced(where % (model.length + 1), 0, item),
	),
	fc.tuple(place, expression).map(
		([where, text]): Change =>
			model =>
				model.map((item, index) =>
					index === at(where, model) && item.kind === 'exception' ? {...item, expression: text} : item,
				),
	),
	fc.tuple(place, place).map(
		([from, to]): Change =>
			model => {
				const item = model[at(from, model)];
				return item ? model.filter(one => one !== item).toSpliced(at(to, model), 0, item) : model;
			},
	),
);

/** Two configurations: the second mostly a change or two away from the first. */
export const anyPair: fc.Arbitrary<readonly [Model, Model]> = fc.oneof(
	{
		weight: 5,
		arbitrary: fc
			.tuple(anyModel, fc.array(change, {minLength: 1, maxLength: 3}))
			.map(([model, changes]) => [model, changes.reduce((now, one) => one(now), model)] as const),
	},
	{weight: 1, arbitrary: fc.tuple(anyModel, anyModel)},
);
