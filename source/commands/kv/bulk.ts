import type {Command} from 'commander';
import {declareCommand, switchOption} from '../shell/declare.ts';
import type {BulkGetOptions} from './bulk-get.ts';
import type {BulkWriteOptions} from './bulk-write.ts';
import {targetOptions, writingOptions} from './options.ts';
import {deletionTrashOptions, overwriteTrashOption} from './trash-options.ts';

/** `kv bulk put|delete|get`. What does the work is loaded when it is asked for. */
export function declareBulkCommands(group: Command): void {
	declareCommand<BulkWriteOptions>(group, {
		usage: 'put <FILENAME>',
		summary: 'write the entries of a JSON array or NDJSON file, or of standard input with -',
		example: 'kv bulk put sessions.json --binding SESSIONS',
		writes: true,
		sample: 'put.json --namespace-id {namespace}',
		options: () => [overwriteTrashOption(), ...writingOptions()],
		run: async (...given) => (await import('./bulk-write.ts')).bulkPut(...given),
	});

	declareCommand<BulkWriteOptions>(group, {
		usage: 'delete <FILENAME>',
		summary: 'delete the keys of a JSON array or NDJSON file, or of standard input with -',
		example: 'kv bulk delete names.json --binding SESSIONS --yes',
		writes: true,
		sample: 'delete.json --namespace-id {namespace}',
		options: () => [...deletionTrashOptions(), ...writingOptions()],
		run: async (...given) => (await import('./bulk-write.ts')).bulkDelete(...given),
	});

	declareCommand<BulkGetOptions>(group, {
		usage: 'get <FILENAME>',
		summary: 'print the values of the keys of a JSON array or NDJSON file, or of standard input with -',
		example: 'kv bulk get names.json --binding SESSIONS --metadata',
		sample: 'delete.json --namespace-id {namespace}',
		options: () => [switchOption('--metadata', 'with metadata and expiry'), ...targetOptions()],
		run: async (...given) => (await import('./bulk-get.ts')).bulkGet(...given),
	});
}
