import {existsSync} from 'node:fs';
import {Failure, type NamedCommand} from '../../failure.ts';
import {checkConfiguration} from '../../migration/configuration/checks.ts';
import {
	type Configuration,
	deploysAnything,
	fingerprint,
} from '../../migration/configuration/configuration.ts';
import {basisOf} from '../../migration/flow/reviewing.ts';
import {migrationCommand} from '../../migration/machine/next-steps.ts';
import {begunWith, planReview} from '../../migration/plan/plan.ts';
import {eligibility} from '../../migration/zone/eligibility.ts';
import type {MigrationZone} from '../../migration/zone/migration-zone.ts';
import {factsIn} from '../../migration/zone/read-facts.ts';
import type {Snapshot} from '../../migration/zone/snapshot.ts';
import {qualified} from '../../session/qualify-commands.ts';
import {advice} from '../../text/advice.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand} from '../shell/declare.ts';
import {qualifiedBlockers, waysOut} from './blockers.ts';
import {configurationIn} from './input.ts';
import {deletedBefore, keepShown} from './journal.ts';
import {planText} from './plan-text.ts';
import {zoneJson} from './text.ts';
import {openMigration, readZone} from './zone.ts';

/**
 * `migration plan`: the settings before and after, what is lost, and the fingerprint of exactly that. For
 * scripts it is the review: it keeps what it was made from, and nothing that was not shown can be sent.
 */
export const migrationPlanCommand = defineCommand({
	usage: 'plan [FILE]',
	summary:
		'what changes, what is lost, and the fingerprint of it; without a file, of what the service proposes, and in validation of what is in force',
	example: 'migration plan configuration.json --zone example.com',
	sample: '--zone acme.example',
	run: (context, _options, file) => plan(context, file),
});

async function plan(context: CommandContext, file: string | undefined): Promise<void> {
	const {output} = context;
	const given = file === undefined ? undefined : await configurationIn(context, file);
	const opened = await openMigration(context, {writes: false});
	const {zone} = opened;
	const snapshot = await readZone(context, opened);
	const configuration = given ?? toReview(snapshot);
	const planned = planReview(snapshot, configuration, deletedBefore(context, opened, snapshot));
	const findings = checkConfiguration(configuration, zone, begunWith(snapshot), snapshot.managed);
	const found = qualifiedBlockers(zone, eligibility(factsIn(snapshot)), context.options);
	const isSendable = findings.every(({severity}) => severity !== 'error');
	const ways: Ways = !found.eligible
		? {editing: [], onward: waysOut(zone, found)}
		: isSendable
			? waysOn(context, snapshot, configuration, file)
			: {editing: [], onward: []};
	const [editing, onward] = [ways.editing, ways.onward].map(words =>
		words.map(command => qualified(command, context.options)),
	) as [string[], string[]];
	const commands = [...editing.slice(0, 1), ...onward];
	// The exit code tells whether it can be sent.
	if (!found.eligible) context.answer(5);
	else if (!isSendable) context.answer(1);
	else keepShown(context, opened, configuration, snapshot);
	if (output.json) {
		const {unread} = snapshot;
		const {eligible, stage, blockers} = found;
		return output.value(
			context.marked({
				zone: zoneJson(zone),
				eligible,
				stage,
				blockers,
				...planned,
				findings,
				unread,
				commands,
			}),
		);
	}
	const text = planText(zone, {
		plan: planned,
		findings,
		found,
		unread: snapshot.unread,
		editing,
		commands: onward,
	});
	await output.text(text);
}

/**
 * Returns the configuration that a review starts from. Fails with `not_eligible` if the service proposes none
 * and none is active.
 */
export function toReview(snapshot: Snapshot): Configuration {
	const {zone, unread} = snapshot;
	const begun = begunWith(snapshot);
	if (begun) return begun;
	const hinders = eligibility(factsIn(snapshot)).blockers.filter(one => one.hinders);
	const why =
		hinders.length > 0 ? hinders.map(({sentence}) => sentence) : unread.map(one => `${one.what}: ${one.why}`);
	throw new Failure('not_eligible', `The service proposes no configuration for ${zone.label}.`, {
		why: why.join('\n') || undefined,
		next: advice`See what blocks it: \`${migrationCommand(zone, 'check')}\``,
	});
}

/** Returns the commands that continue from here, each working as printed. */
function waysOn(
	context: CommandContext,
	snapshot: Snapshot,
	configuration: Configuration,
	file: string | undefined,
): Ways {
	const {zone, entryPoint} = snapshot;
	const isEnterprise = zone.plan === 'enterprise' || zone.plan === undefined;
	// A configuration already in validation is not sent there again.
	const isThere =
		factsIn(snapshot).stage === 'validation' &&
		basisOf({proposed: null, entryPoint}).entryPoint?.fingerprint === fingerprint(configuration);
	return {
		editing: file === undefined ? editingCommands(context, snapshot) : [],
		onward: [
			...(file === '-' ? [] : [migrationCommand(zone, 'rehearse', ...(file === undefined ? [] : [file]))]),
			...(isEnterprise && !isThere ? [sendingCommand(zone, 'validate', configuration, file)] : []),
			sendingCommand(zone, 'deploy', configuration, file),
		],
	};
}

type Ways = {
	/** Writes the planned configuration to a file, and plans the edited file. */
	readonly editing: readonly NamedCommand[];
	readonly onward: readonly NamedCommand[];
};

/** Returns the commands that write the configuration to review to a new file, and plan that. */
function editingCommands(context: CommandContext, snapshot: Snapshot): readonly NamedCommand[] {
	const {zone} = snapshot;
	const word = factsIn(snapshot).stage === 'validation' && snapshot.entryPoint ? 'export' : 'config';
	const file = freeName(context);
	return [migrationCommand(zone, word, '--output', file), migrationCommand(zone, 'plan', file)];
}

function freeName({resolve}: CommandContext): string {
	for (let number = 1; ; number++) {
		const name = number === 1 ? 'configuration.json' : `configuration-${number}.json`;
		if (!existsSync(resolve(name))) return name;
	}
}

/** Builds the command that sends exactly this configuration: from the file, else as its plan kept it. */
export const sendingCommand = (
	zone: Pick<MigrationZone, 'id' | 'name'>,
	word: 'validate' | 'deploy',
	configuration: Configuration,
	file?: string,
): NamedCommand =>
	migrationCommand(
		zone,
		...[word, ...(file === undefined || file === '-' ? [] : [file])],
		...['--fingerprint', fingerprint(configuration), '--confirm', zone.name],
		...(deploysAnything(configuration) ? [] : ['--without-rulesets']),
	);
