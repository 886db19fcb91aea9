import {describe, expect, test} from 'vitest';
import {openSimulator} from '../../../source/commands/shell/simulated-service.ts';
import {isFailure} from '../../../source/failure.ts';
import {ask, json} from '../asking.ts';
import {createSampleExecuteRule, getResultObject, zones} from './migrating.ts';

/** The states of a migration 1 ms before this time after its start, and at it. */
async function readStatesAround(
	elapsedMs: number,
	env: NodeJS.ProcessEnv,
	options: {migrationSeconds?: number} = {},
) {
	const clock = {now: 1_900_000_000_000};
	const place = {env, cwd: '/', clock: {now: () => clock.now}, file: ':memory:'};
	using simulator = openSimulator(place, options);
	const zone = `/zones/${zones.pro}`;
	await ask(
		simulator,
		`${zone}/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=1&phase_two=1`,
		json('PUT', {rules: [createSampleExecuteRule()]}),
	);
	const readState = async () =>
		getResultObject(await ask(simulator, `${zone}/waf_migration/status`)).migration_state;
	clock.now += elapsedMs - 1;
	const stateBefore = await readState();
	clock.now += 1;
	return [stateBefore, await readState()];
}

describe('the duration of a migration', () => {
	test('is 3 seconds by default', async () => {
		expect(await readStatesAround(3000, {})).toEqual(['pending', 'complete']);
	});

	test('is taken from the environment', async () => {
		const env = {LEDGE_SIMULATE_MIGRATION_SECONDS: '0.5'};
		expect(await readStatesAround(500, env)).toEqual(['pending', 'complete']);
	});

	test('is taken from the option rather than the environment', async () => {
		const env = {LEDGE_SIMULATE_MIGRATION_SECONDS: '90'};
		expect(await readStatesAround(20_000, env, {migrationSeconds: 20})).toEqual(['pending', 'complete']);
	});

	test.each(['soon', '-1', '1e3', ' '])('%j in the environment is refused', given => {
		const env = {LEDGE_SIMULATE_MIGRATION_SECONDS: given};
		expect(() => openSimulator({env, cwd: '/', clock: {now: Date.now}, file: ':memory:'}, {})).toThrow(
			expect.toSatisfy((error: unknown) => isFailure(error, 'usage')),
		);
	});
});
