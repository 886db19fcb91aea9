import type {Command} from 'commander';
import {Failure} from '../failure.ts';
import {proposedConfiguration} from '../migration/calls.ts';
import type {Configuration} from '../migration/configuration.ts';
import {createFlow, type FlowWork, type MigrationFlow} from '../migration/flow.ts';
import type {Mode} from '../migration/stage.ts';
import {planNames} from '../service/plan.ts';
import type {CommandContext} from './context.ts';
import {declareCommand} from './declare.ts';
import {confirmed} from './migration-confirmation.ts';
import {ending} from './migration-ending.ts';
import {refuseOther, reviewedIn} from './migration-input.ts';
import {openedJournal} from './migration-kept.ts';
import {type SendingOptions, sendingOptions} from './migration-options.ts';
import {stepTeller} from './migration-steps.ts';
import {seenWords} from './migration-words.ts';
import {migrationCommand, type OpenedMigration, openMigration} from './migration-zone.ts';

/** `migration validate`: both versions on, the new one first; Enterprise only (platform.md, "Zone migration"). */
export function declareMigrationValidate(parent: Command): void {
	declareCommand<SendingOptions>(parent, {
		usage: 'validate [FILE]',
		summary:
			'put the reviewed configuration beside the previous version, to look at it under live traffic (Enterprise)',
		example:
			'migration validate configuration.json --zone example.com --fingerprint 7c1e09ab44d2f013 --confirm example.com',
		options: sendingOptions,
		run: (context, options, file) => send(context, 'validation', options, file),
	});
}

/** `migration deploy`: the new version instead of the previous one. There is no way back. */
export function declareMigrationDeploy(parent: Command): void {
	declareCommand<SendingOptions>(parent, {
		usage: 'deploy [FILE]',
		summary: 'put the reviewed configuration in force and turn the previous version off; cannot be undone',
		example:
			'migration deploy configuration.json --zone example.com --fingerprint 7c1e09ab44d2f013 --confirm example.com',
		options: sendingOptions,
		run: (context, options, file) => send(context, 'pending', options, file),
	});
}

const doing: Readonly<Record<Mode, string>> = {
	validation: 'beginning the validation of the new managed rules',
	pending: 'turning the previous managed rules off',
};

async function send(
	context: CommandContext,
	mode: Mode,
	options: SendingOptions,
	file: string | undefined,
): Promise<void> {
	context.refuseWhenReadOnly(doing[mode]);
	const given = file === undefined ? undefined : await reviewedIn(context, file, options.fingerprint);
	const opened = await openMigration(context, {writes: true});
	await using journal = await openedJournal(context, opened);
	const flow = createFlow({client: opened.client, zone: opened.zone, journal: journal.journal});
	using teller = stepTeller(context);
	const work: FlowWork = {signal: context.signal, onStep: teller.step};
	await flow.look(work);
	const hindered = hindrance(flow, mode);
	if (hindered) throw hindered;
	const configuration = await reviewed(
		context,
		flow,
		opened,
		{mode, given, digits: options.fingerprint},
		work,
	);
	const confirmation = await confirmed(context, flow, configuration, mode, options, work);
	context.announceWrite(opened.zone.label);
	if (mode === 'pending' && flow.record.state === 'validating') await flow.ready();
	await context.auditedWrites(opened.zone.label, steps => flow.send(mode, confirmation, {...work, ...steps}));
	if (context.options.dryRun) return;
	await ending(context, flow, opened, {watch: options.watch !== false, teller});
}

/** Why this PUT cannot be the next thing where the zone stands, with what is; `undefined` where it can. */
function hindrance({record, zone}: MigrationFlow, mode: Mode): Failure | undefined {
	const {state, seen} = record;
	const resume = migrationCommand(zone, 'resume');
	const status = migrationCommand(zone, 'status');
	switch (state) {
		case 'complete':
			return new Failure(
				'already_migrated',
				`The migration of ${zone.label} is complete; nothing was sent.`,
				{
					why: 'It cannot be undone, and cannot be done twice.',
					next: `See what it came to: \`${migrationCommand(zone, 'report')}\``,
				},
			);
		case 'blocked':
			return new Failure('not_eligible', `${zone.label} cannot migrate as it is; nothing was sent.`, {
				next: `See what hinders it: \`${migrationCommand(zone, 'check')}\``,
			});
		case 'finishing':
		case 'starting validation':
			return new Failure(
				'changed_meanwhile',
				'The service is at work on the zone already; nothing was sent.',
				{
					next: `Watch it to its end: \`${resume}\``,
				},
			);
		case 'validation in doubt':
		case 'deploy in doubt':
		case 'sending validation':
		case 'sending deploy':
			return new Failure(
				'changed_meanwhile',
				'What became of the last PUT is not known yet; nothing was sent.',
				{
					next: `Look at what is there: \`${resume}\``,
				},
			);
		case 'moved on':
			return new Failure('changed_meanwhile', `Someone else took ${zone.label} on; nothing was sent.`, {
				why: seen && seenWords(seen),
				next: `See how it stands: \`${status}\`\nGo on from there: \`${migrationCommand(zone, 'resume', '--take-over')}\``,
			});
		case 'unknown stage':
			return new Failure(
				'not_eligible',
				`The service names a state of ${zone.label} that ledge does not know.`,
				{
					why: `It says "${seen?.status?.state ?? seen?.check.state ?? ''}". Nothing is written then.`,
					next: `Look again later: \`${status}\``,
				},
			);
		case 'validating':
		case 'validating unreviewed':
		case 'ready to update':
		case 'not taken':
		case 'unread':
		case 'eligible':
		case 'reviewed':
			if (mode === 'pending' || zone.plan === undefined || zone.plan === 'enterprise') return undefined;
			return new Failure('plan_lacks', 'Validation needs the Enterprise plan; nothing was sent.', {
				why: `${zone.name} is of the ${planNames[zone.plan]} plan.`,
				next: `There the migration goes in one step: \`${migrationCommand(zone, 'deploy')}\``,
			});
		default:
			return state satisfies never;
	}
}

type Wanted = {
	readonly mode: Mode;
	readonly given: Configuration | undefined;
	readonly digits: string | undefined;
};

/** What is to be sent: out of the file, which its fingerprint says was reviewed, or out of the journal (decision 33). */
async function reviewed(
	context: CommandContext,
	flow: MigrationFlow,
	{client, zone}: OpenedMigration,
	{mode, given, digits}: Wanted,
	work: FlowWork,
): Promise<Configuration> {
	if (given) {
		const isPrevious = flow.record.seen?.stage === 'previous';
		const proposed = isPrevious
			? (await proposedConfiguration(client, zone.id, work.signal)).configuration
			: undefined;
		await flow.review(given, proposed, mode);
		return given;
	}
	const kept = await flow.reviewed();
	if (!kept || !flow.record.reviewed) {
		const isBegun = flow.record.seen?.stage === 'validation';
		const file = ['--output', 'configuration.json'];
		throw new Failure('unreviewed', `No configuration was reviewed for ${zone.label}; nothing was sent.`, {
			next: [
				isBegun
					? `Write what is in force to a file: \`${migrationCommand(zone, 'export', ...file)}\``
					: `Write what the service proposes to a file: \`${migrationCommand(zone, 'config', ...file)}\``,
				`Review it: \`${migrationCommand(zone, 'plan', 'configuration.json')}\``,
			].join('\n'),
		});
	}
	if (digits !== undefined) refuseOther(digits, flow.record.reviewed.fingerprint, 'what was reviewed here');
	else if (!context.output.json) context.output.mention('What was reviewed here last is sent.');
	return kept;
}
