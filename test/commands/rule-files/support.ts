import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {SimulatorOptions} from '../../../source/simulator/simulator.ts';
import {
	createScratchFolder,
	createVirtualClock,
	type EndedRun,
	ledge,
	type RunOptions,
} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

export const migrated = {id: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74', name: 'done.acme.example'};
export const plain = {id: '9e4c0b3f7d6a4f2b8c5e1d2c3b4a5f85', name: 'plain.acme.example'};

export const phases = {
	custom: 'http_request_firewall_custom',
	limits: 'http_ratelimit',
	managed: 'http_request_firewall_managed',
} as const;
export type PhaseName = keyof typeof phases;

type ActiveRule = Readonly<Record<string, unknown>> & {readonly id: string; readonly expression: string};

export type RulesTest = {
	readonly service: ServedSimulator;
	readonly cwd: string;
	/** Runs `ledge rules …` on a zone. */
	run(words: readonly string[], zone?: {readonly name: string}, more?: RunOptions): Promise<EndedRun>;
	/** Runs a printed command line, which may have `echo '…' |` before it. */
	runPrinted(line: string): Promise<EndedRun>;
	write(name: string, text: string): void;
	read(name: string): string;
	/** The active rules of a phase, read without ledge. */
	readRules(phase: PhaseName, zone?: {readonly id: string}): Promise<readonly ActiveRule[]>;
	/** Replaces the active rules of a phase without ledge. */
	putRules(phase: PhaseName, rules: readonly object[], zone?: {readonly id: string}): Promise<void>;
	/** The requests of ledge that arrived since the last call, as "GET /zones/…". */
	takeRequests(): readonly string[];
	/** Those of them that write. */
	takeWrites(): readonly string[];
	/** Called before each request of ledge reaches the service; `index` counts since `takeRequests`. */
	setHook(
		hook:
			| ((index: number, request: Request) => Response | undefined | Promise<Response | undefined>)
			| undefined,
	): void;
};

/** Starts a simulated service with sample zones, for `ledge rules` on files in a folder of its own. */
export async function startRulesTest(options: SimulatorOptions = {}): Promise<RulesTest> {
	const {faults: _, ...rest} = options;
	const service = await serveSimulator(rest);
	const cwd = createScratchFolder();
	const originalFetch = service.simulator.fetch.bind(service.simulator);
	let hook: Parameters<RulesTest['setHook']>[0];
	const requests: string[] = [];
	service.simulator.fetch = async request => {
		const path = new URL(request.url).pathname.replace('/client/v4', '');
		requests.push(`${request.method} ${path}`);
		return (await hook?.(requests.length - 1, request)) ?? originalFetch(request);
	};
	const takeRequests = () => requests.splice(0);
	const send = async (method: string, path: string, body?: object): Promise<unknown> => {
		const response = await originalFetch(
			new Request(`http://simulated.invalid/client/v4${path}`, {
				method,
				headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
				...(body && {body: JSON.stringify(body)}),
			}),
		);
		const {success, result, errors} = (await response.json()) as {
			success: boolean;
			result: unknown;
			errors: unknown;
		};
		if (!success && response.status !== 404) throw new Error(JSON.stringify(errors));
		return result;
	};
	const getPath = (phase: PhaseName, {id}: {readonly id: string}) =>
		`/zones/${id}/rulesets/phases/${phases[phase]}/entrypoint`;
	const environment = {...service.env, LEDGE_STATE_DIR: join(cwd, 'state')};
	const run: RulesTest['run'] = (words, zone = migrated, more = {}) =>
		ledge(['rules', ...words, ...(zone.name === '' ? [] : ['--zone', zone.name])], {
			env: environment,
			cwd,
			clock: createVirtualClock(),
			...more,
		});
	return {
		service,
		cwd,
		run,
		runPrinted(line) {
			const [, input, command = ''] = /^(?:echo '([^']*)' \| )?ledge (.*)$/.exec(line) ?? [];
			const words = [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
			return ledge([...words, '--yes'], {
				env: environment,
				cwd,
				clock: createVirtualClock(),
				...(input !== undefined && {input: `${input}\n`}),
			});
		},
		write: (name, text) => writeFileSync(join(cwd, name), text),
		read: name => readFileSync(join(cwd, name), 'utf8'),
		readRules: async (phase, zone = migrated) =>
			((await send('GET', getPath(phase, zone))) as {rules?: ActiveRule[]} | null)?.rules ?? [],
		putRules: async (phase, rules, zone = migrated) =>
			void (await send('PUT', getPath(phase, zone), {rules})),
		takeRequests,
		takeWrites: () => takeRequests().filter(request => !request.startsWith('GET ')),
		setHook(nextHook) {
			hook = nextHook;
		},
	};
}
