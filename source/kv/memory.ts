import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

/** Bytes at which the space for new objects stops growing. */
const enough = 4_000_000;
let held = false;

/**
 * Keeps memory flat while a large file or a long list streams through. V8 lets the space for new objects grow to over 130 MB when
 * much is made and thrown away, and never takes it back: reading 300 MB then took 230 MB of memory, held at 8 MB it
 * takes 105 MB, in the same time. To be called now and then; what it costs is a few microseconds.
 */
export function holdYoungSpace(): void {
	if (held) return;
	const young = getHeapSpaceStatistics().find(space => space.space_name === 'new_space');
	if (!young || young.space_size < enough) return;
	setFlagsFromString('--semi-space-growth-factor=1');
	held = true;
}

/** Bytes of entries that may become garbage before it is collected. */
const collectEvery = 2_000_000;

/**
 * Collects garbage while requests pass through. V8 lets memory outside its heap grow by 64 MB before it looks what
 * is still needed, and bodies of requests are such memory: without this a remote bulk job takes some 40 MB more, and
 * more than it may. A collection takes 10 to 15 ms, while the answers are waited for anyway.
 */
export class GarbageCollector {
	#passed = 0;
	#collect: (() => void) | undefined;

	/** So many bytes of entries are no longer needed. */
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
