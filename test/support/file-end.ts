/** What tests started or made and nobody has ended or removed yet. */
const left: (() => unknown)[] = [];

/** Runs this when the tests of the file are done. */
export const atFileEnd = (ending: () => unknown): void => void left.push(ending);

/** Ends and removes everything that is left, what came last first. */
export async function endFile(): Promise<void> {
	for (const ending of left.splice(0).reverse()) await ending();
}
