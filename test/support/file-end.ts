/** How to end or remove what tests have started or created. */
const cleanups: (() => unknown)[] = [];

/** Registers what runs when the tests of the file are done. */
export const atFileEnd = (cleanup: () => unknown): void => void cleanups.push(cleanup);

/** Runs everything that was registered, the last one first. */
export async function runFileCleanups(): Promise<void> {
	for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}
