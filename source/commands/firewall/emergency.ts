import {isUtf8} from 'node:buffer';
import type {Command} from 'commander';
import {asFailure, Failure} from '../../failure.ts';
import {listing, ruleResumption} from '../../firewall/continuation.ts';
import {
	beforeEmergency,
	type Emergency,
	type EmergencyBefore,
	type EmergencyDraft,
	emergencyCreate,
} from '../../firewall/rules/emergency.ts';
import {emergencyFindings, ownAddress, ownAddressWarning} from '../../firewall/rules/emergency-check.ts';
import {extensionsAmong, notAddable} from '../../firewall/rules/emergency-extension.ts';
import {
	emergencyReplacing,
	notReplaceable,
	replacementSentence,
} from '../../firewall/rules/emergency-replacement.ts';
import {goingFirst} from '../../firewall/rules/order.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {targetExpression, wordsOf} from '../../firewall/rules/targets.ts';
import {placeOfZone} from '../../session/write-place.ts';
import type {CommandContext} from '../shell/context.ts';
import {declareCommand, switchOption, valueOption} from '../shell/declare.ts';
import {readValue} from '../shell/input.ts';
import type {ZoneNameOptions} from '../shell/zone-name.ts';
import {confirmBroad, confirmOption} from './broad.ts';
import {anyZone, refuseUnfit, warnOfOdd} from './check.ts';
import {asCustomRule} from './emergency-custom-rule.ts';
import {lost, sayUndo} from './emergency-undo.ts';
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
	ZoneNameOptions & {
		expression?: string;
		file?: string;
		customRule?: boolean;
		addTo?: string;
		replace?: string;
		first?: boolean;
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
			switchOption('--first', 'with a smaller priority than all other rules; custom rules are first anyway'),
			valueOption('--add-to <id>', 'add the addresses to this block rule, which must be a set of addresses'),
			valueOption('--replace <id>', 'in the place of this rule, which must be paused: the zone may be full'),
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
	refuseTogether(options);
	const given = await draftOf(context, options, words);
	const {allowUnknown, addTo} = options;
	const draft = addTo === undefined ? given : onlyAddresses(given);
	refuseUnfit(draft, {...anyZone, allowUnknown});
	const opened = await openZone(context, {writes: true, unanswered: 'plan unknown'});
	const {zone, client} = opened;
	refuseUnfit(draft, {...zone, allowUnknown});
	warnOfOdd(context, draft, {...zone, allowUnknown});
	const own = ownAddressWarning(draft, ownAddress(context.host.env), opened.zone);
	if (own) context.output.warn(own);
	if (addTo !== undefined) {
		const {addToRule} = await import('./emergency-add-to.ts');
		return addToRule(context, opened, draft, {...options, addTo});
	}
	await confirmBroad(context, zone, [{after: draft}], options);
	await context.announceWrite(placeOfZone(zone));
	if (options.customRule) return asCustomRule(context, opened, draft, options);
	await warnOfWafBypass(context, opened, draft);
	let before: EmergencyBefore | undefined;
	try {
		before = await beforeEmergency(client, zone, draft, context.signal);
	} catch (error) {
		return asCustomRule(context, opened, draft, {...options, gone: asFailure(error)});
	}
	return asFirewallRule(context, opened, draft, {...options, before});
}

/** As a filter and its rule, which may go first, and in the place of a paused one. */
async function asFirewallRule(
	context: CommandContext,
	opened: OpenedZone,
	given: EmergencyDraft,
	options: EmergencyOptions & {readonly before: EmergencyBefore | undefined},
): Promise<void> {
	const {zone, client} = opened;
	const {before, replace} = options;
	const replaced = replace === undefined ? undefined : pausedRule(opened, replace, before);
	if (replace !== undefined && !replaced) return asCustomRule(context, opened, given, options);
	const others = before?.rules.filter(rule => rule !== replaced);
	const first = options.first ? goingFirst(others) : undefined;
	const draft = first ? {...given, priority: first.priority} : given;
	refuseFull(context, opened, draft, others);
	if (first?.isFirst) context.output.say(first.sentence);
	else if (first) context.output.warn(first.sentence);
	if (before && !replaced) sayAlternatives(context, opened, draft, before);
	if (replaced && !context.options.dryRun) context.output.say(replacementSentence(replaced));
	if (!context.options.dryRun)
		context.output.say(
			`Creating a filter and a rule on it (${actionOf(draft)}) in one call, in ${zone.label}.`,
		);
	const done = await context.auditedWrites(
		placeOfZone(zone),
		({sends, wrote}) => {
			const how = {
				signal: context.signal,
				before,
				onStep(step: string) {
					if (step === 'looking') context.output.say('The answer was lost; reading the current state.');
				},
				onWrite: wrote,
			};
			if (replaced) return emergencyReplacing(client, zone, draft, replaced, {...how, onSend: sends});
			sends(`emergency rule (${actionOf(draft)})`);
			return emergencyCreate(client, zone, draft, how);
		},
		unmade,
	);
	if (!context.options.dryRun) await told(context, opened, given, done);
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

/** Addresses that are added to a rule bring nothing else with them: `--action` may only be its own. */
function onlyAddresses(draft: EmergencyDraft): EmergencyDraft {
	const why = notAddable(draft);
	if (why === undefined) return draft;
	throw new Failure('usage', why, {next: 'Leave --add-to out to make a rule of its own.'});
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
	rules: readonly Rule[] | undefined,
): void {
	for (const {about, severity, sentence, failure} of emergencyFindings(draft, zone, rules)) {
		if (about !== 'quota') continue;
		if (severity === 'error') throw failure;
		output.warn(sentence);
	}
}

/** The paused rule that makes room; `undefined` where no firewall rule has this id, as a custom rule may. */
function pausedRule({zone}: OpenedZone, id: string, before: EmergencyBefore | undefined): Rule | undefined {
	const rule = before?.rules.find(one => one.id === id);
	const why = rule && notReplaceable(rule);
	if (why === undefined) return rule;
	throw new Failure('usage', why, {
		left: 'Nothing was sent.',
		next: `Paused rules can be replaced: ${listing(zone, 'rule')}`,
	});
}

/** That a rule blocks these addresses already, or could with one more command. */
function sayAlternatives(
	{output}: CommandContext,
	{zone}: OpenedZone,
	draft: EmergencyDraft,
	{rules}: EmergencyBefore,
): void {
	const {fitting, already} = extensionsAmong(draft, zone, rules);
	if (already) output.say(already.sentence);
	const [first] = fitting;
	if (first) output.say(`Rule ${first.id} could block this, too, without one more rule: ${first.command}`);
}

/** What says twice where the block goes. */
function refuseTogether({addTo, replace, first, priority}: EmergencyOptions): void {
	const given = [
		...(addTo === undefined ? [] : ['--add-to']),
		...(replace === undefined ? [] : ['--replace']),
	];
	if (given.length > 1) throw new Failure('usage', `${given.join(' and ')} exclude each other.`);
	if (first && priority !== undefined)
		throw new Failure('usage', '--first and --priority exclude each other.', {
			next: 'Leave one of them out.',
		});
	if (addTo !== undefined && first)
		throw new Failure('usage', '--add-to and --first exclude each other: the rule stays at its place.');
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
			return asCustomRule(context, opened, draft, {gone: done.failure});
		case 'filter left':
		case 'duplicate':
		case 'nothing':
		case 'unsure':
			throw done.failure;
	}
}

function inForce(
	{output, marked}: CommandContext,
	{zone}: OpenedZone,
	{rule, already, afterDoubt, replaced}: Emergency & {state: 'created'},
): Promise<void> | undefined {
	const where = `(${actionOf(rule)}) on filter ${rule.filter.id}, in zone ${zone.name}`;
	const what = `rule ${rule.id} ${where}`;
	if (already) output.say(`Already in force: ${what}. Nothing was made.`);
	else if (isPaused(rule)) {
		output.say(`Created, but paused, so nothing is in force yet: ${what}.${afterDoubt ? lost : ''}`);
		output.say(`Put it in force with: ${ruleResumption(zone, rule.id)}`);
	} else if (!output.json) {
		output.say(`In force: ${what}.${afterDoubt ? lost : ''}`);
		sayUndo(output, zone, {form: 'firewall rule', rule, replaced});
	}
	return output.json ? output.value([marked(rule)]) : undefined;
}

const isPaused = ({paused, filter}: Rule): boolean => paused || ('paused' in filter && filter.paused);
