import {formatExpiration, type KeyListingPage, listKeyPages} from '../../kv/keys.ts';
import {limits} from '../../kv/limits.ts';
import type {KeyEntry} from '../../kv/store.ts';
import type {TextColumn} from '../../terminal/table.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	buildExclusionFailure,
	createChoiceOption,
	createNumberOption,
	createSwitchOption,
	createValueOption,
	defineCommand,
	type OptionValues,
} from '../shell/declare.ts';
import {BufferedTexts} from './buffered-list.ts';
import {createLongWorkNotice, prefixHint} from './long-work.ts';
import {buildTargetOptions, createPrefixOption} from './options.ts';
import {openNamespaceStore} from './stores.ts';

const buildKeyListOptions = () => [
	createPrefixOption(),
	createNumberOption('--limit <n>', 'maximum number of keys', 1),
	createValueOption('--cursor <cursor>', 'continue where a listing with --limit ended'),
	createSwitchOption('--metadata', 'include the metadata of each key'),
	createChoiceOption('--format <form>', 'output format (json)', ['json', 'ndjson', 'table']),
	...buildTargetOptions(),
];

type ListOptions = OptionValues<typeof buildKeyListOptions>;

export const keyListCommand = defineCommand({
	usage: 'list',
	summary: 'list keys',
	example: 'kv key list --binding CONFIG --prefix user: --format table',
	sampleArguments: '--namespace-id {namespace}',
	options: buildKeyListOptions,
	run: printKeys,
});

/**
 * `kv key list`: prints each page as it arrives. The JSON equals wrangler's byte for byte, except that the
 * expiry is ISO 8601 and metadata is only printed on request. With `--json`, nothing is printed before the
 * list is complete, so that stdout is empty or complete; a table is also printed at the end, because the
 * widest cell sets a column's width.
 */
async function printKeys(context: CommandContext, options: ListOptions): Promise<void> {
	const {output, signal} = context;
	const format = options.format ?? 'json';
	if (output.json && format === 'table') throw buildExclusionFailure('--json', '--format table');
	using store = await openNamespaceStore(context, options);
	const pages = listKeyPages(store, options, signal);
	const warnIfLong = createLongWorkNotice(context, {
		content: 'names',
		quota: store.quota?.(),
		hint: prefixHint,
	});
	let lastPage: KeyListingPage = {entries: []};
	if (format === 'table') {
		// Imported only for tables: loading the table of character widths takes longer than reading a key.
		const {BufferedTable} = await import('./buffered-table.ts');
		const rows = new BufferedTable(options.metadata ? [...keyColumns, metadataColumn] : keyColumns, context);
		let listedCount = 0;
		for await (const page of pages) {
			for (const entry of page.entries) rows.add(entry);
			listedCount += page.entries.length;
			if (options.limit === undefined) warnIfLong(listedCount);
			lastPage = page;
		}
		await rows.print();
	} else {
		const formatEntry = format === 'json' ? formatEntryJson : formatEntryLine;
		const [opening, separator, closing] = format === 'json' ? ['[\n', ',\n', '\n]\n'] : ['', '\n', '\n'];
		const texts = new BufferedTexts(context);
		let printedCount = 0;
		for await (const page of pages) {
			const text = page.entries.map(entry => formatEntry(entry, options.metadata === true)).join(separator);
			const piece = text && (printedCount === 0 ? opening : separator) + text;
			if (output.json) texts.add(piece);
			else if (piece) await output.writeJsonText(piece);
			printedCount += page.entries.length;
			if (options.limit === undefined) warnIfLong(printedCount);
			lastPage = page;
		}
		await texts.print();
		if (printedCount > 0) await output.writeJsonText(closing);
		else if (format === 'json') await output.writeJsonText('[]\n');
	}
	if (options.limit === undefined) return;
	if (lastPage.cursor !== undefined) output.say(`next: --cursor ${lastPage.cursor}`);
	else if (lastPage.hasUnreachableKeys)
		output.say(
			`There are more keys. For a cursor to continue from, use a --limit of at least ${limits.listPage.minKeys}.`,
		);
}

/** Formats an entry as `JSON.stringify(list, null, 2)` does inside a list. */
function formatEntryJson(entry: KeyEntry, withMetadata: boolean): string {
	const fields = [`    "name": ${JSON.stringify(entry.name)}`];
	if (entry.expiration !== undefined)
		fields.push(`    "expiration": "${formatExpiration(entry.expiration)}"`);
	if (withMetadata && entry.metadata !== undefined) {
		fields.push(`    "metadata": ${JSON.stringify(entry.metadata, null, 2).replaceAll('\n', '\n    ')}`);
	}
	return `  {\n${fields.join(',\n')}\n  }`;
}

const formatEntryLine = (entry: KeyEntry, withMetadata: boolean): string =>
	JSON.stringify({
		name: entry.name,
		...(entry.expiration !== undefined && {expiration: formatExpiration(entry.expiration)}),
		...(withMetadata && entry.metadata !== undefined && {metadata: entry.metadata}),
	});

const keyColumns: readonly TextColumn<KeyEntry>[] = [
	{title: 'NAME', cell: entry => entry.name},
	{
		title: 'EXPIRES',
		cell: entry => (entry.expiration === undefined ? '–' : formatExpiration(entry.expiration)),
	},
];

const metadataColumn: TextColumn<KeyEntry> = {
	title: 'METADATA',
	cell: entry => (entry.metadata === undefined ? '' : JSON.stringify(entry.metadata)),
};
