type Paced<Value> = {
	/** Shows a value now or when the interval has passed; a later value replaces it. */
	tell(value: Value): void;
	/** Drops a pending value. */
	stop(): void;
};

/** Limits how often values are shown: the first at once, then one each `milliseconds` of `now`. */
export function paced<Value>(
	milliseconds: number,
	now: () => number,
	show: (value: Value) => void,
): Paced<Value> {
	let shown = Number.NEGATIVE_INFINITY;
	let waiting: {readonly value: Value} | undefined;
	let timer: NodeJS.Timeout | undefined;
	const showNow = (value: Value) => {
		clearTimeout(timer);
		timer = undefined;
		waiting = undefined;
		shown = now();
		show(value);
	};
	return {
		tell(value) {
			const left = shown + milliseconds - now();
			if (left <= 0) return showNow(value);
			waiting = {value};
			timer ??= setTimeout(() => waiting && showNow(waiting.value), left).unref();
		},
		stop() {
			clearTimeout(timer);
			timer = undefined;
			waiting = undefined;
		},
	};
}
