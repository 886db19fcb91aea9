type Details = {
	readonly why?: string;
	/** What the user can do. */
	readonly next?: string;
	readonly cause?: unknown;
};

/**
 * Thrown if the simulator cannot start or cannot do what it was asked; refused requests are answers, not
 * errors. `usage`: bad arguments or options; `file_failed`: the world's file cannot be opened;
 * `world_unusable`: the file is damaged, not a world, or from another version.
 */
export class SimulatorError extends Error {
	override readonly name = 'SimulatorError';
	readonly code: 'usage' | 'file_failed' | 'world_unusable';
	readonly details: Details;

	constructor(code: SimulatorError['code'], message: string, details: Details = {}) {
		super(message, details.cause === undefined ? undefined : {cause: details.cause});
		this.code = code;
		this.details = details;
	}
}

/** Returns the code of a system error (`ENOENT`), if it has one. */
export function getSystemCode(error: unknown): string | undefined {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return typeof code === 'string' ? code : undefined;
}
