import {describe, expect, test, vi} from 'vitest';
import {describeEmergencyEnding} from '../../../source/screens/emergency/ending.ts';
import {buildEmergencyRequests} from '../../../source/screens/emergency/state.ts';
import type {ZoneWithLabel} from '../../../source/screens/firewall/state.ts';
import {minReviewMs} from '../../../source/screens/write-flow/review-timer.ts';
import {behind, filterMade, ruleMade, shop} from '../support/firewall.ts';
import {customRulesThere, emergencyIn, filtersThere, rulesThere} from './person.ts';

type Person = Awaited<ReturnType<typeof emergencyIn>>;

async function undo({space, state}: Person) {
	space.passes(minReviewMs);
	await state().emergency.decide({id: 'undo', label: ''});
}

async function sent(expression: string, options?: Parameters<typeof emergencyIn>[0]) {
	const person = await emergencyIn(options);
	await person.toSend(expression);
	await person.send();
	return person;
}

const writesOf = ({space}: Person) =>
	space
		.state()
		.activity.calls.filter(({method}) => method !== 'GET')
		.map(({method}) => method)
		.reverse();

const gone = 'path=firewall/rules status=410';
const custom = (person: Person, rules: readonly object[]) =>
	behind(person.space, 'POST', '/rulesets', {
		name: 'default',
		kind: 'zone',
		phase: 'http_request_firewall_custom',
		rules,
	});

describe('undoing an emergency with one key', () => {
	test('deletes a rule and its filter', async () => {
		const person = await sent('ip.src eq 192.0.2.9');
		expect(person.choices()).toEqual(['leave', 'undo']);
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
		expect(writesOf(person)).toEqual(['POST', 'DELETE', 'DELETE']);
		expect(await rulesThere(person.space)).toEqual([]);
		expect(await filtersThere(person.space)).toEqual([]);
		expect(person.state().emergency.operations.isTouched()).toBe(false);
	});

	test('deletes a custom rule', async () => {
		const person = await sent('ip.src eq 192.0.2.9', {faults: gone});
		await person.send();
		await undo(person);
		expect(describeEmergencyEnding(person.ending())).toMatch(
			/^Undone[.] Custom rule ip[.]src eq 192[.]0[.]2[.]9 \(block, [0-9a-f]{32}\) was deleted[.]$/,
		);
		expect((await customRulesThere(person.space)).rules).toEqual([]);
	});

	test('ignores a key pressed before the result could be read', async () => {
		const person = await sent('ip.src eq 192.0.2.9');
		await person.state().emergency.decide({id: 'undo', label: ''});
		expect(person.ending()).toMatchObject({state: 'created'});
		expect(person.said()).toContain('Too fast');
	});

	test('leaves alone anything that existed before', async () => {
		const person = await emergencyIn();
		await person.toSend('ip.src eq 192.0.2.1');
		await ruleMade(person.space, await filterMade(person.space, 'ip.src eq 192.0.2.1'));
		await person.send();
		expect(person.choices()).toEqual(['leave']);
		await undo(person);
		expect(await rulesThere(person.space)).toHaveLength(1);
	});

	test('is refused for a rule changed since by someone else, which is reported and can be read again', async () => {
		const person = await sent('ip.src eq 192.0.2.9');
		const [rule] = await rulesThere(person.space);
		await behind(person.space, 'PUT', `/firewall/rules/${rule?.id}`, {
			...rule,
			filter: {id: rule?.filter.id},
			description: 'mine now',
		});
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'not undone', blockState: 'in force'});
		expect(describeEmergencyEnding(person.ending())).toContain('was changed by someone else');
		expect(writesOf(person)).toEqual(['POST']);
		await behind(person.space, 'PUT', `/firewall/rules/${rule?.id}`, {
			...rule,
			filter: {id: rule?.filter.id},
		});
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
	});

	test('with a lost answer and failing reads is unsure at first, then found, and done only once', async () => {
		const person = await sent('ip.src eq 192.0.2.9');
		const {simulator} = person.space;
		const pass = simulator.fetch;
		const fetch = vi.spyOn(simulator, 'fetch').mockImplementation(async request => {
			if (request.method !== 'DELETE') return pass(request);
			fetch.mockRestore();
			await pass(request);
			simulator.faults.replace('method=GET path=firewall/rules status=403');
			throw new TypeError('fetch failed', {cause: Object.assign(new Error('reset'), {code: 'ECONNRESET'})});
		});
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'not undone', blockState: 'unknown'});
		expect(describeEmergencyEnding(person.ending())).toContain('It is unknown whether it was undone.');
		person.space.simulator.faults.clear();
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
		expect(writesOf(person)).toEqual(['POST', 'DELETE', 'DELETE']);
		expect(await filtersThere(person.space)).toEqual([]);
	});
});

describe('all addresses', () => {
	test.each(['0.0.0.0/0', '::/0', '0.0.0.0/0 ::/0'])('%s requires the name of the zone', async target => {
		const person = await sent(target);
		expect(person.state().dialog.current).toMatchObject({kind: 'field', requiredInput: shop.name});
		expect(writesOf(person)).toEqual([]);
	});
});

describe('a full zone', () => {
	/** The plan Free has five rules. */
	const small: ZoneWithLabel = {...shop, plan: 'free'};

	async function full() {
		const person = await emergencyIn({zone: small});
		for (let number = 0; number < 5; number++)
			await ruleMade(person.space, await filterMade(person.space, `http.request.uri.path eq "/${number}"`));
		await person.state().firewall.load(person.space.signal);
		return person;
	}

	test('is sent nothing, and one key offers the block as a custom rule', async () => {
		const person = await full();
		await person.toSend('192.0.2.9');
		await person.send();
		expect(person.said()).toContain('u makes it a custom rule');
		expect(writesOf(person)).toEqual([]);
		await person.state().emergency.showCustomRule();
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created', form: 'custom rule'});
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
	});

	test('discovered while sending leads back to the request, which says so', async () => {
		const person = await emergencyIn({zone: small});
		await person.toSend('192.0.2.9');
		for (let number = 0; number < 5; number++)
			await ruleMade(person.space, await filterMade(person.space, `http.request.uri.path eq "/${number}"`));
		await person.send();
		expect(person.ending()).toMatchObject({state: 'nothing', failure: {code: 'plan_lacks'}});
		await person.space.until(({firewall: {data: firewall}}) => firewall?.rules.length === 5);
		await person.choose('change it');
		await person.send();
		expect(person.said()).toContain('u makes it a custom rule');
	});

	test('of custom rules is sent nothing, and the way to make room is shown', async () => {
		const person = await emergencyIn({zone: small, faults: gone});
		await custom(
			person,
			[0, 1, 2, 3, 4].map(number => ({
				action: 'block',
				expression: `http.request.uri.path eq "/${number}"`,
				enabled: number !== 2,
			})),
		);
		const before = (await customRulesThere(person.space)).rules;
		person.space.simulator.faults.replace(gone);
		await person.toSend('192.0.2.9');
		await person.send();
		await person.space.until(({work: {list: work}}) => work.length === 0);
		await person.send();
		expect(person.said()).toMatch(/First delete custom rule .*, which currently does nothing[.]/);
		expect((await customRulesThere(person.space)).rules).toEqual(before);
	});
});

describe('going first', () => {
	test.each([
		[1, 0, 'Priority 0'],
		[0, 0, 'No priority is lower than 0'],
	])('precedes a rule of priority %i with %i', async (there, priority) => {
		const person = await emergencyIn();
		const filter = await filterMade(person.space, 'ip.src eq 192.0.2.50');
		await ruleMade(person.space, filter, {action: 'allow', priority: there});
		await person.state().firewall.load(person.space.signal);
		await person.toSend('192.0.2.9');
		person.state().emergency.togglePriority();
		expect(buildEmergencyRequests(person.emergency())).toMatchObject([{body: [{priority}]}]);
		expect(person.said().startsWith('No priority is lower')).toBe(there === 0);
	});
});
