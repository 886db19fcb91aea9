import {isUtf8} from 'node:buffer';
import type {Command} from 'commander';
import {asFailure, Failure} from '../../failure.ts';
import {command, settingWords} from '../../firewall/continuation.ts';
import {describeEarlierRules} from '../../firewall/rules/earlier-rules.ts';
import {beforeEmergency, emergencyCreate} from '../../firewall/rules/emergency.ts';
import {emergencyFindings, ownAddress, ownAddressWarning} from '../../firewall/rules/emergency-check.ts';
import {emergencyCommand, nameWords} from '../../firewall/rules/emergency-command.ts';
import {
	type Emergency,
	type EmergencyBefore,
	type EmergencyDraft,
	findRefusal,
} from '../../firewall/rules/emergency-draft.ts';
import {rulesBefore} from '../../firewall/rules/emergency-limits.ts';
import {findEmergencyReasons} from '../../firewall/rules/emergency-name.ts';
import {goingFirst} from '../../firewall/rules/order.ts';
import {readTargets, type TargetMatch, targetMatches, wordsOf} from '../../firewall/rules/targets.ts';
import {placeOfZone} from '../../session/write-place.ts';
import type {CommandContext} from '../shell/context.ts';
import {declareCommand, offering, switchOption, valueOption} from '../shell/declare.ts';
import {readValue} from '../shell/input.ts';
import {confirmZoneName, type ZoneNameOptions, zoneNameOption} from '../shell/zone-name.ts';
import {anyZone, refuseUnfit, warnOfOdd} from './check.ts';
import {asCustomRule} from './emergency-custom-rule.ts';
import {sayEmergency} from './emergency-report.ts';
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
		first?: boolean;
		match?: string;
		allowUnknown?: boolean;
	};

/** `firewall emergency`: creates a filter and a rule in one call, and nothing else. */
export function declareFirewallEmergency(firewall: Command): void {
	declareCommand<EmergencyOptions>(firewall, {
		usage: 'emergency [TARGET...]',
		summary: 'block at once: filter and rule in a single call (for rules to keep: rule create)',
		example: 'firewall emergency 198.51.100.0/24 /wp-login.php --match all --zone example.com',
		writes: true,
		sample: "--zone-id {zone} --expression 'ip.src eq 203.0.113.77' --action block",
		options: () => [
			expressionOption(),
			valueOption('--file <file>', 'read targets from a file, - for standard input; # starts a comment'),
			offering(
				valueOption('--match <all|any>', 'for addresses with paths: both must match, or either'),
				targetMatches,
			),
			allowUnknownOption(),
			...settingOptions().map(option =>
				option.long === '--action'
					? valueOption(option.flags, `${option.description} (default: block)`)
					: option,
			),
			switchOption('--first', 'with a smaller priority than all other rules; custom rules are first anyway'),
			switchOption('--custom-rule', 'as one custom rule, also where there are firewall rules'),
			zoneNameOption('for a block that also stops ordinary visitors'),
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
	const asked = await readEmergency(context, options, words);
	const {allowUnknown} = options;
	if ('draft' in asked) refuseUnfit(asked.draft, {...anyZone, allowUnknown});
	const opened = await openZone(context, {writes: true, unanswered: 'plan unknown'});
	const {zone} = opened;
	if (!('draft' in asked)) throw ambiguousTargets(zone, asked, options, words);
	const {draft} = asked;
	refuseUnfit(draft, {...zone, allowUnknown});
	warnOfOdd(context, draft, {...zone, allowUnknown});
	const own = ownAddressWarning(draft, ownAddress(context.host.env), opened.zone);
	if (own) context.output.warn(own);
	const plan = options.customRule ? undefined : await planFirewallRule(context, opened, draft, options);
	await confirmZoneName(context, zone, findEmergencyReasons(zone, {after: draft}), options.confirm);
	await context.announceWrite(placeOfZone(zone));
	if (!plan || 'gone' in plan) return asCustomRule(context, opened, draft, plan?.gone);
	const done = await sendFirewallRule(context, opened, plan);
	if (done.state === 'gone') return asCustomRule(context, opened, draft, done.failure);
	if (!context.options.dryRun) await sayEmergency(context, opened, draft, done);
}

/** What to send, and the state before it; or the failure if firewall rules are retired. */
type FirewallRulePlan =
	| {readonly draft: EmergencyDraft; readonly before: EmergencyBefore | undefined}
	| {readonly gone: Failure};

/**
 * Reads the current rules, and prints warnings about the block and the rules that run before it. Fails if the
 * rule limit is reached.
 */
async function planFirewallRule(
	context: CommandContext,
	opened: OpenedZone,
	given: EmergencyDraft,
	options: EmergencyOptions,
): Promise<FirewallRulePlan> {
	const {output, signal} = context;
	const {zone, client} = opened;
	await warnOfWafBypass(context, opened, given);
	let before: EmergencyBefore | undefined;
	try {
		before = await beforeEmergency(client, zone, given, signal);
	} catch (error) {
		return {gone: asFailure(error)};
	}
	const first = options.first ? goingFirst(before?.rules) : undefined;
	const draft = first ? {...given, priority: first.priority} : given;
	for (const {about, severity, sentence, failure} of emergencyFindings(draft, zone, before?.rules)) {
		if (about !== 'quota') continue;
		if (severity === 'error') throw failure;
		output.warn(sentence);
	}
	if (first?.isFirst) output.say(first.sentence);
	else if (first) output.warn(first.sentence);
	if (before && !draft.paused)
		for (const sentence of describeEarlierRules(rulesBefore(draft, before.rules))) output.warn(sentence);
	return {draft, before};
}

async function sendFirewallRule(
	context: CommandContext,
	{zone, client}: OpenedZone,
	{draft, before}: Exclude<FirewallRulePlan, {gone: Failure}>,
): Promise<Emergency> {
	const {output, signal} = context;
	if (!context.options.dryRun)
		output.say(`Creating a filter and a rule on it (${actionOf(draft)}) in one call, in ${zone.label}.`);
	return context.auditedWrites(
		placeOfZone(zone),
		({sends, wrote}) => {
			sends(`emergency rule (${actionOf(draft)})`);
			return emergencyCreate(client, zone, draft, {
				signal,
				before,
				onStep(step) {
					if (step === 'looking') output.say('The answer was lost; reading the current state.');
				},
				onWrite: wrote,
			});
		},
		findRefusal,
	);
}

/** The two meanings of sources combined with paths, each as a draft. */
type Ambiguous = Readonly<Record<TargetMatch, EmergencyDraft>>;

async function readEmergency(
	context: CommandContext,
	{expression: word, file, match: matchWord, ...options}: EmergencyOptions,
	words: readonly string[],
): Promise<{readonly draft: EmergencyDraft} | Ambiguous> {
	const settings = settingsOf(options);
	const draftOf = (expression: string): EmergencyDraft => ({
		action: 'block',
		...settings,
		filter: {expression},
	});
	const match = matchWord === undefined ? undefined : matchOf(matchWord);
	const targets = [...words.flatMap(wordsOf), ...(file === undefined ? [] : await wordsIn(context, file))];
	const other = words.length > 0 ? 'Targets' : file !== undefined ? '--file' : match && '--match';
	if (word !== undefined && other !== undefined)
		throw new Failure('usage', `${other} and --expression can't be combined.`, {
			next: 'Leave one of them out.',
		});
	if (targets.length > 0) {
		const found = readTargets(targets);
		if (found.kind === 'unknown')
			throw new Failure('usage', `Unknown target "${found.word}".`, {
				next: 'Use targets such as 203.0.113.9, 10.0.0.0/8, /wp-login.php, country:XX or asn:64500, or use --expression.',
			});
		if (found.kind === 'one' && match === 'all')
			throw new Failure(
				'usage',
				'--match all needs a source (address, network, country:XX, asn:N) and a path.',
				{
					why: `These targets are all of one kind, so one match is enough: ${found.expression}`,
					next: 'Add the missing kind, or leave out --match.',
				},
			);
		if (found.kind === 'both' && !match) return {all: draftOf(found.all), any: draftOf(found.any)};
		const expression = found.kind === 'both' ? found[match ?? 'all'] : found.expression;
		context.output.say(`Expression: ${expression}`);
		return {draft: draftOf(expression)};
	}
	if (file !== undefined) throw new Failure('input_malformed', `There is no target in ${file}.`);
	if (word === undefined) {
		throw new Failure('usage', 'No target was given.', {
			next: "Name addresses, networks, paths, country:XX or asn:N, or give an expression: --expression 'ip.src eq 198.51.100.7'.",
		});
	}
	return {draft: draftOf(await expressionText(context, word))};
}

function matchOf(word: string): TargetMatch {
	const match = targetMatches.find(one => one === word);
	if (match) return match;
	throw new Failure('usage', `Invalid value for --match: "${word}".`, {
		next: 'Use --match all (both must match) or --match any (either is enough).',
	});
}

/** Builds the failure for sources combined with paths: shows both meanings, each with its command. */
function ambiguousTargets(
	zone: OpenedZone['zone'],
	meanings: Ambiguous,
	options: EmergencyOptions,
	words: readonly string[],
): Failure {
	const {file, customRule, first, allowUnknown} = options;
	const more = [
		...(customRule ? ['--custom-rule'] : []),
		...(first ? ['--first'] : []),
		...(allowUnknown ? ['--allow-unknown'] : []),
	];
	const commandFor = (match: TargetMatch): string => {
		const draft = meanings[match];
		// Standard input cannot be read again.
		if (file === '-') return emergencyCommand(zone, draft, draft.filter.expression, more);
		const given = file === undefined ? [] : ['--file', file];
		const settings = [...given, '--match', match, ...settingWords(draft), ...more];
		return command(zone, ['emergency', ...words], [...settings, ...nameWords(zone, draft)]);
	};
	return new Failure(
		'usage',
		'Addresses and paths together are ambiguous: choose with --match all or --match any.',
		{
			why: targetMatches.map(match => `${match}: ${meanings[match].filter.expression}`).join('\n'),
			left: 'Nothing was sent.',
			next: [
				`To block these sources on these paths only: ${commandFor('all')}`,
				`To block these sources everywhere, and these paths for everyone: ${commandFor('any')}`,
			].join('\n'),
		},
	);
}

async function wordsIn(context: CommandContext, file: string): Promise<readonly string[]> {
	const bytes = await readValue(file === '-' ? file : context.resolve(file), context);
	if (!isUtf8(bytes)) throw new Failure('input_malformed', `${file} is not UTF-8 text.`);
	return wordsOf(bytes.toString('utf8'));
}

/** --first and --priority both set the position of the rule. */
function refuseTogether({first, priority}: EmergencyOptions): void {
	if (first && priority !== undefined)
		throw new Failure('usage', '--first and --priority exclude each other.', {
			next: 'Leave one of them out.',
		});
}
