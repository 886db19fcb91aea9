import {beforeAll, beforeEach} from 'vitest';
import type {LoggedCall} from '../../source/simulator/simulator.ts';
import type {JsonValue} from '../../source/text/json.ts';
import {createScratchFolder, type EndedRun, type LedgeOptions} from './ledge.ts';
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

/** The value before a test has created its own. */
export const noRule: OwnRule = {rule: '', filter: '', expression: ''};

export type FirewallService = RunningService & {
	/** Runs `ledge firewall …` on the zone of a plan, the Enterprise one unless another is named. */
	run(words: readonly string[], more?: LedgeOptions & {plan?: Plan | undefined}): Promise<EndedRun>;
	/** All rules, read without ledge. */
	rules(plan?: Plan): Promise<readonly SeenRule[]>;
	filters(plan?: Plan): Promise<readonly SeenFilter[]>;
	/** By expression, and by id. */
	rulesOf(expression: string): Promise<readonly SeenRule[]>;
	filterOf(expression: string, plan?: Plan): Promise<SeenFilter | undefined>;
	rule(id: string): Promise<SeenRule | undefined>;
	filter(id: string): Promise<SeenFilter | undefined>;
	/** Makes a filter, or a rule on one, without ledge; gives its id. */
	addFilter(expression: string, plan?: Plan): Promise<string>;
	addRule(filter: string, more?: Readonly<Record<string, JsonValue>>, plan?: Plan): Promise<string>;
	/** Creates a rule for one test, with a filter and an expression that nothing else uses. */
	createOwnRule(more?: Readonly<Record<string, JsonValue>>): Promise<OwnRule>;
	/** Changes a filter or a rule without ledge, as someone else would. */
	changeAsOthers(
		what: 'filters' | 'firewall/rules',
		item: Readonly<Record<string, JsonValue>>,
	): Promise<void>;
	/** Returns the writes that arrived since the last call. */
	takeWrites(): Promise<readonly LoggedCall[]>;
	/** Runs `work` with these faults, and removes them afterwards. */
	withFaults<T>(faults: string, work: () => Promise<T>): Promise<T>;
};

/** The service of a test file, started before its tests; before each of them no write is left from another one. */
export function setUpFirewallService(): FirewallService {
	let running: FirewallService | undefined;
	beforeAll(async () => {
		running = await startFirewallService();
	});
	beforeEach(async () => {
		await running?.takeWrites();
	});
	return new Proxy({} as FirewallService, {
		get(_none, name) {
			if (!running) throw new Error('The service has not been started yet.');
			return Reflect.get(running, name);
		},
	});
}

/** Starts a simulated service, with ways to read and change its filters and rules without ledge. */
export async function startFirewallService(): Promise<FirewallService> {
	const service = await serveSimulator();
	const home = createScratchFolder();
	const env = {...service.env, LEDGE_TIME_SCALE: '0.01'};
	let takenCount = 0;

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
	const listAll = async <Item>(path: string): Promise<Item[]> => {
		const items: Item[] = [];
		for (let page = 1; ; page++) {
			const more = (await send('GET', `${path}?per_page=100&page=${page}`)) as Item[];
			items.push(...more);
			if (more.length < 100) return items;
		}
	};
	const pathOf = (plan: Plan, what: 'filters' | 'firewall/rules') => `/zones/${zoneIds[plan]}/${what}`;
	const add = async (plan: Plan, what: 'filters' | 'firewall/rules', item: unknown): Promise<string> => {
		const created = (await send('POST', pathOf(plan, what), [item])) as {id: string}[];
		await takeWrites();
		return created[0]?.id ?? '';
	};
	const takeWrites = async () => {
		const calls = await service.calls();
		const newCalls = calls.slice(takenCount);
		takenCount = calls.length;
		// Queries and checks of expressions are POSTs that write nothing.
		return newCalls.filter(({method, path}) => method !== 'GET' && !/\/(validate-expr|graphql)$/.test(path));
	};

	const rules = (plan: Plan = 'enterprise') => listAll<SeenRule>(pathOf(plan, 'firewall/rules'));
	const filters = (plan: Plan = 'enterprise') => listAll<SeenFilter>(pathOf(plan, 'filters'));

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
		changeAsOthers: async (what, item) =>
			void (await send('PUT', `${pathOf('enterprise', what)}/${item.id}`, item)),
		addFilter: (expression, plan = 'enterprise') => add(plan, 'filters', {expression}),
		addRule: (filter, more = {}, plan = 'enterprise') =>
			add(plan, 'firewall/rules', {filter: {id: filter}, action: 'block', ...more}),
		async createOwnRule(more = {}) {
			const expression = freshExpression();
			const filter = await add('enterprise', 'filters', {expression});
			const rule = await add('enterprise', 'firewall/rules', {
				filter: {id: filter},
				action: 'block',
				...more,
			});
			return {rule, filter, expression};
		},
		takeWrites,
		async withFaults(faults, work) {
			await service.setFaults(faults);
			try {
				return await work();
			} finally {
				await service.setFaults('');
			}
		},
	};
}

let createdCount = 0;
/** An expression that no other test has. */
export const freshExpression = (): string => `http.request.uri.path eq "/test-${++createdCount}"`;

/**
 * An expression that no other test has, for an emergency: an address, because blocking ordinary visitors
 * would need another confirmation.
 */
export const freshEmergencyExpression = (): string => `ip.src eq 2001:db8::${(++createdCount).toString(16)}`;

/** The error object that `--json` printed. */
export const errorOf = ({stderr}: EndedRun): Record<string, string | number | null> => {
	const lines = stderr
		.trim()
		.split('\n')
		.map(line => JSON.parse(line) as {error?: Record<string, string>});
	return lines.find(line => line.error)?.error ?? {};
};

/** The words of the first `ledge firewall …` command in a text, as a shell takes them. */
export function commandIn(text: string): string[] {
	const line = /ledge (?:firewall|rules) .*/.exec(text)?.[0] ?? '';
	const words = line.match(/(?:'[^']*'|\\'|[^\s'`])+/g) ?? [];
	return words.map(word => word.replace(/'([^']*)'|\\(')/g, '$1$2')).slice(2);
}
