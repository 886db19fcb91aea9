import type {Command} from 'commander';
import {
	type DescribedCommand,
	type DescribedOption,
	describedCommands,
	optionsEverywhere,
	summaries,
} from './command-tree.ts';
import {environmentVariables} from './environment-variables.ts';

/** Areas with their own man page; every other command is described in `ledge(1)`. */
export const areas = ['kv', 'firewall', 'migration'] as const;

type ManPageFacts = {
	readonly program: Command;
	readonly version: string;
	readonly exitCodes: Readonly<Record<number, string>>;
};

/** Builds the man pages as roff, by file name: `ledge.1`, and one page per area. */
export function manPages(facts: ManPageFacts): Readonly<Record<string, string>> {
	const {program, version} = facts;
	const commands = describedCommands(program);
	const pages: Record<string, string> = {'ledge.1': mainPage(facts, commands)};
	for (const area of areas) {
		const summary = summaries(program).find(({name}) => name === area)?.summary ?? '';
		pages[`ledge-${area}.1`] = page(
			[`ledge-${area}`, summary, version],
			[
				section('Synopsis', [`${bold(`ledge ${area}`)} ${italic('command')} [options]`]),
				section('Commands', commands.filter(({words}) => words[1] === area).map(commandText)),
				section('See also', [seeAlso(area)]),
			],
		);
	}
	return pages;
}

function mainPage(
	{program, version, exitCodes}: ManPageFacts,
	commands: readonly DescribedCommand[],
): string {
	const own = commands.filter(({words}) => !areas.some(area => area === words[1]));
	return page(
		['ledge', 'key-value data, firewall rules and the managed-rules migration of an edge platform', version],
		[
			section('Synopsis', [`${bold('ledge')}\n.br\n${bold('ledge')} ${italic('command')} [options]`]),
			section('Description', [
				text(program.description()),
				text('Without a command, ledge opens its screens. Press ? in them to list the keys that work there.'),
			]),
			section(
				'Areas',
				summaries(program)
					.filter(({name}) => areas.some(area => area === name))
					.map(({name, summary}) => tagged(bold(`ledge-${name}(1)`), text(summary))),
			),
			section('Commands', own.map(commandText)),
			section('Options everywhere', optionsEverywhere(program).map(optionText)),
			section(
				'Exit status',
				Object.entries(exitCodes).map(([code, meaning]) => tagged(bold(code), text(plain(meaning)))),
			),
			section(
				'Environment',
				environmentVariables.map(({names, meaning}) =>
					tagged(names.map(bold).join(', '), text(plain(meaning))),
				),
			),
			section('See also', [seeAlso(undefined)]),
		],
	);
}

const page = (
	[name, summary, version]: readonly [string, string, string],
	sections: readonly string[],
): string =>
	[
		`.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`ledge ${version}`)} "ledge"`,
		section('Name', [`${text(name)} \\- ${text(summary)}`]),
		...sections,
		'',
	].join('\n');

/** Formats a section; each part that does not start with a roff request becomes a paragraph. */
const section = (title: string, [first = '', ...parts]: readonly string[]): string =>
	[
		`.SH ${quoted(title.toUpperCase())}`,
		first,
		...parts.map(part => (part.startsWith('.') ? part : `.PP\n${part}`)),
	].join('\n');

function commandText({usage, summary, options, more, example}: DescribedCommand): string {
	return [
		`.SS ${quoted(usage)}`,
		text(summary),
		...options.map(optionText),
		...(more ? ['.PP', verbatim(more)] : []),
		'.PP',
		'Example:',
		verbatim(example, 4),
	].join('\n');
}

const optionText = ({flags, meaning, choices}: DescribedOption): string =>
	tagged(
		flags.replaceAll(/<[^>]+>|[^<]+/g, part => (part.startsWith('<') ? italic(part) : bold(part))),
		text(`${plain(meaning)}${choices.length > 0 ? `: ${choices.join(', ')}` : ''}`),
	);

const tagged = (tag: string, body: string): string => `.TP\n${tag}\n${body}`;

const verbatim = (lines: string, indent = 0): string =>
	[...(indent > 0 ? [`.RS ${indent}`] : []), '.nf', text(lines), '.fi', ...(indent > 0 ? ['.RE'] : [])].join(
		'\n',
	);

const seeAlso = (area: string | undefined): string =>
	['ledge', ...areas.map(one => `ledge-${one}`)]
		.filter(name => name !== (area === undefined ? 'ledge' : `ledge-${area}`))
		.map(name => `${bold(name)}(1)`)
		.join(', ');

const bold = (words: string): string => `\\fB${text(words)}\\fR`;
const italic = (words: string): string => `\\fI${text(words)}\\fR`;

/** Quotes an argument of a macro. */
const quoted = (words: string): string => `"${text(words).replaceAll('"', '\\(dq')}"`;

/** Removes backticks, which mean nothing in roff. */
const plain = (words: string): string => words.replaceAll('`', '');

/**
 * Escapes text so that roff prints it literally: backslashes, leading dots and apostrophes, hyphens (which
 * stay copyable), and non-ASCII characters as named ones.
 */
const text = (words: string): string =>
	words
		.replaceAll('\\', '\\e')
		.replaceAll('-', '\\-')
		.replaceAll(/^(?=[.'])/gm, '\\&')
		.replaceAll(
			/[^\n -~]/gu,
			one => `\\[u${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
		);
