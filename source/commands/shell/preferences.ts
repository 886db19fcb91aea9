import {Failure} from '../../failure.ts';
import {createOwnFile} from '../../settings/own-file.ts';
import {getPreferencesFile, preferencesNoun} from '../../settings/preferences/file.ts';
import {formatPreferenceProblem} from '../../settings/preferences/preferences.ts';
import type {Sourced} from '../../settings/sourced.ts';
import {getPathStatus} from '../../state/directory.ts';
import {escapeText} from '../../text/safe-text.ts';
import type {CommandContext} from './context.ts';
import {defineCommand} from './declare.ts';

/** `ledge config …`, for the user's own configuration file. */
export const preferenceCommands = [
	defineCommand({
		usage: 'init',
		summary: 'create your configuration file, with everything commented out',
		example: 'config init',
		isOffline: true,
		sampleArguments: '--dry-run',
		toleratesInvalidContexts: true,
		run: createPreferencesFile,
	}),
	defineCommand({
		usage: 'path',
		summary: 'print the path of your configuration file, whether or not it exists',
		example: 'config path',
		isOffline: true,
		toleratesInvalidContexts: true,
		async run({env, output}) {
			const file = requirePreferencesFile(env);
			if (output.json) return output.writeJson({file, exists: getPathStatus(file) !== undefined});
			await output.writeText(`${file}\n`);
		},
	}),
];

function requirePreferencesFile(env: NodeJS.ProcessEnv): string {
	const file = getPreferencesFile(env);
	if (file !== undefined) return file;
	throw new Failure('file_failed', 'There is no place for your configuration file.', {
		why: 'Neither XDG_CONFIG_HOME nor HOME is set.',
		next: 'Set XDG_CONFIG_HOME to a folder of your own.',
	});
}

async function createPreferencesFile(context: CommandContext): Promise<void> {
	const {env, output, options} = context;
	const file = requirePreferencesFile(env);
	if (getPathStatus(file))
		throw new Failure('already_exists', `${file} already exists.`, {
			next: '`ledge config init --dry-run` prints what a new file would contain.',
		});
	const {preferencesTemplate: text} = await import('../../settings/preferences/template.ts');
	if (!options.dryRun) createOwnFile(preferencesNoun, file, text);
	if (output.json) return output.writeJson({file, ...(options.dryRun && {dryRun: true, text})});
	if (options.dryRun) return output.writeText(text);
	output.say(`Created ${file}.`);
}

type PreferenceSetting = {readonly setting: string; readonly value: string | null; readonly from: string};

/** Lists the file and the values that it sets. */
export function listPreferences({session, env}: CommandContext): readonly PreferenceSetting[] {
	const {preferences} = session;
	const path = getPreferencesFile(env) ?? null;
	if (!preferences) return [{setting: 'own configuration', value: path, from: 'no such file'}];
	const {format, preview, pageSize, mouse} = preferences.defaults;
	const named: readonly (readonly [string, Sourced<unknown> | undefined])[] = [
		['list format', format],
		['preview', preview],
		['page size', pageSize],
		['mouse', mouse],
	];
	return [
		{setting: 'own configuration', value: path, from: formatProblemCount(preferences.problems.length)},
		...named.flatMap(([setting, sourced]) =>
			sourced ? [{setting, value: formatValue(sourced.value), from: sourced.from}] : [],
		),
	];
}

const formatProblemCount = (count: number): string =>
	count === 0 ? 'found' : `found, with ${count} ${count === 1 ? 'mistake' : 'mistakes'}`;

const formatValue = (value: unknown): string =>
	typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);

export async function printPreferenceProblems(context: CommandContext): Promise<void> {
	const {preferences} = context.session;
	if (!preferences || preferences.problems.length === 0) return;
	const lines = preferences.problems.map(problem =>
		escapeText(formatPreferenceProblem(preferences, problem)),
	);
	await context.output.writeText(`\n${lines.join('\n')}\n`);
}
