type UpdateThrottle<Value> = {
	/** Shows a value now or when the interval has passed; a later value replaces it. */
	update(value: Value): void;
	/** Drops a pending value. */
	stop(): void;
};

/** Limits how often values are shown: the first at once, then one per `milliseconds`, by the clock `now`. */
export function createUpdateThrottle<Value>(
	milliseconds: number,
	now: () => number,
	show: (value: Value) => void,
): UpdateThrottle<Value> {
	let lastShownAt = Number.NEGATIVE_INFINITY;
	let pending: {readonly value: Value} | undefined;
	let timer: NodeJS.Timeout | undefined;
	const showNow = (value: Value) => {
		clearTimeout(timer);
		timer = undefined;
		pending = undefined;
		lastShownAt = now();
		show(value);
	};
	return {
		update(value) {
			const remainingMs = lastShownAt + milliseconds - now();
			if (remainingMs <= 0) return showNow(value);
			pending = {value};
			timer ??= setTimeout(() => pending && showNow(pending.value), remainingMs).unref();
		},
		stop() {
			clearTimeout(timer);
			timer = undefined;
			pending = undefined;
		},
	};
}
