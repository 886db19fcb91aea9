import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createSimulator, type Simulator} from '../../source/simulator/simulator.ts';
import {buildRawResponse, damages, type Reply, refusals, startFaultyLine} from '../support/faulty-line.ts';
import {isFull, isSampled} from '../support/full.ts';
import {createScratchFolder, createVirtualClock, ledge} from '../support/run.ts';

/** Creates a working directory with files for bulk commands. */
function createBulkFolder(): string {
	const folder = createScratchFolder();
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
	/** Method and path of the request whose response is damaged; a command may send several requests. */
	readonly method: string;
	readonly path: RegExp;
	/** True if ledge may repeat the request by itself. */
	readonly repeats?: true;
};

const expression = 'ip.src eq 203.0.113.77';
/** A zone with active managed rules. */
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

const fetchJson = async (simulator: Simulator, path: string) => {
	const response = await simulator.fetch(
		new Request(`http://simulated.invalid/client/v4${path}`, {headers: {Authorization: 'Bearer simulated'}}),
	);
	return (await response.json()) as {result: Record<string, unknown>[]};
};

/** Everything that exists, by its id, as a text that differs after any change. */
async function readExisting(simulator: Simulator, {zone, namespace}: Ids) {
	const account = (await fetchJson(simulator, '/accounts')).result[0]?.id;
	const base = `/accounts/${account}/storage/kv/namespaces`;
	const found = new Map<string, string>();
	const namespaces = (await fetchJson(simulator, `${base}?per_page=100`)).result;
	for (const one of namespaces) found.set(String(one.id), JSON.stringify(one));
	if (namespaces.some(({id}) => id === namespace))
		for (const {name} of (await fetchJson(simulator, `${base}/${namespace}/keys`)).result)
			found.set(`${namespace}/${name}`, 'present');
	for (const part of ['filters', 'firewall/rules'])
		for (const one of (await fetchJson(simulator, `/zones/${zone}/${part}?per_page=100`)).result)
			found.set(String(one.id), JSON.stringify(one));
	// If firewall rules are retired (410), an emergency becomes a custom rule.
	const custom = await fetchJson(
		simulator,
		`/zones/${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`,
	);
	found.set('custom rules', JSON.stringify(custom.result));
	const managed = await fetchJson(
		simulator,
		`/zones/${migrated.id}/rulesets/phases/http_request_firewall_managed/entrypoint`,
	);
	found.set('managed rules', JSON.stringify(managed.result));
	return found;
}

async function readIds(simulator: Simulator): Promise<Ids> {
	const zone = 'd0e032749968114a09730950255c7c0f';
	const account = (await fetchJson(simulator, '/accounts')).result[0]?.id;
	const [namespace] = (await fetchJson(simulator, `/accounts/${account}/storage/kv/namespaces`)).result;
	const [rule] = (await fetchJson(simulator, `/zones/${zone}/firewall/rules`)).result;
	const filters = (await fetchJson(simulator, `/zones/${zone}/filters`)).result;
	return {zone, namespace: String(namespace?.id), rule: String(rule?.id), filter: String(filters[0]?.id)};
}

type When = 'before the effect' | 'after the effect';

/**
 * Runs a command over a line with a fault. Returns how it ended, how often the write arrived, and the ids of
 * everything that changed; `fresh`: those that did not exist before.
 */
async function runWithFault(write: Write, reply: Reply, when: When) {
	using simulator = createSimulator({rateLimit: false});
	await using line = await startFaultyLine(simulator);
	const ids = await readIds(simulator);
	const before = await readExisting(simulator, ids);
	const isTargetWrite = ({method, path}: {readonly method: string; readonly path: string}) =>
		method === write.method && write.path.test(path.split('?')[0] ?? '');
	line.setFault({matches: isTargetWrite, when, reply});
	const ended = await ledge(write.words(ids), {
		env: line.env,
		cwd: createBulkFolder(),
		clock: createVirtualClock(),
	});
	const after = await readExisting(simulator, ids);
	const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
		id => before.get(id) !== after.get(id),
	);
	const arrived = line.arrived().filter(isTargetWrite).length;
	return {ended, arrived, changed, fresh: changed.filter(id => !before.has(id))};
}

const unknownOutcomePattern = /not known|may still|may have|may be|unknown/i;

/**
 * Expects that the output agrees with what exists, and that a write that cannot be repeated arrives once.
 * `isBelieved`: the reply is a well-formed refusal.
 */
async function expectTruthfulOutput(
	write: Write,
	reply: Reply,
	when: When,
	isBelieved: boolean,
): Promise<void> {
	const {ended, arrived, changed, fresh} = await runWithFault(write, reply, when);
	const output = `exit ${ended.code}\n${ended.stdout}\n${ended.stderr}`;
	expect(arrived, output).toBeGreaterThan(0);
	expect(arrived, output).toBeLessThanOrEqual(write.repeats ? 5 : 1);
	expect([0, 1, 2, 3, 4, 5], output).toContain(ended.code);
	expect(output).not.toContain('Something in ledge itself went wrong');
	if (ended.code === 0) {
		expect(changed, `it says that it is done, and nothing has changed: ${output}`).not.toEqual([]);
		return;
	}
	// ledge cannot detect that a service refuses a write after executing it.
	if (isBelieved && when === 'after the effect') return;
	const createdIds = fresh.filter(id => /^[0-9a-f]{32}$/.test(id));
	const isReported =
		unknownOutcomePattern.test(output) ||
		(createdIds.length > 0 && createdIds.every(id => output.includes(id)));
	if (changed.length > 0) expect(isReported, `changed: ${changed.join()}; said: ${output}`).toBe(true);
}

const moments: readonly When[] = ['before the effect', 'after the effect'];

describe.each(writes)('$name over a connection that damages the response', write => {
	for (const [momentIndex, when] of moments.entries()) {
		// The damages that are tried at this moment: every eighth in `npm test`, all in `npm run test:full`.
		const triedDamages = Object.entries(damages).filter((_damage, index) => {
			return isSampled(index + writes.indexOf(write) + momentIndex);
		});
		test.each(triedDamages)(`${when}: %s`, async (_name, reply) => {
			await expectTruthfulOutput(write, reply, when, false);
		});
	}

	test('a well-formed error response is believed', async () => {
		for (const [name, reply] of Object.entries(refusals).filter(([name]) =>
			/^(400|403|404|421|429)/.test(name),
		)) {
			const {ended, arrived, changed} = await runWithFault(write, reply, 'before the effect');
			expect(ended.code, `${name}: ${ended.stderr}`).not.toBe(0);
			// The filter of a rule is created before the rule, and the error names it.
			for (const id of changed) expect(ended.stderr, name).toContain(id);
			expect(arrived, name).toBeLessThanOrEqual(write.repeats || name.startsWith('429') ? 5 : 1);
		}
	});
});

/** HTTP statuses 100 to 599, tried only by `npm run test:full`. */
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
			const bytes = buildRawResponse(status, body, {'content-type': 'application/json'});
			const isBelieved = status >= 400 && status < 500;
			for (const when of moments) await expectTruthfulOutput(write, {bytes}, when, isBelieved);
		}
	});
});
