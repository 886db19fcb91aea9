import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Command} from 'commander';
import {beforeAll, describe, expect, test} from 'vitest';
import {createProgram} from '../../source/commands/program.ts';
import {account} from '../../source/simulator/accounts/identities.ts';
import {type Ended, ledge, scratch, virtualClock} from '../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../support/serve-simulator.ts';

const zone = 'd0e032749968114a09730950255c7c0f';
const migrating = 'acme-legacy.example';
const expression = ['--expression', 'ip.src eq 203.0.113.77'];
const inZone = ['--zone-id', zone];

type Ids = {
	readonly namespace: string;
	readonly filter: string;
	readonly rule: string;
	readonly pausedRule: string;
};

/** Every command that writes to the service, with words that lead to a write. `asks` are those that ask for more than `--yes`. */
const writes: Readonly<Record<string, (ids: Ids) => readonly string[]>> = {
	'kv namespace create': () => ['NEW', '--no-prefix'],
	'kv namespace rename': ({namespace}) => ['--namespace-id', namespace, '--new-name', 'OTHER'],
	'kv namespace delete': ({namespace}) => ['--namespace-id', namespace],
	'kv key put': ({namespace}) => ['new', 'value', '--namespace-id', namespace],
	'kv key edit': ({namespace}) => ['features', '--namespace-id', namespace],
	'kv key delete': ({namespace}) => ['features', '--namespace-id', namespace],
	'kv bulk put': ({namespace}) => ['put.json', '--namespace-id', namespace],
	'kv bulk delete': ({namespace}) => ['delete.json', '--namespace-id', namespace],
	'kv import': ({namespace}) => ['put.json', '--namespace-id', namespace],
	'kv copy': ({namespace}) => ['file:put.json', `remote:${namespace}`],
	'kv delete': ({namespace}) => ['--namespace-id', namespace, '--prefix', 'features', '--confirm', '1'],
	'firewall filter create': () => [...inZone, ...expression],
	'firewall filter update': ({filter}) => [filter, ...inZone, ...expression],
	'firewall filter delete': ({filter}) => [filter, ...inZone],
	'firewall rule create': () => [...inZone, ...expression, '--action', 'block'],
	'firewall rule update': ({rule}) => [rule, ...inZone, '--description', 'other'],
	'firewall rule pause': ({rule}) => [rule, ...inZone],
	'firewall rule resume': ({pausedRule}) => [pausedRule, ...inZone],
	'firewall rule delete': ({rule}) => [rule, ...inZone, '--keep-filter'],
	'firewall emergency': () => [...inZone, ...expression, '--action', 'block'],
	'migration overrides delete': () => ['94a1d7ce5d80bd3a8c1dcd8b40eb6f0a', '--zone', migrating],
	'migration overrides restore': () => ['backup.json', '--zone', migrating],
	'migration validate': () => ['--zone', 'acme.example', '--confirm', 'acme.example'],
	'migration deploy': () => ['--zone', 'acme.example', '--confirm', 'acme.example'],
	'migration resume': () => ['--zone', 'acme.example', '--confirm', 'acme.example'],
	'jobs resume': () => ['any'],
};

/** Commands that never write to the service. */
const readings = new Set([
	...['namespace list', 'key list', 'key get', 'bulk get', 'export', 'diff', 'search', 'local check'].map(
		words => `kv ${words}`,
	),
	...['filter list', 'filter validate', 'rule list', 'explain', 'export'].map(words => `firewall ${words}`),
	...['filter get', 'rule get'].map(words => `firewall ${words}`),
	...['check', 'overrides list', 'config', 'plan', 'rehearse', 'backup', 'status', 'export', 'report'].map(
		words => `migration ${words}`,
	),
	...['list', 'forget'].map(words => `jobs ${words}`),
	...['list', 'show', 'use', 'add', 'remove'].map(words => `context ${words}`),
	...['zones', 'whoami', 'config', 'simulate', 'completion'],
]);

/** Those whose first write needs what only an earlier step leaves behind: they are refused before anything is sent. */
const needMore = new Set(['migration overrides restore', 'migration resume', 'jobs resume']);

let service: ServedSimulator;
let ids: Ids;

beforeAll(async () => {
	service = await serveSimulator();
	ids = await idsIn(service);
});

async function idsIn({env}: ServedSimulator): Promise<Ids> {
	const json = async (...words: string[]) => {
		const {stdout} = await ledge([...words, '--json'], {env});
		return JSON.parse(stdout) as {id: string; title?: string; paused?: boolean; filter?: {id: string}}[];
	};
	const namespaces = await json('kv', 'namespace', 'list');
	const rules = await json('firewall', 'rule', 'list', ...inZone);
	const filters = await json('firewall', 'filter', 'list', ...inZone);
	const unused = filters.find(({id}) => !rules.some(({filter}) => filter?.id === id));
	return {
		namespace: namespaces.find(({title}) => title === 'CONFIG')?.id ?? '',
		rule: rules[0]?.id ?? '',
		pausedRule: rules.find(({paused}) => paused)?.id ?? '',
		filter: unused?.id ?? filters[0]?.id ?? '',
	};
}

/** A folder of a person who has a production context, with files for bulk work and an editor. */
function home({url}: Pick<ServedSimulator, 'url'>): string {
	const folder = scratch();
	mkdirSync(join(folder, '.config/ledge'), {recursive: true});
	writeFileSync(
		join(folder, '.config/ledge/contexts.toml'),
		`[contexts.prod]\naccount_id = "${account.id}"\ntoken_variable = "PROD_TOKEN"\nbase_url = "${url}"\nproduction = true\n`,
	);
	writeFileSync(join(folder, 'put.json'), '[{"key":"new-1","value":"a"}]');
	writeFileSync(join(folder, 'delete.json'), '["features","limits"]');
	writeFileSync(join(folder, 'editor.sh'), '#!/bin/sh\nprintf mine > "$1"\n');
	chmodSync(join(folder, 'editor.sh'), 0o700);
	return folder;
}

type Given = {
	readonly named?: boolean;
	readonly yes?: boolean;
	readonly tty?: boolean;
	readonly input?: string;
	/** Further words, of what was reviewed before. */
	readonly review?: readonly string[];
	/** The state directory; a new one unless given. */
	readonly state?: string;
};

/** Runs a command; not named, the account is chosen by variables, as if nobody knew of the context. */
async function run(
	name: string,
	{named = false, yes = false, tty = false, input = '', review = [], state = scratch()}: Given,
	on = service,
): Promise<Ended> {
	const cwd = home(on);
	const own = writes[name]?.(ids) ?? [];
	const words = [
		...name.split(' '),
		...own,
		...review,
		...(named ? ['--context', 'prod'] : []),
		...(yes ? ['--yes'] : []),
	];
	const env = named ? {PROD_TOKEN: 'simulated'} : {...on.env, CLOUDFLARE_ACCOUNT_ID: account.id};
	return ledge(words, {
		cwd,
		env: {...env, EDITOR: join(cwd, 'editor.sh'), LEDGE_STATE_DIR: state},
		clock: virtualClock(),
		tty,
		input,
	});
}

/** The words that name what was reviewed of the zone: the proposal of the service as it is. */
async function reviewed({env: service}: ServedSimulator, state: string): Promise<readonly string[]> {
	const env = {...service, LEDGE_STATE_DIR: state};
	const {stdout} = await ledge(['migration', 'plan', '--zone', 'acme.example', '--json'], {
		env,
		clock: virtualClock(),
	});
	return ['--fingerprint', (JSON.parse(stdout) as {fingerprint: string}).fingerprint];
}

const leaves = (command: Command, words: readonly string[] = []): string[] =>
	command.commands.length === 0
		? [words.join(' ')]
		: command.commands.flatMap(one => leaves(one, [...words, one.name()]));

test('every command is one that writes, or one that does not', async () => {
	const {program} = await createProgram();
	const known = new Set([...Object.keys(writes), ...readings]);
	expect(leaves(program).filter(name => !known.has(name))).toEqual([]);
	expect([...known].filter(name => !leaves(program).includes(name))).toEqual([]);
});

const asked = Object.keys(writes).filter(name => !needMore.has(name));

describe.each(asked)('%s in production', name => {
	test('is refused in a script that does not name the context, and nothing is written', async () => {
		const before = service.writes().length;
		const {code, stderr} = await run(name, {yes: true});
		expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('--context prod')});
		expect(stderr).toContain('PRODUCTION');
		expect(service.writes().slice(before).filter(isWrite)).toEqual([]);
	});

	test('is refused where the context is named and --yes is missing', async () => {
		const before = service.writes().length;
		const {code, stderr} = await run(name, {named: true});
		expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('Add --yes if')});
		expect(service.writes().slice(before).filter(isWrite)).toEqual([]);
	});

	test('asks on a terminal, with account and place, and no means no', async () => {
		const before = service.writes().length;
		const {code, stderr} = await run(name, {yes: true, tty: true, input: 'n\n'});
		expect({code, stderr}).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('PRODUCTION (context prod)'),
		});
		expect(stderr).toMatch(/zone|Acme|910896fde4470afb4fab0b3c5e3aaff8/);
		expect(service.writes().slice(before).filter(isWrite)).toEqual([]);
	});

	test('writes where the context is named and confirmed', async () => {
		await using fresh = await serveSimulator();
		const state = scratch();
		const review =
			name.startsWith('migration ') && !name.includes('overrides') ? await reviewed(fresh, state) : [];
		const {code, stderr} = await run(name, {named: true, yes: true, review, state}, fresh);
		expect(code, stderr).toBe(0);
		expect(fresh.writes().filter(isWrite)).not.toEqual([]);
	});
});

test('a job that is resumed in production asks, too', async () => {
	await using fresh = await serveSimulator({faults: 'status=503 path=/bulk'});
	const cwd = home(fresh);
	const prod = {PROD_TOKEN: 'simulated'};
	const words = ['kv', 'bulk', 'put', 'put.json', '--namespace-id', ids.namespace];
	const begun = await ledge([...words, '--context', 'prod', '--yes'], {
		cwd,
		env: prod,
		clock: virtualClock(),
	});
	const [, id = ''] = /jobs resume (\w+)/.exec(begun.stderr) ?? [];
	await fresh.setFaults('');
	const before = fresh.writes().length;
	const resume = ['jobs', 'resume', id, '--yes'];
	const refused = await ledge(resume, {cwd, env: prod, clock: virtualClock()});
	expect({...refused, bytes: undefined}).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('--context prod'),
	});
	expect(fresh.writes()).toHaveLength(before);
	const done = await ledge([...resume, '--context', 'prod'], {cwd, env: prod, clock: virtualClock()});
	expect(done.code, done.stderr).toBe(0);
});

/** Whether a call changes anything: some readings are sent with POST. */
const isWrite = ({path}: {readonly path: string}): boolean => !/validate-expr|bulk\/get/.test(path);
