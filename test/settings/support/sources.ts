import type {Configuration} from '../../../source/settings/configuration.ts';
import type {ActiveContext, Context, ContextNaming} from '../../../source/settings/contexts/context.ts';
import type {SettingOptions, SettingSources, VariablePrefix} from '../../../source/settings/settings.ts';
import {readVariables} from '../../../source/settings/variables.ts';

export const createConfiguration = (accountId?: string): Configuration => ({
	file: '/p/wrangler.toml',
	shownAs: 'wrangler.toml',
	format: 'toml',
	environments: [],
	namespaces: [],
	warnings: [],
	...(accountId !== undefined && {accountId: {value: accountId, from: 'wrangler.toml:3'}}),
});

/** The sources of settings; those that are left out set nothing. */
export function createSettingSources(given: {
	readonly options?: SettingOptions;
	readonly env?: Readonly<Record<string, string>>;
	readonly prefix?: VariablePrefix;
	readonly configuration?: Configuration;
	readonly context?: ActiveContext;
	readonly start?: string;
}): SettingSources {
	const {
		options = {},
		env = {},
		prefix,
		configuration: givenConfiguration,
		context,
		start: startFolder = '/p',
	} = given;
	return {
		options,
		variables: readVariables(env),
		configuration: givenConfiguration,
		context,
		startFolder,
		...(prefix && {prefix}),
	};
}

/** An active context. `namedBy` is 'in use' unless given. */
export const createActiveContext = (
	fields: Partial<Context> & {readonly namedBy?: ContextNaming},
): ActiveContext => {
	const {name = 'prod', namedBy = 'in use'} = fields;
	return {line: 1, production: false, ...fields, name, namedBy, from: `context ${name} (${namedBy})`};
};
