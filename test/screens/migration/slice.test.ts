import {existsSync, readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {listBlockerRows, listStepMarks} from '../../../source/screens/migration/state.ts';
import {simulatedBaseUrl} from '../../../source/settings/base-url.ts';
import {createAnotherStore} from '../support/bulk.ts';
import {acme, blog, createMigratingPerson, legacy, shop} from '../support/migration-store.ts';
import {createTestStore} from '../support/store.ts';

describe('the migration of a zone', () => {
	test('goes straight to deployment, is verified and reported', async () => {
		const person = await createMigratingPerson(shop);
		await person.goToConfirmation('direct');
		await person.confirm(shop.name);
		const {step, record, verification, reportPath, failure} = person.migration();
		expect(failure).toBeUndefined();
		expect([step, record.state]).toEqual(['done', 'complete']);
		expect(verification?.sameAsReviewed).toBe(true);
		expect(readFileSync(reportPath ?? '', 'utf8')).toContain(shop.name);
		expect(person.countPuts()).toBe(1);
	});

	test('goes through validation, and ends with marking the zone as ready and turning off the previous version', async () => {
		const person = await createMigratingPerson(acme);
		await person.goToConfirmation('validation first');
		await person.confirm(acme.name);
		expect([person.migration().step, person.migration().record.state]).toEqual(['watch', 'validating']);
		await person.choose('ready to update');
		await person.choose('turn off previous version');
		expect(person.migration().step).toBe('confirm');
		await person.confirm(acme.name);
		expect([person.migration().step, person.migration().record.state]).toEqual(['done', 'complete']);
		expect(person.countPuts()).toBe(2);
	});

	test('sends nothing if another name is typed', async () => {
		const person = await createMigratingPerson(shop);
		await person.goToConfirmation('direct');
		await person.confirm('acme-shop.exampl');
		expect(person.countPuts()).toBe(0);
		expect(person.getMessageText()).toBe('Does not match. Type acme-shop.example.');
		// With its mark, the message fits into 60 columns.
		expect(person.getMessageText().length).toBeLessThan(58);
	});

	test('sends nothing if enter comes before the confirmation can be read', async () => {
		const person = await createMigratingPerson(shop);
		await person.goToConfirmation('direct');
		person.type(shop.name);
		await person.state().migration.confirmSending();
		expect(person.countPuts()).toBe(0);
		expect(person.getMessageText()).toContain('Too fast');
	});

	test('sends nothing if ledge is read-only', async () => {
		const person = await createMigratingPerson(shop, createTestStore({simulate: true, readOnly: true}));
		await person.goToConfirmation('direct');
		await person.confirm(shop.name);
		expect(person.countPuts()).toBe(0);
		expect(person.getMessageText()).toContain('read-only');
	});

	test('needs another review after an edit, and undo reverts the edit', async () => {
		const person = await createMigratingPerson(shop);
		await person.goToConfirmation('direct');
		const before = person.migration().configuration;
		person.state().migration.applyEdit({kind: 'paranoia level', level: 4});
		await person.state().migration.waitForReviewDrops();
		expect([person.migration().step, person.migration().record.state]).toEqual(['edit', 'eligible']);
		person.state().migration.undoEdit();
		expect(person.migration().configuration).toEqual(before);
	});

	test('can be rehearsed, which sends nothing to the zone', async () => {
		const person = await createMigratingPerson(shop);
		await person.choose('read');
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		await person.enter();
		await person.choose('direct');
		expect(person.choices()).toEqual(['rehearse', 'without rehearsal']);
		await person.choose('rehearse');
		expect(person.migration().failure).toBeUndefined();
		expect(person.migration().rehearsal?.ended).toBe('complete');
		expect(person.choices()).toEqual(['without rehearsal', 'rehearse']);
		expect(person.countPuts()).toBe(0);
	});

	test('resumes at the step recorded in its journal', async () => {
		const first = await createMigratingPerson(shop);
		await first.goToConfirmation('direct');
		first.state().migration.leave();
		const reopened = await createMigratingPerson(shop, first.testStore);
		expect(reopened.migration().access).toEqual({name: 'open', isResumed: true});
		await reopened.choose('continue');
		expect([reopened.migration().step, reopened.migration().record.state]).toEqual(['path', 'reviewed']);
	});

	test('is view-only while another process holds its journal', async () => {
		const first = await createMigratingPerson(shop);
		await first.choose('read');
		const {store} = createAnotherStore(first.testStore);
		await store.getState().migration.open(shop);
		expect(store.getState().migration.data?.access).toMatchObject({
			name: 'held',
			failure: {code: 'job_running'},
		});
	});

	test('shows the blockers, and deletes an override after backing it up', async () => {
		const person = await createMigratingPerson(legacy);
		await person.choose('read');
		await person.choose('continue');
		expect(person.migration().step).toBe('blockers');
		expect(listStepMarks(person.migration()).find(({step}) => step === 'blockers')?.mark).toBe('failed');
		const rows = listBlockerRows(person.migration()).filter(row => row.kind === 'override');
		const [row] = rows;
		expect(row).toBeDefined();
		await person.state().migration.deleteOverrides([row?.kind === 'override' ? row.id : '']);
		expect(person.migration().failure).toBeUndefined();
		expect(listBlockerRows(person.migration()).filter(one => one.kind === 'override')).toHaveLength(
			rows.length - 1,
		);
		expect(existsSync(person.migration().backup?.folder ?? '')).toBe(true);
		expect(person.countPuts()).toBe(0);
	});

	test('does not delete an override that someone changed since it was shown', async () => {
		const person = await createMigratingPerson(legacy);
		await person.choose('read');
		await person.choose('continue');
		const shown = person.migration().snapshot?.overrides[0];
		await person.testStore.simulator.fetch(
			new Request(`${simulatedBaseUrl}/zones/${legacy.id}/firewall/waf/overrides/${shown?.id}`, {
				method: 'PUT',
				headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
				body: JSON.stringify({...shown, description: 'changed meanwhile'}),
			}),
		);
		await person.state().migration.deleteOverrides([String(shown?.id)]);
		expect(person.migration().failure?.code).toBe('changed_meanwhile');
		expect(person.migration().failure?.message).toContain('has changed since it was shown');
	});

	test('reports that a zone on the Free plan is not eligible', async () => {
		const person = await createMigratingPerson(blog);
		await person.choose('read');
		expect(person.migration().failure).toBeUndefined();
		expect(person.migration().eligibility?.eligible).toBe(false);
	});

	test('names the command to continue when ledge quits after a review', async () => {
		const person = await createMigratingPerson(shop);
		await person.goToConfirmation('direct');
		expect(person.state().migration.getQuitMessage()).toContain('ledge migration resume');
	});

	test('finds out the outcome of a PUT with a lost response, and sends it once', async () => {
		const person = await createMigratingPerson(shop);
		await person.goToConfirmation('direct');
		person.testStore.simulator.faults.replace('method=PUT path=entrypoint lost-answer');
		await person.confirm(shop.name);
		expect(person.migration().record.state).toBe('complete');
		expect(person.countPuts()).toBe(1);
	});

	test('needs another confirmation if no managed rules would be left', async () => {
		const person = await createMigratingPerson(shop);
		await person.choose('read');
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		const {configuration} = person.migration();
		for (const [rule, {action}] of (configuration?.rules ?? []).entries())
			if (action === 'execute')
				person.state().migration.applyEdit({kind: 'rule enabled', rule, enabled: false});
		await person.state().migration.waitForReviewDrops();
		await person.enter();
		await person.enter();
		if (person.migration().step === 'review') throw new Error(person.getMessageText());
		await person.choose('direct');
		await person.choose('without rehearsal');
		await person.confirm(shop.name);
		expect(person.migration().expectedInput).toBe('word about protection');
		expect(person.countPuts()).toBe(0);
		await person.confirm('unprotected');
		expect(person.migration().record.state).toBe('complete');
	});

	test('shows changes by someone else between two steps, sends nothing, and offers to take over', async () => {
		const person = await createMigratingPerson(acme);
		await person.goToConfirmation('validation first');
		const response = await person.testStore.simulator.fetch(
			new Request(
				`${simulatedBaseUrl}/zones/${acme.id}/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=pending&phase_two=1`,
				{
					method: 'PUT',
					headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
					body: JSON.stringify({
						name: 'default',
						rules: [
							{action: 'execute', expression: 'true', action_parameters: {id: managedRulesets.owasp.id}},
						],
					}),
				},
			),
		);
		expect(response.status).toBe(200);
		await person.confirm(acme.name);
		expect(person.countPuts()).toBe(0);
		expect(person.migration().record.state).toBe('moved on');
		expect(person.choices()).toContain('take over');
	});
});
