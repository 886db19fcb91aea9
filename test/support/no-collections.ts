/**
 * Replaces source/kv/memory.ts in tests that run in one process: a test worker holds hundreds of megabytes,
 * so that a garbage collection takes 40 ms, and collections took a third of the time of the `kv` tests.
 * `npm run bench:memory` measures the original on the built program.
 */
export function collectGarbageIfNeeded(): void {}
