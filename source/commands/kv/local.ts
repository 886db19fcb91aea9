import {Failure} from '../../failure.ts';
import type {StoreReport} from '../../kv/local/check.ts';
import {findConfiguration} from '../../settings/discovery.ts';
import {localRoot} from '../../settings/local-root.ts';
import {confirm} from '../../terminal/prompt.ts';
import {quantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, excludesOther, switchOption} from '../shell/declare.ts';
import {persistToOption} from './options.ts';

type CheckOptions = {persistTo?: string; moveAside?: boolean; remove?: boolean};

export const localCheckCommand = defineCommand({
	usage: 'check',
	summary: 'check local data: integrity, lost values, orphaned files',
	example: 'kv local check --move-aside',
	isOffline: true,
	options: () => [
		persistToOption(),
		switchOption('--move-aside', 'move orphaned files into a folder beside them'),
		switchOption('--remove', 'remove them; asks, or wants --yes'),
	],
	run: check,
});

/** `kv local check`: reports problems, and changes files only with an option. Damage exits with 1. */
async function check(context: CommandContext, options: CheckOptions): Promise<void> {
	if (options.moveAside && options.remove) throw excludesOther('--move-aside', '--remove');
	const {checkLocalData} = await import('../../kv/local/check.ts');
	const {value: root} = localRoot({
		cwd: context.cwd,
		persistTo: options.persistTo,
		configurationFile: findConfiguration(context.cwd, context.options.config)?.file,
	});
	const configuration = await context.configuration();
	const ids = (configuration?.namespaces ?? []).flatMap(one =>
		[one.id, one.previewId, one.binding].filter(id => id !== undefined),
	);
	const report = await checkLocalData({root, ids, signal: context.signal});
	if (!context.output.json) await context.output.text(`${linesOf(report).join('\n')}\n`);
	const cleared = await clear(context, options, report);
	if (context.output.json) await context.output.value({...report, ...cleared});
	const damaged = report.databases.filter(database => database.problems.length > 0).length;
	if (damaged > 0 || report.lost.length > 0) {
		throw new Failure('local_store_damaged', 'The local data is damaged.', {
			why: `${quantity(damaged, 'database')} with problems, ${quantity(report.lost.length, 'key')} without a value.`,
			next: 'Put or delete the keys without a value; of a damaged database keep a copy, and start again.',
		});
	}
}

async function clear(
	context: CommandContext,
	{moveAside: aside, remove}: CheckOptions,
	report: StoreReport,
): Promise<{movedTo?: string; removed?: number}> {
	if ((!aside && !remove) || report.orphans.length === 0 || context.options.dryRun) return {};
	context.refuseWhenReadOnly('this command');
	const {moveAside, removeOrphans} = await import('../../kv/local/orphans.ts');
	if (aside) {
		const {folder, moved} = moveAside(report.root, report.orphans);
		context.output.say(`Moved ${quantity(moved, 'file')} to ${folder}.`);
		return {movedTo: folder};
	}
	const question = `Remove ${quantity(report.orphans.length, 'orphaned file')}? This cannot be undone.`;
	await confirm(question, context.confirmation(), context.signal);
	const removed = removeOrphans(report.orphans);
	context.output.say(`Removed ${quantity(removed, 'file')}.`);
	return {removed};
}

function linesOf({root, databases, lost, orphans, young, orphansUnknown}: StoreReport): string[] {
	if (databases.length === 0 && orphans.length === 0) return [`No local data in ${root}.`];
	return [
		`Local data in ${root}`,
		...databases.flatMap(({namespace, file, keys, problems}) => [
			`  ${namespace ?? file}: ${quantity(keys, 'key')}, ${problems.length === 0 ? 'ok' : 'DAMAGED'}`,
			...problems.map(problem => `    ${problem.replaceAll('\n', ' ')}`),
		]),
		...lost.map(
			({namespace, file, key}) => `  lost: the value of ${JSON.stringify(key)} in ${namespace ?? file}`,
		),
		...(orphansUnknown === undefined
			? [
					`  ${quantity(orphans.length, 'orphaned file')}, ${quantity(
						orphans.reduce((sum, one) => sum + one.bytes, 0),
						'byte',
					)}; ${young} more are younger than 24 hours and are left alone`,
				]
			: [`  orphaned files: ${orphansUnknown}`]),
		...orphans.slice(0, 20).map(({file, bytes}) => `    ${file} (${quantity(bytes, 'byte')})`),
		...(orphans.length > 20 ? [`    and ${orphans.length - 20} more; --json lists them all`] : []),
	];
}
