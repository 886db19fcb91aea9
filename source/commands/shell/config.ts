import {isFailure} from '../../failure.ts';
import {sessionTarget} from '../../session/target.ts';
import {baseUrl} from '../../settings/base-url.ts';
import {configurationNames} from '../../settings/discovery.ts';
import {localRoot} from '../../settings/local-root.ts';
import {accountId, environmentName, readOnly, zone} from '../../settings/settings.ts';
import type {Sourced} from '../../settings/sourced.ts';
import {stateDirectory} from '../../state/directory.ts';
import {table} from '../../terminal/table.ts';
import type {CommandContext} from './context.ts';
import {defineCommand} from './declare.ts';

type Setting = {readonly setting: string; readonly value: string | null; readonly from: string};

/** `ledge config`: every active setting and its origin. Reads no more than any other command. */
export const configCommand = defineCommand({
	usage: 'config',
	summary: 'which settings are in force, and where each comes from',
	example: 'config --env staging',
	isOffline: true,
	async run(context) {
		const settings = await settingsInForce(context);
		const configuration = await context.configuration();
		const namespaces = (configuration?.namespaces ?? []).map(one => ({
			binding: one.binding,
			id: one.id ?? null,
			previewId: one.previewId ?? null,
			from: `${configuration?.shownAs}:${one.line}`,
		}));
		if (context.output.json) {
			const byName = Object.fromEntries(settings.map(({setting, value, from}) => [setting, {value, from}]));
			return context.output.value({settings: byName, namespaces});
		}
		await context.output.text(
			table(
				[
					{title: 'SETTING', cell: one => one.setting},
					{title: 'VALUE', cell: one => one.value ?? '–'},
					{title: 'FROM', cell: one => one.from},
				],
				settings,
			),
		);
		if (namespaces.length === 0) return;
		await context.output.text(
			`\n${table(
				[
					{title: 'BINDING', cell: one => one.binding},
					{title: 'ID', cell: one => one.id ?? '–'},
					{title: 'PREVIEW ID', cell: one => one.previewId ?? '–'},
					{title: 'FROM', cell: one => one.from},
				],
				namespaces,
			)}`,
		);
	},
});

async function settingsInForce(context: CommandContext): Promise<Setting[]> {
	const sources = await context.sources();
	const configuration = await context.configuration();
	const {simulate} = context.options;
	// Environment variables do not apply to the simulated service.
	const zoneInForce = zone(simulate ? {...sources, variables: () => undefined} : sources);
	const from = (setting: string, found: Sourced<unknown> | undefined, otherwise: string): Setting =>
		found ? {setting, value: String(found.value), from: found.from} : {setting, value: null, from: otherwise};
	const root = localRoot({cwd: context.cwd, configurationFile: configuration?.file});
	const state = stateDirectory(context.env);
	return [
		configuration
			? {
					setting: 'configuration',
					value: configuration.file,
					from: context.options.config === undefined ? 'found' : '--config',
				}
			: {setting: 'configuration', value: null, from: `no ${configurationNames.join(', ')} here or above`},
		contextInForce(context),
		from('environment', environmentName(sources), 'none'),
		simulate
			? {setting: 'service', value: 'simulated', from: '--simulate'}
			: from('service', baseUrl(sources), 'default'),
		simulate
			? {setting: 'credential', value: 'none needed', from: '--simulate'}
			: await credentialInForce(context),
		from('account', simulate ? undefined : accountId(sources), 'the only one the credential sees'),
		zoneInForce?.kind === 'id'
			? from('zone', zoneInForce.id, '')
			: from('zone', zoneInForce?.name, 'the only one the credential sees, for reads'),
		from('target', sessionTarget(context.session), 'default'),
		from('read-only', readOnly(sources), 'default'),
		from('local data', root, 'default'),
		{
			setting: 'state',
			value: state ?? null,
			from: stateFrom(context.env),
		},
	];
}

/** Returns the active context and what selected it. */
function contextInForce({contexts: {inForce, contexts}}: CommandContext): Setting {
	if (inForce)
		return {
			setting: 'context',
			value: inForce.production ? `${inForce.name} (PRODUCTION)` : inForce.name,
			from: inForce.named === 'in use' ? `in use, ${contexts?.file}:${inForce.line}` : inForce.named,
		};
	return {setting: 'context', value: null, from: contexts ? 'none in use' : 'none defined'};
}

const stateFrom = (env: NodeJS.ProcessEnv): string =>
	['LEDGE_STATE_DIR', 'XDG_STATE_HOME', 'HOME'].find(name => env[name]) ?? 'no HOME';

/** Returns the kind of credential and its origin, never its value. Runs no credential command. */
async function credentialInForce(context: CommandContext): Promise<Setting> {
	const {choiceInWords} = await import('../../credentials/choice.ts');
	try {
		const {what, from} = choiceInWords(await context.credentialChoice(), new Date(context.now()));
		return {setting: 'credential', value: what, from};
	} catch (error) {
		if (!isFailure(error, 'credential_missing')) throw error;
		return {setting: 'credential', value: null, from: error.message};
	}
}
