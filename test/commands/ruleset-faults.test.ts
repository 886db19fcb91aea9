import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createSimulator, type Simulator} from '../../source/simulator/simulator.ts';
import {buildRawResponse, type Reply, startFaultyLine} from '../support/faulty-line.ts';
import {isSampled} from '../support/full.ts';
import {createScratchFolder, createVirtualClock, ledge} from '../support/run.ts';
import {joinEncodings, listRevealingTexts} from '../support/secrets.ts';

const token = 'Zx9/q+tok_of-the~rulesets.test==';

/** Zones with active custom and managed rules, with neither, and with firewall rules. */
const migrated = {id: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74', name: 'done.acme.example'};
const plain = {id: '9e4c0b3f7d6a4f2b8c5e1d2c3b4a5f85', name: 'plain.acme.example'};
const enterprise = {id: 'd0e032749968114a09730950255c7c0f', name: 'acme.example'};
const [office, admin, login] = ['01', '02', '03'].map(last => `5f1c7a0e9b3d4c28a6e4d0b7f2913c${last}`);

type Write = {
	readonly name: string;
	readonly words: readonly string[];
	readonly zone?: typeof migrated;
	/** A command that runs before, on an undisturbed line. */
	readonly before?: readonly string[];
};

const expression = ['--expression', 'http.host eq "faults.example"'];
const block = ['--action', 'block'];
const exception = ['managed', 'exception', 'add', ...expression, '--skip', 'owasp'];

/** Every write of custom and of managed rules. `ID` is the id of an exception, `PRINT` the fingerprint of `managed.json`. */
const writes: readonly Write[] = [
	{name: 'rules create', words: ['rules', 'create', ...expression, ...block]},
	{name: 'rules create, the first one', words: ['rules', 'create', ...expression, ...block], zone: plain},
	{name: 'rules update', words: ['rules', 'update', `${admin}`, '--description', 'other']},
	{name: 'rules pause', words: ['rules', 'pause', `${admin}`, '--yes']},
	{name: 'rules pause, several', words: ['rules', 'pause', `${office}`, `${admin}`, '--yes']},
	{name: 'rules resume', words: ['rules', 'resume', `${login}`]},
	{name: 'rules move', words: ['rules', 'move', `${office}`, '--last']},
	{name: 'rules delete', words: ['rules', 'delete', `${admin}`]},
	{name: 'rules delete, several', words: ['rules', 'delete', `${office}`, `${admin}`]},
	{name: 'rules restore', words: ['rules', 'restore', '1']},
	{name: 'rules restore, one', words: ['rules', 'restore', '1', '--rule', `${login}`]},
	{name: 'managed edit', words: ['managed', 'edit', '--threshold', '25']},
	{
		name: 'managed edit, several',
		words: ['managed', 'edit', '--threshold', '25', '--deploy', 'credentials'],
	},
	{name: 'managed exception add', words: exception},
	{
		name: 'managed exception change',
		before: exception,
		words: ['managed', 'exception', 'change', 'ID', '--description', 'other'],
	},
	{name: 'managed exception remove', before: exception, words: ['managed', 'exception', 'remove', 'ID']},
	{name: 'managed restore', before: exception, words: ['managed', 'restore', '1']},
	{name: 'managed apply', words: ['managed', 'apply', 'managed.json', '--fingerprint', 'PRINT']},
	{name: 'rules apply', words: ['rules', 'apply', 'rules.yaml']},
	{name: 'rules apply, the first ones', words: ['rules', 'apply', 'rules.yaml'], zone: plain},
	{name: 'firewall export --apply', words: ['firewall', 'export', '--apply', '--from', 'export.json']},
	{
		name: 'firewall export --apply, the first ones',
		words: ['firewall', 'export', '--apply', '--from', 'export.json'],
		zone: plain,
	},
	{name: 'firewall emergency', words: ['firewall', 'emergency', '192.0.2.99'], zone: enterprise},
	{
		name: 'firewall emergency --custom-rule',
		words: ['firewall', 'emergency', '192.0.2.99', '--custom-rule'],
	},
];

const json = {'content-type': 'application/json', 'cf-ray': joinEncodings(token)};
const page = `<html><title>${joinEncodings(token)}</title></html>`;
const buildRefusal = (status: number, more: Readonly<Record<string, string>> = {}): Reply => ({
	bytes: buildRawResponse(
		status,
		JSON.stringify({
			success: false,
			errors: [{code: 1, message: `no: ${joinEncodings(token)}`}],
			messages: [],
			result: null,
		}),
		{...json, ...more},
	),
	ends: 'keep',
});
const buildSuccess = (result: unknown): Reply => ({
	bytes: buildRawResponse(200, JSON.stringify({success: true, errors: [], messages: [], result}), json),
	ends: 'keep',
});
const otherRuleset = {
	id: 'f'.repeat(32),
	name: joinEncodings(token),
	kind: 'zone',
	phase: 'http_request_firewall_custom',
	version: '2',
	rules: [{id: 'e'.repeat(32), action: 'block', expression: 'http.host eq "other.example"'}],
};

/** Well-formed refusals. ledge believes them, so they are tried only before the effect. */
const refusals: Readonly<Record<string, Reply>> = {
	400: buildRefusal(400),
	403: buildRefusal(403),
	409: buildRefusal(409),
	'429 with Retry-After': buildRefusal(429, {'retry-after': '1'}),
};

const damages: Readonly<Record<string, Reply>> = {
	500: buildRefusal(500),
	'502 of a page': {bytes: buildRawResponse(502, page, {'content-type': 'text/html'}), ends: 'keep'},
	'an empty body': {bytes: buildRawResponse(200, '', json), ends: 'keep'},
	'half of a JSON': {
		bytes: buildRawResponse(200, `{"success":true,"result":{"name":"${joinEncodings(token)}`, json),
	},
	'a ruleset of another id': buildSuccess(otherRuleset),
	'a cut connection': 'reset',
	'a body without an end': {
		head: 'HTTP/1.1 200 x\r\ncontent-type: application/json\r\n\r\n{"success":true,"messages":["',
		endless: Buffer.alloc(65_536, 'x'),
	},
};

type When = 'before the effect' | 'after the effect';

const fetchResult = async (simulator: Simulator, path: string): Promise<unknown> => {
	const headers = {Authorization: `Bearer ${token}`};
	const response = await simulator.fetch(new Request(`http://simulated.invalid/client/v4${path}`, {headers}));
	return ((await response.json()) as {result: unknown}).result;
};

/** All rules of a zone as text, without the properties that every write changes. */
async function readRules(simulator: Simulator, {id}: typeof migrated): Promise<string> {
	const paths = ['custom', 'managed'].map(
		phase => `/zones/${id}/rulesets/phases/http_request_firewall_${phase}/entrypoint`,
	);
	const all = await Promise.all(
		[...paths, `/zones/${id}/filters`, `/zones/${id}/firewall/rules?per_page=100`].map(path =>
			fetchResult(simulator, path),
		),
	);
	const changingProperties = new Set(['version', 'last_updated', 'ref', 'id', 'modified_on', 'created_on']);
	return JSON.stringify(all, (key, value) =>
		changingProperties.has(key) && typeof value === 'string' ? '' : value,
	);
}

type WriteRun = {
	readonly code: number | null;
	readonly text: string;
	/** The writes that arrived. */
	readonly arrived: readonly string[];
	readonly before: string;
	readonly after: string;
};

/** Runs a command over a line that answers its write with this reply. */
async function runWithReply(
	write: Write,
	reply?: Reply,
	when: When = 'before the effect',
): Promise<WriteRun> {
	const {zone = migrated} = write;
	using simulator = createSimulator({rateLimit: false, tokens: [token]});
	await using line = await startFaultyLine(simulator);
	const cwd = createScratchFolder();
	const run = (words: readonly string[], zoneName = zone.name) =>
		ledge([...words, '--zone', zoneName], {
			env: {...line.env, CLOUDFLARE_API_TOKEN: token, LEDGE_STATE_DIR: join(cwd, 'state')},
			cwd,
			clock: createVirtualClock(),
		});
	if (write.before) expect(await run([...write.before, '--confirm', zone.name])).toMatchObject({code: 0});
	const path = `/zones/${zone.id}/rulesets/phases/http_request_firewall_managed/entrypoint`;
	const managed = (await fetchResult(simulator, path)) as {rules: {id: string; action: string}[]} | null;
	const skipRule = managed?.rules.find(({action}) => action === 'skip');
	let fingerprint = '';
	if (write.words.includes('PRINT')) {
		const rules = managed?.rules.map(rule => ({...rule, description: 'applied'}));
		writeFileSync(join(cwd, 'managed.json'), JSON.stringify({rules}));
		fingerprint =
			/--fingerprint ([0-9a-f]{8,})/.exec((await run(['managed', 'apply', 'managed.json'])).stderr)?.[1] ??
			'';
	}
	if (write.words.includes('rules.yaml'))
		writeFileSync(join(cwd, 'rules.yaml'), 'custom_rules:\n  - action: block\n    expression: ssl\n');
	if (write.words.includes('export.json')) {
		const {stdout} = await run(['firewall', 'export'], 'acme-shop.example');
		writeFileSync(join(cwd, 'export.json'), stdout);
	}
	const placeholders: Readonly<Record<string, string>> = {ID: skipRule?.id ?? '', PRINT: fingerprint};
	const words = write.words.map(word => placeholders[word] ?? word);
	const isConfirmed =
		(words[0] === 'managed' && words[2] !== 'remove') || words.includes('--apply') || words[1] === 'apply';
	const before = await readRules(simulator, zone);
	const isWrite = ({method}: {readonly method: string}) => method !== 'GET';
	line.setFault(reply && {matches: isWrite, when, reply});
	const {code, stdout, stderr} = await run([
		...words,
		...(isConfirmed ? ['--confirm', zone.name] : []),
		...['--yes', '--verbose'],
	]);
	return {
		code,
		text: `exit ${code}\n${stdout}\n${stderr}`,
		arrived: line
			.arrived()
			.filter(isWrite)
			.map(({method, path}) => `${method} ${path}`),
		before,
		after: await readRules(simulator, zone),
	};
}

const unknownOutcomePattern = /is unknown|may still take effect/;
const nothingChangedPattern = /Nothing was (?:changed|created|sent)/;

function expectNoSecret(text: string): void {
	for (const form of listRevealingTexts(token)) expect(text.includes(form), `${form} in ${text}`).toBe(false);
}

describe.each(writes)('$name', write => {
	test('sends one write with an effect when undisturbed', async () => {
		const {code, text, arrived, before, after} = await runWithReply(write);
		expect(code, text).toBe(0);
		expect(arrived, text).toHaveLength(1);
		expect(after).not.toBe(before);
	});

	for (const [index, [name, reply]] of Object.entries(refusals).entries())
		test.runIf(isSampled(2 * index + writes.indexOf(write)))(
			`answered by ${name} changes nothing and says so`,
			async () => {
				const {code, text, arrived, before, after} = await runWithReply(write, reply);
				expect(arrived, text).toHaveLength(1);
				expect(code, text).toBeGreaterThan(0);
				expect(text).toMatch(nothingChangedPattern);
				expect(after).toBe(before);
				expectNoSecret(text);
			},
		);

	for (const when of ['before the effect', 'after the effect'] as const)
		for (const [index, [name, reply]] of Object.entries(damages).entries())
			test.runIf(isSampled(index + writes.indexOf(write) + (when === 'after the effect' ? 4 : 0)))(
				`${name} ${when} is checked by reading`,
				async () => {
					const {code, text, arrived, before, after} = await runWithReply(write, reply, when);
					expect(arrived, text).toHaveLength(1);
					const isChanged = after !== before;
					expect(isChanged, text).toBe(when === 'after the effect');
					if (isChanged) expect(code === 0 || unknownOutcomePattern.test(text), text).toBe(true);
					else {
						expect(code, text).toBeGreaterThan(0);
						expect(
							unknownOutcomePattern.test(text) || /Nothing was created|Current state/.test(text),
							text,
						).toBe(true);
					}
					expectNoSecret(text);
				},
			);
});
