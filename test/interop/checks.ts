const maxReasonLines = 20;

/** The checks of one run: each prints a line, and the last one says how many there were. */
export class Checks {
	#passed = 0;
	#failed = 0;

	/** One check: whatever throws has failed. The others go on. */
	async check(what: string, work: () => Promise<void>): Promise<void> {
		try {
			await work();
			this.#passed++;
			process.stdout.write(`ok      ${what}\n`);
		} catch (error) {
			this.#failed++;
			const why = error instanceof Error ? error.message : String(error);
			const lines = why.split('\n').slice(0, maxReasonLines);
			process.stdout.write(`FAILED  ${what}\n${lines.map(line => `        ${line}\n`).join('')}`);
		}
	}

	/** Prints the numbers of passed and failed checks. Returns the exit code. */
	printSummary(): number {
		process.stdout.write(`${this.#passed} passed, ${this.#failed} failed\n`);
		return this.#failed === 0 && this.#passed > 0 ? 0 : 1;
	}
}
