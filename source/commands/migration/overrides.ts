import {existsSync} from 'node:fs';
import {basename, join} from 'node:path';
import {Failure, isFailure, type NamedCommand, toFailure} from '../../failure.ts';
import {readBackup} from '../../migration/journal/backup.ts';
import {withDeletedOverride, withRestoredOverrides} from '../../migration/journal/deleted-overrides.ts';
import type {MigrationJournal} from '../../migration/journal/journal.ts';
import type {MigrationRecord} from '../../migration/journal/record.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {
	deleteOverrides,
	findDeletionFailure,
	formatDeletionSentence,
} from '../../migration/zone/delete-override.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {parseWafOverride, type WafOverride} from '../../migration/zone/override.ts';
import {describeOverrideReduction, findOverrideReductions} from '../../migration/zone/override-protection.ts';
import {requirePreviousStage, requireSameZone} from '../../migration/zone/override-writing.ts';
import {readWafOverrides} from '../../migration/zone/read-overrides.ts';
import {
	matchExistingOverrides,
	type OverrideRestoration,
	restoreOverrides,
} from '../../migration/zone/restore-overrides.ts';
import {snapshotPartNames} from '../../migration/zone/snapshot.ts';
import {isWithheld} from '../../migration/zone/withheld.ts';
import {getOutcome} from '../../service/outcome.ts';
import {type ZonePlan, zonePlanNames} from '../../service/plan.ts';
import {qualifyAdvice} from '../../session/qualify-commands.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {confirmAction} from '../../terminal/prompt.ts';
import {formatTable} from '../../terminal/table.ts';
import {buildAdvice, joinAdviceLines} from '../../text/advice.ts';
import {formatQuantity} from '../../text/figures.ts';
import {
	confirmWrite,
	confirmZoneName,
	createZoneNameOption,
	type ZoneNameOptions,
} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';
import {createValueOption, defineCommand} from '../shell/declare.ts';
import {findZoneRecord, getZoneFolder, openZoneJournal} from './journal.ts';
import {type OpenedMigration, openMigration, readSnapshotWithProgress} from './open-migration.ts';
import {describeRestoration, toRestorationJson} from './text.ts';

/** `migration overrides`: URI-based overrides, which block the migration and can be deleted and restored. */
export const migrationOverrideCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list URI-based overrides of the previous managed rules, which block the migration',
		isDefault: true,
		example: 'migration overrides list --zone example.com',
		sampleArguments: '--zone acme-legacy.example',
		run: printOverrides,
	}),
	defineCommand({
		usage: 'delete <ID...>',
		summary: 'delete overrides by id; backs up the zone first',
		example: 'migration overrides delete de677e5818985db1285d0e80225f06e5 --zone example.com',
		refusedByReadOnly: 'deleting overrides',
		sampleArguments: '94a1d7ce5d80bd3a8c1dcd8b40eb6f0a --zone acme-legacy.example',
		options: () => [createZoneNameOption('required if an override is stricter than the rules without it')],
		run: (context, options, ...ids) => runOverrideDeletion(context, options, ids),
	}),
	defineCommand({
		usage: 'restore <BACKUP>',
		summary: 'restore deleted overrides from a backup, all or one',
		example: 'migration overrides restore backup-2026-11-21T0310Z --zone example.com',
		refusedByReadOnly: 'restoring overrides',
		sampleArguments: 'backup.json --zone acme-legacy.example',
		options: () => [
			createValueOption('--id <id>', 'only this override'),
			createZoneNameOption('required if an override is weaker than the rules without it'),
		],
		run: (context, options, backup) => runOverrideRestoration(context, options, backup ?? ''),
	}),
];

type RestoreOptions = ZoneNameOptions & {id?: string};

async function printOverrides(context: CommandContext): Promise<void> {
	const overrides = await readOverrides(await openMigration(context, {writes: false}), context.signal);
	if (context.output.json) return context.output.writeJson(overrides.map(({raw}) => raw));
	await context.output.writeText(overrides.length === 0 ? 'No overrides.\n' : formatOverrideTable(overrides));
}

/**
 * Reads the overrides of a zone. Fails with exit code 5 if its plan has no overrides, or if the migration has
 * removed them.
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
		await requirePreviousStage(client, zone, 'URI-based override', signal);
		throw failure;
	}
}

function buildNoOverridesFailure(
	{id, label}: MigrationZone,
	plan: Exclude<ZonePlan, 'enterprise'>,
	{message: why, details}: Failure,
): Failure {
	return new Failure(
		plan === 'free' ? 'not_eligible' : 'plan_lacks',
		`${label} has no URI-based overrides: they require the Enterprise plan, and this zone is on ${zonePlanNames[plan]}.`,
		{
			...{why, http: details.http, ray: details.ray},
			next: buildAdvice`Check whether it can migrate: \`${buildMigrationCommand({id}, 'check')}\``,
		},
	);
}

/** Prints the overrides that are about to change, before the question. */
function showOverrides({output}: CommandContext, overrides: readonly WafOverride[]): void {
	for (const line of formatOverrideTable(overrides).trimEnd().split('\n')) output.say(line);
}

const formatOverrideTable = (overrides: readonly WafOverride[]): string =>
	formatTable(
		[
			{title: 'ID', cell: override => override.id},
			{title: 'URLS', cell: override => override.urls.join(' ')},
			{title: 'WHAT', cell: formatOverrideSettings},
			{title: 'PAUSED', cell: override => (override.paused ? 'yes' : 'no')},
			{title: 'DESCRIPTION', cell: override => override.description ?? ''},
		],
		overrides,
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

async function runOverrideDeletion(
	context: CommandContext,
	{confirm: confirmOption}: ZoneNameOptions,
	ids: readonly string[],
): Promise<void> {
	const {output, signal, options} = context;
	const requestedIds = [...new Set(ids)];
	const openedMigration = await openMigration(context, {writes: true});
	const {client, zone} = openedMigration;
	const existingOverrides = await readOverrides(openedMigration, signal);
	const selectedOverrides = existingOverrides.filter(({id}) => requestedIds.includes(id));
	for (const id of requestedIds)
		if (!selectedOverrides.some(one => one.id === id)) output.say(`There is no override ${id}.`);
	await context.announceWrite(toZonePlace(zone));
	const remainingOverrides = existingOverrides.filter(one => !selectedOverrides.includes(one));
	const snapshot =
		selectedOverrides.length === 0 ? undefined : await readSnapshotWithProgress(context, openedMigration);
	if (snapshot) {
		if (!options.dryRun) showOverrides(context, selectedOverrides);
		const reductions = findOverrideReductions(
			'deleting',
			selectedOverrides,
			snapshot,
			remainingOverrides,
		).map(one => describeOverrideReduction('deleting', one));
		await confirmOverrideDeletion(context, zone, selectedOverrides, reductions, confirmOption);
	}
	// The open journal is a lock; deletions are recorded beside the backup.
	await using zoneJournal =
		snapshot && !options.dryRun ? await openZoneJournal(context, openedMigration) : undefined;
	const backup =
		snapshot && zoneJournal ? (await zoneJournal.journal.backUp(snapshot, undefined)).folder : undefined;
	if (backup !== undefined) output.say(`Backed up the zone to ${backup}.`);
	const deletions = await context.auditWrites(
		toZonePlace(zone),
		auditHooks =>
			deleteOverrides(client, zone, selectedOverrides, snapshot, {
				signal,
				...auditHooks,
				async onOutcome(deletion) {
					const {state, override} = deletion;
					if (zoneJournal && state === 'deleted')
						await recordChange(context, zoneJournal.journal, record =>
							withDeletedOverride(record, override.id),
						);
					if (!options.dryRun && !('failure' in deletion) && state !== 'not tried')
						output.say(formatDeletionSentence(deletion));
				},
			}),
		findDeletionFailure,
	);
	const failure = findDeletionFailure(deletions);
	const deletedIds = new Set(
		deletions.flatMap(({state, override}) => (state === 'deleted' ? [override.id] : [])),
	);
	if (backup !== undefined && (deletedIds.size > 0 || !failure)) {
		const restoreReductions = snapshot
			? findOverrideReductions('restoring', selectedOverrides, snapshot, remainingOverrides)
			: [];
		const restoreCommand = formatRestoreCommand(zone, backup, undefined, restoreReductions);
		output.say(`To restore what was deleted: ${qualifyAdvice(restoreCommand, options)}`);
	}
	if (failure) throw failure;
	await context.printResult(
		requestedIds.map(id => ({id, deleted: deletedIds.has(id), backup: backup ?? null})),
	);
}

/** Confirms a deletion of overrides: with the zone's name if that reduces protection, else with a yes. */
async function confirmOverrideDeletion(
	context: CommandContext,
	zone: MigrationZone,
	overridesToDelete: readonly WafOverride[],
	reductions: readonly string[],
	confirmOption: string | undefined,
): Promise<void> {
	const confirmedName = await confirmZoneName(context, zone, reductions, confirmOption);
	if (context.options.dryRun || confirmedName !== undefined) return;
	const what =
		overridesToDelete.length === 1 ? 'this override' : `these ${overridesToDelete.length} overrides`;
	await confirmAction(
		`Delete ${what} from ${zone.label}? A backup is made first; you can restore from it until the migration is complete.`,
		context.getConfirmation(),
		context.signal,
	);
}

/**
 * Records a deletion or restoration in the journal. Only warns on failure, because the service has already
 * done it.
 */
async function recordChange(
	{output}: CommandContext,
	journal: MigrationJournal,
	computeChange: (record: MigrationRecord) => Partial<MigrationRecord>,
): Promise<void> {
	try {
		await journal.saveRecord({...journal.record, ...computeChange(journal.record)});
	} catch (error) {
		if (!isFailure(error, 'file_failed')) throw error;
		output.warn(`Not recorded in the journal: ${error.message}`);
	}
}

/** Records restored overrides, unless another process works on the zone. */
async function recordRestoredOverrides(
	context: CommandContext,
	openedMigration: OpenedMigration,
	ids: readonly string[],
): Promise<void> {
	const recordedIds = findZoneRecord(context, openedMigration)?.deletedOverrides;
	if (!recordedIds?.some(id => ids.includes(id))) return;
	try {
		await using zoneJournal = await openZoneJournal(context, openedMigration);
		await recordChange(context, zoneJournal.journal, record => withRestoredOverrides(record, ids));
	} catch (error) {
		if (!isFailure(error, 'job_running')) throw error;
	}
}

/** Resolves the argument BACKUP: a path, or the name of a backup in the zone's folder. */
function resolveBackupPath(
	context: CommandContext,
	openedMigration: OpenedMigration,
	backupArgument: string,
): string {
	const path = context.resolve(backupArgument);
	const folder = getZoneFolder(context, openedMigration);
	if (folder === undefined || basename(backupArgument) !== backupArgument || existsSync(path)) return path;
	const backupPath = join(folder, backupArgument);
	return existsSync(backupPath) ? backupPath : path;
}

async function runOverrideRestoration(
	context: CommandContext,
	{id, confirm: confirmOption}: RestoreOptions,
	backupArgument: string,
): Promise<void> {
	const {output, signal, options} = context;
	const openedMigration = await openMigration(context, {writes: true});
	const {client, zone} = openedMigration;
	const backup = readBackup(resolveBackupPath(context, openedMigration, backupArgument));
	requireSameZone(backup, zone);
	const backupOverrides = backup.overrides.map(parseWafOverride);
	const selectedOverrides = id === undefined ? backupOverrides : backupOverrides.filter(one => one.id === id);
	const unreadOverrides = backup.unread.find(({what}) => what === snapshotPartNames.overrides);
	if (selectedOverrides.length === 0 && unreadOverrides) {
		throw new Failure(
			'not_found',
			`The overrides could not be read when the backup ${backupArgument} was made.`,
			{
				why: unreadOverrides.why,
				next: 'Use a backup that was made when they could be read.',
			},
		);
	}
	if (selectedOverrides.length === 0) {
		throw new Failure(
			'not_found',
			`The backup ${backupArgument} contains no override${id === undefined ? '' : ` ${id}`}.`,
			{
				next: 'Use another backup, or an id that it contains.',
			},
		);
	}
	await context.announceWrite(toZonePlace(zone));
	const existingOverrides = await readOverrides(openedMigration, signal);
	const matches = matchExistingOverrides(backup, selectedOverrides, existingOverrides);
	const missingOverrides = matches.flatMap(({override, existingOutcome}) =>
		existingOutcome ? [] : [override],
	);
	let reductions: readonly string[] = [];
	let question: string | undefined;
	if (missingOverrides.length > 0) {
		const snapshot = await readSnapshotWithProgress(context, openedMigration);
		reductions = findOverrideReductions('restoring', missingOverrides, snapshot, existingOverrides).map(one =>
			describeOverrideReduction('restoring', one),
		);
		if (!options.dryRun) showOverrides(context, missingOverrides);
		const presentCount = matches.length - missingOverrides.length;
		if (presentCount > 0 && !options.dryRun)
			output.say(`${presentCount} in the backup already ${presentCount === 1 ? 'exists' : 'exist'}.`);
		question = `Restore ${formatQuantity(missingOverrides.length, 'override')} in ${zone.label}?`;
	}
	await confirmWrite(context, zone, reductions, confirmOption, question);
	const restorations = await context.auditWrites(
		toZonePlace(zone),
		auditHooks =>
			restoreOverrides(client, zone, backup, id === undefined ? 'all' : [id], {signal, ...auditHooks}),
		restorations => restorations.map(getFailure).find(Boolean),
	);
	if (options.dryRun) return;
	await recordRestoredOverrides(
		context,
		openedMigration,
		restorations.flatMap(({state, id: restoredId}) =>
			state === 'restored' || state === 'there already' ? [restoredId] : [],
		),
	);
	if (!output.json) for (const one of restorations) output.say(describeRestoration(one));
	const failure = restorations.map(getFailure).find(Boolean);
	if (failure) {
		throw failure.withDetails({
			left: [failure.details.left, ...restorations.map(describeRestoration)].filter(Boolean).join('\n'),
			next: joinAdviceLines(
				failure.details.next,
				buildAdvice`To restore the rest (nothing is restored twice): \`${formatRestoreCommand(zone, backupArgument, id, reductions)}\``,
			),
		});
	}
	await context.printResult(restorations.map(toRestorationJson));
}

/**
 * Formats the command that restores a backup, or only the override `id`; adds the zone's name if there are
 * reductions.
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

const getFailure = (restoration: OverrideRestoration): Failure | undefined =>
	restoration.state === 'failed' ? restoration.failure : undefined;
