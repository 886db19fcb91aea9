import type {CredentialSource} from '../credentials/source.ts';
import type {HostClock} from '../host.ts';
import type {StartRehearsal} from '../migration/flow/rehearsal.ts';
import type {CallEvents, PlannedCall} from '../service/call.ts';
import type {KnownContexts} from '../settings/contexts/active-context.ts';
import type {Context} from '../settings/contexts/context.ts';
import type {Preferences} from '../settings/preferences/preferences.ts';
import type {SettingOptions, VariablePrefix} from '../settings/settings.ts';
import type {Target} from '../settings/target.ts';

/** Choices made in the screens; they override the start options. */
export type SessionChoices = {
	readonly isSimulated?: boolean;
	readonly context?: {readonly name: string | undefined};
	readonly account?: ActiveAccount;
	readonly environment?: {readonly name: string | undefined};
	readonly target?: Target;
};

/** Options on where to act and as whom. */
export type SessionOptions = SettingOptions & {
	readonly config?: string | undefined;
	readonly envFile?: string[] | undefined;
	readonly cwd?: string | undefined;
	readonly simulate?: boolean | undefined;
	readonly state?: string | undefined;
	readonly dryRun?: boolean | undefined;
	/** True for `--dry-run=server`, which implies `dryRun`. */
	readonly dryRunServer?: boolean | undefined;
	readonly concurrency?: number | undefined;
	readonly persistTo?: string | undefined;
	/** Second account of a copy; not a command-line option. */
	readonly prefix?: VariablePrefix | undefined;
	/** Choices in the screens; the options already reflect them. */
	readonly choices?: SessionChoices | undefined;
};

/** A write shown by a dry run: an API call or a change of local data. */
export type PlannedWrite = PlannedCall | {readonly local: string; readonly operation: string};

/** The account that a session acts on: its id, its label, and where it was set. */
export type ActiveAccount = {
	readonly id: string;
	readonly label: string;
	readonly from?: string | undefined;
};

/** Events of a session. */
export type SessionEvents = Pick<CallEvents, 'record' | 'waiting' | 'throttled'> & {
	/** Reports a non-blocking problem, each once. */
	warn(sentence: string): void;
	/** Reports a write missing in the audit log; default: `warn`. */
	unaudited?(sentence: string): void;
	/** Reports a fact that the user must know; default: `warn`. */
	notice?(sentence: string): void;
	/** Reports a detail for interactive users only. */
	mention?(sentence: string): void;
	planned?(write: PlannedWrite): void;
	/**
	 * Called when writes begin. If the process is about to end, it calls `describeInterruption`, which
	 * records the interrupted write and returns a description of the state. Returns a function that ends
	 * this.
	 */
	trackWrites?(describeInterruption: () => string): () => void;
	/** Asks before a write to production. Without it, or if it rejects, nothing is written. */
	confirmProduction?(write: ProductionWrite): Promise<void>;
	/** Standard error of a credential command. */
	helperErrors?(text: string): void;
};

/** A write to production to confirm. */
export type ProductionWrite = {
	readonly context: Context;
	/**
	 * Contexts that were named on the command line or with a store. A context that is merely in use does not
	 * count.
	 */
	readonly namedContexts: ReadonlySet<string>;
	/** The account with its namespace or zone. */
	readonly destination: string;
	readonly action: string;
	/** True if it certainly belongs to production; unknown for a zone that could not be read. */
	readonly isCertain: boolean;
};

/** Starts the simulated service in this process. Injected, so that only its users load it. */
export type StartSimulated = (options: {
	readonly env: NodeJS.ProcessEnv;
	readonly cwd: string;
	readonly clock: HostClock;
	readonly file?: string | undefined;
	readonly warn: (sentence: string) => void;
}) => Promise<{fetch: (request: Request) => Promise<Response>} & Disposable>;

export type SessionParts = {
	readonly env: NodeJS.ProcessEnv;
	/** Base directory for `--cwd`. */
	cwd(): string;
	/** Default: real time. */
	readonly clock?: HostClock | undefined;
	readonly events: SessionEvents;
	readonly startSimulated: StartSimulated;
	/** Creates the simulated service of a rehearsal, separate from what this session acts on. */
	readonly startRehearsal: StartRehearsal;
	/** Contexts of this machine and the active one; default: none, see `openSession`. */
	readonly contexts?: KnownContexts | undefined;
	/** Preferences of the user; default: none, see `openSession`. */
	readonly preferences?: Preferences | undefined;
	/**
	 * Runs work while a program may use the terminal, for example to ask for a password. `mayPrompt`: there
	 * is a terminal that it may use. Default: there is none.
	 */
	readonly lendTerminal?:
		| (<T>(work: (mayPrompt: boolean) => Promise<T>, program: string) => Promise<T>)
		| undefined;
	/** Credentials shared with other sessions of the process; default: this session's own. */
	readonly credentials?: Map<string, CredentialSource> | undefined;
};
