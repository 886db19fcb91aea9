import type {JsonValue} from '../../text/json.ts';

/** A request that was made to the simulated service. */
export type Call = {
	readonly method: string;
	/** Below the base, percent-encoded as it was sent. */
	readonly path: string;
	/** Without its question mark. */
	readonly query: string;
	/** Bytes of the body that were read. */
	readonly bytes: number;
	/** What the body said, where it was read and is JSON: of zones only, never of keys and values. */
	readonly body?: JsonValue;
	/** `lost` when a fault or the client ended it without a status. */
	readonly status: number | 'lost';
};

/** The last calls, oldest first. */
export class CallLog {
	static readonly most = 1000;
	readonly #calls: Call[] = [];
	#count = 0;

	/** How many there were, also those before the last ones. */
	get count(): number {
		return this.#count;
	}

	add(call: Call): void {
		this.#count++;
		this.#calls.push(call);
		if (this.#calls.length > CallLog.most) this.#calls.shift();
	}

	all(): readonly Call[] {
		return [...this.#calls];
	}

	clear(): void {
		this.#calls.length = 0;
		this.#count = 0;
	}
}
