import {readFileSync} from 'node:fs';
import {Command} from 'commander';
import {beforeAll, expect, test} from 'vitest';
import {createProgram} from '../../source/commands/program.ts';
import {exitCodes} from '../../source/failure.ts';
import {listDescribedCommands} from '../../source/manual/command-tree.ts';
import {buildManPages} from '../../source/manual/pages.ts';

let pages: Readonly<Record<string, string>>;
let program: Command;
beforeAll(async () => {
	program = (await createProgram()).program;
	pages = buildManPages({program, version: '0.0.0-test', exitCodes});
});

/** A page without the font changes and escapes of roff. */
const removeRoffEscapes = (page: string): string =>
	page
		.replaceAll(/\\f[BIR]/g, '')
		.replaceAll('\\(dq', '"')
		.replaceAll('\\&', '')
		.replaceAll('\\-', '-')
		.replaceAll('\\e', '\\');

test('every command is on one page, with its options and its example', () => {
	const readablePages = Object.fromEntries(
		Object.entries(pages).map(([name, page]) => [name, removeRoffEscapes(page)]),
	);
	for (const {words, usage, options, example} of listDescribedCommands(program)) {
		const commandPage = readablePages[`ledge-${words[1]}.1`] ?? readablePages['ledge.1'] ?? '';
		expect(commandPage, usage).toContain(usage);
		expect(commandPage, usage).toContain(example);
		for (const {flags} of options) expect(commandPage, usage).toContain(flags);
	}
});

test('package.json names exactly the generated pages', () => {
	const {man, files} = JSON.parse(readFileSync('package.json', 'utf8')) as {man: string[]; files: string[]};
	expect(man.toSorted()).toEqual(
		Object.keys(pages)
			.map(name => `dist/man/${name}`)
			.toSorted(),
	);
	expect(files).toContain('dist');
});

test('a page is ASCII and uses only known roff requests', () => {
	const requests = /^\.(TH "[^"]*" 1 "" "[^"]*" "ledge"|S[HS] "[^"]*"|TP|PP|br|nf|fi|RS 4|RE)$/;
	for (const page of Object.values(pages))
		for (const line of page.split('\n')) {
			expect(line).toMatch(/^[ -~]*$/);
			expect(line).not.toMatch(/^'/);
			if (line.startsWith('.')) expect(line).toMatch(requests);
		}
});

test('text from a command cannot become a request or an escape', () => {
	const oddProgram = new Command('ledge').description('odd');
	oddProgram
		.command('kv')
		.description('.SH "pretended"')
		.command('get')
		.description("'br of \\fBbold\\fR")
		.option('--name <n>', '.so /etc/passwd …');
	const page = buildManPages({program: oddProgram, version: '1', exitCodes: {}})['ledge-kv.1'] ?? '';
	expect(page).toContain(String.raw`\- \&.SH "pretended"`);
	expect(page).toContain(String.raw`\&'br of \efBbold\efR`);
	expect(page).toContain(String.raw`\&.so /etc/passwd \[u2026]`);
});
