import {Failure} from '../failure.ts';
import {buildDataLocationOptions} from './kv/options.ts';
import type {CommandContext} from './shell/context.ts';
import {createSwitchOption, createValueOption, defineCommand, type OptionValues} from './shell/declare.ts';

const buildPickOptions = () => [
	createValueOption(
		'--namespace <name>',
		'namespace, by its binding, id or title; without it, you choose one first',
	),
	createSwitchOption('-0, --null', 'end each name with a NUL character instead of a line feed'),
	...buildDataLocationOptions(),
];

/** `ledge pick`: a chooser of keys on the terminal, whose standard output is only the result. */
export const pickCommand = defineCommand({
	usage: 'pick',
	summary: 'choose keys on screen and print their names; exit code 130 if you leave without',
	example: 'pick --namespace SESSIONS',
	sampleArguments: '--namespace SESSIONS',
	// Without a terminal it ends before the first call.
	isOffline: true,
	options: buildPickOptions,
	run: pickKeys,
});

const cancelledCode = 130;

async function pickKeys(
	context: CommandContext,
	options: OptionValues<typeof buildPickOptions>,
): Promise<void> {
	const {host, output, setExitCode} = context;
	if (!host.pickKeys || context.env.TERM === 'dumb' || output.json)
		throw new Failure('usage', 'ledge pick needs a terminal to show the list on.', {
			next: 'Run it in a terminal; in scripts use `ledge kv key list`.',
		});
	const {namespace, null: endsWithNull = false, ...location} = options;
	const names = await host.pickKeys({...context.options, ...location}, namespace);
	if (names.length === 0) return setExitCode(cancelledCode);
	if (endsWithNull) return output.writeBytes(Buffer.from(names.map(name => `${name}\0`).join('')));
	const text = names.map(name => `${name}\n`).join('');
	if (output.stdoutIsTerminal) return output.writeText(text);
	if (names.some(name => name.includes('\n')))
		throw new Failure(
			'usage',
			'The name of a chosen key contains a line feed, so it would look like two keys.',
			{
				next: 'Add --null, and read names that end with a NUL character: xargs -0, read -d "".',
			},
		);
	await output.writeBytes(Buffer.from(text));
}
