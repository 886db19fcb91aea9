import type {Command} from 'commander';
import {
	type DescribedCommand,
	type DescribedOption,
	listCommandSummaries,
	listDescribedCommands,
	listGlobalOptions,
} from './command-tree.ts';
import {environmentVariables} from './environment-variables.ts';

/** Areas with their own man page; every other command is described in `ledge(1)`. */
export const manPageAreas = ['kv', 'firewall', 'migration'] as const;

type ManPageFacts = {
	readonly program: Command;
	readonly version: string;
	readonly exitCodes: Readonly<Record<number, string>>;
};

/** Builds the man pages as roff, by file name: `ledge.1`, and one page per area. */
export function buildManPages(facts: ManPageFacts): Readonly<Record<string, string>> {
	const {program, version} = facts;
	const commands = listDescribedCommands(program);
	const pages: Record<string, string> = {'ledge.1': buildMainPage(facts, commands)};
	for (const area of manPageAreas) {
		const summary = listCommandSummaries(program).find(({name}) => name === area)?.summary ?? '';
		pages[`ledge-${area}.1`] = formatPage(
			[`ledge-${area}`, summary, version],
			[
				formatSection('Synopsis', [`${toBold(`ledge ${area}`)} ${toItalic('command')} [options]`]),
				formatSection('Commands', commands.filter(({words}) => words[1] === area).map(formatCommand)),
				formatSection('See also', [formatSeeAlso(area)]),
			],
		);
	}
	return pages;
}

function buildMainPage(
	{program, version, exitCodes}: ManPageFacts,
	commands: readonly DescribedCommand[],
): string {
	const mainPageCommands = commands.filter(({words}) => !manPageAreas.some(area => area === words[1]));
	return formatPage(
		['ledge', 'key-value data, firewall rules and the managed-rules migration of an edge platform', version],
		[
			formatSection('Synopsis', [
				`${toBold('ledge')}\n.br\n${toBold('ledge')} ${toItalic('command')} [options]`,
			]),
			formatSection('Description', [
				escapeRoff(program.description()),
				escapeRoff('Without a command, ledge opens its screens. Press ? in a screen to list its shortcuts.'),
			]),
			formatSection(
				'Areas',
				listCommandSummaries(program)
					.filter(({name}) => manPageAreas.some(area => area === name))
					.map(({name, summary}) => formatTagged(toBold(`ledge-${name}(1)`), escapeRoff(summary))),
			),
			formatSection('Commands', mainPageCommands.map(formatCommand)),
			formatSection('Global options', listGlobalOptions(program).map(formatOption)),
			formatSection(
				'Exit status',
				Object.entries(exitCodes).map(([code, meaning]) =>
					formatTagged(toBold(code), escapeRoff(stripBackticks(meaning))),
				),
			),
			formatSection(
				'Environment',
				environmentVariables.map(({names, meaning}) =>
					formatTagged(names.map(toBold).join(', '), escapeRoff(stripBackticks(meaning))),
				),
			),
			formatSection('See also', [formatSeeAlso(undefined)]),
		],
	);
}

const formatPage = (
	[name, summary, version]: readonly [string, string, string],
	sections: readonly string[],
): string =>
	[
		`.TH ${quoteArgument(name.toUpperCase())} 1 "" ${quoteArgument(`ledge ${version}`)} "ledge"`,
		formatSection('Name', [`${escapeRoff(name)} \\- ${escapeRoff(summary)}`]),
		...sections,
		'',
	].join('\n');

/** Formats a section; each part that does not start with a roff request becomes a paragraph. */
const formatSection = (title: string, [firstPart = '', ...parts]: readonly string[]): string =>
	[
		`.SH ${quoteArgument(title.toUpperCase())}`,
		firstPart,
		...parts.map(part => (part.startsWith('.') ? part : `.PP\n${part}`)),
	].join('\n');

function formatCommand({usage, summary, options, details, example}: DescribedCommand): string {
	return [
		`.SS ${quoteArgument(usage)}`,
		escapeRoff(summary),
		...options.map(formatOption),
		...(details ? ['.PP', formatVerbatim(details)] : []),
		'.PP',
		'Example:',
		formatVerbatim(example, 4),
	].join('\n');
}

const formatOption = ({flags, meaning, choices}: DescribedOption): string =>
	formatTagged(
		flags.replaceAll(/<[^>]+>|[^<]+/g, part => (part.startsWith('<') ? toItalic(part) : toBold(part))),
		escapeRoff(`${stripBackticks(meaning)}${choices.length > 0 ? `: ${choices.join(', ')}` : ''}`),
	);

const formatTagged = (tag: string, body: string): string => `.TP\n${tag}\n${body}`;

const formatVerbatim = (lines: string, indent = 0): string =>
	[
		...(indent > 0 ? [`.RS ${indent}`] : []),
		'.nf',
		escapeRoff(lines),
		'.fi',
		...(indent > 0 ? ['.RE'] : []),
	].join('\n');

const formatSeeAlso = (area: string | undefined): string =>
	['ledge', ...manPageAreas.map(one => `ledge-${one}`)]
		.filter(name => name !== (area === undefined ? 'ledge' : `ledge-${area}`))
		.map(name => `${toBold(name)}(1)`)
		.join(', ');

const toBold = (text: string): string => `\\fB${escapeRoff(text)}\\fR`;
const toItalic = (text: string): string => `\\fI${escapeRoff(text)}\\fR`;

/** Quotes an argument of a macro. */
const quoteArgument = (text: string): string => `"${escapeRoff(text).replaceAll('"', '\\(dq')}"`;

/** Removes backticks, which mean nothing in roff. */
const stripBackticks = (text: string): string => text.replaceAll('`', '');

/**
 * Escapes text so that roff prints it literally: backslashes, leading dots and apostrophes, hyphens (which
 * stay copyable), and non-ASCII characters as named ones.
 */
const escapeRoff = (text: string): string =>
	text
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replaceAll(/^(?=[.'])/gm, '\\&')
		.replaceAll(
			/[^\n -~]/gu,
			character => `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
		);
