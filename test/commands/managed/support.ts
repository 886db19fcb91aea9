import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {type Ended, ledge, type RunOptions, scratch, virtualClock} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

const {platform} = managedRulesets;
/** A zone that has migrated, and its rules. */
export const zone = 'done.acme.example';
export const platformRule = '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f01';
const entryPoint = '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f09';
export const owaspRule = '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f02';
export const confirmed = ['--confirm', zone];
export const search = ['--expression', 'http.host eq "search.example"', '--description', 'search'];

export type Opened = {
	readonly service: ServedSimulator;
	readonly cwd: string;
	run(words: readonly string[], more?: RunOptions & {readonly zone?: string}): Promise<Ended>;
	json<T>(words: readonly string[]): Promise<T>;
	/** Bodies and paths of the writes since the last time. */
	writes(): readonly {readonly method: string; readonly path: string; readonly body?: unknown}[];
};

/** Runs `ledge managed` on a service of its own. */
export async function opened(): Promise<Opened> {
	const service = await serveSimulator();
	onTestFinished(() => service.stop());
	const cwd = scratch();
	let seen = 0;
	const run: Opened['run'] = (words, {zone: at = zone, ...more} = {}) =>
		ledge(['managed', ...words, '--zone', at], {
			cwd,
			clock: virtualClock(),
			...more,
			env: {...service.env, LEDGE_STATE_DIR: join(cwd, 'state'), ...more.env},
		});
	return {
		service,
		cwd,
		run,
		async json(words) {
			const {stdout, stderr} = await run([...words, '--json']);
			if (stdout === '') throw new Error(stderr);
			return JSON.parse(stdout);
		},
		writes() {
			const all = service.writes();
			const fresh = all.slice(seen);
			seen = all.length;
			return fresh;
		},
	};
}

export type Shown = {
	readonly version: string;
	readonly fingerprint: string;
	readonly rules: readonly {readonly id: string; readonly action: string; readonly description?: string}[];
};

/** Lets someone else change the first rule right before the first write of this method. */
export async function duringWrite(
	{simulator}: ServedSimulator,
	method: string,
	change: object,
): Promise<void> {
	const fetch = simulator.fetch.bind(simulator);
	let isFirst = true;
	simulator.fetch = async request => {
		if (request.method !== method || !isFirst) return fetch(request);
		isFirst = false;
		const other = new URL(request.url);
		other.pathname = other.pathname.replace(
			/\/rulesets\/.*$/,
			`/rulesets/${entryPoint}/rules/${platformRule}`,
		);
		const body = {action: 'execute', action_parameters: {id: platform.id}, expression: 'true', ...change};
		await fetch(new Request(other, {method: 'PATCH', headers: request.headers, body: JSON.stringify(body)}));
		return fetch(request);
	};
}
