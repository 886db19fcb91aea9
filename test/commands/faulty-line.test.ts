import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createSimulator, type Simulator} from '../../source/simulator/simulator.ts';
import {damages, faultyLine, type Reply, rawAnswer, refusals} from '../support/faulty-line.ts';
import {isFull, isTried} from '../support/full.ts';
import {ledge, scratch, virtualClock} from '../support/run.ts';

/** Files for bulk work, in the working directory of each run. */
function filledFolder(): string {
	const folder = scratch();
	const entries = ['new-1', 'new-2'].map(key => ({key, value: 'a'}));
	writeFileSync(join(folder, 'put.json'), JSON.stringify(entries));
	writeFileSync(join(folder, 'delete.json'), JSON.stringify(['features', 'limits']));
	return folder;
}

type Ids = {
	readonly zone: string;
	readonly namespace: string;
	readonly filter: string;
	readonly rule: string;
};

type Write = {
	readonly name: string;
	readonly words: (ids: Ids) => readonly string[];
	/** The write whose answer is damaged, and which of them where it sends several. */
	readonly method: string;
	readonly path: RegExp;
	/** Whether ledge may send it again by itself. */
	readonly repeats?: true;
};

const expression = 'ip.src eq 203.0.113.77';
/** A zone with managed rules in force. */
const migrated = {id: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74', name: 'done.acme.example'};
const writes: readonly Write[] = [
	{
		name: 'namespace create',
		words: () => ['kv', 'namespace', 'create', 'NEW', '--no-prefix'],
		method: 'POST',
		path: /\/namespaces$/,
	},
	{
		name: 'namespace rename',
		words: ({namespace}) => ['kv', 'namespace', 'rename', '--namespace-id', namespace, '--new-name', 'OTHER'],
		method: 'PUT',
		path: /\/namespaces\/\w+$/,
		repeats: true,
	},
	{
		name: 'namespace delete',
		words: ({namespace}) => ['kv', 'namespace', 'delete', '--namespace-id', namespace, '--yes'],
		method: 'DELETE',
		path: /\/namespaces\/\w+$/,
		repeats: true,
	},
	{
		name: 'key put',
		words: ({namespace}) => ['kv', 'key', 'put', 'new', 'value', '--namespace-id', namespace],
		method: 'PUT',
		path: /\/values\//,
		repeats: true,
	},
	{
		name: 'key delete',
		words: ({namespace}) => ['kv', 'key', 'delete', 'features', '--namespace-id', namespace],
		method: 'DELETE',
		path: /\/values\//,
		repeats: true,
	},
	{
		name: 'bulk put',
		words: ({namespace}) => ['kv', 'bulk', 'put', 'put.json', '--namespace-id', namespace],
		method: 'PUT',
		path: /\/bulk$/,
		repeats: true,
	},
	{
		name: 'bulk delete',
		words: ({namespace}) => ['kv', 'bulk', 'delete', 'delete.json', '--namespace-id', namespace, '--yes'],
		method: 'POST',
		path: /\/bulk\/delete$/,
		repeats: true,
	},
	{
		name: 'filter create',
		words: ({zone}) => ['firewall', 'filter', 'create', '--zone-id', zone, '--expression', expression],
		method: 'POST',
		path: /\/filters$/,
	},
	{
		name: 'filter update',
		words: ({zone, filter}) => [
			...['firewall', 'filter', 'update', filter, '--zone-id', zone],
			...['--expression', expression, '--yes'],
		],
		method: 'PUT',
		path: /\/filters\/\w+$/,
	},
	{
		name: 'rule create, its filter',
		words: ({zone}) => [
			...['firewall', 'rule', 'create', '--zone-id', zone],
			...['--expression', expression, '--action', 'block'],
		],
		method: 'POST',
		path: /\/filters$/,
	},
	{
		name: 'rule create, the rule',
		words: ({zone}) => [
			...['firewall', 'rule', 'create', '--zone-id', zone],
			...['--expression', expression, '--action', 'block'],
		],
		method: 'POST',
		path: /\/firewall\/rules$/,
	},
	{
		name: 'emergency',
		words: ({zone}) => [
			...['firewall', 'emergency', '--zone-id', zone],
			...['--expression', expression, '--action', 'block', '--yes'],
		],
		method: 'POST',
		path: /\/firewall\/rules$/,
	},
	{
		name: 'rule pause',
		words: ({zone, rule}) => ['firewall', 'rule', 'pause', rule, '--zone-id', zone, '--yes'],
		method: 'PUT',
		path: /\/firewall\/rules\/\w+$/,
	},
	{
		name: 'rule delete',
		words: ({zone, rule}) => [
			'firewall',
			'rule',
			'delete',
			rule,
			'--zone-id',
			zone,
			'--yes',
			'--keep-filter',
		],
		method: 'DELETE',
		path: /\/firewall\/rules/,
	},
	{
		name: 'managed edit, one rule',
		words: () => ['managed', 'edit', '--zone', migrated.name, '--threshold', '25'],
		method: 'PATCH',
		path: /\/rulesets\/\w+\/rules\/\w+$/,
	},
	{
		name: 'managed edit, several',
		words: () => [
			...['managed', 'edit', '--zone', migrated.name],
			...['--threshold', '25', '--deploy', 'credentials'],
		],
		method: 'PUT',
		path: /\/entrypoint$/,
	},
	{
		name: 'managed exception add',
		words: () => [
			...['managed', 'exception', 'add', '--zone', migrated.name],
			...['--expression', expression, '--skip', 'owasp'],
		],
		method: 'POST',
		path: /\/rulesets\/\w+\/rules$/,
	},
];

const json = async (simulator: Simulator, path: string) => {
	const answer = await simulator.fetch(
		new Request(`http://simulated.invalid/client/v4${path}`, {headers: {Authorization: 'Bearer simulated'}}),
	);
	return (await answer.json()) as {result: Record<string, unknown>[]};
};

/** What exists, by its id; a change of anything changes its text. */
async function existing(simulator: Simulator, {zone, namespace}: Ids) {
	const account = (await json(simulator, '/accounts')).result[0]?.id;
	const base = `/accounts/${account}/storage/kv/namespaces`;
	const found = new Map<string, string>();
	const namespaces = (await json(simulator, `${base}?per_page=100`)).result;
	for (const one of namespaces) found.set(String(one.id), JSON.stringify(one));
	if (namespaces.some(({id}) => id === namespace))
		for (const {name} of (await json(simulator, `${base}/${namespace}/keys`)).result)
			found.set(`${namespace}/${name}`, 'present');
	for (const part of ['filters', 'firewall/rules'])
		for (const one of (await json(simulator, `/zones/${zone}/${part}?per_page=100`)).result)
			found.set(String(one.id), JSON.stringify(one));
	// Where firewall rules are gone (410), an emergency becomes a custom rule.
	const custom = await json(
		simulator,
		`/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`,
	);
	found.set('custom rules', JSON.stringify(custom.result));
	const managed = await json(
		simulator,
		`/zones/${migrated.id}/rulesets/phases/http_request_firewall_managed/entrypoint`,
	);
	found.set('managed rules', JSON.stringify(managed.result));
	return found;
}

async function idsIn(simulator: Simulator): Promise<Ids> {
	const zone = 'd0e032749968114a09730950255c7c0f';
	const account = (await json(simulator, '/accounts')).result[0]?.id;
	const [namespace] = (await json(simulator, `/accounts/${account}/storage/kv/namespaces`)).result;
	const [rule] = (await json(simulator, `/zones/${zone}/firewall/rules`)).result;
	const filters = (await json(simulator, `/zones/${zone}/filters`)).result;
	return {zone, namespace: String(namespace?.id), rule: String(rule?.id), filter: String(filters[0]?.id)};
}

type When = 'before the effect' | 'after the effect';

/** Runs a command over a line with a fault; returns what it said, how often the write arrived, and what has changed. */
async function tried(write: Write, reply: Reply, when: When) {
	using simulator = createSimulator({rateLimit: false});
	await using line = await faultyLine(simulator);
	const ids = await idsIn(simulator);
	const before = await existing(simulator, ids);
	const isIt = ({method, path}: {readonly method: string; readonly path: string}) =>
		method === write.method && write.path.test(path.split('?')[0] ?? '');
	line.set({matches: isIt, when, reply});
	const ended = await ledge(write.words(ids), {env: line.env, cwd: filledFolder(), clock: virtualClock()});
	const after = await existing(simulator, ids);
	const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
		id => before.get(id) !== after.get(id),
	);
	const arrived = line.arrived().filter(isIt).length;
	return {ended, arrived, changed, fresh: changed.filter(id => !before.has(id))};
}

const leavesOpen = /not known|may still|may have|may be|unknown/i;

/** What is said has to fit what exists, and what cannot be repeated arrives once. */
async function expectTrue(write: Write, reply: Reply, when: When, isBelieved: boolean): Promise<void> {
	const {ended, arrived, changed, fresh} = await tried(write, reply, when);
	const said = `exit ${ended.code}\n${ended.stdout}\n${ended.stderr}`;
	expect(arrived, said).toBeGreaterThan(0);
	expect(arrived, said).toBeLessThanOrEqual(write.repeats ? 5 : 1);
	expect([0, 1, 2, 3, 4, 5], said).toContain(ended.code);
	expect(said).not.toContain('Something in ledge itself went wrong');
	if (ended.code === 0) {
		expect(changed, `it says that it is done, and nothing has changed: ${said}`).not.toEqual([]);
		return;
	}
	// A service that refuses what it did cannot be seen through.
	if (isBelieved && when === 'after the effect') return;
	const ofZone = fresh.filter(id => /^[0-9a-f]{32}$/.test(id));
	const isTold = leavesOpen.test(said) || (ofZone.length > 0 && ofZone.every(id => said.includes(id)));
	if (changed.length > 0) expect(isTold, `changed: ${changed.join()}; said: ${said}`).toBe(true);
}

const times: readonly When[] = ['before the effect', 'after the effect'];

describe.each(writes)('$name over a connection that damages the answer', write => {
	for (const [at, when] of times.entries()) {
		// Of each damage to two of three writes one moment, and of each damage both: the next write has the other one.
		const tried = Object.entries(damages).filter((_damage, index) => {
			return isTried(index + writes.indexOf(write) + at);
		});
		test.each(tried)(`${when}: %s`, async (_name, reply) => {
			await expectTrue(write, reply, when, false);
		});
	}

	test('a well-formed error answer is believed', async () => {
		for (const [name, reply] of Object.entries(refusals).filter(([name]) =>
			/^(400|403|404|421|429)/.test(name),
		)) {
			const {ended, arrived, changed} = await tried(write, reply, 'before the effect');
			expect(ended.code, `${name}: ${ended.stderr}`).not.toBe(0);
			// The filter of a rule is made before it, and named.
			for (const id of changed) expect(ended.stderr, name).toContain(id);
			expect(arrived, name).toBeLessThanOrEqual(write.repeats || name.startsWith('429') ? 5 : 1);
		}
	});
});

/** Every status there is, as `npm run test:full` tries them. */
const everyStatus = isFull ? Array.from({length: 500}, (_, index) => 100 + index) : [];

describe.skipIf(everyStatus.length === 0)('every status', () => {
	test.each(writes)('$name', {timeout: 600_000}, async write => {
		for (const status of everyStatus) {
			const body = JSON.stringify({
				success: false,
				errors: [{code: 1, message: 'no'}],
				messages: [],
				result: null,
			});
			const bytes = rawAnswer(status, body, {'content-type': 'application/json'});
			const isBelieved = status >= 400 && status < 500;
			for (const when of times) await expectTrue(write, {bytes}, when, isBelieved);
		}
	});
});
