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
import {neverAbortedSignal} from '../../service/scripted-transport.ts';

export type ReceivedRequest = {readonly method: string; readonly path: string; readonly body: unknown};

/** Responds in place of the service. `pass` passes the request on; `undefined` leaves it to the service. */
export type Interception = (
	request: Request,
	pass: () => Promise<Response>,
) => Response | undefined | Promise<Response | undefined>;

export type TestZone = {
	readonly client: Client;
	readonly zone: FirewallZone;
	/** The writes that arrived since the last `forgetRequests`. */
	listWrites(): readonly ReceivedRequest[];
	listReads(): readonly string[];
	forgetRequests(): void;
	/** Replaces the faults of the service. */
	setFaults(text: string): void;
	intercept(interception: Interception): void;
	/** Reads what the service has now, without faults and unrecorded. */
	readState(): Promise<{readonly filters: readonly Filter[]; readonly rules: readonly Rule[]}>;
	/** Creates a filter, without faults and unrecorded. */
	createFilter(expression: string): Promise<Filter>;
	removeFilters(): Promise<void>;
	/** Changes a filter or a rule as someone else would. */
	change(
		what: 'filters' | 'firewall/rules',
		item: Readonly<Record<string, unknown>> & {readonly id: string},
	): Promise<void>;
	/** A client that meets no faults and is not recorded. */
	readonly direct: Client;
	createRule(filter: Pick<Filter, 'id'>, settings: RuleSettings): Promise<Rule>;
};

/** Creates an empty zone of a plan in a simulated service of its own. */
export async function openZone(
	plan: 'free' | 'pro' | 'business' | 'enterprise' = 'pro',
	options: Partial<ConnectOptions> & {readonly clock?: Clock} = {},
	simulatorOptions: SimulatorOptions = {},
): Promise<TestZone> {
	const simulator = createSimulator({samples: false, rateLimit: false, ...simulatorOptions});
	onTestFinished(() => simulator.close());
	const receivedRequests: ReceivedRequest[] = [];
	let interception: Interception | undefined;
	const environment = {LEDGE_TIME_SCALE: '0.001'};
	const client = connectSimulated(
		async request => {
			const {pathname, search} = new URL(request.url);
			const text = await request.clone().text();
			const path = pathname.replace('/client/v4', '') + search;
			receivedRequests.push({method: request.method, path, body: text === '' ? undefined : JSON.parse(text)});
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
			const response = await simulator.fetch(request);
			simulator.faults.replace(faults);
			return response;
		},
		{userAgent: 'test', environment},
	);
	const all = await Array.fromAsync(listZones(direct, {}, neverAbortedSignal));
	const found = all.find(one => parsePlan(one.plan) === plan);
	if (!found) throw new Error(`the simulator has no zone of the plan ${plan}`);
	const zone = {id: found.id, name: found.name, plan};
	return {
		client,
		zone,
		listWrites: () => receivedRequests.filter(({method}) => method !== 'GET'),
		listReads: () => receivedRequests.filter(({method}) => method === 'GET').map(({path}) => path),
		forgetRequests: () => void receivedRequests.splice(0),
		setFaults(text) {
			simulator.faults.replace(text);
		},
		intercept(next) {
			interception = next;
		},
		readState: async () => ({
			filters: await Array.fromAsync(listFilters(direct, zone.id, neverAbortedSignal)),
			rules: await Array.fromAsync(listFirewallRules(direct, zone.id, neverAbortedSignal)),
		}),
		createFilter: expression => postFilter(direct, zone.id, {expression}, neverAbortedSignal),
		async removeFilters() {
			for await (const {id} of listFilters(direct, zone.id, neverAbortedSignal))
				await deleteFilter(direct, zone, id, neverAbortedSignal);
		},
		async change(what, item) {
			const path = `/zones/${zone.id}/${what}/${item.id}`;
			const body = {kind: 'json', value: item} as const;
			await direct.call({method: 'PUT', path, body, repeat: 'never', writes: true}, neverAbortedSignal);
		},
		direct,
		createRule: (filter, settings) => postRule(direct, zone.id, filter, settings, neverAbortedSignal),
	};
}

/** Throws like a connection that breaks before any response. */
export const breakConnection = (): never => {
	throw new TypeError('fetch failed', {cause: Object.assign(new Error('reset'), {code: 'ECONNRESET'})});
};
