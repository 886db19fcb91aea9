import {isFailure} from '../../failure.ts';
import {getSessionTarget} from '../../session/target.ts';
import {resolveBaseUrl} from '../../settings/base-url.ts';
import {configurationNames} from '../../settings/discovery.ts';
import {resolveLocalRoot} from '../../settings/local-root.ts';
import type {PreferenceProblem} from '../../settings/preferences/preferences.ts';
import {
	resolveAccountId,
	resolveEnvironmentName,
	resolveReadOnly,
	resolveZone,
} from '../../settings/settings.ts';
import type {Sourced} from '../../settings/sourced.ts';
import {getStateDirectory} from '../../state/directory.ts';
import {formatTable} from '../../terminal/table.ts';
import type {CommandContext} from './context.ts';
import {defineCommand} from './declare.ts';
import {
	listPreferenceProblems,
	listPreferences,
	preferenceCommands,
	printPreferenceProblems,
} from './preferences.ts';

type Setting = {readonly setting: string; readonly value: string | null; readonly from: string};

/** `ledge config`: every active setting and its origin. Makes no call, and runs no credential command. */
const configShowCommand = defineCommand({
	usage: 'show',
	summary: 'show active settings, where each comes from, and mistakes in your configuration file',
	isDefault: true,
	example: 'config show --env staging',
	isOffline: true,
	async run(context) {
		const problems = await listPreferenceProblems(context);
		const settings = await collectActiveSettings(context, problems);
		const configuration = await context.configuration();
		const namespaces = (configuration?.namespaces ?? []).map(namespace => ({
			binding: namespace.binding,
			id: namespace.id ?? null,
			previewId: namespace.previewId ?? null,
			from: `${configuration?.shownAs}:${namespace.line}`,
		}));
		if (context.output.json) {
			const byName = Object.fromEntries(settings.map(({setting, value, from}) => [setting, {value, from}]));
			return context.output.writeJson({settings: byName, namespaces, problems});
		}
		await context.output.writeText(
			formatTable(
				[
					{title: 'SETTING', cell: row => row.setting},
					{title: 'VALUE', cell: row => row.value ?? '–'},
					{title: 'FROM', cell: row => row.from},
				],
				settings,
			),
		);
		if (namespaces.length > 0)
			await context.output.writeText(
				`\n${formatTable(
					[
						{title: 'BINDING', cell: row => row.binding},
						{title: 'ID', cell: row => row.id ?? '–'},
						{title: 'PREVIEW ID', cell: row => row.previewId ?? '–'},
						{title: 'FROM', cell: row => row.from},
					],
					namespaces,
				)}`,
			);
		await printPreferenceProblems(context, problems);
	},
});

export const configCommands = [configShowCommand, ...preferenceCommands];

async function collectActiveSettings(
	context: CommandContext,
	problems: readonly PreferenceProblem[],
): Promise<Setting[]> {
	const sources = await context.sources();
	const configuration = await context.configuration();
	const {simulate} = context.options;
	// Environment variables do not apply to the simulated service.
	const activeZone = resolveZone(simulate ? {...sources, variables: () => undefined} : sources);
	const buildSetting = (
		setting: string,
		sourcedValue: Sourced<unknown> | undefined,
		fallback: string,
	): Setting =>
		sourcedValue
			? {setting, value: String(sourcedValue.value), from: sourcedValue.from}
			: {setting, value: null, from: fallback};
	const localRoot = resolveLocalRoot({cwd: context.cwd, configurationFile: configuration?.file});
	const stateDirectory = getStateDirectory(context.env);
	return [
		configuration
			? {
					setting: 'configuration',
					value: configuration.file,
					from: context.options.config === undefined ? 'found' : '--config',
				}
			: {setting: 'configuration', value: null, from: `no ${configurationNames.join(', ')} here or above`},
		getContextSetting(context),
		buildSetting('environment', resolveEnvironmentName(sources), 'none'),
		simulate
			? {setting: 'service', value: 'simulated', from: '--simulate'}
			: buildSetting('service', resolveBaseUrl(sources), 'default'),
		simulate
			? {setting: 'credential', value: 'none needed', from: '--simulate'}
			: await getCredentialSetting(context),
		buildSetting(
			'account',
			simulate ? undefined : resolveAccountId(sources),
			'the only one the credential can access',
		),
		activeZone?.kind === 'id'
			? buildSetting('zone', activeZone.id, '')
			: buildSetting('zone', activeZone?.name, 'the only one the credential can access, for reads'),
		buildSetting('target', getSessionTarget(context.session), 'default'),
		buildSetting('read-only', resolveReadOnly(sources), 'default'),
		buildSetting('local data', localRoot, 'default'),
		{
			setting: 'state',
			value: stateDirectory ?? null,
			from: getStateOrigin(context.env),
		},
		...listPreferences(context, problems),
	];
}

/** Returns the active context and what selected it. */
function getContextSetting({contexts: {active, contextsFile}}: CommandContext): Setting {
	if (active)
		return {
			setting: 'context',
			value: active.production ? `${active.name} (PRODUCTION)` : active.name,
			from: active.namedBy === 'in use' ? `in use, ${contextsFile?.file}:${active.line}` : active.namedBy,
		};
	return {setting: 'context', value: null, from: contextsFile ? 'none in use' : 'none defined'};
}

const getStateOrigin = (env: NodeJS.ProcessEnv): string =>
	['LEDGE_STATE_DIR', 'XDG_STATE_HOME', 'HOME'].find(name => env[name]) ?? 'no HOME';

/** Returns the kind of credential and its origin, never its value. Runs no credential command. */
async function getCredentialSetting(context: CommandContext): Promise<Setting> {
	const {describeChoice} = await import('../../credentials/choice.ts');
	try {
		const {what, from} = describeChoice(await context.credentialChoice(), new Date(context.now()));
		return {setting: 'credential', value: what, from};
	} catch (error) {
		if (!isFailure(error, 'credential_missing')) throw error;
		return {setting: 'credential', value: null, from: error.message};
	}
}
