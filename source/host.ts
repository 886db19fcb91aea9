import type {Readable} from 'node:stream';
import type {Clock} from './service/clock.ts';
import type {KeyTable} from './settings/preferences/key-table.ts';

type InputStream = Readable & {readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown};

/**
 * A stream for output. Terminals have `columns` and colours; `fd` is set for a descriptor of this process.
 */
export type OutputStream = NodeJS.EventEmitter & {
	readonly fd?: number;
	readonly isTTY?: boolean;
	readonly columns?: number;
	readonly rows?: number;
	getColorDepth?(env?: object): number;
	/** Returns false if the caller should wait for `drain`. */
	write(chunk: string | Uint8Array): boolean;
};

/** The streams and environment variables of a run, which determine how it prints. */
export type Streams = {
	readonly stdout: OutputStream;
	readonly stderr: OutputStream;
	readonly env: NodeJS.ProcessEnv;
};

/** The time for commands and for the service client. */
export type HostClock = {
	/** Milliseconds since the epoch. */
	now(): number;
	/**
	 * Replaces the service client's clock and waits, which default to real time or the clock set in the
	 * environment.
	 */
	readonly client?: Clock | undefined;
};

/**
 * Everything a run of ledge shares with its environment. `source/cli.ts` creates the real one from `process`;
 * tests create their own, to run commands in the test process. No other state survives between two runs.
 */
export type Host = Streams & {
	readonly stdin: InputStream;
	/** Returns the working directory; throws if it was removed. */
	cwd(): string;
	readonly clock: HostClock;
	/** Emits signals, and `beforeExit` when no work is pending. For this run only. */
	readonly events: HostEvents;
	/** Returns the id of the parent process. */
	getParentId(): number;
	/** True if the streams belong to the process, so that child processes can inherit them. */
	readonly isProcess?: boolean;
	/** Ends the process immediately. If undefined, the run returns and abandons its pending work. */
	exit?(code: number): never;
	/**
	 * Reads the licences of everything bundled with ledge. Undefined if there are none, as when running from
	 * source.
	 */
	readLicences?(): Promise<string>;
	/** Loads what the keys of the screens do. If undefined, there are no screens. */
	loadKeyTable?(): Promise<KeyTable>;
	/** Opens the screens, then ends the process. If undefined, there are none. */
	openScreens?(options: object): Promise<never>;
	/**
	 * Shows keys on the terminal of the process, and returns the names of the chosen ones; none if the user
	 * leaves. If undefined, there are no screens. Fails with `usage` without a terminal.
	 */
	pickKeys?(options: object, namespaceName: string | undefined): Promise<readonly string[]>;
};

export type HostEvents = {
	on(event: HostEvent, listener: () => void): unknown;
	once(event: HostEvent, listener: () => void): unknown;
	off(event: HostEvent, listener: () => void): unknown;
};

type HostEvent = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'beforeExit';

/** One run of a command line: its host and its exit code. */
export type Invocation = {
	readonly host: Host;
	/** The exit code of a run that succeeds: 0, unless a command's answer is "no". */
	code: number;
	/** Ends the run immediately. */
	end(code: number): void;
};
