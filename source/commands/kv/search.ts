import {Failure} from '../../failure.ts';
import {type Hit, type Search, searchStore} from '../../kv/transfer/search.ts';
import {isUtf8Text} from '../../text/json/content.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	buildExclusionFailure,
	createNumberOption,
	createSwitchOption,
	defineCommand,
	type OptionValues,
} from '../shell/declare.ts';
import {BufferedJsonList} from './buffered-list.ts';
import {createWhereOption, parseConditions} from './conditions.ts';
import {createQueryOption} from './decode-option.ts';
import {createLongWorkNotice, prefixHint} from './long-work.ts';
import {buildTargetOptions, createPrefixOption} from './options.ts';
import {createWalkReport} from './progress.ts';
import {openNamespaceStore} from './stores.ts';

const buildSearchOptions = () => [
	createSwitchOption('--regex', 'treat TEXT as a JavaScript regular expression'),
	createSwitchOption('-i, --ignore-case', 'ignore case'),
	createSwitchOption('--names', 'search only names'),
	createSwitchOption('--values', 'search only values'),
	createPrefixOption(),
	createWhereOption(),
	createQueryOption('only values in which a JMESPath query finds something; TEXT may be left out'),
	createNumberOption('--limit <n>', 'maximum number of matches', 1),
	...buildTargetOptions(),
];

type SearchOptions = OptionValues<typeof buildSearchOptions>;

export const kvSearchCommand = defineCommand({
	usage: 'search [TEXT]',
	summary: 'search key names and values; prints matches as it finds them',
	example: 'kv search user-4711 --binding SESSIONS --values',
	sampleArguments: 'features --namespace-id {namespace}',
	formatDetails: () =>
		'A text with JSON punctuation also finds compact JSON in values: \'"stock": 4\' finds "stock":41.',
	options: buildSearchOptions,
	run: runKeySearch,
});

/** `kv search`: prints matches as they are found. No match exits with 1, like `grep`. */
async function runKeySearch(
	context: CommandContext,
	options: SearchOptions,
	pattern?: string,
): Promise<void> {
	const {output, signal} = context;
	if (options.names && options.values)
		throw buildExclusionFailure('--names', '--values', 'Leave out both to search names and values.');
	const ask = await createQuestion(options, pattern);
	const condition = parseConditions(options);
	using store = await openNamespaceStore(context, options, {mustExist: true});
	const hits = new BufferedJsonList(context);
	let [remaining, foundCount, keyCount] = [options.limit ?? Number.POSITIVE_INFINITY, 0, 0];
	const query = {
		pattern: pattern ?? '',
		ask,
		isRegex: options.regex === true,
		ignoresCase: options.ignoreCase === true,
		within: options.names ? 'names' : options.values || pattern === undefined ? 'values' : 'both',
		prefix: options.prefix,
		condition,
	} as const;
	{
		using report = createWalkReport(context, 'searching', 'hit');
		const work = {content: options.names ? 'names' : 'both', quota: store.quota?.()} as const;
		const hint = options.names ? prefixHint : 'Use --prefix for fewer keys, or --names to skip values.';
		const warnIfLong = createLongWorkNotice(context, {...work, hint}, report.clear);
		for await (const piece of searchStore(store, query, signal)) {
			const shownHits = piece.hits.slice(0, remaining);
			remaining -= shownHits.length;
			foundCount += shownHits.length;
			keyCount += piece.keyCount;
			if (output.json) for (const hit of shownHits) hits.add(toHitJson(hit));
			else if (shownHits.length > 0) await report.print(shownHits.map(formatHit).join(''));
			if (remaining <= 0) break;
			warnIfLong(keyCount);
			report.show(keyCount, foundCount);
		}
	}
	if (output.json) await hits.print();
	if (foundCount === 0) {
		output.sayIfInteractive('No matches.');
		context.setExitCode(1);
	}
}

/** Milliseconds that a query may take per value. */
const queryTimeoutMs = 20_000;

/** Creates what asks `--query` of a value; undefined without that option. Fails with `usage`. */
async function createQuestion(
	{query, names}: SearchOptions,
	pattern: string | undefined,
): Promise<Search['ask']> {
	if (query === undefined) {
		if (pattern !== undefined) return undefined;
		throw new Failure('usage', 'Neither a text nor a query was given.', {
			next: 'Give TEXT, or --query, or both.',
		});
	}
	if (names) throw buildExclusionFailure('--names', '--query', '--names does not read values.');
	const {askDocument, checkQuery, isQueryMatch, parseQueryDocument} = await import('../../query/query.ts');
	checkQuery(query);
	return bytes => {
		const document = isUtf8Text(bytes) ? parseQueryDocument(Buffer.from(bytes).toString('utf8')) : undefined;
		return (
			document &&
			askDocument(document, query, queryTimeoutMs, result =>
				isQueryMatch(result) ? JSON.stringify(result) : undefined,
			)
		);
	};
}

const formatHit = ({key, in: where, line, offset, excerpt}: Hit): string =>
	where === 'name'
		? `${JSON.stringify(key)}\n`
		: `${JSON.stringify(key)}:${formatHitPlace(line, offset)} ${excerpt.trim()}\n`;

const formatHitPlace = (line: number | undefined, offset: number | undefined): string =>
	line === undefined && offset === undefined ? '' : `${line ?? `@${offset}`}:`;

const toHitJson = ({key, in: where, line, offset, excerpt}: Hit) => ({
	key,
	in: where,
	line: line ?? null,
	offset: offset ?? null,
	excerpt,
});
