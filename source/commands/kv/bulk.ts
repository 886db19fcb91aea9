import {createSwitchOption, defineCommand, runLazily} from '../shell/declare.ts';
import {
	buildBulkWriteOptions,
	buildDeletionTrashOptions,
	buildTargetOptions,
	createOverwriteTrashOption,
} from './options.ts';

/** `kv bulk put|delete|get`. The implementations are loaded on use. */
export const bulkCommands = [
	defineCommand({
		usage: 'put <FILENAME>',
		summary: 'write the entries of a JSON array or NDJSON file (- for standard input)',
		example: 'kv bulk put sessions.json --binding SESSIONS',
		refusedByReadOnly: true,
		sampleArguments: 'put.json --namespace-id {namespace}',
		options: () => [createOverwriteTrashOption(), ...buildBulkWriteOptions()],
		run: runLazily(async () => (await import('./bulk-write.ts')).runBulkPut),
	}),

	defineCommand({
		usage: 'delete <FILENAME>',
		summary: 'delete the keys listed in a JSON array or NDJSON file (- for standard input)',
		example: 'kv bulk delete names.json --binding SESSIONS --yes',
		refusedByReadOnly: true,
		sampleArguments: 'delete.json --namespace-id {namespace}',
		options: () => [...buildDeletionTrashOptions(), ...buildBulkWriteOptions()],
		run: runLazily(async () => (await import('./bulk-write.ts')).runBulkDelete),
	}),

	defineCommand({
		usage: 'get <FILENAME>',
		summary: 'print the values of the keys listed in a JSON array or NDJSON file (- for standard input)',
		example: 'kv bulk get names.json --binding SESSIONS --metadata',
		sampleArguments: 'delete.json --namespace-id {namespace}',
		options: () => [
			createSwitchOption('--metadata', 'include metadata and expiration'),
			...buildTargetOptions(),
		],
		run: runLazily(async () => (await import('./bulk-get.ts')).runBulkGet),
	}),
];
