import {type Advice, adviceText, type Failure, type NamedCommand} from '../failure.ts';
import {quoted} from '../service/curl.ts';
import type {SessionOptions} from './session.ts';

/** The options that lead to where a session acts, the zone apart, as words at the end of a command line. */
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

/** A failure whose advice is a text: its commands have the options that lead to where this one acted. */
export function qualifyCommands(failure: Failure, options: SessionOptions & NamespaceOptions): Failure {
	const {next} = failure.details;
	return next === undefined ? failure : failure.with({next: qualified(next, options)});
}

/** An advice, or one command, as a text: each command with the options that lead to where this one acted. */
export function qualified(advice: Advice | NamedCommand, options: SessionOptions & NamespaceOptions): string {
	const parts = typeof advice === 'string' || !('command' in advice) ? advice : [advice];
	return adviceText(parts, ({command, on}) => {
		const place = on === 'zone' ? zoneNamed(options) : on === 'keys' ? namespaceNamed(options) : '';
		const isNamed = / --(zone|zone-id|binding|namespace-id) /.test(command);
		// An account that the command names is not named twice.
		const way = wayThere(command.includes(' --account-id ') ? {...options, accountId: undefined} : options);
		return `${isNamed ? '' : place}${way}`;
	});
}

/** The option that names the zone, as it was given; a variable that named it also names it for the next command. */
const zoneNamed = ({zone, zoneId}: SessionOptions): string =>
	zoneId === undefined
		? zone === undefined
			? ''
			: ` --zone ${quoted(zone)}`
		: ` --zone-id ${quoted(zoneId)}`;
