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
import {createConfirmOption} from './broad.ts';
import {
	buildSettingOptions,
	createAllowUnknownOption,
	createExpressionOption,
	parseId,
	parseIds,
} from './options.ts';
import {formatRule, formatRuleTable} from './text.ts';
import {shouldMarkWafBypass} from './waf-bypass.ts';
import {loadFirewallRule, openZone} from './zone.ts';

const buildRuleCreateOptions = () => [
	createExpressionOption(),
	createAllowUnknownOption(),
	createValueOption('--filter-id <id>', 'a filter that is there already, instead of --expression'),
	createSwitchOption('--reuse-filter', 'use the filter of this expression, if there is one already'),
	...buildSettingOptions(),
	createConfirmOption(),
];

export type RuleCreateOptions = OptionValues<typeof buildRuleCreateOptions>;

const buildRuleUpdateOptions = () => [
	...buildSettingOptions(),
	createValueOption('--filter-id <id>', 'the filter that it is to refer to'),
	createValueOption('--expression <expression>', 'the expression of its filter, which others may use, too'),
	createConfirmOption(),
];

export type RuleUpdateOptions = OptionValues<typeof buildRuleUpdateOptions>;

const buildRuleDeleteOptions = () => [
	createSwitchOption('--with-filter', 'delete the filter, too, unless something else uses it (the default)'),
	createSwitchOption('--keep-filter', 'leave the filter where it is'),
	createConfirmOption(),
];

export type RuleDeleteOptions = OptionValues<typeof buildRuleDeleteOptions>;

/** `firewall rule …`. */
export const firewallRuleCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list all rules of a zone in the order in which they are evaluated',
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
		summary: 'create a rule: the filter first, then the rule that refers to it',
		example: `firewall rule create --zone example.com --expression 'http.request.uri.path eq "/admin"' --action block`,
		writes: 'creating a firewall rule',
		sampleArguments: "--zone-id {zone} --expression 'ip.src eq 203.0.113.77' --action block",
		options: buildRuleCreateOptions,
		run: runLazily(async () => (await import('./rule-create.ts')).createRuleCommand),
	}),

	defineCommand({
		usage: 'update <ID>',
		summary: 'change what is given of a rule; the rest stays. Asks before weakening it',
		example: 'firewall rule update 372e67954025e0ba6aaa6d586b9e0b60 --zone example.com --priority 10',
		writes: 'changing a firewall rule',
		sampleArguments: '{rule} --zone-id {zone} --description other',
		options: buildRuleUpdateOptions,
		run: runLazily(async () => (await import('./rule-change.ts')).updateRuleCommand),
	}),

	...(['pause', 'resume'] as const).map(subcommand =>
		defineCommand({
			usage: `${subcommand} <ID...>`,
			summary: subcommand === 'pause' ? 'pause rules; asks first' : 'put paused rules in force again',
			example: `firewall rule ${subcommand} 372e67954025e0ba6aaa6d586b9e0b60 --zone example.com`,
			writes: `${subcommand === 'pause' ? 'pausing' : 'resuming'} firewall rules`,
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
		summary: 'delete rules, and then their filters where nothing else uses them',
		example: 'firewall rule delete 372e67954025e0ba6aaa6d586b9e0b60 --zone example.com --keep-filter',
		writes: 'deleting firewall rules',
		sampleArguments: '{rule} --zone-id {zone} --keep-filter',
		options: buildRuleDeleteOptions,
		run: runLazily(async () => (await import('./rule-delete.ts')).deleteRulesCommand),
	}),
];

async function printRules(context: CommandContext): Promise<void> {
	const {client, zone} = await openZone(context, {writes: false});
	const rules = await Array.fromAsync(listFirewallRules(client, zone.id, context.signal));
	const sortedRules = sortForEvaluation(rules);
	if (context.output.json) return context.output.value(sortedRules);
	const isMarked = await shouldMarkWafBypass({client, zone}, sortedRules);
	await context.output.text(formatRuleTable(sortedRules, context.output, {isMarked}));
	const isReordered = sortedRules.some((rule, index) => rule !== rules[index]);
	if (getRuleOrdering(rules) === 'undecided' && isReordered && context.output.stderrIsTerminal) {
		context.output.say(
			'No rule has a priority: whether the zone takes them by their actions, as shown here, or as they were listed, the service does not tell.',
		);
	}
}

async function printRule(context: CommandContext, _options: object, id = ''): Promise<void> {
	const openedZone = await openZone(context, {writes: false});
	const rule = await loadFirewallRule(openedZone, parseId(id, 'rule'), context.signal);
	if (context.output.json) return context.output.value(context.markSimulated(rule));
	const isMarked = await shouldMarkWafBypass(openedZone, [rule]);
	await context.output.text(formatRule(rule, {isMarked}));
}
