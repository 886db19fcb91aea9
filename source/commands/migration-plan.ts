import type {Command} from 'commander';
import {Failure} from '../failure.ts';
import {type Configuration, deploysAnything, readConfiguration} from '../migration/configuration.ts';
import {checkConfiguration} from '../migration/configuration-checks.ts';
import {planMigration} from '../migration/plan.ts';
import {readSnapshot} from '../migration/read-snapshot.ts';
import type {MigrationZone, Snapshot} from '../migration/snapshot.ts';
import type {CommandContext} from './context.ts';
import {declareCommand} from './declare.ts';
import {leadingCommands} from './leading-there.ts';
import {configurationIn} from './migration-input.ts';
import {planText} from './migration-plan-text.ts';
import {zoneJson} from './migration-words.ts';
import {migrationCommand, openMigration} from './migration-zone.ts';

/** `migration plan`: what was, what will be, what is lost, and the fingerprint of exactly that (decision 33). */
export function declareMigrationPlan(parent: Command): void {
	declareCommand(parent, {
		usage: 'plan [FILE]',
		summary:
			'what changes, what is lost, and the fingerprint of it; without a file, of what the service proposes',
		example: 'migration plan configuration.json --zone example.com',
		run: (context, _options, file) => plan(context, file),
	});
}

async function plan(context: CommandContext, file: string | undefined): Promise<void> {
	const {output, signal} = context;
	const given = file === undefined ? undefined : await configurationIn(context, file);
	const {client, zone, place} = await openMigration(context, {writes: false});
	const snapshot = await readSnapshot(client, zone, place, {
		signal,
		onStep: what => output.mention(`Reading ${what}.`),
	});
	const configuration = given ?? proposedIn(snapshot);
	const planned = planMigration(snapshot, configuration);
	const findings = checkConfiguration(configuration, zone.plan);
	const isSendable = findings.every(({severity}) => severity !== 'error');
	const commands = isSendable ? waysOn(context, zone, planned.fingerprint, configuration, file) : [];
	// Whoever asks whether it can be sent, and it cannot, is told so by the exit code (decision 10).
	if (!isSendable) process.exitCode = 1;
	if (output.json) {
		const {unread} = snapshot;
		return output.value(context.marked({zone: zoneJson(zone), ...planned, findings, unread, commands}));
	}
	await output.text(planText(zone, planned, findings, snapshot.unread, commands));
}

/** What the service proposes; fails with `not_eligible` where it proposes nothing. */
export function proposedIn({proposed, zone, unread}: Snapshot): Configuration {
	if (proposed) return readConfiguration(proposed, 'What the service proposes');
	throw new Failure('not_eligible', `The service proposes no configuration for ${zone.label}.`, {
		why: unread.map(({what, why}) => `${what}: ${why}`).join('\n') || undefined,
		next: `See what hinders it: \`${migrationCommand(zone, 'check')}\``,
	});
}

/** The commands that go on from here, each of which works as it stands. */
function waysOn(
	context: CommandContext,
	zone: MigrationZone,
	digits: string,
	configuration: Configuration,
	file: string | undefined,
): readonly string[] {
	const name = file === undefined || file === '-' ? 'configuration.json' : file;
	const further = deploysAnything(configuration) ? [] : ['--without-rulesets'];
	const sending = (word: 'validate' | 'deploy') =>
		migrationCommand(zone, word, name, '--fingerprint', digits, '--confirm', zone.name, ...further);
	const commands = [
		...(file === undefined ? [migrationCommand(zone, 'config', '--output', name)] : []),
		migrationCommand(zone, 'rehearse', name),
		...(zone.plan === 'enterprise' || zone.plan === undefined ? [sending('validate')] : []),
		sending('deploy'),
	];
	return commands.map(command => leadingCommands(command, context.options));
}
