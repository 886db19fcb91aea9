import {isUtf8} from 'node:buffer';
import type {Command} from 'commander';
import {asFailure, Failure} from '../../failure.ts';
import {ruleDeletion, ruleResumption, rulesCommand} from '../../firewall/continuation.ts';
import {
	beforeEmergency,
	type Emergency,
	type EmergencyBefore,
	type EmergencyDraft,
	emergencyCreate,
} from '../../firewall/rules/emergency.ts';
import {emergencyFindings, ownAddress, ownAddressWarning} from '../../firewall/rules/emergency-check.ts';
import type {CustomRulePlan, EmergencyCustomRule} from '../../firewall/rules/emergency-custom-rule.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {targetExpression, wordsOf} from '../../firewall/rules/targets.ts';
import {placeOfZone} from '../../session/write-place.ts';
import {canAsk, confirm} from '../../terminal/prompt.ts';
import type {CommandContext} from '../shell/context.ts';
import {declareCommand, switchOption, valueOption} from '../shell/declare.ts';
import {readValue} from '../shell/input.ts';
import {type BroadOptions, confirmBroad, confirmOption} from './broad.ts';
import {anyZone, refuseUnfit, warnOfOdd} from './check.ts';
import {expressionText} from './expression.ts';
import {
	allowUnknownOption,
	expressionOption,
	type SettingOptions,
	settingOptions,
	settingsOf,
} from './options.ts';
import {actionOf} from './text.ts';
import {warnOfWafBypass} from './waf-bypass.ts';
import {type OpenedZone, openZone} from './zone.ts';

type EmergencyOptions = SettingOptions &
	BroadOptions & {
		expression?: string;
		file?: string;
		customRule?: boolean;
		allowUnknown?: boolean;
	};

/** `firewall emergency`: filter and rule in one call, and never anything else. */
export function declareFirewallEmergency(firewall: Command): void {
	declareCommand<EmergencyOptions>(firewall, {
		usage: 'emergency [TARGET...]',
		summary: 'block at once: filter and rule in a single call (for rules to keep: rule create)',
		example: 'firewall emergency 198.51.100.0/24 /wp-login.php --zone example.com',
		options: () => [
			expressionOption(),
			valueOption('--file <file>', 'targets from a file, - for standard input; # begins a remark'),
			allowUnknownOption(),
			...settingOptions().map(option =>
				option.long === '--action'
					? valueOption(option.flags, `${option.description} (default: block)`)
					: option,
			),
			switchOption('--custom-rule', 'as one custom rule, also where there are firewall rules'),
			confirmOption(),
		],
		run: emergency,
	});
}

async function emergency(
	context: CommandContext,
	options: EmergencyOptions,
	...words: readonly string[]
): Promise<void> {
	context.refuseWhenReadOnly('creating a firewall rule');
	const draft = await draftOf(context, options, words);
	const {allowUnknown} = options;
	refuseUnfit(draft, {...anyZone, allowUnknown});
	const opened = await openZone(context, {writes: true, unanswered: 'plan unknown'});
	const {zone, client} = opened;
	refuseUnfit(draft, {...zone, allowUnknown});
	warnOfOdd(context, draft, {...zone, allowUnknown});
	const own = ownAddressWarning(draft, ownAddress(context.host.env));
	if (own) context.output.warn(own);
	await confirmBroad(context, zone, [{after: draft}], options);
	await context.announceWrite(placeOfZone(zone));
	if (options.customRule) return asCustomRule(context, opened, draft);
	await warnOfWafBypass(context, opened, draft);
	const before = await beforeEmergency(client, zone, draft, context.signal);
	refuseFull(context, opened, draft, before);
	if (!context.options.dryRun)
		context.output.say(
			`Creating a filter and a rule on it (${actionOf(draft)}) in one call, in ${zone.label}.`,
		);
	const done = await context.auditedWrites(
		placeOfZone(zone),
		({sends, wrote}) => {
			sends(`emergency rule (${actionOf(draft)})`);
			return emergencyCreate(client, zone, draft, {
				signal: context.signal,
				before,
				onStep(step) {
					if (step === 'looking') context.output.say('The answer was lost; reading the current state.');
				},
				onWrite: wrote,
			});
		},
		unmade,
	);
	if (!context.options.dryRun) await told(context, opened, draft, done);
}

async function draftOf(
	context: CommandContext,
	{expression: word, file, ...options}: EmergencyOptions,
	words: readonly string[],
): Promise<EmergencyDraft> {
	const settings = settingsOf(options);
	const targets = [...words.flatMap(wordsOf), ...(file === undefined ? [] : await wordsIn(context, file))];
	if (word !== undefined && (targets.length > 0 || file !== undefined))
		throw new Failure('usage', 'Targets and --expression exclude each other.', {
			next: 'Leave one of them out.',
		});
	if (targets.length > 0) {
		const expression = expressionOfTargets(targets);
		context.output.say(`Expression: ${expression}`);
		return {action: 'block', ...settings, filter: {expression}};
	}
	if (file !== undefined) throw new Failure('input_malformed', `There is no target in ${file}.`);
	if (word === undefined) {
		throw new Failure('usage', 'Nothing to block was named.', {
			next: "Name addresses, networks, paths, country:XX or asn:N, or give --expression 'ip.src eq 198.51.100.7', for one.",
		});
	}
	const expression = await expressionText(context, word);
	return {action: 'block', ...settings, filter: {expression}};
}

/** The targets of a file. */
async function wordsIn(context: CommandContext, file: string): Promise<readonly string[]> {
	const bytes = await readValue(file === '-' ? file : context.resolve(file), context);
	if (!isUtf8(bytes)) throw new Failure('input_malformed', `${file} is not UTF-8 text.`);
	return wordsOf(bytes.toString('utf8'));
}

function expressionOfTargets(targets: readonly string[]): string {
	const found = targetExpression(targets);
	if ('expression' in found) return found.expression;
	throw new Failure('usage', `"${found.unknown}" is neither an address nor a path, country:XX or asn:N.`, {
		next: 'Name what is to be blocked as 203.0.113.9, 10.0.0.0/8, /wp-login.php, country:XX or asn:64500, or give --expression.',
	});
}

/** Nothing is sent to a zone that has no room for one more rule; where that is not known, it is only said. */
function refuseFull(
	{output}: CommandContext,
	{zone}: OpenedZone,
	draft: EmergencyDraft,
	before: EmergencyBefore | undefined,
): void {
	for (const {about, severity, sentence, failure} of emergencyFindings(draft, zone, before?.rules)) {
		if (about !== 'quota') continue;
		if (severity === 'error') throw failure;
		output.warn(sentence);
	}
}

/** Why nothing was made, for the audit log: what is in force already was refused, too. */
function unmade(done: Emergency): Failure | undefined {
	if ('failure' in done) return done.failure;
	return done.already ? new Failure('already_exists', 'It is in force already.') : undefined;
}

/** Prints what is in force now; the rest is a failure with the current state and the next step. */
async function told(
	context: CommandContext,
	opened: OpenedZone,
	draft: EmergencyDraft,
	done: Emergency,
): Promise<void> {
	switch (done.state) {
		case 'created':
			return inForce(context, opened, done);
		case 'gone':
			return asCustomRule(context, opened, draft, done.failure);
		case 'filter left':
		case 'duplicate':
		case 'nothing':
		case 'unsure':
			throw done.failure;
	}
}

const lost = ' The answer was lost; it was found by reading the current state.';

function inForce(
	{output, marked}: CommandContext,
	{zone}: OpenedZone,
	{rule, already, afterDoubt}: Emergency & {state: 'created'},
): Promise<void> | undefined {
	const where = `(${actionOf(rule)}) on filter ${rule.filter.id}, in zone ${zone.name}`;
	const what = `rule ${rule.id} ${where}`;
	if (already) output.say(`Already in force: ${what}. Nothing was made.`);
	else if (isPaused(rule)) {
		output.say(`Created, but paused, so nothing is in force yet: ${what}.${afterDoubt ? lost : ''}`);
		output.say(`Put it in force with: ${ruleResumption(zone, rule.id)}`);
	} else if (!output.json) {
		output.say(`In force: ${what}.${afterDoubt ? lost : ''}`);
		output.say(`To take it back: ${ruleDeletion(zone, rule.id)}`);
	}
	return output.json ? output.value([marked(rule)]) : undefined;
}

const isPaused = ({paused, filter}: Rule): boolean => paused || ('paused' in filter && filter.paused);

/**
 * The same block as one custom rule, shown first: where that was asked for, and for a service that has
 * retired firewall rules, which `gone` is.
 */
async function asCustomRule(
	context: CommandContext,
	opened: OpenedZone,
	draft: EmergencyDraft,
	gone?: Failure,
): Promise<void> {
	const {output, signal} = context;
	const {zone, client} = opened;
	const {createCustomRule, planCustomRule} = await import('../../firewall/rules/emergency-custom-rule.ts');
	const plan = await planCustomRule(client, zone, draft, signal).catch((error: unknown) => {
		const failure = asFailure(error);
		throw gone ? failure.with({left: `${gone.message} ${gone.details.left ?? ''}`.trim()}) : failure;
	});
	const send = () => createCustomRule(client, zone, plan, {signal});
	if (plan.already) return customInForce(context, opened, await send());
	const request = shown(plan);
	output.say(
		gone
			? 'The service has retired firewall rules (410). The same as one custom rule, before all others:'
			: 'One custom rule, before all others:',
	);
	for (const line of request) output.say(line);
	if (typeof draft.priority === 'number')
		output.warn(
			`The priority ${draft.priority} has no meaning there: custom rules go in the order of their list.`,
		);
	const {yes, json, host} = context.confirmation();
	if (!yes && (!canAsk(host) || json)) {
		const failure = gone ?? new Failure('unconfirmed', 'Not confirmed, so nothing was sent.');
		throw failure.with({
			why: [failure.details.why, 'The custom rule would be sent as:', ...request].filter(Boolean).join('\n'),
			next: 'Send the same with --yes to put it in force as one custom rule of the Rulesets API.',
		});
	}
	await confirm(`Put it in force in ${zone.label}?`, {yes, json, host}, signal);
	const done = await context.auditedWrites(
		placeOfZone(zone),
		async ({sends, wrote}) => {
			sends(`emergency custom rule (${plan.rule.action})`);
			const made = await send();
			if (made.state === 'created') wrote(`create custom rule ${made.rule.id ?? '(of unknown id)'}`);
			return made;
		},
		made => ('failure' in made ? made.failure : undefined),
	);
	await customInForce(context, opened, done);
}

/** The request as it will be sent. */
const shown = ({request: {method, path, body}}: CustomRulePlan): readonly string[] => [
	`${method} ${path}`,
	...JSON.stringify(body, null, 2)
		.split('\n')
		.map(line => `  ${line}`),
];

async function customInForce(
	{output, marked}: CommandContext,
	{zone}: OpenedZone,
	done: EmergencyCustomRule,
): Promise<void> {
	if (done.state !== 'created') throw done.failure;
	const {rule, ruleset, afterDoubt, already} = done;
	const what = `custom rule ${rule.id ?? '(of unknown id)'} (${rule.action}) in ruleset ${ruleset.id}, in zone ${zone.name}`;
	const paused = rule.enabled === false;
	if (already)
		output.say(`${paused ? 'There already, and paused' : 'Already in force'}: ${what}. Nothing was made.`);
	else if (paused)
		output.say(`Created, but paused, so nothing is in force yet: ${what}.${afterDoubt ? lost : ''}`);
	else if (!output.json) {
		output.say(`In force: ${what}.${afterDoubt ? lost : ''}`);
		if (rule.id !== undefined) output.say(`To take it back: ${rulesCommand(zone, ['delete', rule.id])}`);
	}
	if (output.json) await output.value([marked({...rule, ruleset: ruleset.id})]);
}
