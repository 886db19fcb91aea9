import {readFileSync} from 'node:fs';
import type {Argument, Command, Option} from 'commander';
import {createProgram} from '../../source/commands/program.ts';
import {exitCodes, failureCodes} from '../../source/failure.ts';
import {migrationDiagram} from '../../source/migration/machine/diagram.ts';
import {migrationStates} from '../../source/migration/machine/states.ts';
import {actions} from '../../source/screens/actions.ts';
import {groups} from '../../source/screens/shell/action.ts';
import {keyName} from '../../source/screens/shell/key-names.ts';
import {faultWords} from '../../source/simulator/faults/faults.ts';

/** The parts of the readme that are made from the code, by the name of their marks. */
export async function generatedSections(): Promise<Record<string, string>> {
	const {program} = await createProgram();
	return {
		commands: commandReference(program),
		'options everywhere': optionTable(program.options.filter(shown)),
		'exit codes': table(
			['code', 'meaning'],
			Object.entries(exitCodes).map(([code, means]) => [code, means]),
		),
		keys: keyReference(),
		faults: table(
			['word', 'what it does'],
			Object.entries(faultWords).map(([word, {takes, means}]) => [
				`\`${takes === 'nothing' ? word : `${word}=…`}\``,
				means,
			]),
		),
		'migration machine': migrationMachine(),
		'error codes': table(
			['code', 'exit', 'meaning'],
			Object.entries(failureCodes).map(([code, {exit, means}]) => [`\`${code}\``, String(exit), means]),
		),
	};
}

/** The machine of a migration as a picture, and its states in words. */
const migrationMachine = (): string =>
	[
		'```mermaid',
		migrationDiagram().trimEnd(),
		'```',
		'',
		table(
			['state', 'what it means'],
			Object.entries(migrationStates).map(([state, means]) => [state, means]),
		),
	].join('\n');

/** The keys of the screens, a table a group; where they work is said unless it is what the group says. */
function keyReference(): string {
	const marks = {enter: 'enter', upDown: '↑↓'};
	return groups
		.map(group => {
			const rows = actions
				.filter(action => action.group === group)
				.map(({keys, title, where}) => [
					keys.map(key => `\`${keyName(key, marks)}\``).join(' '),
					title,
					where === 'everywhere' ? 'every screen' : where.join(', '),
				]);
			return rows.length === 0 ? '' : `**${group}**\n\n${table(['key', 'what it does', 'where'], rows)}`;
		})
		.filter(Boolean)
		.join('\n\n');
}

/** A text with what stands between `<!-- name -->` and `<!-- end name -->` made anew. */
export function withSections(readme: string, sections: Readonly<Record<string, string>>): string {
	let text = readme;
	for (const [name, section] of Object.entries(sections)) {
		const [from, to] = [`<!-- ${name} -->`, `<!-- end ${name} -->`];
		const [start, end] = [text.indexOf(from), text.indexOf(to)];
		if (start === -1 || end < start) throw new Error(`the readme has no place for "${name}"`);
		text = `${text.slice(0, start + from.length)}\n${section}\n${text.slice(end)}`;
	}
	return text;
}

export const readmeFile = new URL('../../readme.md', import.meta.url);

export const readReadme = (): string => readFileSync(readmeFile, 'utf8');

function commandReference(program: Command): string {
	const everywhere = new Set(program.options.map(option => option.long));
	const leaves: Command[] = [];
	const visit = (command: Command) => {
		if (command.commands.length === 0) leaves.push(command);
		for (const one of command.commands) visit(one);
	};
	for (const command of program.commands) visit(command);
	return leaves
		.map(command => {
			const own = command.options.filter(option => shown(option) && !everywhere.has(option.long));
			const words = [...chain(command), ...command.registeredArguments.map(shownArgument)].join(' ');
			return [
				`#### \`${words}\``,
				'',
				sentence(command.description()),
				...(own.length > 0 ? ['', optionTable(own)] : []),
			].join('\n');
		})
		.join('\n\n');
}

const chain = (command: Command): string[] => [
	...(command.parent ? chain(command.parent) : []),
	command.name(),
];

const shownArgument = (argument: Argument): string =>
	argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

const shown = (option: Option): boolean => !option.hidden;

const optionTable = (options: readonly Option[]): string =>
	table(
		['option', 'meaning'],
		options.map(option => [`\`${option.flags}\``, choices(option)]),
	);

const choices = (option: Option): string =>
	option.argChoices
		? `${option.description}: ${option.argChoices.map(one => `\`${one}\``).join(', ')}`
		: option.description;

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const table = (titles: readonly string[], rows: readonly (readonly string[])[]): string =>
	[titles, titles.map(() => '---'), ...rows]
		.map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
		.join('\n');
