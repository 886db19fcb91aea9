type Details = {
	readonly why?: string;
	/** What the person can do now. */
	readonly next?: string;
	readonly cause?: unknown;
};

/**
 * What keeps a simulator from starting or doing as it was told; a refused request is an answer, and no error. `usage`:
 * wrong words or options; `file_failed`: the world's file cannot be opened; `world_unusable`: it holds something else.
 */
export class SimulatorError extends Error {
	override readonly name = 'SimulatorError';
	readonly code: 'usage' | 'file_failed' | 'world_unusable';
	readonly details: Details;

	constructor(code: SimulatorError['code'], what: string, details: Details = {}) {
		super(what, details.cause === undefined ? undefined : {cause: details.cause});
		this.code = code;
		this.details = details;
	}
}

/** The code of an error of the system (`ENOENT`), if it has one. */
export function systemCode(error: unknown): string | undefined {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return typeof code === 'string' ? code : undefined;
}
