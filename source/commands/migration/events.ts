import {
	buildMissingJson,
	createMissingFailure,
	formatMissingLine,
	securityEventsSubject,
} from '../../analytics/problem.ts';
import {Failure, isFailure} from '../../failure.ts';
import {createFlow} from '../../migration/flow/flow.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {getLastConfigurationChange} from '../../migration/machine/observation.ts';
import {stageWords} from '../../migration/machine/stage.ts';
import type {RuleCounts} from '../../migration/validation/comparison.ts';
import {toComparisonJson, toRiseJson} from '../../migration/validation/json.ts';
import type {EventPlace, FindManagedRule} from '../../migration/validation/places.ts';
import {readVersionEvents} from '../../migration/validation/read.ts';
import {type Rise, readRise} from '../../migration/validation/rise.ts';
import {createManagedRuleFinder} from '../../migration/validation/rule-finder.ts';
import {
	getCountedSpan,
	hasKnownBeginning,
	summarizeValidation,
	type ValidationReading,
} from '../../migration/validation/summary.ts';
import {
	describeComparisonMethod,
	describeRise,
	formatEventCount,
	formatTimeSpan,
	formatVersionCounts,
	listCandidateFacts,
	noEventsNote,
	versionNames,
} from '../../migration/validation/words.ts';
import {readObservation} from '../../migration/zone/calls.ts';
import {readManagedContents} from '../../migration/zone/managed-contents.ts';
import {formatTable} from '../../terminal/table.ts';
import {buildAdvice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {createSwitchOption, defineCommand} from '../shell/declare.ts';
import {findPreMigrationSnapshot, findZoneRecord, openZoneJournal} from './journal.ts';
import {type OpenedMigration, openMigration} from './open-migration.ts';
import {toZoneJson} from './text.ts';

/** Maximum rows of each table. */
const maxRows = 20;

/** `migration events`: shows what each version does to requests while both are active. Reads only. */
export const migrationEventsCommand = defineCommand({
	usage: 'events',
	summary: 'show what each version does to requests during validation, and candidates for exceptions',
	example: 'migration events --zone example.com',
	sampleArguments: '--zone acme.example',
	options: () => [
		createSwitchOption('--all', 'show the whole validation, not only since the last configuration change'),
	],
	run: (context, {all}) => printVersionEvents(context, all ? 'all' : 'changed'),
});

async function printVersionEvents(context: CommandContext, sinceMode: 'changed' | 'all'): Promise<void> {
	const openedMigration = await openMigration(context, {writes: false});
	const {client, zone} = openedMigration;
	const {signal, output} = context;
	const record = findZoneRecord(context, openedMigration) ?? {state: 'unread'};
	const now = client.clock.now();
	const {stage} = await readObservation(client, zone, signal);
	const hasValidationEnded = stage === 'complete' || stage === 'pending';
	const span = getCountedSpan(record, now, hasValidationEnded ? 'all' : sinceMode);
	const isStartKnown = hasKnownBeginning(record);
	if (stage !== 'validation' && !(hasValidationEnded && record.validatingSince !== undefined))
		throw new Failure('not_found', `${zone.label} is not in validation: there is nothing to compare.`, {
			why: `Its stage: ${stageWords[stage]}.`,
			next: buildAdvice`To see what comes next: \`${buildMigrationCommand(zone, 'status')}\``,
		});
	const {value: versionEvents, problems} = await readVersionEvents(
		client,
		zone.id,
		span,
		isStartKnown ? 'read it' : 'none',
		signal,
	);
	if (!versionEvents) throw createMissingFailure(securityEventsSubject, problems[0]);
	const validationReading = summarizeValidation(
		versionEvents,
		await loadManagedRuleFinder(context, openedMigration),
		getLastConfigurationChange(record),
	);
	if (!hasValidationEnded) await saveComparison(context, openedMigration, validationReading);
	const rise = hasValidationEnded
		? (await readRise(client, zone.id, {...record, validation: validationReading.summary}, signal)).value
		: undefined;
	if (output.json)
		return output.writeJson(
			context.markSimulated({
				zone: toZoneJson(zone),
				stage,
				...toComparisonJson(validationReading.comparison),
				begunKnown: isStartKnown,
				rise: rise ? toRiseJson(rise) : null,
				missing: problems.map(problem => buildMissingJson(securityEventsSubject, problem)),
			}),
		);
	for (const problem of problems) output.warn(formatMissingLine(securityEventsSubject, problem));
	await output.writeText(formatComparison(openedMigration, validationReading, {isStartKnown, rise}));
}

/**
 * Loads the rules by which events are named: from the backup made before the migration, or without one from
 * the service. A rule without a name is shown by its id.
 */
async function loadManagedRuleFinder(
	context: CommandContext,
	openedMigration: OpenedMigration,
): Promise<FindManagedRule> {
	const snapshot = findPreMigrationSnapshot(context, openedMigration);
	if (snapshot?.catalogue) return createManagedRuleFinder(snapshot);
	try {
		const catalogue = await readManagedContents(
			openedMigration.client,
			openedMigration.zone.id,
			context.signal,
		);
		return createManagedRuleFinder(snapshot ? {...snapshot, catalogue} : {catalogue});
	} catch (error) {
		if (!isFailure(error) || error.code === 'interrupted') throw error;
		return createManagedRuleFinder(snapshot);
	}
}

/** Saves the comparison for the report, if this machine has the journal and no other process holds it. */
async function saveComparison(
	context: CommandContext,
	openedMigration: OpenedMigration,
	{comparison, summary}: ValidationReading,
): Promise<void> {
	const record = findZoneRecord(context, openedMigration);
	if (context.options.dryRun || record?.validatingSince === undefined) return;
	if (comparison.method === undefined) return;
	try {
		await using journal = await openZoneJournal(context, openedMigration);
		const flow = createFlow({
			client: openedMigration.client,
			zone: openedMigration.zone,
			journal: journal.journal,
		});
		await flow.recordValidation(summary);
	} catch (error) {
		if (!isFailure(error, 'job_running', 'file_failed', 'journal_invalid')) throw error;
	}
}

function formatComparison(
	{zone}: OpenedMigration,
	{comparison}: ValidationReading,
	{isStartKnown, rise}: {readonly isStartKnown: boolean; readonly rise: Rise | undefined},
): string {
	const {validationStart: beginning, since, until, isSampled, counts, rules, method} = comparison;
	const changeNote = since > beginning ? ', since the configuration was changed' : '';
	const sinceNote = isStartKnown ? changeNote : '; when validation started is not known here';
	return [
		`${zone.label}: security events of ${formatTimeSpan(since, until)}${sinceNote}`,
		`  ${versionNames.new}       ${formatVersionCounts(counts.new, isSampled)}`,
		`  ${versionNames.previous}  ${formatVersionCounts(counts.previous, isSampled)}`,
		...(rise ? [describeRise(rise)] : []),
		'',
		...(rules.length === 0 ? [noEventsNote] : []),
		...describeComparisonMethod(comparison),
		...formatTitledSection('By rule', formatEventRuleTable(comparison)),
		...(method === undefined ? [] : formatComparisonSections(comparison)),
		'',
	].join('\n');
}

/** Formats the requests that only one version stopped, and the candidates for exceptions. */
function formatComparisonSections(comparison: ValidationReading['comparison']): readonly string[] {
	const {candidates, isSampled} = comparison;
	return [
		...formatTitledSection('Stopped only by the new rules', formatPlaceTable(comparison, 'new')),
		...formatTitledSection('Stopped only by the previous rules', formatPlaceTable(comparison, 'previous')),
		...formatTitledSection(
			'Candidates for exceptions, from the new rules',
			candidates
				.map(candidate =>
					[
						`${formatEventRuleName(candidate)} at ${candidate.host}${candidate.path}`,
						`  ${listCandidateFacts(candidate, isSampled).join('; ')}`,
						'',
					].join('\n'),
				)
				.join(''),
		),
	];
}

const formatTitledSection = (title: string, text: string): readonly string[] =>
	text === '' ? ['', `${title}: none.`] : ['', `${title}:`, text.trimEnd()];

const formatEventRuleName = ({name, ruleId}: {readonly name: string; readonly ruleId: string}): string =>
	name === '' ? ruleId : `${name} (${ruleId})`;

function formatEventRuleTable({rules, isSampled}: ValidationReading['comparison']): string {
	if (rules.length === 0) return '';
	return formatTable<RuleCounts>(
		[
			{title: 'VERSION', cell: ({version}) => version},
			{title: 'STOPPED', align: 'right', cell: ({stopped}) => formatEventCount(stopped, isSampled)},
			{title: 'LOGGED', align: 'right', cell: ({logged}) => formatEventCount(logged, isSampled)},
			{title: 'SKIPPED', align: 'right', cell: ({skipped}) => formatEventCount(skipped, isSampled)},
			{
				title: 'ACTIONS',
				cell: ({actions}) =>
					actions
						.map(({action, events: count}) => `${action} ${formatEventCount(count, isSampled)}`)
						.join(', '),
			},
			{title: 'RULE', cell: formatEventRuleName},
		],
		rules.slice(0, maxRows),
	);
}

function formatPlaceTable(
	{places, isSampled}: ValidationReading['comparison'],
	version: 'new' | 'previous',
): string {
	const rows = places.filter(place => place.version === version).slice(0, maxRows);
	if (rows.length === 0) return '';
	return formatTable<EventPlace>(
		[
			{title: 'ALONE', align: 'right', cell: ({stoppedAlone}) => formatEventCount(stoppedAlone, isSampled)},
			{title: 'STOPPED', align: 'right', cell: ({stopped}) => formatEventCount(stopped, isSampled)},
			{title: 'URL', cell: ({host, path}) => `${host}${path}`},
			{title: 'RULE', cell: formatEventRuleName},
		],
		rows,
	);
}
