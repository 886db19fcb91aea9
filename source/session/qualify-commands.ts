import {type Advice, type Failure, formatAdvice, type NamedCommand} from '../failure.ts';
import {quoteShellWord} from '../service/curl.ts';
import type {NamespaceSelection} from '../settings/namespace-choice.ts';
import type {SessionOptions} from './parts.ts';

/** Formats the session's options, without the zone, for the end of a command line. */
export function formatSessionOptions({
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
	const namedOptions = {
		state,
		'account-id': accountId,
		'base-url': baseUrl,
		config,
		env,
		cwd,
		context,
		profile,
	};
	const files = (envFile ?? []).map(file => formatOptionWords({'env-file': file}));
	return [formatOptionWords({simulate, ...namedOptions}), ...files].join('');
}

/** Formats the given options for the end of a command line. */
const formatOptionWords = (options: Readonly<Record<string, string | boolean | undefined>>): string =>
	Object.entries(options)
		.map(([name, value]) =>
			value === undefined || value === false
				? ''
				: ` --${name}${value === true ? '' : ` ${quoteShellWord(value)}`}`,
		)
		.join('');

/** Options that name the namespace, including `--namespace`. */
type NamespaceOptions = NamespaceSelection & {readonly namespace?: string | undefined};

const formatNamespaceOptions = ({
	binding,
	namespaceId,
	namespace,
	persistTo,
	preview,
	local,
	remote,
}: NamespaceOptions & SessionOptions): string =>
	formatOptionWords({
		binding,
		'namespace-id': namespaceId,
		namespace,
		'persist-to': persistTo,
		preview,
		local,
		remote,
	});

/** Returns a failure whose advice is text, with the options of the session added to each command. */
export function qualifyCommands(failure: Failure, options: SessionOptions & NamespaceOptions): Failure {
	const {next} = failure.details;
	return next === undefined ? failure : failure.withDetails({next: qualifyAdvice(next, options)});
}

/** Formats an advice or command as text, adding the session's options to each command. */
export function qualifyAdvice(
	advice: Advice | NamedCommand,
	options: SessionOptions & NamespaceOptions,
): string {
	const parts = typeof advice === 'string' || !('command' in advice) ? advice : [advice];
	return formatAdvice(parts, ({command, selects}) => {
		const targetOptions =
			selects === 'zone'
				? formatZoneOption(options)
				: selects === 'keys'
					? formatNamespaceOptions(options)
					: '';
		const hasTargetOption = / --(zone|zone-id|binding|namespace-id|namespace) /.test(command);
		const sessionOptions = formatSessionOptions(
			command.includes(' --account-id ') ? {...options, accountId: undefined} : options,
		);
		return `${hasTargetOption ? '' : targetOptions}${sessionOptions}`;
	});
}

/**
 * Formats the option that names the zone; empty if a variable names it, which also applies to the next
 * command.
 */
const formatZoneOption = ({zone, zoneId}: SessionOptions): string =>
	formatOptionWords(zoneId === undefined ? {zone} : {'zone-id': zoneId});
