import {describe, expect, test, vi} from 'vitest';
import {sortForEvaluation} from '../../../source/firewall/rules/order.ts';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {customRuleList} from '../../../source/screens/custom-rules/state.ts';
import {describeEmergencyEnding, describeEmergencyOutcome} from '../../../source/screens/emergency/ending.ts';
import {emergencyKind} from '../../../source/screens/emergency/kind.ts';
import {findEmergencyObstacle} from '../../../source/screens/emergency/review.ts';
import {buildEmergencyRequests} from '../../../source/screens/emergency/state.ts';
import {getSelectedRule} from '../../../source/screens/firewall/list.ts';
import type {ZoneWithLabel} from '../../../source/screens/shell/zone-with-label.ts';
import {describeTypedTargets} from '../../../source/screens/stepped-form/typed-targets.ts';
import {callMovedZoneAsOther, createShopFilter, createShopRule, shop} from '../support/firewall.ts';
import {createTestStore} from '../support/store.ts';
import {
	addRuleAsSomeoneElse,
	clearFaultsAndReadCustomRules,
	clearFaultsAndReadFilters,
	clearFaultsAndReadRules,
	createEmergencyUser,
	openEmergencyAsUser,
} from './person.ts';

describe('an emergency rule', () => {
	test('takes one call with exactly the body shown, and is then active', async () => {
		const {space: testStore, goToReview, emergency, send, ending} = await openEmergencyAsUser();
		await goToReview('ip.src eq 192.0.2.9', 'challenge');
		expect(buildEmergencyRequests(emergency())?.[0]).toEqual({
			method: 'POST',
			path: `/zones/${shop.id}/firewall/rules`,
			body: [{filter: {expression: 'ip.src eq 192.0.2.9'}, action: 'challenge'}],
		});
		await send();
		const {rows: calls} = testStore.state().activity.data;
		expect(calls.filter(({method}) => method !== 'GET').map(({method}) => method)).toEqual(['POST']);
		expect(ending()).toMatchObject({state: 'created'});
		expect(await clearFaultsAndReadRules(testStore)).toMatchObject([
			{action: 'challenge', priority: null, filter: {expression: 'ip.src eq 192.0.2.9'}},
		]);
	});

	test('goes before the others on request', async () => {
		const {space: testStore, state, goToReview, send, ending} = await openEmergencyAsUser();
		await goToReview('ip.src eq 192.0.2.1');
		state().emergency.togglePriority();
		await send();
		expect(ending()).toMatchObject({state: 'created', rule: {priority: 1}});
		expect(await clearFaultsAndReadRules(testStore)).toMatchObject([{priority: 1}]);
	});

	test('is under the cursor of the lists after it was created', async () => {
		const {space: testStore, state, goToReview, send} = await openEmergencyAsUser();
		const filterId = await createShopFilter(testStore, 'http.host eq "old.example"');
		await createShopRule(testStore, filterId, {priority: 1});
		await state().firewall.load(testStore.signal);
		await goToReview('ip.src eq 192.0.2.9');
		await send();
		await testStore.until(({firewall: {data: firewall}}) => firewall?.rules.length === 2);
		expect(getSelectedRule(state())).toMatchObject({filter: {expression: 'ip.src eq 192.0.2.9'}});
	});

	test('goes before a rule that already has priority 1', async () => {
		const {space: testStore, state, goToReview, send, emergency} = await openEmergencyAsUser();
		const filterId = await createShopFilter(testStore, 'ip.src eq 192.0.2.50');
		await createShopRule(testStore, filterId, {action: 'allow', priority: 1});
		await state().firewall.load(testStore.signal);
		await goToReview('ip.src eq 192.0.2.9');
		state().emergency.togglePriority();
		expect(buildEmergencyRequests(emergency())?.[0]).toMatchObject({body: [{priority: 0}]});
		await send();
		const rules = await clearFaultsAndReadRules(testStore);
		expect(sortForEvaluation(rules)[0]).toMatchObject({action: 'block', priority: 0});
	});

	test('says that it ties if no lower priority exists', async () => {
		const {space: testStore, state, goToReview, getMessage} = await openEmergencyAsUser();
		const filterId = await createShopFilter(testStore, 'ip.src eq 192.0.2.50');
		const ruleId = await createShopRule(testStore, filterId, {action: 'allow', priority: 0});
		await state().firewall.load(testStore.signal);
		await goToReview('ip.src eq 192.0.2.9');
		state().emergency.togglePriority();
		expect(getMessage()).toContain(`rule ${ruleId} (allow) already has it`);
	});

	test('is not sent by a key pressed before the request could be read', async () => {
		const {space: testStore, state, goToReview, emergency, getMessage} = await openEmergencyAsUser();
		await goToReview('ip.src eq 192.0.2.1');
		await state().emergency.send();
		expect(emergency().phase.name).toBe('asking');
		expect(getMessage()).toContain('Too fast');
		expect(await clearFaultsAndReadRules(testStore)).toEqual([]);
	});

	test.each([
		'true',
		'ip.src ne 192.0.2.1',
		'not ip.src in {192.0.2.0/24}',
	])('for all traffic (%s) is sent only after the name of the zone was typed', async expression => {
		const {space: testStore, state, goToReview, send, ending} = await openEmergencyAsUser();
		await goToReview(expression);
		await send();
		expect(state().dialog.current).toMatchObject({kind: 'field', requiredInput: shop.name});
		state().dialog.submit();
		expect(state().dialog.current).toMatchObject({problem: expect.any(String)});
		expect((await clearFaultsAndReadFilters(testStore)).some(one => one.expression === expression)).toBe(
			false,
		);
		for (const character of shop.name) state().dialog.typeInField(createTextKey(character));
		state().dialog.submit();
		await testStore.until(({emergency: {data: emergency}}) => emergency?.phase.name === 'ended');
		expect(ending()).toMatchObject({state: 'created'});
	});

	test('is refused in a read-only ledge, with the reason', async () => {
		const {
			space: testStore,
			goToReview,
			send,
			emergency,
			getMessage,
		} = await openEmergencyAsUser({readOnly: true});
		await goToReview('ip.src eq 192.0.2.1');
		await send();
		expect(getMessage()).toContain('read-only');
		expect(emergency().phase.name).toBe('asking');
		expect(await clearFaultsAndReadRules(testStore)).toEqual([]);
	});

	test('may use a field that ledge does not know, after a confirmation', async () => {
		const {state, type, emergency} = await openEmergencyAsUser();
		type('cf.brand_new eq "a"');
		state().emergency.goToNextStep();
		expect(emergency().step).toBe('expression');
		state().dialog.submit();
		expect(emergency().step).toBe('action');
		expect(emergencyKind.listFindings(emergency())).toMatchObject([
			{severity: 'warning', sentence: expect.stringContaining('cf.brand_new')},
		]);
	});

	test('cannot be continued while its expression is wrong or empty', async () => {
		const {state, type, emergency, getMessage} = await openEmergencyAsUser();
		state().emergency.goToNextStep();
		expect(getMessage()).toContain('empty');
		type('ip.src == 10.0.0.0/8');
		state().emergency.goToNextStep();
		expect(emergency().step).toBe('expression');
		expect(getMessage()).toContain("Can't be sent: ");
		state().emergency.operations.complete();
		state().emergency.goToNextStep();
		expect(emergency().step).toBe('action');
	});

	test('whose response is lost is found by reading, and not sent again', async () => {
		const {
			space: testStore,
			goToReview,
			send,
			ending,
		} = await openEmergencyAsUser({
			faults: 'method=POST path=rules lost-answer',
		});
		await goToReview('ip.src eq 192.0.2.1');
		await send();
		expect(ending()).toMatchObject({state: 'created', foundAfterLostResponse: true});
		expect(await clearFaultsAndReadRules(testStore)).toHaveLength(1);
	});

	test('rejected by the service leaves nothing behind, and the message is shown under its characters', async () => {
		const message = encodeURIComponent(
			'Filter parsing error (1:8):\nip.src eq 192.0.2.1\n       ^^^ no such thing\n',
		);
		const {
			space: testStore,
			state,
			goToReview,
			send,
			ending,
			choices,
			choose,
			emergency,
		} = await openEmergencyAsUser({
			faults: `method=POST path=rules status=400 message=${message}`,
		});
		await goToReview('ip.src eq 192.0.2.1');
		await send();
		expect(ending()).toMatchObject({state: 'nothing'});
		expect(choices()).toEqual(['change the expression', 'change it', 'leave']);
		await choose('change the expression');
		expect(emergency()).toMatchObject({
			step: 'expression',
			editing: {refusal: {span: {start: 7, end: 10}}},
		});
		expect(await clearFaultsAndReadFilters(testStore)).toEqual([]);
		expect(state().emergency.operations.isTouched()).toBe(true);
	});
});

describe('a filter without its rule', () => {
	/** On the Free plan, which allows five rules: the sample has four, and someone else adds the fifth. */
	const blog: ZoneWithLabel = {
		id: '61bf267f4af510ca281c94950d62fbea',
		name: 'acme-blog.example',
		plan: 'free',
	};

	/** Sends a rule over the quota: the service keeps its filter, but not the rule. */
	async function sendOverQuota() {
		const person = await openEmergencyAsUser({zone: blog});
		await person.goToReview('ip.src eq 192.0.2.77', 'js_challenge');
		const {simulator} = person.space;
		const originalFetch = simulator.fetch;
		const fetchSpy = vi.spyOn(simulator, 'fetch').mockImplementation(async request => {
			if (request.method !== 'POST') return originalFetch(request);
			fetchSpy.mockRestore();
			await addRuleAsSomeoneElse(person.space, blog.id);
			return originalFetch(request);
		});
		await person.send();
		const ending = person.ending();
		if (ending.state !== 'filter left') throw new Error(`It is ${ending.state}.`);
		return {...person, filterId: ending.filter.id};
	}

	test('after hitting the quota leads back to the request, since a rule for that filter has no room', async () => {
		const person = await sendOverQuota();
		expect(describeEmergencyOutcome(person.emergency(), person.ending()).facts.join('\n')).not.toMatch(
			/send (it )?again/i,
		);
		expect(person.choices()).toEqual(['change it', 'leave']);
		await person.space.until(({firewall: {data: firewall}}) => firewall?.rules.length === 5);
		await person.choose('change it');
		await person.send();
		expect(person.getMessage()).toContain('t makes it a custom rule');
	});

	test('after another rejection continues in the wizard with that filter and action, up to the review', async () => {
		const {state, choose, space: testStore, goToReview, send} = await openEmergencyAsUser();
		await goToReview('ip.src eq 192.0.2.77', 'js_challenge');
		const filterId = await createShopFilter(testStore, 'ip.src eq 192.0.2.77');
		const {simulator} = testStore;
		const originalFetch = simulator.fetch;
		vi.spyOn(simulator, 'fetch').mockImplementation(async request =>
			request.method === 'POST'
				? Response.json(
						{
							success: false,
							errors: [{message: 'not now'}],
							messages: [{message: '', meta: {id: filterId}}],
							result: null,
						},
						{status: 400},
					)
				: originalFetch(request),
		);
		await send();
		await choose('use the filter');
		expect(state().navigation.stack.at(-1)).toBe('wizard');
		expect(state().emergency.data).toBeUndefined();
		expect(state().wizard.data).toMatchObject({
			step: 'review',
			action: 'js_challenge',
			filter: {id: filterId},
		});
	});

	test('is named in the message that is printed when ledge quits', async () => {
		const {state, filterId} = await sendOverQuota();
		expect(state().emergency.operations.getQuitMessage()).toContain(filterId);
		expect(state().emergency.operations.getQuitMessage()).toContain('--custom-rule');
		expect(state().emergency.operations.isTouched()).toBe(true);
	});

	test('is named together with the command to continue when it is left', async () => {
		const {state, choose, getMessage} = await sendOverQuota();
		await choose('leave');
		expect(getMessage()).toContain('--action js_challenge --custom-rule');
		expect(state().navigation.stack.at(-1)).not.toBe('emergency');
	});

	test('is not created if the zone is known to be full, and nothing is sent', async () => {
		const person = await openEmergencyAsUser({zone: blog});
		await addRuleAsSomeoneElse(person.space, blog.id);
		await person.state().firewall.load(person.space.signal);
		await person.goToReview('ip.src eq 192.0.2.77');
		await person.send();
		expect(person.emergency().phase.name).toBe('asking');
		expect(person.getMessage()).toContain("can't have another firewall rule");
		expect(person.getMessage()).toContain('t makes it a custom rule');
		await person.state().emergency.showCustomRule();
		expect(person.emergency().way).toBe('custom rule');
		person.state().emergency.showFirewallRule();
		expect(buildEmergencyRequests(person.emergency())).toMatchObject([
			{path: expect.stringContaining('/firewall/rules')},
		]);
		await person.state().emergency.showCustomRule();
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created', form: 'custom rule'});
	});

	test('says at the start that the zone is full', async () => {
		const person = await openEmergencyAsUser({zone: blog});
		await addRuleAsSomeoneElse(person.space, blog.id);
		await person.state().firewall.load(person.space.signal);
		person.state().messages.clear();
		person.state().emergency.begin({expression: 'ip.src eq 192.0.2.1'});
		expect(person.getMessage()).toBe(
			'Rule limit reached: delete a rule, or use a custom rule (t in the review).',
		);
	});

	test('is not created if the zone turns out to be full when sending, and nothing is sent', async () => {
		const person = await openEmergencyAsUser({zone: blog});
		await person.goToReview('ip.src eq 192.0.2.77');
		await addRuleAsSomeoneElse(person.space, blog.id);
		await person.send();
		const ending = person.ending();
		if (ending.state !== 'nothing') throw new Error(`It is ${ending.state}.`);
		expect(ending.failure.details.left).toBe('Nothing was sent.');
		expect(ending.failure.next).toContain('--custom-rule');
		expect(await clearFaultsAndReadFilters(person.space)).toHaveLength(0);
	});

	test('is sent if the rules cannot be counted, with a note', async () => {
		const person = await openEmergencyAsUser();
		await person.goToReview('ip.src eq 192.0.2.78');
		person.space.simulator.faults.replace('method=GET status=403');
		person.state().firewall.markStale();
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created'});
		expect(person.getMessage()).toContain('could not be counted');
	});

	test('that existed before is offered before anything is sent', async () => {
		const testStore = createTestStore();
		const id = await createShopFilter(testStore, 'ip.src eq 192.0.2.1');
		testStore.state().firewall.open(shop);
		await testStore.state().firewall.load(testStore.signal);
		testStore.state().emergency.begin();
		testStore.state().navigation.go('emergency');
		const {type, state} = createEmergencyUser(testStore);
		type('ip.src eq 192.0.2.1');
		state().emergency.goToNextStep();
		const dialog = state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('Nothing was asked.');
		dialog.choose('use');
		expect(state().wizard.data).toMatchObject({step: 'review', action: 'block', filter: {id}});
	});

	test('that matches the same requests in different words does not prevent a new one', async () => {
		const testStore = createTestStore();
		await createShopFilter(testStore, '(ip.src eq 192.0.2.1)');
		testStore.state().firewall.open(shop);
		await testStore.state().firewall.load(testStore.signal);
		testStore.state().emergency.begin();
		const {type, state} = createEmergencyUser(testStore);
		type('ip.src eq 192.0.2.1');
		state().emergency.goToNextStep();
		const dialog = state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('Nothing was asked.');
		expect(dialog.title).toBe('A filter for the same requests already exists');
		dialog.choose('own');
		expect(state().emergency.data).toMatchObject({step: 'action'});
	});

	test('created meanwhile by someone else stops the creation, and the rule can use it', async () => {
		const {space: testStore, goToReview, send, ending, choose, state} = await openEmergencyAsUser();
		await goToReview('ip.src eq 192.0.2.1');
		const id = await createShopFilter(testStore, 'ip.src eq 192.0.2.1');
		await send();
		expect(ending()).toMatchObject({state: 'duplicate', filterId: id});
		await choose('use the filter');
		expect(state().wizard.data?.filter).toMatchObject({id});
	});
});

describe.each([
	'path=firewall/rules status=410',
	'method=POST path=firewall/rules status=400 code=10020 message=firewallrules.api.maintenance_mode',
	'method=POST path=firewall/rules status=503 code=10020 message=firewallrules.api.maintenance_mode',
])('retired firewall rules (%s)', retiredFault => {
	test('lead at once to the same block as one custom rule, sent only on request', async () => {
		const {
			space: testStore,
			state,
			goToReview,
			send,
			emergency,
			ending,
		} = await openEmergencyAsUser({
			faults: retiredFault,
		});
		await goToReview('ip.src eq 192.0.2.9');
		await send();
		expect(emergency()).toMatchObject({step: 'review', phase: {name: 'asking'}, way: 'custom rule'});
		expect(buildEmergencyRequests(emergency())?.[0]).toMatchObject({
			path: expect.stringContaining('/rulesets'),
			body: {rules: [{expression: 'ip.src eq 192.0.2.9', action: 'block'}]},
		});
		await state().emergency.send();
		expect(emergency().phase.name).toBe('asking');
		await send();
		expect(ending()).toMatchObject({state: 'created', form: 'custom rule'});
		expect((await clearFaultsAndReadCustomRules(testStore)).rules).toMatchObject([
			{expression: 'ip.src eq 192.0.2.9', action: 'block', enabled: true},
		]);
	});

	test('leave the new rule under the cursor in the list of custom rules read before', async () => {
		const testStore = createTestStore({simulate: true}, {faults: retiredFault});
		testStore.state().firewall.open(shop);
		testStore.state().customRules.open(shop);
		await testStore.state().customRules.load(testStore.signal);
		testStore.state().emergency.begin();
		testStore.state().navigation.go('emergency');
		const {goToReview, send} = createEmergencyUser(testStore);
		await goToReview('ip.src eq 192.0.2.9');
		await send();
		await send();
		await testStore.until(
			({customRules: {data: customRules}}) =>
				customRules?.reading === 'read' && customRules.ruleset !== undefined,
		);
		const customRules = testStore.state().customRules.data;
		expect(customRules && customRuleList.getSelectedRule(customRules)).toMatchObject({
			expression: 'ip.src eq 192.0.2.9',
		});
	});

	test('lead to a custom rule placed before the existing ones', async () => {
		const {space: testStore, goToReview, send} = await openEmergencyAsUser({faults: retiredFault});
		await callMovedZoneAsOther(testStore, 'POST', '/rulesets', {
			name: 'default',
			kind: 'zone',
			phase: 'http_request_firewall_custom',
			rules: [{action: 'challenge', expression: 'true', enabled: true}],
		});
		await goToReview('ip.src eq 192.0.2.1');
		await send();
		await send();
		expect((await clearFaultsAndReadCustomRules(testStore)).rules.map(({expression}) => expression)).toEqual([
			'ip.src eq 192.0.2.1',
			'true',
		]);
	});

	test('with unreadable custom rules are reported, and t reads them again', async () => {
		const {
			space: testStore,
			state,
			goToReview,
			send,
			emergency,
			getMessage,
		} = await openEmergencyAsUser({
			faults: `${retiredFault}; path=entrypoint status=400 times=1`,
		});
		await goToReview('ip.src eq 192.0.2.1');
		await send();
		expect(emergency()).toMatchObject({phase: {name: 'asking'}, way: 'custom rule', customRules: undefined});
		expect(getMessage()).not.toBe('');
		await send();
		expect(getMessage()).toContain('Press t to load them');
		const reading = state().emergency.showCustomRule();
		expect(findEmergencyObstacle(emergency())).toMatch(/^Loading the custom rules/);
		await reading;
		expect(findEmergencyObstacle(emergency())).toBeUndefined();
		expect(buildEmergencyRequests(emergency())).toMatchObject([
			{body: {rules: [{expression: 'ip.src eq 192.0.2.1'}]}},
		]);
		expect(testStore.state().activity.data.rows.filter(({path}) => path.endsWith('/rulesets'))).toEqual([]);
	});

	test('with a lost response to the custom rule lead to a read that finds it', async () => {
		const {
			space: testStore,
			goToReview,
			send,
			ending,
		} = await openEmergencyAsUser({
			faults: `${retiredFault}; method=POST path=rulesets lost-answer`,
		});
		await goToReview('ip.src eq 192.0.2.1');
		await send();
		await send();
		expect(ending()).toMatchObject({state: 'created', form: 'custom rule', foundAfterLostResponse: true});
		expect((await clearFaultsAndReadCustomRules(testStore)).rules).toHaveLength(1);
	});
});

describe('an unknown outcome', () => {
	const unknownOutcomeFaults = 'method=POST path=rules lost-answer; method=GET path=filters status=403';

	test('is reported, and read again on request: the rule is active', async () => {
		const {
			space: testStore,
			goToReview,
			send,
			ending,
			choices,
			choose,
		} = await openEmergencyAsUser({
			faults: unknownOutcomeFaults,
		});
		await goToReview('ip.src eq 192.0.2.1');
		await send();
		expect(ending()).toMatchObject({state: 'unsure'});
		expect(choices()).toEqual(['look again', 'change it', 'leave']);
		testStore.simulator.faults.clear();
		await choose('look again');
		expect(ending()).toMatchObject({state: 'created', foundAfterLostResponse: true});
	});

	test('caused by a web page as the response can be sent again, as the next step says', async () => {
		const person = await openEmergencyAsUser({faults: 'method=POST html=502'});
		await person.goToReview('ip.src eq 192.0.2.9');
		await person.send();
		const ending = person.ending();
		if (ending.state !== 'unsure') throw new Error(ending.state);
		expect(ending.failure.next).toContain('Send it again');
		person.space.simulator.faults.clear();
		await person.choose('change it');
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created'});
		expect(await clearFaultsAndReadRules(person.space)).toHaveLength(1);
	});

	test('stays unknown while it cannot be read', async () => {
		const {goToReview, send, ending, choose, getMessage} = await openEmergencyAsUser({
			faults: unknownOutcomeFaults,
		});
		await goToReview('ip.src eq 192.0.2.1');
		await send();
		await choose('look again');
		expect(ending()).toMatchObject({state: 'unsure'});
		expect(getMessage()).not.toBe('');
	});
});

describe('a block that is already active', () => {
	const retiredFault = 'path=firewall/rules status=410';

	test('created meanwhile by someone else is reported, and nothing is created', async () => {
		const {space: testStore, goToReview, send, ending} = await openEmergencyAsUser();
		await goToReview('ip.src eq 192.0.2.1');
		await createShopRule(testStore, await createShopFilter(testStore, 'ip.src eq 192.0.2.1'));
		await send();
		const createdEnding = ending();
		expect(createdEnding).toMatchObject({state: 'created', alreadyExisted: true});
		expect(describeEmergencyEnding(createdEnding)).toContain('Already active');
		expect(await clearFaultsAndReadRules(testStore)).toHaveLength(1);
	});

	test('as a custom rule is not sent again', async () => {
		const {
			space: testStore,
			state,
			goToReview,
			send,
			ending,
			choose,
		} = await openEmergencyAsUser({
			faults: retiredFault,
		});
		await goToReview('ip.src eq 192.0.2.1');
		await send();
		await send();
		await choose('leave');
		state().emergency.begin();
		state().navigation.go('emergency');
		await goToReview('ip.src eq 192.0.2.1');
		await send();
		await testStore.until(({emergency: {data: emergency}}) => emergency?.phase.name === 'ended');
		expect(ending()).toMatchObject({state: 'created', form: 'custom rule', alreadyExisted: true});
		expect((await clearFaultsAndReadCustomRules(testStore)).rules).toHaveLength(1);
	});

	test('on a filter with the same expression is reported before anything is sent', async () => {
		const testStore = createTestStore();
		const ruleId = await createShopRule(testStore, await createShopFilter(testStore, 'ip.src eq 192.0.2.1'));
		testStore.state().firewall.open(shop);
		await testStore.state().firewall.load(testStore.signal);
		testStore.state().emergency.begin();
		testStore.state().navigation.go('emergency');
		createEmergencyUser(testStore).type('ip.src eq 192.0.2.1');
		testStore.state().emergency.goToNextStep();
		const dialog = testStore.state().dialog.current;
		expect(dialog?.kind === 'choice' && dialog.lines.join(' ')).toContain(`rule ${ruleId} (block)`);
	});

	test('is not assumed for a filter deleted since the lists were read', async () => {
		const testStore = createTestStore();
		const filterId = await createShopFilter(testStore, 'ip.src eq 192.0.2.1');
		testStore.state().firewall.open(shop);
		await testStore.state().firewall.load(testStore.signal);
		await callMovedZoneAsOther(testStore, 'DELETE', `/filters/${filterId}`);
		testStore.state().emergency.begin();
		testStore.state().navigation.go('emergency');
		createEmergencyUser(testStore).type('ip.src eq 192.0.2.1');
		testStore.state().emergency.goToNextStep();
		const dialog = testStore.state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('Nothing was asked.');
		testStore.state().dialog.close();
		dialog.choose('own');
		expect(testStore.state().emergency.data?.step).toBe('action');
	});
});

describe('an address and a path', () => {
	const [both, either] = ['and', 'or'].map(
		join => `ip.src eq 192.0.2.77 ${join} http.request.uri.path eq "/wp-login.php"`,
	);

	test.each([
		['all', both],
		['any', either],
	])('are combined after a question, with %s selected', async (match, expression) => {
		const {state, type, emergency} = await openEmergencyAsUser();
		type('192.0.2.77 /wp-login.php');
		expect(describeTypedTargets(emergency())?.text).toContain('must match, or either');
		state().emergency.goToNextStep();
		const dialog = state().dialog.current;
		if (dialog?.kind !== 'choice') throw new Error('Nothing is asked.');
		expect(dialog.lines).toEqual([`Both: ${both}`, `Either: ${either}`]);
		expect(emergency().step).toBe('expression');
		state().dialog.close();
		dialog.choose(match);
		expect(emergency()).toMatchObject({step: 'action', editing: {analysis: {text: expression}}});
	});

	test('stay as typed when the question is closed', async () => {
		const {state, type, emergency} = await openEmergencyAsUser();
		type('192.0.2.77 /wp-login.php');
		state().emergency.goToNextStep();
		const dialog = state().dialog.current;
		state().dialog.close();
		if (dialog?.kind === 'choice') dialog.choose('change');
		expect(emergency()).toMatchObject({
			step: 'expression',
			editing: {analysis: {text: '192.0.2.77 /wp-login.php'}},
		});
	});
});

test('an impossible address is refused as it is typed, and stays', async () => {
	const {state, type, emergency} = await openEmergencyAsUser();
	type('198.51.100.300');
	expect(describeTypedTargets(emergency())).toEqual({
		isValid: false,
		text: expect.stringContaining('Invalid IPv4 address'),
	});
	state().emergency.goToNextStep();
	expect(emergency()).toMatchObject({step: 'expression', editing: {analysis: {text: '198.51.100.300'}}});
	expect(state().messages.latest?.text).toContain('Invalid IPv4 address');
});

test('more addresses than an expression holds are refused with the advice to use a list', async () => {
	const {state, emergency} = await openEmergencyAsUser();
	const targets = Array.from({length: 500}, (_, index) => `2001:db8::${index.toString(16)}`);
	const text = targets.join(' ');
	state().emergency.type({name: 'paste', text, sequence: text});
	expect(describeTypedTargets(emergency())).toEqual({
		isValid: false,
		text: expect.stringMatching(
			/limit is 4096\. Leave the form \(esc\), add them to an IP list \(I\), and use: ip\.src in \$NAME/,
		),
	});
	state().emergency.goToNextStep();
	expect(emergency().step).toBe('expression');
	expect(state().messages.latest?.text).toContain('to an IP list');
});

test('a block of ordinary visitors is sent only after the name of the zone was typed', async () => {
	const {space: testStore, state, goToReview, send, ending} = await openEmergencyAsUser();
	await goToReview('/wp-login.php');
	await send();
	const dialog = state().dialog.current;
	if (dialog?.kind !== 'field') throw new Error('Nothing is asked.');
	expect(dialog).toMatchObject({requiredInput: shop.name});
	expect(dialog.lines.join(' ')).toContain(`also blocks ordinary visitors of ${shop.name}`);
	expect(
		(await clearFaultsAndReadRules(testStore)).some(
			({filter}) => 'expression' in filter && filter.expression.includes('wp-login'),
		),
	).toBe(false);
	dialog.submit(shop.name);
	await testStore.until(({emergency: {data: emergency}}) => emergency?.phase.name === 'ended');
	expect(ending()).toMatchObject({
		state: 'created',
		rule: {filter: {expression: 'http.request.uri.path eq "/wp-login.php"'}},
	});
});

test('lists that showed that firewall rules are retired lead straight to a custom rule', async () => {
	const testStore = createTestStore({simulate: true}, {faults: 'path=firewall/rules status=410'});
	testStore.state().firewall.open(shop);
	await testStore
		.state()
		.firewall.load(testStore.signal)
		.catch(() => {});
	testStore.state().emergency.begin();
	testStore.state().navigation.go('emergency');
	const {goToReview, emergency, send, ending} = createEmergencyUser(testStore);
	await goToReview('ip.src eq 192.0.2.1');
	expect(emergency().way).toBe('custom rule');
	expect(buildEmergencyRequests(emergency())).toMatchObject([
		{body: {rules: [{expression: 'ip.src eq 192.0.2.1'}]}},
	]);
	await send();
	expect(ending()).toMatchObject({state: 'created', form: 'custom rule'});
	expect(testStore.state().activity.data.rows.filter(({method}) => method === 'POST')).toHaveLength(1);
});
test('a block whose zone was named is not asked about again as a custom rule', async () => {
	const {
		space: testStore,
		state,
		goToReview,
		send,
		ending,
		emergency,
	} = await openEmergencyAsUser({
		faults: 'method=POST path=firewall/rules status=403 code=10020',
	});
	await goToReview('/wp-login.php');
	await send();
	const dialog = state().dialog.current;
	if (dialog?.kind !== 'field') throw new Error('Nothing is asked.');
	state().dialog.close();
	dialog.submit(shop.name);
	await testStore.until(({emergency: {data}}) => data?.way === 'custom rule' && data.phase.name === 'asking');
	expect(emergency().step).toBe('review');
	await send();
	expect(ending()).toMatchObject({
		state: 'created',
		form: 'custom rule',
		rule: {expression: 'http.request.uri.path eq "/wp-login.php"'},
	});
});

test('a block bypassed by an allow rule is not reported as active', async () => {
	const {space: testStore, state, goToReview, send, ending, emergency} = await openEmergencyAsUser();
	const filterId = await createShopFilter(testStore, 'ip.src in {198.51.100.0/24}');
	const allowRuleId = await createShopRule(testStore, filterId, {action: 'allow', priority: 1});
	await state().firewall.load(testStore.signal);
	await goToReview('ip.src eq 198.51.100.7');
	await send();
	const {tone, heading, facts} = describeEmergencyOutcome(emergency(), ending());
	expect(tone).toBe('warning');
	expect(heading).toMatch(/^Created, but has no effect: rule /);
	expect(facts.join('\n')).toContain(
		`Rule ${allowRuleId} (allow) runs first and lets all of these requests through.`,
	);
	expect(facts.join('\n')).toContain(
		'To run it first: press O on it in the list, or run ledge firewall rule update ',
	);
});

describe('leaving the emergency', () => {
	test('after a rejection asks first, since the typed text was not used', async () => {
		const {state, goToReview, send, choose} = await openEmergencyAsUser({
			faults: 'method=POST path=rules status=403',
		});
		await goToReview('ip.src eq 192.0.2.1');
		await send();
		expect(state().emergency.operations.isTouched()).toBe(true);
		await choose('leave');
		expect(state().dialog.current).toMatchObject({kind: 'choice', title: 'Close the emergency?'});
		expect(state().emergency.data).toBeDefined();
	});

	test('with esc on a duplicate leads back to the typed text', async () => {
		const {space: testStore, state, goToReview, send, emergency} = await openEmergencyAsUser();
		await goToReview('ip.src eq 192.0.2.1');
		await createShopFilter(testStore, 'ip.src eq 192.0.2.1');
		await send();
		expect(state().emergency.goToPreviousStep()).toBe(true);
		expect(emergency()).toMatchObject({
			step: 'expression',
			editing: {analysis: {text: 'ip.src eq 192.0.2.1'}},
		});
	});

	test('with an unseen result keeps it from being replaced by an emergency of another zone', async () => {
		const {
			space: testStore,
			state,
			goToReview,
			send,
			ending,
		} = await openEmergencyAsUser({
			faults: 'method=POST path=rules latency=100 status=403',
		});
		await goToReview('ip.src eq 192.0.2.1');
		const sending = send();
		state().emergency.operations.leave();
		await sending;
		state().firewall.open({id: 'd0e032749968114a09730950255c7c0f', name: 'acme.example', plan: 'enterprise'});
		state().emergency.begin();
		expect(ending().state).toBe('nothing');
		expect(testStore.state().emergency.data?.zone.id).toBe(shop.id);
		expect(state().messages.latest?.text).toContain('close it to start another');
	});

	test('reports that firewall rules turned out to be gone, and ! shows the custom rule', async () => {
		const {
			space: testStore,
			state,
			goToReview,
			send,
			emergency,
		} = await openEmergencyAsUser({
			faults: 'method=POST path=rules latency=100 status=410',
		});
		await goToReview('ip.src eq 192.0.2.1');
		const sending = send();
		state().emergency.operations.leave();
		await sending;
		expect(state().messages.latest?.text).toContain('are retired');
		state().emergency.begin();
		state().navigation.go('emergency');
		await testStore.until(
			one =>
				one.emergency.data?.phase.name === 'asking' &&
				buildEmergencyRequests(one.emergency.data) !== undefined,
		);
		expect(emergency()).toMatchObject({step: 'review', way: 'custom rule'});
	});

	test('by quitting while sending waits for the result, and reports it on exit', async () => {
		const {
			space: testStore,
			state,
			goToReview,
			send,
		} = await openEmergencyAsUser({
			faults: 'method=POST path=rules hang',
		});
		await goToReview('ip.src eq 192.0.2.1');
		const sending = send();
		await testStore.until(({emergency: {data: emergency}}) => emergency?.phase.name === 'sending');
		await Promise.all([state().bulk.end(), state().emergency.operations.end()]);
		expect(state().emergency.data?.phase.name).toBe('ended');
		expect(state().emergency.operations.getQuitMessage()).toMatch(/^Not active|is unknown/);
		await sending;
	});

	test('goes back step by step on esc, and keeps the typed text', async () => {
		const {state, goToReview, emergency} = await openEmergencyAsUser();
		await goToReview('ip.src eq 192.0.2.1');
		expect(state().emergency.goToPreviousStep()).toBe(true);
		expect(emergency().step).toBe('action');
		expect(state().emergency.goToPreviousStep()).toBe(true);
		expect(emergency()).toMatchObject({
			step: 'expression',
			editing: {analysis: {text: 'ip.src eq 192.0.2.1'}},
		});
		expect(state().emergency.goToPreviousStep()).toBe(false);
		expect(state().emergency.operations.isTouched()).toBe(true);
	});

	test('loses nothing if nothing was typed', async () => {
		const {state} = await openEmergencyAsUser();
		expect(state().emergency.operations.isTouched()).toBe(false);
	});

	test('does not stop sending, and the result is reported elsewhere', async () => {
		const {
			space: testStore,
			state,
			goToReview,
			send,
		} = await openEmergencyAsUser({
			faults: 'method=POST path=rules latency=100',
		});
		await goToReview('ip.src eq 192.0.2.1');
		const sending = send();
		expect(state().emergency.goToPreviousStep()).toBe(false);
		state().emergency.operations.leave();
		await sending;
		expect(state().messages.latest?.text).toContain('Active: rule');
		expect(state().emergency.data).toBeUndefined();
		expect(await clearFaultsAndReadRules(testStore)).toHaveLength(1);
	});
});
