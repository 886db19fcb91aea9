import {type Hit, search} from '../../kv/transfer/search.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	defineCommand,
	excludesOther,
	numberOption,
	type OptionValues,
	switchOption,
} from '../shell/declare.ts';
import {HeldList} from './held-list.ts';
import {longWorkNotice, takesAPart} from './long-work.ts';
import {prefixOption, targetOptions} from './options.ts';
import {walkReport} from './progress.ts';
import {openNamespace} from './stores.ts';

const searchOptions = () => [
	switchOption('--regex', 'TEXT is a regular expression of JavaScript'),
	switchOption('-i, --ignore-case', 'upper and lower case are the same'),
	switchOption('--names', 'only in names'),
	switchOption('--values', 'only in values'),
	prefixOption(),
	numberOption('--limit <n>', 'maximum number of matches', 1),
	...targetOptions(),
];

type SearchOptions = OptionValues<typeof searchOptions>;

export const kvSearchCommand = defineCommand({
	usage: 'search <TEXT>',
	summary: 'look for a text in names and values, printed as it is found',
	example: 'kv search user-4711 --binding SESSIONS --values',
	sample: 'features --namespace-id {namespace}',
	options: searchOptions,
	run: searchKeys,
});

/** `kv search`: prints matches as they are found. No match exits with 1, like `grep`. */
async function searchKeys(context: CommandContext, options: SearchOptions, pattern = ''): Promise<void> {
	const {output, signal} = context;
	if (options.names && options.values)
		throw excludesOther('--names', '--values', 'Leave both out to look in names and values.');
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
