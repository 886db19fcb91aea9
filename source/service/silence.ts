/**
 * Calls `onSilence` once if `reset` is not called for `milliseconds`. Counts in ten ticks, each starting when
 * the previous one was seen to end: a suspended (Ctrl-Z) or starved process counts one tick for the gap and
 * can still read a response that arrived, which a single timer would discard. `stop` ends the watch.
 */
export function watchSilence(milliseconds: number, onSilence: () => void): {reset(): void; stop(): void} {
	let elapsedTicks = 0;
	const timer = setInterval(() => {
		if (++elapsedTicks < tickCount) return;
		clearInterval(timer);
		onSilence();
	}, milliseconds / tickCount);
	return {
		reset() {
			elapsedTicks = 0;
			timer.refresh();
		},
		stop: () => clearInterval(timer),
	};
}

const tickCount = 10;
