import {describe, expect, test, vi} from 'vitest';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import {bypassableProducts} from '../../../source/firewall/rules/rule.ts';
import {createKey, createTextKey} from '../../../source/keyboard/key.ts';
import {getSelectedFilter, getSelectedRule} from '../../../source/screens/firewall/list.ts';
import {describeSent, type RuleChoice} from '../../../source/screens/stepped-form/rule-form.ts';
import {buildRuleReviewRows} from '../../../source/screens/stepped-form/rule-review.ts';
import {listWizardChoices} from '../../../source/screens/wizard/choices.ts';
import {describeWizardOutcome, getWizardLeaveWarning} from '../../../source/screens/wizard/ending.ts';
import {firewallRuleKind} from '../../../source/screens/wizard/kind.ts';
import type {WizardPurpose} from '../../../source/screens/wizard/slice.ts';
import type {Wizard, WizardEnding} from '../../../source/screens/wizard/state.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {behind, filterMade, ruleMade, shop} from '../support/firewall.ts';
import {createTestStore, type TestStore} from '../support/store.ts';

/** A person at the wizard in the shop, one step a function. */
async function wizardIn(space: TestStore, purpose: WizardPurpose = {kind: 'new rule'}) {
	const {state} = space;
	state().firewall.open(shop);
	await state().firewall.load(space.signal);
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
		next: () => state().wizard.goToNextStep(),
		async send() {
			space.passes(minReviewMs);
			await state().wizard.send();
		},
		/** All the way to the review. */
		toReview(expression: string) {
			person.type(expression);
			person.next();
			state().wizard.chooseAction('block');
			person.next();
		},
		ending(): WizardEnding {
			const {phase} = person.wizard();
			if (phase.name !== 'ended') throw new Error(`It has not ended: ${phase.name}, ${person.said()}`);
			return phase.ending;
		},
		choices: (): readonly RuleChoice['id'][] =>
			listWizardChoices(person.wizard(), person.ending()).map(({id}) => id),
		async choose(does: RuleChoice['id']) {
			const choice = listWizardChoices(person.wizard(), person.ending()).find(one => one.id === does);
			if (!choice) throw new Error(`"${does}" is no choice here: ${person.choices().join(', ')}`);
			space.passes(minReviewMs);
			await state().wizard.decide(choice);
		},
		said: (): string => state().messages.latest?.text ?? '',
	};
	return person;
}

const rulesThere = (space: TestStore) => behind<Rule[]>(space, 'GET', '/firewall/rules?per_page=100');
const filtersThere = (space: TestStore) =>
	behind<{id: string; expression: string}[]>(space, 'GET', '/filters?per_page=100');

describe('a new rule', () => {
	test('is created in two calls, with exactly the bodies shown in the review', async () => {
		const space = createTestStore();
		const person = await wizardIn(space);
		person.type('http.host eq "a.example"');
		person.next();
		space.state().wizard.chooseAction('challenge');
		person.type('100<down>for a<down><space>');
		person.next();
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
		expect(person.ending()).toMatchObject({state: 'created', filter: 'made'});
		expect(await rulesThere(space)).toMatchObject([
			{action: 'challenge', priority: 100, paused: true, description: 'for a'},
		]);
	});

	test('gets the cursor once created, even if a filter hides it', async () => {
		const space = createTestStore();
		await ruleMade(space, await filterMade(space, 'http.host eq "old.example"'), {priority: 1});
		const person = await wizardIn(space);
		space.state().firewall.filter('old.example');
		person.toReview('ip.src eq 192.0.2.9');
		person.next();
		await person.send();
		await space.until(({firewall: {data: firewall}}) => firewall?.rules.length === 2);
		const firewall = space.state().firewall.data;
		const ending = person.ending();
		if (ending.state !== 'created') throw new Error(ending.state);
		expect(getSelectedRule({firewall: {data: firewall}})?.id).toBe(ending.rule.id);
	});

	test('created after the user went on to the lists leaves the cursor alone', async () => {
		const space = createTestStore();
		const old = await ruleMade(space, await filterMade(space, 'http.host eq "old.example"'), {priority: 1});
		const person = await wizardIn(space);
		person.toReview('ip.src eq 192.0.2.9');
		person.next();
		const sending = person.send();
		space.state().wizard.operations.leave();
		await sending;
		await space.until(({firewall: {data: firewall}}) => firewall?.rules.length === 2);
		expect(getSelectedRule(space.state())?.id).toBe(old);
	});

	test('on an existing filter sends one call, and the filter is shared', async () => {
		const space = createTestStore();
		const id = await filterMade(space, 'cf.client.bot');
		await ruleMade(space, id);
		const person = await wizardIn(space, {
			kind: 'new rule',
			filter: {id, expression: 'cf.client.bot', paused: false},
		});
		person.next();
		space.state().wizard.chooseAction('allow');
		person.next();
		expect(person.wizard().requests).toHaveLength(1);
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created', filter: 'reused'});
		expect((await rulesThere(space)).map(({filter}) => filter.id)).toEqual([id, id]);
	});

	test('whose filter someone else created meanwhile is not created, and that filter can be used', async () => {
		const space = createTestStore();
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		const id = await filterMade(space, 'cf.client.bot');
		await person.send();
		expect(person.ending()).toMatchObject({state: 'duplicate', filterId: id});
		expect(await rulesThere(space)).toEqual([]);
		await person.choose('use the filter');
		expect(person.wizard()).toMatchObject({step: 'review', filter: {id}});
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created', filter: 'reused', rule: {filter: {id}}});
	});

	test('with the expression of a filter already read offers that filter before anything is sent', async () => {
		const space = createTestStore();
		const id = await filterMade(space, 'cf.client.bot');
		const person = await wizardIn(space);
		person.type('cf.client.bot');
		person.next();
		const dialog = space.state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('Nothing was asked.');
		dialog.choose('use');
		expect(person.wizard()).toMatchObject({step: 'action', filter: {id}});
	});

	test('equivalent to a filter written differently offers that filter or a new one', async () => {
		const space = createTestStore();
		const id = await filterMade(space, '(http.host == "a.example" || ssl)');
		const person = await wizardIn(space);
		person.type('http.host eq "a.example" or ssl');
		person.next();
		const asked = () => {
			const dialog = space.state().dialog.current;
			if (dialog?.kind !== 'choice') throw new Error('Nothing was asked.');
			return dialog;
		};
		expect(asked().lines.join(' ')).toContain(
			`${id} It is written differently: (http.host == "a.example" || ssl)`,
		);
		asked().choose('own');
		expect(person.wizard()).toMatchObject({step: 'action', filter: undefined});
		space.state().wizard.goToPreviousStep();
		person.next();
		asked().choose('use');
		expect(person.wizard()).toMatchObject({step: 'action', filter: {id}});
	});

	test('whose second call fails leaves the filter, and can be retried on it', async () => {
		const space = createTestStore({simulate: true}, {faults: 'method=POST path=rules status=500 times=1'});
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		await person.send();
		const [filter] = await filtersThere(space);
		expect(person.ending()).toMatchObject({
			state: 'filter only',
			wasFilterCreated: true,
			filter: {id: filter?.id},
		});
		expect(person.choices()).toEqual(['try again', 'change the action', 'delete the filter', 'leave']);
		await person.choose('try again');
		expect(person.wizard().requests).toMatchObject([{body: [{filter: {id: filter?.id}}]}]);
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created'});
		expect(await filtersThere(space)).toHaveLength(1);
	});

	test('whose second call fails lets the filter be deleted, so that nothing is left', async () => {
		const space = createTestStore({simulate: true}, {faults: 'method=POST path=rules status=500 times=1'});
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		await person.send();
		await person.choose('delete the filter');
		expect(person.ending()).toMatchObject({state: 'filter deleted'});
		expect(await filtersThere(space)).toEqual([]);
	});

	test('whose second call fails names the filter and the command to continue when left', async () => {
		const space = createTestStore({simulate: true}, {faults: 'method=POST path=rules status=500 times=1'});
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		await person.send();
		const [filter] = await filtersThere(space);
		await person.choose('leave');
		expect(person.said()).toContain(
			`ledge firewall rule create --zone-id ${shop.id} --simulate --filter-id ${filter?.id}`,
		);
	});

	test('that the service rejects is not created, loses no typed text, and can be sent again', async () => {
		const space = createTestStore({simulate: true}, {faults: 'method=POST path=filters status=400 times=1'});
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		await person.send();
		expect(person.ending()).toMatchObject({state: 'nothing'});
		expect(await filtersThere(space)).toEqual([]);
		await person.choose('change it');
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created'});
	});

	test('with an expression that the service cannot parse shows its message below the characters it names', async () => {
		const message = encodeURIComponent('Filter parsing error:\n`not ssl and ssl`\n         ^^^ not today\n');
		const space = createTestStore(
			{simulate: true},
			{faults: `method=POST path=filters status=400 times=1 message=${message}`},
		);
		const person = await wizardIn(space);
		person.toReview('not ssl and ssl');
		await person.send();
		await person.choose('change the expression');
		expect(person.wizard().step).toBe('expression');
		expect(person.wizard().editing.refusal).toMatchObject({span: {start: 8, end: 11}});
	});

	test('whose second call has a lost response is found by reading', async () => {
		const space = createTestStore({simulate: true}, {faults: 'method=POST path=rules lost-answer times=1'});
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created', foundAfterLostResponse: true});
		expect(await rulesThere(space)).toHaveLength(1);
	});

	test('that cannot be checked after a lost response says so, and another check finds out', async () => {
		const space = createTestStore();
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		space.simulator.faults.replace('method=POST path=rules lost-answer; method=GET status=500 after=1');
		await person.send();
		expect(person.ending()).toMatchObject({state: 'unsure', what: 'rule'});
		space.simulator.faults.clear();
		await person.choose('look again');
		expect(person.ending()).toMatchObject({state: 'created'});
	});
});

describe('before sending', () => {
	test('a rule for all traffic is sent only once the name of the zone is typed', async () => {
		const space = createTestStore();
		const {state} = space;
		const person = await wizardIn(space);
		person.toReview('not http.host eq "a.example"');
		person.next();
		const before = (await rulesThere(space)).length;
		await person.send();
		expect(state().dialog.current).toMatchObject({kind: 'field', requiredInput: shop.name});
		state().dialog.close();
		expect(await rulesThere(space)).toHaveLength(before);
		await person.send();
		for (const character of shop.name) state().dialog.typeInField(createTextKey(character));
		state().dialog.submit();
		await space.until(({wizard: {data: wizard}}) => wizard?.phase.name === 'ended');
		expect(person.ending()).toMatchObject({state: 'created'});
		expect(await rulesThere(space)).toHaveLength(before + 1);
	});

	test('a filter created by someone else during a lost response is offered and cannot be deleted', async () => {
		const space = createTestStore();
		const person = await wizardIn(space);
		person.toReview('ip.src eq 192.0.2.77');
		person.next();
		const pass = space.simulator.fetch;
		const fetch = vi.spyOn(space.simulator, 'fetch').mockImplementation(async request => {
			if (request.method !== 'POST') return pass(request);
			fetch.mockRestore();
			await ruleMade(space, await filterMade(space, 'ip.src eq 192.0.2.77'), {action: 'allow'});
			return new Response('', {status: 502});
		});
		await person.send();
		expect(person.ending()).toMatchObject({state: 'duplicate'});
		expect(person.choices()).not.toContain('delete the filter');
	});

	test('a first call that may still take effect can be checked, and sent again', async () => {
		const space = createTestStore();
		const person = await wizardIn(space);
		person.toReview('ip.src eq 192.0.2.9');
		person.next();
		space.simulator.faults.replace('method=POST path=/filters html=502');
		await person.send();
		expect(person.ending()).toMatchObject({state: 'unsure', what: 'filter'});
		space.simulator.faults.clear();
		await person.choose('look again');
		expect(person.ending()).toMatchObject({state: 'unsure', what: 'filter'});
		expect(person.said()).toContain('Still unknown');
		await filterMade(space, 'ip.src eq 192.0.2.9');
		await person.choose('look again');
		expect(person.ending()).toMatchObject({state: 'filter only', wasFilterCreated: false});
		expect(person.choices()).not.toContain('delete the filter');
		await person.choose('try again');
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created'});
	});

	test('an expression that the service would reject does not go to the next step', async () => {
		const person = await wizardIn(createTestStore());
		person.type('htp.host eq "a"');
		person.next();
		expect(person.wizard().step).toBe('expression');
		expect(person.said()).toContain("Can't be sent:");
	});

	test('an action that the plan lacks is not chosen, and the reason is shown', async () => {
		const space = createTestStore();
		const person = await wizardIn(space);
		person.type('cf.client.bot');
		person.next();
		space.state().wizard.chooseAction('log');
		expect(person.wizard()).toMatchObject({step: 'action', action: undefined});
		expect(person.said()).toContain('Enterprise');
	});

	test('the review of a bypass of the managed rules in a migrated zone says that it has no effect', async () => {
		const space = createTestStore();
		const {state} = space;
		const pass = space.simulator.fetch;
		const result = {migration_state: 'complete', new_waf_status: 'enabled', old_waf_status: 'disabled'};
		vi.spyOn(space.simulator, 'fetch').mockImplementation(async request =>
			request.url.includes('/waf_migration/status')
				? Response.json({success: true, errors: [], messages: [], result})
				: pass(request),
		);
		const person = await wizardIn(space);
		person.type('ip.src eq 192.0.2.9');
		person.next();
		state().wizard.chooseAction('bypass');
		state().wizard.moveChoiceCursor(bypassableProducts.indexOf('waf'));
		state().wizard.toggleChoice();
		await space.until(({wizard: {data: wizard}}) => wizard?.migrated !== undefined);
		person.next();
		person.next();
		const marks = {failed: 'x', warning: '!', dot: '-'};
		const {rows} = buildRuleReviewRows(firewallRuleKind, person.wizard(), undefined, 200, marks);
		expect(rows.map(row => row.map(({text}) => text).join('')).join(' ')).toContain(
			'no effect on the new managed rules',
		);
	});

	test('bypass asks for its products', async () => {
		const space = createTestStore();
		const person = await wizardIn(space);
		person.type('cf.client.bot');
		person.next();
		space.state().wizard.chooseAction('bypass');
		person.next();
		expect(person.said()).toContain('at least one product');
		space.state().wizard.moveChoiceCursor(2);
		space.state().wizard.toggleChoice();
		person.next();
		person.next();
		expect(person.wizard().requests?.[1]).toMatchObject({body: [{action: 'bypass', products: ['bic']}]});
	});

	test('a key pressed before the review could be read sends nothing', async () => {
		const space = createTestStore({simulate: true}, {elapsed: () => 0});
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		await space.state().wizard.send();
		expect(person.wizard().phase.name).toBe('asking');
		expect(await filtersThere(space)).toEqual([]);
	});

	test('read-only mode refuses when sending, and everything stays', async () => {
		const space = createTestStore({simulate: true, readOnly: true});
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		await person.send();
		expect(person.said()).toContain('read-only');
		expect(person.wizard()).toMatchObject({step: 'review', phase: {name: 'asking'}});
	});

	test('going back a step keeps what was typed and chosen', async () => {
		const space = createTestStore();
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		for (let step = 0; step < 3; step++) expect(space.state().wizard.goToPreviousStep()).toBe(true);
		expect(space.state().wizard.goToPreviousStep()).toBe(false);
		expect(person.wizard()).toMatchObject({step: 'expression', action: 'block'});
		expect(person.wizard().editing.analysis.text).toBe('cf.client.bot');
	});

	test('a full zone is reported before anything is sent', async () => {
		const space = createTestStore();
		const id = await filterMade(space, 'cf.client.bot');
		for (let rule = 0; rule < 20; rule++) await ruleMade(space, id);
		const person = await wizardIn(space);
		person.toReview('not ssl');
		await person.send();
		expect(person.said()).toContain('20');
		expect(await filtersThere(space)).toHaveLength(1);
	});
});

describe('a filter', () => {
	test('gets the cursor once created', async () => {
		const space = createTestStore();
		await filterMade(space, 'http.host eq "old.example"');
		const person = await wizardIn(space, {kind: 'new filter'});
		person.type('ip.src eq 192.0.2.9');
		person.next();
		person.next();
		await person.send();
		await space.until(({firewall: {data: firewall}}) => firewall?.filters.length === 2);
		expect(getSelectedFilter(space.state())?.expression).toBe('ip.src eq 192.0.2.9');
	});

	test('is created on its own, and a rule can be created on it then', async () => {
		const space = createTestStore();
		const person = await wizardIn(space, {kind: 'new filter'});
		person.type('cf.client.bot');
		person.next();
		person.type('all of it');
		person.next();
		await person.send();
		expect(person.ending()).toMatchObject({
			state: 'filter made',
			filter: {expression: 'cf.client.bot', description: 'all of it'},
		});
		await person.choose('rule on it');
		expect(person.wizard()).toMatchObject({step: 'action', purpose: {kind: 'new rule'}});
	});

	test('is changed for all rules that use it', async () => {
		const space = createTestStore();
		const id = await filterMade(space, 'cf.client.bot');
		const person = await wizardIn(space, {
			kind: 'change filter',
			filter: {id, expression: 'cf.client.bot', paused: false},
			rulesOnFilter: [],
		});
		person.type('<home>not ');
		person.next();
		person.next();
		await person.send();
		expect(person.ending()).toEqual({state: 'changed', what: 'filter', id});
		expect(await filtersThere(space)).toMatchObject([{id, expression: 'not cf.client.bot'}]);
	});

	test('changed meanwhile by someone else is not overwritten', async () => {
		const space = createTestStore();
		const id = await filterMade(space, 'cf.client.bot');
		const person = await wizardIn(space, {
			kind: 'change filter',
			filter: {id, expression: 'cf.client.bot', paused: false},
			rulesOnFilter: [],
		});
		person.type('<home>not ');
		person.next();
		person.next();
		await behind(space, 'PUT', `/filters/${id}`, {id, expression: 'http.host eq "a.example"'});
		await person.send();
		expect(person.ending()).toMatchObject({
			state: 'changed meanwhile',
			current: {expression: 'http.host eq "a.example"'},
		});
		expect(await filtersThere(space)).toMatchObject([{expression: 'http.host eq "a.example"'}]);
		await person.choose('take theirs');
		expect(person.wizard().editing.analysis.text).toBe('http.host eq "a.example"');
	});
});

describe('a change of a rule', () => {
	async function changing(space: TestStore) {
		const filter = await filterMade(space, 'cf.client.bot');
		const id = await ruleMade(space, filter, {priority: 5, description: 'mine'});
		const rule: Rule = {
			id,
			paused: false,
			action: 'block',
			priority: 5,
			description: 'mine',
			filter: {id: filter, expression: 'cf.client.bot', paused: false},
		};
		return {person: await wizardIn(space, {kind: 'change rule', rule}), id, filter};
	}

	test('to the priority alone is a PATCH', async () => {
		const space = createTestStore();
		const {person, id} = await changing(space);
		person.next();
		person.type('<backspace>7');
		person.next();
		expect(person.wizard().requests).toMatchObject([{method: 'PATCH', body: {id, priority: 7}}]);
		await person.send();
		expect(await rulesThere(space)).toMatchObject([{priority: 7, description: 'mine'}]);
	});

	test('accepts a priority with commas, as ledge shows numbers', async () => {
		const {person, id} = await changing(createTestStore());
		person.next();
		person.type('<backspace>10,000');
		person.next();
		expect(person.wizard().requests).toMatchObject([{method: 'PATCH', body: {id, priority: 10_000}}]);
	});

	test('to the action is a PUT that leaves everything else unchanged', async () => {
		const space = createTestStore();
		const {person, id, filter} = await changing(space);
		space.state().wizard.chooseAction('managed_challenge');
		person.next();
		expect(person.wizard().requests).toMatchObject([{method: 'PUT', body: {id, filter: {id: filter}}}]);
		await person.send();
		expect(person.ending()).toEqual({state: 'changed', what: 'rule', id});
		expect(await rulesThere(space)).toMatchObject([
			{action: 'managed_challenge', priority: 5, description: 'mine'},
		]);
	});

	test('to a rule deleted meanwhile by someone else says so', async () => {
		const space = createTestStore();
		const {person, id} = await changing(space);
		space.state().wizard.chooseAction('allow');
		person.next();
		await behind(space, 'DELETE', `/firewall/rules/${id}`);
		await person.send();
		expect(person.ending()).toMatchObject({state: 'changed meanwhile', current: undefined});
	});

	test('that changes nothing is not sent', async () => {
		const space = createTestStore();
		const {person} = await changing(space);
		person.next();
		person.next();
		await person.send();
		expect(person.said()).toContain('No changes to send.');
		expect(person.wizard().phase.name).toBe('asking');
	});
});

test('sending continues when the wizard is left, and the outcome is reported', async () => {
	const space = createTestStore();
	const person = await wizardIn(space);
	person.toReview('cf.client.bot');
	const sending = person.send();
	space.state().wizard.operations.leave();
	await sending;
	expect(space.state().navigation.stack.at(-1)).not.toBe('wizard');
	expect(person.said()).toMatch(/^Rule cf[.]client[.]bot \(\w+, [0-9a-f]{32}\) created/);
	expect(await rulesThere(space)).toHaveLength(1);
});

test('a failure after the wizard was left is shown before another one begins', async () => {
	const space = createTestStore({simulate: true}, {faults: 'method=POST path=rules status=500 times=1'});
	const person = await wizardIn(space);
	person.toReview('cf.client.bot');
	const sending = person.send();
	space.state().wizard.operations.leave();
	await sending;
	space.state().wizard.begin({kind: 'new rule'});
	expect(person.ending()).toMatchObject({state: 'filter only'});
});

describe('typed text', () => {
	test.each([
		['refused', 'method=POST path=filters status=400'],
		['half done', 'method=POST path=rules status=500'],
	])('is kept after a request that was %s: esc goes back to the review', async (_how, faults) => {
		const space = createTestStore({simulate: true}, {faults});
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		await person.send();
		expect(space.state().wizard.operations.isTouched()).toBe(true);
		expect(space.state().wizard.goToPreviousStep()).toBe(true);
		expect(person.wizard()).toMatchObject({step: 'review', phase: {name: 'asking'}});
	});

	test('is not discarded without a question after a rejection', async () => {
		const space = createTestStore({simulate: true}, {faults: 'method=POST path=filters status=400'});
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		await person.send();
		await person.choose('leave');
		expect(space.state().dialog.current).toMatchObject({kind: 'confirm', title: 'Close the wizard?'});
		expect(person.wizard().editing.analysis.text).toBe('cf.client.bot');
	});

	test('is kept if the outcome is unknown', async () => {
		const space = createTestStore();
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		space.simulator.faults.replace('method=POST path=rules lost-answer; method=GET status=500 after=1');
		await person.send();
		expect(space.state().wizard.goToPreviousStep()).toBe(false);
		expect(space.state().wizard.operations.isTouched()).toBe(true);
	});

	test('for a filter changed meanwhile can be kept, and is reviewed against the current filter', async () => {
		const space = createTestStore();
		const id = await filterMade(space, 'cf.client.bot');
		const filter = {id, expression: 'cf.client.bot', paused: false};
		const person = await wizardIn(space, {kind: 'change filter', filter, rulesOnFilter: []});
		person.type('<home>not ');
		person.next();
		person.next();
		await behind(space, 'PUT', `/filters/${id}`, {id, expression: 'cf.client.bot', description: 'theirs'});
		await person.send();
		await person.choose('keep mine');
		expect(person.wizard()).toMatchObject({
			step: 'review',
			purpose: {filter: {description: 'theirs'}},
			requests: [{method: 'PUT', body: {expression: 'not cf.client.bot', description: 'theirs'}}],
		});
		await person.send();
		expect(person.ending()).toEqual({state: 'changed', what: 'filter', id});
	});

	test('for a deleted filter creates a new one', async () => {
		const space = createTestStore();
		const id = await filterMade(space, 'cf.client.bot');
		const filter = {id, expression: 'cf.client.bot', paused: false};
		const person = await wizardIn(space, {kind: 'change filter', filter, rulesOnFilter: []});
		person.type('<home>not ');
		person.next();
		person.next();
		await behind(space, 'DELETE', `/filters/${id}`);
		await person.send();
		await person.choose('make new');
		await person.send();
		expect(person.ending()).toMatchObject({state: 'filter made', filter: {expression: 'not cf.client.bot'}});
	});
});

describe('a filter chosen for a rule', () => {
	test('is released by going back a step, and the expression can be changed again', async () => {
		const space = createTestStore();
		const id = await filterMade(space, 'cf.client.bot');
		const person = await wizardIn(space);
		person.type('cf.client.bot');
		person.next();
		const dialog = space.state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('Nothing was asked.');
		dialog.choose('use');
		expect(person.wizard().filter?.id).toBe(id);
		space.state().wizard.goToPreviousStep();
		person.type(' and ssl');
		expect(person.wizard().editing.analysis.text).toBe('cf.client.bot and ssl');
	});

	test('that is gone when the rule is sent is created again', async () => {
		const space = createTestStore();
		const id = await filterMade(space, 'cf.client.bot');
		const filter = {id, expression: 'cf.client.bot', paused: false};
		const person = await wizardIn(space, {kind: 'new rule', filter});
		person.next();
		space.state().wizard.chooseAction('block');
		person.next();
		await behind(space, 'DELETE', `/filters/${id}`);
		await person.send();
		await person.choose('new filter');
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created', filter: 'made'});
	});
});

describe('a rule with settings that cannot be chosen', () => {
	const changing = (space: TestStore, settings: Partial<Rule>) =>
		wizardIn(space, {
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

	test('keeps an action unknown to ledge', async () => {
		const space = createTestStore();
		const person = await changing(space, {action: 'tarpit'});
		space.state().wizard.chooseAction('tarpit');
		person.type('7');
		person.next();
		expect(person.wizard().requests).toMatchObject([{method: 'PATCH', body: {priority: 7}}]);
	});

	test.each([
		['an action', {action: 'log'}],
		['a product', {action: 'bypass', products: ['unheard-of', 'waf']}],
	])('keeps %s that its plan lacks, and the rest can be changed', async (_what, settings) => {
		const space = createTestStore({simulate: true}, {faults: 'path=rules/r status=500'});
		const person = await changing(space, settings);
		space.state().firewall.open({...shop, id: 'other', plan: 'free'});
		space.state().wizard.begin(person.wizard().purpose);
		space.state().wizard.chooseAction(settings.action);
		person.next();
		person.type('7');
		person.next();
		expect(person.wizard().step).toBe('review');
		await person.send();
		expect(person.said()).not.toMatch(/plan|product/);
	});

	test('still refuses another action that the plan lacks', async () => {
		const space = createTestStore();
		const person = await changing(space, {action: 'tarpit'});
		space.state().wizard.chooseAction('log');
		expect(person.wizard()).toMatchObject({step: 'action', action: 'tarpit'});
	});
});

test('lists read during the question are updated', async () => {
	const space = createTestStore();
	const filter = await filterMade(space, 'cf.client.bot');
	await ruleMade(space, filter);
	space.state().firewall.open(shop);
	space.state().wizard.begin({kind: 'new rule'});
	expect(space.state().wizard.data?.rules).toEqual([]);
	await space.state().firewall.load(space.signal);
	space.state().wizard.type(createTextKey('s'));
	expect(space.state().wizard.data?.rules).toHaveLength(1);
	expect(space.state().wizard.data?.filters).toHaveLength(1);
});

describe('a filter without its rule', () => {
	async function halfDone(space: TestStore) {
		const person = await wizardIn(space);
		person.toReview('cf.client.bot');
		await person.send();
		const filter = (await filtersThere(space)).find(({expression}) => expression === 'cf.client.bot');
		return {person, id: filter?.id ?? ''};
	}
	const faults = 'method=POST path=rules status=500 times=1';

	test('is named, with the command, in the question before it is left behind', async () => {
		const space = createTestStore({simulate: true}, {faults});
		const {person, id} = await halfDone(space);
		await person.choose('try again');
		expect(getWizardLeaveWarning(person.wizard())).toEqual([
			`Filter ${id} exists without its rule.`,
			'To continue:',
			expect.stringContaining(`--filter-id ${id}`),
		]);
		expect(describeSent(person.wizard())).toBe(`filter ${id} exists; the rule has not been sent`);
	});

	test('is named when ledge quits', async () => {
		const space = createTestStore({simulate: true}, {faults});
		const {id} = await halfDone(space);
		expect(space.state().wizard.operations.getQuitMessage()).toContain(
			`Filter ${id} exists without its rule.`,
		);
		expect(space.state().wizard.operations.getQuitMessage()).toContain(`--filter-id ${id}`);
	});

	test('gets the cursor when the wizard is left, and the way to continue is shown first', async () => {
		const space = createTestStore({simulate: true}, {faults});
		await filterMade(space, 'not ssl');
		const {person, id} = await halfDone(space);
		await person.choose('leave');
		await space.until(state => getSelectedFilter(state)?.id === id);
		expect(person.said()).toMatch(
			/^The filter has no rule yet: press u on it to create one\. ledge firewall rule/,
		);
	});

	test('is reported as created for the rule that is created on it later', async () => {
		const space = createTestStore({simulate: true}, {faults});
		const {person, id} = await halfDone(space);
		await person.choose('try again');
		await person.send();
		expect(describeWizardOutcome(person.wizard(), person.ending()).facts.join('\n')).toContain(
			`${id}   created for this rule earlier`,
		);
		expect(space.state().wizard.operations.getQuitMessage()).toBeUndefined();
	});

	test('leads to the emergency if firewall rules are retired', async () => {
		const gone = createTestStore({simulate: true}, {faults: 'method=POST path=rules status=410'});
		const {person} = await halfDone(gone);
		expect(person.choices()).toEqual(['emergency', 'leave']);
		await person.choose('emergency');
		expect(gone.state().navigation.stack.at(-1)).toBe('emergency');
		expect(gone.state().emergency.data?.editing.analysis.text).toBe('cf.client.bot');
	});
});

test('a filter used by another rule is reported as used by that one', async () => {
	const space = createTestStore();
	const id = await filterMade(space, 'cf.client.bot');
	await ruleMade(space, id);
	const filter = {id, expression: 'cf.client.bot', paused: false};
	const person = await wizardIn(space, {kind: 'new rule', filter});
	person.next();
	space.state().wizard.chooseAction('allow');
	person.next();
	await person.send();
	expect(describeWizardOutcome(person.wizard(), person.ending()).facts.join('\n')).toContain(
		'existing, shared with 1 rule',
	);
});

test('an unknown outcome is shown with the remaining filter and the commands to search', async () => {
	const space = createTestStore();
	const person = await wizardIn(space);
	person.toReview('cf.client.bot');
	space.simulator.faults.replace('method=POST path=rules lost-answer; method=GET status=500 after=1');
	await person.send();
	const facts = describeWizardOutcome(person.wizard(), person.ending()).facts.join('\n');
	expect(facts).toContain('It is unknown whether the rule was created.');
	expect(facts).toContain('ledge firewall rule list');
});

test('moving the cursor in the choices does not restart the review delay', async () => {
	const space = createTestStore(
		{simulate: true},
		{elapsed: () => 0, faults: 'method=POST path=filters status=400'},
	);
	const person = await wizardIn(space);
	person.toReview('cf.client.bot');
	await person.send();
	const drawn = () => {
		const {step, phase} = person.wizard();
		space.state().wizard.operations.noticeDrawn([step, phase.name === 'ended' ? phase.ending : phase]);
	};
	drawn();
	space.passes(minReviewMs);
	space.state().wizard.operations.setEndingCursor(1);
	drawn();
	const [, second] = listWizardChoices(person.wizard(), person.ending());
	if (!second) throw new Error('There is no second choice.');
	await space.state().wizard.decide(second);
	expect(person.wizard().phase.name).toBe('asking');
});

test.each([
	['Home', /^F, then n, shows the options\./, 'home'],
	['the firewall', /^n shows the options\./, 'firewall'],
] as const)('a failure after the wizard was left says how to return to it from %s', async (_where, said, screen) => {
	const space = createTestStore({simulate: true}, {faults: 'method=POST path=rules status=500'});
	const person = await wizardIn(space);
	person.toReview('cf.client.bot');
	const sending = person.send();
	space.state().wizard.operations.leave();
	space.state().navigation.go(screen);
	await sending;
	expect(person.said()).toMatch(said);
});

test('quitting during a send waits for its outcome', async () => {
	const space = createTestStore();
	const person = await wizardIn(space);
	person.toReview('cf.client.bot');
	const sending = person.send();
	await space.state().wizard.operations.end();
	expect(person.wizard().phase.name).not.toBe('sending');
	await sending;
});
