/**
 * Races work against a signal. The request's own signal is not enough: Node forgets to abort it after garbage
 * collection (undici holds the controller behind `Request.signal` only weakly).
 */
export async function waitOrAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
	const aborted = Promise.withResolvers<never>();
	const stop = () => aborted.reject(signal.reason);
	if (signal.aborted) stop();
	signal.addEventListener('abort', stop, {once: true});
	try {
		return await Promise.race([work, aborted.promise]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}
