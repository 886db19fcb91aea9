import {onTestFinished} from 'vitest';
import {deleteFilter} from '../../../source/firewall/rules/changes.ts';
import type {Filter} from '../../../source/firewall/rules/filter.ts';
import {listFilters, postFilter} from '../../../source/firewall/rules/filters.ts';
import type {FirewallZone, Rule, RuleSettings} from '../../../source/firewall/rules/rule.ts';
import {listFirewallRules, postRule} from '../../../source/firewall/rules/rules.ts';
import type {Client} from '../../../source/service/client.ts';
import type {Clock} from '../../../source/service/clock.ts';
import {type ConnectOptions, connectSimulated} from '../../../source/service/connect.ts';
import {parsePlan} from '../../../source/service/plan.ts';
import {listZones} from '../../../source/service/zones.ts';
import {createSimulator, type SimulatorOptions} from '../../../source/simulator/simulator.ts';
import {never} from '../../service/scripted-transport.ts';

export type Arrived = {readonly method: string; readonly path: string; readonly body: unknown};

/** Answers in place of the service, which `pass` asks all the same; `undefined` lets the request through. */
export type Interception = (
	request: Request,
	pass: () => Promise<Response>,
) => Response | undefined | Promise<Response | undefined>;

export type TestZone = {
	readonly client: Client;
	readonly zone: FirewallZone;
	/** The writes that arrived, since the last `forget`. */
	writes(): readonly Arrived[];
	reads(): readonly string[];
	forget(): void;
	/** What goes wrong from now on. */
	faults(text: string): void;
	intercept(interception: Interception): void;
	/** What the service really has now, read past all that goes wrong. */
	truth(): Promise<{readonly filters: readonly Filter[]; readonly rules: readonly Rule[]}>;
	/** A filter made past all records. */
	filter(expression: string): Promise<Filter>;
	removeFilters(): Promise<void>;
	/** Changes a filter or a rule as someone else would. */
	change(
		what: 'filters' | 'firewall/rules',
		item: Readonly<Record<string, unknown>> & {readonly id: string},
	): Promise<void>;
	/** A client past all records and all that goes wrong. */
	readonly direct: Client;
	rule(filter: Pick<Filter, 'id'>, settings: RuleSettings): Promise<Rule>;
};

/** An empty zone of a plan at a simulated service of its own. */
export async function openZone(
	plan: 'free' | 'pro' | 'business' | 'enterprise' = 'pro',
	options: Partial<ConnectOptions> & {readonly clock?: Clock} = {},
	simulated: SimulatorOptions = {},
): Promise<TestZone> {
	const simulator = createSimulator({samples: false, rateLimit: false, ...simulated});
	onTestFinished(() => simulator.close());
	const arrived: Arrived[] = [];
	let interception: Interception | undefined;
	const environment = {LEDGE_TIME_SCALE: '0.001'};
	const client = connectSimulated(
		async request => {
			const {pathname, search} = new URL(request.url);
			const text = await request.clone().text();
			const path = pathname.replace('/client/v4', '') + search;
			arrived.push({method: request.method, path, body: text === '' ? undefined : JSON.parse(text)});
			return (
				(await interception?.(request, () => simulator.fetch(request.clone()))) ?? simulator.fetch(request)
			);
		},
		{userAgent: 'test', environment, ...options},
	);
	const direct = connectSimulated(
		async request => {
			const faults = simulator.faults.list();
			simulator.faults.clear();
			const answer = await simulator.fetch(request);
			simulator.faults.replace(faults);
			return answer;
		},
		{userAgent: 'test', environment},
	);
	const all = await Array.fromAsync(listZones(direct, {}, never));
	const found = all.find(one => parsePlan(one.plan) === plan);
	if (!found) throw new Error(`the simulator has no zone of the plan ${plan}`);
	const zone = {id: found.id, name: found.name, plan};
	return {
		client,
		zone,
		writes: () => arrived.filter(({method}) => method !== 'GET'),
		reads: () => arrived.filter(({method}) => method === 'GET').map(({path}) => path),
		forget: () => void arrived.splice(0),
		faults(text) {
			simulator.faults.replace(text);
		},
		intercept(next) {
			interception = next;
		},
		truth: async () => ({
			filters: await Array.fromAsync(listFilters(direct, zone.id, never)),
			rules: await Array.fromAsync(listFirewallRules(direct, zone.id, never)),
		}),
		filter: expression => postFilter(direct, zone.id, {expression}, never),
		async removeFilters() {
			for await (const {id} of listFilters(direct, zone.id, never))
				await deleteFilter(direct, zone, id, never);
		},
		async change(what, item) {
			const path = `/zones/${zone.id}/${what}/${item.id}`;
			const body = {kind: 'json', value: item} as const;
			await direct.call({method: 'PUT', path, body, repeat: 'never', writes: true}, never);
		},
		direct,
		rule: (filter, settings) => postRule(direct, zone.id, filter, settings, never),
	};
}

/** A connection that breaks before anything of the answer has come. */
export const broken = (): never => {
	throw new TypeError('fetch failed', {cause: Object.assign(new Error('reset'), {code: 'ECONNRESET'})});
};
