import {Failure} from '../../failure.ts';
import {isoExpiration} from '../../kv/keys.ts';
import {workOfBoth} from '../../kv/long-work.ts';
import type {KvStore} from '../../kv/store.ts';
import {compareStores, type Difference, type Facts} from '../../kv/transfer/difference.ts';
import {counted, isOrAre, quantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, switchOption} from '../shell/declare.ts';
import {HeldList} from './held-list.ts';
import {longWorkNotice, takesAPart} from './long-work.ts';
import {namedStore, storeNames} from './named-store.ts';
import {prefixOption} from './options.ts';
import {walkReport} from './progress.ts';

export const kvDiffCommand = defineCommand({
	usage: 'diff <ONE> <OTHER>',
	summary: `tell in what two stores differ; ${storeNames}`,
	example: 'kv diff remote:SESSIONS file:sessions.ndjson --exit-code',
	sample: 'remote:{namespace} file:put.json',
	options: () => [
		prefixOption(),
		switchOption('--names-only', 'compare names, metadata and expiry as they are listed, and no values'),
		switchOption('--exit-code', 'exit with 1 where there is a difference'),
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
	one = '',
	other = '',
): Promise<void> {
	const {output, signal} = context;
	if (one === standardInput && other === standardInput)
		throw new Failure('usage', 'Both names mean standard input, which can be read only once.', {
			next: 'Name a file, or another store, on one side.',
		});
	const {store: left} = await namedStore(context, one, 'from');
	using first = left;
	const {store: right} = await namedStore(context, other, 'to');
	using second = right;
	const found = new HeldList(context);
	const counts = {same: 0, 'only in one': 0, 'only in other': 0, differs: 0, gone: 0};
	const comparison = {prefix: options.prefix, withoutValues: options.namesOnly === true};
	const differing = () => counts['only in one'] + counts['only in other'] + counts.differs;
	{
		using report = walkReport(context, 'comparing', 'difference');
		const notice = longWorkNotice(context, comparedWork(first, second, options), report.clear);
		for await (const {differences, same, gone} of compareStores(first, second, comparison, signal)) {
			counts.same += same;
			counts.gone += gone;
			for (const {kind} of differences) counts[kind]++;
			if (output.json) for (const difference of differences) found.add(differenceJson(difference));
			else if (differences.length > 0) await report.print(differences.map(line).join(''));
			notice(counts.same + differing());
			report.show(counts.same + differing(), differing());
		}
	}
	if (output.json) await found.print();
	output.say(sentence(counts, one, other));
	if (differing() > 0 && options.exitCode) context.answer(1);
}

/** Describes the reads for the notice of long work. */
function comparedWork(one: KvStore, other: KvStore, {namesOnly}: DiffOptions) {
	return {
		...workOfBoth(one, other, namesOnly ? 'names' : 'both'),
		shorter: namesOnly ? takesAPart : '--prefix takes a part of them, --names-only reads no values.',
	};
}

const standardInput = 'file:-';

const signs = {'only in one': '<', 'only in other': '>', differs: '≠'} as const;

function line(difference: Difference): string {
	const parts =
		difference.kind === 'differs'
			? `  (${difference.parts.map(part => partWords(part, difference)).join(', ')})`
			: '';
	return `${signs[difference.kind]} ${JSON.stringify(difference.key)}${parts}\n`;
}

function partWords(
	part: 'value' | 'metadata' | 'expiration',
	{one, other}: {one: Facts; other: Facts},
): string {
	switch (part) {
		case 'value':
			return valueWords(one.bytes ?? 0, other.bytes ?? 0);
		case 'expiration':
			return `expiration ${expiry(one)} and ${expiry(other)}`;
		case 'metadata':
			return 'metadata';
		default:
			return part satisfies never;
	}
}

const valueWords = (one: number, other: number): string =>
	one === other ? `value, ${quantity(one, 'byte')} both` : `value, ${one} and ${other} bytes`;

const expiry = ({expiration}: Facts): string =>
	expiration === undefined ? 'never' : isoExpiration(expiration);

function sentence(
	counts: Readonly<Record<Difference['kind'] | 'same' | 'gone', number>>,
	one: string,
	other: string,
): string {
	const {same, gone} = counts;
	const only = [
		...(counts['only in one'] > 0 ? [`${counts['only in one']} only in ${one}`] : []),
		...(counts['only in other'] > 0 ? [`${counts['only in other']} only in ${other}`] : []),
		...(counts.differs > 0 ? [`${counts.differs} ${counts.differs === 1 ? 'differs' : 'differ'}`] : []),
	];
	const moved = gone > 0 ? ` ${counted(gone, 'key')} changed while they were compared.` : '';
	return only.length === 0
		? `Identical: ${counted(same, 'key')}.${moved}`
		: `${only.join(', ')}; ${same} ${isOrAre(same)} the same.${moved}`;
}

function differenceJson(difference: Difference) {
	const {key, kind} = difference;
	return {
		key,
		kind: kind === 'only in one' ? 'only_in_one' : kind === 'only in other' ? 'only_in_other' : 'differs',
		parts: 'parts' in difference ? difference.parts : [],
		one: 'one' in difference ? factsJson(difference.one) : null,
		other: 'other' in difference ? factsJson(difference.other) : null,
	};
}

const factsJson = (facts: Facts) => ({
	bytes: facts.bytes ?? null,
	metadata: facts.metadata ?? null,
	expiration: facts.expiration === undefined ? null : isoExpiration(facts.expiration),
});
