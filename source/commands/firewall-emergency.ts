import type {Command} from 'commander';
import {asFailure, Failure} from '../failure.ts';
import {continuation, listing} from '../firewall/continuation.ts';
import {type Emergency, type EmergencyDraft, emergencyCreate} from '../firewall/emergency.ts';
import {canAsk, confirm} from '../terminal/prompt.ts';
import type {CommandContext} from './context.ts';
import {declareCommand} from './declare.ts';
import {anyZone, refuseUnfit, warnOfOdd} from './firewall-check.ts';
import {expressionOption, type SettingOptions, settingOptions, settingsOf} from './firewall-options.ts';
import {actionOf} from './firewall-text.ts';
import {type OpenedZone, openZone, withCommands} from './firewall-zone.ts';

type EmergencyOptions = SettingOptions & {expression?: string};

/** `firewall emergency`: filter and rule in one call, and never anything else (platform.md, "What the service does", Area B). */
export function declareFirewallEmergency(firewall: Command): void {
	declareCommand<EmergencyOptions>(firewall, {
		usage: 'emergency',
		summary: 'block at once: filter and rule in a single call (for rules to keep: rule create)',
		example: `firewall emergency --zone example.com --expression 'ip.src in {198.51.100.0/24}'`,
		options: () => [
			expressionOption(),
			...settingOptions().map(option =>
				option.long === '--action' ? option.default(undefined, 'block') : option,
			),
		],
		run: emergency,
	});
}

async function emergency(context: CommandContext, options: EmergencyOptions): Promise<void> {
	context.refuseWhenReadOnly('creating a firewall rule');
	const draft = draftOf(options);
	refuseUnfit(draft, anyZone);
	const opened = await openZone(context, {writes: true});
	const {zone, client} = opened;
	refuseUnfit(draft, zone);
	warnOfOdd(context, draft, zone);
	context.announceWrite(zone.label);
	if (!context.options.dryRun)
		context.output.say(
			`Creating a filter and a rule on it (${actionOf(draft)}) in one call, in ${zone.label}.`,
		);
	const done = await audited(context, opened, `emergency rule (${actionOf(draft)})`, () =>
		emergencyCreate(client, zone, draft, {
			signal: context.signal,
			onStep(step) {
				if (step === 'looking') context.output.say('The answer was lost; reading what is there.');
			},
		}),
	);
	if (!context.options.dryRun) await told(context, opened, draft, done);
}

function draftOf({expression, ...options}: EmergencyOptions): EmergencyDraft {
	if (expression === undefined) {
		throw new Failure('usage', 'No expression was given.', {
			next: "Say what is to be blocked: --expression 'ip.src eq 198.51.100.7', for one.",
		});
	}
	return {action: 'block', ...settingsOf(options), filter: {expression}};
}

/** Keeps the line of a write in the audit log, whose result says by itself what has become of it. */
async function audited<Done extends {readonly state: string}>(
	context: CommandContext,
	{zone}: OpenedZone,
	what: string,
	write: () => Promise<Done>,
): Promise<Done> {
	const kept: {done?: Done} = {};
	try {
		await context.audited(what, zone.label, async () => {
			const done = await write();
			kept.done = done;
			if ('failure' in done) throw done.failure;
		});
	} catch (error) {
		if (!kept.done) throw error;
	}
	if (!kept.done) throw new Failure('internal', 'The write ended without saying how.');
	return kept.done;
}

/** Says what is in force now; what is not is a failure that names what is there, and how to go on. */
async function told(
	context: CommandContext,
	opened: OpenedZone,
	draft: EmergencyDraft,
	done: Emergency,
): Promise<void> {
	const {zone} = opened;
	const onward = (failure: Failure, ...commands: readonly string[]) =>
		withCommands(context, failure, [...commands, listing(zone, 'rule'), listing(zone, 'filter')]);
	switch (done.state) {
		case 'created': {
			const {rule, afterDoubt} = done;
			if (context.output.json) return context.output.value([context.marked(rule)]);
			const doubt = afterDoubt ? ' The answer was lost; it was found by reading what is there.' : '';
			context.output.say(
				`In force: rule ${rule.id} (${actionOf(rule)}) on filter ${rule.filter.id}, in zone ${zone.name}.${doubt}`,
			);
			return;
		}
		case 'gone':
			return asCustomRule(context, opened, draft, done.failure);
		case 'filter left':
			throw onward(done.failure, continuation(zone, draft, done.filter.id));
		case 'duplicate':
			throw onward(done.failure, continuation(zone, draft, done.filterId));
		case 'nothing':
		case 'unsure':
			throw onward(done.failure);
	}
}

/** The same block as one custom rule, for a service that has no firewall rules any more (decision 24): shown first. */
async function asCustomRule(
	context: CommandContext,
	opened: OpenedZone,
	draft: EmergencyDraft,
	gone: Failure,
): Promise<void> {
	const {output, signal} = context;
	const {zone, client} = opened;
	const {createCustomRule, planCustomRule} = await import('../firewall/emergency-custom-rule.ts');
	const plan = await planCustomRule(client, zone, draft, signal).catch((error: unknown) => {
		throw asFailure(error).with({left: `${gone.message} ${gone.details.left ?? ''}`.trim()});
	});
	output.say(
		'Firewall rules are gone at this service (410). The same as one custom rule, before all others:',
	);
	output.say(`${plan.request.method} ${plan.request.path}`);
	for (const line of JSON.stringify(plan.request.body, null, 2).split('\n')) output.say(`  ${line}`);
	const {yes, json} = context.confirmation();
	if (!yes && (!canAsk() || json)) {
		throw gone.with({
			next: 'Send the same with --yes to put it in force as one custom rule of the Rulesets API.',
		});
	}
	await confirm(`Put it in force in ${zone.label}?`, {yes, json}, signal);
	const done = await audited(context, opened, `emergency custom rule (${plan.rule.action})`, () =>
		createCustomRule(client, zone, plan, signal),
	);
	if (done.state !== 'created') throw done.failure;
	const {rule, ruleset, afterDoubt} = done;
	if (output.json) return output.value([context.marked({...rule, ruleset: ruleset.id})]);
	const doubt = afterDoubt ? ' The answer was lost; it was found by reading what is there.' : '';
	output.say(
		`In force: custom rule ${rule.id ?? '(of unknown id)'} (${rule.action}) in ruleset ${ruleset.id}, in zone ${zone.name}.${doubt}`,
	);
}
