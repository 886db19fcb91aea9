import {setImmediate as turn} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {simulatedBaseUrl} from '../../../source/settings/base-url.ts';
import {createTestApp} from '../support/drawn.tsx';
import {acme, createMigratingPerson} from '../support/migration-store.ts';
import type {TestStore} from '../support/store.ts';

/** Sends a request about a zone as someone else; returns the result. */
async function sendAsOther(
	{simulator}: TestStore,
	method: string,
	path: string,
	body?: unknown,
): Promise<readonly {readonly id: string; readonly detection_mode?: string}[]> {
	const response = await simulator.fetch(
		new Request(`${simulatedBaseUrl}/zones/${acme.id}/${path}`, {
			method,
			headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		}),
	);
	const {result, errors} = (await response.json()) as {
		result: readonly {id: string; detection_mode?: string}[];
		errors: unknown;
	};
	if (!response.ok) throw new Error(JSON.stringify(errors));
	return result;
}

async function pressRefresh(testStore: TestStore): Promise<void> {
	dispatch(createTestApp(testStore), {name: 'ctrl-r', text: '', sequence: ''});
	await testStore.until(({work: {list: work}}) => work.length === 0);
	await turn();
}

describe('reading the zone of a migration again', () => {
	test('shows what blocks it now, in place of a review without a configuration', async () => {
		const first = await createMigratingPerson(acme);
		await first.choose('read');
		first.state().migration.leave();
		const person = await createMigratingPerson(acme, first.testStore);
		await person.choose('continue');
		expect(person.migration().step).toBe('review');
		const rules = Array.from({length: 201}, (_, index) => ({
			action: 'bypass',
			products: ['waf'],
			filter: {expression: `http.request.uri.path eq "/${index}"`},
		}));
		await sendAsOther(person.testStore, 'POST', 'firewall/rules', rules);
		await pressRefresh(person.testStore);
		expect(person.migration().step).toBe('blockers');
		expect(person.migration().eligibility?.blockers.map(({kind}) => kind)).toContain('firewall rules');
	});

	test('is possible in the confirmation after the zone was changed elsewhere, and leads to the review', async () => {
		const person = await createMigratingPerson(acme);
		await person.goToConfirmation('direct');
		const packages = await sendAsOther(person.testStore, 'GET', 'firewall/waf/packages');
		const owasp = packages.find(({detection_mode: mode}) => mode === 'anomaly');
		await sendAsOther(person.testStore, 'PATCH', `firewall/waf/packages/${owasp?.id}`, {sensitivity: 'high'});
		await person.confirm(acme.name);
		expect(person.countPuts()).toBe(0);
		expect(person.migration().step).toBe('confirm');
		expect(person.migration().failure?.details.next).toContain('ctrl-r');
		await pressRefresh(person.testStore);
		expect(person.migration().step).toBe('review');
	});
});

describe('reading the zone again in the editor or the review', () => {
	const lowerSensitivity = async (testStore: TestStore) => {
		const packages = await sendAsOther(testStore, 'GET', 'firewall/waf/packages');
		const owasp = packages.find(({detection_mode: mode}) => mode === 'anomaly');
		await sendAsOther(testStore, 'PATCH', `firewall/waf/packages/${owasp?.id}`, {sensitivity: 'low'});
	};

	async function createEditor() {
		const person = await createMigratingPerson(acme);
		await person.choose('read');
		await person.choose('continue');
		if (person.migration().step === 'blockers') await person.enter();
		person.state().migration.applyEdit({kind: 'rule enabled', rule: 3, enabled: true});
		person.state().migration.move(3);
		return person;
	}

	test.each(['edit', 'review'] as const)('stays in the step %s with the edits and their undo', async step => {
		const person = await createEditor();
		const before = person.migration();
		if (step === 'review') person.state().migration.goToStep(step);
		await pressRefresh(person.testStore);
		expect(person.state().dialog.current).toBeUndefined();
		expect(person.migration()).toMatchObject({
			step,
			configuration: before.configuration,
			edits: before.edits,
		});
		expect(person.migration().cursor).toBe(step === 'edit' ? 3 : 0);
		expect(person.getMessageText()).toBe('Read again just now: nothing changed.');
		person.state().migration.undoEdit();
		expect(person.migration().configuration).toEqual(person.migration().initialConfiguration);
	});

	test('names what others changed, and applies the edits to it', async () => {
		const person = await createEditor();
		await lowerSensitivity(person.testStore);
		await pressRefresh(person.testStore);
		const {step, edits, configuration, changesByOthers = []} = person.migration();
		expect(step).toBe('edit');
		expect(edits).toMatchObject([{edit: {kind: 'rule enabled', rule: 3}}]);
		expect(configuration?.rules[3]?.enabled).toBe(true);
		expect(changesByOthers.map(({about}) => about).join()).toContain('score threshold');
		expect(person.getMessageText()).toMatch(/^Changed by others since: 1 difference\. Your edits now apply/);
	});

	test('keeps the changes of a review that an edit dropped', async () => {
		const first = await createEditor();
		await first.enter();
		await first.enter();
		first.state().migration.leave();
		const person = await createMigratingPerson(acme, first.testStore);
		await person.choose('continue');
		person.state().migration.goToStep('edit');
		person.state().migration.applyEdit({kind: 'rule enabled', rule: 0, enabled: false});
		await lowerSensitivity(person.testStore);
		await pressRefresh(person.testStore);
		const {rules = []} = person.migration().configuration ?? {};
		expect([rules[0]?.enabled, rules[3]?.enabled]).toEqual([false, true]);
	});

	test('keeps the edits on the screen if the zone cannot be read', async () => {
		const person = await createEditor();
		const {edits} = person.migration();
		person.testStore.simulator.fetch = async () => new Response('{}', {status: 403});
		await pressRefresh(person.testStore);
		expect(person.migration()).toMatchObject({step: 'edit', edits, failure: expect.anything()});
	});
});
