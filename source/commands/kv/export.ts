import {Failure} from '../../failure.ts';
import type {KvStore} from '../../kv/store.ts';
import {transferSentence} from '../../kv/transfer/ending.ts';
import {startExportTo} from '../../kv/transfer/export-job.ts';
import {type OpenedNamespace, openRemoteNamespace} from '../../session/namespaces.ts';
import {earlierSentence, readyExport} from '../../session/transfers.ts';
import {syncStream} from '../../terminal/synced.ts';
import {counted, quantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, valueOption} from '../shell/declare.ts';
import {prefixOption, type TargetOptions, targetOptions} from './options.ts';
import {openStore} from './stores.ts';
import {followed, transferred} from './transfer-ending.ts';

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
	run: exportKeys,
});

type ExportingOptions = TargetOptions & {output?: string; prefix?: string};

/**
 * `kv export`: each key with value, metadata and expiry, as a line that `kv import` and `kv bulk put` read.
 * On standard output it cannot be resumed, and says so.
 */
async function exportKeys(context: CommandContext, options: ExportingOptions): Promise<void> {
	await exportInto(context, await openStore(context, options, {mustExist: true}), options);
}

/** Exports an opened store, and closes it. */
export async function exportInto(
	context: CommandContext,
	opened: OpenedNamespace,
	{output: file = '-', prefix}: {readonly output?: string | undefined; readonly prefix?: string | undefined},
): Promise<void> {
	using store = opened.store;
	const asked = prefix === undefined ? {} : {prefix};
	if (file === '-') return exportOnOutput(context, store, asked);
	if (context.options.dryRun) return countedOnly(context, store, asked);
	const over = context.options.yes === true;
	await transferred(
		context,
		await readyExport(context.session, opened, {path: context.resolve(file), over, ...asked}, context.signal),
	);
}

/**
 * Exports a namespace into a new file before it is deleted. Fails if a key could not be read: everything that
 * is deleted must be in the file.
 */
export async function exportBefore(
	context: CommandContext,
	{id, title, account}: {readonly id: string; readonly title: string; readonly account: string},
	file: string,
): Promise<void> {
	const {session, signal, output} = context;
	if (file === '-')
		throw new Failure('usage', '--export names a file; - is standard output.', {next: 'Name a file.'});
	const opened = await openRemoteNamespace(session, {id, name: title || id, account}, {}, signal);
	using store = opened.store;
	const path = context.resolve(file);
	await using ready = await readyExport(session, opened, {path, over: false}, signal);
	if (ready.earlier) output.say(earlierSentence(ready.earlier));
	const result = await followed(context, 'exporting', tell => ready.start(tell, signal));
	output.say(transferSentence('export', result, store.label, path));
}

async function exportOnOutput(
	context: CommandContext,
	store: KvStore,
	asked: {readonly prefix?: string},
): Promise<void> {
	const {env: environment, signal, output} = context;
	output.mention('On standard output an export cannot be resumed; --output FILE can.');
	const result = await followed(context, 'exporting', (progress, clear) => {
		const sink = {
			write(text: string) {
				if (output.stdoutIsTerminal) clear();
				return output.jsonText(text);
			},
		};
		return startExportTo(sink, store, asked, {signal, environment, progress});
	});
	syncStream(context.host.stdout);
	output.mention(transferSentence('export', result, store.label, 'standard output'));
}

/** Counts what an export would hold; a dry run writes no file. */
async function countedOnly(
	context: CommandContext,
	store: KvStore,
	asked: {readonly prefix?: string},
): Promise<void> {
	const {env: environment, signal, output} = context;
	const {done, bytes} = await followed(context, 'reading', progress =>
		startExportTo({async write() {}}, store, asked, {signal, environment, progress}),
	);
	if (output.json) return output.value(context.marked({command: 'export', done, bytes}));
	await output.text(`An export would hold ${counted(done, 'key')} (${quantity(bytes, 'byte')} of values).\n`);
}
