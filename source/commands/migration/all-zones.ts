import {
	attentionOf,
	byAttention,
	customRulesAllowed,
	type Found,
	failuresOf,
	migrationZoneOf,
	valueIn,
	type ZoneOverview,
} from '../../migration/overview/overview.ts';
import {readJournals, readOverviews} from '../../migration/overview/read.ts';
import {cellsOf} from '../../migration/overview/words.ts';
import {isHindered} from '../../migration/zone/hindrances.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {zones} from '../../service/zones.ts';
import {placeOfMigrations} from '../../session/place.ts';
import {accountId} from '../../settings/settings.ts';
import {table} from '../../terminal/table.ts';
import type {CommandContext, GlobalOptions} from '../shell/context.ts';
import {eligibilityJson, qualifiedBlockers} from './blockers.ts';
import {recordJson, zoneJson} from './text.ts';

/**
 * Prints every zone of the credential as a table, those that need attention first. Exits with 5 if a
 * migration is blocked, else with 1 if a zone could not be read. Zones on the Free plan, and zones that have
 * migrated or are about to, count as not blocked: there is nothing to do.
 */
export async function checkAllZones(context: CommandContext): Promise<void> {
	const {output, signal, options, session, env} = context;
	const client = await context.client();
	const account = options.simulate ? undefined : accountId(await session.sources())?.value;
	const all: MigrationZone[] = [];
	for await (const zone of zones(client, {...(account && {account})}, signal))
		all.push(migrationZoneOf(zone));
	const read: ZoneOverview[] = [];
	const journals = readJournals(env, placeOfMigrations(session));
	await readOverviews(client, all, journals, overview => void read.push(overview), signal);
	const rows = read.toSorted(byAttention);
	const found = rows.map(({migration}) => valueIn(migration)?.eligibility);
	if (found.some(one => one && isHindered(one))) context.answer(5);
	else if (found.includes(undefined)) context.answer(1);
	if (output.json) return output.value(rows.map(row => context.marked(rowJson(row, options))));
	await output.text(
		table(
			[
				{title: 'ZONE', cell: ({zone}) => zone.name},
				{title: 'PLAN', cell: row => cellsOf(row).plan},
				{title: 'OLD', cell: row => cellsOf(row).old},
				{title: 'NEW', cell: row => cellsOf(row).new},
				{title: 'MIGRATION', cell: row => cellsOf(row).migration},
				{title: 'CUSTOM', cell: row => cellsOf(row).custom},
				{title: 'ID', cell: ({zone}) => zone.id},
				{title: 'ABOUT', cell: row => cellsOf(row).about.join(', ')},
			],
			rows,
		),
	);
}

const failed = (found: Found<unknown> | undefined) =>
	found && 'failure' in found ? {code: found.failure.code, what: found.failure.message} : null;

function rowJson(row: ZoneOverview, options: GlobalOptions) {
	const {zone, migration, customRules} = row;
	const reported = valueIn(migration);
	return {
		zone: zoneJson(zone),
		...(reported
			? eligibilityJson(qualifiedBlockers(zone, reported.eligibility, options))
			: {eligible: null, stage: null, blockers: null, counts: null}),
		failed: failed(migration),
		attention: attentionOf(row),
		account: zone.account ?? null,
		managedRules: reported
			? {old: reported.status?.oldWaf ?? null, new: reported.status?.newWaf ?? null}
			: null,
		customRules: {
			used: valueIn(customRules) ?? null,
			allowed: customRulesAllowed(zone) ?? null,
			failed: failed(customRules),
		},
		journal: journalJson(row),
	};
}

/** Converts the zone's unfinished migration on this machine to JSON; null without one. */
function journalJson(row: ZoneOverview) {
	const unread = failuresOf(row).find(({part}) => part === 'journals');
	if (unread) return {record: null, failed: {code: unread.failure.code, what: unread.failure.message}};
	const journal = valueIn(row.journal);
	if (!journal) return null;
	return 'record' in journal
		? {record: recordJson(journal.record), failed: null}
		: {record: null, failed: {code: journal.failure.code, what: journal.failure.message}};
}
