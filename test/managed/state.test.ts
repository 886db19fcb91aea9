import {describe, expect, test} from 'vitest';
import {toFileConfiguration} from '../../source/managed/state.ts';
import {computeFingerprint} from '../../source/migration/configuration/configuration.ts';
import {managedRulesets} from '../../source/migration/configuration/mapping.ts';
import {readManagedEntryPoint} from '../../source/migration/zone/entry-point.ts';
import {neverAbortedSignal} from '../service/scripted-transport.ts';
import {activeOwaspRuleId, activePlatformRuleId, openManagedZone, sampleZonesByStage} from './support.ts';

describe('the active configuration', () => {
	test('includes the rules with their ids, the fingerprint of the migration, and the catalogue', async () => {
		const {testZone, zone, read} = await openManagedZone();
		const activeState = await read();
		expect(activeState).toMatchObject({
			stage: 'complete',
			readOnlyReason: undefined,
			catalogueFailure: undefined,
		});
		expect(activeState.configuration.rules.map(({id}) => id)).toEqual([
			activePlatformRuleId,
			activeOwaspRuleId,
		]);
		const entryPoint = await readManagedEntryPoint(testZone.direct, zone.id, neverAbortedSignal);
		expect(activeState.fingerprint).toBe(computeFingerprint(entryPoint?.configuration ?? {rules: []}));
		expect(computeFingerprint(toFileConfiguration(activeState.configuration))).toBe(activeState.fingerprint);
		const owasp = activeState.catalogue?.find(({id}) => id === managedRulesets.owasp.id);
		expect(owasp?.version).toMatch(/^\d+$/);
		expect(owasp?.rules?.at(-1)).toMatchObject({action: 'block', enabled: true, score_threshold: 40});
	});

	test.each(['previous', 'validation', 'pending'] as const)('is read-only in the stage %s', async stage => {
		const {read} = await openManagedZone(stage);
		const {readOnlyReason, stage: found} = await read();
		expect(found).toBe(stage);
		expect(readOnlyReason).toMatchObject({code: 'not_eligible', exitCode: 5});
	});

	test('is read-only if the service reports an unknown state', async () => {
		const {testZone, read} = await openManagedZone();
		testZone.intercept(request =>
			request.url.includes('/waf_migration/status')
				? Response.json({success: true, errors: [], messages: [], result: {migration_state: 'rolled_back'}})
				: undefined,
		);
		expect(await read()).toMatchObject({stage: 'unknown', readOnlyReason: {code: 'not_eligible'}});
	});

	test('is read-only, but shown, if the service withholds the state', async () => {
		const {testZone, read} = await openManagedZone();
		testZone.intercept(request =>
			request.url.includes('/waf_migration/')
				? Response.json(
						{success: false, errors: [{code: 1, message: 'retired'}], messages: [], result: null},
						{status: 410},
					)
				: undefined,
		);
		const activeState = await read();
		expect(activeState).toMatchObject({stage: 'unknown', readOnlyReason: {code: 'not_eligible'}});
		expect(activeState.configuration.rules).toHaveLength(2);
	});

	test('is not read if reading the state fails', async () => {
		const {testZone, read} = await openManagedZone();
		testZone.setFaults('status=500 path=/waf_migration/');
		await expect(read()).rejects.toMatchObject({code: 'service_failed'});
	});

	test('is known even without the catalogue', async () => {
		const {testZone, read} = await openManagedZone();
		testZone.intercept(request =>
			new URL(request.url).pathname.endsWith(`/zones/${sampleZonesByStage.complete.id}/rulesets`)
				? Response.json(
						{success: false, errors: [{code: 1, message: 'no'}], messages: [], result: null},
						{status: 403},
					)
				: undefined,
		);
		const activeState = await read();
		expect(activeState.catalogue).toBeUndefined();
		expect(activeState.catalogueFailure).toBeDefined();
		expect(activeState.readOnlyReason).toBeUndefined();
	});
});
