import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {isFull} from '../support/full.ts';
import {createScratchFolder, type EndedRun, type LedgeOptions, ledge} from '../support/ledge.ts';
import {drawRandomShare} from '../support/random-kills.ts';
import {ledge as ledgeHere} from '../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../support/serve-simulator.ts';

const zone = {id: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74', name: 'done.acme.example'};
const office = '5f1c7a0e9b3d4c28a6e4d0b7f2913c01';
const create = ['rules', 'create', '--expression', 'http.host eq "killed.example"', '--action', 'block'];

/** Commands that are killed; `PRINT` is the fingerprint of `managed.json`. */
const commands: Readonly<Record<string, readonly string[]>> = {
	'rules create': create,
	'rules create, at a place': [...create, '--before', office],
	'rules move': ['rules', 'move', office, '--last'],
	'managed apply': ['managed', 'apply', 'managed.json', '--fingerprint', 'PRINT', '--confirm', zone.name],
	'rules apply': ['rules', 'apply', 'rules.yaml', '--confirm', zone.name],
	'firewall export --apply': [
		...['firewall', 'export', '--apply', '--from', 'export.json'],
		...['--confirm', zone.name],
	],
};

const fetchResult = async ({url}: ServedSimulator, path: string): Promise<unknown> => {
	const response = await fetch(`${url}/zones/${zone.id}${path}`, {
		headers: {Authorization: 'Bearer simulated'},
	});
	return ((await response.json()) as {result: unknown}).result;
};
const readEntryPoint = (service: ServedSimulator, phase: string) =>
	fetchResult(service, `/rulesets/phases/http_request_firewall_${phase}/entrypoint`) as Promise<{
		rules: Record<string, unknown>[];
	}>;

/** The existing rules in their order, without the properties that every write changes. */
async function readRules(service: ServedSimulator): Promise<readonly unknown[]> {
	const all = await Promise.all(['custom', 'managed'].map(phase => readEntryPoint(service, phase)));
	return all.map(({rules}) => rules.map(({id, ref, version, last_updated, ...rule}) => rule));
}

/** Starts a service, writes the files that the commands read, and returns a function that runs one. */
async function prepareCommand(name: string) {
	const service = await serveSimulator();
	const cwd = createScratchFolder();
	const {rules} = await readEntryPoint(service, 'managed');
	const applied = rules.map(rule => ({...rule, description: 'applied'}));
	writeFileSync(join(cwd, 'managed.json'), JSON.stringify({rules: applied}));
	writeFileSync(join(cwd, 'rules.yaml'), 'custom_rules:\n  - action: block\n    expression: ssl\n');
	const {stdout} = await ledgeHere(['firewall', 'export', '--zone', 'acme-shop.example'], {env: service.env});
	writeFileSync(join(cwd, 'export.json'), stdout);
	const shown = await ledgeHere(['managed', 'apply', 'managed.json', '--zone', zone.name], {
		env: service.env,
		cwd,
	});
	const fingerprint = /--fingerprint ([0-9a-f]{8,})/.exec(shown.stderr)?.[1] ?? '';
	const words = (commands[name] ?? []).map(word => (word === 'PRINT' ? fingerprint : word));
	const env = {...service.env, LEDGE_TIME_SCALE: '0.05'};
	return {
		service,
		run: (more: LedgeOptions = {}): Promise<EndedRun> =>
			ledge([...words, '--zone', zone.name], {cwd, env, ...more}),
	};
}

/** Runs a command undisturbed. Returns its number of requests and the resulting rules. */
async function runUndisturbed(name: string) {
	const {service, run} = await prepareCommand(name);
	const before = (await service.calls()).length;
	const ended = await run();
	expect(ended, ended.stderr).toMatchObject({code: 0});
	const requestCount = (await service.calls()).length - before;
	return {requests: requestCount, rules: await readRules(service)};
}

type Moment = {readonly request: number; readonly isAfter: boolean};

/** Runs a command, and kills it when one of its requests has arrived, or has taken effect. */
async function runAndKill(name: string, {request: number, isAfter}: Moment) {
	const {service, run} = await prepareCommand(name);
	const {simulator} = service;
	const originalFetch = simulator.fetch.bind(simulator);
	let kill = async () => {};
	let arrivedCount = 0;
	simulator.fetch = async request => {
		if (++arrivedCount !== number) return originalFetch(request);
		const response = isAfter ? await originalFetch(request) : Response.error();
		await kill();
		return response;
	};
	const ended = await run({
		onStart(child) {
			kill = async () => {
				child.kill('SIGKILL');
				await once(child, 'exit');
			};
		},
	});
	simulator.fetch = originalFetch;
	return {service, run, ended};
}

/** The moments at which a command is killed: all of them in `npm run test:full`. */
function pickMoments(requestCount: number): readonly Moment[] {
	if (isFull)
		return Array.from({length: 2 * requestCount}, (_, at) => ({
			request: Math.floor(at / 2) + 1,
			isAfter: at % 2 === 1,
		}));
	// The write is among the last requests, so the second moment is in the last 40 %.
	return [0, 0.6].map(from => ({
		request: Math.floor((from + drawRandomShare() * (1 - from)) * requestCount) + 1,
		isAfter: drawRandomShare() < 0.5,
	}));
}

describe.each(Object.keys(commands))('%s', name => {
	test('killed at any moment and run again takes effect once', {timeout: 120_000}, async () => {
		const {requests: requestCount, rules} = await runUndisturbed(name);
		for (const moment of pickMoments(requestCount)) {
			const {service, run, ended} = await runAndKill(name, moment);
			expect(ended.code, `${JSON.stringify(moment)} of ${requestCount}: ${ended.stderr}`).toBeNull();
			const rerun = await run();
			expect(rerun, rerun.stderr).toMatchObject({code: 0});
			expect(await readRules(service), JSON.stringify(moment)).toEqual(rules);
			expect(service.writes().filter(({status}) => status === 200)).toHaveLength(1);
			await service.stop();
		}
	});
});
