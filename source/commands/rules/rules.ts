import {confirmOption} from '../firewall/broad.ts';
import {allowUnknownOption, expressionOption, idsOf} from '../firewall/options.ts';
import {defineCommand, lazily, switchOption} from '../shell/declare.ts';
import type {ZoneNameOptions} from '../shell/zone-name.ts';
import {type PlaceOptions, placeOptions, type RuleOptions, ruleOption, ruleOptions} from './options.ts';

export type CreateOptions = RuleOptions &
	PlaceOptions &
	ZoneNameOptions & {expression?: string; allowUnknown?: boolean};
export type UpdateOptions = RuleOptions & ZoneNameOptions & {expression?: string; allowUnknown?: boolean};
export type MoveOptions = PlaceOptions & ZoneNameOptions;
export type RestoreOptions = ZoneNameOptions & {rule?: readonly string[]};

const id = '372e67954025e0ba6aaa6d586b9e0b60';

/** `rules …`: custom rules, the successor of firewall rules. */
export const customRuleCommands = [
	defineCommand({
		usage: 'list',
		summary: 'list the custom rules of a zone in the order in which they are evaluated',
		example: 'rules list --zone example.com',
		sample: '--zone done.acme.example',
		options: () => [switchOption('--rate-limits', 'the rate limits in place of them, read-only')],
		run: lazily(async () => (await import('./read.ts')).listRules),
	}),

	defineCommand({
		usage: 'get <ID>',
		summary: 'show one custom rule, or one rate limit',
		example: `rules get ${id} --zone example.com --json`,
		sample: '{customRule} --zone done.acme.example',
		run: lazily(async () => (await import('./read.ts')).getRule),
	}),

	defineCommand({
		usage: 'create',
		summary: 'create a custom rule, after all others unless a place is given',
		example: `rules create --zone example.com --expression 'http.request.uri.path eq "/admin"' --action block --first`,
		writes: 'creating a custom rule',
		sample: "--zone done.acme.example --expression 'ip.src eq 203.0.113.77' --action block",
		options: () => [
			expressionOption(),
			allowUnknownOption(),
			...ruleOptions(),
			...placeOptions(),
			confirmOption(),
		],
		run: lazily(async () => (await import('./write.ts')).createRule),
	}),

	defineCommand({
		usage: 'update <ID>',
		summary: 'change what is given of a custom rule; the rest stays. Asks before weakening it',
		example: `rules update ${id} --zone example.com --action managed_challenge`,
		writes: 'changing a custom rule',
		sample: '{customRule} --zone done.acme.example --description other',
		options: () => [expressionOption(), allowUnknownOption(), ...ruleOptions(), confirmOption()],
		run: lazily(async () => (await import('./write.ts')).updateRule),
	}),

	...(['pause', 'resume'] as const).map(word =>
		defineCommand({
			usage: `${word} <ID...>`,
			summary:
				word === 'pause'
					? 'disable custom rules until they are resumed; asks first'
					: 'enable paused custom rules again',
			example: `rules ${word} ${id} --zone example.com`,
			writes: `${word === 'pause' ? 'pausing' : 'resuming'} custom rules`,
			sample: `{${word === 'pause' ? 'customRule' : 'pausedCustomRule'}} --zone done.acme.example`,
			options: () => [confirmOption()],
			run: async (context, options, ...ids) =>
				(await import('./write.ts')).pauseRules(
					context,
					options,
					idsOf(ids, 'custom rule'),
					word === 'pause',
				),
		}),
	),

	defineCommand({
		usage: 'move <ID>',
		summary: 'move a custom rule to another place; the new order is shown first',
		example: `rules move ${id} --zone example.com --first`,
		writes: 'moving a custom rule',
		sample: '{customRule} --zone done.acme.example --last',
		options: () => [...placeOptions(), confirmOption()],
		run: lazily(async () => (await import('./write.ts')).moveRule),
	}),

	defineCommand({
		usage: 'delete <ID...>',
		summary: 'delete custom rules (to get them back: restore)',
		example: `rules delete ${id} --zone example.com`,
		writes: 'deleting custom rules',
		sample: '{customRule} --zone done.acme.example',
		options: () => [confirmOption()],
		run: lazily(async () => (await import('./write.ts')).deleteRules),
	}),

	defineCommand({
		usage: 'versions [VERSION]',
		summary: 'list the earlier versions of the custom rules, or the rules of one',
		example: 'rules versions 12 --zone example.com',
		sample: '--zone done.acme.example',
		run: lazily(async () => (await import('./read.ts')).listVersions),
	}),

	defineCommand({
		usage: 'restore <VERSION>',
		summary: 'restore the custom rules of an earlier version, all of them or some',
		example: `rules restore 12 --zone example.com --rule ${id}`,
		writes: 'restoring custom rules',
		sample: '1 --zone done.acme.example',
		options: () => [ruleOption(), confirmOption()],
		run: lazily(async () => (await import('./write.ts')).restoreRules),
	}),
];
