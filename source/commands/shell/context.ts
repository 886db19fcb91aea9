import {resolve} from 'node:path';
import type {Host, Invocation} from '../../host.ts';
import type {Audit} from '../../session/audit.ts';
import type {ActingAccount, Planned, SessionOptions, SessionParts} from '../../session/parts.ts';
import {createSession, openSession, type Session} from '../../session/session.ts';
import type {WritePlace} from '../../session/write-place.ts';
import {
	chooseNamespace,
	type NamespaceChoice,
	type NamespaceSelection,
} from '../../settings/namespace-choice.ts';
import type {Target} from '../../settings/target.ts';
import {createOutput, type Output} from '../../terminal/output.ts';
import {type Confirmation, canAsk, confirmProduction} from '../../terminal/prompt.ts';
import {safeLines} from '../../text/safe-text.ts';
import {quoted} from '../../text/shell-word.ts';
import {callReporter} from './call-report.ts';
import {shownPlan} from './dry-run.ts';
import {stopOnSignals} from './interrupt.ts';

/** The global options. */
export type GlobalOptions = SessionOptions & {
	json?: boolean;
	yes?: boolean;
	verbose?: boolean;
	progress?: 'auto' | 'json' | 'none';
};

/** The session's audit, for places where writing may have to be permitted first. */
type CommandAudit = Audit<WritePlace>;

/**
 * What a command works with: its options, its output, the signal that stops it, and what it may need, each
 * opened on first use. A command on local data loads nothing of the service.
 */
export type CommandContext = Omit<Session, 'options' | 'account' | keyof CommandAudit> &
	CommandAudit & {
		readonly host: Host;
		readonly options: GlobalOptions;
		readonly session: Session;
		readonly output: Output;
		readonly signal: AbortSignal;
		/** Milliseconds since the epoch. */
		now(): number;
		/** Resolves a path of the command line against the working directory; `-` stays. */
		resolve(path: string): string;
		account(): Promise<ActingAccount>;
		choose(options: NamespaceSelection, target: Target): Promise<NamespaceChoice>;
		/** Sets the exit code of a command that succeeds with the answer "no"; prints no error. */
		answer(code: number): void;
		/**
		 * Prints on a terminal where a write goes. In production, asks before anything is read for the write.
		 */
		announceWrite(where: WritePlace, kind?: 'remote' | 'simulated'): Promise<void>;
		/**
		 * Prints the end of a write: `value` with `--json`, else `sentence` if given; nothing in a dry run.
		 */
		result(value: Readonly<Record<string, unknown>> | readonly object[], sentence?: string): Promise<void>;
		/** Adds `simulated: true` if the value came from the simulated service. */
		marked<T extends object>(value: T): T & {simulated?: true};
		planned(write: Planned): void;
		finish(): Promise<void>;
		confirmation(): Confirmation;
		/** True if a person has confirmed a write in production. */
		isProductionConfirmed(): boolean;
		/** This command line with `--yes` added. */
		commandWithYes(): string;
	};

type ContextParts = {
	/** The words that lead to the command, for questions. */
	readonly words: string;
	/** All words after `ledge`. */
	readonly typed?: readonly string[];
	/** For commands that must work while the contexts file is invalid. */
	readonly withoutContexts?: boolean;
};

export async function createContext(
	options: GlobalOptions,
	invocation: Invocation,
	{words, typed = [], withoutContexts = false}: ContextParts,
): Promise<CommandContext> {
	const {host} = invocation;
	const {env} = host;
	const output = createOutput({json: options.json === true, verbose: options.verbose === true}, host);
	const {signal, underWay} = stopOnSignals(invocation, output.fail);
	const plan: Planned[] = [];
	const agreed = new Set<string>();
	const parts: SessionParts = {
		env,
		cwd: host.cwd,
		clock: host.clock,
		events: {
			...callReporter(output),
			warn: output.warn,
			notice: output.notice,
			mention: output.mention,
			planned: write => void plan.push(write),
			underWay,
			async confirmProduction(write) {
				const {name} = write.context;
				if (!agreed.has(name)) await confirmProduction(write, context.confirmation(), signal);
				agreed.add(name);
			},
			helperErrors: text => void host.stderr.write(safeLines(text)),
		},
		lend: work => work(canAsk(host) && host.isProcess === true),
		async startSimulated(given) {
			const {simulatedService} = await import('./simulated-service.ts');
			return simulatedService(given);
		},
		async startRehearsal(snapshot) {
			const {rehearsalService} = await import('./rehearsal-service.ts');
			return rehearsalService(snapshot);
		},
	};
	const session = withoutContexts ? createSession(options, parts) : await openSession(options, parts);
	const {cwd, configuration, simulated} = session;
	let writes = false;

	const context: CommandContext = {
		...session,
		host,
		options,
		session,
		output,
		signal,
		now: host.clock.now,
		resolve: path => (path === '-' ? path : resolve(cwd, path)),
		account: () => session.account(signal),
		choose: (selection, target) => chooseNamespace(selection, {target, cwd, configuration}),
		answer(code) {
			invocation.code = code;
		},
		async announceWrite(where, kind = simulated ? 'simulated' : 'remote') {
			if (output.stderrIsTerminal) output.say(`${kind}: ${where.label}`);
			await session.permit(where, words);
		},
		async audited(what, where, write, failureOf) {
			writes = true;
			return session.audited(what, await session.permit(where, what), write, failureOf);
		},
		async auditedWrites(where, work, failureOf) {
			writes = true;
			return session.auditedWrites(await session.permit(where, words), work, failureOf);
		},
		async result(value, sentence) {
			if (options.dryRun) return;
			if (output.json)
				await output.value(Array.isArray(value) ? value.map(context.marked) : context.marked(value));
			else if (sentence !== undefined) output.say(sentence);
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
		isProductionConfirmed: () => agreed.size > 0,
		commandWithYes() {
			const end = typed.indexOf('--');
			const options = end === -1 ? typed : typed.slice(0, end);
			const operands = end === -1 ? [] : typed.slice(end);
			return ['ledge', ...options, '--yes', ...operands].map(quoted).join(' ');
		},
	};
	return context;
}
