import {asFailure, type Failure, isFailure} from '../../failure.ts';
import {type Eligibility, eligibility} from '../../migration/zone/eligibility.ts';
import {readFacts} from '../../migration/zone/read-facts.ts';
import type {MigrationZone} from '../../migration/zone/snapshot.ts';
import type {Client} from '../../service/client.ts';
import {planNames} from '../../service/plan.ts';
import {type Zone, zones} from '../../service/zones.ts';
import {accountId} from '../../settings/settings.ts';
import {table} from '../../terminal/table.ts';
import type {CommandContext, GlobalOptions} from '../shell/context.ts';
import {eligibilityJson, hasNoMigration, hinderingWords, qualifiedBlockers} from './blockers.ts';
import {zoneJson} from './text.ts';

type Row = {readonly zone: MigrationZone} & ({readonly found: Eligibility} | {readonly failure: Failure});

/**
 * Whether each zone of the credential can migrate, in a table. Exit code 5 where something hinders one,
 * else 1 where one could not be read. A zone of the Free plan hinders nobody, nor does a zone that has migrated or is
 * about to: there is nothing to be done for them.
 */
export async function checkAllZones(context: CommandContext): Promise<void> {
	const {output, signal, options, session} = context;
	const client = await context.client();
	const account = options.simulate ? undefined : accountId(await session.sources())?.value;
	const all: MigrationZone[] = [];
	for await (const zone of zones(client, {...(account && {account})}, signal))
		all.push(asMigrationZone(zone));
	// The client lets no more calls out at once than it may.
	const rows = await Promise.all(all.map(zone => rowOf(client, zone, signal)));
	if (rows.some(row => 'found' in row && isHindered(row.found))) context.answer(5);
	else if (rows.some(row => 'failure' in row)) context.answer(1);
	if (output.json) return output.value(rows.map(row => context.marked(rowJson(row, options))));
	await output.text(
		table(
			[
				{title: 'NAME', cell: ({zone}) => zone.name},
				{title: 'PLAN', cell: ({zone}) => (zone.plan ? planNames[zone.plan] : 'unknown')},
				{title: 'STAGE', cell: row => ('found' in row && !hasNoMigration(row.found) ? row.found.stage : '')},
				{title: 'ELIGIBLE', cell: eligibleCell},
				{title: 'WHAT HINDERS', cell: hindering},
				{title: 'ID', cell: ({zone}) => zone.id},
			],
			rows,
		),
	);
}

async function rowOf(client: Client, zone: MigrationZone, signal: AbortSignal): Promise<Row> {
	try {
		return {zone, found: eligibility(await readFacts(client, zone, signal))};
	} catch (error) {
		// One zone that cannot be read says nothing of the others; a refused credential or a stop does.
		if (!isFailure(error) || error.code === 'interrupted' || error.details.http === 401) throw error;
		return {zone, failure: asFailure(error)};
	}
}

const isHindered = (found: Eligibility): boolean =>
	!found.eligible && !hasNoMigration(found) && found.stage !== 'pending' && found.stage !== 'complete';

function eligibleCell(row: Row): string {
	if ('failure' in row) return 'unknown';
	switch (row.found.stage) {
		case 'complete':
			return 'done';
		case 'pending':
			return 'under way';
		case 'previous':
		case 'validation':
		case 'unknown':
			return row.found.eligible ? 'yes' : 'no';
		default:
			return row.found.stage satisfies never;
	}
}

function hindering(row: Row): string {
	if ('failure' in row) return row.failure.message;
	const {stage} = row.found;
	return stage === 'complete' || stage === 'pending' ? '' : hinderingWords(row.zone, row.found).join(', ');
}

const rowJson = (row: Row, options: GlobalOptions) =>
	'found' in row
		? {
				zone: zoneJson(row.zone),
				...eligibilityJson(qualifiedBlockers(row.zone, row.found, options)),
				failed: null,
			}
		: {
				zone: zoneJson(row.zone),
				...{eligible: null, stage: null, blockers: null, counts: null},
				failed: {code: row.failure.code, what: row.failure.message},
			};

function asMigrationZone({id, name, level, account}: Zone): MigrationZone {
	const owner = account.name || account.id || undefined;
	return {id, name, plan: level, account: owner, label: `${owner ? `${owner} › ` : ''}zone ${name}`};
}
