import {existsSync} from 'node:fs';
import {basename, join} from 'node:path';
import {Failure, isFailure, type NamedCommand, toFailure} from '../../failure.ts';
import {readBackup} from '../../migration/journal/backup.ts';
import {withDeletedOverride, withRestoredOverrides} from '../../migration/journal/deleted-overrides.ts';
import type {MigrationJournal} from '../../migration/journal/journal.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {
	buildDeletionFailure,
	deleteOverrides,
	formatDeletionSentence,
} from '../../migration/zone/delete-override.ts';
import {readWafOverrides} from '../../migration/zone/listed-overrides.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {parseWafOverride, type WafOverride} from '../../migration/zone/override.ts';
import {describeOverrideReduction, findOverrideReductions} from '../../migration/zone/override-protection.ts';
import {refuseOtherZone, refuseUnlessPrevious} from '../../migration/zone/override-writing.ts';
import {
	matchExistingOverrides,
	type OverrideRestoration,
	restoreOverrides,
} from '../../migration/zone/restore-overrides.ts';
import {snapshotPartNames} from '../../migration/zone/snapshot.ts';
import {isWithheld} from '../../migration/zone/unavailable.ts';
import {quoteShellWord} from '../../service/curl.ts';
import {getOutcome} from '../../service/outcome.ts';
import {type Plan, planNames} from '../../service/plan.ts';
import {qualifyAdvice} from '../../session/qualify-commands.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {confirmAction} from '../../terminal/prompt.ts';
import {formatTable} from '../../terminal/table.ts';
import {buildAdvice, joinAdviceLines} from '../../text/advice.ts';
import {formatQuantity} from '../../text/figures.ts';
import type {CommandContext} from '../shell/context.ts';
import {createValueOption, defineCommand} from '../shell/declare.ts';
import {
	confirmWrite,
	confirmZoneName,
	createZoneNameOption,
	type ZoneNameOptions,
} from '../shell/zone-name.ts';
import {findZoneRecord, getZoneFolder, openZoneJournal} from './journal.ts';
import {type OpenedMigration, openMigration, readWholeZone} from './zone.ts';

/** `migration overrides`: what blocks the migration of a zone, and can be deleted for it. */
export const migrationOverrideCommands = [
	defineCommand({
		usage: 'list',
		summary: 'URI-based overrides of the previous managed rules, which block the migration',
		isDefault: true,
		example: 'migration overrides list --zone example.com',
		sample: '--zone acme-legacy.example',
		run: printOverrides,
	}),
	defineCommand({
		usage: 'delete <ID...>',
		summary: 'delete overrides by their ids; a backup of the zone is written first',
		example: 'migration overrides delete de677e5818985db1285d0e80225f06e5 --zone example.com',
		writes: 'deleting overrides',
		sample: '94a1d7ce5d80bd3a8c1dcd8b40eb6f0a --zone acme-legacy.example',
		options: () => [createZoneNameOption('required if an override is stricter than the rules without it')],
		run: (context, given, ...ids) => deleteOverridesCommand(context, given, ids),
	}),
	defineCommand({
		usage: 'restore <BACKUP>',
		summary: 'bring deleted overrides back out of a backup, all or one',
		example: 'migration overrides restore backup-2026-11-21T0310Z --zone example.com',
		writes: 'restoring overrides',
		sample: 'backup.json --zone acme-legacy.example',
		options: () => [
			createValueOption('--id <id>', 'only this one'),
			createZoneNameOption('required if an override is weaker than the rules without it'),
		],
		run: (context, given, backup) => restoreOverridesCommand(context, given, backup ?? ''),
	}),
];

type RestoreOptions = ZoneNameOptions & {id?: string};

async function printOverrides(context: CommandContext): Promise<void> {
	const found = await readOverrides(await openMigration(context, {writes: false}), context.signal);
	if (context.output.json) return context.output.value(found.map(({raw}) => raw));
	await context.output.text(found.length === 0 ? 'No overrides.\n' : formatOverrideTable(found));
}

/**
 * Reads the overrides of a zone. Fails with exit code 5 if its plan has none, or if they ended with the
 * migration.
 */
async function readOverrides(
	{client, zone}: OpenedMigration,
	signal: AbortSignal,
): Promise<readonly WafOverride[]> {
	try {
		return await readWafOverrides(client, zone.id, signal);
	} catch (error) {
		const failure = toFailure(error);
		if (!isWithheld(failure)) throw failure;
		if (zone.plan !== undefined && zone.plan !== 'enterprise' && getOutcome(failure) !== 'not allowed')
			throw buildNoOverridesFailure(zone, zone.plan, failure);
		await refuseUnlessPrevious(client, zone, 'URI-based override', signal);
		throw failure;
	}
}

function buildNoOverridesFailure(
	{id, label}: MigrationZone,
	plan: Exclude<Plan, 'enterprise'>,
	{message: why, details}: Failure,
): Failure {
	return new Failure(
		plan === 'free' ? 'not_eligible' : 'plan_lacks',
		`${label} has no URI-based overrides: they are of the Enterprise plan, and this is ${planNames[plan]}.`,
		{
			...{why, http: details.http, ray: details.ray},
			next: buildAdvice`See whether it can migrate: \`${buildMigrationCommand({id}, 'check')}\``,
		},
	);
}

/** Prints what is about to change, before the question. */
function showOverrides({output}: CommandContext, found: readonly WafOverride[]): void {
	for (const line of formatOverrideTable(found).trimEnd().split('\n')) output.say(line);
}

const formatOverrideTable = (found: readonly WafOverride[]): string =>
	formatTable(
		[
			{title: 'ID', cell: one => one.id},
			{title: 'URLS', cell: one => one.urls.join(' ')},
			{title: 'WHAT', cell: formatOverrideSettings},
			{title: 'PAUSED', cell: one => (one.paused ? 'yes' : 'no')},
			{title: 'DESCRIPTION', cell: one => one.description ?? ''},
		],
		found,
	);

function formatOverrideSettings({groups, rules, rewriteAction}: WafOverride): string {
	const counts = [
		[Object.keys(groups).length, 'group'],
		[Object.keys(rules).length, 'rule'],
	] as const;
	const rewrites = Object.entries(rewriteAction).map(([from, to]) => `${from} → ${to}`);
	return [
		...counts.flatMap(([count, what]) => (count === 0 ? [] : [formatQuantity(count, what)])),
		...rewrites,
	].join(', ');
}

async function deleteOverridesCommand(
	context: CommandContext,
	{confirm: givenName}: ZoneNameOptions,
	ids: readonly string[],
): Promise<void> {
	const {output, signal, options} = context;
	const requestedIds = [...new Set(ids)];
	const opened = await openMigration(context, {writes: true});
	const {client, zone} = opened;
	const present = await readOverrides(opened, signal);
	const found = present.filter(({id}) => requestedIds.includes(id));
	for (const id of requestedIds)
		if (!found.some(one => one.id === id)) output.say(`There is no override ${id}.`);
	await context.announceWrite(toZonePlace(zone));
	const staying = present.filter(one => !found.includes(one));
	const snapshot = found.length === 0 ? undefined : await readWholeZone(context, opened);
	if (snapshot) {
		if (!options.dryRun) showOverrides(context, found);
		const reductions = findOverrideReductions('deleting', found, snapshot, staying).map(one =>
			describeOverrideReduction('deleting', one),
		);
		await confirmOverrideDeletion(context, zone, found, reductions, givenName);
	}
	// A lock: deletions are recorded beside the backup.
	await using journal = snapshot && !options.dryRun ? await openZoneJournal(context, opened) : undefined;
	const backup = snapshot && journal ? (await journal.journal.backUp(snapshot, undefined)).folder : undefined;
	if (backup !== undefined) output.say(`A backup of the zone is in ${backup}.`);
	const all = await context.auditWrites(
		toZonePlace(zone),
		steps =>
			deleteOverrides(client, zone, found, snapshot, {
				signal,
				...steps,
				async onOutcome(deletion) {
					const {state, override} = deletion;
					if (journal && state === 'deleted')
						await recordChange(context, journal.journal, before => withDeletedOverride(before, override.id));
					if (!options.dryRun && !('failure' in deletion) && state !== 'not tried')
						output.say(formatDeletionSentence(deletion));
				},
			}),
		buildDeletionFailure,
	);
	const failure = buildDeletionFailure(all);
	const gone = new Set(all.flatMap(({state, override}) => (state === 'deleted' ? [override.id] : [])));
	if (backup !== undefined && (gone.size > 0 || !failure)) {
		const weaker = snapshot ? findOverrideReductions('restoring', found, snapshot, staying) : [];
		const restoreHint = formatRestoreCommand(zone, backup, undefined, weaker);
		output.say(`To bring back what was deleted: ${qualifyAdvice(restoreHint, options)}`);
	}
	if (failure) throw failure;
	await context.printResult(requestedIds.map(id => ({id, deleted: gone.has(id), backup: backup ?? null})));
}

/** Confirms a deletion of overrides: with the zone's name if that reduces protection, else with a yes. */
async function confirmOverrideDeletion(
	context: CommandContext,
	zone: MigrationZone,
	pending: readonly WafOverride[],
	reductions: readonly string[],
	givenName: string | undefined,
): Promise<void> {
	const named = await confirmZoneName(context, zone, reductions, givenName);
	if (context.options.dryRun || named !== undefined) return;
	const what = pending.length === 1 ? 'this override' : `these ${pending.length} overrides`;
	await confirmAction(
		`Delete ${what} of ${zone.label}? A backup is made first; it can restore them until the migration is complete.`,
		context.getConfirmation(),
		context.signal,
	);
}

/**
 * Records what was deleted or restored. Only warns if that fails, because the service has already done it.
 */
async function recordChange(
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
async function recordRestoredOverrides(
	context: CommandContext,
	opened: OpenedMigration,
	ids: readonly string[],
): Promise<void> {
	const known = findZoneRecord(context, opened)?.deletedOverrides;
	if (!known?.some(id => ids.includes(id))) return;
	try {
		await using zoneJournal = await openZoneJournal(context, opened);
		await recordChange(context, zoneJournal.journal, before => withRestoredOverrides(before, ids));
	} catch (error) {
		if (!isFailure(error, 'job_running')) throw error;
	}
}

/** Resolves a backup: a path, or the name of one in the zone's folder. */
function resolveBackupPath(context: CommandContext, opened: OpenedMigration, word: string): string {
	const path = context.resolve(word);
	const folder = getZoneFolder(context, opened);
	if (folder === undefined || basename(word) !== word || existsSync(path)) return path;
	const keptPath = join(folder, word);
	return existsSync(keptPath) ? keptPath : path;
}

async function restoreOverridesCommand(
	context: CommandContext,
	{id, confirm: givenName}: RestoreOptions,
	word: string,
): Promise<void> {
	const {output, signal, options} = context;
	const opened = await openMigration(context, {writes: true});
	const {client, zone} = opened;
	const backup = readBackup(resolveBackupPath(context, opened, word));
	refuseOtherZone(backup, zone);
	const stored = backup.overrides.map(parseWafOverride);
	const selected = id === undefined ? stored : stored.filter(one => one.id === id);
	const unreadOverrides = backup.unread.find(({what}) => what === snapshotPartNames.overrides);
	if (selected.length === 0 && unreadOverrides) {
		throw new Failure('not_found', `The overrides could not be read when the backup ${word} was made.`, {
			why: unreadOverrides.why,
			next: 'Name a backup that was made while they could be read.',
		});
	}
	if (selected.length === 0) {
		throw new Failure(
			'not_found',
			`The backup ${word} holds no override${id === undefined ? '' : ` ${id}`}.`,
			{
				next: 'Name another backup, or an id that is in it.',
			},
		);
	}
	await context.announceWrite(toZonePlace(zone));
	const present = await readOverrides(opened, signal);
	const beside = matchExistingOverrides(backup, selected, present);
	const missing = beside.flatMap(({override, found}) => (found ? [] : [override]));
	let reductions: readonly string[] = [];
	let question: string | undefined;
	if (missing.length > 0) {
		const snapshot = await readWholeZone(context, opened);
		reductions = findOverrideReductions('restoring', missing, snapshot, present).map(one =>
			describeOverrideReduction('restoring', one),
		);
		if (!options.dryRun) showOverrides(context, missing);
		const presentCount = beside.length - missing.length;
		if (presentCount > 0 && !options.dryRun)
			output.say(`${presentCount} of the backup ${presentCount === 1 ? 'is' : 'are'} there already.`);
		question = `Restore ${formatQuantity(missing.length, 'override')} in ${zone.label}?`;
	}
	await confirmWrite(context, zone, reductions, givenName, question);
	const done = await context.auditWrites(
		toZonePlace(zone),
		steps => restoreOverrides(client, zone, backup, id === undefined ? 'all' : [id], {signal, ...steps}),
		all => all.map(getFailure).find(Boolean),
	);
	if (options.dryRun) return;
	await recordRestoredOverrides(
		context,
		opened,
		done.flatMap(({state, id: restoredId}) =>
			state === 'restored' || state === 'there already' ? [restoredId] : [],
		),
	);
	if (!output.json) for (const one of done) output.say(describeRestored(one));
	const failed = done.map(getFailure).find(Boolean);
	if (failed) {
		throw failed.withDetails({
			left: [failed.details.left, ...done.map(describeRestored)].filter(Boolean).join('\n'),
			next: joinAdviceLines(
				failed.details.next,
				buildAdvice`What is restored already is not restored twice: \`${formatRestoreCommand(zone, word, id, reductions)}\``,
			),
		});
	}
	await context.printResult(done.map(toRestoredJson));
}

/**
 * Formats the command that restores a backup, or only the override `id`; with the zone's name if it requires
 * that.
 */
const formatRestoreCommand = (
	zone: MigrationZone,
	backup: string,
	id: string | undefined,
	reductions: readonly unknown[],
): NamedCommand =>
	buildMigrationCommand(
		zone,
		...['overrides', 'restore', backup],
		...(id === undefined ? [] : ['--id', id]),
		...(reductions.length === 0 ? [] : ['--confirm', zone.name]),
	);

const getFailure = (one: OverrideRestoration): Failure | undefined =>
	one.state === 'failed' ? one.failure : undefined;

const toRestoredJson = (one: OverrideRestoration) => ({
	id: one.id,
	state: one.state,
	as: 'as' in one ? one.as : null,
});

function describeRestored(one: OverrideRestoration): string {
	switch (one.state) {
		case 'restored':
			return `Override ${one.id} is back, as ${one.as}.`;
		case 'there already':
			return `Override ${one.id} is there already${one.as === one.id ? '' : `, as ${one.as}`}.`;
		case 'there otherwise':
			return `Override ${quoteShellWord(one.id)} is there with another content, and was left alone.`;
		case 'failed':
			return `Override ${one.id} is not back: ${one.failure.message}`;
		case 'not tried':
			return `Override ${one.id} was not tried.`;
		default:
			return one satisfies never;
	}
}
