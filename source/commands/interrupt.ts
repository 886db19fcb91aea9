/**
 * The signal that every command waits with: aborted by the first `ctrl-c`, SIGTERM or SIGHUP, so that work ends
 * in order and says what was done. The second one ends the process at once (design.md 9).
 */
export function stopOnSignals(): AbortSignal {
	const controller = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => {
			if (controller.signal.aborted) process.exit(130);
			controller.abort();
		});
	}
	return controller.signal;
}
