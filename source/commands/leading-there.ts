import type {Failure} from '../failure.ts';
import {quoted} from '../service/curl.ts';
import type {GlobalOptions} from './context.ts';

/** The options that lead to where a command acted, the zone apart, as they stand in a command line. */
function wayThere({simulate, state, baseUrl, config, env, envFile, cwd}: GlobalOptions): string {
	const named = {state, 'base-url': baseUrl, config, env, cwd};
	const words = Object.entries(named).flatMap(([name, value]) =>
		value === undefined ? [] : [` --${name} ${quoted(value)}`],
	);
	const files = (envFile ?? []).map(file => ` --env-file ${quoted(file)}`);
	return [...(simulate ? [' --simulate'] : []), ...words, ...files].join('');
}

/** A failure whose advice names commands, with the options in them that lead to where this one acted. */
export function leadingThere(failure: Failure, options: GlobalOptions): Failure {
	const way = wayThere(options);
	const {next} = failure.details;
	if (way === '' || next === undefined) return failure;
	const withWay = next.replace(/ledge firewall [^\n`]*?--zone-id \S*[\w']/g, (command, from: number) =>
		next.startsWith(way, from + command.length) ? command : `${command}${way}`,
	);
	return failure.with({next: withWay});
}

/** A command that lists something, in the zone that the options name. */
export function listingThere(what: 'filter' | 'rule', options: GlobalOptions): string {
	const {zone, zoneId} = options;
	const named = zoneId === undefined ? zone && ` --zone ${quoted(zone)}` : ` --zone-id ${quoted(zoneId)}`;
	return `ledge firewall ${what} list${named ?? ''}${zoneId === undefined ? wayThere(options) : ''}`;
}
