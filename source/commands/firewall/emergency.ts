import {isUtf8} from 'node:buffer';
import type {Command} from 'commander';
import {Failure, toFailure} from '../../failure.ts';
import {buildRuleOptions, formatFirewallCommand} from '../../firewall/commands.ts';
import {describeEarlierRules} from '../../firewall/rules/earlier-rules.ts';
import {createEmergencyRule, readStateBeforeEmergency} from '../../firewall/rules/emergency.ts';
import {
	checkEmergency,
	formatOwnAddressWarning,
	readOwnAddress,
} from '../../firewall/rules/emergency-check.ts';
import {
	buildEmergencyConfirmOptions,
	formatEmergencyCommand,
} from '../../firewall/rules/emergency-command.ts';
import {
	type EmergencyBefore,
	type EmergencyDraft,
	type EmergencyOutcome,
	findAuditedFailure,
} from '../../firewall/rules/emergency-draft.ts';
import {findRulesBeforeDraft} from '../../firewall/rules/emergency-limits.ts';
import {findEmergencyZoneNameReasons} from '../../firewall/rules/emergency-name.ts';
import {describeFirstPriority} from '../../firewall/rules/order.ts';
import {
	parseTargetWords,
	splitTargetWords,
	type TargetMatch,
	targetMatches,
} from '../../firewall/rules/targets.ts';
import {createAddressListFailure, needsAddressList} from '../../lists/overflow.ts';
import {toZonePlace} from '../../session/write-place.ts';
import {confirmZoneName, createZoneNameOption, type ZoneNameOptions} from '../shell/confirm-zone-name.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	buildExclusionFailure,
	createSwitchOption,
	createValueOption,
	declareCommand,
	withCompletion,
} from '../shell/declare.ts';
import {readInputValue} from '../shell/input.ts';
import {anyZone, refuseInvalidDraft, warnAboutDraft} from './check.ts';
import {createEmergencyCustomRule} from './emergency-custom-rule.ts';
import {printEmergency} from './emergency-report.ts';
import {readExpression} from './expression.ts';
import {
	applyEnd,
	buildSettingOptions,
	createAllowUnknownOption,
	createExpressionOption,
	createForOption,
	parseRuleSettings,
	type RuleSettingOptions,
} from './options.ts';
import {formatFirewallAction} from './text.ts';
import {warnOfWafBypass} from './waf-bypass.ts';
import {type OpenedZone, openZone} from './zone.ts';

type EmergencyOptions = RuleSettingOptions &
	ZoneNameOptions & {
		expression?: string;
		file?: string;
		customRule?: boolean;
		first?: boolean;
		match?: string;
		allowUnknown?: boolean;
		for?: number;
	};

/** `firewall emergency`: creates a filter and a rule in one call, and nothing else. */
export function declareFirewallEmergency(firewall: Command): void {
	declareCommand<EmergencyOptions>(firewall, {
		usage: 'emergency [TARGET...]',
		summary: 'block immediately: filter and rule in a single call (for permanent rules: rule create)',
		example: 'firewall emergency 198.51.100.0/24 /wp-login.php --match all --zone example.com',
		refusedByReadOnly: true,
		sampleArguments: "--zone-id {zone} --expression 'ip.src eq 203.0.113.77' --action block",
		options: () => [
			createExpressionOption(),
			createValueOption(
				'--file <file>',
				'read targets from a file, - for standard input; # starts a comment',
			),
			withCompletion(
				createValueOption('--match <all|any>', 'for sources combined with paths: match both, or either'),
				targetMatches,
			),
			createAllowUnknownOption(),
			createForOption(),
			...buildSettingOptions().map(option =>
				option.long === '--action'
					? createValueOption(option.flags, `${option.description} (default: block)`)
					: option,
			),
			createSwitchOption(
				'--first',
				'use a lower priority number than all other rules; custom rules always go first',
			),
			createSwitchOption('--custom-rule', 'create a custom rule, even if the zone has firewall rules'),
			createZoneNameOption('required for a rule that also blocks ordinary visitors'),
		],
		run: runEmergency,
	});
}

async function runEmergency(
	context: CommandContext,
	options: EmergencyOptions,
	...words: readonly string[]
): Promise<void> {
	context.refuseWhenReadOnly('creating a firewall rule');
	if (options.first && options.priority !== undefined) throw buildExclusionFailure('--first', '--priority');
	const parsedTargets = await readEmergencyDraft(context, options, words);
	const {allowUnknown} = options;
	if ('draft' in parsedTargets) refuseInvalidDraft(parsedTargets.draft, {...anyZone, allowUnknown});
	const openedZone = await openZone(context, {writes: true, onNoResponse: 'plan unknown'});
	const {zone} = openedZone;
	if (!('draft' in parsedTargets)) throw buildAmbiguityFailure(zone, parsedTargets, options, words);
	const {draft} = parsedTargets;
	refuseInvalidDraft(draft, {...zone, allowUnknown});
	warnAboutDraft(context, draft, {...zone, allowUnknown});
	const ownAddressWarning = formatOwnAddressWarning(draft, readOwnAddress(context.host.env), openedZone.zone);
	if (ownAddressWarning) context.output.warn(ownAddressWarning);
	const plan = options.customRule ? undefined : await planFirewallRule(context, openedZone, draft, options);
	await confirmZoneName(context, zone, findEmergencyZoneNameReasons(zone, {after: draft}), options.confirm);
	await context.announceWrite(toZonePlace(zone));
	if (!plan || 'gone' in plan) return createEmergencyCustomRule(context, openedZone, draft, plan?.gone);
	const emergency = await sendFirewallRule(context, openedZone, plan);
	if (emergency.state === 'gone')
		return createEmergencyCustomRule(context, openedZone, draft, emergency.failure);
	if (!context.options.dryRun) await printEmergency(context, openedZone, draft, emergency);
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
	openedZone: OpenedZone,
	originalDraft: EmergencyDraft,
	options: EmergencyOptions,
): Promise<FirewallRulePlan> {
	const {output, signal} = context;
	const {zone, client} = openedZone;
	await warnOfWafBypass(context, openedZone, originalDraft);
	let before: EmergencyBefore | undefined;
	try {
		before = await readStateBeforeEmergency(client, zone, originalDraft, signal);
	} catch (error) {
		return {gone: toFailure(error)};
	}
	const firstPriority = options.first
		? describeFirstPriority(before?.rules, originalDraft.action)
		: undefined;
	const draft = firstPriority ? {...originalDraft, priority: firstPriority.priority} : originalDraft;
	for (const {about, severity, sentence, failure} of checkEmergency(draft, zone, before?.rules)) {
		if (about !== 'quota') continue;
		if (severity === 'error') throw failure;
		output.warn(sentence);
	}
	if (firstPriority?.isFirst) output.say(firstPriority.sentence);
	else if (firstPriority) output.warn(firstPriority.sentence);
	if (before && !draft.paused)
		for (const sentence of describeEarlierRules(findRulesBeforeDraft(draft, before.rules)))
			output.warn(sentence);
	return {draft, before};
}

async function sendFirewallRule(
	context: CommandContext,
	{zone, client}: OpenedZone,
	{draft, before}: Exclude<FirewallRulePlan, {gone: Failure}>,
): Promise<EmergencyOutcome> {
	const {output, signal} = context;
	if (!context.options.dryRun)
		output.say(
			`Creating a filter and its rule (${formatFirewallAction(draft)}) in one call, in ${zone.label}.`,
		);
	return context.auditWrites(
		toZonePlace(zone),
		({onSend, onWritten}) => {
			onSend(`emergency rule (${formatFirewallAction(draft)})`);
			return createEmergencyRule(client, zone, draft, {
				signal,
				before,
				onStep(step) {
					if (step === 'looking') output.say('The response was lost; checking the current state.');
				},
				onWritten,
			});
		},
		findAuditedFailure,
	);
}

/** The two possible meanings of sources combined with paths, each as a draft. */
type AmbiguousDrafts = Readonly<Record<TargetMatch, EmergencyDraft>>;

async function readEmergencyDraft(
	context: CommandContext,
	{expression: expressionOption, file, match: matchWord, for: seconds, ...options}: EmergencyOptions,
	words: readonly string[],
): Promise<{readonly draft: EmergencyDraft} | AmbiguousDrafts> {
	const settings = parseRuleSettings(options);
	const buildDraft = (expression: string): EmergencyDraft => ({
		action: 'block',
		...settings,
		filter: {expression},
	});
	const match = matchWord === undefined ? undefined : parseTargetMatch(matchWord);
	const targets = [
		...words.flatMap(splitTargetWords),
		...(file === undefined ? [] : await readTargetFile(context, file)),
	];
	const conflictingOption = words.length > 0 ? 'Targets' : file !== undefined ? '--file' : match && '--match';
	if (expressionOption !== undefined && conflictingOption !== undefined)
		throw buildExclusionFailure(conflictingOption, '--expression');
	if (targets.length > 0) {
		const combination = parseTargetWords(targets);
		if (combination.kind === 'unknown')
			throw new Failure('usage', `Unknown target "${combination.word}".`, {
				next: 'Use targets such as 203.0.113.9, 10.0.0.0/8, /wp-login.php, country:XX or asn:64500, or use --expression.',
			});
		if (combination.kind === 'one' && match === 'all')
			throw new Failure(
				'usage',
				'--match all needs a source (address, network, country:XX, asn:N) and a path.',
				{
					why: `All these targets are of one kind, so matching any of them is enough: ${combination.expression}`,
					next: 'Add the missing kind, or leave out --match.',
				},
			);
		if (combination.kind === 'both' && !match)
			return {all: buildDraft(combination.all), any: buildDraft(combination.any)};
		const expression = combination.kind === 'both' ? combination[match ?? 'all'] : combination.expression;
		if (needsAddressList(targets, expression))
			throw createAddressListFailure(targets, expression, {
				file: words.length === 0 && file !== '-' ? file : undefined,
				settings: [
					...buildRuleOptions(buildDraft(expression)),
					...buildExtraOptions({...options, ...(seconds !== undefined && {for: seconds})}),
				],
			});
		context.output.say(`Expression: ${expression}`);
		return {draft: buildDraft(applyEnd(context, expression, seconds))};
	}
	if (file !== undefined) throw new Failure('input_malformed', `No targets in ${file}.`);
	if (expressionOption === undefined) {
		throw new Failure('usage', 'No targets were given.', {
			next: "Give addresses, networks, paths, country:XX or asn:N, or an expression: --expression 'ip.src eq 198.51.100.7'.",
		});
	}
	return {draft: buildDraft(applyEnd(context, await readExpression(context, expressionOption), seconds))};
}

function parseTargetMatch(word: string): TargetMatch {
	const match = targetMatches.find(knownMatch => knownMatch === word);
	if (match) return match;
	throw new Failure('usage', `Invalid value for --match: "${word}".`, {
		next: 'Use --match all (both must match) or --match any (either is enough).',
	});
}

/** Returns the options of an emergency besides the settings of its rule, for a printed command. */
const buildExtraOptions = ({customRule, first, allowUnknown, for: seconds}: EmergencyOptions): string[] => [
	...(customRule ? ['--custom-rule'] : []),
	...(first ? ['--first'] : []),
	...(allowUnknown ? ['--allow-unknown'] : []),
	...(seconds === undefined ? [] : ['--for', `${seconds}s`]),
];

/** Builds the failure for sources combined with paths; it shows the command for each of the two meanings. */
function buildAmbiguityFailure(
	zone: OpenedZone['zone'],
	draftsByMatch: AmbiguousDrafts,
	options: EmergencyOptions,
	words: readonly string[],
): Failure {
	const {file} = options;
	const extraOptions = buildExtraOptions(options);
	const formatMatchCommand = (match: TargetMatch): string => {
		const draft = draftsByMatch[match];
		// Standard input cannot be read again.
		if (file === '-') return formatEmergencyCommand(zone, draft, draft.filter.expression, extraOptions);
		const fileArguments = file === undefined ? [] : ['--file', file];
		const settings = [...fileArguments, '--match', match, ...buildRuleOptions(draft), ...extraOptions];
		return formatFirewallCommand(
			zone,
			['emergency', ...words],
			[...settings, ...buildEmergencyConfirmOptions(zone, draft)],
		);
	};
	return new Failure('usage', 'Combining addresses and paths is ambiguous: use --match all or --match any.', {
		why: targetMatches.map(match => `${match}: ${draftsByMatch[match].filter.expression}`).join('\n'),
		left: 'Nothing was sent.',
		next: [
			`To block these sources on these paths only: ${formatMatchCommand('all')}`,
			`To block these sources everywhere, and these paths for everyone: ${formatMatchCommand('any')}`,
		].join('\n'),
	});
}

async function readTargetFile(context: CommandContext, file: string): Promise<readonly string[]> {
	const bytes = await readInputValue(file === '-' ? file : context.resolve(file), context);
	if (!isUtf8(bytes)) throw new Failure('input_malformed', `${file} is not UTF-8 text.`);
	return splitTargetWords(bytes.toString('utf8'));
}
