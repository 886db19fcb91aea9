import {Failure} from '../../failure.ts';
import type {KvStore} from '../../kv/store.ts';
import {startStreamExport} from '../../kv/transfer/export-job.ts';
import {describeTransfer} from '../../kv/transfer/result.ts';
import {type OpenedNamespace, openRemoteNamespace} from '../../session/namespaces.ts';
import {describeEarlierExport, prepareExport} from '../../session/transfers.ts';
import {syncStream} from '../../terminal/sync-stream.ts';
import {formatPlainQuantity, formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {createValueOption, defineCommand} from '../shell/declare.ts';
import {buildTargetOptions, createPrefixOption, type TargetOptions} from './options.ts';
import {openTargetNamespace} from './stores.ts';
import {followTransfer, runTransfer} from './transfer-run.ts';

export const kvExportCommand = defineCommand({
	usage: 'export',
	summary: 'write all keys with metadata and expiration, one per line, to standard output or a file',
	example: 'kv export --binding SESSIONS --output sessions.ndjson.gz',
	sampleArguments: '--namespace-id {namespace} --output out.ndjson',
	options: () => [
		createValueOption('-o, --output <file>', 'file to write; compressed if its name ends in .gz'),
		createPrefixOption(),
		...buildTargetOptions(),
	],
	run: exportKeys,
});

type ExportKeysOptions = TargetOptions & {output?: string; prefix?: string};

/**
 * `kv export`: each key with value, metadata and expiry, as a line that `kv import` and `kv bulk put` read.
 * An export to standard output cannot be resumed; a hint says so.
 */
async function exportKeys(context: CommandContext, options: ExportKeysOptions): Promise<void> {
	await exportStore(context, await openTargetNamespace(context, options, {mustExist: true}), options);
}

/** Exports an opened store, then closes it. */
export async function exportStore(
	context: CommandContext,
	openedNamespace: OpenedNamespace,
	{output: file = '-', prefix}: {readonly output?: string | undefined; readonly prefix?: string | undefined},
): Promise<void> {
	using store = openedNamespace.store;
	const selection = prefix === undefined ? {} : {prefix};
	if (file === '-') return exportToStdout(context, store, selection);
	if (context.options.dryRun) return countExport(context, store, selection);
	const overwrite = context.options.yes === true;
	await runTransfer(
		context,
		await prepareExport(
			context.session,
			openedNamespace,
			{path: context.resolve(file), over: overwrite, ...selection},
			context.signal,
		),
	);
}

/**
 * Exports a namespace into a new file, before the namespace is deleted. Fails if a key cannot be read:
 * everything that is deleted must be in the file.
 */
export async function exportBeforeDeletion(
	context: CommandContext,
	{id, title, account}: {readonly id: string; readonly title: string; readonly account: string},
	file: string,
): Promise<void> {
	const {session, signal, output} = context;
	if (file === '-')
		throw new Failure('usage', '--export requires a file; - is standard output.', {next: 'Specify a file.'});
	const openedNamespace = await openRemoteNamespace(session, {id, name: title || id, account}, {}, signal);
	using store = openedNamespace.store;
	const path = context.resolve(file);
	await using readyTransfer = await prepareExport(session, openedNamespace, {path, over: false}, signal);
	if (readyTransfer.earlier) output.say(describeEarlierExport(readyTransfer.earlier));
	const result = await followTransfer(context, 'exporting', onProgress =>
		readyTransfer.start(onProgress, signal),
	);
	output.say(describeTransfer('export', result, store.label, path));
}

async function exportToStdout(
	context: CommandContext,
	store: KvStore,
	selection: {readonly prefix?: string},
): Promise<void> {
	const {env: environment, signal, output} = context;
	output.sayIfInteractive(
		'An export to standard output cannot be resumed; one to a file (--output FILE) can.',
	);
	const result = await followTransfer(context, 'exporting', (progress, clear) => {
		const sink = {
			write(text: string) {
				if (output.stdoutIsTerminal) clear();
				return output.writeJsonText(text);
			},
		};
		return startStreamExport(sink, store, selection, {signal, environment, progress});
	});
	syncStream(context.host.stdout);
	output.sayIfInteractive(describeTransfer('export', result, store.label, 'standard output'));
}

/** Counts the keys and bytes that an export would contain, for a dry run. */
async function countExport(
	context: CommandContext,
	store: KvStore,
	selection: {readonly prefix?: string},
): Promise<void> {
	const {env: environment, signal, output} = context;
	const {done, bytes} = await followTransfer(context, 'reading', progress =>
		startStreamExport({async write() {}}, store, selection, {signal, environment, progress}),
	);
	if (output.json) return output.writeJson(context.markSimulated({command: 'export', done, bytes}));
	await output.writeText(
		`An export would contain ${formatQuantity(done, 'key')} (${formatPlainQuantity(bytes, 'byte')} of values).\n`,
	);
}
