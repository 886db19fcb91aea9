import {existsSync} from 'node:fs';
import {basename, join} from 'node:path';
import {asFailure, Failure, isFailure, type NamedCommand} from '../../failure.ts';
import {readBackup} from '../../migration/journal/backup.ts';
import {withDeleted, withRestored} from '../../migration/journal/deleted-overrides.ts';
import type {MigrationJournal} from '../../migration/journal/journal.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import {deleteOverrides, deletionFailure, deletionSentence} from '../../migration/zone/delete-override.ts';
import {overrides} from '../../migration/zone/listed-overrides.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {readOverride, type WafOverride} from '../../migration/zone/override.ts';
import {findOverrideReductions, overrideReductionSentence} from '../../migration/zone/override-protection.ts';
import {refuseOtherZone, refuseUnlessPrevious} from '../../migration/zone/override-writing.ts';
import {besideThose, type Restored, restoreOverrides} from '../../migration/zone/restore-overrides.ts';
import {parts} from '../../migration/zone/snapshot.ts';
import {isWithheld} from '../../migration/zone/unavailable.ts';
import {quoted} from '../../service/curl.ts';
import {outcomeOf} from '../../service/outcome.ts';
import {type Plan, planNames} from '../../service/plan.ts';
import {qualified} from '../../session/qualify-commands.ts';
import {placeOfZone} from '../../session/write-place.ts';
import {confirm} from '../../terminal/prompt.ts';
import {table} from '../../terminal/table.ts';
import {advice, adviceLines} from '../../text/advice.ts';
import {counted} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, valueOption} from '../shell/declare.ts';
import {confirmWrite, confirmZoneName, type ZoneNameOptions, zoneNameOption} from '../shell/zone-name.ts';
import {openedJournal, recordOf, zoneFolder} from './journal.ts';
import {type OpenedMigration, openMigration, readZone} from './zone.ts';

/** `migration overrides`: what blocks the migration of a zone, and can be deleted for it. */
export const migrationOverrideCommands = [
	defineCommand({
		usage: 'list',
		summary: 'URI-based overrides of the previous managed rules, which block the migration',
		isDefault: true,
		example: 'migration overrides list --zone example.com',
		sample: '--zone acme-legacy.example',
		run: list,
	}),
	defineCommand({
		usage: 'delete <ID...>',
		summary: 'delete overrides by their ids; a backup of the zone is written first',
		example: 'migration overrides delete de677e5818985db1285d0e80225f06e5 --zone example.com',
		writes: 'deleting overrides',
		sample: '94a1d7ce5d80bd3a8c1dcd8b40eb6f0a --zone acme-legacy.example',
		options: () => [zoneNameOption('required if an override is stricter than the rules without it')],
		run: (context, given, ...ids) => remove(context, given, ids),
	}),
	defineCommand({
		usage: 'restore <BACKUP>',
		summary: 'bring deleted overrides back out of a backup, all or one',
		example: 'migration overrides restore backup-2026-11-21T0310Z --zone example.com',
		writes: 'restoring overrides',
		sample: 'backup.json --zone acme-legacy.example',
		options: () => [
			valueOption('--id <id>', 'only this one'),
			zoneNameOption('required if an override is weaker than the rules without it'),
		],
		run: (context, given, backup) => restore(context, given, backup ?? ''),
	}),
];

type RestoreOptions = ZoneNameOptions & {id?: string};

async function list(context: CommandContext): Promise<void> {
	const found = await listed(await openMigration(context, {writes: false}), context.signal);
	if (context.output.json) return context.output.value(found.map(({raw}) => raw));
	await context.output.text(found.length === 0 ? 'No overrides.\n' : overrideTable(found));
}

/**
 * Reads the overrides of a zone. Fails with exit code 5 if its plan has none, or if they ended with the
 * migration.
 */
async function listed({client, zone}: OpenedMigration, signal: AbortSignal): Promise<readonly WafOverride[]> {
	try {
		return await overrides(client, zone.id, signal);
	} catch (error) {
		const failure = asFailure(error);
		if (!isWithheld(failure)) throw failure;
		if (zone.plan !== undefined && zone.plan !== 'enterprise' && outcomeOf(failure) !== 'not allowed')
			throw withoutOverrides(zone, zone.plan, failure);
		await refuseUnlessPrevious(client, zone, 'URI-based override', signal);
		throw failure;
	}
}

function withoutOverrides(
	{id, label}: MigrationZone,
	plan: Exclude<Plan, 'enterprise'>,
	{message: why, details}: Failure,
): Failure {
	return new Failure(
		plan === 'free' ? 'not_eligible' : 'plan_lacks',
		`${label} has no URI-based overrides: they are of the Enterprise plan, and this is ${planNames[plan]}.`,
		{
			...{why, http: details.http, ray: details.ray},
			next: advice`See whether it can migrate: \`${migrationCommand({id}, 'check')}\``,
		},
	);
}

/** Prints what is about to change, before the question. */
function show({output}: CommandContext, found: readonly WafOverride[]): void {
	for (const line of overrideTable(found).trimEnd().split('\n')) output.say(line);
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

async function remove(
	context: CommandContext,
	{confirm: given}: ZoneNameOptions,
	ids: readonly string[],
): Promise<void> {
	const {output, signal, options} = context;
	const wanted = [...new Set(ids)];
	const opened = await openMigration(context, {writes: true});
	const {client, zone} = opened;
	const present = await listed(opened, signal);
	const found = present.filter(({id}) => wanted.includes(id));
	for (const id of wanted) if (!found.some(one => one.id === id)) output.say(`There is no override ${id}.`);
	await context.announceWrite(placeOfZone(zone));
	const staying = present.filter(one => !found.includes(one));
	const snapshot = found.length === 0 ? undefined : await readZone(context, opened);
	if (snapshot) {
		if (!options.dryRun) show(context, found);
		const reductions = findOverrideReductions('deleting', found, snapshot, staying).map(one =>
			overrideReductionSentence('deleting', one),
		);
		await confirmDeletion(context, zone, found, reductions, given);
	}
	// A lock: deletions are recorded beside the backup.
	await using journal = snapshot && !options.dryRun ? await openedJournal(context, opened) : undefined;
	const backup = snapshot && journal ? (await journal.journal.backUp(snapshot, undefined)).folder : undefined;
	if (backup !== undefined) output.say(`A backup of the zone is in ${backup}.`);
	const all = await context.auditedWrites(
		placeOfZone(zone),
		steps =>
			deleteOverrides(client, zone, found, snapshot, {
				signal,
				...steps,
				async onOutcome(deletion) {
					const {state, override} = deletion;
					if (journal && state === 'deleted')
						await record(context, journal.journal, before => withDeleted(before, override.id));
					if (!options.dryRun && !('failure' in deletion) && state !== 'not tried')
						output.say(deletionSentence(deletion));
				},
			}),
		deletionFailure,
	);
	const failure = deletionFailure(all);
	const gone = new Set(all.flatMap(({state, override}) => (state === 'deleted' ? [override.id] : [])));
	if (backup !== undefined && (gone.size > 0 || !failure)) {
		const weaker = snapshot ? findOverrideReductions('restoring', found, snapshot, staying) : [];
		const back = restoreCommand(zone, backup, undefined, weaker);
		output.say(`To bring back what was deleted: ${qualified(back, options)}`);
	}
	if (failure) throw failure;
	await context.result(wanted.map(id => ({id, deleted: gone.has(id), backup: backup ?? null})));
}

/** Confirms a deletion of overrides: with the zone's name if that reduces protection, else with a yes. */
async function confirmDeletion(
	context: CommandContext,
	zone: MigrationZone,
	going: readonly WafOverride[],
	reductions: readonly string[],
	given: string | undefined,
): Promise<void> {
	const named = await confirmZoneName(context, zone, reductions, given);
	if (context.options.dryRun || named !== undefined) return;
	const what = going.length === 1 ? 'this override' : `these ${going.length} overrides`;
	await confirm(
		`Delete ${what} of ${zone.label}? A backup is made first; it can restore them until the migration is complete.`,
		context.confirmation(),
		context.signal,
	);
}

/**
 * Records what was deleted or restored. Only warns if that fails, because the service has already done it.
 */
async function record(
	{output}: CommandContext,
	journal: MigrationJournal,
	change: (record: MigrationRecord) => Partial<MigrationRecord>,
): Promise<void> {
	try {
		await journal.keep({...journal.record, ...change(journal.record)});
	} catch (error) {
		if (!isFailure(error, 'file_failed')) throw error;
		output.warn(`The journal does not have that: ${error.message}`);
	}
}

/** Records restored overrides, unless another process works on the zone. */
async function recordRestored(
	context: CommandContext,
	opened: OpenedMigration,
	ids: readonly string[],
): Promise<void> {
	const known = recordOf(context, opened)?.deletedOverrides;
	if (!known?.some(id => ids.includes(id))) return;
	try {
		await using kept = await openedJournal(context, opened);
		await record(context, kept.journal, before => withRestored(before, ids));
	} catch (error) {
		if (!isFailure(error, 'job_running')) throw error;
	}
}

/** Resolves a backup: a path, or the name of one in the zone's folder. */
function backupPath(context: CommandContext, opened: OpenedMigration, word: string): string {
	const path = context.resolve(word);
	const folder = zoneFolder(context, opened);
	if (folder === undefined || basename(word) !== word || existsSync(path)) return path;
	const kept = join(folder, word);
	return existsSync(kept) ? kept : path;
}

async function restore(
	context: CommandContext,
	{id, confirm: given}: RestoreOptions,
	word: string,
): Promise<void> {
	const {output, signal, options} = context;
	const opened = await openMigration(context, {writes: true});
	const {client, zone} = opened;
	const backup = readBackup(backupPath(context, opened, word));
	refuseOtherZone(backup, zone);
	const held = backup.overrides.map(readOverride);
	const wanted = id === undefined ? held : held.filter(one => one.id === id);
	const lacking = backup.unread.find(({what}) => what === parts.overrides);
	if (wanted.length === 0 && lacking) {
		throw new Failure('not_found', `The overrides could not be read when the backup ${word} was made.`, {
			why: lacking.why,
			next: 'Name a backup that was made while they could be read.',
		});
	}
	if (wanted.length === 0) {
		throw new Failure(
			'not_found',
			`The backup ${word} holds no override${id === undefined ? '' : ` ${id}`}.`,
			{
				next: 'Name another backup, or an id that is in it.',
			},
		);
	}
	await context.announceWrite(placeOfZone(zone));
	const present = await listed(opened, signal);
	const beside = besideThose(backup, wanted, present);
	const missing = beside.flatMap(({override, found}) => (found ? [] : [override]));
	let reductions: readonly string[] = [];
	let question: string | undefined;
	if (missing.length > 0) {
		const snapshot = await readZone(context, opened);
		reductions = findOverrideReductions('restoring', missing, snapshot, present).map(one =>
			overrideReductionSentence('restoring', one),
		);
		if (!options.dryRun) show(context, missing);
		const there = beside.length - missing.length;
		if (there > 0 && !options.dryRun)
			output.say(`${there} of the backup ${there === 1 ? 'is' : 'are'} there already.`);
		question = `Restore ${counted(missing.length, 'override')} in ${zone.label}?`;
	}
	await confirmWrite(context, zone, reductions, given, question);
	const done = await context.auditedWrites(
		placeOfZone(zone),
		steps => restoreOverrides(client, zone, backup, id === undefined ? 'all' : [id], {signal, ...steps}),
		all => all.map(failureOf).find(Boolean),
	);
	if (options.dryRun) return;
	await recordRestored(
		context,
		opened,
		done.flatMap(({state, id: of}) => (state === 'restored' || state === 'there already' ? [of] : [])),
	);
	if (!output.json) for (const one of done) output.say(restoredWords(one));
	const failed = done.map(failureOf).find(Boolean);
	if (failed) {
		throw failed.with({
			left: [failed.details.left, ...done.map(restoredWords)].filter(Boolean).join('\n'),
			next: adviceLines(
				failed.details.next,
				advice`What is restored already is not restored twice: \`${restoreCommand(zone, word, id, reductions)}\``,
			),
		});
	}
	await context.result(done.map(restoredJson));
}

/**
 * Formats the command that restores a backup, or only the override `id`; with the zone's name if it requires
 * that.
 */
const restoreCommand = (
	zone: MigrationZone,
	backup: string,
	id: string | undefined,
	reductions: readonly unknown[],
): NamedCommand =>
	migrationCommand(
		zone,
		...['overrides', 'restore', backup],
		...(id === undefined ? [] : ['--id', id]),
		...(reductions.length === 0 ? [] : ['--confirm', zone.name]),
	);

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
