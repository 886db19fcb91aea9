import {existsSync} from 'node:fs';
import {Failure, type NamedCommand} from '../../failure.ts';
import {checkConfiguration} from '../../migration/configuration/checks.ts';
import {
	computeFingerprint,
	hasActiveRuleset,
	type ManagedConfiguration,
} from '../../migration/configuration/configuration.ts';
import {buildMigrationCommand} from '../../migration/machine/next-steps.ts';
import {getInitialConfiguration, planReview} from '../../migration/plan/plan.ts';
import {assessEligibility} from '../../migration/zone/eligibility.ts';
import {parseManagedEntryPoint} from '../../migration/zone/entry-point.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {getEligibilityFacts} from '../../migration/zone/read-facts.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import {qualifyAdvice} from '../../session/qualify-commands.ts';
import {buildAdvice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand} from '../shell/declare.ts';
import {addZoneToBlockerCommands, listNextCommands} from './blockers.ts';
import {readConfigurationFile} from './input.ts';
import {listDeletedOverrides, saveShownPlan} from './journal.ts';
import {openMigration, readSnapshotWithProgress} from './open-migration.ts';
import {formatMigrationPlan} from './plan-text.ts';
import {toZoneJson} from './text.ts';

/**
 * `migration plan`: shows the settings before and after, what is lost, and the fingerprint of the planned
 * configuration. For scripts, this is the review: the plan is saved, and only a configuration that a plan has
 * shown can be sent.
 */
export const migrationPlanCommand = defineCommand({
	usage: 'plan [FILE]',
	summary:
		"show what changes, what is lost, and the fingerprint; without a file, plans the service's proposal, or during validation the active configuration",
	example: 'migration plan configuration.json --zone example.com',
	sampleArguments: '--zone acme.example',
	run: (context, _options, file) => printMigrationPlan(context, file),
});

async function printMigrationPlan(context: CommandContext, file: string | undefined): Promise<void> {
	const {output} = context;
	const fileConfiguration = file === undefined ? undefined : await readConfigurationFile(context, file);
	const openedMigration = await openMigration(context, {writes: false});
	const {zone} = openedMigration;
	const snapshot = await readSnapshotWithProgress(context, openedMigration);
	const configuration = fileConfiguration ?? getConfigurationToReview(snapshot);
	const plan = planReview(snapshot, configuration, listDeletedOverrides(context, openedMigration, snapshot));
	const findings = checkConfiguration(
		configuration,
		zone,
		getInitialConfiguration(snapshot),
		snapshot.catalogue,
		{allowUnknown: true},
	);
	const eligibility = addZoneToBlockerCommands(
		zone,
		assessEligibility(getEligibilityFacts(snapshot)),
		context.options,
	);
	const isSendable = findings.every(({severity}) => severity !== 'error');
	const nextCommands: NextCommands = !eligibility.eligible
		? {editCommands: [], followUps: listNextCommands(zone, eligibility)}
		: isSendable
			? buildNextCommands(context, snapshot, configuration, file)
			: {editCommands: [], followUps: []};
	const [editCommands, followUps] = [nextCommands.editCommands, nextCommands.followUps].map(commandList =>
		commandList.map(command => qualifyAdvice(command, context.options)),
	) as [string[], string[]];
	// Of the edit commands, the JSON contains only the one that writes the file.
	const jsonCommands = [...editCommands.slice(0, 1), ...followUps];
	// The exit code tells whether it can be sent.
	if (!eligibility.eligible) context.setExitCode(5);
	else if (!isSendable) context.setExitCode(1);
	else saveShownPlan(context, openedMigration, configuration, snapshot);
	if (output.json) {
		const {unread} = snapshot;
		const {eligible, stage, blockers} = eligibility;
		return output.writeJson(
			context.markSimulated({
				zone: toZoneJson(zone),
				eligible,
				stage,
				blockers,
				...plan,
				findings,
				unread,
				commands: jsonCommands,
			}),
		);
	}
	const text = formatMigrationPlan(zone, {
		plan,
		findings,
		eligibility,
		unread: snapshot.unread,
		editCommands,
		followUps,
	});
	await output.writeText(text);
}

/**
 * Returns the configuration to review when no file is given. Fails with `not_eligible` if the service
 * proposes none and none is active.
 */
export function getConfigurationToReview(snapshot: Snapshot): ManagedConfiguration {
	const {zone, unread} = snapshot;
	const initialConfiguration = getInitialConfiguration(snapshot);
	if (initialConfiguration) return initialConfiguration;
	const blockers = assessEligibility(getEligibilityFacts(snapshot)).blockers.filter(one => one.hinders);
	const why =
		blockers.length > 0
			? blockers.map(({sentence}) => sentence)
			: unread.map(one => `${one.what}: ${one.why}`);
	throw new Failure('not_eligible', `The service proposes no configuration for ${zone.label}.`, {
		why: why.join('\n') || undefined,
		next: buildAdvice`See what blocks it: \`${buildMigrationCommand(zone, 'check')}\``,
	});
}

/** Returns the next commands; each works as printed. */
function buildNextCommands(
	context: CommandContext,
	snapshot: Snapshot,
	configuration: ManagedConfiguration,
	file: string | undefined,
): NextCommands {
	const {zone, entryPoint} = snapshot;
	const mayBeEnterprise = zone.plan === 'enterprise' || zone.plan === undefined;
	const activeConfiguration = entryPoint && parseManagedEntryPoint(entryPoint).configuration;
	// A configuration already in validation is not sent there again.
	const isValidatedAlready =
		getEligibilityFacts(snapshot).stage === 'validation' &&
		activeConfiguration &&
		computeFingerprint(activeConfiguration) === computeFingerprint(configuration);
	return {
		editCommands: file === undefined ? buildEditingCommands(context, snapshot) : [],
		followUps: [
			...(file === '-'
				? []
				: [buildMigrationCommand(zone, 'rehearse', ...(file === undefined ? [] : [file]))]),
			...(mayBeEnterprise && !isValidatedAlready
				? [buildSendingCommand(zone, 'validate', configuration, file)]
				: []),
			buildSendingCommand(zone, 'deploy', configuration, file),
		],
	};
}

type NextCommands = {
	/** Commands that write the planned configuration to a file, and plan it after editing. */
	readonly editCommands: readonly NamedCommand[];
	readonly followUps: readonly NamedCommand[];
};

/** Returns the commands that write the configuration under review to a new file, and plan that file. */
function buildEditingCommands(context: CommandContext, snapshot: Snapshot): readonly NamedCommand[] {
	const {zone} = snapshot;
	const subcommand =
		getEligibilityFacts(snapshot).stage === 'validation' && snapshot.entryPoint ? 'export' : 'config';
	const file = findFreeFileName(context);
	return [
		buildMigrationCommand(zone, subcommand, '--output', file),
		buildMigrationCommand(zone, 'plan', file),
	];
}

function findFreeFileName({resolve}: CommandContext): string {
	for (let number = 1; ; number++) {
		const name = number === 1 ? 'configuration.json' : `configuration-${number}.json`;
		if (!existsSync(resolve(name))) return name;
	}
}

/**
 * Builds the command that sends exactly this configuration: from the file if given, else as its plan saved
 * it.
 */
export const buildSendingCommand = (
	zone: Pick<MigrationZone, 'id' | 'name'>,
	subcommand: 'validate' | 'deploy',
	configuration: ManagedConfiguration,
	file?: string,
): NamedCommand =>
	buildMigrationCommand(
		zone,
		...[subcommand, ...(file === undefined || file === '-' ? [] : [file])],
		...['--fingerprint', computeFingerprint(configuration), '--confirm', zone.name],
		...(hasActiveRuleset(configuration) ? [] : ['--without-rulesets']),
	);
