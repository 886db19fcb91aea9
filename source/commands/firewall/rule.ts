import {evaluationOrder, orderingOf} from '../../firewall/rules/order.ts';
import {rules} from '../../firewall/rules/rules.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, lazily, type OptionValues, switchOption, valueOption} from '../shell/declare.ts';
import {confirmOption} from './broad.ts';
import {allowUnknownOption, expressionOption, idOf, idsOf, settingOptions} from './options.ts';
import {ruleTable, ruleText} from './text.ts';
import {marksWafBypass} from './waf-bypass.ts';
import {openZone, ruleThere} from './zone.ts';

const createOptions = () => [
	expressionOption(),
	allowUnknownOption(),
	valueOption('--filter-id <id>', 'a filter that is there already, instead of --expression'),
	switchOption('--reuse-filter', 'use the filter of this expression, if there is one already'),
	...settingOptions(),
	confirmOption(),
];

export type CreateOptions = OptionValues<typeof createOptions>;

const updateOptions = () => [
	...settingOptions(),
	valueOption('--filter-id <id>', 'the filter that it is to refer to'),
	valueOption('--expression <expression>', 'the expression of its filter, which others may use, too'),
	confirmOption(),
];

export type UpdateOptions = OptionValues<typeof updateOptions>;

const deleteOptions = () => [
	switchOption('--with-filter', 'delete the filter, too, unless something else uses it (the default)'),
	switchOption('--keep-filter', 'leave the filter where it is'),
	confirmOption(),
];

export type DeleteOptions = OptionValues<typeof deleteOptions>;

/** `firewall rule …`. */
export const firewallRuleCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list all rules of a zone in the order in which they are evaluated',
		example: 'firewall rule list --zone example.com',
		sample: '--zone-id {zone}',
		run: list,
	}),

	defineCommand({
		usage: 'get <ID>',
		summary: 'show one rule and its filter',
		example: 'firewall rule get 372e67954025e0ba6aaa6d586b9e0b60 --zone example.com --json',
		sample: '{rule} --zone-id {zone}',
		run: get,
	}),

	defineCommand({
		usage: 'create',
		summary: 'create a rule: the filter first, then the rule that refers to it',
		example: `firewall rule create --zone example.com --expression 'http.request.uri.path eq "/admin"' --action block`,
		writes: 'creating a firewall rule',
		sample: "--zone-id {zone} --expression 'ip.src eq 203.0.113.77' --action block",
		options: createOptions,
		run: lazily(async () => (await import('./rule-create.ts')).createRuleCommand),
	}),

	defineCommand({
		usage: 'update <ID>',
		summary: 'change what is given of a rule; the rest stays. Asks before weakening it',
		example: 'firewall rule update 372e67954025e0ba6aaa6d586b9e0b60 --zone example.com --priority 10',
		writes: 'changing a firewall rule',
		sample: '{rule} --zone-id {zone} --description other',
		options: updateOptions,
		run: lazily(async () => (await import('./rule-change.ts')).updateRuleCommand),
	}),

	...(['pause', 'resume'] as const).map(word =>
		defineCommand({
			usage: `${word} <ID...>`,
			summary: word === 'pause' ? 'pause rules; asks first' : 'put paused rules in force again',
			example: `firewall rule ${word} 372e67954025e0ba6aaa6d586b9e0b60 --zone example.com`,
			writes: `${word === 'pause' ? 'pausing' : 'resuming'} firewall rules`,
			sample: `{${word === 'pause' ? 'rule' : 'pausedRule'}} --zone-id {zone}`,
			options: () => [confirmOption()],
			run: async (context, options, ...ids) =>
				(await import('./rule-change.ts')).pauseRules(context, options, idsOf(ids, 'rule'), word === 'pause'),
		}),
	),

	defineCommand({
		usage: 'delete <ID...>',
		summary: 'delete rules, and then their filters where nothing else uses them',
		example: 'firewall rule delete 372e67954025e0ba6aaa6d586b9e0b60 --zone example.com --keep-filter',
		writes: 'deleting firewall rules',
		sample: '{rule} --zone-id {zone} --keep-filter',
		options: deleteOptions,
		run: lazily(async () => (await import('./rule-delete.ts')).deleteRulesCommand),
	}),
];

async function list(context: CommandContext): Promise<void> {
	const {client, zone} = await openZone(context, {writes: false});
	const all = await Array.fromAsync(rules(client, zone.id, context.signal));
	const found = evaluationOrder(all);
	if (context.output.json) return context.output.value(found);
	const isMarked = await marksWafBypass({client, zone}, found);
	await context.output.text(ruleTable(found, context.output, {isMarked}));
	const differs = found.some((rule, index) => rule !== all[index]);
	if (orderingOf(all) === 'undecided' && differs && context.output.stderrIsTerminal) {
		context.output.say(
			'No rule has a priority: whether the zone takes them by their actions, as shown here, or as they were listed, the service does not tell.',
		);
	}
}

async function get(context: CommandContext, _options: object, id = ''): Promise<void> {
	const opened = await openZone(context, {writes: false});
	const rule = await ruleThere(opened, idOf(id, 'rule'), context.signal);
	if (context.output.json) return context.output.value(context.marked(rule));
	const isMarked = await marksWafBypass(opened, [rule]);
	await context.output.text(ruleText(rule, {isMarked}));
}
