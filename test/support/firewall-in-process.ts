import {onTestFinished} from 'vitest';
import type {SimulatorOptions} from '../../source/simulator/simulator.ts';
import {commandIn, type SeenFilter, type SeenRule, zoneIds} from './firewall.ts';
import {type Ended, ledge, type RunOptions, scratch, virtualClock} from './run.ts';
import {type ServedSimulator, serveSimulator} from './serve-simulator.ts';

export {commandIn};

export type Plan = keyof typeof zoneIds;

export type FirewallInProcess = {
	readonly service: ServedSimulator;
	readonly zone: {readonly id: string; readonly name: string};
	/** Runs `ledge firewall …` on the zone. */
	run(words: readonly string[], more?: RunOptions): Promise<Ended>;
	/** Runs the first `ledge firewall …` command that a text holds, as it is printed. */
	runPrinted(text: string, more?: RunOptions): Promise<Ended>;
	rules(): Promise<readonly SeenRule[]>;
	filters(): Promise<readonly SeenFilter[]>;
	/** Makes a filter, or a rule on one, without ledge; returns its id. */
	addFilter(expression: string, more?: object): Promise<string>;
	addRule(filter: string, more?: object): Promise<string>;
	/** The writes that arrived since the last time that it was asked for. */
	writes(): readonly {readonly method: string; readonly path: string}[];
};

/** A simulated service in this process without samples but for its zones, and commands on its zone of a plan. */
export async function firewallInProcess(
	plan: Plan = 'pro',
	options: Omit<SimulatorOptions, 'faults'> = {},
): Promise<FirewallInProcess> {
	const service = await serveSimulator({samples: false, ...options});
	onTestFinished(() => service.stop());
	const cwd = scratch();
	const id = zoneIds[plan];
	const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
		const answer = await service.simulator.fetch(
			new Request(`http://simulated.invalid/client/v4${path}`, {
				method,
				headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
				...(body !== undefined && {body: JSON.stringify(body)}),
			}),
		);
		const {success, result, errors} = (await answer.json()) as {
			success: boolean;
			result: unknown;
			errors: unknown;
		};
		if (!success) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
		return result;
	};
	const {name} = (await send('GET', `/zones/${id}`)) as {name: string};
	const run: FirewallInProcess['run'] = (words, {env, ...more} = {}) =>
		ledge(['firewall', ...words, '--zone-id', id], {
			cwd,
			clock: virtualClock(),
			...more,
			env: {...service.env, ...env},
		});
	const past = async <T>(work: () => Promise<T>): Promise<T> => {
		const faults = service.simulator.faults.list();
		service.simulator.faults.clear();
		try {
			return await work();
		} finally {
			service.simulator.faults.replace(faults);
		}
	};
	const list = <T>(what: string) =>
		past(() => send('GET', `/zones/${id}/${what}?per_page=100`) as Promise<T>);
	const add = (what: string, item: object) =>
		past(async () => {
			const [made] = (await send('POST', `/zones/${id}/${what}`, [item])) as {id: string}[];
			return made?.id ?? '';
		});
	let seen = 0;
	const writes = () => {
		const all = service.writes();
		const fresh = all.slice(seen).filter(({path}) => !path.endsWith('/validate-expr'));
		seen = all.length;
		return fresh;
	};
	return {
		service,
		zone: {id, name},
		run,
		runPrinted: (text, {env, ...more} = {}) =>
			ledge(['firewall', ...commandIn(text)], {
				cwd,
				clock: virtualClock(),
				...more,
				env: {...service.env, ...env},
			}),
		rules: () => list<readonly SeenRule[]>('firewall/rules'),
		filters: () => list<readonly SeenFilter[]>('filters'),
		async addFilter(expression, more = {}) {
			const made = await add('filters', {expression, ...more});
			writes();
			return made;
		},
		async addRule(filter, more = {}) {
			const made = await add('firewall/rules', {filter: {id: filter}, action: 'block', ...more});
			writes();
			return made;
		},
		writes,
	};
}
