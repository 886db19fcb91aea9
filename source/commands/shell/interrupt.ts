import {type Failure, interrupted} from '../../failure.ts';
import type {Invocation} from '../../host.ts';

type Stopping = {
	/**
	 * Aborted by the first `ctrl-c`, SIGTERM or SIGHUP: work then ends in order and reports what was done.
	 */
	readonly signal: AbortSignal;
	/** Adds a report to print if the process is killed; returns a function that removes it. */
	underWay(left: () => string): () => void;
};

/** Stops commands on a signal. The second signal ends the process immediately, after printing the reports. */
export function stopOnSignals({host, end}: Invocation, fail: (failure: Failure) => void): Stopping {
	const controller = new AbortController();
	const known = new Set<() => string>();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		host.events.on(name, () => {
			if (controller.signal.aborted) {
				if (known.size > 0) fail(interrupted([...known].map(left => left()).join('\n')));
				end(130);
				return;
			}
			controller.abort();
		});
	}
	return {
		signal: controller.signal,
		underWay(left) {
			known.add(left);
			return () => known.delete(left);
		},
	};
}
