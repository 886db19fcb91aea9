import type {JsonValue} from '../../text/json.ts';

/** A request to the simulated service. */
export type LoggedCall = {
	readonly method: string;
	/** Below the base path, percent-encoded as sent. */
	readonly path: string;
	/** Without the question mark. */
	readonly query: string;
	/** Bytes read of the body. */
	readonly bytes: number;
	/** The body, if it was read and is JSON. Only for calls about zones and lists, never for keys and values. */
	readonly body?: JsonValue;
	/** `lost` if a fault or the client ended it without a status. */
	readonly status: number | 'lost';
};

/** The last calls, oldest first. */
export class CallLog {
	static readonly maxCalls = 1000;
	readonly #calls: LoggedCall[] = [];
	#count = 0;

	/** Total number of calls, including those no longer in the log. */
	get count(): number {
		return this.#count;
	}

	add(call: LoggedCall): void {
		this.#count++;
		this.#calls.push(call);
		if (this.#calls.length > CallLog.maxCalls) this.#calls.shift();
	}

	list(): readonly LoggedCall[] {
		return [...this.#calls];
	}

	clear(): void {
		this.#calls.length = 0;
		this.#count = 0;
	}
}
