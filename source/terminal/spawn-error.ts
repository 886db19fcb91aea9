/** Describes in a sentence why a program could not be started. */
export function describeSpawnError(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'ENOENT') return 'The program does not exist.';
	if (code === 'EACCES') return 'There is no permission to run it.';
	if (code === 'E2BIG') return 'Its arguments are too long for this system.';
	return error instanceof Error ? error.message : String(error);
}
