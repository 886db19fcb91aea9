import {Failure} from '../failure.ts';
import type {Configuration} from './configuration.ts';
import type {ActiveContext} from './contexts/context.ts';
import type {Preferences} from './preferences/preferences.ts';
import type {Sourced} from './sourced.ts';
import type {Target} from './target.ts';
import type {Variables} from './variables.ts';
/** Command-line options; undefined means not given. */
export type SettingOptions = {
	readonly accountId?: string | undefined;
	readonly zoneId?: string | undefined;
	/** `--zone`: a name. */
	readonly zone?: string | undefined;
	readonly baseUrl?: string | undefined;
	readonly env?: string | undefined;
	readonly readOnly?: boolean | undefined;
	readonly local?: boolean | undefined;
	readonly remote?: boolean | undefined;
	/** `--profile`: a wrangler login by name. */
	readonly profile?: string | undefined;
	/** `--context`: a context by its name. */
	readonly context?: string | undefined;
};

/** Prefix of variables for the second account of a copy. */
export type VariablePrefix = 'LEDGE_FROM_' | 'LEDGE_TO_';

/** Sources of settings. Each setting is resolved separately, on request. */
export type SettingSources = {
	readonly options: SettingOptions;
	readonly variables: Variables;
	readonly prefix?: VariablePrefix;
	readonly configuration?: Configuration | undefined;
	/** The active context: a named one precedes the configuration, the one in use follows it. */
	readonly context?: ActiveContext | undefined;
	readonly hasContexts?: boolean | undefined;
	/**
	 * Absolute path of the folder that determines wrangler's profile: that of `--config`, else the working
	 * folder.
	 */
	readonly startFolder: string;
};

const credentialNames = ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_API_KEY', 'CLOUDFLARE_EMAIL'] as const;

/** Returns a variable of the second account; undefined for the first. */
export const getPrefixedVariable = (
	{prefix, variables}: Pick<SettingSources, 'prefix' | 'variables'>,
	...names: readonly string[]
): Sourced<string> | undefined => prefix && variables(...names.map(name => prefix + name));

/** True if the second account has its own credential. */
export const hasOwnCredential = (sources: SettingSources): boolean =>
	getPrefixedVariable(sources, ...credentialNames) !== undefined;

/**
 * Resolves the account: option, `CLOUDFLARE_ACCOUNT_ID` (or `CF_ACCOUNT_ID`), a named context, the
 * configuration's `account_id`, the context in use; undefined without any. A second account's own variable
 * comes first; with its own credential it never uses the first one's account. Fails with `account_unclear` if
 * the configuration and the context in use differ.
 */
export function resolveAccountId(sources: SettingSources): Sourced<string> | undefined {
	const {options, variables, configuration} = sources;
	const ownAccount = getPrefixedVariable(sources, 'CLOUDFLARE_ACCOUNT_ID');
	if (ownAccount) return checkId(ownAccount, 'account');
	if (hasOwnCredential(sources)) return undefined;
	const setting =
		toSourced(options.accountId, '--account-id') ??
		variables('CLOUDFLARE_ACCOUNT_ID', 'CF_ACCOUNT_ID') ??
		selectAccount(sources.context, configuration?.accountId);
	return setting && checkId(setting, 'account');
}

/**
 * Selects between a context's account and the configured one: a context in use never replaces another
 * account.
 */
function selectAccount(
	context: ActiveContext | undefined,
	configuredAccount: Sourced<string> | undefined,
): Sourced<string> | undefined {
	const contextAccount = getContextSetting(context, 'accountId');
	if (!context || !contextAccount || !configuredAccount || context.namedBy !== 'in use')
		return contextAccount ?? configuredAccount;
	if (configuredAccount.value === contextAccount.value) return configuredAccount;
	throw new Failure(
		'account_unclear',
		'The context in use and the configuration file specify different accounts.',
		{
			why: `The ${context.from} sets ${contextAccount.value}; ${configuredAccount.from} sets ${configuredAccount.value}.`,
			next: `Add --context ${context.name} to use the account of the context here, or --account-id ${configuredAccount.value}.`,
		},
	);
}

/** Returns a setting of the context. */
function getContextSetting<Name extends 'accountId' | 'baseUrl' | 'zone' | 'target'>(
	context: ActiveContext | undefined,
	name: Name,
): Sourced<NonNullable<ActiveContext[Name]>> | undefined {
	const value = context?.[name];
	return context && value ? {value, from: context.from} : undefined;
}

export type ZoneSetting =
	| {readonly kind: 'id'; readonly id: Sourced<string>}
	| {readonly kind: 'name'; readonly name: Sourced<string>};

/**
 * Resolves the zone: `--zone-id` or `--zone NAME`, `CLOUDFLARE_ZONE_ID`, the context's; undefined without
 * any.
 */
export function resolveZone(sources: SettingSources): ZoneSetting | undefined {
	const {options, variables} = sources;
	const id = toSourced(options.zoneId, '--zone-id');
	const name = toSourced(options.zone, '--zone');
	if (id && name) {
		throw new Failure('usage', '--zone-id and --zone cannot be used together.', {
			why: 'Both specify the zone.',
			next: 'Leave one of them out.',
		});
	}
	if (name) return {kind: 'name', name};
	const setting = id ?? getPrefixedVariable(sources, 'CLOUDFLARE_ZONE_ID') ?? variables('CLOUDFLARE_ZONE_ID');
	if (setting) return {kind: 'id', id: checkId(setting, 'zone')};
	const contextZone = getContextSetting(sources.context, 'zone');
	if (!contextZone) return undefined;
	return /^[0-9a-f]{32}$/.test(contextZone.value)
		? {kind: 'id', id: contextZone}
		: {kind: 'name', name: contextZone};
}

/**
 * Resolves the requested environment: `--env`, then `CLOUDFLARE_ENV`. An empty `--env` means none and
 * overrides the variable.
 */
export function resolveEnvironmentName({
	options,
	variables,
}: Pick<SettingSources, 'options' | 'variables'>): Sourced<string> | undefined {
	if (options.env !== undefined) return options.env === '' ? undefined : {value: options.env, from: '--env'};
	return variables('CLOUDFLARE_ENV');
}

/**
 * Resolves whether writes are refused: `--read-only`, `LEDGE_READ_ONLY=1` or the context; nothing overrides
 * these.
 */
export function resolveReadOnly({
	options,
	variables,
	context,
}: Pick<SettingSources, 'options' | 'variables' | 'context'>): Sourced<boolean> {
	if (options.readOnly === true) return {value: true, from: '--read-only'};
	const setting = variables('LEDGE_READ_ONLY');
	if (setting && /^(1|true|yes|on)$/i.test(setting.value)) return {value: true, from: setting.from};
	if (context?.readOnly === true) return {value: true, from: context.from};
	if (!setting) return {value: false, from: 'default'};
	if (/^(0|false|no|off)$/i.test(setting.value)) return {value: false, from: setting.from};
	throw new Failure('usage', `${setting.from} is "${setting.value}".`, {
		why: 'It must be 1 (read-only) or 0.',
		next: 'Correct the variable, or unset it.',
	});
}

/**
 * Resolves where commands on keys act: `--local` or `--remote`, `LEDGE_TARGET`, the context, the user's
 * preferences, else remote. A
 * false option (`--remote=false`) selects the other, as with wrangler.
 */
export function resolveTarget({
	options,
	variables,
	context,
	preferences,
}: Pick<SettingSources, 'options' | 'variables' | 'context'> & {
	readonly preferences?: Preferences | undefined;
}): Sourced<Target> {
	const {local, remote} = options;
	if (local !== undefined && local === remote) {
		throw new Failure('usage', "--local and --remote can't be combined.", {
			why: `Both are ${local ? 'given' : 'negated'}; a command uses one of the two.`,
			next: 'Leave one of them out.',
		});
	}
	if (local !== undefined) return {value: local ? 'local' : 'remote', from: '--local'};
	if (remote !== undefined) return {value: remote ? 'remote' : 'local', from: '--remote'};
	const setting = variables('LEDGE_TARGET');
	if (!setting)
		return (
			getContextSetting(context, 'target') ??
			preferences?.defaults.target ?? {value: 'remote', from: 'default'}
		);
	if (setting.value === 'local' || setting.value === 'remote')
		return {value: setting.value, from: setting.from};
	throw new Failure('usage', `${setting.from} is "${setting.value}".`, {
		why: 'It must be local or remote.',
		next: 'Correct the variable, unset it, or use --local or --remote.',
	});
}

const toSourced = (value: string | undefined, from: string): Sourced<string> | undefined =>
	value === undefined ? undefined : {value, from};

function checkId(setting: Sourced<string>, kind: 'account' | 'zone'): Sourced<string> {
	if (/^[A-Za-z0-9_-]+$/.test(setting.value)) return setting;
	const problem = setting.value === '' ? 'is empty' : `is "${setting.value}"`;
	throw new Failure('usage', `The ${kind} id in ${setting.from} ${problem}.`, {
		why: `The id of ${kind === 'account' ? 'an account' : 'a zone'} consists of the letters A to Z and a to z, digits, "_" and "-".`,
		next: `Correct the ${kind} id.`,
	});
}
