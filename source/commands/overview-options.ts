import {buildDataLocationOptions} from './kv/options.ts';
import {createSwitchOption} from './shell/declare.ts';

/** Builds the options of `ledge` without a command. */
export const buildOverviewOptions = () => [
	...buildDataLocationOptions(),
	createSwitchOption(
		'--screen-reader',
		'show screens as text for a screen reader, printing only what changes',
	),
	createSwitchOption('--last', 'open the screen on which ledge was left'),
];
