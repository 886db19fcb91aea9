import {Failure} from '../failure.ts';
import type {MigrationFlow} from '../migration/flow.ts';
import {keepReport} from '../migration/keep-report.ts';
import {migrationStates} from '../migration/machine.ts';
import type {Verification} from '../migration/verification.ts';
import type {CommandContext} from './context.ts';
import {leadingCommands} from './leading-there.ts';
import {notAsReviewed, verified} from './migration-as-reviewed.ts';
import {managedRulesetLines} from './migration-report.ts';
import type {StepTeller} from './migration-steps.ts';
import {recordJson, zoneJson} from './migration-words.ts';
import {migrationCommand, type OpenedMigration} from './migration-zone.ts';

export type EndingOptions = {
	/** Whether to watch until the zone stands still. */
	readonly watch: boolean;
	/** Said where no managed ruleset need be on in the end. */
	readonly withoutRulesets: boolean;
	readonly teller: StepTeller;
};

/**
 * What a PUT came to: watched until the zone stands still, then verified, never assumed, and reported (design.md 6).
 * Fails where it did not come to what was meant.
 */
export async function ending(
	context: CommandContext,
	flow: MigrationFlow,
	opened: OpenedMigration,
	{watch, withoutRulesets, teller}: EndingOptions,
): Promise<void> {
	const {signal} = context;
	const isUnderWay = () => flow.record.state === 'finishing' || flow.record.state === 'starting validation';
	if (watch && isUnderWay()) await flow.watch({signal, onStep: teller.step});
	teller[Symbol.dispose]();
	const {state, reviewed, put} = flow.record;
	if (state === 'complete') return complete(context, flow, opened, withoutRulesets);
	// Validation goes on where the PUT that was to end it never arrived.
	if (put?.mode === 'pending' && put.came === 'given up') throw unlucky(flow);
	const {zone} = flow;
	const digits = reviewed ? ['--fingerprint', reviewed.fingerprint] : [];
	const onward = {
		validating: migrationCommand(zone, 'deploy', ...digits, '--confirm', zone.name),
		watching: migrationCommand(zone, 'resume'),
	};
	if (state === 'validating' || state === 'ready to update') {
		const read = await verified(context, flow, opened);
		const failure = notAsReviewed(flow, read, withoutRulesets);
		const isOn = `Validation is on in ${zone.label}: both versions are in force, the new one first.`;
		const {verification} = read;
		if (failure) return saidAndFailed(context, flow, {verification}, [isOn], failure);
		return said(context, flow, {verification, next: onward.validating}, [
			isOn,
			'Look at the activity log of the security events: what the new managed rules act on, and should not.',
			`Ready to update? Turn the previous version off with: ${onward.validating}`,
		]);
	}
	if (isUnderWay()) {
		return said(context, flow, {next: onward.watching}, [
			`The service has taken the configuration; it can take up to an hour (${migrationStates[state]}).`,
			`Watch it to its end, and have it verified and reported, with: ${onward.watching}`,
		]);
	}
	throw unlucky(flow);
}

/** A run that ended where nobody wanted to be, and how to go on from there. */
export function unlucky({record, zone}: MigrationFlow): Failure {
	const {state, put} = record;
	const resume = migrationCommand(zone, 'resume');
	const again = migrationCommand(zone, 'resume', '--confirm', zone.name);
	const status = migrationCommand(zone, 'status');
	if (put?.came === 'given up') {
		return new Failure('service_failed', 'The service did not take what was sent.', {
			why: put.why,
			left: `Nothing of it is there, and nothing is sent again by itself. ${zone.name}: ${migrationStates[state]}.`,
			next: `To send it again, confirm it anew: \`${again}\``,
		});
	}
	switch (state) {
		case 'validation in doubt':
		case 'deploy in doubt':
			return new Failure('service_failed', 'What became of the PUT is not known yet.', {
				why: put?.why,
				left: 'It was sent once, and is not sent again by itself.',
				next: `Go on looking: \`${resume}\``,
				doubtful: true,
			});
		case 'unread':
		case 'eligible':
			return new Failure('unreviewed', `No configuration was reviewed for ${zone.label}; nothing was sent.`, {
				next: `Begin with a review: \`${migrationCommand(zone, 'plan')}\``,
			});
		case 'validating unreviewed':
			return new Failure('unreviewed', `What validation runs with in ${zone.label} was not reviewed here.`, {
				next: [
					`Write what is in force to a file: \`${migrationCommand(zone, 'export', '--output', 'configuration.json')}\``,
					`Review it: \`${migrationCommand(zone, 'plan', 'configuration.json')}\``,
				].join('\n'),
			});
		case 'moved on':
			return new Failure('changed_meanwhile', `Someone else took ${zone.label} on.`, {
				next: `See how it stands: \`${status}\`\nGo on from there: \`${migrationCommand(zone, 'resume', '--take-over')}\``,
			});
		case 'blocked':
			return new Failure('not_eligible', `${zone.label} cannot migrate as it is.`, {
				next: `See what hinders it: \`${migrationCommand(zone, 'check')}\``,
			});
		default:
			return new Failure('refused_by_service', `${zone.label}: ${migrationStates[state]}.`, {
				why: put?.why,
				next: `See how it stands: \`${status}\``,
			});
	}
}

/** The new version alone is in force: what is deployed is read, and kept in a report in the zone's folder. */
async function complete(
	context: CommandContext,
	flow: MigrationFlow,
	opened: OpenedMigration,
	withoutRulesets: boolean,
): Promise<void> {
	const {client, zone} = opened;
	const read = await verified(context, flow, opened);
	const {verification} = read;
	const at = client.pace.now();
	const report = (await keepReport(flow, {...read, at}))?.path;
	const sentences = [
		`The migration of ${zone.label} is complete: new version only.`,
		...verificationLines(verification),
		...(report === undefined ? [] : [`The report is in ${report}.`]),
	];
	const failure = notAsReviewed(flow, read, withoutRulesets);
	if (!failure) sentences.push(...verification.findings);
	const more = {verification, report: report ?? null};
	return failure
		? saidAndFailed(context, flow, more, sentences, failure)
		: said(context, flow, more, sentences);
}

/** What it came to, and that it is not what it should be. */
async function saidAndFailed(
	context: CommandContext,
	flow: MigrationFlow,
	more: Readonly<Record<string, unknown>>,
	sentences: readonly string[],
	failure: Failure,
): Promise<never> {
	await said(context, flow, more, sentences);
	throw failure;
}

const verificationLines = (verification: Verification): readonly string[] => [
	...managedRulesetLines(verification),
	'There is no global switch any more: each managed ruleset is deployed by a rule of its own.',
	...(verification.sameAsReviewed ? ['What is there is what was reviewed.'] : []),
];

/** The end of a run: an object with `--json`, else sentences with the commands in them. */
function said(
	context: CommandContext,
	{zone, record}: MigrationFlow,
	more: Readonly<Record<string, unknown>>,
	sentences: readonly string[],
): Promise<void> {
	const shown = sentences.map(sentence => leadingCommands(sentence, context.options));
	if (!context.output.json) for (const sentence of shown) context.output.say(sentence);
	if (!context.output.json) return Promise.resolve();
	const next = typeof more.next === 'string' ? {next: leadingCommands(more.next, context.options)} : {};
	return context.output.value(
		context.marked({zone: zoneJson(zone), ...recordJson(record), ...more, ...next}),
	);
}
