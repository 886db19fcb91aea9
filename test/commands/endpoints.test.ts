import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {createSimulator} from '../../source/simulator/simulator.ts';
import {buildRawResponse, type Reply, startFaultyLine} from '../support/faulty-line.ts';
import {isSampled} from '../support/full.ts';
import {createScratchFolder, createVirtualClock, ledge} from '../support/run.ts';

const zone = 'd0e032749968114a09730950255c7c0f';
const namespaceOption = ['--namespace-id', '7ce064d8b26f93391d8a14e4c40b28bb'];

type Endpoint = {readonly name: string; readonly path: RegExp; readonly words: readonly string[]};

/** Every read request that commands depend on, each with a command that fails if the request fails. */
const endpoints: readonly Endpoint[] = [
	{name: 'accounts', path: /\/accounts$/, words: ['kv', 'namespace', 'list']},
	{name: 'namespaces', path: /\/namespaces$/, words: ['kv', 'namespace', 'list']},
	{name: 'keys', path: /\/keys$/, words: ['kv', 'key', 'list', ...namespaceOption]},
	{
		name: 'a value',
		path: /\/values\//,
		words: ['kv', 'key', 'get', 'user:00000:profile', ...namespaceOption],
	},
	{
		name: 'metadata',
		path: /\/metadata\//,
		words: ['kv', 'key', 'get', 'user:00000:profile', '--metadata', ...namespaceOption],
	},
	{name: 'bulk get', path: /\/bulk\/get$/, words: ['kv', 'bulk', 'get', 'keys.json', ...namespaceOption]},
	{
		name: 'keys of an export',
		path: /\/keys$/,
		words: ['kv', 'export', ...namespaceOption, '-o', 'out.ndjson'],
	},
	{
		name: 'values of an export',
		path: /\/bulk\/get$/,
		words: ['kv', 'export', ...namespaceOption, '-o', 'out.ndjson'],
	},
	{name: 'zones', path: /\/zones$/, words: ['zones']},
	{name: 'zones, by name', path: /\/zones$/, words: ['firewall', 'rule', 'list', '--zone', 'acme.example']},
	{name: 'filters', path: /\/filters$/, words: ['firewall', 'filter', 'list', '--zone-id', zone]},
	{name: 'rules', path: /\/firewall\/rules$/, words: ['firewall', 'rule', 'list', '--zone-id', zone]},
	{name: 'rules of an export', path: /\/firewall\/rules$/, words: ['firewall', 'export', '--zone-id', zone]},
	{name: 'migration check', path: /\/check$/, words: ['migration', 'check', '--zone-id', zone]},
	{name: 'migration status', path: /\/status$/, words: ['migration', 'check', '--zone-id', zone]},
	{name: 'proposed configuration', path: /\/config$/, words: ['migration', 'config', '--zone-id', zone]},
	{name: 'managed entry point', path: /\/entrypoint$/, words: ['migration', 'status', '--zone-id', zone]},
	{name: 'packages', path: /\/waf\/packages$/, words: ['migration', 'backup', '--zone-id', zone]},
	{name: 'groups', path: /\/groups$/, words: ['migration', 'backup', '--zone-id', zone]},
	{
		name: 'rules of a package',
		path: /\/packages\/\w+\/rules$/,
		words: ['migration', 'backup', '--zone-id', zone],
	},
	{name: 'overrides', path: /\/overrides$/, words: ['migration', 'backup', '--zone-id', zone]},
	{name: 'the switch', path: /\/settings\/waf$/, words: ['migration', 'backup', '--zone-id', zone]},
	{name: 'page rules', path: /\/pagerules$/, words: ['migration', 'backup', '--zone-id', zone]},
	{
		name: 'active managed rules',
		path: /http_request_firewall_managed\/entrypoint$/,
		words: ['managed', 'show', '--zone', 'done.acme.example'],
	},
	{
		name: 'versions of managed rules',
		path: /\/versions$/,
		words: ['managed', 'versions', '--zone', 'done.acme.example'],
	},
	{
		name: 'overrides, listed',
		path: /\/overrides$/,
		words: ['migration', 'overrides', 'list', '--zone-id', zone],
	},
];

const htmlPage = '<html><title>Attention Required!</title></html>';
const jsonHeaders = {'content-type': 'application/json'};
const htmlHeaders = {'content-type': 'text/html'};
const replyWithErrors = (status: number, ...errors: object[]): Reply => ({
	bytes: buildRawResponse(
		status,
		JSON.stringify({success: false, errors, messages: [], result: null}),
		jsonHeaders,
	),
	ends: 'keep',
});
const replyWith = (status: number, body: string, headers?: Readonly<Record<string, string>>): Reply => ({
	bytes: buildRawResponse(status, body, headers),
	ends: 'keep',
});

type Kind = {
	readonly name: string;
	readonly reply: Reply;
	readonly codes: readonly string[];
	readonly exit: number;
};

const kinds: readonly Kind[] = [
	{name: 'a 403 of a page', reply: replyWith(403, htmlPage, htmlHeaders), codes: ['blocked'], exit: 1},
	{name: 'a 403 without errors', reply: replyWithErrors(403), codes: ['refused_by_service'], exit: 1},
	{
		name: 'a 401',
		reply: replyWithErrors(401, {code: 10_000, message: 'Authentication error'}),
		codes: ['credential_refused'],
		exit: 4,
	},
	{
		name: 'a 404 of the address',
		reply: replyWithErrors(404, {code: 7003, message: 'Could not route to that address'}),
		codes: ['not_found', 'zone_not_found'],
		exit: 3,
	},
	{name: 'a 404 without errors', reply: replyWithErrors(404), codes: ['refused_by_service'], exit: 1},
	{name: 'a 410', reply: replyWithErrors(410, {code: 1, message: 'retired'}), codes: ['gone'], exit: 1},
	{name: 'a 410 of a page', reply: replyWith(410, htmlPage, htmlHeaders), codes: ['blocked'], exit: 1},
	{name: 'a 429', reply: replyWith(429, 'slow down'), codes: ['rate_limited'], exit: 1},
	{name: 'a 503', reply: replyWith(503, htmlPage, htmlHeaders), codes: ['service_failed'], exit: 1},
	{name: 'no body', reply: replyWith(200, ''), codes: ['answer_malformed'], exit: 1},
	{name: 'a page', reply: replyWith(200, htmlPage, htmlHeaders), codes: ['answer_malformed'], exit: 1},
	{
		name: 'another JSON',
		reply: replyWith(200, '{"ok":true}', jsonHeaders),
		codes: ['answer_malformed'],
		exit: 1,
	},
	{
		name: 'a result of null',
		reply: replyWith(200, '{"success":true,"errors":[],"messages":[],"result":null}', jsonHeaders),
		codes: ['answer_malformed'],
		exit: 1,
	},
];

/** By endpoint: the kinds of reply that are valid there, and so are not tried. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
	// Any bytes are a value.
	'a value': ['no body', 'a page', 'another JSON', 'a result of null'],
	metadata: ['a result of null'],
	// Zones without the previous version have no status; if the endpoint is retired, the check is enough.
	'migration status': ['a result of null', 'a 410'],
};

/**
 * True for an endpoint that a backup reads. A backup lists parts that it cannot read in `unread`: it is
 * complete if their endpoint is retired (exit 0), and partial if the service refuses them (exit 1).
 */
const isPartOfBackup = ({words}: Endpoint): boolean => words[1] === 'backup';
const backupExitCodes: Readonly<Record<string, number>> = {'a 410': 0, 'a 404 of the address': 1};

// Shared by all tests, as none of them writes to it.
const simulator = createSimulator({rateLimit: false});
afterAll(() => simulator[Symbol.dispose]());

describe.each(endpoints)('$name', endpoint => {
	test.each(
		kinds.filter(
			({name}, kindIndex) =>
				isSampled(kindIndex + endpoints.indexOf(endpoint)) && !exceptions[endpoint.name]?.includes(name),
		),
	)('$name is classified correctly and never taken as a fact', async ({name, reply, codes, exit}) => {
		const cwd = createScratchFolder();
		writeFileSync(join(cwd, 'keys.json'), '["user:00000:profile"]');
		await using line = await startFaultyLine(simulator);
		line.setFault({
			matches: ({path}) => endpoint.path.test(path.split('?')[0] ?? ''),
			when: 'before the effect',
			reply,
		});
		const ended = await ledge([...endpoint.words, '--json'], {
			env: line.env,
			clock: createVirtualClock(),
			cwd,
		});
		const backupExitCode = isPartOfBackup(endpoint) ? backupExitCodes[name] : undefined;
		const output = `exit ${ended.code}\n${ended.stdout}\n${ended.stderr}`;
		expect(ended.code, output).toBe(backupExitCode ?? exit);
		if (backupExitCode !== undefined) {
			expect(JSON.parse(ended.stdout).unread, output).not.toEqual([]);
			return;
		}
		const error = ended.stderr.split('\n').findLast(text => text.startsWith('{')) ?? '{}';
		expect(codes, output).toContain(JSON.parse(error).error?.code);
	});
});
