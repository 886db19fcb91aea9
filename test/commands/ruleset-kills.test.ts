import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {isFull} from '../support/full.ts';
import {type Ended, type LedgeOptions, ledge, scratch} from '../support/ledge.ts';
import {randomShare} from '../support/random-kills.ts';
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
	'firewall export --apply': [
		...['firewall', 'export', '--apply', '--from', 'export.json'],
		...['--confirm', zone.name],
	],
};

const get = async ({url}: ServedSimulator, path: string): Promise<unknown> => {
	const answer = await fetch(`${url}/zones/${zone.id}${path}`, {
		headers: {Authorization: 'Bearer simulated'},
	});
	return ((await answer.json()) as {result: unknown}).result;
};
const entryPoint = (service: ServedSimulator, phase: string) =>
	get(service, `/rulesets/phases/http_request_firewall_${phase}/entrypoint`) as Promise<{
		rules: Record<string, unknown>[];
	}>;

/** The rules that exist, in their order, without what every write makes new. */
async function rulesIn(service: ServedSimulator): Promise<readonly unknown[]> {
	const all = await Promise.all(['custom', 'managed'].map(phase => entryPoint(service, phase)));
	return all.map(({rules}) => rules.map(({id, ref, version, last_updated, ...rule}) => rule));
}

/** A service with the files that the commands read, and a command on it. */
async function opened(name: string) {
	const service = await serveSimulator();
	const cwd = scratch();
	const {rules} = await entryPoint(service, 'managed');
	const applied = rules.map(rule => ({...rule, description: 'applied'}));
	writeFileSync(join(cwd, 'managed.json'), JSON.stringify({rules: applied}));
	const {stdout} = await ledgeHere(['firewall', 'export', '--zone', 'acme-shop.example'], {env: service.env});
	writeFileSync(join(cwd, 'export.json'), stdout);
	const shown = await ledgeHere(['managed', 'apply', 'managed.json', '--zone', zone.name], {
		env: service.env,
		cwd,
	});
	const print = /--fingerprint ([0-9a-f]{8,})/.exec(shown.stderr)?.[1] ?? '';
	const words = (commands[name] ?? []).map(word => (word === 'PRINT' ? print : word));
	const env = {...service.env, LEDGE_TIME_SCALE: '0.01'};
	return {
		service,
		run: (more: LedgeOptions = {}): Promise<Ended> =>
			ledge([...words, '--zone', zone.name], {cwd, env, ...more}),
	};
}

/** How many requests a command makes, and the rules that it leads to. */
async function undisturbed(name: string) {
	const {service, run} = await opened(name);
	const before = (await service.calls()).length;
	const ended = await run();
	expect(ended, ended.stderr).toMatchObject({code: 0});
	const requests = (await service.calls()).length - before;
	return {requests, rules: await rulesIn(service)};
}

type Moment = {readonly request: number; readonly isAfter: boolean};

/** Runs a command, and kills it when one of its requests has arrived, or has taken effect. */
async function killedAt(name: string, {request: number, isAfter}: Moment) {
	const {service, run} = await opened(name);
	const {simulator} = service;
	const pass = simulator.fetch.bind(simulator);
	let kill = async () => {};
	let arrived = 0;
	simulator.fetch = async request => {
		if (++arrived !== number) return pass(request);
		const answer = isAfter ? await pass(request) : Response.error();
		await kill();
		return answer;
	};
	const ended = await run({
		started(child) {
			kill = async () => {
				child.kill('SIGKILL');
				await once(child, 'exit');
			};
		},
	});
	simulator.fetch = pass;
	return {service, run, ended};
}

/** The moments at which a command is killed: all of them in `npm run test:full`. */
function momentsOf(requests: number): readonly Moment[] {
	if (isFull)
		return Array.from({length: 2 * requests}, (_, at) => ({
			request: Math.floor(at / 2) + 1,
			isAfter: at % 2 === 1,
		}));
	// The write is among the last ones.
	return [0, 0.6].map(from => ({
		request: Math.floor((from + randomShare() * (1 - from)) * requests) + 1,
		isAfter: randomShare() < 0.5,
	}));
}

describe.each(Object.keys(commands))('%s', name => {
	test('killed at any moment and run again takes effect once', {timeout: 120_000}, async () => {
		const {requests, rules} = await undisturbed(name);
		for (const moment of momentsOf(requests)) {
			const {service, run, ended} = await killedAt(name, moment);
			expect(ended.code, `${JSON.stringify(moment)} of ${requests}: ${ended.stderr}`).toBeNull();
			const again = await run();
			expect(again, again.stderr).toMatchObject({code: 0});
			expect(await rulesIn(service), JSON.stringify(moment)).toEqual(rules);
			expect(service.writes().filter(({status}) => status === 200)).toHaveLength(1);
			await service.stop();
		}
	});
});
