import {describe, expect, test} from 'vitest';
import {restoreOverrides} from '../../../source/migration/zone/restore-overrides.ts';
import {zone} from '../support/answers.ts';
import {backupOf, one, other, told, zoneWith} from '../support/zone-with-overrides.ts';

describe('restoring overrides', () => {
	test('brings them back as they were, and tells their new ids', async () => {
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

	test('sends nothing that the service gives by itself, and nothing empty', async () => {
		const at = zoneWith([]);
		const held = {...one, groups: {}, created_on: 'x', modified_on: 'y', zone_id: zone.id};
		await restoreOverrides(at.client, zone, backupOf(held), 'all', told().work);
		const {id: _, ...body} = one;
		expect(JSON.parse(String(at.sent.find(({method}) => method === 'POST')?.body))).toEqual(body);
	});

	test('only those that were asked for', async () => {
		const at = zoneWith([]);
		expect(await restoreOverrides(at.client, zone, backupOf(one, other), ['b2', 'b2'], told().work)).toEqual([
			{state: 'restored', id: 'b2', as: 'new1'},
		]);
	});

	test('an id that is not in the backup is refused before anything is asked', async () => {
		const at = zoneWith([]);
		await expect(restoreOverrides(at.client, zone, backupOf(one), ['zz'], told().work)).rejects.toMatchObject(
			{code: 'not_found', next: expect.stringContaining('a1')},
		);
		expect(at.sent).toEqual([]);
	});

	test('never twice: what is there, or was brought back before, is left alone', async () => {
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

	test('one that someone else restores meanwhile is not created a second time', async () => {
		const at = zoneWith([]);
		const {work} = told();
		const onWrite = () => at.set([...at.held(), {...other, id: 'theirs'}]);
		expect(await restoreOverrides(at.client, zone, backupOf(one, other), 'all', {...work, onWrite})).toEqual([
			{state: 'restored', id: 'a1', as: 'new1'},
			{state: 'there already', id: 'b2', as: 'theirs'},
		]);
		expect(at.writes()).toHaveLength(1);
	});

	test('two of the same content both come back, and no third', async () => {
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

	test('one that was changed since is left as it is', async () => {
		const at = zoneWith([{...one, paused: true}]);
		expect(await restoreOverrides(at.client, zone, backupOf(one), 'all', told().work)).toEqual([
			{state: 'there otherwise', id: 'a1', as: 'a1'},
		]);
		expect(at.writes()).toEqual([]);
	});

	test('after a lost answer the new one is found, and not made again', async () => {
		const at = zoneWith([], {writes: 'lost after'});
		expect(await restoreOverrides(at.client, zone, backupOf(one), 'all', told().work)).toEqual([
			{state: 'restored', id: 'a1', as: 'new1'},
		]);
		expect(at.writes()).toHaveLength(1);
	});

	test('after a lost answer a twin that was there before is not taken for it', async () => {
		const twin = {...one, id: 'a2'};
		const at = zoneWith([one], {writes: 'lost before'});
		expect(await restoreOverrides(at.client, zone, backupOf(one, twin), ['a2'], told().work)).toMatchObject([
			{state: 'failed', id: 'a2', failure: {details: {outcomeUnknown: true}}},
		]);
	});

	test('the first failure ends it, and what was not tried is said', async () => {
		const at = zoneWith([], {writes: 'refused'});
		expect(await restoreOverrides(at.client, zone, backupOf(one, other), 'all', told().work)).toMatchObject([
			{state: 'failed', id: 'a1', failure: {code: 'refused_by_service'}},
			{state: 'not tried', id: 'b2'},
		]);
		expect(at.writes()).toHaveLength(1);
	});

	test('after the migration there is nothing to bring them back to', async () => {
		const at = zoneWith([], {stage: 'complete'});
		await expect(restoreOverrides(at.client, zone, backupOf(one), 'all', told().work)).rejects.toMatchObject({
			code: 'already_migrated',
			next: expect.stringContaining('exceptions'),
		});
		expect(at.writes()).toEqual([]);
	});

	test('into another zone is refused', async () => {
		const at = zoneWith([]);
		const elsewhere = {...backupOf(one), zone: {...zone, id: 'elsewhere', name: 'elsewhere.example'}};
		await expect(restoreOverrides(at.client, zone, elsewhere, 'all', told().work)).rejects.toMatchObject({
			code: 'input_malformed',
			details: {why: expect.stringContaining('elsewhere.example')},
		});
		expect(at.sent).toEqual([]);
	});
});
