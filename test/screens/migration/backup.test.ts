import {existsSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {createKey} from '../../../source/keyboard/key.ts';
import {simulatedBaseUrl} from '../../../source/settings/base-url.ts';
import {acme, createMigratingPerson, shop} from '../support/migration-store.ts';

describe('the backup of a migration', () => {
	test('needs another confirmation if it lacks settings that will be lost, and names them', async () => {
		const person = await createMigratingPerson(acme);
		person.testStore.simulator.faults.replace('method=GET path=firewall/waf/overrides status=403');
		await person.goToConfirmation('direct');
		await person.confirm(acme.name);
		expect(person.migration().expectedInput).toBe('word about the backup');
		expect(person.migration().failure?.details.why).toContain('the URI-based overrides');
		expect(person.countPuts()).toBe(0);
		await person.confirm(acme.name);
		expect(person.countPuts()).toBe(0);
		for (const _ of acme.name) person.state().migration.type(createKey('backspace', ''));
		await person.confirm('incomplete');
		expect(person.migration().failure).toBeUndefined();
		expect(person.migration().record.state).toBe('complete');
		expect(person.countPuts()).toBe(1);
	});

	test('is created when the review begins, not by reading, and once if nothing changes', async () => {
		const person = await createMigratingPerson(shop);
		await person.choose('read');
		expect(person.migration().backup).toBeUndefined();
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		const {backup} = person.migration();
		expect(backup?.objects).toBeGreaterThan(0);
		person.state().migration.leave();
		const reopened = await createMigratingPerson(shop, person.testStore);
		await reopened.choose('continue');
		expect(reopened.migration().step).toBe('review');
		expect(reopened.migration().backup).toEqual(backup);
	});

	test('is created again if the zone differs from the newest backup', async () => {
		const person = await createMigratingPerson(shop);
		await person.choose('read');
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		const {backup} = person.migration();
		await person.testStore.simulator.fetch(
			new Request(`${simulatedBaseUrl}/zones/${shop.id}/filters`, {
				method: 'POST',
				headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
				body: JSON.stringify([{expression: 'ip.src eq 192.0.2.77'}]),
			}),
		);
		person.state().migration.leave();
		const reopened = await createMigratingPerson(shop, person.testStore);
		await reopened.choose('continue');
		expect(reopened.migration().backup?.folder).not.toBe(backup?.folder);
		expect(existsSync(backup?.folder ?? '')).toBe(true);
	});
});
