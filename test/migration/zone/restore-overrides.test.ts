import {describe, expect, test} from 'vitest';
import {restoreOverrides} from '../../../source/migration/zone/restore-overrides.ts';
import {zone} from '../support/answers.ts';
import {
	adminOverride,
	checkoutOverride,
	createOverridesBackup,
	createZoneWithOverrides,
	recordWork,
} from '../support/zone-with-overrides.ts';

describe('restoring overrides', () => {
	test('brings them back unchanged, and reports their new ids', async () => {
		const service = createZoneWithOverrides([]);
		const {said: messages, work} = recordWork();
		expect(
			await restoreOverrides(
				service.client,
				zone,
				createOverridesBackup(checkoutOverride, adminOverride),
				'all',
				work,
			),
		).toEqual([
			{state: 'restored', id: 'a1', as: 'new1'},
			{state: 'restored', id: 'b2', as: 'new2'},
		]);
		expect(service.listOverrides()).toMatchObject([
			{...checkoutOverride, id: 'new1'},
			{...adminOverride, id: 'new2'},
		]);
		expect(messages).toContain('wrote restore override a1 as new1');
	});

	test('sends no fields added by the service, and no empty ones', async () => {
		const service = createZoneWithOverrides([]);
		const storedOverride = {
			...checkoutOverride,
			groups: {},
			created_on: 'x',
			modified_on: 'y',
			zone_id: zone.id,
		};
		await restoreOverrides(
			service.client,
			zone,
			createOverridesBackup(storedOverride),
			'all',
			recordWork().work,
		);
		const {id: _, ...body} = checkoutOverride;
		expect(JSON.parse(String(service.sent.find(({method}) => method === 'POST')?.body))).toEqual(body);
	});

	test('restores only those requested', async () => {
		const service = createZoneWithOverrides([]);
		expect(
			await restoreOverrides(
				service.client,
				zone,
				createOverridesBackup(checkoutOverride, adminOverride),
				['b2', 'b2'],
				recordWork().work,
			),
		).toEqual([{state: 'restored', id: 'b2', as: 'new1'}]);
	});

	test('refuses an id missing from the backup before any call', async () => {
		const service = createZoneWithOverrides([]);
		await expect(
			restoreOverrides(
				service.client,
				zone,
				createOverridesBackup(checkoutOverride),
				['zz'],
				recordWork().work,
			),
		).rejects.toMatchObject({code: 'not_found', next: expect.stringContaining('a1')});
		expect(service.sent).toEqual([]);
	});

	test('leaves alone those that exist or were restored before', async () => {
		const service = createZoneWithOverrides([checkoutOverride]);
		const restoreAll = () =>
			restoreOverrides(
				service.client,
				zone,
				createOverridesBackup(checkoutOverride, adminOverride),
				'all',
				recordWork().work,
			);
		expect(await restoreAll()).toEqual([
			{state: 'there already', id: 'a1', as: 'a1'},
			{state: 'restored', id: 'b2', as: 'new1'},
		]);
		expect(await restoreAll()).toEqual([
			{state: 'there already', id: 'a1', as: 'a1'},
			{state: 'there already', id: 'b2', as: 'new1'},
		]);
		expect(service.listOverrides()).toHaveLength(2);
	});

	test('does not create an override that someone else restores meanwhile', async () => {
		const service = createZoneWithOverrides([]);
		const {work} = recordWork();
		const onWritten = () =>
			service.setOverrides([...service.listOverrides(), {...adminOverride, id: 'theirs'}]);
		expect(
			await restoreOverrides(
				service.client,
				zone,
				createOverridesBackup(checkoutOverride, adminOverride),
				'all',
				{...work, onWritten},
			),
		).toEqual([
			{state: 'restored', id: 'a1', as: 'new1'},
			{state: 'there already', id: 'b2', as: 'theirs'},
		]);
		expect(service.listWrites()).toHaveLength(1);
	});

	test('restores two with the same content, and no third', async () => {
		const twin = {...checkoutOverride, id: 'a2'};
		const service = createZoneWithOverrides([checkoutOverride]);
		const restoreAll = () =>
			restoreOverrides(
				service.client,
				zone,
				createOverridesBackup(checkoutOverride, twin),
				'all',
				recordWork().work,
			);
		await restoreAll();
		expect(await restoreAll()).toEqual([
			{state: 'there already', id: 'a1', as: 'a1'},
			{state: 'there already', id: 'a2', as: 'new1'},
		]);
		expect(service.listOverrides()).toHaveLength(2);
	});

	test('leaves an override that has changed since the backup', async () => {
		const service = createZoneWithOverrides([{...checkoutOverride, paused: true}]);
		expect(
			await restoreOverrides(
				service.client,
				zone,
				createOverridesBackup(checkoutOverride),
				'all',
				recordWork().work,
			),
		).toEqual([{state: 'there otherwise', id: 'a1', as: 'a1'}]);
		expect(service.listWrites()).toEqual([]);
	});

	test('finds the new override after a lost response, and does not create it again', async () => {
		const service = createZoneWithOverrides([], {writeOutcome: 'lost after'});
		expect(
			await restoreOverrides(
				service.client,
				zone,
				createOverridesBackup(checkoutOverride),
				'all',
				recordWork().work,
			),
		).toEqual([{state: 'restored', id: 'a1', as: 'new1'}]);
		expect(service.listWrites()).toHaveLength(1);
	});

	test('does not mistake an existing twin for the new override after a lost response', async () => {
		const twin = {...checkoutOverride, id: 'a2'};
		const service = createZoneWithOverrides([checkoutOverride], {writeOutcome: 'lost before'});
		expect(
			await restoreOverrides(
				service.client,
				zone,
				createOverridesBackup(checkoutOverride, twin),
				['a2'],
				recordWork().work,
			),
		).toMatchObject([{state: 'failed', id: 'a2', failure: {details: {outcomeUnknown: true}}}]);
	});

	test('stops at the first failure, and lists what was not tried', async () => {
		const service = createZoneWithOverrides([], {writeOutcome: 'refused'});
		expect(
			await restoreOverrides(
				service.client,
				zone,
				createOverridesBackup(checkoutOverride, adminOverride),
				'all',
				recordWork().work,
			),
		).toMatchObject([
			{state: 'failed', id: 'a1', failure: {code: 'refused_by_service'}},
			{state: 'not tried', id: 'b2'},
		]);
		expect(service.listWrites()).toHaveLength(1);
	});

	test('is impossible after the migration', async () => {
		const service = createZoneWithOverrides([], {stage: 'complete'});
		await expect(
			restoreOverrides(
				service.client,
				zone,
				createOverridesBackup(checkoutOverride),
				'all',
				recordWork().work,
			),
		).rejects.toMatchObject({
			code: 'already_migrated',
			next: expect.stringContaining('exceptions'),
		});
		expect(service.listWrites()).toEqual([]);
	});

	test('is refused for another zone', async () => {
		const service = createZoneWithOverrides([]);
		const backupOfOtherZone = {
			...createOverridesBackup(checkoutOverride),
			zone: {...zone, id: 'elsewhere', name: 'elsewhere.example'},
		};
		await expect(
			restoreOverrides(service.client, zone, backupOfOtherZone, 'all', recordWork().work),
		).rejects.toMatchObject({
			code: 'input_malformed',
			details: {why: expect.stringContaining('elsewhere.example')},
		});
		expect(service.sent).toEqual([]);
	});
});
