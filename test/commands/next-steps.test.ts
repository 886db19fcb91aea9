import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createScratchFolder, createVirtualClock, type EndedRun, ledge} from '../support/run.ts';
import {serveSimulator} from '../support/serve-simulator.ts';

const sessions = '7ce064d8b26f93391d8a14e4c40b28bb';
const unknownId = 'e'.repeat(32);

type Situation = {
	readonly name: string;
	readonly words: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	readonly faults?: string;
	/** Files in the working directory. */
	readonly files?: Readonly<Record<string, string>>;
	/** Commands that run before it. */
	readonly before?: readonly (readonly string[])[];
	/** The beginnings of the commands that it prints. */
	readonly printedCommands: readonly string[];
};

const situations: readonly Situation[] = [
	{
		name: 'a namespace that does not exist',
		words: ['kv', 'key', 'list', '--namespace-id', unknownId],
		printedCommands: ['ledge kv namespace list'],
	},
	{
		name: 'a title in place of an id',
		words: ['kv', 'key', 'get', 'a', '--namespace-id', 'SESSIONS'],
		printedCommands: ['ledge kv namespace list'],
	},
	{
		name: 'a namespace to rename that does not exist',
		words: ['kv', 'namespace', 'rename', 'NONE', '--new-name', 'OTHER'],
		printedCommands: ['ledge kv namespace list'],
	},
	{
		name: 'a key that does not exist',
		words: ['kv', 'key', 'get', 'none', '--namespace-id', sessions],
		printedCommands: ['ledge kv key list'],
	},
	{
		name: 'a credential that is refused',
		words: ['kv', 'namespace', 'list'],
		faults: 'status=401 path=namespaces',
		printedCommands: ['ledge whoami'],
	},
	{
		name: 'a page in place of the service',
		words: ['kv', 'namespace', 'list'],
		faults: 'html=200 path=namespaces',
		printedCommands: ['ledge config'],
	},
	{
		name: 'a redirect',
		words: ['kv', 'namespace', 'list'],
		faults: 'redirect=http://127.0.0.1:1/ path=namespaces',
		printedCommands: ['ledge config'],
	},
	{
		name: 'a zone that does not exist',
		words: ['firewall', 'rule', 'list', '--zone', 'none.example'],
		printedCommands: ['ledge zones'],
	},
	{
		name: 'several zones, and none named',
		words: ['firewall', 'rule', 'list'],
		printedCommands: [],
	},
	{
		name: 'entries that the service refuses',
		words: ['kv', 'bulk', 'put', 'put.json', '--namespace-id', sessions],
		files: {'put.json': '[{"key":"a","value":"1"},{"key":"b","value":"2"}]'},
		faults: 'refuse-keys=b',
		printedCommands: ['ledge kv bulk put'],
	},
	{
		name: 'an export whose service goes away',
		words: ['kv', 'export', '--namespace-id', sessions, '-o', 'out.ndjson'],
		faults: 'status=503 path=bulk/get',
		// Nothing was written yet, so there is nothing to resume.
		printedCommands: [],
	},
	{
		name: 'a simulated namespace that does not exist',
		words: ['kv', 'copy', 'simulated:CONFIG', 'simulated:NONE'],
		printedCommands: ['ledge kv namespace list --simulate'],
	},
	{
		name: 'a configuration that was only shown',
		words: ['managed', 'apply', 'c.json', '--zone', 'done.acme.example'],
		files: {'c.json': '{"rules": []}'},
		printedCommands: ['ledge managed apply c.json --zone-id'],
	},
	{
		name: 'a change of managed rules in a zone that has not migrated',
		words: ['managed', 'edit', '--threshold', '25', '--zone', 'acme.example'],
		printedCommands: ['ledge migration status --zone acme.example'],
	},
	{
		name: 'a managed rule that does not exist',
		words: ['managed', 'edit', '--rule', `${'f'.repeat(32)}=log`, '--zone', 'done.acme.example'],
		printedCommands: ['ledge managed catalogue --zone done.acme.example'],
	},
	{
		name: 'an exception that does not exist',
		words: ['managed', 'exception', 'remove', 'f'.repeat(32), '--zone', 'done.acme.example'],
		printedCommands: ['ledge managed exception list --zone-id'],
	},
	{
		name: 'a version that does not exist',
		words: ['managed', 'restore', '99', '--zone', 'done.acme.example'],
		printedCommands: ['ledge managed versions --zone-id'],
	},
	{
		name: 'a command that does not exist',
		words: ['managed', 'tune'],
		printedCommands: ['ledge managed --help'],
	},
	{
		name: 'an argument that is missing',
		words: ['managed', 'exception', 'remove'],
		printedCommands: ['ledge managed exception remove --help'],
	},
	{
		name: 'an emergency without confirmation where firewall rules are retired',
		words: ['firewall', 'emergency', '203.0.113.8', '--zone', 'done.acme.example'],
		printedCommands: ['ledge firewall emergency --zone-id'],
	},
	{
		name: 'a rule of the managed rules that does not exist',
		words: ['managed', 'edit', '--rule', '123456=log', '--zone', 'done.acme.example'],
		printedCommands: ['ledge managed catalogue --zone'],
	},
	{
		name: 'a job that does not exist',
		words: ['jobs', 'resume', 'none', '--yes'],
		printedCommands: ['ledge jobs'],
	},
];

/** Parses the commands between backquotes into words, as a shell does. */
function parsePrintedCommands(text: string): string[][] {
	return [...text.matchAll(/`(ledge [^`]+)`/g)].map(([, command = '']) =>
		[...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
			([, single, double, plain]) => single ?? double ?? plain ?? '',
		),
	);
}

async function runSituation({words, env = {}, files = {}, before = []}: Situation, setup: ServiceSetup) {
	const cwd = createScratchFolder();
	for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
	const run = (givenWords: readonly string[]) =>
		ledge(givenWords, {cwd, env: {...setup.env, ...env}, clock: createVirtualClock()});
	for (const one of before) await run([...one, ...setup.words]);
	setup.toggleFaults(true);
	const ended = await run([...words, ...setup.words]);
	setup.toggleFaults(false);
	return {ended, run};
}

type ServiceSetup = {
	readonly words: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	toggleFaults(on: boolean): void;
};

async function expectPrintedCommandsToRun(situation: Situation, setup: ServiceSetup): Promise<void> {
	const {ended, run} = await runSituation(situation, setup);
	const output = `${ended.stdout}\n${ended.stderr}`;
	expect(ended.code, output).not.toBe(0);
	const commands = parsePrintedCommands(ended.stderr);
	const commandLines = commands.map(words => words.join(' '));
	for (const printed of situation.printedCommands)
		expect(
			commandLines.filter(one => one.startsWith(printed)),
			output,
		).toHaveLength(1);
	for (const [, ...words] of commands) {
		if (words.some(word => word.includes('…') || /^<.*>$/.test(word))) continue;
		const next: EndedRun = await run(words);
		expect(next.code, `${words.join(' ')}\n${next.stderr}\nprinted by: ${output}`).toBe(0);
	}
}

describe.each(situations)('the next step after $name', situation => {
	test('runs as printed on a service', async () => {
		await using service = await serveSimulator();
		await expectPrintedCommandsToRun(situation, {
			words: [],
			env: service.env,
			toggleFaults: on => void service.setFaults(on ? (situation.faults ?? '') : ''),
		});
	});

	test('runs as printed in the simulated service', async () => {
		const env: Record<string, string> = {};
		await expectPrintedCommandsToRun(situation, {
			words: ['--simulate'],
			env,
			toggleFaults(on) {
				env.LEDGE_SIMULATE_FAULTS = on ? (situation.faults ?? '') : '';
			},
		});
	});
});
