import {Failure} from '../../failure.ts';
import {formatExpiration} from '../../kv/keys.ts';
import {buildTwoStoreWork} from '../../kv/long-work.ts';
import type {KvStore} from '../../kv/store.ts';
import {compareStores, type KeyDifference, type KeyFacts} from '../../kv/transfer/difference.ts';
import {chooseIsOrAre, formatPlainQuantity, formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {createSwitchOption, defineCommand} from '../shell/declare.ts';
import {BufferedJsonList} from './buffered-list.ts';
import {createLongWorkNotice, prefixHint} from './long-work.ts';
import {openStoreBySide, storeNamesHelp, warnAboutJurisdictions} from './open-by-side.ts';
import {createPrefixOption} from './options.ts';
import {createWalkReport} from './progress.ts';

export const kvDiffCommand = defineCommand({
	usage: 'diff <ONE> <OTHER>',
	summary: `compare two stores; ${storeNamesHelp}`,
	example: 'kv diff remote:SESSIONS file:sessions.ndjson --exit-code',
	sampleArguments: 'remote:{namespace} file:put.json',
	options: () => [
		createPrefixOption(),
		createSwitchOption('--names-only', 'compare only names, metadata and expiration as listed, not values'),
		createSwitchOption('--exit-code', 'exit with 1 if the stores differ'),
	],
	run: diffStores,
});

type DiffOptions = {prefix?: string; namesOnly?: boolean; exitCode?: boolean};

/**
 * `kv diff`: prints a line per difference as it is found, and a summary; with `--json`, a list when the
 * comparison is complete. `--exit-code` returns 1 on a difference.
 */
async function diffStores(
	context: CommandContext,
	options: DiffOptions,
	firstStoreName = '',
	secondStoreName = '',
): Promise<void> {
	const {output, signal} = context;
	if (firstStoreName === standardInput && secondStoreName === standardInput)
		throw new Failure('usage', 'Both stores are standard input, which can be read only once.', {
			next: 'Use a file or another store on one side.',
		});
	const {store: firstOpenedStore} = await openStoreBySide(context, firstStoreName, 'from');
	using firstStore = firstOpenedStore;
	const {store: secondOpenedStore} = await openStoreBySide(context, secondStoreName, 'to');
	using secondStore = secondOpenedStore;
	await warnAboutJurisdictions(context, firstStore, secondStore);
	const differenceList = new BufferedJsonList(context);
	const counts = {same: 0, 'only in one': 0, 'only in other': 0, differs: 0, missing: 0};
	const comparison = {prefix: options.prefix, withoutValues: options.namesOnly === true};
	const countDifferences = () => counts['only in one'] + counts['only in other'] + counts.differs;
	{
		using report = createWalkReport(context, 'comparing', 'difference');
		const warnIfLong = createLongWorkNotice(
			context,
			getComparisonWork(firstStore, secondStore, options),
			report.clear,
		);
		for await (const {differences, sameCount, missingCount} of compareStores(
			firstStore,
			secondStore,
			comparison,
			signal,
		)) {
			counts.same += sameCount;
			counts.missing += missingCount;
			for (const {kind} of differences) counts[kind]++;
			if (output.json) for (const difference of differences) differenceList.add(toDifferenceJson(difference));
			else if (differences.length > 0) await report.print(differences.map(formatDifference).join(''));
			warnIfLong(counts.same + countDifferences());
			report.show(counts.same + countDifferences(), countDifferences());
		}
	}
	if (output.json) await differenceList.print();
	output.say(formatSummary(counts, firstStoreName, secondStoreName));
	if (countDifferences() > 0 && options.exitCode) context.setExitCode(1);
}

/** Describes what the comparison reads, for the warning about long work. */
function getComparisonWork(firstStore: KvStore, secondStore: KvStore, {namesOnly}: DiffOptions) {
	return {
		// 'both' means names and values.
		...buildTwoStoreWork(firstStore, secondStore, namesOnly ? 'names' : 'both'),
		hint: namesOnly ? prefixHint : 'Use --prefix for fewer keys, or --names-only to skip values.',
	};
}

const standardInput = 'file:-';

const differenceSymbols = {'only in one': '<', 'only in other': '>', differs: '≠'} as const;

function formatDifference(difference: KeyDifference): string {
	const parts =
		difference.kind === 'differs'
			? `  (${difference.parts.map(part => formatDifferingPart(part, difference)).join(', ')})`
			: '';
	return `${differenceSymbols[difference.kind]} ${JSON.stringify(difference.key)}${parts}\n`;
}

function formatDifferingPart(
	part: 'value' | 'metadata' | 'expiration',
	{one, other}: {one: KeyFacts; other: KeyFacts},
): string {
	switch (part) {
		case 'value':
			return formatSizes(one.bytes ?? 0, other.bytes ?? 0);
		case 'expiration':
			return `expiration ${formatFactsExpiry(one)} and ${formatFactsExpiry(other)}`;
		case 'metadata':
			return 'metadata';
		default:
			return part satisfies never;
	}
}

const formatSizes = (firstSize: number, secondSize: number): string =>
	firstSize === secondSize
		? `value, both ${formatPlainQuantity(firstSize, 'byte')}`
		: `value, ${firstSize} and ${secondSize} bytes`;

const formatFactsExpiry = ({expiration}: KeyFacts): string =>
	expiration === undefined ? 'never' : formatExpiration(expiration);

function formatSummary(
	counts: Readonly<Record<KeyDifference['kind'] | 'same' | 'missing', number>>,
	firstStoreName: string,
	secondStoreName: string,
): string {
	const {same: sameCount, missing: missingCount} = counts;
	const parts = [
		...(counts['only in one'] > 0 ? [`${counts['only in one']} only in ${firstStoreName}`] : []),
		...(counts['only in other'] > 0 ? [`${counts['only in other']} only in ${secondStoreName}`] : []),
		...(counts.differs > 0 ? [`${counts.differs} ${counts.differs === 1 ? 'differs' : 'differ'}`] : []),
	];
	const changedNote =
		missingCount > 0 ? ` ${formatQuantity(missingCount, 'key')} no longer existed when read.` : '';
	return parts.length === 0
		? `Identical: ${formatQuantity(sameCount, 'key')}.${changedNote}`
		: `${parts.join(', ')}; ${sameCount} ${chooseIsOrAre(sameCount)} the same.${changedNote}`;
}

function toDifferenceJson(difference: KeyDifference) {
	const {key, kind} = difference;
	return {
		key,
		kind: kind === 'only in one' ? 'only_in_one' : kind === 'only in other' ? 'only_in_other' : 'differs',
		parts: 'parts' in difference ? difference.parts : [],
		one: 'one' in difference ? toFactsJson(difference.one) : null,
		other: 'other' in difference ? toFactsJson(difference.other) : null,
	};
}

const toFactsJson = (facts: KeyFacts) => ({
	bytes: facts.bytes ?? null,
	metadata: facts.metadata ?? null,
	expiration: facts.expiration === undefined ? null : formatExpiration(facts.expiration),
});
