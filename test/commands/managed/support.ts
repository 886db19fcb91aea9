import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {
	createScratchFolder,
	createVirtualClock,
	type EndedRun,
	ledge,
	type RunOptions,
} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

const {platform} = managedRulesets;
/** A migrated zone, and the ids of its entry point and rules. */
export const zone = 'done.acme.example';
export const migratedPlatformRuleId = '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f01';
const entryPointId = '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f09';
export const migratedOwaspRuleId = '8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f02';
export const zoneConfirmation = ['--confirm', zone];
export const searchExceptionOptions = [
	'--expression',
	'http.host eq "search.example"',
	'--description',
	'search',
];

export type ManagedTestZone = {
	readonly service: ServedSimulator;
	readonly cwd: string;
	run(words: readonly string[], more?: RunOptions & {readonly zone?: string}): Promise<EndedRun>;
	json<T>(words: readonly string[]): Promise<T>;
	/** Writes since the last call. */
	takeWrites(): readonly {readonly method: string; readonly path: string; readonly body?: unknown}[];
};

/** Starts a service, on which `run` runs `ledge managed`. */
export async function openManagedZone(): Promise<ManagedTestZone> {
	const service = await serveSimulator();
	onTestFinished(() => service.stop());
	const cwd = createScratchFolder();
	let seenWriteCount = 0;
	const run: ManagedTestZone['run'] = (words, {zone: zoneName = zone, ...more} = {}) =>
		ledge(['managed', ...words, '--zone', zoneName], {
			cwd,
			clock: createVirtualClock(),
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
		takeWrites() {
			const all = service.writes();
			const fresh = all.slice(seenWriteCount);
			seenWriteCount = all.length;
			return fresh;
		},
	};
}

export type ShownConfiguration = {
	readonly version: string;
	readonly fingerprint: string;
	readonly rules: readonly {readonly id: string; readonly action: string; readonly description?: string}[];
};

/** Lets someone else change the first rule right before the first write of this method. */
export async function changeDuringWrite(
	{simulator}: ServedSimulator,
	method: string,
	change: object,
): Promise<void> {
	const originalFetch = simulator.fetch.bind(simulator);
	let isFirst = true;
	simulator.fetch = async request => {
		if (request.method !== method || !isFirst) return originalFetch(request);
		isFirst = false;
		const changeUrl = new URL(request.url);
		changeUrl.pathname = changeUrl.pathname.replace(
			/\/rulesets\/.*$/,
			`/rulesets/${entryPointId}/rules/${migratedPlatformRuleId}`,
		);
		const body = {action: 'execute', action_parameters: {id: platform.id}, expression: 'true', ...change};
		await originalFetch(
			new Request(changeUrl, {method: 'PATCH', headers: request.headers, body: JSON.stringify(body)}),
		);
		return originalFetch(request);
	};
}
