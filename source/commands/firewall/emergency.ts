import {isUtf8} from 'node:buffer';
import type {Command} from 'commander';
import {asFailure, Failure} from '../../failure.ts';
import {command, ruleResumption, settingWords} from '../../firewall/continuation.ts';
import {confirmWords} from '../../firewall/rules/broad-rule.ts';
import {beforeEmergency, emergencyCreate} from '../../firewall/rules/emergency.ts';
import {emergencyFindings, ownAddress, ownAddressWarning} from '../../firewall/rules/emergency-check.ts';
import {emergencyCommand, nameWords} from '../../firewall/rules/emergency-command.ts';
import type {Emergency, EmergencyBefore, EmergencyDraft} from '../../firewall/rules/emergency-draft.ts';
import {findEmergencyReasons} from '../../firewall/rules/emergency-name.ts';
import {goingFirst} from '../../firewall/rules/order.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {readTargets, type TargetMatch, targetMatches, wordsOf} from '../../firewall/rules/targets.ts';
import {placeOfZone} from '../../session/write-place.ts';
import type {CommandContext} from '../shell/context.ts';
import {declareCommand, offering, switchOption, valueOption} from '../shell/declare.ts';
import {readValue} from '../shell/input.ts';
import {confirmZoneName, type ZoneNameOptions, zoneNameOption} from '../shell/zone-name.ts';
import {anyZone, refuseUnfit, warnOfOdd} from './check.ts';
import {asCustomRule} from './emergency-custom-rule.ts';
import {inForceValue, lost, sayInForce, sayUndo} from './emergency-report.ts';
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

/** `firewall emergency`: filter and rule in one call, and never anything else. */
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
	const {zone, client} = opened;
	if (!('draft' in asked)) throw ambiguousTargets(zone, asked, options, words);
	const {draft} = asked;
	refuseUnfit(draft, {...zone, allowUnknown});
	warnOfOdd(context, draft, {...zone, allowUnknown});
	const own = ownAddressWarning(draft, ownAddress(context.host.env), opened.zone);
	if (own) context.output.warn(own);
	await confirmZoneName(context, zone, findEmergencyReasons(zone, {after: draft}), options.confirm);
	await context.announceWrite(placeOfZone(zone));
	if (options.customRule) return asCustomRule(context, opened, draft);
	await warnOfWafBypass(context, opened, draft);
	let before: EmergencyBefore | undefined;
	try {
		before = await beforeEmergency(client, zone, draft, context.signal);
	} catch (error) {
		return asCustomRule(context, opened, draft, asFailure(error));
	}
	return asFirewallRule(context, opened, draft, {...options, before});
}

/** As a filter and its rule, which may go first. */
async function asFirewallRule(
	context: CommandContext,
	opened: OpenedZone,
	given: EmergencyDraft,
	options: EmergencyOptions & {readonly before: EmergencyBefore | undefined},
): Promise<void> {
	const {zone, client} = opened;
	const {before} = options;
	const first = options.first ? goingFirst(before?.rules) : undefined;
	const draft = first ? {...given, priority: first.priority} : given;
	refuseFull(context, opened, draft, before?.rules);
	if (first?.isFirst) context.output.say(first.sentence);
	else if (first) context.output.warn(first.sentence);
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
			sends(`emergency rule (${actionOf(draft)})`);
			return emergencyCreate(client, zone, draft, how);
		},
		unmade,
	);
	if (!context.options.dryRun) await told(context, opened, given, done);
}

/** What targets of both kinds can mean, each as a draft. */
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

/** Addresses and paths together mean two things: both are shown, each with the command that does it. */
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

/** The targets of a file. */
async function wordsIn(context: CommandContext, file: string): Promise<readonly string[]> {
	const bytes = await readValue(file === '-' ? file : context.resolve(file), context);
	if (!isUtf8(bytes)) throw new Failure('input_malformed', `${file} is not UTF-8 text.`);
	return wordsOf(bytes.toString('utf8'));
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

/** What says twice where the block goes. */
function refuseTogether({first, priority}: EmergencyOptions): void {
	if (first && priority !== undefined)
		throw new Failure('usage', '--first and --priority exclude each other.', {
			next: 'Leave one of them out.',
		});
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
			return inForce(context, opened, done, draft);
		case 'gone':
			return asCustomRule(context, opened, draft, done.failure);
		case 'filter left':
		case 'duplicate':
		case 'nothing':
		case 'unsure':
			throw done.failure;
	}
}

function inForce(
	context: CommandContext,
	{zone}: OpenedZone,
	{rule, already, afterDoubt, earlier}: Emergency & {state: 'created'},
	{filter: {expression}}: EmergencyDraft,
): Promise<void> | undefined {
	const {output, marked} = context;
	const what = `rule ${rule.id} (${actionOf(rule)}) on filter ${rule.filter.id}, in zone ${zone.name}`;
	if (!already && isPaused(rule)) {
		output.say(`Created, but paused, so it stops nothing yet: ${what}.${afterDoubt ? lost : ''}`);
		output.say(
			`Resume it: ${ruleResumption(zone, rule.id, confirmWords(zone, [{before: rule, after: {...rule, paused: false}}]))}`,
		);
	} else {
		const block = {id: rule.id, what, action: rule.action, expression, earlier, afterDoubt};
		sayInForce(output, zone, block, already ? 'already' : 'created');
		if (!already && !output.json) sayUndo(output, zone, {form: 'firewall rule', rule});
	}
	return output.json ? output.value([marked({...rule, ...inForceValue(expression, earlier)})]) : undefined;
}

const isPaused = ({paused, filter}: Rule): boolean => paused || ('paused' in filter && filter.paused);
