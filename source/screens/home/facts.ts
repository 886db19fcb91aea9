import {configurationNames} from '../../settings/discovery.ts';
import type {Connection} from '../shell/connection-slice.ts';

/** Builds the active settings and where they were set: a name and a sentence each. */
export function buildHomeFacts(connection: Connection): readonly (readonly [name: string, text: string])[] {
	const {simulated, account, credential, credentialProblem, localData, origins} = connection;
	return [
		...buildContextFact(connection),
		['Service', describeService(connection)],
		...(account.state === 'known'
			? [
					[
						'Account',
						`${formatAccountLabel(connection, account.label)}${formatOrigin(origins?.account)}`,
					] as const,
				]
			: []),
		...(account.state === 'failed' ? [['Account', `unknown: ${account.failure.message}`] as const] : []),
		...(simulated
			? []
			: [
					['Configuration', describeConfiguration(connection)] as const,
					[
						'Credential',
						credential ? `${credential.what}, from ${credential.from}` : (credentialProblem ?? 'none found'),
					] as const,
					...(origins?.target === undefined || (!credential && origins.target === 'default')
						? []
						: [['Target', `${connection.target}${formatOrigin(origins.target)}`] as const]),
					['Local data', `${localDataPrefix[localData.state]}${localData.shownAs}`] as const,
				]),
	];
}

const localDataPrefix = {exists: '', none: 'none yet in ', unreadable: 'cannot be read: '} as const;

/** Explains how to connect if no credential is found, or that nothing is real. */
export function buildHomeAdvice({simulated, credential, localData}: Connection): readonly string[] {
	if (simulated) return ['', 'Nothing you do here reaches a real account.'];
	if (credential) return [];
	return [
		'',
		'To connect to your account, set these and restart ledge:',
		'  export CLOUDFLARE_API_TOKEN=…    a token for Workers KV',
		'  export CLOUDFLARE_ACCOUNT_ID=…   if the token covers several accounts',
		localData.state !== 'none'
			? 'Local data needs neither.'
			: 'Local data and the simulated service need neither.',
	];
}

function buildContextFact({context}: Connection): readonly (readonly [string, string])[] {
	if (!context) return [];
	const production = context.production ? '; production: asks before every write' : '';
	return [['Context', `${context.name}${formatOrigin(context.named)}${production}`]];
}

/** Formats the account by its name, or by its id if the context has the same name. */
const formatAccountLabel = ({accountId, context}: Connection, label: string): string =>
	accountId !== undefined && label === context?.name ? accountId : label;

/** Formats where something was set, in parentheses. */
function formatOrigin(source: string | undefined): string {
	if (source === undefined) return '';
	if (source === 'C') return ' (chosen with C)';
	if (source === 'default') return ' (the default)';
	return / /.test(source) && !source.startsWith('context ') ? ` (${source})` : ` (from ${source})`;
}

function describeService({simulated, address: {value, from}}: Connection): string {
	if (simulated) return from === 'Home' ? `${value}, chosen on Home` : `${value}, set by ${from}`;
	return from === 'default' ? `${value} (the default)` : `${value}, set by ${from}`;
}

function describeConfiguration({configuration, ignoredFile, origins}: Connection): string {
	if (!configuration && ignoredFile !== undefined)
		return `none: ledge doesn't read the bindings in ${ignoredFile}; use a title or an id`;
	if (!configuration)
		return `none (looked for ${configurationNames.join(', ')} in this folder and its parents)`;
	const {file, bindings, environments, environment} = configuration;
	const parts = [
		`${bindings} KV ${bindings === 1 ? 'binding' : 'bindings'}`,
		...(environments.length > 0 ? [`environments: ${environments.join(', ')}`] : []),
		...(environment === undefined ? [] : [`active: ${environment}${formatOrigin(origins?.environment)}`]),
	];
	return `${file} (${parts.join('; ')})`;
}
