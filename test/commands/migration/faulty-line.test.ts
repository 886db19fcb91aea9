import {describe, expect, test} from 'vitest';
import {createSimulator, migrationZones, type Simulator} from '../../../source/simulator/simulator.ts';
import {type ArrivedRequest, damages, type FaultyLine, startFaultyLine} from '../../support/faulty-line.ts';
import {isSampled} from '../../support/full.ts';
import {createScratchFolder, createVirtualClock, ledge} from '../../support/run.ts';

const {shop, legacy} = migrationZones;
const moments = ['before the effect', 'after the effect'] as const;

const fetchResult = async (simulator: Simulator, path: string) => {
	const response = await simulator.fetch(
		new Request(`http://simulated.invalid/client/v4/zones/${path}`, {
			headers: {Authorization: 'Bearer simulated'},
		}),
	);
	return ((await response.json()) as {result: unknown}).result;
};

const readStage = async (simulator: Simulator) =>
	((await fetchResult(simulator, `${shop}/waf_migration/status`)) as {migration_state: string})
		.migration_state;

const listOverrides = async (simulator: Simulator) =>
	((await fetchResult(simulator, `${legacy}/firewall/waf/overrides`)) as {id: string}[]).map(({id}) => id);

const isPut = ({method, path}: ArrivedRequest) => method === 'PUT' && path.includes('/entrypoint');
const isDeletion = ({method, path}: ArrivedRequest) => method === 'DELETE' && path.includes('/overrides/');

function createRunner(line: FaultyLine) {
	const cwd = createScratchFolder();
	const clock = createVirtualClock();
	return (...words: string[]) => ledge(['migration', ...words], {cwd, clock, env: line.env});
}

/** The damages that are tried at this moment: every eighth in `npm test`, all in `npm run test:full`. */
const getTriedDamages = (when: (typeof moments)[number], offset: number) =>
	Object.entries(damages).filter((_damage, index) => isSampled(index + offset + moments.indexOf(when)));

describe.each(moments)('a response damaged %s', when => {
	test.each(getTriedDamages(when, 0))('deploy: %s', async (_name, reply) => {
		using simulator = createSimulator({rateLimit: false, migrationSeconds: 0});
		await using line = await startFaultyLine(simulator);
		const run = createRunner(line);
		const plan = await run('plan', '--zone-id', shop, '--json');
		const {fingerprint} = JSON.parse(plan.stdout) as {fingerprint: string};
		line.setFault({matches: isPut, when, reply, times: 1});
		const ended = await run(
			...['deploy', '--fingerprint', fingerprint, '--confirm', 'acme-shop.example', '--zone-id', shop],
		);
		const output = `exit ${ended.code}\n${ended.stdout}\n${ended.stderr}`;
		expect(line.arrived().filter(isPut), output).toHaveLength(1);
		const hasTakenEffect = (await readStage(simulator)) !== 'start';
		// To change the real response, a reply needs it: the service gets the request whatever `when` says.
		expect(hasTakenEffect).toBe(
			when === 'after the effect' || (typeof reply === 'object' && 'change' in reply),
		);
		if (ended.code === 0) expect(hasTakenEffect, output).toBe(true);
		else if (hasTakenEffect) expect(output).toMatch(/accepted the PUT|still unknown/);
		else expect(output).toMatch(/did not accept|still unknown/);
		// Resuming only reads, and sends nothing again without another confirmation.
		const resumed = await run('resume', '--zone-id', shop);
		expect(line.arrived().filter(isPut), resumed.stderr).toHaveLength(1);
	});

	test.each(getTriedDamages(when, 1))('deleting an override: %s', async (_name, reply) => {
		using simulator = createSimulator({rateLimit: false});
		await using line = await startFaultyLine(simulator);
		const [id = ''] = await listOverrides(simulator);
		line.setFault({matches: isDeletion, when, reply});
		const ended = await createRunner(line)('overrides', 'delete', id, '--zone-id', legacy, '--yes');
		const output = `exit ${ended.code}\n${ended.stdout}\n${ended.stderr}`;
		expect(line.arrived().filter(isDeletion), output).toHaveLength(1);
		const isDeleted = !(await listOverrides(simulator)).includes(id);
		if (ended.code === 0) expect(isDeleted, output).toBe(true);
		else if (isDeleted) expect(output).toMatch(/may have been deleted/);
	});
});
