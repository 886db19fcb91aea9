import type {Readable} from 'node:stream';
import type {Clock} from './service/clock.ts';

/** A stream that a command reads from. */
type InputStream = Readable & {readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown};

/** What a command prints to. `columns` and colours are those of a terminal; `fd` is the descriptor of the process. */
export type OutputStream = NodeJS.EventEmitter & {
	readonly fd?: number;
	readonly isTTY?: boolean;
	readonly columns?: number;
	getColorDepth?(env?: object): number;
	/** False where `drain` is to be waited for. */
	write(chunk: string | Uint8Array): boolean;
};

/** The streams and variables of a run, which decide how it prints. */
export type Streams = {
	readonly stdout: OutputStream;
	readonly stderr: OutputStream;
	readonly env: NodeJS.ProcessEnv;
};

/** Time, for commands and for the client of the service. */
export type HostClock = {
	/** Milliseconds since the epoch. */
	now(): number;
	/** The client's clock and waits, instead of real time at the clock that the environment sets. */
	readonly client?: Clock | undefined;
};

/**
 * All that a run of ledge shares with the world around it. `source/cli.ts` makes the real one from `process`; tests
 * make their own, so that commands run in the process of the test. Nothing else keeps anything between two runs.
 */
export type Host = Streams & {
	readonly stdin: InputStream;
	/** The working directory; throws where it was removed. */
	cwd(): string;
	readonly clock: HostClock;
	/** Emits `SIGINT`, `SIGTERM`, `SIGHUP`, and `beforeExit` when nothing is under way. Of this run alone. */
	readonly events: HostEvents;
	/** The process id of the process that started this one. */
	parent(): number;
	/** Whether its streams are those of the process, which programs that it starts can inherit. */
	readonly isProcess?: boolean;
	/** Ends the process at once. Without it a run that ends at once returns, and what is under way is abandoned. */
	exit?(code: number): never;
	/** The licences of all that is inside ledge. Without it there are none, as where the source is run as it is. */
	licences?(): Promise<string>;
	/** Opens the screens and ends the process with them. Without it there are none, as where there is no terminal. */
	openScreens?(options: object): Promise<never>;
};

export type HostEvents = {
	on(event: HostEvent, listener: () => void): unknown;
	once(event: HostEvent, listener: () => void): unknown;
	off(event: HostEvent, listener: () => void): unknown;
};

type HostEvent = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'beforeExit';

/** One run of a command line: where it runs, and what it comes to. */
export type Invocation = {
	readonly host: Host;
	/** The exit code of a run that succeeds: 0, unless a command's answer is "no". */
	code: number;
	/** Ends the run at once. */
	end(code: number): void;
};
