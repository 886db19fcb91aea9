import {isoExpiration, keyPages} from '../kv/keys.ts';
import type {KeyEntry} from '../kv/store.ts';
import type {CommandContext} from './context.ts';
import type {TargetOptions} from './kv-options.ts';
import {openNamespace} from './stores.ts';

export type ListOptions = {
	prefix?: string;
	limit?: number;
	cursor?: string;
	metadata?: boolean;
	format?: 'json' | 'ndjson' | 'table';
};

/**
 * `kv key list`: prints each page as it arrives (platform.md, "Key entry in a key listing"). JSON is what the peer
 * prints, byte for byte, but for the expiry, which is ISO 8601, and the metadata, which is asked for.
 */
export async function listKeys(context: CommandContext, options: ListOptions & TargetOptions): Promise<void> {
	using store = await openNamespace(context, options);
	const {output, signal} = context;
	const form = options.format ?? 'json';
	const pages = keyPages(store, options, signal);
	let cursor: string | undefined;
	if (form === 'table') {
		const entries: KeyEntry[] = [];
		for await (const page of pages) {
			entries.push(...page.entries);
			cursor = page.cursor;
		}
		await output.text(await keyTable(entries, options.metadata === true));
	} else {
		const print = form === 'json' ? entryLines : entryLine;
		const [open, between, close] = form === 'json' ? ['[\n', ',\n', '\n]\n'] : ['', '\n', '\n'];
		let printed = 0;
		for await (const page of pages) {
			const text = page.entries.map(entry => print(entry, options.metadata === true)).join(between);
			if (text) await output.jsonText((printed === 0 ? open : between) + text);
			printed += page.entries.length;
			cursor = page.cursor;
		}
		if (printed > 0) await output.jsonText(close);
		else if (form === 'json') await output.jsonText('[]\n');
	}
	if (options.limit !== undefined && cursor !== undefined) output.say(`next: --cursor ${cursor}`);
}

/** An entry as `JSON.stringify(list, null, 2)` would print it inside the list. */
function entryLines(entry: KeyEntry, metadata: boolean): string {
	const fields = [`    "name": ${JSON.stringify(entry.name)}`];
	if (entry.expiration !== undefined) fields.push(`    "expiration": "${isoExpiration(entry.expiration)}"`);
	if (metadata && entry.metadata !== undefined) {
		fields.push(`    "metadata": ${JSON.stringify(entry.metadata, null, 2).replaceAll('\n', '\n    ')}`);
	}
	return `  {\n${fields.join(',\n')}\n  }`;
}

const entryLine = (entry: KeyEntry, metadata: boolean): string =>
	JSON.stringify({
		name: entry.name,
		...(entry.expiration !== undefined && {expiration: isoExpiration(entry.expiration)}),
		...(metadata && entry.metadata !== undefined && {metadata: entry.metadata}),
	});

async function keyTable(entries: readonly KeyEntry[], metadata: boolean): Promise<string> {
	// The table of character widths takes longer to load than a key takes to read.
	const {table} = await import('../terminal/table.ts');
	return table(
		[
			{title: 'NAME', cell: entry => entry.name},
			{
				title: 'EXPIRES',
				cell: entry => (entry.expiration === undefined ? '–' : isoExpiration(entry.expiration)),
			},
			...(metadata
				? [
						{
							title: 'METADATA',
							cell: (entry: KeyEntry) => (entry.metadata === undefined ? '' : JSON.stringify(entry.metadata)),
						},
					]
				: []),
		],
		entries,
	);
}
