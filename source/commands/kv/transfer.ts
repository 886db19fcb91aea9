import {storeForms} from '../../kv/transfer/store-name.ts';
import {
	defineCommand,
	lazily,
	numberOption,
	type OptionValues,
	switchOption,
	valueOption,
} from '../shell/declare.ts';
import {targetOptions, writingOptions} from './options.ts';
import {deletionTrashOptions, overwriteTrashOption} from './trash-options.ts';

const prefixOption = () => valueOption('--prefix <text>', 'only keys that begin with it');

export const kvExportCommand = defineCommand({
	usage: 'export',
	summary: 'write all keys with metadata and expiry, one a line, on standard output or into a file',
	example: 'kv export --binding SESSIONS --output sessions.ndjson.gz',
	sample: '--namespace-id {namespace} --output out.ndjson',
	options: () => [
		valueOption('-o, --output <file>', 'file to write; compressed where its name ends in .gz'),
		prefixOption(),
		...targetOptions(),
	],
	run: lazily(async () => (await import('./export.ts')).exportKeys),
});

export const kvImportCommand = defineCommand({
	usage: 'import <FILENAME>',
	summary: 'write the keys of an export; those that have expired since are left out',
	example: 'kv import sessions.ndjson.gz --binding SESSIONS',
	writes: true,
	sample: 'put.json --namespace-id {namespace}',
	options: () => [overwriteTrashOption(), ...writingOptions()],
	run: lazily(async () => (await import('./bulk-write.ts')).importKeys),
});

const stores = `stores are ${storeForms.join(', ')}`;

const copyOptions = () => [
	prefixOption(),
	switchOption('--only-missing', 'skip keys that TO already has'),
	switchOption(
		'--delete-extra',
		'delete keys of TO that FROM does not have; FROM is read again before each batch',
	),
	numberOption('--confirm <count>', 'expected number of keys', 0),
	valueOption('--failed <file>', 'file for what the other store refuses (copy.failed.ndjson)'),
	switchOption('--trash', 'keep overwritten values in the trash, too; TO is read first'),
	switchOption('--no-trash', 'delete the extra keys without keeping them in the trash'),
];

export type CopyingOptions = OptionValues<typeof copyOptions>;

export const kvCopyCommand = defineCommand({
	usage: 'copy <FROM> <TO>',
	summary: `write the keys of one store into another one; ${stores}`,
	example: 'kv copy remote:SESSIONS local:SESSIONS --prefix user:',
	writes: true,
	sample: 'file:put.json remote:{namespace}',
	options: copyOptions,
	run: lazily(async () => (await import('./copy.ts')).copyKeys),
});

export const kvDiffCommand = defineCommand({
	usage: 'diff <ONE> <OTHER>',
	summary: `tell in what two stores differ; ${stores}`,
	example: 'kv diff remote:SESSIONS file:sessions.ndjson --exit-code',
	sample: 'remote:{namespace} file:put.json',
	options: () => [
		prefixOption(),
		switchOption('--names-only', 'compare names, metadata and expiry as they are listed, and no values'),
		switchOption('--exit-code', 'exit with 1 where there is a difference'),
	],
	run: lazily(async () => (await import('./diff.ts')).diffStores),
});

const deleteOptions = () => [
	prefixOption(),
	valueOption('--expiring-before <time>', 'only keys that expire before: UNIX seconds or ISO 8601'),
	valueOption('--where <condition>', 'only keys with that metadata: metadata.path=value'),
	switchOption('--all', 'every key of the namespace'),
	numberOption('--confirm <count>', 'expected number of keys', 0),
	valueOption('--failed <file>', 'file for what the service refuses'),
	...deletionTrashOptions(),
	...targetOptions(),
];

export type DeletingOptions = OptionValues<typeof deleteOptions>;

export const kvDeleteCommand = defineCommand({
	usage: 'delete',
	summary: 'delete keys by prefix, expiry or metadata, once they were counted and that count confirmed',
	example: 'kv delete --binding SESSIONS --prefix tmp: --confirm 1240',
	writes: true,
	sample: '--namespace-id {namespace} --prefix features --confirm 1',
	options: deleteOptions,
	run: lazily(async () => (await import('./delete.ts')).deleteKeys),
});

const searchOptions = () => [
	switchOption('--regex', 'TEXT is a regular expression of JavaScript'),
	switchOption('-i, --ignore-case', 'upper and lower case are the same'),
	switchOption('--names', 'only in names'),
	switchOption('--values', 'only in values'),
	prefixOption(),
	numberOption('--limit <n>', 'maximum number of matches', 1),
	...targetOptions(),
];

export type SearchOptions = OptionValues<typeof searchOptions>;

export const kvSearchCommand = defineCommand({
	usage: 'search <TEXT>',
	summary: 'look for a text in names and values, printed as it is found',
	example: 'kv search user-4711 --binding SESSIONS --values',
	sample: 'features --namespace-id {namespace}',
	options: searchOptions,
	run: lazily(async () => (await import('./search.ts')).searchKeys),
});
