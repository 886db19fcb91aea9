import {describe, expect, test, vi} from 'vitest';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import {bypassableProducts} from '../../../source/firewall/rules/rule.ts';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {openDrafts} from '../../../source/screens/drafts/actions.ts';
import {getTypedExpression} from '../../../source/screens/expression-editor/editing.ts';
import {getSelectedFilter, getSelectedRule} from '../../../source/screens/firewall/list.ts';
import {getCurrentScreen} from '../../../source/screens/shell/screen-name.ts';
import {describeSent, type RuleChoice} from '../../../source/screens/stepped-form/rule-form.ts';
import {buildRuleReviewRows} from '../../../source/screens/stepped-form/rule-review.ts';
import {listWizardChoices} from '../../../source/screens/wizard/choices.ts';
import {describeWizardOutcome, getWizardLeaveWarning} from '../../../source/screens/wizard/ending.ts';
import {firewallRuleKind} from '../../../source/screens/wizard/kind.ts';
import {describeWizardReview} from '../../../source/screens/wizard/review.ts';
import type {WizardPurpose} from '../../../source/screens/wizard/slice.ts';
import type {Wizard, WizardEnding} from '../../../source/screens/wizard/state.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {watchWrites} from '../support/custom-rules.ts';
import {createTestApp} from '../support/drawn.tsx';
import {callMovedZoneAsOther, createShopFilter, createShopRule, shop} from '../support/firewall.ts';
import {countCalls, isIdle} from '../support/firewall-keys.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

/** Opens the wizard in the shop. The functions are what a person does there, step by step. */
async function openWizard(testStore: TestStore, purpose: WizardPurpose = {kind: 'new rule'}) {
	const {state} = testStore;
	state().firewall.open(shop);
	await state().firewall.load(testStore.signal);
	state().navigation.go('firewall');
	state().wizard.begin(purpose);
	state().navigation.go('wizard');
	const person = {
		wizard(): Wizard {
			const wizard = state().wizard.data;
			if (!wizard) throw new Error('There is no wizard.');
			return wizard;
		},
		/** Types this, names of keys in angle brackets. */
		type(keys: string) {
			for (const [, name, character] of keys.matchAll(/<([^>]+)>|([^<])/gsu))
				state().wizard.type(name === undefined ? createTextKey(character ?? '') : createKey(name, ''));
		},
		goToNextStep: () => state().wizard.goToNextStep(),
		async send() {
			testStore.advanceClock(minReviewMs);
			await state().wizard.send();
		},
		/** Goes to the review of a rule that blocks this expression. */
		goToReview(expression: string) {
			person.type(expression);
			person.goToNextStep();
			state().wizard.chooseAction('block');
			person.goToNextStep();
		},
		getEnding(): WizardEnding {
			const {phase} = person.wizard();
			if (phase.name !== 'ended')
				throw new Error(`It has not ended: ${phase.name}, ${person.getMessageText()}`);
			return phase.ending;
		},
		listChoiceIds: (): readonly RuleChoice['id'][] =>
			listWizardChoices(person.wizard(), person.getEnding()).map(({id}) => id),
		async choose(choiceId: RuleChoice['id']) {
			const choice = listWizardChoices(person.wizard(), person.getEnding()).find(one => one.id === choiceId);
			if (!choice) throw new Error(`"${choiceId}" is no choice here: ${person.listChoiceIds().join(', ')}`);
			testStore.advanceClock(minReviewMs);
			await state().wizard.decide(choice);
		},
		getMessageText: (): string => state().messages.latest?.text ?? '',
	};
	return person;
}

const readShopRules = (testStore: TestStore) =>
	callMovedZoneAsOther<Rule[]>(testStore, 'GET', '/firewall/rules?per_page=100');
const readShopFilters = (testStore: TestStore) =>
	callMovedZoneAsOther<{id: string; expression: string}[]>(testStore, 'GET', '/filters?per_page=100');

test('an expression is formatted, or said to be already', async () => {
	const testStore = createTestStore();
	const person = await openWizard(testStore);
	person.type('(ssl)  and ssl');
	testStore.state().wizard.operations.format();
	expect(person.getMessageText()).not.toContain('Already formatted.');
	testStore.state().wizard.operations.format();
	expect(person.getMessageText()).toBe('Already formatted.');
});

describe('a new rule', () => {
	test('is created in two calls, with exactly the bodies shown in the review', async () => {
		const testStore = createTestStore();
		const person = await openWizard(testStore);
		person.type('http.host eq "a.example"');
		person.goToNextStep();
		testStore.state().wizard.chooseAction('challenge');
		person.type('100<down>for a<down><space>');
		person.goToNextStep();
		const {requests} = person.wizard();
		expect(requests).toEqual([
			{method: 'POST', path: `/zones/${shop.id}/filters`, body: [{expression: 'http.host eq "a.example"'}]},
			{
				method: 'POST',
				path: `/zones/${shop.id}/firewall/rules`,
				body: [
					{
						filter: {id: '<id from step 1>'},
						action: 'challenge',
						priority: 100,
						paused: true,
						description: 'for a',
					},
				],
			},
		]);
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'created', filter: 'made'});
		expect(await readShopRules(testStore)).toMatchObject([
			{action: 'challenge', priority: 100, paused: true, description: 'for a'},
		]);
	});

	test('gets the cursor once created, even if a filter hides it', async () => {
		const testStore = createTestStore();
		await createShopRule(testStore, await createShopFilter(testStore, 'http.host eq "old.example"'), {
			priority: 1,
		});
		const person = await openWizard(testStore);
		testStore.state().firewall.filter('old.example');
		person.goToReview('ip.src eq 192.0.2.9');
		person.goToNextStep();
		await person.send();
		await testStore.until(({firewall: {data: firewall}}) => firewall?.rules.length === 2);
		const firewall = testStore.state().firewall.data;
		const ending = person.getEnding();
		if (ending.state !== 'created') throw new Error(ending.state);
		expect(getSelectedRule({firewall: {data: firewall}})?.id).toBe(ending.rule.id);
	});

	test('created after the user went on to the lists leaves the cursor alone', async () => {
		const testStore = createTestStore();
		const old = await createShopRule(
			testStore,
			await createShopFilter(testStore, 'http.host eq "old.example"'),
			{
				priority: 1,
			},
		);
		const person = await openWizard(testStore);
		person.goToReview('ip.src eq 192.0.2.9');
		person.goToNextStep();
		const sending = person.send();
		testStore.state().wizard.operations.leave();
		await sending;
		await testStore.until(({firewall: {data: firewall}}) => firewall?.rules.length === 2);
		expect(getSelectedRule(testStore.state())?.id).toBe(old);
	});

	test('on an existing filter sends one call, and the filter is shared', async () => {
		const testStore = createTestStore();
		const id = await createShopFilter(testStore, 'cf.client.bot');
		await createShopRule(testStore, id);
		const person = await openWizard(testStore, {
			kind: 'new rule',
			filter: {id, expression: 'cf.client.bot', paused: false},
		});
		person.goToNextStep();
		testStore.state().wizard.chooseAction('allow');
		person.goToNextStep();
		expect(person.wizard().requests).toHaveLength(1);
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'created', filter: 'reused'});
		expect((await readShopRules(testStore)).map(({filter}) => filter.id)).toEqual([id, id]);
	});

	test('whose filter someone else created meanwhile is not created, and that filter can be used', async () => {
		const testStore = createTestStore();
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		const id = await createShopFilter(testStore, 'cf.client.bot');
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'duplicate', filterId: id});
		expect(await readShopRules(testStore)).toEqual([]);
		await person.choose('use the filter');
		expect(person.wizard()).toMatchObject({step: 'review', filter: {id}});
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'created', filter: 'reused', rule: {filter: {id}}});
	});

	test('with the expression of a filter already read offers that filter before anything is sent', async () => {
		const testStore = createTestStore();
		const id = await createShopFilter(testStore, 'cf.client.bot');
		const person = await openWizard(testStore);
		person.type('cf.client.bot');
		person.goToNextStep();
		const dialog = testStore.state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('Nothing was asked.');
		dialog.choose('use');
		expect(person.wizard()).toMatchObject({step: 'action', filter: {id}});
	});

	test('equivalent to a filter written differently offers that filter or a new one', async () => {
		const testStore = createTestStore();
		const id = await createShopFilter(testStore, '(http.host == "a.example" || ssl)');
		const person = await openWizard(testStore);
		person.type('http.host eq "a.example" or ssl');
		person.goToNextStep();
		const asked = () => {
			const dialog = testStore.state().dialog.current;
			if (dialog?.kind !== 'choice') throw new Error('Nothing was asked.');
			return dialog;
		};
		expect(asked().lines.join(' ')).toContain(
			`${id} It is written differently: (http.host == "a.example" || ssl)`,
		);
		asked().choose('own');
		expect(person.wizard()).toMatchObject({step: 'action', filter: undefined});
		testStore.state().wizard.goToPreviousStep();
		person.goToNextStep();
		asked().choose('use');
		expect(person.wizard()).toMatchObject({step: 'action', filter: {id}});
	});

	test('whose second call fails leaves the filter, and can be retried on it', async () => {
		const testStore = createTestStore(
			{simulate: true},
			{faults: 'method=POST path=rules status=500 times=1'},
		);
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		await person.send();
		const [filter] = await readShopFilters(testStore);
		expect(person.getEnding()).toMatchObject({
			state: 'filter only',
			wasFilterCreated: true,
			filter: {id: filter?.id},
		});
		expect(person.listChoiceIds()).toEqual(['try again', 'change the action', 'delete the filter', 'leave']);
		await person.choose('try again');
		expect(person.wizard().requests).toMatchObject([{body: [{filter: {id: filter?.id}}]}]);
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'created'});
		expect(await readShopFilters(testStore)).toHaveLength(1);
	});

	test('whose second call fails lets the filter be deleted, so that nothing is left', async () => {
		const testStore = createTestStore(
			{simulate: true},
			{faults: 'method=POST path=rules status=500 times=1'},
		);
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		await person.send();
		await person.choose('delete the filter');
		expect(await readShopFilters(testStore)).toHaveLength(1);
		testStore.state().dialog.submit();
		await testStore.until(({wizard: {data: wizard}}) => wizard?.phase.name === 'ended');
		expect(person.getEnding()).toMatchObject({state: 'filter deleted'});
		expect(await readShopFilters(testStore)).toEqual([]);
	});

	test('whose second call fails names the filter and the command to continue when left', async () => {
		const testStore = createTestStore(
			{simulate: true},
			{faults: 'method=POST path=rules status=500 times=1'},
		);
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		await person.send();
		const [filter] = await readShopFilters(testStore);
		await person.choose('leave');
		expect(person.getMessageText()).toContain(
			`ledge firewall rule create --zone-id ${shop.id} --simulate --filter-id ${filter?.id}`,
		);
	});

	test('that the service rejects is not created, loses no typed text, and can be sent again', async () => {
		const testStore = createTestStore(
			{simulate: true},
			{faults: 'method=POST path=filters status=400 times=1'},
		);
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'nothing'});
		expect(await readShopFilters(testStore)).toEqual([]);
		await person.choose('change it');
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'created'});
	});

	test('with an expression that the service cannot parse shows its message below the characters it names', async () => {
		const message = encodeURIComponent('Filter parsing error:\n`not ssl and ssl`\n         ^^^ not today\n');
		const testStore = createTestStore(
			{simulate: true},
			{faults: `method=POST path=filters status=400 times=1 message=${message}`},
		);
		const person = await openWizard(testStore);
		person.goToReview('not ssl and ssl');
		await person.send();
		await person.choose('change the expression');
		expect(person.wizard().step).toBe('expression');
		expect(person.wizard().editing.refusal).toMatchObject({span: {start: 8, end: 11}});
	});

	test('whose second call has a lost response is found by reading', async () => {
		const testStore = createTestStore(
			{simulate: true},
			{faults: 'method=POST path=rules lost-answer times=1'},
		);
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'created', foundAfterLostResponse: true});
		expect(await readShopRules(testStore)).toHaveLength(1);
	});

	test('that cannot be checked after a lost response says so, and another check finds out', async () => {
		const testStore = createTestStore();
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		testStore.simulator.faults.replace('method=POST path=rules lost-answer; method=GET status=500 after=1');
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'unsure', what: 'rule'});
		testStore.simulator.faults.clear();
		await person.choose('look again');
		expect(person.getEnding()).toMatchObject({state: 'created'});
	});
});

describe('before sending', () => {
	test('a rule for all traffic is sent only once the name of the zone is typed', async () => {
		const testStore = createTestStore();
		const {state} = testStore;
		const person = await openWizard(testStore);
		person.goToReview('not http.host eq "a.example"');
		person.goToNextStep();
		const before = (await readShopRules(testStore)).length;
		await person.send();
		expect(state().dialog.current).toMatchObject({kind: 'field', requiredInput: shop.name});
		state().dialog.close();
		expect(await readShopRules(testStore)).toHaveLength(before);
		await person.send();
		for (const character of shop.name) state().dialog.typeInField(createTextKey(character));
		state().dialog.submit();
		await testStore.until(({wizard: {data: wizard}}) => wizard?.phase.name === 'ended');
		expect(person.getEnding()).toMatchObject({state: 'created'});
		expect(await readShopRules(testStore)).toHaveLength(before + 1);
	});

	test('a filter created by someone else during a lost response is offered and cannot be deleted', async () => {
		const testStore = createTestStore();
		const person = await openWizard(testStore);
		person.goToReview('ip.src eq 192.0.2.77');
		person.goToNextStep();
		const originalFetch = testStore.simulator.fetch;
		const fetch = vi.spyOn(testStore.simulator, 'fetch').mockImplementation(async request => {
			if (request.method !== 'POST') return originalFetch(request);
			fetch.mockRestore();
			await createShopRule(testStore, await createShopFilter(testStore, 'ip.src eq 192.0.2.77'), {
				action: 'allow',
			});
			return new Response('', {status: 502});
		});
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'duplicate'});
		expect(person.listChoiceIds()).not.toContain('delete the filter');
	});

	test('a first call that may still take effect can be checked, and sent again', async () => {
		const testStore = createTestStore();
		const person = await openWizard(testStore);
		person.goToReview('ip.src eq 192.0.2.9');
		person.goToNextStep();
		testStore.simulator.faults.replace('method=POST path=/filters html=502');
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'unsure', what: 'filter'});
		testStore.simulator.faults.clear();
		await person.choose('look again');
		expect(person.getEnding()).toMatchObject({state: 'unsure', what: 'filter'});
		expect(person.getMessageText()).toContain('Still unknown');
		await createShopFilter(testStore, 'ip.src eq 192.0.2.9');
		await person.choose('look again');
		expect(person.getEnding()).toMatchObject({state: 'filter only', wasFilterCreated: false});
		expect(person.listChoiceIds()).not.toContain('delete the filter');
		await person.choose('try again');
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'created'});
	});

	test('a zone at its rule limit is named as such at the start', async () => {
		const testStore = createTestStore();
		const {state} = testStore;
		await openWizard(testStore);
		expect(state().messages.latest).toBeUndefined();
		await createShopRule(testStore, await createShopFilter(testStore, 'ssl'), {});
		await state().firewall.load(testStore.signal);
		const firewall = state().firewall.data;
		if (!firewall) throw new Error('The shop is open.');
		const rules = Array.from({length: 1_000}, () => firewall.rules).flat();
		testStore.store.setState({firewall: {...state().firewall, data: {...firewall, rules}}});
		state().wizard.begin({kind: 'new rule'});
		const message = 'Rule limit reached: delete a rule, or create a custom rule (esc, 3, a).';
		expect(state().messages.latest?.text).toBe(message);
		const wizard = state().wizard.data;
		if (!wizard) throw new Error('There is no wizard.');
		const {warnings, concerns} = describeWizardReview({...wizard, action: 'block'});
		expect(warnings).toMatchObject([
			expect.stringMatching(
				/^3, then a creates a custom rule, which does not count .+; or first delete rule /,
			),
		]);
		expect(concerns).toEqual([]);
	});

	test('an expression that the service would reject does not go to the next step', async () => {
		const person = await openWizard(createTestStore());
		person.type('http.host = "a"');
		person.goToNextStep();
		expect(person.wizard().step).toBe('expression');
		expect(person.getMessageText()).toContain("Can't be sent:");
		// The cursor stays where the text goes on.
		person.type(' and ssl');
		expect(getTypedExpression(person.wizard().editing)).toBe('http.host = "a" and ssl');
	});

	test('a field that ledge does not know is used after a confirmation, and shown in the review', async () => {
		const testStore = createTestStore();
		const {state} = testStore;
		const person = await openWizard(testStore);
		person.type('cf.brand_new eq "a"');
		person.goToNextStep();
		expect(person.wizard().step).toBe('expression');
		expect(state().dialog.current).toMatchObject({
			kind: 'confirm',
			lines: [expect.stringContaining('Unknown field cf.brand_new')],
		});
		state().dialog.submit();
		expect(person.wizard().step).toBe('action');
		state().wizard.chooseAction('block');
		person.goToNextStep();
		expect(firewallRuleKind.listFindings(person.wizard())).toMatchObject([
			{severity: 'warning', sentence: expect.stringContaining('cf.brand_new')},
		]);
		const writes = watchWrites(testStore);
		await person.send();
		expect(writes).toMatchObject([{method: 'POST', body: [{expression: 'cf.brand_new eq "a"'}]}]);
	});

	test('a field that the plan lacks is used after a confirmation', async () => {
		const testStore = createTestStore();
		const person = await openWizard(testStore);
		person.type('cf.bot_management.score lt 30');
		person.goToNextStep();
		expect(testStore.state().dialog.current).toMatchObject({
			kind: 'confirm',
			lines: [expect.stringContaining('needs the Enterprise plan')],
		});
		testStore.state().dialog.submit();
		expect(person.wizard().step).toBe('action');
	});

	test('an unknown field beside another error is not used', async () => {
		const testStore = createTestStore();
		const person = await openWizard(testStore);
		person.type('cf.brand_new = "a"');
		person.goToNextStep();
		expect(testStore.state().dialog.current).toBeUndefined();
		expect(person.getMessageText()).toContain("Can't be sent:");
	});

	test('an action that the plan lacks is not chosen, and the reason is shown', async () => {
		const testStore = createTestStore();
		const person = await openWizard(testStore);
		person.type('cf.client.bot');
		person.goToNextStep();
		testStore.state().wizard.chooseAction('log');
		expect(person.wizard()).toMatchObject({step: 'action', action: undefined});
		expect(person.getMessageText()).toContain('Enterprise');
	});

	test('the review of a bypass of the managed rules in a migrated zone says that it has no effect', async () => {
		const testStore = createTestStore();
		const {state} = testStore;
		const originalFetch = testStore.simulator.fetch;
		const result = {migration_state: 'complete', new_waf_status: 'enabled', old_waf_status: 'disabled'};
		vi.spyOn(testStore.simulator, 'fetch').mockImplementation(async request =>
			request.url.includes('/waf_migration/status')
				? Response.json({success: true, errors: [], messages: [], result})
				: originalFetch(request),
		);
		const person = await openWizard(testStore);
		person.type('ip.src eq 192.0.2.9');
		person.goToNextStep();
		state().wizard.chooseAction('bypass');
		state().wizard.moveChoiceCursor(bypassableProducts.indexOf('waf'));
		state().wizard.toggleChoice();
		await testStore.until(({wizard: {data: wizard}}) => wizard?.migrated !== undefined);
		person.goToNextStep();
		person.goToNextStep();
		const marks = {failed: 'x', warning: '!', dot: '-'};
		const {rows} = buildRuleReviewRows(firewallRuleKind, person.wizard(), undefined, 200, marks);
		expect(rows.map(row => row.map(({text}) => text).join('')).join(' ')).toContain(
			'no effect on the new managed rules',
		);
	});

	test('bypass asks for its products', async () => {
		const testStore = createTestStore();
		const person = await openWizard(testStore);
		person.type('cf.client.bot');
		person.goToNextStep();
		testStore.state().wizard.chooseAction('bypass');
		person.goToNextStep();
		expect(person.getMessageText()).toContain('at least one product');
		testStore.state().wizard.moveChoiceCursor(2);
		testStore.state().wizard.toggleChoice();
		person.goToNextStep();
		person.goToNextStep();
		expect(person.wizard().requests?.[1]).toMatchObject({body: [{action: 'bypass', products: ['bic']}]});
	});

	test('a key pressed before the review could be read sends nothing', async () => {
		const testStore = createTestStore({simulate: true}, {elapsed: () => 0});
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		await testStore.state().wizard.send();
		expect(person.wizard().phase.name).toBe('asking');
		expect(await readShopFilters(testStore)).toEqual([]);
	});

	test('read-only mode refuses when sending, and everything stays', async () => {
		const testStore = createTestStore({simulate: true, readOnly: true});
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		await person.send();
		expect(person.getMessageText()).toContain('read-only');
		expect(person.wizard()).toMatchObject({step: 'review', phase: {name: 'asking'}});
	});

	test('going back a step keeps what was typed and chosen', async () => {
		const testStore = createTestStore();
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		for (let step = 0; step < 3; step++) expect(testStore.state().wizard.goToPreviousStep()).toBe(true);
		expect(testStore.state().wizard.goToPreviousStep()).toBe(false);
		expect(person.wizard()).toMatchObject({step: 'expression', action: 'block'});
		expect(person.wizard().editing.analysis.text).toBe('cf.client.bot');
	});

	test('a full zone is reported before anything is sent', async () => {
		const testStore = createTestStore();
		const id = await createShopFilter(testStore, 'cf.client.bot');
		for (let rule = 0; rule < 20; rule++) await createShopRule(testStore, id);
		const person = await openWizard(testStore);
		person.goToReview('not ssl');
		await person.send();
		expect(person.getMessageText()).toContain('20');
		expect(await readShopFilters(testStore)).toHaveLength(1);
	});
});

describe('a filter', () => {
	test('gets the cursor once created', async () => {
		const testStore = createTestStore();
		await createShopFilter(testStore, 'http.host eq "old.example"');
		const person = await openWizard(testStore, {kind: 'new filter'});
		person.type('ip.src eq 192.0.2.9');
		person.goToNextStep();
		person.goToNextStep();
		await person.send();
		await testStore.until(({firewall: {data: firewall}}) => firewall?.filters.length === 2);
		expect(getSelectedFilter(testStore.state())?.expression).toBe('ip.src eq 192.0.2.9');
	});

	test('is created on its own, and a rule can be created on it then', async () => {
		const testStore = createTestStore();
		const person = await openWizard(testStore, {kind: 'new filter'});
		person.type('cf.client.bot');
		person.goToNextStep();
		person.type('all of it');
		person.goToNextStep();
		await person.send();
		expect(person.getEnding()).toMatchObject({
			state: 'filter made',
			filter: {expression: 'cf.client.bot', description: 'all of it'},
		});
		await person.choose('rule on it');
		expect(person.wizard()).toMatchObject({step: 'action', purpose: {kind: 'new rule'}});
	});

	test('is changed for all rules that use it', async () => {
		const testStore = createTestStore();
		const id = await createShopFilter(testStore, 'cf.client.bot');
		const person = await openWizard(testStore, {
			kind: 'change filter',
			filter: {id, expression: 'cf.client.bot', paused: false},
			rulesOnFilter: [],
		});
		person.type('<home>not ');
		person.goToNextStep();
		person.goToNextStep();
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'changed', what: 'filter', id});
		expect(await readShopFilters(testStore)).toMatchObject([{id, expression: 'not cf.client.bot'}]);
	});

	test('from a rule leads back to that rule', async () => {
		const testStore = createTestStore();
		const filterId = await createShopFilter(testStore, 'cf.client.bot');
		const ruleId = await createShopRule(testStore, filterId);
		const person = await openWizard(testStore, {
			kind: 'change filter',
			filter: {id: filterId, expression: 'cf.client.bot', paused: false},
			rulesOnFilter: [],
			ruleId,
		});
		person.type('<home>not ');
		person.goToNextStep();
		person.goToNextStep();
		await person.send();
		testStore.state().wizard.operations.leave();
		await testStore.until(isIdle);
		expect(getSelectedRule(testStore.state())?.id).toBe(ruleId);
	});

	test('changed meanwhile by someone else is not overwritten', async () => {
		const testStore = createTestStore();
		const id = await createShopFilter(testStore, 'cf.client.bot');
		const person = await openWizard(testStore, {
			kind: 'change filter',
			filter: {id, expression: 'cf.client.bot', paused: false},
			rulesOnFilter: [],
		});
		person.type('<home>not ');
		person.goToNextStep();
		person.goToNextStep();
		await callMovedZoneAsOther(testStore, 'PUT', `/filters/${id}`, {
			id,
			expression: 'http.host eq "a.example"',
		});
		await person.send();
		expect(person.getEnding()).toMatchObject({
			state: 'changed meanwhile',
			current: {expression: 'http.host eq "a.example"'},
		});
		expect(await readShopFilters(testStore)).toMatchObject([{expression: 'http.host eq "a.example"'}]);
		await person.choose('take theirs');
		expect(person.wizard().editing.analysis.text).toBe('http.host eq "a.example"');
	});
});

describe('a change of a rule', () => {
	async function changeSampleRule(testStore: TestStore) {
		const filter = await createShopFilter(testStore, 'cf.client.bot');
		const id = await createShopRule(testStore, filter, {priority: 5, description: 'mine'});
		const rule: Rule = {
			id,
			paused: false,
			action: 'block',
			priority: 5,
			description: 'mine',
			filter: {id: filter, expression: 'cf.client.bot', paused: false},
		};
		const person = await openWizard(testStore, {kind: 'change rule', rule});
		expect(person.wizard().step).toBe('expression');
		// The filter stays as it is.
		person.goToNextStep();
		return {person, id, filter};
	}

	test('to the priority alone is a PATCH', async () => {
		const testStore = createTestStore();
		const {person, id} = await changeSampleRule(testStore);
		person.goToNextStep();
		person.type('<backspace>7');
		person.goToNextStep();
		expect(person.wizard().requests).toMatchObject([{method: 'PATCH', body: {id, priority: 7}}]);
		await person.send();
		expect(await readShopRules(testStore)).toMatchObject([{priority: 7, description: 'mine'}]);
	});

	test('accepts a priority with commas, as ledge shows numbers', async () => {
		const {person, id} = await changeSampleRule(createTestStore());
		person.goToNextStep();
		person.type('<backspace>10,000');
		person.goToNextStep();
		expect(person.wizard().requests).toMatchObject([{method: 'PATCH', body: {id, priority: 10_000}}]);
	});

	test('to the action is a PUT that leaves everything else unchanged', async () => {
		const testStore = createTestStore();
		const {person, id, filter} = await changeSampleRule(testStore);
		testStore.state().wizard.chooseAction('managed_challenge');
		person.goToNextStep();
		expect(person.wizard().requests).toMatchObject([{method: 'PUT', body: {id, filter: {id: filter}}}]);
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'changed', what: 'rule', id});
		expect(await readShopRules(testStore)).toMatchObject([
			{action: 'managed_challenge', priority: 5, description: 'mine'},
		]);
	});

	test('to a rule deleted meanwhile by someone else says so', async () => {
		const testStore = createTestStore();
		const {person, id} = await changeSampleRule(testStore);
		testStore.state().wizard.chooseAction('allow');
		person.goToNextStep();
		await callMovedZoneAsOther(testStore, 'DELETE', `/firewall/rules/${id}`);
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'changed meanwhile', current: undefined});
	});

	test('that changes nothing is not sent', async () => {
		const testStore = createTestStore();
		const {person} = await changeSampleRule(testStore);
		person.goToNextStep();
		person.goToNextStep();
		await person.send();
		expect(person.getMessageText()).toContain('No changes to send.');
		expect(person.wizard().phase.name).toBe('asking');
	});
});

test('a path in place of an expression is read as its condition', async () => {
	const person = await openWizard(createTestStore());
	person.type('/wp-login.php');
	person.goToNextStep();
	expect(person.wizard()).toMatchObject({
		step: 'action',
		editing: {analysis: {text: 'http.request.uri.path eq "/wp-login.php"'}},
	});
});

test('sending continues when the wizard is left, and the outcome is reported', async () => {
	const testStore = createTestStore();
	const person = await openWizard(testStore);
	person.goToReview('cf.client.bot');
	const sending = person.send();
	testStore.state().wizard.operations.leave();
	await sending;
	expect(testStore.state().navigation.stack.at(-1)).not.toBe('wizard');
	expect(person.getMessageText()).toMatch(/^Rule cf[.]client[.]bot \(\w+, [0-9a-f]{32}\) created/);
	expect(await readShopRules(testStore)).toHaveLength(1);
});

test('a failure after the wizard was left is shown before another one begins', async () => {
	const testStore = createTestStore({simulate: true}, {faults: 'method=POST path=rules status=500 times=1'});
	const person = await openWizard(testStore);
	person.goToReview('cf.client.bot');
	const sending = person.send();
	testStore.state().wizard.operations.leave();
	await sending;
	testStore.state().wizard.begin({kind: 'new rule'});
	expect(person.getEnding()).toMatchObject({state: 'filter only'});
});

describe('typed text', () => {
	test.each([
		['refused', 'method=POST path=filters status=400'],
		['half done', 'method=POST path=rules status=500'],
	])('is kept after a request that was %s: esc goes back to the review', async (_how, faults) => {
		const testStore = createTestStore({simulate: true}, {faults});
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		await person.send();
		expect(testStore.state().wizard.operations.isTouched()).toBe(true);
		expect(testStore.state().wizard.goToPreviousStep()).toBe(true);
		expect(person.wizard()).toMatchObject({step: 'review', phase: {name: 'asking'}});
	});

	test('is not discarded without a question after a rejection', async () => {
		const testStore = createTestStore({simulate: true}, {faults: 'method=POST path=filters status=400'});
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		await person.send();
		await person.choose('leave');
		expect(testStore.state().dialog.current).toMatchObject({kind: 'choice', title: 'Close the wizard?'});
		expect(person.wizard().editing.analysis.text).toBe('cf.client.bot');
	});

	test('is kept if the outcome is unknown', async () => {
		const testStore = createTestStore();
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		testStore.simulator.faults.replace('method=POST path=rules lost-answer; method=GET status=500 after=1');
		await person.send();
		expect(testStore.state().wizard.goToPreviousStep()).toBe(false);
		expect(testStore.state().wizard.operations.isTouched()).toBe(true);
	});

	test('for a filter changed meanwhile can be kept, and is reviewed against the current filter', async () => {
		const testStore = createTestStore();
		const id = await createShopFilter(testStore, 'cf.client.bot');
		const filter = {id, expression: 'cf.client.bot', paused: false};
		const person = await openWizard(testStore, {kind: 'change filter', filter, rulesOnFilter: []});
		person.type('<home>not ');
		person.goToNextStep();
		person.goToNextStep();
		await callMovedZoneAsOther(testStore, 'PUT', `/filters/${id}`, {
			id,
			expression: 'cf.client.bot',
			description: 'theirs',
		});
		await person.send();
		await person.choose('keep mine');
		expect(person.wizard()).toMatchObject({
			step: 'review',
			purpose: {filter: {description: 'theirs'}},
			requests: [{method: 'PUT', body: {expression: 'not cf.client.bot', description: 'theirs'}}],
		});
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'changed', what: 'filter', id});
	});

	test('for a deleted filter creates a new one', async () => {
		const testStore = createTestStore();
		const id = await createShopFilter(testStore, 'cf.client.bot');
		const filter = {id, expression: 'cf.client.bot', paused: false};
		const person = await openWizard(testStore, {kind: 'change filter', filter, rulesOnFilter: []});
		person.type('<home>not ');
		person.goToNextStep();
		person.goToNextStep();
		await callMovedZoneAsOther(testStore, 'DELETE', `/filters/${id}`);
		await person.send();
		await person.choose('make new');
		await person.send();
		expect(person.getEnding()).toMatchObject({
			state: 'filter made',
			filter: {expression: 'not cf.client.bot'},
		});
	});
});

describe('a filter chosen for a rule', () => {
	test('is released by going back a step, and the expression can be changed again', async () => {
		const testStore = createTestStore();
		const id = await createShopFilter(testStore, 'cf.client.bot');
		const person = await openWizard(testStore);
		person.type('cf.client.bot');
		person.goToNextStep();
		const dialog = testStore.state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('Nothing was asked.');
		dialog.choose('use');
		expect(person.wizard().filter?.id).toBe(id);
		testStore.state().wizard.goToPreviousStep();
		person.type(' and ssl');
		expect(person.wizard().editing.analysis.text).toBe('cf.client.bot and ssl');
	});

	test('that is gone when the rule is sent is created again', async () => {
		const testStore = createTestStore();
		const id = await createShopFilter(testStore, 'cf.client.bot');
		const filter = {id, expression: 'cf.client.bot', paused: false};
		const person = await openWizard(testStore, {kind: 'new rule', filter});
		person.goToNextStep();
		testStore.state().wizard.chooseAction('block');
		person.goToNextStep();
		await callMovedZoneAsOther(testStore, 'DELETE', `/filters/${id}`);
		await person.send();
		await person.choose('new filter');
		await person.send();
		expect(person.getEnding()).toMatchObject({state: 'created', filter: 'made'});
	});
});

describe('a rule with settings that cannot be chosen', () => {
	const changeRuleWith = async (testStore: TestStore, settings: Partial<Rule>) => {
		const person = await openWizard(testStore, {
			kind: 'change rule',
			rule: {
				id: 'r',
				paused: false,
				action: 'block',
				priority: null,
				filter: {id: 'f', expression: 'cf.client.bot', paused: false},
				...settings,
			},
		});
		person.goToNextStep();
		return person;
	};

	test('keeps an action unknown to ledge', async () => {
		const testStore = createTestStore();
		const person = await changeRuleWith(testStore, {action: 'tarpit'});
		testStore.state().wizard.chooseAction('tarpit');
		person.type('7');
		person.goToNextStep();
		expect(person.wizard().requests).toMatchObject([{method: 'PATCH', body: {priority: 7}}]);
	});

	test.each([
		['an action', {action: 'log'}],
		['a product', {action: 'bypass', products: ['unheard-of', 'waf']}],
	])('keeps %s that its plan lacks, and the rest can be changed', async (_what, settings) => {
		const testStore = createTestStore({simulate: true}, {faults: 'path=rules/r status=500'});
		const person = await changeRuleWith(testStore, settings);
		testStore.state().firewall.open({...shop, id: 'other', plan: 'free'});
		testStore.state().wizard.begin(person.wizard().purpose);
		person.goToNextStep();
		testStore.state().wizard.chooseAction(settings.action);
		person.goToNextStep();
		person.type('7');
		person.goToNextStep();
		expect(person.wizard().step).toBe('review');
		await person.send();
		expect(person.getMessageText()).not.toMatch(/plan|product/);
	});

	test('still refuses another action that the plan lacks', async () => {
		const testStore = createTestStore();
		const person = await changeRuleWith(testStore, {action: 'tarpit'});
		testStore.state().wizard.chooseAction('log');
		expect(person.wizard()).toMatchObject({step: 'action', action: 'tarpit'});
	});
});

test('lists read during the question are updated', async () => {
	const testStore = createTestStore();
	const filter = await createShopFilter(testStore, 'cf.client.bot');
	await createShopRule(testStore, filter);
	testStore.state().firewall.open(shop);
	testStore.state().wizard.begin({kind: 'new rule'});
	expect(testStore.state().wizard.data?.rules).toEqual([]);
	await testStore.state().firewall.load(testStore.signal);
	testStore.state().wizard.type(createTextKey('s'));
	expect(testStore.state().wizard.data?.rules).toHaveLength(1);
	expect(testStore.state().wizard.data?.filters).toHaveLength(1);
});

describe('a filter without its rule', () => {
	async function createOnlyFilter(testStore: TestStore) {
		const person = await openWizard(testStore);
		person.goToReview('cf.client.bot');
		await person.send();
		const filter = (await readShopFilters(testStore)).find(({expression}) => expression === 'cf.client.bot');
		return {person, id: filter?.id ?? ''};
	}
	const faults = 'method=POST path=rules status=500 times=1';

	test('is named, with the command, in the question before it is left behind', async () => {
		const testStore = createTestStore({simulate: true}, {faults});
		const {person, id} = await createOnlyFilter(testStore);
		await person.choose('try again');
		expect(getWizardLeaveWarning(person.wizard())).toEqual([
			`Filter ${id} exists without its rule.`,
			'To continue:',
			expect.stringContaining(`--filter-id ${id}`),
		]);
		expect(describeSent(person.wizard())).toBe(`filter ${id} exists; the rule has not been sent`);
	});

	test('is named when ledge quits', async () => {
		const testStore = createTestStore({simulate: true}, {faults});
		const {id} = await createOnlyFilter(testStore);
		expect(testStore.state().wizard.operations.getQuitMessage()).toContain(
			`Filter ${id} exists without its rule.`,
		);
		expect(testStore.state().wizard.operations.getQuitMessage()).toContain(`--filter-id ${id}`);
	});

	test('gets the cursor when the wizard is left, and the way to continue is shown first', async () => {
		const testStore = createTestStore({simulate: true}, {faults});
		await createShopFilter(testStore, 'not ssl');
		const {person, id} = await createOnlyFilter(testStore);
		await person.choose('leave');
		await testStore.until(state => getSelectedFilter(state)?.id === id);
		expect(person.getMessageText()).toMatch(
			/^The filter has no rule yet\. To create one, press \+ on the filter, or run: ledge firewall rule/,
		);
	});

	test('is reported as created for the rule that is created on it later', async () => {
		const testStore = createTestStore({simulate: true}, {faults});
		const {person, id} = await createOnlyFilter(testStore);
		await person.choose('try again');
		await person.send();
		expect(describeWizardOutcome(person.wizard(), person.getEnding()).facts.join('\n')).toContain(
			`${id}   created for this rule earlier`,
		);
		expect(testStore.state().wizard.operations.getQuitMessage()).toBeUndefined();
	});

	test.each([
		'method=POST path=rules status=410',
		'method=POST path=rules status=403 code=10020 message=firewallrules.api.maintenance_mode',
		'method=POST path=rules status=503 code=10020 message=firewallrules.api.maintenance_mode',
	])('continues as a custom rule if firewall rules are retired: %s', async faults => {
		const retiredStore = createTestStore({simulate: true}, {faults});
		const {person} = await createOnlyFilter(retiredStore);
		expect(person.listChoiceIds()).toEqual(['as custom rule', 'leave']);
		await person.choose('as custom rule');
		expect(retiredStore.state().navigation.stack.at(-1)).toBe('customRule');
		expect(retiredStore.state().customRule.data).toMatchObject({
			zone: {id: shop.id},
			action: 'block',
			editing: {analysis: {text: 'cf.client.bot'}},
		});
		expect(countCalls(retiredStore, 'POST')).toBe(2);
	});
});

test('a filter used by another rule is reported as used by that one', async () => {
	const testStore = createTestStore();
	const id = await createShopFilter(testStore, 'cf.client.bot');
	await createShopRule(testStore, id);
	const filter = {id, expression: 'cf.client.bot', paused: false};
	const person = await openWizard(testStore, {kind: 'new rule', filter});
	person.goToNextStep();
	testStore.state().wizard.chooseAction('allow');
	person.goToNextStep();
	await person.send();
	expect(describeWizardOutcome(person.wizard(), person.getEnding()).facts.join('\n')).toContain(
		'existing, shared with 1 rule',
	);
});

test('an unknown outcome is shown with the remaining filter and the commands to search', async () => {
	const testStore = createTestStore();
	const person = await openWizard(testStore);
	person.goToReview('cf.client.bot');
	testStore.simulator.faults.replace('method=POST path=rules lost-answer; method=GET status=500 after=1');
	await person.send();
	const facts = describeWizardOutcome(person.wizard(), person.getEnding()).facts.join('\n');
	expect(facts).toContain('It is unknown whether the rule was created.');
	expect(facts).toContain('ledge firewall rule list');
});

test('moving the cursor in the choices does not restart the review delay', async () => {
	const testStore = createTestStore(
		{simulate: true},
		{elapsed: () => 0, faults: 'method=POST path=filters status=400'},
	);
	const person = await openWizard(testStore);
	person.goToReview('cf.client.bot');
	await person.send();
	const noticeDrawn = () => {
		const {step, phase} = person.wizard();
		testStore.state().wizard.operations.noticeDrawn([step, phase.name === 'ended' ? phase.ending : phase]);
	};
	noticeDrawn();
	testStore.advanceClock(minReviewMs);
	testStore.state().wizard.operations.setEndingCursor(1);
	noticeDrawn();
	const [, second] = listWizardChoices(person.wizard(), person.getEnding());
	if (!second) throw new Error('There is no second choice.');
	await testStore.state().wizard.decide(second);
	expect(person.wizard().phase.name).toBe('asking');
});

test.each([
	['Home', /^(2), then (a), shows the options\./, 'home'],
	['the firewall', /^(a) shows the options\./, 'firewall'],
] as const)('a failure after the wizard was left says how to return to it from %s', async (_where, expectedMessage, screen) => {
	const testStore = createTestStore({simulate: true}, {faults: 'method=POST path=rules status=500'});
	const person = await openWizard(testStore);
	person.goToReview('cf.client.bot');
	const sending = person.send();
	testStore.state().wizard.operations.leave();
	testStore.state().navigation.go(screen);
	await sending;
	const [, ...keys] = expectedMessage.exec(person.getMessageText()) ?? [];
	expect(keys.length, person.getMessageText()).toBeGreaterThan(0);
	const app = createTestApp(testStore);
	for (const key of keys) dispatch(app, createTextKey(key));
	expect(getCurrentScreen(testStore.state())).toBe('wizard');
	expect(person.wizard().phase.name).toBe('ended');
});

test('quitting during a send waits for its outcome', async () => {
	const testStore = createTestStore();
	const person = await openWizard(testStore);
	person.goToReview('cf.client.bot');
	const sending = person.send();
	await testStore.state().wizard.operations.end();
	expect(person.wizard().phase.name).not.toBe('sending');
	await sending;
});

test('esc leads from a form that is continued from Home to the list of its zone', async () => {
	const testStore = createTestStore();
	const {state} = testStore;
	const {type} = await openWizard(testStore);
	const app = createTestApp(testStore);
	type('ssl');
	state().navigation.go('home');
	state().firewall.open({...shop, id: 'other', name: 'other.example'});
	openDrafts(app);
	await testStore.until(isIdle);
	expect(getCurrentScreen(state())).toBe('wizard');
	dispatch(app, createKey('esc', ''));
	state().dialog.choose('keep');
	expect(getCurrentScreen(state())).toBe('firewall');
	expect(state().firewall.data?.zone.id).toBe(shop.id);
	dispatch(app, createKey('esc', ''));
	expect(getCurrentScreen(state())).toBe('home');
});
