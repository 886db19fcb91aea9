import {createSwitchOption, createValueOption, type OptionValues} from '../shell/declare.ts';

export const buildConfirmingOptions = () => [
	createValueOption('--confirm <zone>', "the zone's name, typed out; asked for on a terminal"),
	createSwitchOption('--without-rulesets', 'send it even though it deploys no managed ruleset'),
	createSwitchOption('--incomplete-backup', 'send it even though not all that will be lost could be read'),
];

/** Confirmations of a PUT that changes the protection of a live site. */
export type ConfirmingOptions = OptionValues<typeof buildConfirmingOptions>;

export const buildSendingOptions = () => [
	createValueOption('--fingerprint <digits>', 'of the configuration that was reviewed: 8 digits or more'),
	...buildConfirmingOptions(),
	createSwitchOption('--no-watch', 'end as soon as the service has taken it'),
];

export type SendingOptions = OptionValues<typeof buildSendingOptions>;
