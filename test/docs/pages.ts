import {readFileSync} from 'node:fs';
import {createProgram} from '../../source/commands/program.ts';
import {exitCodes, failureCodes} from '../../source/failure.ts';
import {
	type DescribedCommand,
	type DescribedOption,
	listDescribedCommands,
	listGlobalOptions,
} from '../../source/manual/command-tree.ts';
import {environmentVariables} from '../../source/manual/environment-variables.ts';
import {migrationStates, stateTable} from '../../source/migration/machine/states.ts';
import {actions} from '../../source/screens/actions.ts';
import type {Action} from '../../source/screens/shell/app.ts';
import {formatKeyName} from '../../source/screens/shell/key-names.ts';
import {faultWords} from '../../source/simulator/simulator.ts';
import {screens} from '../../source/store/screens.ts';
import {table} from './markdown.ts';
import {migrationDiagram} from './migration-diagram.ts';
import {remedies} from './remedies.ts';

const root = new URL('../../', import.meta.url);

export const readPage = (path: string): string => readFileSync(new URL(path, root), 'utf8');

export const pageFile = (path: string): URL => new URL(path, root);

/** The parts of the pages that are made from the code: by the path of the page, then by the name of their marks. */
export async function generatedPages(): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
	const {program} = await createProgram();
	const exits = table(
		['code', 'meaning'],
		Object.entries(exitCodes).map(([code, means]) => [code, means]),
	);
	return {
		'readme.md': {'exit codes': exits},
		'docs/commands.md': {commands: commandReference(listDescribedCommands(program))},
		'docs/keys.md': {keys: keyReference()},
		'docs/errors.md': {
			'exit codes': exits,
			'error codes': table(
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
			variables: table(
				['variable', 'meaning'],
				environmentVariables.map(({names, meaning}) => [
					names.map(name => `\`${name}\``).join(', '),
					meaning,
				]),
			),
			'options everywhere': optionTable(listGlobalOptions(program)),
		},
		'docs/simulator.md': {
			faults: table(
				['word', 'what it does'],
				Object.entries(faultWords).map(([word, {valueKind, means}]) => [
					`\`${valueKind === 'nothing' ? word : `${word}=…`}\``,
					means,
				]),
			),
		},
		'docs/migration.md': {
			diagram: ['```mermaid', migrationDiagram().trimEnd(), '```'].join('\n'),
			states: table(
				['state', 'meaning'],
				migrationStates.map(state => [state, stateTable[state].meaning]),
			),
		},
	};
}

/** The commands of an area below its heading, and behind them those that are alone. */
function commandReference(commands: readonly DescribedCommand[]): string {
	const areas = Map.groupBy(commands, ({words}) => (words.length > 2 ? words.slice(0, 2).join(' ') : ''));
	const alone = areas.get('') ?? [];
	areas.delete('');
	return [...areas, ['Other commands', alone] as const]
		.flatMap(([title, own]) => [
			`### ${title.startsWith('ledge') ? `\`${title}\`` : title}`,
			...own.map(commandText),
		])
		.join('\n\n');
}

const commandText = ({usage, summary, options, example}: DescribedCommand): string =>
	[
		`#### \`${usage}\``,
		'',
		summary,
		...(options.length > 0 ? ['', optionTable(options)] : []),
		'',
		'```sh',
		example,
		'```',
	].join('\n');

const optionTable = (options: readonly DescribedOption[]): string =>
	table(
		['option', 'meaning'],
		options.map(({flags, meaning, choices}) => [
			`\`${flags}\``,
			choices.length > 0 ? `${meaning}: ${choices.map(one => `\`${one}\``).join(', ')}` : meaning,
		]),
	);

/** Where keys work: what works in all forms does so in the steps where nothing is typed. */
function placesText(where: Action['where']): string {
	if (where === 'everywhere') return 'every screen';
	const menus = where.filter(one => one.endsWith(' menu'));
	const isForms = menus.length === where.length && menus.length === formMenus.length;
	return isForms ? 'forms where nothing is typed' : where.join(', ');
}

const formMenus = Object.values(screens).filter(({textInput}) => textInput !== undefined);

/** The keys of the screens, one table for each group: what works everywhere first, dialogs last. */
function keyReference(): string {
	const marks = {enter: 'enter', upDown: '↑↓'};
	const byGroup = Map.groupBy(actions, ({group}) => group);
	const [first, last] = [['Everywhere', 'Move'], ['Dialogs']];
	const rank = (group: string): number => (first.includes(group) ? 0 : last.includes(group) ? 2 : 1);
	return [...byGroup]
		.toSorted(([one], [other]) => rank(one) - rank(other) || first.indexOf(one) - first.indexOf(other))
		.map(([group, own]) => {
			const rows = [...Map.groupBy(own, ({keys, title}) => `${keys} ${title}`).values()].map(same => [
				(same[0]?.keys ?? []).map(key => `\`${formatKeyName(key, marks)}\``).join(' '),
				same[0]?.title ?? '',
				[...new Set(same.map(({where}) => placesText(where)))].toSorted().join(', '),
			]);
			return `## ${group}\n\n${table(['key', 'what it does', 'where it works'], rows)}`;
		})
		.join('\n\n');
}
