import {fingerprint} from '../../migration/configuration/configuration.ts';
import {createFlow} from '../../migration/flow/flow.ts';
import {refuseToSend} from '../../migration/flow/guards.ts';
import type {FlowWork} from '../../migration/flow/parts.ts';
import type {Mode} from '../../migration/machine/stage.ts';
import {awaitsReady} from '../../migration/machine/states.ts';
import {placeOfZone} from '../../session/write-place.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand} from '../shell/declare.ts';
import {confirmed} from './confirmation.ts';
import {reviewedIn} from './input.ts';
import {openedJournal} from './journal.ts';
import {type SendingOptions, sendingOptions} from './options.ts';
import {stepTeller} from './progress.ts';
import {digitsAsked, recordReview, reviewedToSend} from './reviewed-file.ts';
import {ending} from './watch.ts';
import {openMigration} from './zone.ts';

/** `migration validate`: both versions active, the new one first; Enterprise only. */
export const migrationValidateCommand = defineCommand({
	usage: 'validate [FILE]',
	summary:
		'put the reviewed configuration beside the previous version, to look at it under live traffic (Enterprise)',
	example:
		'migration validate configuration.json --zone example.com --fingerprint 7c1e09ab44d2f013 --confirm example.com',
	writes: 'beginning the validation of the new managed rules',
	sample: '--zone acme.example --confirm acme.example',
	options: sendingOptions,
	run: (context, options, file) => send(context, 'validation', options, file),
});

/** `migration deploy`: replaces the previous version with the new one. Cannot be undone. */
export const migrationDeployCommand = defineCommand({
	usage: 'deploy [FILE]',
	summary: 'put the reviewed configuration in force and turn the previous version off; cannot be undone',
	example:
		'migration deploy configuration.json --zone example.com --fingerprint 7c1e09ab44d2f013 --confirm example.com',
	writes: 'turning the previous managed rules off',
	sample: '--zone acme.example --confirm acme.example',
	options: sendingOptions,
	run: (context, options, file) => send(context, 'pending', options, file),
});

async function send(
	context: CommandContext,
	mode: Mode,
	options: SendingOptions,
	file: string | undefined,
): Promise<void> {
	const given = file === undefined ? undefined : await reviewedIn(context, file, options.fingerprint);
	const opened = await openMigration(context, {writes: true});
	await context.announceWrite(placeOfZone(opened.zone));
	await using journal = await openedJournal(context, opened);
	const flow = createFlow({client: opened.client, zone: opened.zone, journal: journal.journal});
	using teller = stepTeller(context);
	const work: FlowWork = {signal: context.signal, onStep: teller.step};
	const wanted = {mode, given, file, digits: options.fingerprint};
	const digits = digitsAsked(context, flow, opened, wanted);
	// An unconfirmed request changes nothing; a confirmed one replaces the earlier request, whatever blocks
	// it.
	if (options.confirm === opened.zone.name) await flow.ask(mode, digits);
	await flow.look(work);
	refuseToSend(opened.zone, flow.record, mode);
	const toSend = await reviewedToSend(context, flow, opened, wanted, work);
	const confirmation = await confirmed(context, flow, toSend.configuration, mode, options, work);
	await flow.ask(mode, fingerprint(toSend.configuration));
	await recordReview(flow, toSend, mode);
	if (mode === 'pending' && awaitsReady(flow.record.state)) await flow.ready();
	await context.auditedWrites(placeOfZone(opened.zone), steps =>
		flow.send(mode, confirmation, {...work, ...steps}),
	);
	if (context.options.dryRun) return;
	const {watch = true, withoutRulesets = false} = options;
	await ending(context, flow, opened, {watch, withoutRulesets, teller});
}
