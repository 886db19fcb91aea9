import {describe, expect, test} from 'vitest';
import {createSimulator, migrationZones, type Simulator} from '../../../source/simulator/simulator.ts';
import {type Arrived, damages, type FaultyLine, faultyLine} from '../../support/faulty-line.ts';
import {isTried} from '../../support/full.ts';
import {ledge, scratch, virtualClock} from '../../support/run.ts';

const {shop, legacy} = migrationZones;
const times = ['before the effect', 'after the effect'] as const;

const read = async (simulator: Simulator, path: string) => {
	const answer = await simulator.fetch(
		new Request(`http://simulated.invalid/client/v4/zones/${path}`, {
			headers: {Authorization: 'Bearer simulated'},
		}),
	);
	return ((await answer.json()) as {result: unknown}).result;
};

const stage = async (simulator: Simulator) =>
	((await read(simulator, `${shop}/waf_migration/status`)) as {migration_state: string}).migration_state;

const overrides = async (simulator: Simulator) =>
	((await read(simulator, `${legacy}/firewall/waf/overrides`)) as {id: string}[]).map(({id}) => id);

const isPut = ({method, path}: Arrived) => method === 'PUT' && path.includes('/entrypoint');
const isDeletion = ({method, path}: Arrived) => method === 'DELETE' && path.includes('/overrides/');

function person(line: FaultyLine) {
	const cwd = scratch();
	const clock = virtualClock();
	return (...words: string[]) => ledge(['migration', ...words], {cwd, clock, env: line.env});
}

/** Of each damage some moment of deploys or deletions; both of both in `npm run test:full`. */
const damagesAt = (when: (typeof times)[number], first: number) =>
	Object.entries(damages).filter((_damage, index) => isTried(index + first + times.indexOf(when)));

describe.each(times)('an answer damaged %s', when => {
	test.each(damagesAt(when, 0))('deploy: %s', async (_name, reply) => {
		using simulator = createSimulator({rateLimit: false, migrationSeconds: 0});
		await using line = await faultyLine(simulator);
		const run = person(line);
		const plan = await run('plan', '--zone-id', shop, '--json');
		const {fingerprint} = JSON.parse(plan.stdout) as {fingerprint: string};
		line.set({matches: isPut, when, reply, times: 1});
		const ended = await run(
			...['deploy', '--fingerprint', fingerprint, '--confirm', 'acme-shop.example', '--zone-id', shop],
		);
		const said = `exit ${ended.code}\n${ended.stdout}\n${ended.stderr}`;
		expect(line.arrived().filter(isPut), said).toHaveLength(1);
		const isDone = (await stage(simulator)) !== 'start';
		expect(isDone).toBe(when === 'after the effect' || (typeof reply === 'object' && 'change' in reply));
		if (ended.code === 0) expect(isDone, said).toBe(true);
		else if (isDone) expect(said).toMatch(/accepted the PUT|still unknown/);
		else expect(said).toMatch(/did not accept|still unknown/);
		// Going on looks, and sends nothing again without another confirmation.
		const resumed = await run('resume', '--zone-id', shop);
		expect(line.arrived().filter(isPut), resumed.stderr).toHaveLength(1);
	});

	test.each(damagesAt(when, 1))('deleting an override: %s', async (_name, reply) => {
		using simulator = createSimulator({rateLimit: false});
		await using line = await faultyLine(simulator);
		const [id = ''] = await overrides(simulator);
		line.set({matches: isDeletion, when, reply});
		const ended = await person(line)('overrides', 'delete', id, '--zone-id', legacy, '--yes');
		const said = `exit ${ended.code}\n${ended.stdout}\n${ended.stderr}`;
		expect(line.arrived().filter(isDeletion), said).toHaveLength(1);
		const isGone = !(await overrides(simulator)).includes(id);
		if (ended.code === 0) expect(isGone, said).toBe(true);
		else if (isGone) expect(said).toMatch(/may have been deleted/);
	});
});
