import {beforeAll, beforeEach} from 'vitest';
import type {LoggedCall} from '../../source/simulator/simulator.ts';
import type {JsonValue} from '../../source/text/json.ts';
import {type Ended, type LedgeOptions, scratch} from './ledge.ts';
import {ledgeOrProcess} from './run.ts';
import {serveSimulator} from './serve-simulator.ts';
import type {RunningService} from './service.ts';

/** Zones of a new simulated world, by their plans. */
export const zoneIds = {
	free: '61bf267f4af510ca281c94950d62fbea',
	pro: '6e23b63489e7241c0d871b10a397cebb',
	business: 'a947660370b0b679559176bf9d8aead4',
	enterprise: 'd0e032749968114a09730950255c7c0f',
} as const;

type Plan = keyof typeof zoneIds;

export type SeenFilter = {id: string; expression: string; paused: boolean; description?: string};
export type SeenRule = {
	id: string;
	action: string;
	priority: number | null;
	paused: boolean;
	filter: SeenFilter;
	products?: string[];
	description?: string;
};

/** Ids of a rule and its filter. */
export type OwnRule = {rule: string; filter: string; expression: string};

/** Before a test has its own. */
export const noRule: OwnRule = {rule: '', filter: '', expression: ''};

export type FirewallService = RunningService & {
	/** Runs `ledge firewall …` on the zone of a plan, the Enterprise one unless another is named. */
	run(words: readonly string[], more?: LedgeOptions & {plan?: Plan | undefined}): Promise<Ended>;
	/** What there is, read without ledge. */
	rules(plan?: Plan): Promise<readonly SeenRule[]>;
	filters(plan?: Plan): Promise<readonly SeenFilter[]>;
	/** Those of an expression, and those of an id. */
	rulesOf(expression: string): Promise<readonly SeenRule[]>;
	filterOf(expression: string, plan?: Plan): Promise<SeenFilter | undefined>;
	rule(id: string): Promise<SeenRule | undefined>;
	filter(id: string): Promise<SeenFilter | undefined>;
	/** Makes a filter, or a rule on one, without ledge; gives its id. */
	addFilter(expression: string, plan?: Plan): Promise<string>;
	addRule(filter: string, more?: Readonly<Record<string, JsonValue>>, plan?: Plan): Promise<string>;
	/** A rule of its own for a test, with the filter and the expression that nobody else uses. */
	ownRule(more?: Readonly<Record<string, JsonValue>>): Promise<OwnRule>;
	/** Changes a filter or a rule as someone else would. */
	change(what: 'filters' | 'firewall/rules', item: Readonly<Record<string, JsonValue>>): Promise<void>;
	/** The writes that arrived since the last time that it was asked for. */
	writes(): Promise<readonly LoggedCall[]>;
	/** Runs something with these faults, which are gone afterwards. */
	during<T>(faults: string, work: () => Promise<T>): Promise<T>;
};

/** The service of a test file, started before its tests; before each of them no write is left from another one. */
export function firewallService(): FirewallService {
	let running: FirewallService | undefined;
	beforeAll(async () => {
		running = await startFirewallService();
	});
	beforeEach(async () => {
		await running?.writes();
	});
	return new Proxy({} as FirewallService, {
		get(_none, name) {
			if (!running) throw new Error('The service has not been started yet.');
			return Reflect.get(running, name);
		},
	});
}

/** A simulated service of its own, and ways to look at the filters and rules in it that do not lead through ledge. */
export async function startFirewallService(): Promise<FirewallService> {
	const service = await serveSimulator();
	const home = scratch();
	const env = {...service.env, LEDGE_TIME_SCALE: '0.01'};
	let seen = 0;

	const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
		const answer = await fetch(`${service.url}${path}`, {
			method,
			headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		});
		const {success, result, errors} = (await answer.json()) as {
			success: boolean;
			result: unknown;
			errors: unknown;
		};
		if (!success) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
		return result;
	};
	const all = async <Item>(path: string): Promise<Item[]> => {
		const items: Item[] = [];
		for (let page = 1; ; page++) {
			const more = (await send('GET', `${path}?per_page=100&page=${page}`)) as Item[];
			items.push(...more);
			if (more.length < 100) return items;
		}
	};
	const pathOf = (plan: Plan, what: 'filters' | 'firewall/rules') => `/zones/${zoneIds[plan]}/${what}`;
	const add = async (plan: Plan, what: 'filters' | 'firewall/rules', item: unknown): Promise<string> => {
		const made = (await send('POST', pathOf(plan, what), [item])) as {id: string}[];
		await writes();
		return made[0]?.id ?? '';
	};
	const writes = async () => {
		const calls = await service.calls();
		const fresh = calls.slice(seen);
		seen = calls.length;
		// Queries and checks of expressions are POSTs that write nothing.
		return fresh.filter(({method, path}) => method !== 'GET' && !/\/(validate-expr|graphql)$/.test(path));
	};

	const rules = (plan: Plan = 'enterprise') => all<SeenRule>(pathOf(plan, 'firewall/rules'));
	const filters = (plan: Plan = 'enterprise') => all<SeenFilter>(pathOf(plan, 'filters'));

	return {
		...service,
		run: (words, {plan = 'enterprise', env: moreEnv, ...more} = {}) =>
			ledgeOrProcess(['firewall', ...words, '--zone-id', zoneIds[plan]], {
				cwd: home,
				...more,
				env: {...env, ...moreEnv},
			}),
		rules,
		filters,
		rulesOf: async expression => (await rules()).filter(rule => rule.filter.expression === expression),
		filterOf: async (expression, plan) =>
			(await filters(plan)).find(filter => filter.expression === expression),
		rule: async id => (await rules()).find(rule => rule.id === id),
		filter: async id => (await filters()).find(filter => filter.id === id),
		change: async (what, item) => void (await send('PUT', `${pathOf('enterprise', what)}/${item.id}`, item)),
		addFilter: (expression, plan = 'enterprise') => add(plan, 'filters', {expression}),
		addRule: (filter, more = {}, plan = 'enterprise') =>
			add(plan, 'firewall/rules', {filter: {id: filter}, action: 'block', ...more}),
		async ownRule(more = {}) {
			const expression = freshExpression();
			const filter = await add('enterprise', 'filters', {expression});
			const rule = await add('enterprise', 'firewall/rules', {
				filter: {id: filter},
				action: 'block',
				...more,
			});
			return {rule, filter, expression};
		},
		writes,
		async during(faults, work) {
			await service.setFaults(faults);
			try {
				return await work();
			} finally {
				await service.setFaults('');
			}
		},
	};
}

let made = 0;
/** An expression that no other test has. */
export const freshExpression = (): string => `http.request.uri.path eq "/test-${++made}"`;

/** The same for an emergency, which asks for more where ordinary visitors are blocked. */
export const freshSources = (): string => `ip.src eq 2001:db8::${(++made).toString(16)}`;

/** The error object that `--json` printed. */
export const errorOf = ({stderr}: Ended): Record<string, string | number | null> => {
	const lines = stderr
		.trim()
		.split('\n')
		.map(line => JSON.parse(line) as {error?: Record<string, string>});
	return lines.find(line => line.error)?.error ?? {};
};

/** The words of the first `ledge firewall …` command in a text, as a shell takes them. */
export function commandIn(text: string): string[] {
	const line = /ledge firewall .*/.exec(text)?.[0] ?? '';
	const words = line.match(/(?:'[^']*'|\\'|[^\s'`])+/g) ?? [];
	return words.map(word => word.replace(/'([^']*)'|\\(')/g, '$1$2')).slice(2);
}
