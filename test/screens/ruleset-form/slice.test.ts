import {describe, expect, test} from 'vitest';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {describeFormOutcome, listFormChoices} from '../../../source/screens/ruleset-form/ending.ts';
import {customRuleKind} from '../../../source/screens/ruleset-form/kind.ts';
import type {RulesetForm, RulesetPurpose} from '../../../source/screens/ruleset-form/state.ts';
import type {RuleChoice} from '../../../source/screens/stepped-form/rule-form.ts';
import {buildRuleReviewRows} from '../../../source/screens/stepped-form/rule-review.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {
	callRulesetsAsOther,
	migratedSampleZone,
	openMigratedCustomRules,
	readCustomRulesAtService,
	rulesetId,
	sampleIds,
	watchWrites,
} from '../support/custom-rules.ts';
import {offerDrafts} from '../support/offer-drafts.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

const {office, admin, login} = sampleIds;

/** Opens the form in the migrated zone. Each function of the result is one step of the user. */
async function openForm(
	testStore: TestStore,
	purpose: RulesetPurpose | {readonly change: string} = {kind: 'new'},
) {
	const {state} = testStore;
	await openMigratedCustomRules(testStore);
	const rule =
		'change' in purpose
			? state().customRules.data?.ruleset?.rules.find(({id}) => id === purpose.change)
			: undefined;
	if ('change' in purpose && !rule?.id) throw new Error(`There is no rule ${purpose.change}.`);
	state().customRule.begin(
		'change' in purpose && rule
			? {kind: 'change', rule: {...rule, id: purpose.change}}
			: (purpose as RulesetPurpose),
	);
	state().navigation.go('customRule');
	const person = {
		form(): RulesetForm {
			const customRule = state().customRule.data;
			if (!customRule) throw new Error('There is no form.');
			return customRule;
		},
		/** Types these keys; names of keys are in angle brackets. */
		type(keys: string) {
			for (const [, name, character] of keys.matchAll(/<([^>]+)>|([^<])/gsu))
				state().customRule.type(name === undefined ? createTextKey(character ?? '') : createKey(name, ''));
		},
		next: () => state().customRule.goToNextStep(),
		goBack: () => state().customRule.goToPreviousStep(),
		chooseAction: (action: string) => state().customRule.chooseAction(action),
		async send() {
			testStore.advanceClock(minReviewMs);
			await state().customRule.send();
		},
		ending() {
			const {phase} = person.form();
			if (phase.name !== 'ended') throw new Error(`It has not ended: ${phase.name}, ${person.getMessage()}`);
			return phase.ending;
		},
		getFactsText: (): string =>
			[describeFormOutcome(person.form(), person.ending())]
				.flatMap(({heading, facts}) => [heading, ...facts])
				.join('\n'),
		async choose(choiceId: RuleChoice['id']) {
			const choice = listFormChoices(person.form(), person.ending()).find(one => one.id === choiceId);
			if (!choice) throw new Error(`"${choiceId}" cannot be chosen here.`);
			testStore.advanceClock(minReviewMs);
			await state().customRule.decide(choice);
		},
		getReviewText: (): string =>
			buildRuleReviewRows(customRuleKind, person.form(), undefined, 100, {
				failed: 'x',
				warning: '!',
				dot: '-',
			})
				.rows.map(row => row.map(({text}) => text).join(''))
				.join('\n'),
		getMessage: (): string => state().messages.latest?.text ?? '',
	};
	return person;
}

/** Sends the form, expects exactly the requests that the review shows, and returns them. */
async function sendAsShown(testStore: TestStore, person: Awaited<ReturnType<typeof openForm>>) {
	const writes = watchWrites(testStore);
	const shownRequests = person.form().requests?.map(({method, path, body}) => ({method, path, body}));
	await person.send();
	expect(writes).toEqual(shownRequests);
	return writes;
}

describe('a new rule', () => {
	test('may use a field that ledge does not know, after a confirmation', async () => {
		const testStore = createTestStore();
		const person = await openForm(testStore);
		person.type('cf.brand_new eq "a"');
		person.next();
		testStore.state().dialog.submit();
		person.chooseAction('block');
		person.next();
		expect(person.getReviewText()).toContain('Unknown field cf.brand_new');
		const [write] = await sendAsShown(testStore, person);
		expect(write).toMatchObject({body: {expression: 'cf.brand_new eq "a"'}});
	});

	test('whose action has no response is not typed into its hidden line', async () => {
		const person = await openForm(createTestStore());
		person.type('http.request.uri.path eq "/x"');
		person.next();
		person.chooseAction('block');
		person.type('<up><up><down><down><down>');
		const rowWithResponse = person.form().aboutFields.cursorRow;
		person.goBack();
		person.chooseAction('managed_challenge');
		expect(rowWithResponse).toBe('status');
		expect(person.form().aboutFields.cursorRow).toBe('order');
	});

	test('is a block with a custom response, at the position typed', async () => {
		const testStore = createTestStore();
		const person = await openForm(testStore);
		person.type('http.request.uri.path eq "/x"');
		person.next();
		person.chooseAction('block');
		person.type('2<down>Mine<down><down>429<down><space><down><html>');
		expect(person.form().aboutFields.cursorRow).toBe('body');
		person.type('slow down');
		person.next();
		expect(person.getReviewText()).toContain('It will run at position 2 of 5.');
		const [write] = await sendAsShown(testStore, person);
		expect(write).toMatchObject({
			method: 'POST',
			body: {
				action: 'block',
				expression: 'http.request.uri.path eq "/x"',
				description: 'Mine',
				enabled: true,
				action_parameters: {
					response: {status_code: 429, content_type: 'text/html', content: 'slow down'},
				},
				position: {after: office},
			},
		});
		const rules = await readCustomRulesAtService(testStore);
		expect(rules.map(({description}) => description)).toEqual([
			'Office: past everything behind it',
			'Mine',
			'Administration from outside',
			'Logins',
			'Scrapers',
		]);
		expect(person.getFactsText()).toMatch(
			/^Custom rule "Mine" \(block, [0-9a-f]{32}\) created\.\n.*\nPosition 2 of 5\.$/,
		);
		// The list has it under its cursor.
		expect(testStore.state().customRules.data?.cursor).toBe(1);
	});

	test('skips the selected choices, and offers only actions of the plan', async () => {
		const testStore = createTestStore();
		const person = await openForm(testStore);
		person.type('ip.src eq 192.0.2.1');
		person.next();
		person.chooseAction('log');
		expect(person.getMessage()).toContain('Enterprise');
		person.chooseAction('skip');
		person.next();
		expect(person.getMessage()).toBe('Skip needs at least one choice: space selects it.');
		testStore.state().customRule.toggleChoice();
		testStore.state().customRule.moveChoiceCursor(3);
		testStore.state().customRule.toggleChoice();
		person.next();
		// Esc goes back to the choice, not past it.
		person.goBack();
		expect(person.form()).toMatchObject({step: 'action', choiceCursor: 0});
		person.next();
		person.type('<down><down><down><space>');
		person.next();
		const [write] = await sendAsShown(testStore, person);
		expect(write?.body).toEqual({
			action: 'skip',
			expression: 'ip.src eq 192.0.2.1',
			enabled: true,
			action_parameters: {ruleset: 'current', phases: ['http_request_firewall_managed']},
			logging: {enabled: false},
		});
	});

	test('equal to another rule comes with a warning', async () => {
		const person = await openForm(createTestStore());
		person.type('lower(http.user_agent) contains  "scrapy"');
		person.next();
		person.chooseAction('block');
		expect(person.getMessage()).toContain('already does the same');
		person.next();
		expect(person.getReviewText()).toContain('already does the same');
	});

	test('is refused at a position that the zone does not have', async () => {
		const person = await openForm(createTestStore());
		person.type('ssl');
		person.next();
		person.chooseAction('block');
		person.type('6');
		person.next();
		expect(person.getMessage()).toBe(
			'The position must be a number from 1 to 5. Leave it empty to put the rule last.',
		);
		expect(person.form().step).toBe('about');
	});

	test('for all traffic requires the name of the zone', async () => {
		const testStore = createTestStore();
		const person = await openForm(testStore);
		person.type('true');
		person.next();
		person.chooseAction('block');
		person.next();
		const writes = watchWrites(testStore);
		testStore.advanceClock(minReviewMs);
		const sending = testStore.state().customRule.send();
		const dialog = testStore.state().dialog.current;
		expect(dialog).toMatchObject({kind: 'field', requiredInput: 'done.acme.example'});
		await sending;
		expect(writes).toEqual([]);
	});

	test('copied from another one starts with all its fields', async () => {
		const testStore = createTestStore();
		await openMigratedCustomRules(testStore);
		const copyOf = testStore.state().customRules.data?.ruleset?.rules[1];
		const person = await openForm(testStore, {kind: 'new', copyOf});
		person.next();
		person.chooseAction('block');
		person.next();
		const [write] = await sendAsShown(testStore, person);
		expect(write?.body).toMatchObject({
			action_parameters: {response: {status_code: 404, content: 'Not found'}},
			description: 'Administration from outside',
		});
		expect(write?.body).not.toHaveProperty('id');
	});
});

describe('a change of a rule', () => {
	test('sends the whole rule, with untouched fields unchanged', async () => {
		const testStore = createTestStore();
		const person = await openForm(testStore, {change: admin});
		person.next();
		person.chooseAction('block');
		person.type('<down><down><ctrl-a><ctrl-k>410');
		person.next();
		expect(person.getReviewText()).toContain('from 404 text/plain: Not found to 410 text/plain: Not found');
		const [write] = await sendAsShown(testStore, person);
		expect(write).toMatchObject({
			method: 'PATCH',
			body: {
				id: admin,
				description: 'Administration from outside',
				action_parameters: {
					response: {status_code: 410, content_type: 'text/plain', content: 'Not found'},
				},
			},
		});
	});

	test('without differences sends nothing', async () => {
		const testStore = createTestStore();
		const person = await openForm(testStore, {change: office});
		person.next();
		person.chooseAction('skip');
		person.next();
		person.next();
		expect(person.getReviewText()).toContain('No changes to send.');
		const writes = watchWrites(testStore);
		await person.send();
		expect([writes, person.getMessage()]).toEqual([[], 'No changes to send.']);
	});

	test('that drops the custom response sends no parameters', async () => {
		const testStore = createTestStore();
		const person = await openForm(testStore, {change: admin});
		person.next();
		person.chooseAction('block');
		person.type('<down><down><ctrl-a><ctrl-k><down><down><ctrl-a><ctrl-k>');
		person.next();
		const [write] = await sendAsShown(testStore, person);
		expect(write?.body).not.toHaveProperty('action_parameters');
	});

	test('to another action drops the earlier parameters', async () => {
		const testStore = createTestStore();
		const person = await openForm(testStore, {change: office});
		person.next();
		person.chooseAction('managed_challenge');
		person.next();
		const [write] = await sendAsShown(testStore, person);
		expect(write?.body).toEqual({
			id: office,
			action: 'managed_challenge',
			expression: 'ip.src in {203.0.113.0/24}',
			description: 'Office: past everything behind it',
			enabled: true,
		});
	});

	test('to a rule changed meanwhile by someone else overwrites nothing: both versions are shown, and mine can be applied to theirs', async () => {
		const testStore = createTestStore();
		const person = await openForm(testStore, {change: login});
		person.type('<end> and ssl');
		person.next();
		person.chooseAction('managed_challenge');
		person.next();
		await callRulesetsAsOther(testStore, 'PATCH', `/${rulesetId}/rules/${login}`, {
			action: 'managed_challenge',
			expression: 'http.request.uri.path eq "/login" and http.request.method eq "POST"',
			description: 'Theirs',
			enabled: true,
		});
		const writes = watchWrites(testStore);
		await person.send();
		expect(writes).toEqual([]);
		expect(person.ending().state).toBe('changed meanwhile');
		expect(person.getFactsText()).toMatch(/theirs {2}managed_challenge {3}Theirs/);
		await person.choose('keep mine');
		expect(person.form().step).toBe('review');
		await person.send();
		expect(writes).toHaveLength(1);
		expect((await readCustomRulesAtService(testStore))[2]).toMatchObject({
			description: 'Theirs',
			enabled: true,
			expression: 'http.request.uri.path eq "/login" and http.request.method eq "POST" and ssl',
		});
	});

	test('to a rule that is gone creates a new one on request', async () => {
		const testStore = createTestStore();
		const person = await openForm(testStore, {change: login});
		person.type('<end> and ssl');
		person.next();
		person.chooseAction('block');
		person.next();
		await callRulesetsAsOther(testStore, 'DELETE', `/${rulesetId}/rules/${login}`);
		await person.send();
		await person.choose('make new');
		await person.send();
		expect(person.ending().state).toBe('done');
		expect((await readCustomRulesAtService(testStore)).at(-1)).toMatchObject({
			action: 'block',
			description: 'Logins',
		});
	});
});

describe('a failed response', () => {
	test.each([
		['late-status=502', 'done'],
		['lost-answer', 'done'],
	])('(%s) is resolved by reading the current state', async (fault, state) => {
		const testStore = createTestStore(undefined, {faults: `method=POST ${fault}`});
		const person = await openForm(testStore);
		person.type('http.host eq "lost.example"');
		person.next();
		person.chooseAction('block');
		person.next();
		await person.send();
		expect(person.ending().state).toBe(state);
		expect(person.getFactsText()).toContain('a later check confirmed the change');
		const rules = await readCustomRulesAtService(testStore);
		expect(rules.filter(({expression}) => expression.includes('lost.example'))).toHaveLength(1);
	});

	test.each([
		'429',
		'409',
	])('with status %s leaves nothing behind, and the form keeps the typed text', async status => {
		const testStore = createTestStore(undefined, {faults: `method=POST status=${status}`});
		const person = await openForm(testStore);
		person.type('http.host eq "refused.example"');
		person.next();
		person.chooseAction('block');
		person.next();
		await person.send();
		expect(person.ending().state).toBe('nothing');
		expect(await readCustomRulesAtService(testStore)).toHaveLength(4);
		await person.choose('change it');
		expect(person.form()).toMatchObject({step: 'review', phase: {name: 'asking'}});
	});
});

test('a draft of a change is applied to the current rule', async () => {
	const testStore = createTestStore();
	const person = await openForm(testStore, {change: admin});
	person.type('<end> and ssl');
	testStore.state().drafts.save();
	await callRulesetsAsOther(testStore, 'PATCH', `/${rulesetId}/rules/${admin}`, {
		action: 'block',
		expression: 'starts_with(http.request.uri.path, "/admin") and not ip.src in {203.0.113.0/24}',
		description: 'Theirs',
	});
	const after = createTestStore(undefined, {previousStore: testStore});
	await after.state().connection.loadConnection();
	offerDrafts(after);
	const {current: dialog, close: closeDialog} = after.state().dialog;
	if (dialog?.kind !== 'choice') throw new Error('No draft is offered.');
	closeDialog();
	dialog.choose('open');
	await after.until(({customRule: {data: customRule}}) => customRule !== undefined);
	const customRule = after.state().customRule.data;
	expect(customRule?.editing.analysis.text).toMatch(/ and ssl$/);
	expect(customRule?.purpose).toMatchObject({kind: 'change', rule: {description: 'Theirs'}});
	await after.until(
		({messages: {latest: message}}) => message?.text.includes('Your changes are kept') === true,
	);
	expect(customRule?.zone.id).toBe(migratedSampleZone.id);
});
