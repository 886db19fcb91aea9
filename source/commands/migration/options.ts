import {type OptionValues, switchOption, valueOption} from '../shell/declare.ts';

export const confirmingOptions = () => [
	valueOption('--confirm <zone>', "the zone's name, typed out; asked for on a terminal"),
	switchOption('--without-rulesets', 'send it even though it deploys no managed ruleset'),
	switchOption('--incomplete-backup', 'send it even though not all that will be lost could be read'),
];

/** Confirmations of a PUT that changes the protection of a live site. */
export type ConfirmingOptions = OptionValues<typeof confirmingOptions>;

export const sendingOptions = () => [
	valueOption('--fingerprint <digits>', 'of the configuration that was reviewed: 8 digits or more'),
	...confirmingOptions(),
	switchOption('--no-watch', 'end as soon as the service has taken it'),
];

export type SendingOptions = OptionValues<typeof sendingOptions>;
