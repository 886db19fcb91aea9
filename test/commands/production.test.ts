import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {simulatedAccount} from '../../source/simulator/simulator.ts';
import {type SampleIds, sampleIds, writingCommands} from '../support/every-command.ts';
import {type Ended, ledge, scratch, virtualClock} from '../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../support/serve-simulator.ts';

let service: ServedSimulator;
let ids: SampleIds;

beforeAll(async () => {
	service = await serveSimulator();
	ids = await sampleIds(service.env);
});

/** A folder of a person who has a production context, with files for bulk work and an editor. */
function home({url}: Pick<ServedSimulator, 'url'>): string {
	const folder = scratch();
	mkdirSync(join(folder, '.config/ledge'), {recursive: true});
	writeFileSync(
		join(folder, '.config/ledge/contexts.toml'),
		`[contexts.prod]\naccount_id = "${simulatedAccount.id}"\ntoken_variable = "PROD_TOKEN"\nbase_url = "${url}"\nproduction = true\n`,
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
	/** Its own words; those of the table unless given. */
	readonly own?: readonly string[];
	/** The working folder and the state directory; new ones unless given. */
	readonly cwd?: string;
	readonly state?: string;
};

/** Commands that act in the context of something that was done before. */
const ownContext = new Set(['jobs resume', 'kv trash restore']);

/** Runs a command; not named, the account is chosen by variables, as if nobody knew of the context. */
async function run(
	name: string,
	{named = false, yes = false, tty = false, input = '', review = [], ...given}: Given,
	on = service,
): Promise<Ended> {
	const {own = writingCommands[name]?.(ids) ?? [], cwd = home(on), state = scratch()} = given;
	const words = [
		...name.split(' '),
		...own,
		...review,
		...(named ? ['--context', 'prod'] : []),
		...(yes ? ['--yes'] : []),
	];
	// A job and the trash have their context, beside which variables are refused.
	const env = named || ownContext.has(name) ? {} : {...on.env, CLOUDFLARE_ACCOUNT_ID: simulatedAccount.id};
	return ledge(words, {
		cwd,
		env: {PROD_TOKEN: 'simulated', ...env, EDITOR: join(cwd, 'editor.sh'), LEDGE_STATE_DIR: state},
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

type Kept = {readonly cwd: string; readonly state: string};

const inDone = ['--zone', 'done.acme.example'];

/** Makes an exception from the managed rules; returns its id. */
async function madeException(on: ServedSimulator, kept: Kept): Promise<string> {
	const made = {named: true, yes: true, review: ['--json'], ...kept};
	const {stdout} = await run('managed exception add', made, on);
	const {rules} = JSON.parse(stdout) as {rules: readonly {id: string; action: string}[]};
	return rules.find(({action}) => action === 'skip')?.id ?? '';
}

/** The steps that leave behind what some commands need for their first write; each returns the words of its command. */
const steps: Readonly<Record<string, (on: ServedSimulator, kept: Kept) => Promise<readonly string[]>>> = {
	async 'migration overrides restore'(on, kept) {
		const deleted = {named: true, yes: true, review: ['--json'], ...kept};
		const {stdout} = await run('migration overrides delete', deleted, on);
		const [{backup}] = JSON.parse(stdout) as [{backup: string}];
		return [backup, '--zone', 'acme-legacy.example', '--confirm', 'acme-legacy.example'];
	},
	async 'migration resume'(on, kept) {
		const review = await reviewed(on, kept.state);
		await on.setFaults('status=500 method=PUT path=/entrypoint');
		await run('migration deploy', {named: true, yes: true, review, ...kept}, on);
		await on.setFaults('');
		return ['--zone', 'acme.example', '--confirm', 'acme.example'];
	},
	async 'managed exception change'(on, kept) {
		return [await madeException(on, kept), ...inDone, '--description', 'other'];
	},
	async 'managed exception remove'(on, kept) {
		return [await madeException(on, kept), ...inDone];
	},
	async 'managed restore'(on, kept) {
		await run('managed edit', {named: true, yes: true, ...kept}, on);
		return ['1', ...inDone, '--confirm', 'done.acme.example'];
	},
	async 'managed recreate'(on, kept) {
		const review = await reviewed(on, kept.state);
		await run('migration deploy', {named: true, yes: true, review, ...kept}, on);
		const [{id}] = JSON.parse(
			(await run('managed catalogue', {named: true, own: ['942100', ...inDone, '--json'], ...kept}, on))
				.stdout,
		) as [{id: string}];
		return ['--zone', 'acme.example', '--item', '1', '--rule', id, '--confirm', 'acme.example'];
	},
	async 'managed apply'(_on, {cwd}) {
		writeFileSync(join(cwd, 'managed.json'), '{"rules": []}');
		return writingCommands['managed apply']?.(ids) ?? [];
	},
	async 'kv trash restore'(on, kept) {
		const {stderr} = await run('kv bulk delete', {named: true, yes: true, ...kept}, on);
		return [/kv trash restore (\w+)/.exec(stderr)?.[1] ?? ''];
	},
	async 'jobs resume'(on, kept) {
		await on.setFaults('status=503 path=/bulk');
		const {stderr} = await run('kv bulk put', {named: true, yes: true, ...kept}, on);
		await on.setFaults('');
		return [/jobs resume (\w+)/.exec(stderr)?.[1] ?? ''];
	},
};

const asked = Object.keys(writingCommands).filter(name => !(name in steps));

describe.each(asked)('%s in production', name => {
	test('is refused in a script without --context, and nothing is written', async () => {
		const before = service.writes().length;
		const {code, stderr} = await run(name, {yes: true});
		expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('--context prod')});
		expect(stderr).toContain('PRODUCTION');
		expect(service.writes().slice(before).filter(isWrite)).toEqual([]);
	});

	test('is refused with --context but without --yes', async () => {
		const before = service.writes().length;
		const {code, stderr} = await run(name, {named: true});
		expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('Add --yes to confirm')});
		expect(service.writes().slice(before).filter(isWrite)).toEqual([]);
	});

	test('asks on a terminal, naming account and place, and no means no', async () => {
		const before = service.writes().length;
		const {code, stderr} = await run(name, {yes: true, tty: true, input: 'n\n'});
		expect({code, stderr}).toMatchObject({
			code: 1,
			stderr: expect.stringContaining('PRODUCTION (context prod)'),
		});
		expect(stderr).toMatch(/zone|Acme|910896fde4470afb4fab0b3c5e3aaff8/);
		expect(service.writes().slice(before).filter(isWrite)).toEqual([]);
	});

	test('writes with --context and --yes', async () => {
		await using fresh = await serveSimulator();
		const state = scratch();
		const review =
			name.startsWith('migration ') && !name.includes('overrides') ? await reviewed(fresh, state) : [];
		const {code, stderr} = await run(name, {named: true, yes: true, review, state}, fresh);
		expect(code, stderr).toBe(0);
		expect(fresh.writes().filter(isWrite)).not.toEqual([]);
	});
});

test.each(
	Object.entries(steps),
)('%s in production also asks about work begun earlier', async (name, step) => {
	await using fresh = await serveSimulator();
	const kept = {cwd: home(fresh), state: scratch()};
	const own = await step(fresh, kept);
	const before = fresh.writes().length;
	const sent = () => fresh.writes().slice(before).filter(isWrite);
	const again = (given: Given) => run(name, {own, ...kept, ...given}, fresh);
	const unnamed = await again({yes: true});
	expect(unnamed.code, unnamed.stderr).toBe(2);
	expect(unnamed.stderr).toMatch(/PRODUCTION[\s\S]*--context prod/);
	const unsure = await again({named: true});
	expect(unsure.code, unsure.stderr).toBe(2);
	expect(unsure.stderr).toContain('Add --yes to confirm');
	const declined = await again({yes: true, tty: true, input: 'n\n'});
	expect(declined.code, declined.stderr).toBe(1);
	expect(declined.stderr).toContain('PRODUCTION (context prod)');
	expect(declined.stderr).toMatch(/Acme|910896fde4470afb4fab0b3c5e3aaff8/);
	expect(sent()).toEqual([]);
	const done = await again({named: true, yes: true});
	expect(done.code, done.stderr).toBe(0);
	expect(sent()).not.toEqual([]);
});

test('pausing a rule in production asks once and describes the effect', async () => {
	await using fresh = await serveSimulator();
	const {code, stderr} = await run('firewall rule pause', {tty: true, input: 'y\n'}, fresh);
	expect(code, stderr).toBe(0);
	expect(stderr.match(/\[y\/N\]/g)).toHaveLength(1);
	expect(stderr).toContain('warning: Requests that were let through are checked again immediately.');
	expect(fresh.writes().filter(isWrite)).toHaveLength(1);
});

test('an unreadable zone is assumed to be in the named account', async () => {
	const grants = ['firewall:read', 'firewall:write'] as const;
	await using fresh = await serveSimulator({tokens: [{value: 'simulated', grants}]});
	const {code, stderr} = await run('firewall filter create', {yes: true}, fresh);
	expect({code, stderr}).toMatchObject({code: 2, stderr: expect.stringContaining('--context prod')});
	expect(fresh.writes().filter(isWrite)).toEqual([]);
});

test.each([
	{what: 'slow', faults: 'hang times=1 method=GET path=/zones/', grants: undefined},
	{what: 'unreadable', faults: '', grants: ['firewall:read', 'firewall:write'] as const},
])('a zone that is $what, with no account named, may be production', async ({faults, grants}) => {
	await using fresh = await serveSimulator(grants && {tokens: [{value: 'simulated', grants}]});
	const cwd = home(fresh);
	const block = async (...more: string[]) => {
		await fresh.setFaults(faults);
		return ledge(
			['firewall', 'emergency', ...(writingCommands['firewall emergency']?.(ids) ?? []), '--yes', ...more],
			{
				cwd,
				env: {...fresh.env, LEDGE_STATE_DIR: scratch()},
			},
		);
	};
	const unnamed = await block();
	expect(unnamed).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('POSSIBLY PRODUCTION (context prod'),
	});
	expect(unnamed.stderr).toMatch(/Add --context prod[\s\S]*or choose another account with --account-id\./);
	expect(fresh.writes().filter(isWrite)).toEqual([]);
	const other = await block('--account-id', simulatedAccount.id.replace(/^./, 'f'));
	expect(other).toMatchObject({code: 0});
});

/** Whether a call changes anything: some readings are sent with POST. */
const isWrite = ({path}: {readonly path: string}): boolean => !/validate-expr|bulk\/get/.test(path);
