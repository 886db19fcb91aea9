import {resolve} from 'node:path';
import type {Host, Invocation} from '../../host.ts';
import type {Client} from '../../service/client.ts';
import {type ActingAccount, createSession, type Planned, type Session} from '../../session/session.ts';
import type {Configuration} from '../../settings/configuration.ts';
import {
	chooseNamespace,
	type NamespaceChoice,
	type NamespaceSelection,
} from '../../settings/namespace-choice.ts';
import type {SettingSources, Target} from '../../settings/settings.ts';
import type {Variables} from '../../settings/variables.ts';
import {createOutput, type Output} from '../../terminal/output.ts';
import type {Confirmation} from '../../terminal/prompt.ts';
import {callReporter} from './call-report.ts';
import {shownPlan} from './dry-run.ts';
import {stopOnSignals} from './interrupt.ts';

/** The options that every command takes. */
export type GlobalOptions = {
	config?: string;
	env?: string;
	envFile?: string[];
	cwd?: string;
	accountId?: string;
	profile?: string;
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

/**
 * What a command works with: its options, where it prints, the signal that stops it, and the things it may need,
 * each opened when it is asked for and not before. A command that acts on local data loads nothing of the service.
 */
export type CommandContext = Disposable & {
	readonly host: Host;
	readonly options: GlobalOptions;
	readonly session: Session;
	readonly output: Output;
	readonly signal: AbortSignal;
	readonly env: NodeJS.ProcessEnv;
	readonly cwd: string;
	/** Milliseconds since the epoch. */
	now(): number;
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
	/** The exit code of a command that succeeds and whose answer is "no": no error is printed. */
	answer(code: number): void;
	/** Says on a terminal where a write is about to go. */
	announceWrite(where: string, kind?: 'remote' | 'simulated'): void;
	/** Does a write and keeps its line in the audit log, whatever becomes of it. */
	audited: Session['audited'];
	/** The same for a work of several writes, with a line for each. */
	auditedWrites: Session['auditedWrites'];
	/** The end of a write: an object with `--json`, else a sentence; nothing in a dry run. */
	result(value: Readonly<Record<string, unknown>>, sentence: string): Promise<void>;
	/** An object that says it came from the simulated service, if it did. */
	marked<T extends object>(value: T): T & {simulated?: true};
	planned(write: Planned): void;
	/** Prints what a dry run planned. */
	finish(): Promise<void>;
	confirmation(): Confirmation;
};

export function createContext(options: GlobalOptions, invocation: Invocation): CommandContext {
	const {host} = invocation;
	const {env} = host;
	const output = createOutput({json: options.json === true, verbose: options.verbose === true}, host);
	const {signal, underWay} = stopOnSignals(invocation, output.fail);
	const plan: Planned[] = [];
	const session = createSession(options, {
		env,
		cwd: host.cwd,
		clock: host.clock,
		events: {
			...callReporter(output),
			warn: output.warn,
			mention: output.mention,
			planned: write => void plan.push(write),
			underWay,
		},
		async startSimulated(given) {
			const {simulatedService} = await import('./simulated-service.ts');
			return simulatedService(given);
		},
		async startRehearsal(snapshot, record) {
			const {rehearsalService} = await import('./rehearsal-service.ts');
			return rehearsalService(snapshot, record);
		},
	});
	const {cwd, variables, configuration, sources, client, refuseWhenReadOnly, simulated} = session;
	let writes = false;

	const context: CommandContext = {
		host,
		options,
		session,
		output,
		signal,
		env,
		cwd,
		now: host.clock.now,
		variables,
		resolve: path => (path === '-' ? path : resolve(cwd, path)),
		configuration,
		sources,
		client,
		account: () => session.account(signal),
		choose: (selection, target) => chooseNamespace(selection, {target, cwd, configuration}),
		refuseWhenReadOnly,
		answer(code) {
			invocation.code = code;
		},
		announceWrite(where, kind = simulated ? 'simulated' : 'remote') {
			if (output.stderrIsTerminal) output.say(`${kind}: ${where}`);
		},
		audited(what, where, write, failureOf) {
			writes = true;
			return session.audited(what, where, write, failureOf);
		},
		auditedWrites(where, work, failureOf) {
			writes = true;
			return session.auditedWrites(where, work, failureOf);
		},
		async result(value, sentence) {
			if (options.dryRun) return;
			if (output.json) await output.value(context.marked(value));
			else output.say(sentence);
		},
		marked: value => (simulated ? {...value, simulated: true} : value),
		planned: write => void plan.push(write),
		async finish() {
			if (options.dryRun && writes) await shownPlan(plan, output);
		},
		confirmation: () => ({
			yes: options.yes === true || options.dryRun === true,
			json: output.json,
			host,
		}),
		[Symbol.dispose]: () => session[Symbol.dispose](),
	};
	return context;
}
