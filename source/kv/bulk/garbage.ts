import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

/** Bytes of entries that may become garbage before it is collected. */
const collectEvery = 2_000_000;

/**
 * Collects garbage while requests pass through. V8 lets memory outside its heap grow by 64 MB before it looks what
 * is still needed, and bodies of requests are such memory: without this a remote bulk job takes some 40 MB more, and
 * more than it may (design.md 8). A collection takes 10 to 15 ms, while the answers are waited for anyway.
 */
export class GarbageCollector {
	#passed = 0;
	#collect: (() => void) | undefined;

	/** So many bytes of entries are not needed any more. */
	passed(bytes: number): void {
		this.#passed += bytes;
		if (this.#passed < collectEvery) return;
		this.#passed = 0;
		this.#collect ??= exposed();
		this.#collect();
	}
}

/** V8's own function, which Node shows on request only; a new context sees it without a restart. */
function exposed(): () => void {
	setFlagsFromString('--expose-gc');
	return runInNewContext('gc') as () => void;
}
