import {createConfirmOption} from '../firewall/confirm-broad-rules.ts';
import {
	createAllowUnknownOption,
	createExpressionOption,
	createForOption,
	parseIds,
} from '../firewall/options.ts';
import type {ZoneNameOptions} from '../shell/confirm-zone-name.ts';
import {createSwitchOption, defineCommand, runLazily} from '../shell/declare.ts';
import {
	buildCustomRuleOptions,
	buildPositionOptions,
	type CustomRuleOptions,
	createRuleOption,
	type PositionOptions,
} from './options.ts';

export type CustomRuleCreateOptions = CustomRuleOptions &
	PositionOptions &
	ZoneNameOptions & {expression?: string; allowUnknown?: boolean; for?: number};
export type CustomRuleUpdateOptions = CustomRuleOptions &
	ZoneNameOptions & {expression?: string; allowUnknown?: boolean};
export type CustomRuleMoveOptions = PositionOptions & ZoneNameOptions;
export type RateLimitOptions = {rateLimits?: boolean};
export type RulesRestoreOptions = ZoneNameOptions & RateLimitOptions & {rule?: readonly string[]};

const exampleId = '372e67954025e0ba6aaa6d586b9e0b60';

/** `rules …`: custom rules, the successor of firewall rules. */
export const customRuleCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list the custom rules of a zone in evaluation order',
		example: 'rules list --zone example.com',
		sampleArguments: '--zone done.acme.example',
		options: () => [createSwitchOption('--rate-limits', 'list the rate limits instead')],
		run: runLazily(async () => (await import('./read.ts')).printCustomRules),
	}),

	defineCommand({
		usage: 'get <ID>',
		summary: 'show one custom rule, or one rate limit',
		example: `rules get ${exampleId} --zone example.com --json`,
		sampleArguments: '{customRule} --zone done.acme.example',
		run: runLazily(async () => (await import('./read.ts')).printCustomRule),
	}),

	defineCommand({
		usage: 'create',
		summary: 'create a custom rule, after all others unless a position is given',
		example: `rules create --zone example.com --expression 'http.request.uri.path eq "/admin"' --action block --first`,
		refusedByReadOnly: 'creating a custom rule',
		sampleArguments: "--zone done.acme.example --expression 'ip.src eq 203.0.113.77' --action block",
		options: () => [
			createExpressionOption(),
			createAllowUnknownOption(),
			createForOption(),
			...buildCustomRuleOptions(),
			...buildPositionOptions(),
			createConfirmOption(),
		],
		run: runLazily(async () => (await import('./write.ts')).createCustomRuleCommand),
	}),

	defineCommand({
		usage: 'update <ID>',
		summary: 'change only the given settings of a custom rule; asks before weakening it',
		example: `rules update ${exampleId} --zone example.com --action managed_challenge`,
		refusedByReadOnly: 'changing a custom rule',
		sampleArguments: '{customRule} --zone done.acme.example --description other',
		options: () => [
			createExpressionOption(),
			createAllowUnknownOption(),
			...buildCustomRuleOptions(),
			createConfirmOption(),
		],
		run: runLazily(async () => (await import('./write.ts')).updateCustomRuleCommand),
	}),

	...(['pause', 'resume'] as const).map(subcommand =>
		defineCommand({
			usage: `${subcommand} <ID...>`,
			summary:
				subcommand === 'pause'
					? 'disable custom rules until they are resumed; asks first'
					: 'resume paused custom rules',
			example: `rules ${subcommand} ${exampleId} --zone example.com`,
			refusedByReadOnly: `${subcommand === 'pause' ? 'pausing' : 'resuming'} custom rules`,
			sampleArguments: `{${subcommand === 'pause' ? 'customRule' : 'pausedCustomRule'}} --zone done.acme.example`,
			options: () => [createConfirmOption()],
			run: async (context, options, ...ids) =>
				(await import('./write.ts')).pauseCustomRules(
					context,
					options,
					parseIds(ids, 'custom rule'),
					subcommand === 'pause',
				),
		}),
	),

	defineCommand({
		usage: 'move <ID>',
		summary: 'move a custom rule to another position; shows the new order first',
		example: `rules move ${exampleId} --zone example.com --first`,
		refusedByReadOnly: 'moving a custom rule',
		sampleArguments: '{customRule} --zone done.acme.example --last',
		options: () => [...buildPositionOptions(), createConfirmOption()],
		run: runLazily(async () => (await import('./write.ts')).moveCustomRule),
	}),

	defineCommand({
		usage: 'delete <ID...>',
		summary: 'delete custom rules (to undo: restore)',
		example: `rules delete ${exampleId} --zone example.com`,
		refusedByReadOnly: 'deleting custom rules',
		sampleArguments: '{customRule} --zone done.acme.example',
		options: () => [createConfirmOption()],
		run: runLazily(async () => (await import('./write.ts')).deleteCustomRules),
	}),

	defineCommand({
		usage: 'versions [VERSION]',
		summary: 'list the versions of the custom rules, or the rules of one version',
		example: 'rules versions 12 --zone example.com',
		sampleArguments: '--zone done.acme.example',
		options: () => [createSwitchOption('--rate-limits', 'the versions of the rate limits instead')],
		run: runLazily(async () => (await import('./read.ts')).printCustomRuleVersions),
	}),

	defineCommand({
		usage: 'restore <VERSION>',
		summary: 'restore the custom rules of an earlier version, all of them or some',
		example: `rules restore 12 --zone example.com --rule ${exampleId}`,
		refusedByReadOnly: 'restoring custom rules',
		sampleArguments: '1 --zone done.acme.example',
		options: () => [
			createRuleOption(),
			createSwitchOption('--rate-limits', 'restore the rate limits instead'),
			createConfirmOption(),
		],
		run: runLazily(async () => (await import('./write.ts')).restorePhaseRules),
	}),
];
