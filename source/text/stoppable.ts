import {createContext, Script} from 'node:vm';

/**
 * Does work that holds the thread and might never end, such as a regular expression that tries every way there is. No
 * signal handler runs meanwhile, so Ctrl-C stops the work itself, with an `AbortError`; after so many milliseconds
 * `tooLong` answers instead.
 */
export function stoppable<Result>(work: () => Result, milliseconds: number, tooLong: () => Result): Result {
	stage ??= createStage();
	const {place, script} = stage;
	place.work = work;
	try {
		return script.runInContext(place, {timeout: milliseconds, breakOnSigint: true});
	} catch (cause) {
		// It is an error of the script's own context: no `Error` of this one.
		switch ((cause as {readonly code?: unknown} | undefined)?.code) {
			case 'ERR_SCRIPT_EXECUTION_TIMEOUT':
				return tooLong();
			case 'ERR_SCRIPT_EXECUTION_INTERRUPTED':
				throw new DOMException('Interrupted.', 'AbortError');
			default:
				throw cause;
		}
	}
}

/** Made when it is first needed, since it takes as long as loading a screen. */
let stage: ReturnType<typeof createStage> | undefined;

// Only what runs in a script can be stopped by node; the work itself is a function of ours.
const createStage = () => ({
	place: createContext({work: undefined as unknown}),
	script: new Script('work()'),
});
