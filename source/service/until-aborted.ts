/**
 * Ends with the signal at the latest, and not by the signal of the request alone: Node forgets to abort it once
 * garbage was collected (undici holds the controller behind `Request.signal` only weakly).
 */
export async function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
	const stopped = Promise.withResolvers<never>();
	const stop = () => stopped.reject(signal.reason);
	if (signal.aborted) stop();
	signal.addEventListener('abort', stop, {once: true});
	try {
		return await Promise.race([work, stopped.promise]);
	} finally {
		signal.removeEventListener('abort', stop);
	}
}
