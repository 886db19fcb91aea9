import type {CredentialSource} from '../credentials/source.ts';
import type {HostClock} from '../host.ts';
import type {RehearsalService} from '../migration/flow/rehearsal.ts';
import type {CallEvents, PlannedCall} from '../service/call.ts';
import type {Context} from '../settings/contexts/context.ts';
import type {KnownContexts} from '../settings/contexts/in-force.ts';
import type {SettingOptions, VariablePrefix} from '../settings/settings.ts';
import type {Target} from '../settings/target.ts';

/** What was chosen in the screens so far, and holds in place of what ledge was started with. */
export type Choices = {
	readonly isSimulated?: boolean;
	readonly context?: {readonly name: string | undefined};
	readonly account?: ActingAccount;
	readonly environment?: {readonly name: string | undefined};
	readonly target?: Target;
};

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
	/** What a person chose in the screens; the options say the same. */
	readonly choices?: Choices | undefined;
};

/** A write that a dry run shows instead of doing it: a call of the service, or a change of local data. */
export type Planned = PlannedCall | {readonly local: string; readonly operation: string};

/** The account in force: its id, how it is called in sentences, and where it was set. */
export type ActingAccount = {
	readonly id: string;
	readonly label: string;
	readonly from?: string | undefined;
};

/** What a session tells whoever shows it. */
export type SessionEvents = Pick<CallEvents, 'record' | 'waiting' | 'throttled'> & {
	/** Something odd that does not hinder; each once. */
	warn(sentence: string): void;
	/** The same about a write that is not in the audit log; without this one, `warn` gets it. */
	unaudited?(sentence: string): void;
	/** Something that whoever runs ledge has to know, and nothing is wrong with; without this one, `warn` gets it. */
	notice?(sentence: string): void;
	/** Something that only a person who looks on wants to know. */
	mention?(sentence: string): void;
	planned?(write: Planned): void;
	/**
	 * Writes are under way: `ended` keeps the line of the one whose end nobody sees and prints the current state, should the
	 * process end at once. Returns a function that undoes this.
	 */
	underWay?(ended: () => string): () => void;
	/** Asks the person before production is written to. Without this one, or where it fails, nothing is written. */
	confirmProduction?(write: ProductionWrite): Promise<void>;
	/** What a credential command writes on standard error. */
	helperErrors?(text: string): void;
};

/** A write to production that the person is asked about. */
export type ProductionWrite = {
	readonly context: Context;
	/** The contexts that were named, on the command line or with a store; a context that is only in use does not count. */
	readonly named: ReadonlySet<string>;
	/** Account and namespace or zone. */
	readonly where: string;
	/** What is about to be done. */
	readonly what: string;
	/** Whether it belongs to production for certain: of a zone that could not be read, nobody knows. */
	readonly isCertain: boolean;
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
	/** The contexts of this machine and the one in force; none unless given, see `openSession`. */
	readonly contexts?: KnownContexts | undefined;
	/** Lends the terminal to a program that may ask for a password; `mayAsk` is whether it has a terminal. It has none unless given. */
	readonly lend?: (<T>(work: (mayAsk: boolean) => Promise<T>, program: string) => Promise<T>) | undefined;
	/** Where the credentials of the process are found again by its other sessions; by the session's own alone unless given. */
	readonly credentials?: Map<string, CredentialSource> | undefined;
};
