import {listFilters} from '../../firewall/rules/filters.ts';
import {listFirewallRules} from '../../firewall/rules/rules.ts';
import {findFilterUsers} from '../../firewall/rules/users.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand, type OptionValues, runLazily} from '../shell/declare.ts';
import {createConfirmOption} from './confirm-broad-rules.ts';
import {
	buildDescriptionOptions,
	createAllowUnknownOption,
	createExpressionOption,
	parseId,
} from './options.ts';
import {formatFilter, formatFilterTable, toFilterJson} from './text.ts';
import {loadFilter, openZone} from './zone.ts';

const buildFilterUpdateOptions = () => [
	createExpressionOption(),
	createAllowUnknownOption(),
	...buildDescriptionOptions('filter'),
	createConfirmOption(),
];

export type FilterOptions = OptionValues<typeof buildFilterUpdateOptions>;

/** `firewall filter …`. */
export const firewallFilterCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list all filters of a zone, and how many rules use each',
		example: 'firewall filter list --zone example.com',
		sampleArguments: '--zone-id {zone}',
		run: printFilters,
	}),

	defineCommand({
		usage: 'get <ID>',
		summary: 'show one filter and the rules that use it',
		example: 'firewall filter get 372e67954025e0ba6aaa6d586b9e0b61 --zone example.com --json',
		sampleArguments: '{filter} --zone-id {zone}',
		run: printFilter,
	}),

	defineCommand({
		usage: 'create',
		summary: 'create a filter that rules can refer to',
		example: `firewall filter create --zone example.com --expression 'ip.src in {192.0.2.0/24}'`,
		refusedByReadOnly: 'creating a filter',
		sampleArguments: "--zone-id {zone} --expression 'ip.src eq 203.0.113.77'",
		options: () => [
			createExpressionOption(),
			createAllowUnknownOption(),
			...buildDescriptionOptions('filter'),
		],
		run: runLazily(async () => (await import('./filter-write.ts')).createFilterCommand),
	}),

	defineCommand({
		usage: 'update <ID>',
		summary: 'change a filter for all rules that use it; asks first if any do',
		example: `firewall filter update 372e67954025e0ba6aaa6d586b9e0b61 --zone example.com --expression 'not ssl'`,
		refusedByReadOnly: 'changing a filter',
		sampleArguments: "{filter} --zone-id {zone} --expression 'ip.src eq 203.0.113.77'",
		options: buildFilterUpdateOptions,
		run: runLazily(async () => (await import('./filter-write.ts')).updateFilterCommand),
	}),

	defineCommand({
		usage: 'delete <ID...>',
		summary: 'delete filters that no rule uses',
		example: 'firewall filter delete 372e67954025e0ba6aaa6d586b9e0b61 --zone example.com',
		refusedByReadOnly: 'deleting filters',
		sampleArguments: '{filter} --zone-id {zone}',
		run: runLazily(async () => (await import('./filter-write.ts')).deleteFilters),
	}),

	defineCommand({
		usage: 'validate <EXPRESSION>',
		summary: 'validate an expression with ledge and the service; - reads standard input',
		example: `firewall filter validate 'http.host eq "example.com" and not ssl'`,
		sampleArguments: "'not ssl' --zone-id {zone}",
		run: runLazily(async () => (await import('./filter-validate.ts')).validateFilterCommand),
	}),
];

async function printFilters(context: CommandContext): Promise<void> {
	const {client, zone} = await openZone(context, {writes: false});
	const [rules, filters] = await Promise.all([
		Array.fromAsync(listFirewallRules(client, zone.id, context.signal)),
		Array.fromAsync(listFilters(client, zone.id, context.signal)),
	]);
	const usedFilters = filters.map(filter => ({...filter, usedBy: findFilterUsers(filter.id, rules)}));
	if (context.output.json) return context.output.writeJson(usedFilters.map(toFilterJson));
	await context.output.writeText(formatFilterTable(usedFilters, context.output));
}

async function printFilter(context: CommandContext, _options: object, idArgument = ''): Promise<void> {
	const id = parseId(idArgument, 'filter');
	const openedZone = await openZone(context, {writes: false});
	const {client, zone} = openedZone;
	const filter = await loadFilter(openedZone, id, context.signal);
	const rules = await Array.fromAsync(listFirewallRules(client, zone.id, context.signal));
	const usedFilter = {...filter, usedBy: findFilterUsers(id, rules)};
	if (context.output.json) return context.output.writeJson(context.markSimulated(toFilterJson(usedFilter)));
	await context.output.writeText(formatFilter(usedFilter));
}
