import {createInterruptedFailure, type Failure, toFailure} from '../../failure.ts';
import type {Invocation} from '../../host.ts';

type InterruptHandling = {
	/** Aborted by the first `ctrl-c`, SIGTERM or SIGHUP: work then stops cleanly and reports what was done. */
	readonly signal: AbortSignal;
	/** Adds a report to print if the process is killed; returns a function that removes it. */
	addInterruptionReport(report: () => string): () => void;
};

/** Stops commands on a signal. The second signal ends the process immediately, after printing the reports. */
export function stopOnSignals({host, end}: Invocation, fail: (failure: Failure) => void): InterruptHandling {
	const controller = new AbortController();
	const reports = new Set<() => string>();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		host.events.on(name, () => {
			if (controller.signal.aborted) {
				if (reports.size > 0) fail(createInterruptedFailure([...reports].map(report => report()).join('\n')));
				end(130);
				return;
			}
			controller.abort();
		});
	}
	return {
		signal: controller.signal,
		addInterruptionReport(report) {
			reports.add(report);
			return () => reports.delete(report);
		},
	};
}

/**
 * Runs until interrupted: that is the regular end of following something, so it sets the exit code and prints
 * no error.
 */
export async function runUntilStopped(
	{signal, setExitCode}: {readonly signal: AbortSignal; setExitCode(code: number): void},
	work: Promise<void>,
): Promise<void> {
	try {
		await work;
	} catch (error) {
		const failure = toFailure(error);
		if (!signal.aborted || failure.code !== 'interrupted') throw error;
		setExitCode(failure.exitCode);
	}
}
