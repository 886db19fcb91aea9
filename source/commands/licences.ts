import {Failure} from '../failure.ts';
import {defineCommand} from './shell/declare.ts';

/** `ledge licenses`: the licences bundled with ledge. */
export const licencesCommand = defineCommand({
	usage: 'licenses',
	summary: 'print the licences of all software bundled with ledge',
	example: 'licenses',
	isOffline: true,
	toleratesInvalidContexts: true,
	async run({host, output}) {
		if (!host.readLicences)
			throw new Failure('internal', 'This copy of ledge was started without its licences.');
		await output.writeText(await host.readLicences());
	},
});
