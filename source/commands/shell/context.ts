import {resolve} from 'node:path';
import {isFailure} from '../../failure.ts';
import type {Host, Invocation} from '../../host.ts';
import type {Audit} from '../../session/audit.ts';
import type {ActiveAccount, PlannedWrite, SessionOptions, SessionParts} from '../../session/parts.ts';
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
import {escapeLines} from '../../text/safe-text.ts';
import {quoteShellWord} from '../../text/shell-word.ts';
import {createCallReporter} from './call-report.ts';
import {printDryRunPlan} from './dry-run.ts';
import {stopOnSignals} from './interrupt.ts';

/** The global options. */
export type GlobalOptions = SessionOptions & {
	json?: boolean;
	yes?: boolean;
	verbose?: boolean;
	progress?: 'auto' | 'json' | 'none';
};

/** The session's audit log for places without a permission yet: each call first asks `session.permit`. */
type CommandAudit = Audit<WritePlace>;

/**
 * Everything a command needs: options, output, the signal that stops it, and resources that are opened on
 * first use. A command on local data loads no code for the service.
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
		/** Resolves a command-line path against the working directory; returns `-` unchanged. */
		resolve(path: string): string;
		getAccount(): Promise<ActiveAccount>;
		chooseNamespace(options: NamespaceSelection, target: Target): Promise<NamespaceChoice>;
		/** Sets the exit code of a command that succeeds with the answer "no"; prints no error. */
		setExitCode(code: number): void;
		/**
		 * Prints on a terminal where a write goes. In production, asks for confirmation before anything is read.
		 */
		announceWrite(where: WritePlace, kind?: 'remote' | 'simulated'): Promise<void>;
		/**
		 * Prints the result of a write: `value` with `--json`, else `sentence` if given; nothing in a dry run.
		 */
		printResult(
			value: Readonly<Record<string, unknown>> | readonly object[],
			sentence?: string,
		): Promise<void>;
		/** Adds `simulated: true` if the value came from the simulated service. */
		markSimulated<T extends object>(value: T): T & {simulated?: true};
		recordPlannedWrite(write: PlannedWrite): void;
		/** Prints the plan of a dry run that writes. */
		finish(): Promise<void>;
		/** Returns how questions are answered: by `--yes`, on the terminal, or not at all. */
		getConfirmation(): Confirmation;
		/** True if a person has confirmed a write in production. */
		isProductionConfirmed(): boolean;
		/** This command line with `--yes` added. */
		formatCommandWithYes(): string;
	};

type ContextParts = {
	/** The command with its groups, without `ledge`, for questions: "kv key put". */
	readonly commandPath: string;
	/** All command-line arguments after `ledge`. */
	readonly typedWords?: readonly string[];
	/** True for commands that must work while the contexts file is invalid; they then have no context. */
	readonly toleratesInvalidContexts?: boolean;
};

export async function createCommandContext(
	options: GlobalOptions,
	invocation: Invocation,
	{commandPath, typedWords = [], toleratesInvalidContexts = false}: ContextParts,
): Promise<CommandContext> {
	const {host} = invocation;
	const {env} = host;
	const output = createOutput({json: options.json === true, verbose: options.verbose === true}, host);
	const {signal, addInterruptionReport} = stopOnSignals(invocation, output.printFailure);
	const plan: PlannedWrite[] = [];
	const confirmedContexts = new Set<string>();
	const parts: SessionParts = {
		env,
		cwd: host.cwd,
		clock: host.clock,
		events: {
			...createCallReporter(output),
			warn: output.warn,
			notice: output.notice,
			mention: output.sayIfInteractive,
			planned: write => void plan.push(write),
			trackWrites: addInterruptionReport,
			async confirmProduction(write) {
				const {name} = write.context;
				if (!confirmedContexts.has(name)) await confirmProduction(write, context.getConfirmation(), signal);
				confirmedContexts.add(name);
			},
			helperErrors: text => void host.stderr.write(escapeLines(text)),
		},
		// The argument says whether a program may prompt on the terminal.
		lendTerminal: work => work(canAsk(host) && host.isProcess === true),
		async startSimulated(simulatorHost) {
			const {startSimulatedService} = await import('./simulated-service.ts');
			return startSimulatedService(simulatorHost);
		},
		async startRehearsal(snapshot) {
			const {startRehearsalService} = await import('./rehearsal-service.ts');
			return startRehearsalService(snapshot);
		},
	};
	const session = await openSession(options, parts).catch((error: unknown) => {
		if (toleratesInvalidContexts && isFailure(error)) return createSession(options, parts);
		throw error;
	});
	const {cwd, configuration, simulated} = session;
	let hasReachedWrite = false;

	const context: CommandContext = {
		...session,
		host,
		options,
		session,
		output,
		signal,
		now: host.clock.now,
		resolve: path => (path === '-' ? path : resolve(cwd, path)),
		getAccount: () => session.account(signal),
		chooseNamespace: (selection, target) => chooseNamespace(selection, {target, cwd, configuration}),
		setExitCode(code) {
			invocation.code = code;
		},
		async announceWrite(where, kind = simulated ? 'simulated' : 'remote') {
			if (output.stderrIsTerminal) output.say(`${kind}: ${where.label}`);
			await session.permit(where, commandPath);
		},
		async auditWrite(what, where, write, findFailure) {
			hasReachedWrite = true;
			return session.auditWrite(what, await session.permit(where, what), write, findFailure);
		},
		async auditWrites(where, work, findFailure) {
			hasReachedWrite = true;
			return session.auditWrites(await session.permit(where, commandPath), work, findFailure);
		},
		async printResult(value, sentence) {
			if (options.dryRun) return;
			if (output.json)
				await output.writeJson(
					Array.isArray(value) ? value.map(context.markSimulated) : context.markSimulated(value),
				);
			else if (sentence !== undefined) output.say(sentence);
		},
		markSimulated: value => (simulated ? {...value, simulated: true} : value),
		recordPlannedWrite: write => void plan.push(write),
		async finish() {
			if (options.dryRun && hasReachedWrite) await printDryRunPlan(plan, output);
		},
		getConfirmation: () => ({
			yes: options.yes === true || options.dryRun === true,
			json: output.json,
			host,
		}),
		isProductionConfirmed: () => confirmedContexts.size > 0,
		formatCommandWithYes() {
			const operandStart = typedWords.indexOf('--');
			const wordsBeforeOperands = operandStart === -1 ? typedWords : typedWords.slice(0, operandStart);
			const operands = operandStart === -1 ? [] : typedWords.slice(operandStart);
			return ['ledge', ...wordsBeforeOperands, '--yes', ...operands].map(quoteShellWord).join(' ');
		},
	};
	return context;
}
