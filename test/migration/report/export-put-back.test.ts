import {expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {exportConfiguration} from '../../../source/migration/report/export.ts';
import {readProposedConfiguration} from '../../../source/migration/zone/calls.ts';
import {readManagedEntryPoint} from '../../../source/migration/zone/entry-point.ts';
import {connectSimulated} from '../../../source/service/connect.ts';
import {createSimulator, migrationZones} from '../../../source/simulator/simulator.ts';

const {signal} = new AbortController();

test.each([
	['shop', 'pending'],
	['pay', 'pending'],
	['acme', 'validation'],
] as const)('%s exported as JSON and put back with %s gives the same configuration', async (name, mode) => {
	using simulator = createSimulator();
	const client = connectSimulated(request => simulator.fetch(request), {environment: {}, userAgent: 'test'});
	const id = migrationZones[name];
	const {configuration} = await readProposedConfiguration(client, id, signal);
	const body = exportConfiguration(configuration, {id, name}, {format: 'json'});
	const response = await simulator.fetch(
		new Request(
			`http://simulated.invalid/client/v4/zones/${id}/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=${mode}&phase_two=1`,
			{
				method: 'PUT',
				headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
				body,
			},
		),
	);
	expect(response.status).toBe(200);
	const storedEntryPoint = await readManagedEntryPoint(client, id, signal);
	expect(storedEntryPoint && computeFingerprint(storedEntryPoint.configuration)).toBe(
		computeFingerprint(configuration),
	);
	// Exporting the active configuration gives the same text again.
	expect(
		storedEntryPoint && exportConfiguration(storedEntryPoint.configuration, {id, name}, {format: 'json'}),
	).toBe(body);
});
