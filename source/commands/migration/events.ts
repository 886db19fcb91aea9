import {
	missingJson,
	missingLine,
	type Problem,
	securityEvents,
	withoutNumbers,
} from '../../analytics/problem.ts';
import {Failure, isFailure} from '../../failure.ts';
import {createFlow} from '../../migration/flow/flow.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import {stageWords} from '../../migration/machine/stage.ts';
import type {RuleCounts} from '../../migration/validation/comparison.ts';
import {comparisonJson, riseJson} from '../../migration/validation/json.ts';
import {ruleNamesIn} from '../../migration/validation/names.ts';
import type {Place, RuleNames} from '../../migration/validation/places.ts';
import {readVersionEvents} from '../../migration/validation/read.ts';
import {type Rise, readRise} from '../../migration/validation/rise.ts';
import {
	changedAt,
	countedSince,
	isBegunHere,
	type ValidationSeen,
	validationSeen,
} from '../../migration/validation/shown.ts';
import {
	candidateFacts,
	comparedInWords,
	countInWords,
	countsInWords,
	nothingYet,
	riseInWords,
	timeSpan,
	versionNames,
} from '../../migration/validation/words.ts';
import {seen as seenNow} from '../../migration/zone/calls.ts';
import {readManagedContents} from '../../migration/zone/managed-contents.ts';
import {table} from '../../terminal/table.ts';
import {advice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, switchOption} from '../shell/declare.ts';
import {openedJournal, recordOf, snapshotBefore} from './journal.ts';
import {zoneJson} from './text.ts';
import {type OpenedMigration, openMigration} from './zone.ts';

/** Maximum rows of each table. */
const mostRows = 20;

/** `migration events`: what both versions do to requests while both are active. Reads only. */
export const migrationEventsCommand = defineCommand({
	usage: 'events',
	summary: 'what each version does to requests during validation, and candidates for exceptions',
	example: 'migration events --zone example.com',
	sample: '--zone acme.example',
	options: () => [
		switchOption('--all', 'of all of the validation, not only since its configuration was changed last'),
	],
	run: (context, {all}) => events(context, all ? 'all' : 'changed'),
});

async function events(context: CommandContext, how: 'changed' | 'all'): Promise<void> {
	const opened = await openMigration(context, {writes: false});
	const {client, zone} = opened;
	const {signal, output} = context;
	const record = recordOf(context, opened) ?? {state: 'unread'};
	const now = client.clock.now();
	const {stage} = await seenNow(client, zone, signal);
	const isOver = stage === 'complete' || stage === 'pending';
	const span = countedSince(record, now, isOver ? 'all' : how);
	const isKnown = isBegunHere(record);
	if (stage !== 'validation' && !(isOver && record.validatingSince !== undefined))
		throw new Failure('not_found', `${zone.label} is not in validation: there is nothing to compare.`, {
			why: `Its stage: ${stageWords[stage]}.`,
			next: advice`See what comes next: \`${migrationCommand(zone, 'status')}\``,
		});
	const {value, problems} = await readVersionEvents(
		client,
		zone.id,
		span,
		isKnown ? 'read it' : 'none',
		signal,
	);
	if (!value) throw withoutNumbers(securityEvents, problems[0] ?? unnamed);
	const seen = validationSeen(value, await namesOf(context, opened), changedAt(record));
	if (!isOver) await kept(context, opened, seen);
	const rise = isOver
		? (await readRise(client, zone.id, {...record, validation: seen.shown}, signal)).value
		: undefined;
	if (output.json)
		return output.value(
			context.marked({
				zone: zoneJson(zone),
				stage,
				...comparisonJson(seen.comparison),
				begunKnown: isKnown,
				rise: rise ? riseJson(rise) : null,
				missing: problems.map(problem => missingJson(securityEvents, problem)),
			}),
		);
	for (const problem of problems) output.warn(missingLine(securityEvents, problem));
	await output.text(shown(opened, seen, {isKnown, rise}));
}

const unnamed: Problem = {kind: 'failed', message: '', path: []};

/**
 * Returns rule names from the backup made before the migration; without one, reads them. A rule without a
 * name is shown by its id.
 */
async function namesOf(context: CommandContext, opened: OpenedMigration): Promise<RuleNames> {
	const snapshot = snapshotBefore(context, opened);
	if (snapshot?.managed) return ruleNamesIn(snapshot);
	try {
		const managed = await readManagedContents(opened.client, opened.zone.id, context.signal);
		return ruleNamesIn(snapshot ? {...snapshot, managed} : {managed});
	} catch (error) {
		if (!isFailure(error) || error.code === 'interrupted') throw error;
		return ruleNamesIn(snapshot);
	}
}

/** Keeps the comparison for the report, if this machine has the journal and no other process holds it. */
async function kept(
	context: CommandContext,
	opened: OpenedMigration,
	{comparison, shown}: ValidationSeen,
): Promise<void> {
	const record = recordOf(context, opened);
	if (context.options.dryRun || record?.validatingSince === undefined) return;
	if (comparison.by === undefined) return;
	try {
		await using journal = await openedJournal(context, opened);
		const flow = createFlow({client: opened.client, zone: opened.zone, journal: journal.journal});
		await flow.validationShown(shown);
	} catch (error) {
		if (!isFailure(error, 'job_running', 'file_failed', 'journal_invalid')) throw error;
	}
}

function shown(
	{zone}: OpenedMigration,
	{comparison}: ValidationSeen,
	{isKnown, rise}: {readonly isKnown: boolean; readonly rise: Rise | undefined},
): string {
	const {begun: first, since, until, isSampled, counts, rules, by} = comparison;
	const changed = since > first ? ', since the configuration was changed' : '';
	const begun = isKnown ? changed : '; since when both versions are on is not known here';
	return [
		`${zone.label}: security events of ${timeSpan(since, until)}${begun}`,
		`  ${versionNames.new}       ${countsInWords(counts.new, isSampled)}`,
		`  ${versionNames.previous}  ${countsInWords(counts.previous, isSampled)}`,
		...(rise ? [riseInWords(rise)] : []),
		'',
		...(rules.length === 0 ? [nothingYet] : []),
		...comparedInWords(comparison),
		...section('By rule', ruleTable(comparison)),
		...(by === undefined ? [] : comparedSections(comparison)),
		'',
	].join('\n');
}

/** Formats what only one version stopped, and the candidates for exceptions. */
function comparedSections(comparison: ValidationSeen['comparison']): readonly string[] {
	const {candidates, isSampled} = comparison;
	return [
		...section('Stopped by the new rules alone', placeTable(comparison, 'new')),
		...section('Stopped by the previous rules alone', placeTable(comparison, 'previous')),
		...section(
			'Candidates for exceptions',
			candidates
				.map(candidate =>
					[
						`${nameOf(candidate)} at ${candidate.host}${candidate.path}`,
						`  ${candidateFacts(candidate, isSampled).join('; ')}`,
						'',
					].join('\n'),
				)
				.join(''),
		),
	];
}

const section = (title: string, text: string): readonly string[] =>
	text === '' ? ['', `${title}: none.`] : ['', `${title}:`, text.trimEnd()];

const nameOf = ({name, rule}: {readonly name: string; readonly rule: string}): string =>
	name === '' ? rule : `${name} (${rule})`;

function ruleTable({rules, isSampled}: ValidationSeen['comparison']): string {
	if (rules.length === 0) return '';
	return table<RuleCounts>(
		[
			{title: 'VERSION', cell: ({version}) => version},
			{title: 'STOPPED', align: 'right', cell: ({stopped}) => countInWords(stopped, isSampled)},
			{title: 'LOGGED', align: 'right', cell: ({logged}) => countInWords(logged, isSampled)},
			{title: 'SKIPPED', align: 'right', cell: ({skipped}) => countInWords(skipped, isSampled)},
			{
				title: 'ACTIONS',
				cell: ({actions}) =>
					actions.map(({action, events: count}) => `${action} ${countInWords(count, isSampled)}`).join(', '),
			},
			{title: 'RULE', cell: nameOf},
		],
		rules.slice(0, mostRows),
	);
}

function placeTable({places, isSampled}: ValidationSeen['comparison'], version: 'new' | 'previous'): string {
	const rows = places.filter(place => place.version === version).slice(0, mostRows);
	if (rows.length === 0) return '';
	return table<Place>(
		[
			{title: 'ALONE', align: 'right', cell: ({only}) => countInWords(only, isSampled)},
			{title: 'STOPPED', align: 'right', cell: ({stopped}) => countInWords(stopped, isSampled)},
			{title: 'PLACE', cell: ({host, path}) => `${host}${path}`},
			{title: 'RULE', cell: nameOf},
		],
		rows,
	);
}
