import type {Failure} from '../failure.ts';
import {quoted} from '../service/curl.ts';
import type {SessionOptions} from './session.ts';

/** The options that lead to where a session acts, the zone apart, as they stand behind a command line. */
export function wayThere({
	simulate,
	state,
	accountId,
	baseUrl,
	config,
	env,
	envFile,
	cwd,
	profile,
}: SessionOptions): string {
	const named = {state, 'account-id': accountId, 'base-url': baseUrl, config, env, cwd, profile};
	const words = Object.entries(named).flatMap(([name, value]) =>
		value === undefined ? [] : [` --${name} ${quoted(value)}`],
	);
	const files = (envFile ?? []).map(file => ` --env-file ${quoted(file)}`);
	return [...(simulate ? [' --simulate'] : []), ...words, ...files].join('');
}

/** How a command that acts on keys names where they are. */
type NamespaceOptions = {
	readonly binding?: string | undefined;
	readonly namespaceId?: string | undefined;
	readonly preview?: boolean | undefined;
	readonly local?: boolean | undefined;
	readonly remote?: boolean | undefined;
	readonly persistTo?: string | undefined;
};

/** The options that name the namespace, as they were given. */
function namespaceNamed({binding, namespaceId, preview, local, remote, persistTo}: NamespaceOptions): string {
	const named = {binding, 'namespace-id': namespaceId, 'persist-to': persistTo};
	const words = Object.entries(named).flatMap(([name, value]) =>
		value === undefined ? [] : [` --${name} ${quoted(value)}`],
	);
	return [
		...words,
		...(preview ? [' --preview'] : []),
		...(local ? [' --local'] : []),
		...(remote ? [' --remote'] : []),
	].join('');
}

/** A failure whose advice names commands, with the options in them that lead to where this one acted. */
export function qualifyCommands(failure: Failure, options: SessionOptions & NamespaceOptions): Failure {
	const {next} = failure.details;
	return next === undefined ? failure : failure.with({next: leadingCommands(next, options)});
}

/**
 * A text with the commands in it led to where this one acted: those that name their zone by its id, those of a
 * migration between backticks that name none, which is then the zone that the options name, those that act on keys
 * and name no namespace, and those that show what there is.
 */
export function leadingCommands(text: string, options: SessionOptions & NamespaceOptions): string {
	const way = wayThere(options);
	const place = namespaceNamed(options);
	const inZone = text.replace(/`ledge migration [^\n`]+`/g, command =>
		/ --zone(?:-id)? /.test(command) ? command : `${command.slice(0, -1)}${zoneNamed(options)}${way}\``,
	);
	const inNamespace = inZone.replace(
		/`ledge kv (?:key|bulk|import|export|search|delete) [^`\n]+`/g,
		command => (/ --(?:binding|namespace-id) /.test(command) ? command : `${command.slice(0, -1)}${place}\``),
	);
	if (way === '') return inNamespace;
	const general = inNamespace.replace(/`ledge (?:zones|whoami|config|kv|jobs)(?: [^`\n]*)?`/g, command =>
		command.includes(way) ? command : `${command.slice(0, -1)}${way}\``,
	);
	return general.replace(
		/ledge (?:firewall|migration) [^\n`]*?--zone-id \S*[\w']/g,
		(command, from: number) =>
			general.startsWith(way, from + command.length) ? command : `${command}${way}`,
	);
}

/** The option that names the zone, as it was given; a variable that named it is still there for the next command. */
const zoneNamed = ({zone, zoneId}: SessionOptions): string =>
	zoneId === undefined
		? zone === undefined
			? ''
			: ` --zone ${quoted(zone)}`
		: ` --zone-id ${quoted(zoneId)}`;

/** A command that lists something, in the zone that the options name. */
export function listingThere(what: 'filter' | 'rule', options: SessionOptions): string {
	const way = options.zoneId === undefined ? wayThere(options) : '';
	return `ledge firewall ${what} list${zoneNamed(options)}${way}`;
}
