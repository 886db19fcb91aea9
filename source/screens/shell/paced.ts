type UpdateThrottle<Value> = {
	/** Shows a value now or when the interval has passed; a later value replaces it. */
	update(value: Value): void;
	/** Drops a pending value. */
	stop(): void;
};

/** Limits how often values are shown: the first at once, then one each `milliseconds` of `now`. */
export function createUpdateThrottle<Value>(
	milliseconds: number,
	now: () => number,
	show: (value: Value) => void,
): UpdateThrottle<Value> {
	let lastShown = Number.NEGATIVE_INFINITY;
	let pending: {readonly value: Value} | undefined;
	let timer: NodeJS.Timeout | undefined;
	const showNow = (value: Value) => {
		clearTimeout(timer);
		timer = undefined;
		pending = undefined;
		lastShown = now();
		show(value);
	};
	return {
		update(value) {
			const left = lastShown + milliseconds - now();
			if (left <= 0) return showNow(value);
			pending = {value};
			timer ??= setTimeout(() => pending && showNow(pending.value), left).unref();
		},
		stop() {
			clearTimeout(timer);
			timer = undefined;
			pending = undefined;
		},
	};
}
