import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {simulatedAccount} from '../../source/simulator/simulator.ts';
import {readSampleIds, type SampleIds, writingCommands} from '../support/every-command.ts';
import {createScratchFolder, createVirtualClock, type EndedRun, ledge} from '../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../support/serve-simulator.ts';

let service: ServedSimulator;
let ids: SampleIds;

beforeAll(async () => {
	service = await serveSimulator();
	ids = await readSampleIds(service.env);
});

/** Creates a home with a production context, files for bulk commands and an editor. */
function createHome({url}: Pick<ServedSimulator, 'url'>): string {
	const folder = createScratchFolder();
	mkdirSync(join(folder, '.config/ledge'), {recursive: true});
	writeFileSync(
		join(folder, '.config/ledge/contexts.toml'),
		`[contexts.prod]\naccount_id = "${simulatedAccount.id}"\ntoken_variable = "PROD_TOKEN"\nbase_url = "${url}"\nproduction = true\n`,
	);
	writeFileSync(join(folder, 'put.json'), '[{"key":"new-1","value":"a"}]');
	writeFileSync(join(folder, 'delete.json'), '["features","limits"]');
	writeFileSync(join(folder, 'rules.yaml'), 'custom_rules: []\n');
	writeFileSync(join(folder, 'editor.sh'), '#!/bin/sh\nprintf mine > "$1"\n');
	chmodSync(join(folder, 'editor.sh'), 0o700);
	return folder;
}

type CommandOptions = {
	readonly named?: boolean;
	readonly yes?: boolean;
	readonly tty?: boolean;
	readonly input?: string;
	/** Words added to the command, such as the reviewed fingerprint. */
	readonly moreWords?: readonly string[];
	/** Arguments of the command; by default those in `writingCommands`. */
	readonly commandArguments?: readonly string[];
	/** The working folder and the state directory; new ones unless given. */
	readonly cwd?: string;
	readonly state?: string;
};

/** Commands that act in the context that a job or trash entry records. */
const commandsWithRecordedContext = new Set(['jobs resume', 'kv trash restore']);

/** Runs a command, with `--context prod` if `named`; otherwise variables choose the account. */
async function run(
	name: string,
	{named = false, yes = false, tty = false, input = '', moreWords = [], ...options}: CommandOptions,
	targetService = service,
): Promise<EndedRun> {
	const {
		commandArguments = writingCommands[name]?.(ids) ?? [],
		cwd = createHome(targetService),
		state = createScratchFolder(),
	} = options;
	const words = [
		...name.split(' '),
		...commandArguments,
		...moreWords,
		...(named ? ['--context', 'prod'] : []),
		...(yes ? ['--yes'] : []),
	];
	// Jobs and trash entries record their context, and ledge refuses account variables beside it.
	const env =
		named || commandsWithRecordedContext.has(name)
			? {}
			: {...targetService.env, CLOUDFLARE_ACCOUNT_ID: simulatedAccount.id};
	return ledge(words, {
		cwd,
		env: {PROD_TOKEN: 'simulated', ...env, EDITOR: join(cwd, 'editor.sh'), LEDGE_STATE_DIR: state},
		clock: createVirtualClock(),
		tty,
		input,
	});
}

/** Plans the proposal of the service, and returns the option with its fingerprint. */
async function reviewProposal(
	{env: serviceEnvironment}: ServedSimulator,
	state: string,
): Promise<readonly string[]> {
	const env = {...serviceEnvironment, LEDGE_STATE_DIR: state};
	const {stdout} = await ledge(['migration', 'plan', '--zone', 'acme.example', '--json'], {
		env,
		clock: createVirtualClock(),
	});
	return ['--fingerprint', (JSON.parse(stdout) as {fingerprint: string}).fingerprint];
}

type SharedFolders = {readonly cwd: string; readonly state: string};

const doneZoneWords = ['--zone', 'done.acme.example'];

/** Creates an exception from the managed rules; returns its id. */
async function createException(targetService: ServedSimulator, folders: SharedFolders): Promise<string> {
	const runOptions = {named: true, yes: true, moreWords: ['--json'], ...folders};
	const {stdout} = await run('managed exception add', runOptions, targetService);
	const {rules} = JSON.parse(stdout) as {rules: readonly {id: string; action: string}[]};
	return rules.find(({action}) => action === 'skip')?.id ?? '';
}

/** Prepare what some commands need for their write; each returns the arguments of its command. */
const preparations: Readonly<
	Record<string, (targetService: ServedSimulator, folders: SharedFolders) => Promise<readonly string[]>>
> = {
	async 'migration overrides restore'(targetService, folders) {
		const runOptions = {named: true, yes: true, moreWords: ['--json'], ...folders};
		const {stdout} = await run('migration overrides delete', runOptions, targetService);
		const [{backup}] = JSON.parse(stdout) as [{backup: string}];
		return [backup, '--zone', 'acme-legacy.example', '--confirm', 'acme-legacy.example'];
	},
	async 'migration resume'(targetService, folders) {
		const moreWords = await reviewProposal(targetService, folders.state);
		await targetService.setFaults('status=500 method=PUT path=/entrypoint');
		await run('migration deploy', {named: true, yes: true, moreWords, ...folders}, targetService);
		await targetService.setFaults('');
		return ['--zone', 'acme.example', '--confirm', 'acme.example'];
	},
	async 'managed exception change'(targetService, folders) {
		return [await createException(targetService, folders), ...doneZoneWords, '--description', 'other'];
	},
	async 'managed exception remove'(targetService, folders) {
		return [await createException(targetService, folders), ...doneZoneWords];
	},
	async 'managed restore'(targetService, folders) {
		await run('managed edit', {named: true, yes: true, ...folders}, targetService);
		return ['1', ...doneZoneWords, '--confirm', 'done.acme.example'];
	},
	async 'managed recreate'(targetService, folders) {
		const moreWords = await reviewProposal(targetService, folders.state);
		await run('migration deploy', {named: true, yes: true, moreWords, ...folders}, targetService);
		const [{id}] = JSON.parse(
			(
				await run(
					'managed catalogue',
					{named: true, commandArguments: ['942100', ...doneZoneWords, '--json'], ...folders},
					targetService,
				)
			).stdout,
		) as [{id: string}];
		return ['--zone', 'acme.example', '--item', '1', '--rule', id, '--confirm', 'acme.example'];
	},
	async 'managed apply'(_on, {cwd}) {
		writeFileSync(join(cwd, 'managed.json'), '{"rules": []}');
		return writingCommands['managed apply']?.(ids) ?? [];
	},
	async 'kv trash restore'(targetService, folders) {
		const {stderr} = await run('kv bulk delete', {named: true, yes: true, ...folders}, targetService);
		return [/kv trash restore (\w+)/.exec(stderr)?.[1] ?? ''];
	},
	async 'jobs resume'(targetService, folders) {
		await targetService.setFaults('status=503 path=/bulk');
		const {stderr} = await run('kv bulk put', {named: true, yes: true, ...folders}, targetService);
		await targetService.setFaults('');
		return [/jobs resume (\w+)/.exec(stderr)?.[1] ?? ''];
	},
};

const commandsWithoutPreparation = Object.keys(writingCommands).filter(name => !(name in preparations));

describe.each(commandsWithoutPreparation)('%s in production', name => {
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

	test('asks on a terminal, naming the account or zone, and writes nothing after a no', async () => {
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
		const state = createScratchFolder();
		const moreWords =
			name.startsWith('migration ') && !name.includes('overrides') ? await reviewProposal(fresh, state) : [];
		const {code, stderr} = await run(name, {named: true, yes: true, moreWords, state}, fresh);
		expect(code, stderr).toBe(0);
		expect(fresh.writes().filter(isWrite)).not.toEqual([]);
	});
});

test.each(
	Object.entries(preparations),
)('%s in production needs --context and a confirmation as well', async (name, prepare) => {
	await using fresh = await serveSimulator();
	const folders = {cwd: createHome(fresh), state: createScratchFolder()};
	const commandArguments = await prepare(fresh, folders);
	const before = fresh.writes().length;
	const listSentWrites = () => fresh.writes().slice(before).filter(isWrite);
	const runPrepared = (options: CommandOptions) =>
		run(name, {commandArguments, ...folders, ...options}, fresh);
	const unnamed = await runPrepared({yes: true});
	expect(unnamed.code, unnamed.stderr).toBe(2);
	expect(unnamed.stderr).toMatch(/PRODUCTION[\s\S]*--context prod/);
	const unsure = await runPrepared({named: true});
	expect(unsure.code, unsure.stderr).toBe(2);
	expect(unsure.stderr).toContain('Add --yes to confirm');
	const declined = await runPrepared({yes: true, tty: true, input: 'n\n'});
	expect(declined.code, declined.stderr).toBe(1);
	expect(declined.stderr).toContain('PRODUCTION (context prod)');
	expect(declined.stderr).toMatch(/Acme|910896fde4470afb4fab0b3c5e3aaff8/);
	expect(listSentWrites()).toEqual([]);
	const done = await runPrepared({named: true, yes: true});
	expect(done.code, done.stderr).toBe(0);
	expect(listSentWrites()).not.toEqual([]);
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
	const cwd = createHome(fresh);
	const block = async (...more: string[]) => {
		await fresh.setFaults(faults);
		return ledge(
			['firewall', 'emergency', ...(writingCommands['firewall emergency']?.(ids) ?? []), '--yes', ...more],
			{
				cwd,
				env: {...fresh.env, LEDGE_STATE_DIR: createScratchFolder()},
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

/** True if a call changes anything: some reads are sent with POST. */
const isWrite = ({path}: {readonly path: string}): boolean => !/validate-expr|bulk\/get/.test(path);
