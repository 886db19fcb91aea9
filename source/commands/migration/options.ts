import type {Option} from 'commander';
import {switchOption, valueOption} from '../shell/declare.ts';

/** What a PUT that changes the protection of a live site requires. */
export type ConfirmingOptions = {confirm?: string; withoutRulesets?: boolean; incompleteBackup?: boolean};

export type SendingOptions = ConfirmingOptions & {fingerprint?: string; watch?: boolean};

export const confirmingOptions = (): Option[] => [
	valueOption('--confirm <zone>', "the zone's name, typed out; asked for on a terminal"),
	switchOption('--without-rulesets', 'send it even though it deploys no managed ruleset'),
	switchOption('--incomplete-backup', 'send it even though not all that will be lost could be read'),
];

export const sendingOptions = (): Option[] => [
	valueOption('--fingerprint <digits>', 'of the configuration that was reviewed: 8 digits or more'),
	...confirmingOptions(),
	switchOption('--no-watch', 'end as soon as the service has taken it'),
];
