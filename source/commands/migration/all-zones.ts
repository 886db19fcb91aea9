import {
	compareByAttention,
	getCustomRuleLimit,
	getPartValue,
	getZoneAttention,
	listOverviewFailures,
	type PartResult,
	toMigrationZone,
	type ZoneOverview,
} from '../../migration/overview/overview.ts';
import {readJournals, readOverviews} from '../../migration/overview/read.ts';
import {buildOverviewCells} from '../../migration/overview/words.ts';
import {isMigrationBlocked} from '../../migration/zone/blocker-names.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {listZones} from '../../service/zones.ts';
import {getMigrationPlace} from '../../session/place.ts';
import {resolveAccountId} from '../../settings/settings.ts';
import {formatTable} from '../../terminal/table.ts';
import type {CommandContext, GlobalOptions} from '../shell/context.ts';
import {addZoneToBlockerCommands, toEligibilityJson} from './blockers.ts';
import {toRecordJson, toZoneJson} from './text.ts';

/**
 * Prints a table of all zones that the credential sees; those that need attention come first. Exits with 5 if
 * a migration is blocked, else with 1 if a zone could not be read. Zones on the Free plan, and zones that
 * have migrated or are about to, count as not blocked: there is nothing to do.
 */
export async function checkAllZones(context: CommandContext): Promise<void> {
	const {output, signal, options, session, env} = context;
	const client = await context.client();
	const accountId = options.simulate ? undefined : resolveAccountId(await session.sources())?.value;
	const zones: MigrationZone[] = [];
	for await (const zone of listZones(client, {...(accountId && {account: accountId})}, signal))
		zones.push(toMigrationZone(zone));
	const overviews: ZoneOverview[] = [];
	const journals = readJournals(env, getMigrationPlace(session));
	await readOverviews(client, zones, journals, overview => void overviews.push(overview), signal);
	const rows = overviews.toSorted(compareByAttention);
	const eligibilities = rows.map(({migration}) => getPartValue(migration)?.eligibility);
	if (eligibilities.some(eligibility => eligibility && isMigrationBlocked(eligibility)))
		context.setExitCode(5);
	else if (eligibilities.includes(undefined)) context.setExitCode(1);
	if (output.json)
		return output.writeJson(rows.map(row => context.markSimulated(toZoneRowJson(row, options))));
	await output.writeText(
		formatTable(
			[
				{title: 'ZONE', cell: ({zone}) => zone.name},
				{title: 'PLAN', cell: row => buildOverviewCells(row).plan},
				{title: 'OLD', cell: row => buildOverviewCells(row).old},
				{title: 'NEW', cell: row => buildOverviewCells(row).new},
				{title: 'MIGRATION', cell: row => buildOverviewCells(row).migration},
				{title: 'CUSTOM', cell: row => buildOverviewCells(row).custom},
				{title: 'ID', cell: ({zone}) => zone.id},
				{title: 'ABOUT', cell: row => buildOverviewCells(row).about.join(', ')},
			],
			rows,
		),
	);
}

const toFailureJson = (result: PartResult<unknown> | undefined) =>
	result && 'failure' in result ? {code: result.failure.code, what: result.failure.message} : null;

function toZoneRowJson(row: ZoneOverview, options: GlobalOptions) {
	const {zone, migration, customRules} = row;
	const reportedMigration = getPartValue(migration);
	return {
		zone: toZoneJson(zone),
		...(reportedMigration
			? toEligibilityJson(addZoneToBlockerCommands(zone, reportedMigration.eligibility, options))
			: {eligible: null, stage: null, blockers: null, counts: null}),
		failed: toFailureJson(migration),
		attention: getZoneAttention(row),
		account: zone.account ?? null,
		managedRules: reportedMigration
			? {old: reportedMigration.status?.oldWaf ?? null, new: reportedMigration.status?.newWaf ?? null}
			: null,
		customRules: {
			used: getPartValue(customRules) ?? null,
			allowed: getCustomRuleLimit(zone) ?? null,
			failed: toFailureJson(customRules),
		},
		journal: toJournalJson(row),
	};
}

/** Converts the zone's unfinished migration on this machine to JSON; null without one. */
function toJournalJson(row: ZoneOverview) {
	const journalFailure = listOverviewFailures(row).find(({part}) => part === 'journals');
	if (journalFailure)
		return {record: null, failed: {code: journalFailure.failure.code, what: journalFailure.failure.message}};
	const journal = getPartValue(row.journal);
	if (!journal) return null;
	return 'record' in journal
		? {record: toRecordJson(journal.record), failed: null}
		: {record: null, failed: {code: journal.failure.code, what: journal.failure.message}};
}
