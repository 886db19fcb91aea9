import {describe, expect, test} from 'vitest';
import {toFileConfiguration} from '../../source/managed/state.ts';
import {computeFingerprint} from '../../source/migration/configuration/configuration.ts';
import {managedRulesets} from '../../source/migration/configuration/mapping.ts';
import {readManagedEntryPoint} from '../../source/migration/zone/entry-point.ts';
import {never} from '../service/scripted-transport.ts';
import {managedZone, owaspRule, platformRule, stages} from './support.ts';

describe('the active configuration', () => {
	test('includes the rules with their ids, the fingerprint of the migration, and the catalogue', async () => {
		const {at, zone, read} = await managedZone();
		const inForce = await read();
		expect(inForce).toMatchObject({
			stage: 'complete',
			readOnlyReason: undefined,
			catalogueFailure: undefined,
		});
		expect(inForce.configuration.rules.map(({id}) => id)).toEqual([platformRule, owaspRule]);
		const migrated = await readManagedEntryPoint(at.direct, zone.id, never);
		expect(inForce.fingerprint).toBe(computeFingerprint(migrated?.configuration ?? {rules: []}));
		expect(computeFingerprint(toFileConfiguration(inForce.configuration))).toBe(inForce.fingerprint);
		const owasp = inForce.catalogue?.find(({id}) => id === managedRulesets.owasp.id);
		expect(owasp?.version).toMatch(/^\d+$/);
		expect(owasp?.rules?.at(-1)).toMatchObject({action: 'block', enabled: true, score_threshold: 40});
	});

	test.each(['previous', 'validation', 'pending'] as const)('is read-only in the stage %s', async stage => {
		const {read} = await managedZone(stage);
		const {readOnlyReason, stage: found} = await read();
		expect(found).toBe(stage);
		expect(readOnlyReason).toMatchObject({code: 'not_eligible', exitCode: 5});
	});

	test('is read-only if the service reports an unknown state', async () => {
		const {at, read} = await managedZone();
		at.intercept(request =>
			request.url.includes('/waf_migration/status')
				? Response.json({success: true, errors: [], messages: [], result: {migration_state: 'rolled_back'}})
				: undefined,
		);
		expect(await read()).toMatchObject({stage: 'unknown', readOnlyReason: {code: 'not_eligible'}});
	});

	test('is read-only, but shown, if the service withholds the state', async () => {
		const {at, read} = await managedZone();
		at.intercept(request =>
			request.url.includes('/waf_migration/')
				? Response.json(
						{success: false, errors: [{code: 1, message: 'retired'}], messages: [], result: null},
						{status: 410},
					)
				: undefined,
		);
		const inForce = await read();
		expect(inForce).toMatchObject({stage: 'unknown', readOnlyReason: {code: 'not_eligible'}});
		expect(inForce.configuration.rules).toHaveLength(2);
	});

	test('is not read if reading the state fails', async () => {
		const {at, read} = await managedZone();
		at.faults('status=500 path=/waf_migration/');
		await expect(read()).rejects.toMatchObject({code: 'service_failed'});
	});

	test('is known even without the catalogue', async () => {
		const {at, read} = await managedZone();
		at.intercept(request =>
			new URL(request.url).pathname.endsWith(`/zones/${stages.complete.id}/rulesets`)
				? Response.json(
						{success: false, errors: [{code: 1, message: 'no'}], messages: [], result: null},
						{status: 403},
					)
				: undefined,
		);
		const inForce = await read();
		expect(inForce.catalogue).toBeUndefined();
		expect(inForce.catalogueFailure).toBeDefined();
		expect(inForce.readOnlyReason).toBeUndefined();
	});
});
