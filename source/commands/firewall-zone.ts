import {Failure, isFailure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {quoted} from '../service/curl.ts';
import {type ChosenZone, chooseZone} from '../session/zone.ts';
import type {CommandContext} from './context.ts';

export type OpenedZone = {readonly client: Client; readonly zone: ChosenZone};

/** The zone in force and the client to reach it with (decision 19). */
export async function openZone(
	context: CommandContext,
	use: {readonly writes: boolean},
): Promise<OpenedZone> {
	const zone = await chooseZone(context.session, use, context.signal);
	return {client: await context.client(), zone};
}

/** What the zone has under an id; where it has nothing, the failure says so in words of a person. */
export async function there<T>(
	what: 'filter' | 'rule',
	id: string,
	{zone}: OpenedZone,
	read: () => Promise<T>,
): Promise<T> {
	try {
		return await read();
	} catch (error) {
		if (!isFailure(error, 'not_found')) throw error;
		throw new Failure('not_found', `There is no ${what} ${id} in ${zone.label}.`, {
			...error.details,
			why: undefined,
			next: `See \`ledge firewall ${what} list\` for what there is.`,
		});
	}
}

/** A command that goes on with something, with the options that lead to where this one acted. */
function commandThere({options}: CommandContext, command: string): string {
	const {simulate, state, baseUrl, config, env, envFile, cwd} = options;
	const named = {state, baseUrl, config, env, cwd};
	const words = Object.entries(named).flatMap(([name, value]) =>
		value === undefined ? [] : [flagOf(name), quoted(value)],
	);
	const files = (envFile ?? []).flatMap(file => ['--env-file', quoted(file)]);
	return [command, ...(simulate ? ['--simulate'] : []), ...words, ...files].join(' ');
}

const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

/** A failure whose advice names commands, with the options in them that lead to where this one acted. */
export const withCommands = (
	context: CommandContext,
	failure: Failure,
	commands: readonly string[],
): Failure =>
	failure.with({
		next: commands.reduce<string | undefined>(
			(next, command) => next?.replaceAll(command, () => commandThere(context, command)),
			failure.details.next,
		),
	});
