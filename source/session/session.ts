import {statSync} from 'node:fs';
import {dirname, isAbsolute, resolve} from 'node:path';
import {asFailure, Failure, refusedReadOnly} from '../failure.ts';
import type {HostClock} from '../host.ts';
import type {RehearsalService} from '../migration/flow/rehearsal.ts';
import type {CallEvents, PlannedCall} from '../service/call.ts';
import type {Client} from '../service/client.ts';
import type {Configuration} from '../settings/configuration.ts';
import {
	accountId,
	environmentName,
	readOnly,
	type SettingOptions,
	type SettingSources,
	type VariablePrefix,
} from '../settings/settings.ts';
import {readVariables, type Variables} from '../settings/variables.ts';

/** What the command line says about where to act, and as whom. */
export type SessionOptions = SettingOptions & {
	readonly config?: string | undefined;
	readonly envFile?: string[] | undefined;
	readonly cwd?: string | undefined;
	readonly simulate?: boolean | undefined;
	readonly state?: string | undefined;
	readonly dryRun?: boolean | undefined;
	readonly concurrency?: number | undefined;
	readonly persistTo?: string | undefined;
	/** Of a copy's second account: never an option of the command line. */
	readonly prefix?: VariablePrefix | undefined;
	/** The name of the account that a person chose in the screens; its id is `accountId` then. */
	readonly accountName?: string | undefined;
	/** Whether the simulated service was chosen in the screens, and not by an option. */
	readonly simulateChosen?: boolean | undefined;
};

/** A write that a dry run shows instead of doing it: a call of the service, or a change of local data. */
export type Planned = PlannedCall | {readonly local: string; readonly operation: string};

/** The account in force: its id, and how it is called in sentences. */
export type ActingAccount = {readonly id: string; readonly label: string};

/** What a session tells whoever shows it. */
type SessionEvents = Pick<CallEvents, 'record' | 'waiting'> & {
	/** Something odd that does not hinder; each once. */
	warn(sentence: string): void;
	/** The same about a write that is not in the audit log; without this one, `warn` gets it. */
	unaudited?(sentence: string): void;
	/** Something that only a person who looks on wants to know. */
	mention?(sentence: string): void;
	planned?(write: Planned): void;
	/**
	 * Writes are under way: `ended` keeps the line of the one whose end nobody sees and prints the current state, should the
	 * process end at once. Returns a function that undoes this.
	 */
	underWay?(ended: () => string): () => void;
};

/** What work of several writes reports of each. */
export type WriteSteps = {
	/** This one is sent now. */
	sends(what: string): void;
	/** One took effect, with the id it has. */
	wrote(done: string): void;
};

/** Starts the simulated service in this process. Handed in, so that only who wants it loads it. */
export type StartSimulated = (given: {
	readonly env: NodeJS.ProcessEnv;
	readonly cwd: string;
	readonly clock: HostClock;
	readonly file?: string | undefined;
	readonly warn: (sentence: string) => void;
}) => Promise<{fetch: (request: Request) => Promise<Response>} & Disposable>;

export type SessionParts = {
	readonly env: NodeJS.ProcessEnv;
	/** The working directory that `--cwd` is resolved against. */
	cwd(): string;
	/** Real time unless given. */
	readonly clock?: HostClock | undefined;
	readonly events: SessionEvents;
	readonly startSimulated: StartSimulated;
	/** Makes the simulated service of a rehearsal, beside whatever this session acts on. */
	readonly startRehearsal: RehearsalService;
};

/**
 * What ledge works with, for commands and screens alike: configuration, settings, the client and the account,
 * each worked out when it is asked for and not before. What failed is tried again when it is asked for again.
 */
export type Session = Disposable & {
	readonly options: SessionOptions;
	readonly env: NodeJS.ProcessEnv;
	readonly cwd: string;
	readonly clock: HostClock;
	readonly events: SessionEvents;
	/** The variables in force, those of `--env-file` too. */
	readonly variables: Variables;
	/** Whether it acts on the simulated service. */
	readonly simulated: boolean;
	/** The configuration file, read and checked; its warnings are told once. */
	configuration(): Promise<Configuration | undefined>;
	/** What every setting is worked out from. */
	sources(): Promise<SettingSources>;
	client(): Promise<Client>;
	account(signal: AbortSignal): Promise<ActingAccount>;
	/** The simulated service of a rehearsal: never what this session acts on. */
	readonly startRehearsal: RehearsalService;
	/** Fails with `read_only` when writes are refused; the first thing that whatever writes does. */
	refuseWhenReadOnly(what: string): void;
	/** Does a write and keeps its line in the audit log, whatever becomes of it; `failureOf` as below. */
	audited<T>(
		what: string,
		where: string,
		write: () => Promise<T>,
		failureOf?: (result: T) => Failure | undefined,
	): Promise<T>;
	/**
	 * Does work of several writes, and keeps a line for each in the audit log as it ends: also for the write that was
	 * sent last and failed, which `failureOf` finds in a result.
	 */
	auditedWrites<T>(
		where: string,
		work: (steps: WriteSteps) => Promise<T>,
		failureOf?: (result: T) => Failure | undefined,
	): Promise<T>;
	/** The same with other options; it ends with this one. */
	withOptions(options: SessionOptions): Session;
};

type Shared = {
	/** Whether it was reported that the audit log cannot be written. */
	isAuditReported: boolean;
};

export function createSession(
	options: SessionOptions,
	parts: SessionParts,
	shared: Shared = {isAuditReported: false},
): Session {
	const {env, events, clock = {now: Date.now}, startSimulated, startRehearsal} = parts;
	const cwd = workingFolder(parts, options.cwd);
	const variables = readVariables(env, options.envFile, cwd);
	const base: SettingSources = {
		options,
		variables,
		start: options.config === undefined ? cwd : dirname(resolve(cwd, options.config)),
		...(options.prefix && {prefix: options.prefix}),
	};
	const simulated = options.simulate === true;
	const closing: Disposable[] = [];

	const configuration = memoize(async () => {
		const {readConfiguration} = await import('../settings/configuration.ts');
		const found = await readConfiguration({cwd, named: options.config, environment: environmentName(base)});
		for (const warning of found?.warnings ?? []) events.warn(warning);
		return found;
	});

	const sources = async (): Promise<SettingSources> => ({...base, configuration: await configuration()});

	const client = memoize(async () => {
		const {record, waiting, planned} = events;
		const common = {
			environment: env,
			clock: clock.client,
			events: {...(record && {record}), ...(waiting && {waiting}), ...(planned && {planned})},
			userAgent: `ledge/${LEDGE_VERSION}`,
			readOnly: readOnly(base).value,
			dryRun: options.dryRun === true,
			...(options.concurrency !== undefined && {concurrency: options.concurrency}),
		};
		const {connect, connectSimulated} = await import('../service/connect.ts');
		refuseIdleState(options);
		if (!simulated) return connect(await sources(), common);
		if (options.baseUrl !== undefined) {
			throw new Failure('usage', '--simulate and --base-url exclude each other.', {
				why: 'The simulated service runs inside ledge and has no address.',
				next: 'Leave one of them out.',
			});
		}
		const service = await startSimulated({env, cwd, clock, file: options.state, warn: events.warn});
		closing.push(service);
		return connectSimulated(service.fetch, common);
	});

	const auditedWrites: Session['auditedWrites'] = async (where, work, failureOf) => {
		if (options.dryRun || simulated) return work({sends() {}, wrote() {}});
		const {appendAudit} = await import('../state/audit.ts');
		const line = (what: string, result: string) => {
			const missed = appendAudit({target: where, what, result}, env, clock.now());
			if (!missed || shared.isAuditReported) return;
			shared.isAuditReported = true;
			(events.unaudited ?? events.warn)(unaudited({where, what, result}, missed));
		};
		const wrote: string[] = [];
		let sent: string | undefined;
		const isDone = events.underWay?.(() => {
			if (sent !== undefined) line(sent, 'interrupted');
			return leftAtOnce(wrote, sent);
		});
		try {
			const result = await work({
				sends(what) {
					sent = what;
				},
				wrote(done) {
					sent = undefined;
					wrote.push(done);
					line(done, 'done');
				},
			});
			if (sent !== undefined) line(sent, failureOf?.(result)?.code ?? 'done');
			return result;
		} catch (error) {
			if (sent !== undefined) line(sent, asFailure(error).code);
			throw error;
		} finally {
			isDone?.();
		}
	};

	let account: ActingAccount | undefined;

	return {
		options,
		env,
		cwd,
		clock,
		events,
		variables,
		simulated,
		configuration,
		sources,
		client,
		startRehearsal,
		async account(signal) {
			if (account) return account;
			const named = simulated ? undefined : accountId(await sources());
			if (named) {
				const chosen = options.accountId === named.value ? options.accountName : undefined;
				account = {id: named.value, label: chosen || named.value};
			} else {
				const {onlyAccount} = await import('../service/accounts.ts');
				const only = await onlyAccount(await client(), signal);
				account = {id: only.id, label: only.name || only.id};
			}
			return account;
		},
		refuseWhenReadOnly(what) {
			if (readOnly(base).value) throw refusedReadOnly(what);
		},
		audited: (what, where, write, failureOf) =>
			auditedWrites(
				where,
				steps => {
					steps.sends(what);
					return write();
				},
				failureOf,
			),
		auditedWrites,
		withOptions(others) {
			const session = createSession({...options, ...others}, parts, shared);
			closing.push(session);
			return session;
		},
		[Symbol.dispose]() {
			for (const one of closing.splice(0)) one[Symbol.dispose]();
		},
	};
}

/** That a write is not in the audit log: it takes effect all the same. */
const unaudited = (
	{where, what, result}: {readonly where: string; readonly what: string; readonly result: string},
	{message, details: {why, next}}: Failure,
): string =>
	[
		`Not in the audit log: ${what} on ${where} (${result}).`,
		message,
		why && `${why}.`,
		'Writes continue; later lines may be missing, too.',
		next,
	]
		.filter(Boolean)
		.join(' ');

/** What is known of writes in whose midst the process ends. */
const leftAtOnce = (wrote: readonly string[], sent: string | undefined): string =>
	[
		...(wrote.length > 0 ? [`Done: ${wrote.join('; ')}.`] : []),
		...(sent === undefined ? [] : [`Whether this was done is not known: ${sent}.`]),
	].join('\n');

/** Does something once, and again only if it failed. */
function memoize<T>(make: () => Promise<T>): () => Promise<T> {
	let made: Promise<T> | undefined;
	return () => {
		made ??= make().catch((error: unknown) => {
			made = undefined;
			throw error;
		});
		return made;
	};
}

function workingFolder({cwd}: Pick<SessionParts, 'cwd'>, named: string | undefined): string {
	const folder = named !== undefined && isAbsolute(named) ? resolve(named) : resolve(cwd(), named ?? '');
	if (named === undefined || statSync(folder, {throwIfNoEntry: false})?.isDirectory()) return folder;
	throw new Failure('input_missing', `--cwd names ${folder}, which is not a folder.`, {
		next: 'Name a folder that exists.',
	});
}

/** `--state` names a simulated world: without one, whoever gave it would write to the real service. */
function refuseIdleState({state, simulate}: SessionOptions): void {
	if (state === undefined || simulate) return;
	throw new Failure('usage', '--state belongs to the simulated service.', {
		next: 'Add --simulate, or leave it out.',
	});
}
