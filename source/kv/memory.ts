import {getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

/** Bytes at which the space for new objects stops growing. */
const enough = 4_000_000;
/**
 * Bytes of what is no longer needed, and of what is, that may gather between two collections: so many, or this part of
 * what is in use where that is more. A collection takes the longer the more is in use.
 */
const [mostGathered, partGathered] = [6_000_000, 1 / 8];

/** Pieces that pass before memory is looked at: a short list is not worth loading `node:v8`, which takes 4 ms. */
const fewPieces = 4;

let pieces = 0;
let isHeld = false;
/** Bytes in use behind the last collection. */
let floor = 0;
let collect: (() => void) | undefined;

/**
 * Keeps memory flat while a large file or a long list streams through; to be called with every piece of it, which costs
 * a few microseconds. V8 lets the space for new objects grow to over 130 MB when much is made and thrown away, and never takes
 * it back: reading 300 MB then took 230 MB of memory, held at 8 MB it takes 105 MB, in the same time. And it lets what
 * lived a little longer, entries of a batch or bodies of requests, gather to 60 MB before it looks what is still
 * needed: here that is looked after every 6 MB, which takes 10 to 15 ms each time in a
 * command.
 */
export function holdMemory(): void {
	if (++pieces <= fewPieces) return;
	if (!isHeld) {
		const young = getHeapSpaceStatistics().find(space => space.space_name === 'new_space');
		if (young && young.space_size >= enough) {
			setFlagsFromString('--semi-space-growth-factor=1');
			isHeld = true;
		}
	}
	const used = inUse();
	// V8 has collected by itself, or this is the first call.
	if (used < floor || floor === 0) floor = used;
	if (used - floor < Math.max(mostGathered, floor * partGathered)) return;
	collect ??= exposed();
	collect();
	floor = inUse();
}

function inUse(): number {
	const {used_heap_size: heap, external_memory: outside} = getHeapStatistics();
	return heap + outside;
}

/** V8's own function, which Node shows on request only; a new context sees it without a restart. */
function exposed(): () => void {
	setFlagsFromString('--expose-gc');
	return runInNewContext('gc') as () => void;
}
