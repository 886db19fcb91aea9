import {Failure} from '../../failure.ts';
import {createOwnFile} from '../../settings/own-file.ts';
import {formatColor} from '../../settings/preferences/colors.ts';
import {getPreferencesFile, preferencesNoun} from '../../settings/preferences/file.ts';
import type {KeyTable} from '../../settings/preferences/key-table.ts';
import {formatPreferenceProblem, type PreferenceProblem} from '../../settings/preferences/preferences.ts';
import type {Sourced} from '../../settings/sourced.ts';
import {getPathStatus} from '../../state/directory.ts';
import {formatQuantity} from '../../text/figures.ts';
import {escapeText} from '../../text/safe-text.ts';
import {quoteShellWord} from '../../text/shell-word.ts';
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
	const {buildPreferencesTemplate} = await import('../../settings/preferences/template.ts');
	const text = await buildPreferencesTemplate(await loadKeyTable(context));
	if (!options.dryRun) createOwnFile(preferencesNoun, file, text);
	if (output.json) return output.writeJson({file, ...(options.dryRun && {dryRun: true, text})});
	if (options.dryRun) return output.writeText(text);
	output.say(`Created ${file}.`);
}

async function loadKeyTable({host}: CommandContext): Promise<KeyTable> {
	const keyTable = await host.loadKeyTable?.();
	if (keyTable) return keyTable;
	throw new Failure('internal', 'This program has no screens, and so no keys.');
}

type PreferenceSetting = {readonly setting: string; readonly value: string | null; readonly from: string};

/** Lists the file and the values that it sets. */
export function listPreferences(
	{session, env}: CommandContext,
	problems: readonly PreferenceProblem[],
): readonly PreferenceSetting[] {
	const {preferences} = session;
	const path = getPreferencesFile(env) ?? null;
	if (!preferences) return [{setting: 'own configuration', value: path, from: 'no such file'}];
	const {
		defaults: {format, preview, pageSize, history, mouse, title: windowTitle},
		keys,
		theme,
		commands,
	} = preferences;
	const mistakenLines = new Set(problems.flatMap(({line, isNotice}) => (isNotice ? [] : [line])));
	const named: readonly (readonly [string, Sourced<unknown> | undefined])[] = [
		['list format', format],
		['preview', preview],
		['page size', pageSize],
		['history', history],
		['mouse', mouse],
		['window title', windowTitle],
		['theme', theme.name],
		...Object.entries(theme.roles).map(
			([role, color]) => [`theme ${role}`, {...color, value: formatColor(color.value)}] as const,
		),
		['key preset', keys.preset],
		...keys.settings.map(
			({id, keys: own, line}) =>
				[
					`key ${id}`,
					{
						value: own.length === 0 ? 'none' : own.join(' '),
						from: `${preferences.shownAs}:${line}${mistakenLines.has(line) ? ', with a mistake' : ''}`,
					},
				] as const,
		),
		...commands.map(
			({title, keys: own, command, line}) =>
				[
					`command ${title}`,
					{
						value: `${own.length === 0 ? '' : `${own.join(' ')}: `}${command.map(quoteArgument).join(' ')}`,
						from: `${preferences.shownAs}:${line}`,
					},
				] as const,
		),
	];
	return [
		{setting: 'own configuration', value: path, from: formatProblemCount(problems)},
		...named.flatMap(([setting, sourced]) =>
			sourced ? [{setting, value: formatValue(sourced.value), from: sourced.from}] : [],
		),
	];
}

/** Quotes an argument, but not a placeholder. */
const quoteArgument = (word: string): string => (/^\{[\w: ]+\}$/.test(word) ? word : quoteShellWord(word));

function formatProblemCount(problems: readonly PreferenceProblem[]): string {
	const count = problems.filter(({isNotice}) => !isNotice).length;
	return count === 0 ? 'found' : `found, with ${formatQuantity(count, 'mistake')}`;
}

const formatValue = (value: unknown): string =>
	typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value);

/** Lists the mistakes in the file, and what its keys take from others. */
export async function listPreferenceProblems(context: CommandContext): Promise<readonly PreferenceProblem[]> {
	const {preferences} = context.session;
	if (!preferences) return [];
	const {keys, commands, problems} = preferences;
	if (keys.settings.length === 0 && !keys.preset && commands.length === 0) return problems;
	const keyProblems = await (await loadKeyTable(context)).findProblems({keys, commands});
	return [...problems, ...keyProblems].toSorted((one, other) => one.line - other.line);
}

export async function printPreferenceProblems(
	context: CommandContext,
	problems: readonly PreferenceProblem[],
): Promise<void> {
	const {preferences} = context.session;
	if (!preferences || problems.length === 0) return;
	const lines = problems.map(problem => escapeText(formatPreferenceProblem(preferences, problem)));
	await context.output.writeText(`\n${lines.join('\n')}\n`);
}
