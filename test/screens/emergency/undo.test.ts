import {describe, expect, test, vi} from 'vitest';
import {createTextKey} from '../../../source/keyboard/key.ts';
import {dispatch} from '../../../source/screens/dispatch.ts';
import {describeEmergencyEnding} from '../../../source/screens/emergency/ending.ts';
import {buildEmergencyRequests} from '../../../source/screens/emergency/state.ts';
import type {ZoneWithLabel} from '../../../source/screens/shell/zone-with-label.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {createTestApp} from '../support/drawn.tsx';
import {callMovedZoneAsOther, createShopFilter, createShopRule, shop} from '../support/firewall.ts';
import {expectDialog, isIdle} from '../support/firewall-keys.ts';
import {
	clearFaultsAndReadCustomRules,
	clearFaultsAndReadFilters,
	clearFaultsAndReadRules,
	openEmergencyAsUser,
} from './person.ts';

type Person = Awaited<ReturnType<typeof openEmergencyAsUser>>;

async function undo({space: testStore, state}: Person) {
	testStore.advanceClock(minReviewMs);
	await state().emergency.decide({id: 'undo', label: ''});
}

async function sendBlock(expression: string, options?: Parameters<typeof openEmergencyAsUser>[0]) {
	const person = await openEmergencyAsUser(options);
	await person.goToReview(expression);
	await person.send();
	return person;
}

const listWriteMethods = ({space: testStore}: Person) =>
	testStore
		.state()
		.activity.data.rows.filter(({method}) => method !== 'GET')
		.map(({method}) => method)
		.reverse();

const retiredFault = 'path=firewall/rules status=410';
const createCustomRules = (person: Person, rules: readonly object[]) =>
	callMovedZoneAsOther(person.space, 'POST', '/rulesets', {
		name: 'default',
		kind: 'zone',
		phase: 'http_request_firewall_custom',
		rules,
	});

test('a block is in the undo of the rules, unless it was undone on its own screen', async () => {
	const person = await sendBlock('ip.src eq 192.0.2.9');
	const {undoSteps} = person.state().firewall;
	expect(undoSteps.map(({edits}) => edits.map(({kind, after}) => [kind, after]))).toEqual([
		[
			['rule', undefined],
			['filter', undefined],
		],
	]);
	await undo(person);
	expect(person.state().firewall.undoSteps).toEqual([]);
});

describe('the undo of the rules', () => {
	async function sendBothBlocks() {
		const person = await sendBlock('ip.src eq 192.0.2.20');
		const {state, space: testStore} = person;
		state().emergency.operations.leave();
		state().emergency.begin();
		state().navigation.go('emergency');
		await person.goToReview('ip.src eq 192.0.2.99');
		await state().emergency.showCustomRule();
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created', form: 'custom rule'});
		await testStore.until(isIdle);
		return {...person, app: createTestApp(testStore)};
	}

	function openUndoOf(screen: 'firewall' | 'customRules', {space: testStore, app}: Both) {
		testStore.state().navigation.openFromHome(screen);
		dispatch(app, createTextKey('u'));
		return expectDialog(testStore, 'confirm');
	}
	type Both = Awaited<ReturnType<typeof sendBothBlocks>>;

	test('says that a later block is a custom rule before it offers the earlier one', async () => {
		const person = await sendBothBlocks();
		const {title, lines} = openUndoOf('firewall', person);
		expect(title).toBe('Undo an earlier change?');
		expect(lines.slice(0, 3)).toEqual([
			'The last change in this zone was to the custom rules: to undo it, press 3, then u.',
			'Change to undo:',
			'rule 1 (block): ip.src eq 192.0.2.20',
		]);
	});

	test('of the custom rules says that a later change was to the firewall rules', async () => {
		const person = await sendBothBlocks();
		const {state, space: testStore} = person;
		state().emergency.operations.leave();
		state().customRules.open(shop);
		await state().customRules.load(testStore.signal);
		expect(openUndoOf('customRules', person).title).toBe('Undo the last change?');
		state().dialog.close();
		const [rule] = state().firewall.data?.rules ?? [];
		if (!rule) throw new Error('There is no rule.');
		state().firewall.noteEdits(shop, [{kind: 'rule', before: rule, after: {...rule, paused: true}}]);
		const {title, lines} = openUndoOf('customRules', person);
		expect(title).toBe('Undo an earlier change?');
		expect(lines[0]).toBe(
			'The last change in this zone was to the firewall rules: to undo it, press 2, then u.',
		);
	});

	test('is for the last change again once the later block was undone on its own screen', async () => {
		const person = await sendBothBlocks();
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
		await person.space.until(isIdle);
		expect(openUndoOf('firewall', person).title).toBe('Undo the last change?');
	});
});

describe('undoing an emergency with one key', () => {
	test('deletes a rule and its filter', async () => {
		const person = await sendBlock('ip.src eq 192.0.2.9');
		expect(person.choices()).toEqual(['leave', 'undo']);
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
		expect(listWriteMethods(person)).toEqual(['POST', 'DELETE', 'DELETE']);
		expect(await clearFaultsAndReadRules(person.space)).toEqual([]);
		expect(await clearFaultsAndReadFilters(person.space)).toEqual([]);
		expect(person.state().emergency.operations.isTouched()).toBe(false);
	});

	test('deletes a custom rule', async () => {
		const person = await sendBlock('ip.src eq 192.0.2.9', {faults: retiredFault});
		await person.send();
		await undo(person);
		expect(describeEmergencyEnding(person.ending())).toMatch(
			/^Undone[.] Custom rule ip[.]src eq 192[.]0[.]2[.]9 \(block, [0-9a-f]{32}\) was deleted[.]$/,
		);
		expect((await clearFaultsAndReadCustomRules(person.space)).rules).toEqual([]);
	});

	test('ignores a key pressed before the result could be read', async () => {
		const person = await sendBlock('ip.src eq 192.0.2.9');
		await person.state().emergency.decide({id: 'undo', label: ''});
		expect(person.ending()).toMatchObject({state: 'created'});
		expect(person.getMessage()).toContain('Too fast');
	});

	test('leaves alone anything that existed before', async () => {
		const person = await openEmergencyAsUser();
		await person.goToReview('ip.src eq 192.0.2.1');
		await createShopRule(person.space, await createShopFilter(person.space, 'ip.src eq 192.0.2.1'));
		await person.send();
		expect(person.choices()).toEqual(['leave']);
		await undo(person);
		expect(await clearFaultsAndReadRules(person.space)).toHaveLength(1);
	});

	test('is refused for a rule changed since by someone else, which is reported and can be read again', async () => {
		const person = await sendBlock('ip.src eq 192.0.2.9');
		const [rule] = await clearFaultsAndReadRules(person.space);
		await callMovedZoneAsOther(person.space, 'PUT', `/firewall/rules/${rule?.id}`, {
			...rule,
			filter: {id: rule?.filter.id},
			description: 'mine now',
		});
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'not undone', blockState: 'in force'});
		expect(describeEmergencyEnding(person.ending())).toContain('was changed by someone else');
		expect(listWriteMethods(person)).toEqual(['POST']);
		await callMovedZoneAsOther(person.space, 'PUT', `/firewall/rules/${rule?.id}`, {
			...rule,
			filter: {id: rule?.filter.id},
		});
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
	});

	test('with a lost response and failing reads is first unknown, then found, and done only once', async () => {
		const person = await sendBlock('ip.src eq 192.0.2.9');
		const {simulator} = person.space;
		const originalFetch = simulator.fetch;
		const fetchSpy = vi.spyOn(simulator, 'fetch').mockImplementation(async request => {
			if (request.method !== 'DELETE') return originalFetch(request);
			fetchSpy.mockRestore();
			await originalFetch(request);
			simulator.faults.replace('method=GET path=firewall/rules status=403');
			throw new TypeError('fetch failed', {cause: Object.assign(new Error('reset'), {code: 'ECONNRESET'})});
		});
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'not undone', blockState: 'unknown'});
		expect(describeEmergencyEnding(person.ending())).toContain('It is unknown whether it was undone.');
		person.space.simulator.faults.clear();
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
		expect(listWriteMethods(person)).toEqual(['POST', 'DELETE', 'DELETE']);
		expect(await clearFaultsAndReadFilters(person.space)).toEqual([]);
	});
});

describe('all addresses', () => {
	test.each(['0.0.0.0/0', '::/0', '0.0.0.0/0 ::/0'])('%s requires the name of the zone', async target => {
		const person = await sendBlock(target);
		expect(person.state().dialog.current).toMatchObject({kind: 'field', requiredInput: shop.name});
		expect(listWriteMethods(person)).toEqual([]);
	});
});

describe('a full zone', () => {
	/** On the Free plan, which allows five rules. */
	const freeShop: ZoneWithLabel = {...shop, plan: 'free'};

	async function openFullZone() {
		const person = await openEmergencyAsUser({zone: freeShop});
		for (let number = 0; number < 5; number++)
			await createShopRule(
				person.space,
				await createShopFilter(person.space, `http.request.uri.path eq "/${number}"`),
			);
		await person.state().firewall.load(person.space.signal);
		return person;
	}

	test('is sent nothing, and one key offers the block as a custom rule', async () => {
		const person = await openFullZone();
		await person.goToReview('192.0.2.9');
		await person.send();
		expect(person.getMessage()).toContain('t makes it a custom rule');
		expect(listWriteMethods(person)).toEqual([]);
		await person.state().emergency.showCustomRule();
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created', form: 'custom rule'});
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
	});

	test('discovered while sending leads back to the request, which says so', async () => {
		const person = await openEmergencyAsUser({zone: freeShop});
		await person.goToReview('192.0.2.9');
		for (let number = 0; number < 5; number++)
			await createShopRule(
				person.space,
				await createShopFilter(person.space, `http.request.uri.path eq "/${number}"`),
			);
		await person.send();
		expect(person.ending()).toMatchObject({state: 'nothing', failure: {code: 'plan_lacks'}});
		await person.space.until(({firewall: {data: firewall}}) => firewall?.rules.length === 5);
		await person.choose('change it');
		await person.send();
		expect(person.getMessage()).toContain('t makes it a custom rule');
	});

	test('of custom rules is sent nothing, and the message says how to make room', async () => {
		const person = await openEmergencyAsUser({zone: freeShop, faults: retiredFault});
		await createCustomRules(
			person,
			[0, 1, 2, 3, 4].map(number => ({
				action: 'block',
				expression: `http.request.uri.path eq "/${number}"`,
				enabled: number !== 2,
			})),
		);
		const rulesBefore = (await clearFaultsAndReadCustomRules(person.space)).rules;
		person.space.simulator.faults.replace(retiredFault);
		await person.goToReview('192.0.2.9');
		await person.send();
		await person.space.until(({work: {list: work}}) => work.length === 0);
		await person.send();
		expect(person.getMessage()).toMatch(/First delete custom rule .*, which currently does nothing[.]/);
		expect((await clearFaultsAndReadCustomRules(person.space)).rules).toEqual(rulesBefore);
	});
});

describe('going first', () => {
	test.each([
		[1, 0, 'Priority 0'],
		[0, 0, 'No priority is lower than 0'],
	])('before a rule of priority %i takes priority %i', async (existingPriority, priority) => {
		const person = await openEmergencyAsUser();
		const filter = await createShopFilter(person.space, 'ip.src eq 192.0.2.50');
		await createShopRule(person.space, filter, {action: 'allow', priority: existingPriority});
		await person.state().firewall.load(person.space.signal);
		await person.goToReview('192.0.2.9');
		person.state().emergency.togglePriority();
		expect(buildEmergencyRequests(person.emergency())).toMatchObject([{body: [{priority}]}]);
		expect(person.getMessage().startsWith('No priority is lower')).toBe(existingPriority === 0);
	});
});

test('the message after a block names the keys of its undo, also away from the list', async () => {
	const leaveAfterBlock = async (screen: 'firewall' | 'zones') => {
		const person = await openEmergencyAsUser();
		person.state().navigation.back();
		person.state().navigation.go(screen);
		person.state().navigation.go('emergency');
		await person.goToReview('192.0.2.9');
		await person.send();
		person.state().emergency.operations.leave();
		return person.getMessage();
	};
	expect(await leaveAfterBlock('firewall')).toMatch(/^Active: rule .* u undoes it\.$/);
	expect(await leaveAfterBlock('firewall')).not.toContain('2, then');
	expect(await leaveAfterBlock('zones')).toMatch(/^Active: rule .* 2, then u undoes it\.$/);
});
