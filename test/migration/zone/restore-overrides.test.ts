import {describe, expect, test} from 'vitest';
import {restoreOverrides} from '../../../source/migration/zone/restore-overrides.ts';
import {zone} from '../support/answers.ts';
import {backupOf, one, other, told, zoneWith} from '../support/zone-with-overrides.ts';

describe('restoring overrides', () => {
	test('brings them back unchanged, and reports their new ids', async () => {
		const at = zoneWith([]);
		const {said, work} = told();
		expect(await restoreOverrides(at.client, zone, backupOf(one, other), 'all', work)).toEqual([
			{state: 'restored', id: 'a1', as: 'new1'},
			{state: 'restored', id: 'b2', as: 'new2'},
		]);
		expect(at.held()).toMatchObject([
			{...one, id: 'new1'},
			{...other, id: 'new2'},
		]);
		expect(said).toContain('wrote restore override a1 as new1');
	});

	test('sends no fields added by the service, and no empty ones', async () => {
		const at = zoneWith([]);
		const held = {...one, groups: {}, created_on: 'x', modified_on: 'y', zone_id: zone.id};
		await restoreOverrides(at.client, zone, backupOf(held), 'all', told().work);
		const {id: _, ...body} = one;
		expect(JSON.parse(String(at.sent.find(({method}) => method === 'POST')?.body))).toEqual(body);
	});

	test('restores only those requested', async () => {
		const at = zoneWith([]);
		expect(await restoreOverrides(at.client, zone, backupOf(one, other), ['b2', 'b2'], told().work)).toEqual([
			{state: 'restored', id: 'b2', as: 'new1'},
		]);
	});

	test('refuses an id missing from the backup before any call', async () => {
		const at = zoneWith([]);
		await expect(restoreOverrides(at.client, zone, backupOf(one), ['zz'], told().work)).rejects.toMatchObject(
			{code: 'not_found', next: expect.stringContaining('a1')},
		);
		expect(at.sent).toEqual([]);
	});

	test('leaves alone those that exist or were restored before', async () => {
		const at = zoneWith([one]);
		const again = () => restoreOverrides(at.client, zone, backupOf(one, other), 'all', told().work);
		expect(await again()).toEqual([
			{state: 'there already', id: 'a1', as: 'a1'},
			{state: 'restored', id: 'b2', as: 'new1'},
		]);
		expect(await again()).toEqual([
			{state: 'there already', id: 'a1', as: 'a1'},
			{state: 'there already', id: 'b2', as: 'new1'},
		]);
		expect(at.held()).toHaveLength(2);
	});

	test('does not create one again that someone else restores meanwhile', async () => {
		const at = zoneWith([]);
		const {work} = told();
		const onWrite = () => at.set([...at.held(), {...other, id: 'theirs'}]);
		expect(await restoreOverrides(at.client, zone, backupOf(one, other), 'all', {...work, onWrite})).toEqual([
			{state: 'restored', id: 'a1', as: 'new1'},
			{state: 'there already', id: 'b2', as: 'theirs'},
		]);
		expect(at.writes()).toHaveLength(1);
	});

	test('restores two with the same content, and no third', async () => {
		const twin = {...one, id: 'a2'};
		const at = zoneWith([one]);
		const again = () => restoreOverrides(at.client, zone, backupOf(one, twin), 'all', told().work);
		await again();
		expect(await again()).toEqual([
			{state: 'there already', id: 'a1', as: 'a1'},
			{state: 'there already', id: 'a2', as: 'new1'},
		]);
		expect(at.held()).toHaveLength(2);
	});

	test('leaves one that has changed since', async () => {
		const at = zoneWith([{...one, paused: true}]);
		expect(await restoreOverrides(at.client, zone, backupOf(one), 'all', told().work)).toEqual([
			{state: 'there otherwise', id: 'a1', as: 'a1'},
		]);
		expect(at.writes()).toEqual([]);
	});

	test('finds the new one after a lost answer, and does not create it again', async () => {
		const at = zoneWith([], {writes: 'lost after'});
		expect(await restoreOverrides(at.client, zone, backupOf(one), 'all', told().work)).toEqual([
			{state: 'restored', id: 'a1', as: 'new1'},
		]);
		expect(at.writes()).toHaveLength(1);
	});

	test('does not mistake an existing twin for the new one after a lost answer', async () => {
		const twin = {...one, id: 'a2'};
		const at = zoneWith([one], {writes: 'lost before'});
		expect(await restoreOverrides(at.client, zone, backupOf(one, twin), ['a2'], told().work)).toMatchObject([
			{state: 'failed', id: 'a2', failure: {details: {outcomeUnknown: true}}},
		]);
	});

	test('stops at the first failure, and lists what was not tried', async () => {
		const at = zoneWith([], {writes: 'refused'});
		expect(await restoreOverrides(at.client, zone, backupOf(one, other), 'all', told().work)).toMatchObject([
			{state: 'failed', id: 'a1', failure: {code: 'refused_by_service'}},
			{state: 'not tried', id: 'b2'},
		]);
		expect(at.writes()).toHaveLength(1);
	});

	test('is impossible after the migration', async () => {
		const at = zoneWith([], {stage: 'complete'});
		await expect(restoreOverrides(at.client, zone, backupOf(one), 'all', told().work)).rejects.toMatchObject({
			code: 'already_migrated',
			next: expect.stringContaining('exceptions'),
		});
		expect(at.writes()).toEqual([]);
	});

	test('is refused for another zone', async () => {
		const at = zoneWith([]);
		const elsewhere = {...backupOf(one), zone: {...zone, id: 'elsewhere', name: 'elsewhere.example'}};
		await expect(restoreOverrides(at.client, zone, elsewhere, 'all', told().work)).rejects.toMatchObject({
			code: 'input_malformed',
			details: {why: expect.stringContaining('elsewhere.example')},
		});
		expect(at.sent).toEqual([]);
	});
});
