import {createSwitchOption, createValueOption, type OptionValues} from '../shell/declare.ts';

export const buildConfirmingOptions = () => [
	createValueOption('--confirm <zone>', "the zone's name; on a terminal, ledge asks for it"),
	createSwitchOption('--without-rulesets', 'send it even though it deploys no managed ruleset'),
	createSwitchOption(
		'--incomplete-backup',
		'send it even though some settings that will be lost could not be read',
	),
];

/** Confirmations of a PUT that changes the protection of a live site. */
export type ConfirmingOptions = OptionValues<typeof buildConfirmingOptions>;

export const buildSendingOptions = () => [
	createValueOption('--fingerprint <digits>', 'fingerprint of the reviewed configuration: 8 digits or more'),
	...buildConfirmingOptions(),
	createSwitchOption('--no-watch', 'exit as soon as the service accepts it'),
];

export type SendingOptions = OptionValues<typeof buildSendingOptions>;
