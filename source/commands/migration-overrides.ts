import type {Command} from 'commander';
import {asFailure, Failure} from '../failure.ts';
import {readBackup} from '../migration/backup.ts';
import {
	deleteOverride,
	overrides,
	type Restored,
	readOverride,
	restoreOverrides,
	type WafOverride,
} from '../migration/overrides.ts';
import {readSnapshot} from '../migration/read-snapshot.ts';
import type {Snapshot} from '../migration/snapshot.ts';
import {quoted} from '../service/curl.ts';
import {confirm} from '../terminal/prompt.ts';
import {table} from '../terminal/table.ts';
import {counted} from '../text/figures.ts';
import type {CommandContext} from './context.ts';
import {declareCommand, declareGroup, valueOption} from './declare.ts';
import {partly} from './firewall-partly.ts';
import {leadingCommands} from './leading-there.ts';
import {openedJournal} from './migration-kept.ts';
import {migrationCommand, type OpenedMigration, openMigration} from './migration-zone.ts';

/** `migration overrides`: what hinders the migration of a zone, and may be deleted for it (decision 32). */
export function declareMigrationOverrides(parent: Command): void {
	const group = declareGroup(
		parent,
		'overrides',
		'list, delete and restore URI-based overrides',
		'migration overrides list --zone example.com',
	);
	declareCommand(group, {
		usage: 'list',
		summary: 'URI-based overrides of the previous managed rules, which hinder the migration',
		isDefault: true,
		example: 'migration overrides list --zone example.com',
		run: list,
	});
	declareCommand(group, {
		usage: 'delete <ID...>',
		summary: 'delete overrides by their ids; a backup of the zone is written first',
		example: 'migration overrides delete de677e5818985db1285d0e80225f06e5 --zone example.com',
		run: (context, _options, ...ids) => remove(context, ids),
	});
	declareCommand<{id?: string}>(group, {
		usage: 'restore <BACKUP>',
		summary: 'bring deleted overrides back out of a backup, all or one',
		example: 'migration overrides restore backup-2026-11-21T0310Z --zone example.com',
		options: () => [valueOption('--id <id>', 'only this one')],
		run: (context, {id}, backup) => restore(context, backup ?? '', id),
	});
}

async function list(context: CommandContext): Promise<void> {
	const {client, zone} = await openMigration(context, {writes: false});
	const found = await overrides(client, zone.id, context.signal);
	if (context.output.json) return context.output.value(found.map(({raw}) => raw));
	await context.output.text(found.length === 0 ? 'No overrides.\n' : overrideTable(found));
}

const overrideTable = (found: readonly WafOverride[]): string =>
	table(
		[
			{title: 'ID', cell: one => one.id},
			{title: 'URLS', cell: one => one.urls.join(' ')},
			{title: 'WHAT', cell: settingWords},
			{title: 'PAUSED', cell: one => (one.paused ? 'yes' : 'no')},
			{title: 'DESCRIPTION', cell: one => one.description ?? ''},
		],
		found,
	);

function settingWords({groups, rules, rewriteAction}: WafOverride): string {
	const counts = [
		[Object.keys(groups).length, 'group'],
		[Object.keys(rules).length, 'rule'],
	] as const;
	const rewrites = Object.entries(rewriteAction).map(([from, to]) => `${from} → ${to}`);
	return [
		...counts.flatMap(([count, what]) => (count === 0 ? [] : [counted(count, what)])),
		...rewrites,
	].join(', ');
}

async function remove(context: CommandContext, ids: readonly string[]): Promise<void> {
	const {output, signal, options} = context;
	context.refuseWhenReadOnly('deleting overrides');
	const wanted = [...new Set(ids)];
	const opened = await openMigration(context, {writes: true});
	const {client, zone, place} = opened;
	const there = await overrides(client, zone.id, signal);
	const found = there.filter(({id}) => wanted.includes(id));
	for (const id of wanted) if (!found.some(one => one.id === id)) output.say(`There is no override ${id}.`);
	context.announceWrite(zone.label);
	if (found.length > 0 && !options.dryRun) output.say(overrideTable(found).trimEnd());
	const snapshot =
		found.length === 0
			? undefined
			: await readSnapshot(client, zone, place, {signal, onStep: what => output.mention(`Reading ${what}.`)});
	const backup = snapshot && !options.dryRun ? await kept(context, opened, snapshot) : undefined;
	if (backup !== undefined) {
		output.say(`A backup of the zone is in ${backup}.`);
		const what = found.length === 1 ? 'this override' : `these ${found.length} overrides`;
		await confirm(
			`Delete ${what} of ${zone.label}? Until the migration is complete, the backup brings them back.`,
			context.confirmation(),
			signal,
		);
	}
	const deleted = await context.auditedWrites(zone.label, async steps => {
		const gone: string[] = [];
		for (const [index, {id}] of found.entries()) {
			try {
				await deleteOverride(client, zone, id, snapshot, {signal, ...steps});
			} catch (error) {
				throw partly(
					asFailure(error),
					'Deleted',
					found.map(one => one.id),
					index,
				);
			}
			gone.push(id);
			if (!options.dryRun) output.say(`Deleted override ${id}.`);
		}
		return gone;
	});
	if (options.dryRun) return;
	if (backup !== undefined) {
		const back = migrationCommand(zone, 'overrides', 'restore', backup);
		output.say(`To bring back what was deleted: ${leadingCommands(back, options)}`);
	}
	if (output.json)
		await output.value(
			wanted.map(id => context.marked({id, deleted: deleted.includes(id), backup: backup ?? null})),
		);
}

/** Writes the backup into the zone's folder, which only one process at a time works in. */
async function kept(context: CommandContext, opened: OpenedMigration, snapshot: Snapshot): Promise<string> {
	await using journal = await openedJournal(context, opened);
	return (await journal.journal.backUp(snapshot, undefined)).folder;
}

async function restore(context: CommandContext, word: string, id: string | undefined): Promise<void> {
	const {output, signal, options} = context;
	context.refuseWhenReadOnly('restoring overrides');
	const backup = readBackup(context.resolve(word));
	const held = backup.overrides.map(readOverride);
	const wanted = id === undefined ? held : held.filter(one => one.id === id);
	if (wanted.length === 0) {
		throw new Failure(
			'not_found',
			`The backup ${word} holds no override${id === undefined ? '' : ` ${id}`}.`,
			{
				next: 'Name another backup, or an id that is in it.',
			},
		);
	}
	const {client, zone} = await openMigration(context, {writes: true});
	context.announceWrite(zone.label);
	if (!options.dryRun) output.say(overrideTable(wanted).trimEnd());
	await confirm(
		`Put ${counted(wanted.length, 'override')} in force again in ${zone.label}?`,
		context.confirmation(),
		signal,
	);
	const done = await context.auditedWrites(
		zone.label,
		steps => restoreOverrides(client, zone, backup, id === undefined ? 'all' : [id], {signal, ...steps}),
		all => all.map(failureOf).find(Boolean),
	);
	if (options.dryRun) return;
	if (!output.json) for (const one of done) output.say(restoredWords(one));
	const failed = done.map(failureOf).find(Boolean);
	if (failed) {
		throw failed.with({
			left: [failed.details.left, ...done.map(restoredWords)].filter(Boolean).join('\n'),
			next: `Those that are back already are left alone: \`${migrationCommand(zone, 'overrides', 'restore', word)}\``,
		});
	}
	if (output.json) await output.value(done.map(one => context.marked(restoredJson(one))));
}

const failureOf = (one: Restored): Failure | undefined => (one.state === 'failed' ? one.failure : undefined);

const restoredJson = (one: Restored) => ({
	id: one.id,
	state: one.state,
	as: 'as' in one ? one.as : null,
});

function restoredWords(one: Restored): string {
	switch (one.state) {
		case 'restored':
			return `Override ${one.id} is back, as ${one.as}.`;
		case 'there already':
			return `Override ${one.id} is there already${one.as === one.id ? '' : `, as ${one.as}`}.`;
		case 'there otherwise':
			return `Override ${quoted(one.id)} is there with another content, and was left alone.`;
		case 'failed':
			return `Override ${one.id} is not back: ${one.failure.message}`;
		case 'not tried':
			return `Override ${one.id} was not tried.`;
		default:
			return one satisfies never;
	}
}
