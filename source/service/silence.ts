/**
 * Calls `ends` once after `milliseconds` in which `heard` was not called. The time is counted in tenths, each of which
 * begins when the one before was seen to end: a ledge that was stopped (Ctrl-Z) or did not get the processor counts one
 * tenth for it, and has the others to read an answer that came meanwhile, where one timer would have ended it unread.
 * `stop` ends the watch.
 */
export function afterSilence(milliseconds: number, ends: () => void): {heard(): void; stop(): void} {
	let passed = 0;
	const timer = setInterval(() => {
		if (++passed < parts) return;
		clearInterval(timer);
		ends();
	}, milliseconds / parts);
	return {
		heard() {
			passed = 0;
			timer.refresh();
		},
		stop: () => clearInterval(timer),
	};
}

const parts = 10;
