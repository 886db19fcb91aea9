import {Failure} from '../../failure.ts';
import type {Environment} from '../../state/directory.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import {formatDidYouMean, formatNameList} from '../../text/closest-name.ts';
import {formatOwnPath} from '../own-file.ts';
import type {SettingOptions} from '../settings.ts';
import type {Variables} from '../variables.ts';
import type {ActiveContext, Context, ContextNaming, ContextsFile} from './context.ts';
import {readContexts} from './file.ts';

/** The file of contexts and the active context, if any. */
export type KnownContexts = {
	readonly contextsFile: ContextsFile | undefined;
	readonly active: ActiveContext | undefined;
};

/** Returns the label of an account id: the context that has it (the active one first), else the id. */
export const getAccountLabel = (id: string, {contextsFile, active}: KnownContexts): string =>
	[active, ...(contextsFile?.all ?? [])].find(context => context?.accountId === id)?.name ?? id;

/** Where a context can be named. */
type ContextSources = {
	readonly options: SettingOptions & {readonly simulate?: boolean | undefined};
	readonly variables: Variables;
	readonly env: Environment;
};

/**
 * Finds the contexts and the active one: `--context`, else `LEDGE_CONTEXT`, else the one in use. The
 * simulated service has none; an empty `--context` requests none. Fails with `context_unknown`,
 * `configuration_invalid`, and `account_unclear` if a named context contradicts the variables.
 */
export async function findContexts({options, variables, env}: ContextSources): Promise<KnownContexts> {
	const namedContext = getNamedContext(options, variables);
	if (options.simulate === true) {
		if (options.context === undefined) return {contextsFile: undefined, active: undefined};
		throw new Failure('usage', "--simulate and --context can't be combined.", {
			why: 'The simulated service has an account of its own.',
			next: 'Leave one of them out.',
		});
	}
	const contextsFile = await readContexts(env);
	if (namedContext?.name === '') return {contextsFile, active: undefined};
	if (namedContext)
		return {
			contextsFile,
			active: enterContext(namedContext.name, namedContext.naming, contextsFile, {options, variables, env}),
		};
	if (contextsFile?.inUseProblem) throw contextsFile.inUseProblem;
	const inUse = contextsFile?.all.find(({name}) => name === contextsFile.inUseName);
	return {contextsFile, active: inUse && toActiveContext(inUse, 'in use')};
}

/** Returns a context by name. Fails with `context_unknown`. */
export function requireContext(
	name: string,
	naming: ContextNaming,
	contexts: ContextsFile | undefined,
	env: Environment,
): ActiveContext {
	const match = contexts?.all.find(one => one.name === name);
	if (match) return toActiveContext(match, naming);
	const names = contexts?.all.map(one => one.name) ?? [];
	throw new Failure('context_unknown', `There is no context "${name}".`, {
		why:
			names.length === 0
				? 'No context is defined.'
				: `The contexts in ${contexts ? formatOwnPath(contexts.file, env) : ''} are ${formatNameList(names)}.`,
		next: buildAdvice`${formatDidYouMean(name, names)}\`${buildCommand('context add', name)}\` defines one, and \`${buildCommand('context list')}\` shows those that exist.`,
	});
}

/**
 * Returns a context by name, to act in it. Fails like `requireContext`, and with `account_unclear` if the
 * context contradicts the variables.
 */
export function enterContext(
	name: string,
	naming: ContextNaming,
	contexts: ContextsFile | undefined,
	{options, variables, env}: ContextSources,
): ActiveContext {
	const context = requireContext(name, naming, contexts, env);
	refuseConflicts(context, options, variables);
	return context;
}

const toActiveContext = (context: Context, naming: ContextNaming): ActiveContext => ({
	...context,
	namedBy: naming,
	from: `context ${context.name} (${naming})`,
});

function getNamedContext(
	options: Pick<SettingOptions, 'context'>,
	variables: Variables,
): {readonly name: string; readonly naming: ContextNaming} | undefined {
	if (options.context !== undefined) return {name: options.context, naming: '--context'};
	const variable = variables('LEDGE_CONTEXT');
	return variable && {name: variable.value, naming: 'LEDGE_CONTEXT'};
}

/**
 * Fails with `account_unclear` if a named context and a variable contradict each other. Values with an option
 * are not compared, since the option decides.
 */
function refuseConflicts(context: ActiveContext, options: SettingOptions, variables: Variables): void {
	const conflicts: string[] = [];
	const names: string[] = [];
	const addConflict = (
		option: unknown,
		contextValue: string | undefined,
		subject: string,
		...variable: readonly string[]
	) => {
		const conflictingVariable =
			option === undefined && contextValue !== undefined ? variables(...variable) : undefined;
		if (!conflictingVariable || conflictingVariable.value.replace(/\/+$/, '') === contextValue) return;
		names.push(conflictingVariable.from);
		conflicts.push(
			`${conflictingVariable.from} sets the ${subject} ${conflictingVariable.value}; the context sets ${contextValue}.`,
		);
	};
	addConflict(options.accountId, context.accountId, 'account', 'CLOUDFLARE_ACCOUNT_ID', 'CF_ACCOUNT_ID');
	addConflict(options.baseUrl, context.baseUrl, 'address', 'CLOUDFLARE_API_BASE_URL', 'CF_API_BASE_URL');
	addConflict(options.zone ?? options.zoneId, context.zone, 'zone', 'CLOUDFLARE_ZONE_ID');
	addConflict(options.profile, context.profile, 'profile', 'CLOUDFLARE_AUTH_PROFILE');
	const signIn = getSignInField(context);
	const credential = variables(
		'CLOUDFLARE_API_TOKEN',
		'CF_API_TOKEN',
		'CLOUDFLARE_API_KEY',
		'CF_API_KEY',
		'LEDGE_CREDENTIAL_COMMAND',
	);
	const ownToken = context.tokenVariable === undefined ? undefined : variables(context.tokenVariable);
	if (signIn !== undefined && credential && credential.from !== ownToken?.from) {
		names.push(credential.from);
		conflicts.push(`${credential.from} contains a credential; the context has its own, its ${signIn}.`);
	}
	const profile = options.profile === undefined ? variables('CLOUDFLARE_AUTH_PROFILE') : undefined;
	if (signIn !== undefined && signIn !== 'profile' && profile) {
		names.push(profile.from);
		conflicts.push(
			`${profile.from} sets the profile ${profile.value}; the context signs in with its ${signIn}.`,
		);
	}
	if (conflicts.length === 0) return;
	throw new Failure(
		'account_unclear',
		`The context "${context.name}" (${context.namedBy}) and the environment contradict each other.`,
		{
			why: conflicts.join('\n'),
			next: `Unset ${formatNameList(names)}, or leave the context out.`,
		},
	);
}

/** Returns the field by which a context signs in, if any. */
export const getSignInField = ({profile, credentialCommand, tokenVariable}: Context): string | undefined =>
	profile !== undefined
		? 'profile'
		: credentialCommand
			? 'credential_command'
			: tokenVariable !== undefined
				? 'token_variable'
				: undefined;
