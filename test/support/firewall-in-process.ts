import {onTestFinished} from 'vitest';
import type {SimulatorOptions} from '../../source/simulator/simulator.ts';
import {commandIn, type SeenFilter, type SeenRule, zoneIds} from './firewall.ts';
import {createScratchFolder, createVirtualClock, type EndedRun, ledge, type RunOptions} from './run.ts';
import {type ServedSimulator, serveSimulator} from './serve-simulator.ts';

export {commandIn};

export type Plan = keyof typeof zoneIds;

export type FirewallInProcess = {
	readonly service: ServedSimulator;
	readonly zone: {readonly id: string; readonly name: string};
	/** Runs `ledge firewall …` on the zone. */
	run(words: readonly string[], more?: RunOptions): Promise<EndedRun>;
	/** Runs the first `ledge firewall …` or `ledge rules …` command that a text holds, as it is printed. */
	runPrinted(text: string, more?: RunOptions): Promise<EndedRun>;
	rules(): Promise<readonly SeenRule[]>;
	filters(): Promise<readonly SeenFilter[]>;
	/** Makes a filter, or a rule on one, without ledge; returns its id. */
	addFilter(expression: string, more?: object): Promise<string>;
	addRule(filter: string, more?: object): Promise<string>;
	/** Returns the writes that arrived since the last call. */
	takeWrites(): readonly {readonly method: string; readonly path: string}[];
};

/**
 * Starts a simulated service in this process, whose only samples are its zones, for commands on the zone of a
 * plan.
 */
export async function startFirewallInProcess(
	plan: Plan = 'pro',
	options: Omit<SimulatorOptions, 'faults'> = {},
): Promise<FirewallInProcess> {
	const service = await serveSimulator({samples: false, ...options});
	onTestFinished(() => service.stop());
	const cwd = createScratchFolder();
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
			clock: createVirtualClock(),
			...more,
			env: {...service.env, ...env},
		});
	const withoutFaults = async <T>(work: () => Promise<T>): Promise<T> => {
		const faults = service.simulator.faults.list();
		service.simulator.faults.clear();
		try {
			return await work();
		} finally {
			service.simulator.faults.replace(faults);
		}
	};
	const list = <T>(what: string) =>
		withoutFaults(() => send('GET', `/zones/${id}/${what}?per_page=100`) as Promise<T>);
	const add = (what: string, item: object) =>
		withoutFaults(async () => {
			const [created] = (await send('POST', `/zones/${id}/${what}`, [item])) as {id: string}[];
			return created?.id ?? '';
		});
	let takenCount = 0;
	const takeWrites = () => {
		const all = service.writes();
		const newWrites = all.slice(takenCount).filter(({path}) => !path.endsWith('/validate-expr'));
		takenCount = all.length;
		return newWrites;
	};
	return {
		service,
		zone: {id, name},
		run,
		runPrinted: (text, {env, ...more} = {}) =>
			ledge([/ledge (firewall|rules) /.exec(text)?.[1] ?? 'firewall', ...commandIn(text)], {
				cwd,
				clock: createVirtualClock(),
				...more,
				env: {...service.env, ...env},
			}),
		rules: () => list<readonly SeenRule[]>('firewall/rules'),
		filters: () => list<readonly SeenFilter[]>('filters'),
		async addFilter(expression, more = {}) {
			const createdId = await add('filters', {expression, ...more});
			takeWrites();
			return createdId;
		},
		async addRule(filter, more = {}) {
			const createdId = await add('firewall/rules', {filter: {id: filter}, action: 'block', ...more});
			takeWrites();
			return createdId;
		},
		takeWrites,
	};
}
