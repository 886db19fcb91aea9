import {describe, expect, test} from 'vitest';
import {deleteOverride} from '../../../source/migration/zone/delete-override.ts';
import type {Snapshot} from '../../../source/migration/zone/snapshot.ts';
import {zone} from '../support/answers.ts';
import {backupOf, one, other, told, zoneWith} from '../support/zone-with-overrides.ts';

describe('deleting an override', () => {
	test('that the backup holds', async () => {
		const at = zoneWith([one, other]);
		const {said, work} = told();
		expect(await deleteOverride(at.client, zone, 'a1', backupOf(one, other), work)).toEqual({
			state: 'deleted',
			id: 'a1',
		});
		expect(at.held()).toEqual([other]);
		expect(said).toEqual(['sends delete override a1', 'wrote delete override a1']);
	});

	test.each<[string, Snapshot | undefined, string]>([
		['without a backup', undefined, 'unconfirmed'],
		['that the backup lacks', backupOf(other), 'unconfirmed'],
		[
			'with the backup of another zone',
			{...backupOf(one), zone: {...zone, id: 'elsewhere'}},
			'input_malformed',
		],
		['that is otherwise in the backup', backupOf({...one, paused: true}), 'changed_meanwhile'],
	])('%s is refused', async (_name, backup, code) => {
		const at = zoneWith([one]);
		await expect(deleteOverride(at.client, zone, 'a1', backup, told().work)).rejects.toMatchObject({
			code,
			next: expect.stringMatching(/\w/),
		});
		expect(at.writes()).toEqual([]);
	});

	test('that is gone already changes nothing', async () => {
		const at = zoneWith([one]);
		at.set([]);
		const {said, work} = told();
		expect(await deleteOverride(at.client, zone, 'a1', backupOf(one), work)).toEqual({
			state: 'gone before',
			id: 'a1',
		});
		expect(at.writes()).toEqual([]);
		expect(said).toEqual([]);
	});

	test.each([
		['complete', 'already_migrated'],
		['pending', 'already_migrated'],
		['something new', 'not_eligible'],
	])('in the stage %s is refused', async (stage, code) => {
		const at = zoneWith([one], {stage});
		await expect(deleteOverride(at.client, zone, 'a1', backupOf(one), told().work)).rejects.toMatchObject({
			code,
		});
		expect(at.writes()).toEqual([]);
	});

	test('after a lost answer it is looked, and found gone', async () => {
		const at = zoneWith([one], {writes: 'lost after'});
		const {said, work} = told();
		expect(await deleteOverride(at.client, zone, 'a1', backupOf(one), work)).toMatchObject({
			state: 'deleted',
		});
		expect(at.writes()).toHaveLength(1);
		expect(said).toContain('wrote delete override a1');
	});

	test('after a lost answer it is looked, and found still there: nothing is sent again', async () => {
		const at = zoneWith([one], {writes: 'lost before'});
		const {said, work} = told();
		await expect(deleteOverride(at.client, zone, 'a1', backupOf(one), work)).rejects.toMatchObject({
			details: {
				outcomeUnknown: true,
				left: expect.stringContaining('still there'),
			},
			next: expect.stringContaining(`ledge migration overrides list --zone-id ${zone.id}`),
		});
		expect(at.writes()).toHaveLength(1);
		expect(said).not.toContain('wrote delete override a1');
	});

	test('is kept from by --read-only, and only shown by --dry-run', async () => {
		const locked = zoneWith([one], {options: {readOnly: true}});
		await expect(deleteOverride(locked.client, zone, 'a1', backupOf(one), told().work)).rejects.toMatchObject(
			{
				code: 'read_only',
			},
		);
		const dry = zoneWith([one], {options: {dryRun: true}});
		const {said, work} = told();
		await deleteOverride(dry.client, zone, 'a1', backupOf(one), work);
		expect([...locked.writes(), ...dry.writes(), ...said]).toEqual([]);
	});

	test.each(['', '.', '..'])('of the id "%s" asks nothing of the service', async id => {
		const at = zoneWith([one]);
		await expect(
			deleteOverride(at.client, zone, id, backupOf({...one, id}), told().work),
		).rejects.toMatchObject({
			code: 'usage',
		});
		expect(at.sent).toEqual([]);
	});
});
