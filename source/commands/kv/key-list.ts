import {Failure} from '../../failure.ts';
import {formatExpiration, type KeyListingPage, listKeyPages} from '../../kv/keys.ts';
import {limits} from '../../kv/limits.ts';
import type {KeyEntry} from '../../kv/store.ts';
import type {TextColumn} from '../../terminal/table.ts';
import {formatQuantity} from '../../text/figures.ts';
import {escapeText} from '../../text/safe-text.ts';
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
import {buildConditionOptions, parseConditions} from './conditions.ts';
import {createLongWorkNotice, prefixHint} from './long-work.ts';
import {buildTargetOptions, createPrefixOption, getPreferredFormat} from './options.ts';
import {openNamespaceStore} from './stores.ts';

const buildKeyListOptions = () => [
	createPrefixOption(),
	createNumberOption('--limit <n>', 'maximum number of keys', 1),
	createValueOption('--cursor <cursor>', 'continue where a listing with --limit ended'),
	createSwitchOption('--metadata', 'include the metadata of each key'),
	...buildConditionOptions(),
	createSwitchOption('--names-only', 'print only names, one per line; with --json a list of names'),
	createSwitchOption('-0, --null', 'with --names-only: exact names, each followed by a NUL byte'),
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
	checkListOptions(context, options);
	const condition = parseConditions(options);
	using store = await openNamespaceStore(context, options);
	const warnIfLong = createLongWorkNotice(context, {
		content: 'names',
		quota: store.quota?.(),
		hint: prefixHint,
	});
	let lastPage: KeyListingPage = {entries: []};
	async function* listPages() {
		let readCount = 0;
		for await (const page of listKeyPages(store, {...options, condition}, signal)) {
			yield page;
			readCount += page.readCount ?? page.entries.length;
			if (options.limit === undefined || condition) warnIfLong(readCount);
			lastPage = page;
		}
	}
	const format = options.namesOnly ? options.format : (options.format ?? getPreferredFormat(context));
	if (format === 'table') await printTable(context, options, listPages());
	else await printList(context, {...options, ...(format && {format})}, listPages());
	if (options.limit === undefined) return;
	if (lastPage.cursor !== undefined) output.say(`next: --cursor ${lastPage.cursor}`);
	else if (lastPage.hasUnreachableKeys)
		output.say(
			condition
				? 'There are more matching keys.'
				: `There are more keys. For a cursor to continue from, use a --limit of at least ${limits.listPage.minKeys}.`,
		);
}

/** Fails with `usage` for options that contradict each other. */
function checkListOptions({output}: CommandContext, options: ListOptions): void {
	const {format, namesOnly, metadata} = options;
	if (output.json && format === 'table') throw buildExclusionFailure('--json', '--format table');
	if (namesOnly && format === 'table') throw buildExclusionFailure('--names-only', '--format table');
	if (namesOnly && metadata) throw buildExclusionFailure('--names-only', '--metadata');
	if (!options.null) return;
	if (!namesOnly) throw new Failure('usage', '--null applies only to names.', {next: 'Add --names-only.'});
	if (output.json) throw buildExclusionFailure('--null', '--json');
	if (format) throw buildExclusionFailure('--null', '--format');
	if (output.stdoutIsTerminal)
		throw new Failure('usage', '--null prints raw names, which a terminal could obey.', {
			next: 'Pipe the output, or leave out --null.',
		});
}

async function printTable(
	context: CommandContext,
	{metadata}: ListOptions,
	pages: AsyncIterable<KeyListingPage>,
): Promise<void> {
	// Imported only for tables: loading the table of character widths takes longer than reading a key.
	const {BufferedTable} = await import('./buffered-table.ts');
	const rows = new BufferedTable(metadata ? [...keyColumns, metadataColumn] : keyColumns, context);
	for await (const page of pages) for (const entry of page.entries) rows.add(entry);
	await rows.print();
}

/** A list as text. */
type ListForm = {
	/** Texts before, between and after the entries; without entries, `empty` is printed. */
	readonly opening: string;
	readonly separator: string;
	readonly closing: string;
	readonly empty: string;
	format(entry: KeyEntry): string;
	print(text: string): Promise<void>;
};

async function printList(
	context: CommandContext,
	options: ListOptions,
	pages: AsyncIterable<KeyListingPage>,
): Promise<void> {
	const {output} = context;
	const inexactNames = new InexactNames();
	const form = getListForm(context, options, inexactNames);
	const texts = new BufferedTexts(context);
	let isEmpty = true;
	for await (const page of pages) {
		const text = page.entries.map(form.format).join(form.separator);
		if (page.entries.length === 0) continue;
		const piece = (isEmpty ? form.opening : form.separator) + text;
		isEmpty = false;
		if (output.json) texts.add(piece);
		else await form.print(piece);
	}
	await texts.print();
	const end = isEmpty ? form.empty : form.closing;
	if (end) await form.print(end);
	inexactNames.warn(context, options);
}

function getListForm(
	{output}: CommandContext,
	{format, namesOnly = false, metadata = false, null: endsWithNull}: ListOptions,
	inexactNames: InexactNames,
): ListForm {
	if (namesOnly && endsWithNull)
		return {
			...lineForm,
			separator: '\0',
			closing: '\0',
			format: ({name}) => inexactNames.note(name, !name.includes('\0')),
			print: text => output.writeBytes(Buffer.from(text)),
		};
	if (namesOnly && !output.json && format === undefined)
		return {
			...lineForm,
			format({name}) {
				const line = escapeText(name);
				return inexactNames.note(line, line === name);
			},
			print: output.writeText,
		};
	const print = output.writeJsonText;
	if (format === 'ndjson')
		return {
			...lineForm,
			format: entry => (namesOnly ? JSON.stringify(entry.name) : formatEntryLine(entry, metadata)),
			print,
		};
	return {
		opening: '[\n',
		separator: ',\n',
		closing: '\n]\n',
		empty: '[]\n',
		format: entry => (namesOnly ? `  ${JSON.stringify(entry.name)}` : formatEntryJson(entry, metadata)),
		print,
	};
}

const lineForm = {opening: '', separator: '\n', closing: '\n', empty: ''} as const;

/** Counts names that the output cannot show exactly. */
class InexactNames {
	#count = 0;

	/** Returns `text`, and counts it unless it `isExact`. */
	note(text: string, isExact: boolean): string {
		if (!isExact) this.#count++;
		return text;
	}

	warn({output}: CommandContext, {null: endsWithNull}: ListOptions): void {
		if (this.#count === 0) return;
		const names = `${formatQuantity(this.#count, 'name')} ${this.#count === 1 ? 'contains' : 'contain'}`;
		output.warn(
			endsWithNull
				? `${names} a NUL byte, which also ends names here. --json prints exact names.`
				: `${names} control characters, printed as escapes. --null and --json print exact names.`,
		);
	}
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
