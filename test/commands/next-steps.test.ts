import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type Ended, ledge, scratch, virtualClock} from '../support/run.ts';
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
	/** Runs that come before. */
	readonly before?: readonly (readonly string[])[];
	/** The commands that it prints, as far as their words. */
	readonly prints: readonly string[];
};

const situations: readonly Situation[] = [
	{
		name: 'a namespace that does not exist',
		words: ['kv', 'key', 'list', '--namespace-id', unknownId],
		prints: ['ledge kv namespace list'],
	},
	{
		name: 'a title in place of an id',
		words: ['kv', 'key', 'get', 'a', '--namespace-id', 'SESSIONS'],
		prints: ['ledge kv namespace list'],
	},
	{
		name: 'a namespace to rename that does not exist',
		words: ['kv', 'namespace', 'rename', 'NONE', '--new-name', 'OTHER'],
		prints: ['ledge kv namespace list'],
	},
	{
		name: 'a key that does not exist',
		words: ['kv', 'key', 'get', 'none', '--namespace-id', sessions],
		prints: ['ledge kv key list'],
	},
	{
		name: 'a credential that is refused',
		words: ['kv', 'namespace', 'list'],
		faults: 'status=401 path=namespaces',
		prints: ['ledge whoami'],
	},
	{
		name: 'a page in place of the service',
		words: ['kv', 'namespace', 'list'],
		faults: 'html=200 path=namespaces',
		prints: ['ledge config'],
	},
	{
		name: 'a redirect',
		words: ['kv', 'namespace', 'list'],
		faults: 'redirect=http://127.0.0.1:1/ path=namespaces',
		prints: ['ledge config'],
	},
	{
		name: 'a zone that does not exist',
		words: ['firewall', 'rule', 'list', '--zone', 'none.example'],
		prints: ['ledge zones'],
	},
	{
		name: 'several zones, and none named',
		words: ['firewall', 'rule', 'list'],
		prints: [],
	},
	{
		name: 'entries that the service refuses',
		words: ['kv', 'bulk', 'put', 'put.json', '--namespace-id', sessions],
		files: {'put.json': '[{"key":"a","value":"1"},{"key":"b","value":"2"}]'},
		faults: 'refuse-keys=b',
		prints: ['ledge kv bulk put'],
	},
	{
		name: 'an export whose service goes away',
		words: ['kv', 'export', '--namespace-id', sessions, '-o', 'out.ndjson'],
		faults: 'status=503 path=bulk/get',
		// Nothing was written yet: it is started again.
		prints: [],
	},
	{
		name: 'a simulated namespace that does not exist',
		words: ['kv', 'copy', 'simulated:CONFIG', 'simulated:NONE'],
		prints: ['ledge kv namespace list --simulate'],
	},
	{
		name: 'a configuration that was only shown',
		words: ['managed', 'apply', 'c.json', '--zone', 'done.acme.example'],
		files: {'c.json': '{"rules": []}'},
		prints: ['ledge managed apply c.json --zone-id'],
	},
	{
		name: 'a change of managed rules in a zone that has not migrated',
		words: ['managed', 'edit', '--threshold', '25', '--zone', 'acme.example'],
		prints: ['ledge migration status --zone acme.example'],
	},
	{
		name: 'a managed rule that does not exist',
		words: ['managed', 'edit', '--rule', `${'f'.repeat(32)}=log`, '--zone', 'done.acme.example'],
		prints: ['ledge managed catalogue --zone done.acme.example'],
	},
	{
		name: 'an exception that does not exist',
		words: ['managed', 'exception', 'remove', 'f'.repeat(32), '--zone', 'done.acme.example'],
		prints: ['ledge managed exception list --zone-id'],
	},
	{
		name: 'a version that does not exist',
		words: ['managed', 'restore', '99', '--zone', 'done.acme.example'],
		prints: ['ledge managed versions --zone-id'],
	},
	{
		name: 'a command that does not exist',
		words: ['managed', 'tune'],
		prints: ['ledge managed --help'],
	},
	{
		name: 'an argument that is missing',
		words: ['managed', 'exception', 'remove'],
		prints: ['ledge managed exception remove --help'],
	},
	{
		name: 'an emergency without confirmation where firewall rules are retired',
		words: ['firewall', 'emergency', '203.0.113.8', '--zone', 'done.acme.example'],
		prints: ['ledge firewall emergency --zone-id'],
	},
	{
		name: 'a rule of the managed rules that does not exist',
		words: ['managed', 'edit', '--rule', '123456=log', '--zone', 'done.acme.example'],
		prints: ['ledge managed catalogue --zone'],
	},
	{
		name: 'a job that does not exist',
		words: ['jobs', 'resume', 'none', '--yes'],
		prints: ['ledge jobs'],
	},
];

/** The commands between backquotes, as a shell takes their words. */
function commandsIn(text: string): string[][] {
	return [...text.matchAll(/`(ledge [^`]+)`/g)].map(([, command = '']) =>
		[...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
			([, single, double, plain]) => single ?? double ?? plain ?? '',
		),
	);
}

async function cameTo({words, env = {}, files = {}, before = []}: Situation, where: Where) {
	const cwd = scratch();
	for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
	const run = (given: readonly string[]) =>
		ledge(given, {cwd, env: {...where.env, ...env}, clock: virtualClock()});
	for (const one of before) await run([...one, ...where.words]);
	where.faults(true);
	const ended = await run([...words, ...where.words]);
	where.faults(false);
	return {ended, run};
}

type Where = {
	readonly words: readonly string[];
	readonly env: Readonly<Record<string, string>>;
	faults(on: boolean): void;
};

async function expectToRun(situation: Situation, where: Where): Promise<void> {
	const {ended, run} = await cameTo(situation, where);
	const said = `${ended.stdout}\n${ended.stderr}`;
	expect(ended.code, said).not.toBe(0);
	const commands = commandsIn(ended.stderr);
	const firsts = commands.map(words => words.join(' '));
	for (const printed of situation.prints)
		expect(
			firsts.filter(one => one.startsWith(printed)),
			said,
		).toHaveLength(1);
	for (const [, ...words] of commands) {
		if (words.some(word => word.includes('…') || /^<.*>$/.test(word))) continue;
		const next: Ended = await run(words);
		expect(next.code, `${words.join(' ')}\n${next.stderr}\nprinted by: ${said}`).toBe(0);
	}
}

describe.each(situations)('the next step after $name', situation => {
	test('runs as printed on a service', async () => {
		await using service = await serveSimulator();
		await expectToRun(situation, {
			words: [],
			env: service.env,
			faults: on => void service.setFaults(on ? (situation.faults ?? '') : ''),
		});
	});

	test('runs as printed in the simulated service', async () => {
		const env: Record<string, string> = {};
		await expectToRun(situation, {
			words: ['--simulate'],
			env,
			faults(on) {
				env.LEDGE_SIMULATE_FAULTS = on ? (situation.faults ?? '') : '';
			},
		});
	});
});
