import {Failure} from '../../failure.ts';
import type {StoreReport} from '../../kv/local/check.ts';
import {findConfiguration} from '../../settings/discovery.ts';
import {resolveLocalRoot} from '../../settings/local-root.ts';
import {confirmAction} from '../../terminal/prompt.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {buildExclusionFailure, createSwitchOption, defineCommand} from '../shell/declare.ts';
import {createPersistToOption} from './options.ts';

type CheckOptions = {persistTo?: string; moveAside?: boolean; remove?: boolean};

export const localCheckCommand = defineCommand({
	usage: 'check',
	summary: 'check local data: integrity, lost values, orphaned files',
	example: 'kv local check --move-aside',
	isOffline: true,
	options: () => [
		createPersistToOption(),
		createSwitchOption('--move-aside', 'move orphaned files to a folder next to them'),
		createSwitchOption('--remove', 'remove orphaned files; asks first, or needs --yes'),
	],
	run: runLocalCheck,
});

/**
 * `kv local check`: reports problems, and changes files only with an option. Exits with 1 if data is damaged.
 */
async function runLocalCheck(context: CommandContext, options: CheckOptions): Promise<void> {
	if (options.moveAside && options.remove) throw buildExclusionFailure('--move-aside', '--remove');
	const {checkLocalData} = await import('../../kv/local/check.ts');
	const {value: root} = resolveLocalRoot({
		cwd: context.cwd,
		persistTo: options.persistTo,
		configurationFile: findConfiguration(context.cwd, context.options.config)?.file,
	});
	const configuration = await context.configuration();
	// Without an id, the local namespace of a binding has the name of the binding.
	const ids = (configuration?.namespaces ?? []).flatMap(namespace =>
		[namespace.id, namespace.previewId, namespace.binding].filter(id => id !== undefined),
	);
	const report = await checkLocalData({root, ids, signal: context.signal});
	if (!context.output.json) await context.output.writeText(`${formatStoreReport(report).join('\n')}\n`);
	const clearResult = await clearOrphans(context, options, report);
	if (context.output.json) await context.output.writeJson({...report, ...clearResult});
	const damagedCount = report.databases.filter(database => database.problems.length > 0).length;
	if (damagedCount > 0 || report.lost.length > 0) {
		throw new Failure('local_store_damaged', 'The local data is damaged.', {
			why: `${formatPlainQuantity(damagedCount, 'database')} with problems, ${formatPlainQuantity(report.lost.length, 'key')} without a value.`,
			next: 'Write or delete the keys without a value. Keep a copy of a damaged database, then start over.',
		});
	}
}

async function clearOrphans(
	context: CommandContext,
	{moveAside: movesAside, remove}: CheckOptions,
	report: StoreReport,
): Promise<{movedTo?: string; removed?: number}> {
	if ((!movesAside && !remove) || report.orphans.length === 0 || context.options.dryRun) return {};
	context.refuseWhenReadOnly('this command');
	const {moveOrphansAside, removeOrphans} = await import('../../kv/local/orphans.ts');
	if (movesAside) {
		const {folder, moved} = moveOrphansAside(report.root, report.orphans);
		context.output.say(`Moved ${formatPlainQuantity(moved, 'file')} to ${folder}.`);
		return {movedTo: folder};
	}
	const question = `Remove ${formatPlainQuantity(report.orphans.length, 'orphaned file')}? This cannot be undone.`;
	await confirmAction(question, context.getConfirmation(), context.signal);
	const removed = removeOrphans(report.orphans);
	context.output.say(`Removed ${formatPlainQuantity(removed, 'file')}.`);
	return {removed};
}

function formatStoreReport({
	root,
	databases,
	lost,
	orphans,
	young: recentOrphanCount,
	orphansUnknown: orphansUnknownReason,
}: StoreReport): string[] {
	if (databases.length === 0 && orphans.length === 0) return [`No local data in ${root}.`];
	return [
		`Local data in ${root}`,
		...databases.flatMap(({namespace, file, keys, problems}) => [
			`  ${namespace ?? file}: ${formatPlainQuantity(keys, 'key')}, ${problems.length === 0 ? 'ok' : 'DAMAGED'}`,
			...problems.map(problem => `    ${problem.replaceAll('\n', ' ')}`),
		]),
		...lost.map(({namespace, file, key}) => `  lost value: ${JSON.stringify(key)} in ${namespace ?? file}`),
		...(orphansUnknownReason === undefined
			? [
					`  ${formatPlainQuantity(orphans.length, 'orphaned file')}, ${formatPlainQuantity(
						orphans.reduce((sum, orphan) => sum + orphan.bytes, 0),
						'byte',
					)}; ${recentOrphanCount} more are younger than 24 hours and are left alone`,
				]
			: [`  orphaned files: ${orphansUnknownReason}`]),
		...orphans.slice(0, 20).map(({file, bytes}) => `    ${file} (${formatPlainQuantity(bytes, 'byte')})`),
		...(orphans.length > 20 ? [`    and ${orphans.length - 20} more; --json lists them all`] : []),
	];
}
