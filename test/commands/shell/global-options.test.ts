import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Command} from 'commander';
import {beforeAll, describe, expect, test} from 'vitest';
import {createProgram} from '../../../source/commands/program.ts';
import {createScratchFolder, type EndedRun, ledge} from '../../support/run.ts';

/** Options that work everywhere, in all their forms. */
const globalOptions: readonly (readonly string[])[] = [
	['--config', 'wrangler.toml'],
	['--dry-run-server'],
	['-c', 'wrangler.toml'],
	['--config=wrangler.toml'],
	['--env', 'staging'],
	['-e', 'staging'],
	['--env-file', 'some.env'],
	['--cwd', '.'],
	['--account-id', 'one'],
	['--zone-id', 'two'],
	['--zone', 'kv'],
	['--base-url', 'http://127.0.0.1:1/client/v4'],
	['--simulate'],
	['--state', 'world.sqlite', '--simulate'],
	['--json'],
	['--yes'],
	['-y'],
	['--force'],
	['-f'],
	['--skip-confirmation'],
	['--read-only'],
	['--dry-run'],
	['--verbose'],
	['--progress', 'none'],
	['--profile', 'work'],
	['--context', 'prod'],
	['--concurrency', '3'],
];

/** The words with the option in every position, from before the first word to after the last. */
const insertEverywhere = (words: readonly string[], option: readonly string[]): string[][] =>
	Array.from({length: words.length + 1}, (_, at) => [...words.slice(0, at), ...option, ...words.slice(at)]);

const {program} = await createProgram();

/** The words that lead to a command. */
const getWords = (command: Command): string[] =>
	command.parent ? [...getWords(command.parent), command.name()] : [];

const listDescendants = (command: Command): Command[] =>
	command.commands.flatMap(one => [one, ...listDescendants(one)]);

const commands = listDescendants(program);
/** Groups that show or list something if no word follows. */
const groupsWithDefault = ['config', 'jobs', 'kv trash', 'migration overrides'];
/** Groups that print their help if no word follows. */
const groups = commands
	.filter(one => one.commands.length > 0)
	.map(getWords)
	.filter(words => !groupsWithDefault.includes(words.join(' ')));
const leaves = commands.filter(one => one.commands.length === 0).map(getWords);

let cwd: string;

beforeAll(() => {
	cwd = createScratchFolder();
	writeFileSync(join(cwd, 'wrangler.toml'), 'name = "w"\n[env.staging]\nname = "s"\n');
	writeFileSync(join(cwd, 'some.env'), 'A=b\n');
});

const run = (words: readonly string[]): Promise<EndedRun> => ledge(words, {cwd});

test('the table contains all global options', () => {
	const coveredWords = new Set(globalOptions.flat().map(word => word.replace(/=.*/, '')));
	const declaredWords = program.options.flatMap(({short, long}) => [short, long]).filter(Boolean);
	expect(
		declaredWords.filter(word => !coveredWords.has(word ?? '') && word !== '-v' && word !== '--version'),
	).toEqual([]);
});

describe.each(groups.map(words => ({words, what: words.join(' ')})))('$what', ({words}) => {
	test.each(
		globalOptions.map(option => ({option, what: option.join(' ')})),
	)('accepts $what before, between and after its words', async ({option}) => {
		const plain = await run(words);
		expect(plain).toMatchObject({code: 0, stderr: ''});
		expect(plain.stdout).toMatch(/^Usage: /);
		for (const given of insertEverywhere(words, option))
			expect(await run(given), given.join(' ')).toEqual(plain);
	});

	test.each(['--help', '-h', 'help'])('shows its help for %s in any position', async option => {
		const plain = await run(words);
		for (const given of insertEverywhere(words, [option]))
			expect(await run(given), given.join(' ')).toEqual(plain);
	});

	test('prints the version for --version in any position', async () => {
		for (const given of insertEverywhere(words, ['--version'])) {
			expect(await run(given)).toMatchObject({code: 0, stdout: '0.0.0-test\n', stderr: ''});
		}
	});
});

test('an unknown option is still refused', async () => {
	for (const given of insertEverywhere(['kv', 'namespace'], ['--simulat'])) {
		const {code, stderr} = await run(given);
		expect({given, code}).toEqual({given, code: 2});
		expect(stderr).toContain("Unknown option '--simulat'");
	}
});

test.each(
	leaves.map(words => ({words, what: words.join(' ')})),
)('$what means the same with a global option in any position', async ({words}) => {
	for (const option of globalOptions) {
		for (const given of insertEverywhere(words, option)) {
			expect((await createProgram(given)).words, given.join(' ')).toEqual([...words, ...option]);
		}
	}
});

test.each([
	['--json'],
	['--simulate'],
	['--read-only'],
	['--progress', 'none'],
])('a command without a subcommand accepts %s', async (...option) => {
	for (const given of insertEverywhere(['jobs'], option)) expect(await run(given)).toMatchObject({code: 0});
	for (const given of insertEverywhere(['jobs', 'list'], option))
		expect(await run(given)).toMatchObject({code: 0});
});

test('an option with a value takes the next word, even if it is the name of a command', async () => {
	const {stdout} = await run(['--zone', 'kv', 'config', '--json']);
	expect(JSON.parse(stdout).settings.zone).toMatchObject({value: 'kv', from: '--zone'});
});
