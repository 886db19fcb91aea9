import {type Advice, adviceText, type Failure, type NamedCommand} from '../failure.ts';
import {quoted} from '../service/curl.ts';
import type {NamespaceSelection} from '../settings/namespace-choice.ts';
import type {SessionOptions} from './parts.ts';

/** Formats the session's options, without the zone, for the end of a command line. */
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

/** Formats the given options for the end of a command line. */
const optionWords = (options: Readonly<Record<string, string | boolean | undefined>>): string =>
	Object.entries(options)
		.map(([name, value]) =>
			value === undefined || value === false ? '' : ` --${name}${value === true ? '' : ` ${quoted(value)}`}`,
		)
		.join('');

/** Options that name the namespace, including `--namespace`. */
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

/** Returns a failure whose advice is text with fully qualified commands. */
export function qualifyCommands(failure: Failure, options: SessionOptions & NamedNamespace): Failure {
	const {next} = failure.details;
	return next === undefined ? failure : failure.with({next: qualified(next, options)});
}

/** Formats an advice or command as text, adding the session's options to each command. */
export function qualified(advice: Advice | NamedCommand, options: SessionOptions & NamedNamespace): string {
	const parts = typeof advice === 'string' || !('command' in advice) ? advice : [advice];
	return adviceText(parts, ({command, on}) => {
		const place = on === 'zone' ? zoneNamed(options) : on === 'keys' ? namespaceNamed(options) : '';
		const isNamed = / --(zone|zone-id|binding|namespace-id|namespace) /.test(command);
		const way = wayThere(command.includes(' --account-id ') ? {...options, accountId: undefined} : options);
		return `${isNamed ? '' : place}${way}`;
	});
}

/** Formats the option that names the zone; a variable names it for the next command by itself. */
const zoneNamed = ({zone, zoneId}: SessionOptions): string =>
	optionWords(zoneId === undefined ? {zone} : {'zone-id': zoneId});
