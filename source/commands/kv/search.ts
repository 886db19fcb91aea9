import {Failure} from '../../failure.ts';
import {type Hit, search} from '../../kv/transfer/search.ts';
import type {CommandContext} from '../shell/context.ts';
import {HeldList} from './held-list.ts';
import {longWorkNotice, takesAPart} from './long-work.ts';
import {walkReport} from './progress.ts';
import {openNamespace} from './stores.ts';
import type {SearchOptions} from './transfer.ts';

/** `kv search`: prints what it finds as it finds it; nothing found is the exit code 1, as with `grep`. */
export async function searchKeys(
	context: CommandContext,
	options: SearchOptions,
	pattern = '',
): Promise<void> {
	const {output, signal} = context;
	if (options.names && options.values)
		throw new Failure('usage', '--names and --values exclude each other.', {
			next: 'Leave both out to look in names and values.',
		});
	using store = await openNamespace(context, options, {mustExist: true});
	const hits = new HeldList(context);
	let [left, found, keys] = [options.limit ?? Number.POSITIVE_INFINITY, 0, 0];
	const asked = {
		pattern,
		isRegex: options.regex === true,
		ignoresCase: options.ignoreCase === true,
		within: options.names ? 'names' : options.values ? 'values' : 'both',
		prefix: options.prefix,
	} as const;
	{
		using report = walkReport(context, 'searching', 'hit');
		const work = {reads: options.names ? 'names' : 'both', quota: store.quota?.()} as const;
		const shorter = options.names ? takesAPart : '--prefix takes a part of them, --names reads no values.';
		const notice = longWorkNotice(context, {...work, shorter}, report.clear);
		for await (const piece of search(store, asked, signal)) {
			const shown = piece.hits.slice(0, left);
			left -= shown.length;
			found += shown.length;
			keys += piece.keys;
			if (output.json) for (const hit of shown) hits.add(hitJson(hit));
			else if (shown.length > 0) await report.print(shown.map(lineOf).join(''));
			if (left <= 0) break;
			notice(keys);
			report.show(keys, found);
		}
	}
	if (output.json) await hits.print();
	if (found === 0) {
		output.mention('Nothing was found.');
		context.answer(1);
	}
}

const lineOf = ({key, in: where, line, offset, excerpt}: Hit): string =>
	where === 'name'
		? `${JSON.stringify(key)}\n`
		: `${JSON.stringify(key)}:${line ?? `@${offset}`}: ${excerpt.trim()}\n`;

const hitJson = ({key, in: where, line, offset, excerpt}: Hit) => ({
	key,
	in: where,
	line: line ?? null,
	offset: offset ?? null,
	excerpt,
});
