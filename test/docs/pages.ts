import {readFileSync} from 'node:fs';
import {formatExample, formatExampleContext} from '../../source/commands/firewall/lint-codes.ts';
import {createProgram} from '../../source/commands/program.ts';
import {exitCodes, failureCodes} from '../../source/failure.ts';
import type {Lint} from '../../source/firewall/expression/expressions.ts';
import {listAllLints} from '../../source/firewall/lint/rule-lints.ts';
import {
	type DescribedCommand,
	type DescribedOption,
	listDescribedCommands,
	listGlobalOptions,
} from '../../source/manual/command-tree.ts';
import {environmentVariables} from '../../source/manual/environment-variables.ts';
import {migrationStates, stateTable} from '../../source/migration/machine/states.ts';
import {actions} from '../../source/screens/actions.ts';
import {keyPresets} from '../../source/screens/bindings/presets.ts';
import {sharedMeanings} from '../../source/screens/bindings/shared-meanings.ts';
import {listCommandScreens} from '../../source/screens/own-commands/actions.ts';
import type {Action} from '../../source/screens/shell/app.ts';
import {formatKeyName} from '../../source/screens/shell/key-names.ts';
import {formatScreenName} from '../../source/screens/shell/screen-name.ts';
import {defaultFields} from '../../source/settings/preferences/default-fields.ts';
import {placeholders} from '../../source/settings/preferences/placeholders.ts';
import {themeRoles} from '../../source/settings/preferences/preferences.ts';
import {commandFields} from '../../source/settings/preferences/read-commands.ts';
import {faultWords} from '../../source/simulator/simulator.ts';
import {screens} from '../../source/store/screens.ts';
import {formatDocsTable} from './markdown.ts';
import {formatMigrationDiagram} from './migration-diagram.ts';
import {remedies} from './remedies.ts';

const root = new URL('../../', import.meta.url);

export const readPage = (path: string): string => readFileSync(new URL(path, root), 'utf8');

export const getPageUrl = (path: string): URL => new URL(path, root);

/** The generated parts of the pages: by the path of the page, then by the name of the section. */
export async function generatePages(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
	const {program} = await createProgram();
	const exits = formatDocsTable(
		['code', 'meaning'],
		Object.entries(exitCodes).map(([code, means]) => [code, means]),
	);
	return {
		'readme.md': {'exit codes': exits},
		'docs/commands.md': {commands: formatCommandReference(listDescribedCommands(program))},
		'docs/keys.md': {keys: formatKeyReference()},
		'docs/lints.md': {
			errors: formatLintReference('error'),
			warnings: formatLintReference('warning'),
			hints: formatLintReference('hint'),
		},
		'docs/errors.md': {
			'exit codes': exits,
			'error codes': formatDocsTable(
				['code', 'exit', 'meaning', 'what to do'],
				Object.entries(failureCodes).map(([code, {exit, means}]) => [
					`\`${code}\``,
					String(exit),
					means,
					remedies[code as keyof typeof failureCodes],
				]),
			),
		},
		'docs/settings.md': {
			variables: formatDocsTable(
				['variable', 'meaning'],
				environmentVariables.map(({names, meaning}) => [
					names.map(name => `\`${name}\``).join(', '),
					meaning,
				]),
			),
			'options everywhere': formatOptionTable(listGlobalOptions(program)),
		},
		'docs/configuration.md': {
			defaults: formatDocsTable(
				['name', 'default', 'meaning'],
				Object.entries(defaultFields).map(([name, {value, meaning}]) => [
					`\`${name}\``,
					`\`${JSON.stringify(value)}\``,
					meaning,
				]),
			),
			roles: formatDocsTable(
				['role', 'what has its colour'],
				Object.entries(themeRoles).map(([role, {meaning}]) => [`\`${role}\``, meaning]),
			),
			meanings: formatDocsTable(
				['name', 'default', 'meaning'],
				sharedMeanings.map(({name, keys, meaning}) => [`\`all.${name}\``, formatKeys(keys), meaning]),
			),
			commands: formatDocsTable(
				['name', 'meaning'],
				Object.entries(commandFields).map(([name, {meaning}]) => [`\`${name}\``, meaning]),
			),
			placeholders: formatDocsTable(
				['argument', 'what replaces it'],
				[
					...Object.entries(placeholders).map(([name, meaning]) => [`\`{${name}}\``, meaning]),
					['`{prompt:Name}`', 'what you type when ledge asks for the name'],
				],
			),
			'command screens': `${[...listCommandScreens(screens).keys()].map(name => `\`${name}\``).join(', ')}.`,
			presets: Object.entries(keyPresets)
				.map(
					([name, preset]) =>
						`#### ${name}\n\n${formatDocsTable(
							['setting', 'keys', 'why'],
							Object.entries(preset).map(([id, {keys, reason}]) => [`\`${id}\``, formatKeys(keys), reason]),
						)}`,
				)
				.join('\n\n'),
		},
		'docs/simulator.md': {
			faults: formatDocsTable(
				['word', 'what it does'],
				Object.entries(faultWords).map(([word, {valueKind, means}]) => [
					`\`${valueKind === 'nothing' ? word : `${word}=…`}\``,
					means,
				]),
			),
		},
		'docs/migration.md': {
			diagram: ['```mermaid', formatMigrationDiagram().trimEnd(), '```'].join('\n'),
			states: formatDocsTable(
				['state', 'meaning'],
				migrationStates.map(state => [state, stateTable[state].meaning]),
			),
		},
	};
}

/** The commands of each area below a heading, and after them those without an area. */
function formatCommandReference(commands: readonly DescribedCommand[]): string {
	const areas = Map.groupBy(commands, ({words}) => (words.length > 2 ? words.slice(0, 2).join(' ') : ''));
	const commandsWithoutArea = areas.get('') ?? [];
	areas.delete('');
	return [...areas, ['Other commands', commandsWithoutArea] as const]
		.flatMap(([title, areaCommands]) => [
			`### ${title.startsWith('ledge') ? `\`${title}\`` : title}`,
			...areaCommands.map(formatCommand),
		])
		.join('\n\n');
}

const formatCommand = ({usage, summary, options, example}: DescribedCommand): string =>
	[
		`#### \`${usage}\``,
		'',
		summary,
		...(options.length > 0 ? ['', formatOptionTable(options)] : []),
		'',
		'```sh',
		example,
		'```',
	].join('\n');

const formatOptionTable = (options: readonly DescribedOption[]): string =>
	formatDocsTable(
		['option', 'meaning'],
		options.map(({flags, meaning, choices}) => [
			`\`${flags}\``,
			choices.length > 0 ? `${meaning}: ${choices.map(one => `\`${one}\``).join(', ')}` : meaning,
		]),
	);

/** The lints of a level, each with its explanation and examples below a heading. */
const formatLintReference = (level: Lint['level']): string =>
	listAllLints()
		.filter(lint => lint.level === level)
		.map(({code, title, explanation, example, page}) =>
			[
				`### ${code}: ${title}`,
				'',
				`${explanation} ([documentation](${page}))`,
				'',
				'```text',
				...formatLabelledExample('wrong:', example.wrong),
				...formatLabelledExample('right:', example.right),
				...(example.context ? [`where:  ${formatExampleContext(example.context)}`] : []),
				'```',
			].join('\n'),
		)
		.join('\n\n');

const formatKeys = (keys: readonly string[]): string => keys.map(key => `\`${key}\``).join(' ');

const formatLabelledExample = (label: string, text: string): readonly string[] =>
	text.includes('\n') ? [label, formatExample(text)] : [`${label}${formatExample(text)}`];

/** Where a key works. The menus of all forms together are the forms where nothing is typed. */
function formatPlaces(where: Action['where']): string {
	if (where === 'everywhere') return 'every screen';
	const menus = where.filter(one => one.endsWith(' menu'));
	const areAllFormMenus = menus.length === where.length && menus.length === formMenus.length;
	return areAllFormMenus ? 'forms where nothing is typed' : where.map(formatScreenName).join(', ');
}

const formMenus = Object.values(screens).filter(({textInput}) => textInput !== undefined);

/** The keys of the screens, one table for each group: what works everywhere first, dialogs last. */
function formatKeyReference(): string {
	const marks = {enter: 'enter', upDown: '↑↓'};
	const byGroup = Map.groupBy(actions, ({group}) => group);
	const [firstGroups, lastGroups] = [['Everywhere', 'Move'], ['Dialogs']];
	const rank = (group: string): number =>
		firstGroups.includes(group) ? 0 : lastGroups.includes(group) ? 2 : 1;
	return [...byGroup]
		.toSorted(
			([one], [other]) => rank(one) - rank(other) || firstGroups.indexOf(one) - firstGroups.indexOf(other),
		)
		.map(([group, groupActions]) => {
			const rows = [...Map.groupBy(groupActions, ({keys, title}) => `${keys} ${title}`).values()].map(
				sameActions => [
					(sameActions[0]?.keys ?? []).map(key => `\`${formatKeyName(key, marks)}\``).join(' '),
					sameActions[0]?.title ?? '',
					[...new Set(sameActions.map(({where}) => formatPlaces(where)))].toSorted().join(', '),
				],
			);
			return `## ${group}\n\n${formatDocsTable(['key', 'what it does', 'where it works'], rows)}`;
		})
		.join('\n\n');
}
