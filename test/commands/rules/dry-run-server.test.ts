import {beforeEach, describe, expect, test} from 'vitest';
import {migratedSampleZone, sampleIds} from '../../screens/support/custom-rules.ts';
import {type FaultyLine, startFaultyLine} from '../../support/faulty-line.ts';
import {createScratchFolder, ledge} from '../../support/run.ts';
import {type ServedSimulator, serveSimulator} from '../../support/serve-simulator.ts';

const {office, admin, login, scrapers} = sampleIds;
const expression = ['--expression', 'http.host eq "dry.example"'];
const create = ['rules', 'create', ...expression, '--action', 'block'];

let service: ServedSimulator;
beforeEach(async () => {
	service = await serveSimulator();
});

const run = (words: readonly string[], variables: Readonly<Record<string, string>> = service.env) =>
	ledge([...words, '--zone', migratedSampleZone.name], {
		env: {...variables, LEDGE_TIME_SCALE: '0.01'},
		cwd: createScratchFolder(),
	});

type Printed = {readonly check: {readonly state: string; readonly code?: string; readonly message?: string}};

const readChecks = (stdout: string) => (JSON.parse(stdout) as readonly Printed[]).map(({check}) => check);

const readVersions = async () => {
	const phases = ['http_request_firewall_custom', 'http_request_firewall_managed'];
	return Promise.all(
		phases.map(async phase => {
			const response = await service.simulator.fetch(
				new Request(`${service.url}/zones/${migratedSampleZone.id}/rulesets/phases/${phase}/entrypoint`, {
					headers: {Authorization: 'Bearer simulated'},
				}),
			);
			return ((await response.json()) as {result: {version: string}}).result.version;
		}),
	);
};

describe('--dry-run=server', () => {
	test.each([
		[create],
		[['rules', 'update', admin, '--action', 'managed_challenge']],
		[['rules', 'pause', office, admin]],
		[['rules', 'resume', login]],
		[['rules', 'move', scrapers, '--first']],
		[['rules', 'delete', admin]],
		[['rules', 'delete', admin, scrapers]],
		[['rules', 'restore', '1']],
		[['managed', 'edit', '--threshold', '25']],
		[['managed', 'edit', '--off', 'owasp']],
	])('%j asks the service once and changes nothing', async words => {
		const versions = await readVersions();
		const {code, stdout, stderr} = await run([...words, '--dry-run=server', '--json']);
		expect({code, stderr}).toMatchObject({code: 0});
		expect(readChecks(stdout)).toEqual([{state: 'valid'}]);
		expect(service.writes().map(({query}) => query)).toEqual(['dry_run=true']);
		expect(await readVersions()).toEqual(versions);
	});

	test('says below the request that the service checked it', async () => {
		const {stdout} = await run([...create, '--dry-run=server']);
		expect(stdout).toMatch(/curl .*\n# valid, checked by the service\n$/);
		expect(stdout).not.toContain('dry_run');
	});

	test('fails with the reason if the service refuses', async () => {
		await service.setFaults('status=400 code=20217 method=POST');
		const {code, stdout, stderr} = await run([...create, '--dry-run=server']);
		expect(code).toBe(1);
		expect(stdout).toContain('# refused by the service: ');
		expect(stderr).toContain('error: ');
	});

	test('says that it was not checked if the credential may not write', async () => {
		await service.setFaults('status=403 code=10000 method=POST');
		const {code, stdout} = await run([...create, '--dry-run=server', '--json']);
		expect(code).toBe(0);
		expect(readChecks(stdout)).toMatchObject([{state: 'not checked', code: 'credential_refused'}]);
	});

	test('says that other writes cannot be checked, and sends none', async () => {
		const {code, stdout} = await run(['kv', 'namespace', 'create', 'new', '--dry-run=server', '--json']);
		expect(code).toBe(0);
		expect(readChecks(stdout)).toMatchObject([{state: 'not checked'}]);
		expect(service.writes()).toEqual([]);
	});

	test('is refused with --read-only', async () => {
		const {code, stderr} = await run([...create, '--dry-run=server', '--read-only']);
		expect(code).toBe(2);
		expect(stderr).toContain('read-only');
		expect(service.writes()).toEqual([]);
	});

	test('does not take the next word as its value', async () => {
		const {code, stdout} = await run(['rules', 'delete', '--dry-run=server', admin, '--json']);
		expect(code).toBe(0);
		expect(readChecks(stdout)).toEqual([{state: 'valid'}]);
	});
});

describe('a service that does not know dry_run', () => {
	/** Passes writes on without `dry_run`, as an older deployment reads them. */
	async function startOlderService(): Promise<FaultyLine> {
		const line = await startFaultyLine(service.simulator);
		line.setFault({
			matches: ({path}) => path.includes('dry_run='),
			when: 'before the effect',
			reply: {
				async answer({method, path, body}) {
					const response = await service.simulator.fetch(
						new Request(new URL(path.replace(/\?.*/, ''), service.url), {
							method,
							headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
							...(body.length > 0 && {body: new Uint8Array(body)}),
						}),
					);
					const text = await response.text();
					return Buffer.from(
						`HTTP/1.1 ${response.status} OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
					);
				},
			},
		});
		return line;
	}

	test.each([
		['rules', create],
		['managed', ['managed', 'edit', '--threshold', '25']],
	])('is reported with the command that restores: %s', async (group, words) => {
		const [customBefore, managedBefore] = await readVersions();
		await using line = await startOlderService();
		const {code, stderr} = await run([...words, '--dry-run=server'], line.env);
		expect(code).toBe(1);
		expect(stderr).toContain('The rules changed while the service checked the change.');
		const versionBefore = group === 'rules' ? customBefore : managedBefore;
		const command = `ledge ${group} restore ${versionBefore} --zone ${migratedSampleZone.name}`;
		expect(stderr).toContain(command);
		const restored = await run([
			...command.split(' ').slice(1, -2),
			...['--yes', '--confirm', migratedSampleZone.name],
		]);
		expect(restored, restored.stderr).toMatchObject({code: 0});
	});
});

describe('the description of a custom rule', () => {
	test.each([
		['ä'.repeat(2048), 0],
		[`${'ä'.repeat(2048)}a`, 2],
	])('may have 4,096 bytes, not more', async (description, expectedCode) => {
		const {code, stderr} = await run([...create, '--description', description, '--dry-run=server']);
		expect({code, stderr}).toMatchObject({code: expectedCode});
		if (code !== 0) expect(stderr).toContain('It has 4,097 bytes; the limit is 4,096 bytes.');
	});
});
