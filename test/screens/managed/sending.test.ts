import {describe, expect, test} from 'vitest';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {callRulesetsAsOther, watchWrites} from '../support/custom-rules.ts';
import {atManaged, getDialog, readManagedRulesAtService} from '../support/managed.ts';
import type {TestStore} from '../support/store.ts';

const {owasp, platform} = managedRulesets;

/** The ids of the active rules of the sample zone. */
const [platformRuleId, owaspRuleId] = [
	'8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f01',
	'8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f02',
];

/** A person who has set the threshold to 25 and has not sent it. */
async function changeThreshold() {
	const person = await atManaged();
	person.press('T');
	person.answer('score', '25');
	return person;
}

const readThreshold = async (testStore: TestStore): Promise<unknown> =>
	JSON.stringify((await readManagedRulesAtService(testStore)).rules).match(/"score_threshold":(\d+)/)?.[1];

/** Changes a rule as someone else. */
async function changeRuleAsOther(testStore: TestStore, ruleId: string, body: unknown) {
	const {id} = await readManagedRulesAtService(testStore);
	return callRulesetsAsOther(testStore, 'PATCH', `/${id}/rules/${ruleId}`, body);
}

describe('a change that the service rejects', () => {
	test.each([
		['429', 'status=429 method=PATCH'],
		['409', 'status=409 method=PATCH'],
		['403', 'status=403 method=PATCH'],
	])('changes nothing, stays in the review, and is sent again only by the user: %s', async (_status, faults) => {
		const person = await changeThreshold();
		const {faults: faultSettings} = person.testStore.simulator;
		const writes = watchWrites(person.testStore);
		faultSettings.replace(faults);
		person.send();
		await person.idle();
		expect(writes).toHaveLength(1);
		expect(person.managed()).toMatchObject({step: 'review', edits: [{}]});
		expect(person.managed().obstacle?.message).toBe(person.getMessageText());
		expect(await clearFaultsAndReadThreshold(person.testStore)).toBe('40');
		faultSettings.replace('');
		person.send();
		await person.idle();
		expect(writes).toHaveLength(2);
		expect(await readThreshold(person.testStore)).toBe('25');
		expect(person.managed()).toMatchObject({step: 'rules', edits: [], obstacle: undefined});
	});
});

async function clearFaultsAndReadThreshold(testStore: TestStore) {
	testStore.simulator.faults.replace('');
	return readThreshold(testStore);
}

describe('a lost response', () => {
	test.each([
		['by the connection', 'lost-answer method=PATCH'],
		['as a 502', 'late-status=502 method=PATCH'],
	])('is resolved by a check, and an applied change is reported: %s', async (_how, faults) => {
		const person = await changeThreshold();
		const writes = watchWrites(person.testStore);
		person.testStore.simulator.faults.replace(faults);
		person.send();
		await person.idle();
		expect(writes).toHaveLength(1);
		expect(person.getMessageText()).toContain('The response was lost; a later check confirmed the change.');
		expect(person.managed()).toMatchObject({edits: [], step: 'rules'});
	});

	test('is resolved by a check, and a change not applied is reported; nothing is sent again', async () => {
		const person = await changeThreshold();
		const writes = watchWrites(person.testStore);
		person.testStore.simulator.faults.replace('status=500 method=PATCH');
		person.send();
		await person.idle();
		expect(writes).toHaveLength(1);
		expect(person.state().messages.latest?.kind).toBe('failed');
		expect(person.managed()).toMatchObject({step: 'review', edits: [{}]});
	});

	test('that cannot be checked leaves the outcome unknown; a refresh drops changes already applied', async () => {
		const person = await changeThreshold();
		const writes = watchWrites(person.testStore);
		const {faults} = person.testStore.simulator;
		faults.replace('late-status=502 method=PATCH; after=1 status=500 method=GET path=entrypoint');
		person.send();
		await person.idle();
		expect(writes).toHaveLength(1);
		expect(person.getMessageText()).toBe('It is unknown whether the managed rules were changed.');
		expect(person.managed()).toMatchObject({reading: 'stale', edits: [{}]});
		faults.replace('');
		person.press('ctrl-r');
		await person.idle();
		expect(person.managed()).toMatchObject({reading: 'read', edits: [], step: 'rules'});
	});
});

describe('a change by someone else before the write', () => {
	test('is found, nothing is sent, and the edits are applied to the current rules', async () => {
		const person = await changeThreshold();
		await changeRuleAsOther(person.testStore, platformRuleId ?? '', {
			action: 'execute',
			action_parameters: {id: platform.id},
			expression: 'true',
			enabled: false,
		});
		const writes = watchWrites(person.testStore);
		person.send();
		await person.idle();
		expect(writes).toEqual([]);
		expect(person.getMessageText()).toBe('Someone else changed these rules after they were read.');
		expect(person.managed().obstacle?.next).toContain('send again');
		expect(person.managed()).toMatchObject({step: 'review', edits: [{}]});
		expect(person.managed().configuration.rules[0]).toMatchObject({id: platformRuleId, enabled: false});
		person.send();
		await person.idle();
		expect(writes).toMatchObject([{method: 'PATCH'}]);
		const {rules} = await readManagedRulesAtService(person.testStore);
		expect(rules[0]).toMatchObject({enabled: false});
		expect(await readThreshold(person.testStore)).toBe('25');
	});

	test('may remove the target of an edit: that edit is named, and the others stay', async () => {
		const person = await changeThreshold();
		person.press('g', 'p');
		expect(person.managed().edits).toHaveLength(2);
		const {id} = await readManagedRulesAtService(person.testStore);
		await callRulesetsAsOther(person.testStore, 'DELETE', `/${id}/rules/${platformRuleId}`);
		person.press('ctrl-r');
		await person.idle();
		expect(person.getMessageText()).toContain('Turn off rule 1 (Managed Ruleset).');
		expect(person.managed().edits.map(({edit}) => edit.kind)).toEqual(['score threshold']);
		expect(person.managed().configuration.rules.map(rule => rule.id)).toEqual([owaspRuleId]);
	});
});

describe('a change by someone else during the write', () => {
	test('is listed, and what was overwritten is restored on request', async () => {
		const person = await changeThreshold();
		const theirRule = {
			action: 'execute',
			action_parameters: {id: owasp.id, overrides: {enabled: true}},
			expression: 'true',
			description: 'theirs',
			enabled: true,
		};
		watchWrites(person.testStore, () => changeRuleAsOther(person.testStore, owaspRuleId ?? '', theirRule));
		person.send();
		await person.testStore.until(({dialog: {current: dialog}}) => dialog !== undefined);
		await person.idle();
		const dialog = getDialog(person.testStore, 'choice');
		expect(dialog.title).toBe('Someone else changed these rules');
		expect(dialog.lines.join('\n')).toContain('This write has overwritten these changes:');
		person.answer('restore');
		await person.testStore.until(({dialog: {current: now}}) => now?.kind === 'field');
		expect(getDialog(person.testStore, 'field').lines[0]).toMatch(
			/^OWASP: score threshold \d+ → 40, blocks less\.$/,
		);
		person.answer(person.managed().zone.name);
		await person.idle();
		const {rules} = await readManagedRulesAtService(person.testStore);
		expect(rules[1]).toMatchObject({id: owaspRuleId, description: 'theirs'});
		expect(person.managed().activeRules?.configuration.rules[1]).toMatchObject({description: 'theirs'});
	});
});

describe('v in the review', () => {
	test.each([
		['says that the service accepts it', '', 'Valid, checked by the service. Nothing was changed.'],
		['says why the service refuses it', 'status=400 code=20217 method=PATCH', '20217'],
		['says if it could not be checked', 'status=403 code=10000 method=PATCH', 'Not checked: '],
	])('%s, and sends nothing', async (_what, faults, text) => {
		const person = await changeThreshold();
		const {version} = await readManagedRulesAtService(person.testStore);
		person.press('enter');
		person.testStore.simulator.faults.replace(faults);
		person.press('v');
		await person.idle();
		expect(person.getMessageText()).toContain(text);
		expect(person.managed()).toMatchObject({step: 'review', edits: [{}]});
		person.testStore.simulator.faults.replace('');
		expect((await readManagedRulesAtService(person.testStore)).version).toBe(version);
	});
});
