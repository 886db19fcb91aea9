import {expect, test} from 'vitest';
import {actions} from '../../../source/screens/actions.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {simulatedBaseUrl} from '../../../source/settings/base-url.ts';
import {migratedSampleZone, watchWrites} from '../support/custom-rules.ts';
import {atManaged, getDialog} from '../support/managed.ts';
import {buildZone} from '../support/migration-store.ts';
import {createTestStore} from '../support/store.ts';

const check = buildZone('c4e8a1f05b3d4c7e8f9a0b1c2d3e4f52', 'check.acme.example', 'enterprise');

test('V restores an earlier version with one call', async () => {
	const person = await atManaged();
	person.press('T');
	person.answer('score', '25');
	person.send();
	await person.idle();
	person.press('V');
	await person.testStore.until(
		({versions: {data: versions}, work: {list: work}}) => versions?.reading === 'read' && work.length === 0,
	);
	person.press('down');
	await person.idle();
	const writes = watchWrites(person.testStore);
	person.press('u');
	expect(getDialog(person.testStore, 'field').lines[0]).toBe('OWASP: score threshold 25 → 40, blocks less.');
	person.answer(migratedSampleZone.name);
	await person.idle();
	expect(getCurrentScreen(person.state())).toBe('managed');
	expect(writes).toMatchObject([{method: 'PATCH'}]);
	expect(person.getMessageText()).toContain('Restored version 1');
});

test('V restores no version of a zone that has not completed its migration, and says why', async () => {
	const testStore = createTestStore();
	const path = `/zones/${check.id}/rulesets/phases/http_request_firewall_managed/entrypoint`;
	const response = await testStore.simulator.fetch(
		new Request(`${simulatedBaseUrl}${path}?waf_migration=validation&phase_two=1`, {
			method: 'PUT',
			headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
			body: JSON.stringify({name: 'default', rules: []}),
		}),
	);
	expect(response.status).toBe(200);
	const person = await atManaged(testStore, check);
	person.press('V');
	await person.testStore.until(
		({versions: {data: versions}, work: {list: work}}) => versions?.reading === 'read' && work.length === 0,
	);
	const restoreAction = actions.find(({id}) => id === 'versions.restore');
	expect(restoreAction?.getUnavailableReason?.(person.state())).toBe('this version is already active');
	person.press('down');
	await person.idle();
	expect(restoreAction?.getUnavailableReason?.(person.state())).toContain('has not completed its migration');
});
