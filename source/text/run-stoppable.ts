import {createContext, Script} from 'node:vm';

/**
 * Runs work that blocks the thread and may never end, such as a regular expression with much backtracking.
 * Signal handlers do not run during it, so Ctrl-C stops the work itself with an `AbortError`; after
 * `timeoutMs` milliseconds, returns the result of `handleTimeout`.
 */
export function runStoppable<Result>(
	work: () => Result,
	timeoutMs: number,
	handleTimeout: () => Result,
): Result {
	scriptHost ??= createScriptHost();
	const {context, script} = scriptHost;
	context.work = work;
	try {
		return script.runInContext(context, {timeout: timeoutMs, breakOnSigint: true});
	} catch (cause) {
		// The error is from the script's own context, so it is not an instance of our `Error`.
		switch ((cause as {readonly code?: unknown} | undefined)?.code) {
			case 'ERR_SCRIPT_EXECUTION_TIMEOUT':
				return handleTimeout();
			case 'ERR_SCRIPT_EXECUTION_INTERRUPTED':
				throw new DOMException('Interrupted.', 'AbortError');
			default:
				throw cause;
		}
	}
}

/** Created on first use, because creating it takes as long as loading a screen. */
let scriptHost: ReturnType<typeof createScriptHost> | undefined;

// Node can only stop scripts; the script calls our function.
const createScriptHost = () => ({
	context: createContext({work: undefined as unknown}),
	script: new Script('work()'),
});
