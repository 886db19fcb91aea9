import {formatDeleteRuleCommand} from '../../firewall/commands.ts';
import {getRuleOrdering, sortForEvaluation} from '../../firewall/rules/order.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import type {CommandContext} from '../shell/context.ts';
import {
	createSwitchOption,
	createValueOption,
	defineCommand,
	type OptionValues,
	runLazily,
} from '../shell/declare.ts';
import {createConfirmOption} from './confirm-broad-rules.ts';
import {
	buildSettingOptions,
	createAllowUnknownOption,
	createExpressionOption,
	createForOption,
	parseId,
	parseIds,
} from './options.ts';
import {formatEndedAdvice, formatRule, formatRuleTable, getFilterExpression} from './text.ts';
import {shouldMarkWafBypass} from './waf-bypass.ts';
import {loadFirewallRule, openZone} from './zone.ts';

const buildRuleCreateOptions = () => [
	createExpressionOption(),
	createAllowUnknownOption(),
	createValueOption('--filter-id <id>', 'an existing filter, instead of --expression'),
	createSwitchOption('--reuse-filter', 'use the existing filter with this expression, if any'),
	createForOption(),
	...buildSettingOptions(),
	createConfirmOption(),
];

export type RuleCreateOptions = OptionValues<typeof buildRuleCreateOptions>;

const buildRuleUpdateOptions = () => [
	...buildSettingOptions(),
	createValueOption('--filter-id <id>', 'the filter to use instead'),
	createValueOption(
		'--expression <expression>',
		'new expression for its filter, which other rules may use too',
	),
	createAllowUnknownOption(),
	createConfirmOption(),
];

export type RuleUpdateOptions = OptionValues<typeof buildRuleUpdateOptions>;

const buildRuleDeleteOptions = () => [
	createSwitchOption('--with-filter', 'also delete the filter, unless something else uses it (default)'),
	createSwitchOption('--keep-filter', 'keep the filter'),
	createConfirmOption(),
];

export type RuleDeleteOptions = OptionValues<typeof buildRuleDeleteOptions>;

/** `firewall rule …`. */
export const firewallRuleCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list all rules of a zone in evaluation order',
		example: 'firewall rule list --zone example.com',
		sampleArguments: '--zone-id {zone}',
		run: printRules,
	}),

	defineCommand({
		usage: 'get <ID>',
		summary: 'show one rule and its filter',
		example: 'firewall rule get 372e67954025e0ba6aaa6d586b9e0b60 --zone example.com --json',
		sampleArguments: '{rule} --zone-id {zone}',
		run: printRule,
	}),

	defineCommand({
		usage: 'create',
		summary: 'create a rule: first its filter, then the rule',
		example: `firewall rule create --zone example.com --expression 'http.request.uri.path eq "/admin"' --action block`,
		refusedByReadOnly: 'creating a firewall rule',
		sampleArguments: "--zone-id {zone} --expression 'ip.src eq 203.0.113.77' --action block",
		options: buildRuleCreateOptions,
		run: runLazily(async () => (await import('./rule-create.ts')).createRuleCommand),
	}),

	defineCommand({
		usage: 'update <ID>',
		summary: 'change only the given settings of a rule; asks before weakening it',
		example: 'firewall rule update 372e67954025e0ba6aaa6d586b9e0b60 --zone example.com --priority 10',
		refusedByReadOnly: 'changing a firewall rule',
		sampleArguments: '{rule} --zone-id {zone} --description other',
		options: buildRuleUpdateOptions,
		run: runLazily(async () => (await import('./rule-change.ts')).updateRuleCommand),
	}),

	...(['pause', 'resume'] as const).map(subcommand =>
		defineCommand({
			usage: `${subcommand} <ID...>`,
			summary: subcommand === 'pause' ? 'pause rules; asks first' : 'resume paused rules',
			example: `firewall rule ${subcommand} 372e67954025e0ba6aaa6d586b9e0b60 --zone example.com`,
			refusedByReadOnly: `${subcommand === 'pause' ? 'pausing' : 'resuming'} firewall rules`,
			sampleArguments: `{${subcommand === 'pause' ? 'rule' : 'pausedRule'}} --zone-id {zone}`,
			options: () => [createConfirmOption()],
			run: async (context, options, ...ids) =>
				(await import('./rule-change.ts')).pauseRules(
					context,
					options,
					parseIds(ids, 'rule'),
					subcommand === 'pause',
				),
		}),
	),

	defineCommand({
		usage: 'delete <ID...>',
		summary: 'delete rules, and their filters unless something else uses them',
		example: 'firewall rule delete 372e67954025e0ba6aaa6d586b9e0b60 --zone example.com --keep-filter',
		refusedByReadOnly: 'deleting firewall rules',
		sampleArguments: '{rule} --zone-id {zone} --keep-filter',
		options: buildRuleDeleteOptions,
		run: runLazily(async () => (await import('./rule-delete.ts')).deleteRulesCommand),
	}),
];

async function printRules(context: CommandContext): Promise<void> {
	const {client, zone} = await openZone(context, {writes: false});
	const rules = await Array.fromAsync(listFirewallRules(client, zone.id, context.signal));
	const sortedRules = sortForEvaluation(rules);
	if (context.output.json) return context.output.writeJson(sortedRules);
	const isMarked = await shouldMarkWafBypass({client, zone}, sortedRules);
	await context.output.writeText(formatRuleTable(sortedRules, context.output, {isMarked}));
	const advice = formatEndedAdvice(
		sortedRules,
		rule => getFilterExpression(rule.filter),
		ids => formatDeleteRuleCommand(zone, ...ids),
	);
	if (advice !== undefined) context.output.say(advice);
	const isReordered = sortedRules.some((rule, index) => rule !== rules[index]);
	if (getRuleOrdering(rules) === 'undecided' && isReordered && context.output.stderrIsTerminal) {
		context.output.say(
			"No rule has a priority. The zone evaluates them by action, as shown here, or in listed order; the service doesn't say which.",
		);
	}
}

async function printRule(context: CommandContext, _options: object, id = ''): Promise<void> {
	const openedZone = await openZone(context, {writes: false});
	const rule = await loadFirewallRule(openedZone, parseId(id, 'rule'), context.signal);
	if (context.output.json) return context.output.writeJson(context.markSimulated(rule));
	const isMarked = await shouldMarkWafBypass(openedZone, [rule]);
	await context.output.writeText(formatRule(rule, {isMarked}));
}
