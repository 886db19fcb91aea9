import {getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

/** Size in bytes at which the young generation stops growing. */
const youngSpaceBytes = 4_000_000;
/**
 * The heap may grow by this many bytes between two collections, or by this share of the used heap if that is
 * more, because a collection takes longer the more memory is in use.
 */
const [maxGarbageBytes, maxGarbageShare] = [6_000_000, 1 / 8];

/**
 * Number of pieces to skip before measuring. A short list is not worth loading `node:v8`, which takes 4 ms.
 */
const untrackedPieces = 4;

let pieceCount = 0;
let isYoungSpaceLimited = false;
/** Bytes in use after the last collection. */
let bytesAfterCollection = 0;
let collectGarbage: (() => void) | undefined;

/**
 * Collects garbage if enough has accumulated, to keep memory flat while a large file or a long list streams
 * through. Call it for every piece; a call without a collection costs a few microseconds. V8 lets the young
 * generation grow to over 130 MB under heavy allocation and never shrinks it: reading 300 MB took 230 MB of
 * memory; limited to 8 MB it takes 105 MB in the same time. V8 also lets longer-lived garbage (batch entries,
 * request bodies) grow to 60 MB before it collects; this collects after every 6 MB, which takes 10 to 15 ms
 * in a command.
 */
export function collectGarbageIfNeeded(): void {
	if (++pieceCount <= untrackedPieces) return;
	if (!isYoungSpaceLimited) {
		const youngSpace = getHeapSpaceStatistics().find(space => space.space_name === 'new_space');
		if (youngSpace && youngSpace.space_size >= youngSpaceBytes) {
			setFlagsFromString('--semi-space-growth-factor=1');
			isYoungSpaceLimited = true;
		}
	}
	const usedBytes = measureMemoryUse();
	// V8 collected on its own, or this is the first call.
	if (usedBytes < bytesAfterCollection || bytesAfterCollection === 0) bytesAfterCollection = usedBytes;
	if (usedBytes - bytesAfterCollection < Math.max(maxGarbageBytes, bytesAfterCollection * maxGarbageShare))
		return;
	collectGarbage ??= exposeCollector();
	collectGarbage();
	bytesAfterCollection = measureMemoryUse();
}

function measureMemoryUse(): number {
	const {used_heap_size: heapBytes, external_memory: externalBytes} = getHeapStatistics();
	return heapBytes + externalBytes;
}

/** Returns V8's `gc` function. Node hides it by default; a new context sees it without a restart. */
function exposeCollector(): () => void {
	setFlagsFromString('--expose-gc');
	return runInNewContext('gc') as () => void;
}
