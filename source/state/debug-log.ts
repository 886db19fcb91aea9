import {appendFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {isFailure} from '../failure.ts';

type DebugEvent = 'start' | 'action' | 'call' | 'wait' | 'failure' | 'end';

/** The file of LEDGE_DEBUG. Writing never throws: a log that cannot be written must not stop a write. */
export type DebugLog = {
	write(event: DebugEvent, details: Readonly<Record<string, unknown>>): void;
	/** Writes the code and message of a failure, and where in the code it was thrown. */
	writeFailure(error: unknown): void;
};

/**
 * Returns the log that LEDGE_DEBUG names, relative to `cwd`; undefined without that variable. Each event is one
 * line of JSON, written at once to a file of mode 0600; several processes can share it. `now` in milliseconds.
 */
export function openDebugLog(
	{LEDGE_DEBUG: file}: NodeJS.ProcessEnv,
	cwd: string,
	now: () => number,
): DebugLog | undefined {
	if (!file) return undefined;
	const path = resolve(cwd, file);

	const write: DebugLog['write'] = (event, details) => {
		const line = {time: new Date(now()).toISOString(), process: process.pid, event, ...details};
		try {
			appendFileSync(path, `${JSON.stringify(line)}\n`, {mode: 0o600});
		} catch {
			// A developer sees that the file does not grow.
		}
	};
	return {
		write,
		writeFailure(error) {
			const frames =
				error instanceof Error ? error.stack?.split('\n').filter(row => /^\s+at /.test(row)) : [];
			write('failure', {
				...(isFailure(error) && {code: error.code}),
				message: error instanceof Error ? error.message : String(error),
				thrown: frames?.slice(0, 5).map(row => row.trim()),
			});
		},
	};
}
