import {type Advice, adviceText, type Failure, type NamedCommand} from '../failure.ts';
import {quoted} from '../service/curl.ts';
import type {NamespaceSelection} from '../settings/namespace-choice.ts';
import type {SessionOptions} from './parts.ts';

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
	context,
}: SessionOptions): string {
	const named = {state, 'account-id': accountId, 'base-url': baseUrl, config, env, cwd, context, profile};
	const files = (envFile ?? []).map(file => optionWords({'env-file': file}));
	return [optionWords({simulate, ...named}), ...files].join('');
}

/** Words at the end of a command line for the options that were given. */
const optionWords = (options: Readonly<Record<string, string | boolean | undefined>>): string =>
	Object.entries(options)
		.map(([name, value]) =>
			value === undefined || value === false ? '' : ` --${name}${value === true ? '' : ` ${quoted(value)}`}`,
		)
		.join('');

/** What the command line says about the namespace, `--namespace` included. */
type NamedNamespace = NamespaceSelection & {readonly namespace?: string | undefined};

const namespaceNamed = ({
	binding,
	namespaceId,
	namespace,
	persistTo,
	preview,
	local,
	remote,
}: NamedNamespace & SessionOptions): string =>
	optionWords({
		binding,
		'namespace-id': namespaceId,
		namespace,
		'persist-to': persistTo,
		preview,
		local,
		remote,
	});

/** A failure whose advice is a text: its commands have the options that lead to where this one acted. */
export function qualifyCommands(failure: Failure, options: SessionOptions & NamedNamespace): Failure {
	const {next} = failure.details;
	return next === undefined ? failure : failure.with({next: qualified(next, options)});
}

/** An advice, or one command, as a text: each command with the options that lead to where this one acted. */
export function qualified(advice: Advice | NamedCommand, options: SessionOptions & NamedNamespace): string {
	const parts = typeof advice === 'string' || !('command' in advice) ? advice : [advice];
	return adviceText(parts, ({command, on}) => {
		const place = on === 'zone' ? zoneNamed(options) : on === 'keys' ? namespaceNamed(options) : '';
		const isNamed = / --(zone|zone-id|binding|namespace-id|namespace) /.test(command);
		// An account that the command names is not named twice.
		const way = wayThere(command.includes(' --account-id ') ? {...options, accountId: undefined} : options);
		return `${isNamed ? '' : place}${way}`;
	});
}

/** The option that names the zone, as it was given; a variable that named it also names it for the next command. */
const zoneNamed = ({zone, zoneId}: SessionOptions): string =>
	optionWords(zoneId === undefined ? {zone} : {'zone-id': zoneId});
