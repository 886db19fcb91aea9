import {statSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Configuration} from '../config/configuration.ts';
import {chooseNamespace, type NamespaceChoice, type NamespaceSelection} from '../config/namespace-choice.ts';
import {accountId, environmentName, readOnly, type SettingSources, type Target} from '../config/settings.ts';
import {readVariables, type Variables} from '../config/variables.ts';
import {asFailure, Failure, refusedReadOnly} from '../failure.ts';
import type {CallEvents, PlannedCall} from '../service/call.ts';
import type {Client} from '../service/client.ts';
import {createOutput, type Output} from '../terminal/output.ts';
import {callReporter} from './call-report.ts';
import {stopOnSignals} from './interrupt.ts';
import {shownPlan} from './plan.ts';

/** The options that every command takes. */
export type GlobalOptions = {
	config?: string;
	env?: string;
	envFile?: string[];
	cwd?: string;
	accountId?: string;
	zoneId?: string;
	zone?: string;
	baseUrl?: string;
	simulate?: boolean;
	state?: string;
	json?: boolean;
	yes?: boolean;
	readOnly?: boolean;
	dryRun?: boolean;
	verbose?: boolean;
	progress?: 'auto' | 'json' | 'none';
	concurrency?: number;
};

/** A write that a dry run shows instead of doing it: a call of the service, or a change of local data. */
export type Planned = PlannedCall | {readonly local: string; readonly operation: string};

/** The account in force: its id, and how it is called in sentences. */
export type ActingAccount = {readonly id: string; readonly label: string};

/**
 * What a command works with: its options, where it prints, the signal that stops it, and the things it may need,
 * each opened when it is asked for and not before. A command that acts on local data loads nothing of the service.
 */
export type CommandContext = Disposable & {
	readonly options: GlobalOptions;
	readonly output: Output;
	readonly signal: AbortSignal;
	readonly env: NodeJS.ProcessEnv;
	readonly cwd: string;
	/** The variables in force, those of `--env-file` too. */
	readonly variables: Variables;
	/** A path of the command line against the working directory in force; `-` stays itself. */
	resolve(path: string): string;
	/** The configuration file, read and checked; its warnings are told once. */
	configuration(): Promise<Configuration | undefined>;
	/** What every setting is worked out from. Without a configuration until that was asked for. */
	sources(): Promise<SettingSources>;
	client(): Promise<Client>;
	account(): Promise<ActingAccount>;
	/** Which namespace the options mean. */
	choose(options: NamespaceSelection, target: Target): Promise<NamespaceChoice>;
	/** Fails with `read_only` when writes are refused; the first thing that a writing command does. */
	refuseWhenReadOnly(what: string): void;
	/** Says on a terminal where a write is about to go (decision 8). */
	announceWrite(where: string): void;
	/** Does a write and keeps its line in the audit log, whatever becomes of it (decision 23). */
	audited<T>(what: string, where: string, write: () => Promise<T>): Promise<T>;
	/** The end of a write: an object with `--json`, else a sentence; nothing in a dry run. */
	result(value: Readonly<Record<string, unknown>>, sentence: string): Promise<void>;
	/** An object that says it came from the simulated service, if it did (decision 11). */
	marked<T extends object>(value: T): T & {simulated?: true};
	planned(write: Planned): void;
	/** Prints what a dry run planned. */
	finish(): Promise<void>;
	confirmation(): {readonly yes: boolean; readonly json: boolean};
};

export function createContext(options: GlobalOptions): CommandContext {
	const env = process.env;
	const cwd = workingFolder(options.cwd);
	const signal = stopOnSignals();
	const output = createOutput({json: options.json === true, verbose: options.verbose === true});
	const variables = readVariables(env, options.envFile, cwd);
	const base: SettingSources = {options, variables};
	const plan: Planned[] = [];
	let writes = false;
	const closing: Disposable[] = [];

	const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
		let made: Promise<T> | undefined;
		return () => {
			made ??= make();
			return made;
		};
	};

	const configuration = once(async () => {
		const {readConfiguration} = await import('../config/configuration.ts');
		const found = await readConfiguration({cwd, named: options.config, environment: environmentName(base)});
		for (const warning of found?.warnings ?? []) output.warn(warning);
		return found;
	});

	const sources = async (): Promise<SettingSources> => ({...base, configuration: await configuration()});

	const client = once(async () => {
		const events: CallEvents = {...callReporter(output), planned: call => plan.push(call)};
		const shared = {
			environment: env,
			events,
			userAgent: `ledge/${LEDGE_VERSION}`,
			readOnly: readOnly(base).value,
			dryRun: options.dryRun === true,
			...(options.concurrency !== undefined && {concurrency: options.concurrency}),
		};
		const {connect, connectSimulated} = await import('../service/connect.ts');
		refuseIdleState(options);
		if (!options.simulate) return connect(await sources(), shared);
		if (options.baseUrl !== undefined) {
			throw new Failure('usage', '--simulate and --base-url exclude each other.', {
				why: 'The simulated service runs inside ledge and has no address.',
				next: 'Leave one of them out.',
			});
		}
		const {simulatedService} = await import('./simulate.ts');
		const service = await simulatedService({env, cwd, file: options.state, warn: output.warn});
		closing.push(service);
		return connectSimulated(service.fetch, shared);
	});

	const account = once(async (): Promise<ActingAccount> => {
		const named = options.simulate ? undefined : accountId(await sources());
		if (named) return {id: named.value, label: named.value};
		const {onlyAccount} = await import('../service/accounts.ts');
		const only = await onlyAccount(await client(), signal);
		return {id: only.id, label: only.name || only.id};
	});

	const choose = (selection: NamespaceSelection, where: Target) =>
		chooseNamespace(selection, {target: where, cwd, configuration});

	const context: CommandContext = {
		options,
		output,
		signal,
		env,
		cwd,
		variables,
		resolve: path => (path === '-' ? path : resolve(cwd, path)),
		configuration,
		sources,
		client,
		account,
		choose,
		refuseWhenReadOnly(what) {
			if (readOnly(base).value) throw refusedReadOnly(what);
		},
		announceWrite(where) {
			if (output.stderrIsTerminal) output.say(`${options.simulate ? 'simulated' : 'remote'}: ${where}`);
		},
		async audited(what, where, write) {
			writes = true;
			if (options.dryRun || options.simulate) return write();
			const {appendAudit} = await import('../config/audit.ts');
			try {
				const done = await write();
				appendAudit({target: where, what, result: 'done'}, env);
				return done;
			} catch (error) {
				appendAudit({target: where, what, result: asFailure(error).code}, env);
				throw error;
			}
		},
		async result(value, sentence) {
			if (options.dryRun) return;
			if (output.json) await output.value(context.marked(value));
			else output.say(sentence);
		},
		marked: value => (options.simulate ? {...value, simulated: true} : value),
		planned: write => void plan.push(write),
		async finish() {
			if (options.dryRun && writes) await shownPlan(plan, output);
		},
		confirmation: () => ({yes: options.yes === true || options.dryRun === true, json: output.json}),
		[Symbol.dispose]() {
			for (const one of closing) one[Symbol.dispose]();
		},
	};
	return context;
}

function workingFolder(named: string | undefined): string {
	const folder = resolve(named ?? process.cwd());
	if (named === undefined || statSync(folder, {throwIfNoEntry: false})?.isDirectory()) return folder;
	throw new Failure('input_missing', `--cwd names ${folder}, which is no folder.`, {
		next: 'Name a folder that is there.',
	});
}

/** `--state` names a simulated world: without one, whoever gave it would write to the real service. */
function refuseIdleState({state, simulate}: GlobalOptions): void {
	if (state === undefined || simulate) return;
	throw new Failure('usage', '--state belongs to the simulated service.', {
		next: 'Add --simulate, or leave it out.',
	});
}
