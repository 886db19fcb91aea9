import {describe, expect, test, vi} from 'vitest';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {choicesOf, sentenceOf} from '../../../source/screens/emergency/endings.ts';
import {requestsOf} from '../../../source/screens/emergency/state.ts';
import type {OpenedZone} from '../../../source/screens/firewall/state.ts';
import {lookingTime} from '../../../source/screens/review/state.ts';
import type {Dialog} from '../../../source/screens/shell/dialog-slice.ts';
import {behind, filterMade, ruleMade, shop} from '../support/firewall.ts';
import {customRulesThere, emergencyIn, filtersThere, rulesThere} from './person.ts';

type Person = Awaited<ReturnType<typeof emergencyIn>>;

async function undo({space, state}: Person) {
	space.passes(lookingTime);
	await state().emergency.undo();
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

function choiceIn({state}: Person): Dialog & {kind: 'choice'} {
	const dialog = state().dialog.current;
	if (dialog?.kind !== 'choice') throw new Error('Nothing is asked.');
	return dialog;
}

/** Chooses one of the ways by what its label begins with. */
async function choose(person: Person, label: string) {
	const dialog = choiceIn(person);
	const choice = dialog.choices.find(one => one.label.startsWith(label));
	if (!choice) throw new Error(`No "${label}": ${dialog.choices.map(one => one.label).join(', ')}`);
	person.state().dialog.close();
	dialog.choose(choice.value);
	await person.space.until(({emergency: {data: emergency}}) => emergency?.phase.name !== 'reading');
}

const gone = 'path=firewall/rules status=410';
const custom = (person: Person, rules: readonly object[]) =>
	behind(person.space, 'POST', '/rulesets', {
		name: 'default',
		kind: 'zone',
		phase: 'http_request_firewall_custom',
		rules,
	});

describe('what was made is undone by one key', () => {
	test('a rule and its filter', async () => {
		const person = await sent('ip.src eq 192.0.2.9');
		expect(choicesOf(person.emergency()).map(({does}) => does)).toEqual(['leave', 'undo']);
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
		expect(writesOf(person)).toEqual(['POST', 'DELETE', 'DELETE']);
		expect(await rulesThere(person.space)).toEqual([]);
		expect(await filtersThere(person.space)).toEqual([]);
		expect(person.state().emergency.form.isTouched()).toBe(false);
	});

	test('a custom rule', async () => {
		const person = await sent('ip.src eq 192.0.2.9', {faults: gone});
		await person.send();
		await undo(person);
		expect(sentenceOf(person.ending())).toMatch(
			/^Undone[.] Custom rule ip[.]src eq 192[.]0[.]2[.]9 \(block, [0-9a-f]{32}\) is deleted[.]$/,
		);
		expect((await customRulesThere(person.space)).rules).toEqual([]);
	});

	test('not by a key that came before it could be read', async () => {
		const person = await sent('ip.src eq 192.0.2.9');
		await person.state().emergency.undo();
		expect(person.ending()).toMatchObject({state: 'created'});
		expect(person.said()).toContain('Look first');
	});

	test('not what existed before', async () => {
		const person = await emergencyIn();
		await person.toSend('ip.src eq 192.0.2.1');
		await ruleMade(person.space, await filterMade(person.space, 'ip.src eq 192.0.2.1'));
		await person.send();
		expect(choicesOf(person.emergency()).map(({does}) => does)).toEqual(['leave']);
		await undo(person);
		expect(await rulesThere(person.space)).toHaveLength(1);
	});

	test('not what someone else has changed since: that is said, and it can be looked at again', async () => {
		const person = await sent('ip.src eq 192.0.2.9');
		const [rule] = await rulesThere(person.space);
		await behind(person.space, 'PUT', `/firewall/rules/${rule?.id}`, {
			...rule,
			filter: {id: rule?.filter.id},
			description: 'mine now',
		});
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'not undone', isPartly: false});
		expect(sentenceOf(person.ending())).toContain('was changed by someone else');
		expect(writesOf(person)).toEqual(['POST']);
		await behind(person.space, 'PUT', `/firewall/rules/${rule?.id}`, {
			...rule,
			filter: {id: rule?.filter.id},
		});
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
	});

	test('whose answer is lost, and nothing can be read: unsure, looked for, and done once', async () => {
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
		expect(person.ending()).toMatchObject({state: 'undo unsure'});
		expect(sentenceOf(person.ending())).toBe('Whether it is undone is unknown.');
		person.space.simulator.faults.clear();
		await person.choose('look again');
		expect(person.ending()).toMatchObject({state: 'not undone', isPartly: true});
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
		expect(writesOf(person)).toEqual(['POST', 'DELETE', 'DELETE']);
		expect(await filtersThere(person.space)).toEqual([]);
	});
});

describe('addresses in an existing block rule', () => {
	test('are offered, shown as they will be sent, sent by one call, and undone', async () => {
		const person = await emergencyIn();
		const filter = await filterMade(person.space, 'ip.src in {192.0.2.1 192.0.2.2}');
		const id = await ruleMade(person.space, filter);
		await person.state().firewall.load(person.space.signal);
		const before = await rulesThere(person.space);
		await person.toSend('192.0.2.9');
		expect(requestsOf(person.emergency())).toMatchObject([{method: 'POST'}]);
		person.state().emergency.offerWays();
		await choose(person, `Add it to rule ${id}`);
		expect(requestsOf(person.emergency())).toMatchObject([
			{method: 'PUT', body: {expression: 'ip.src in {192.0.2.1 192.0.2.2 192.0.2.9}'}},
		]);
		await person.send();
		expect(sentenceOf(person.ending())).toBe(
			`In force: rule ip.src in {192.0.2.1 192.0.2.2} (block, ${id}) blocks 192.0.2.9, too.`,
		);
		expect(writesOf(person)).toEqual(['PUT']);
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
		expect(await rulesThere(person.space)).toEqual(before);
	});

	test('are never added on their own, and not once another expression is typed', async () => {
		const person = await emergencyIn();
		await ruleMade(person.space, await filterMade(person.space, 'ip.src eq 192.0.2.1'));
		await person.state().firewall.load(person.space.signal);
		await person.toSend('192.0.2.9');
		expect(person.state().dialog.current).toBeUndefined();
		person.state().emergency.offerWays();
		await choose(person, 'Add it to rule');
		person.state().emergency.back();
		expect(person.emergency().into).toBeUndefined();
		person.state().emergency.chooseAction('challenge');
		person.state().emergency.offerWays();
		expect(choiceIn(person).choices.map(({value}) => value)).toEqual(['own', 'custom']);
	});

	test('in a custom rule, where firewall rules are gone', async () => {
		const person = await emergencyIn({faults: gone});
		await custom(person, [{action: 'block', expression: 'ip.src eq 192.0.2.1', enabled: true}]);
		await person.toSend('192.0.2.9');
		await person.send();
		person.state().emergency.offerWays();
		await choose(person, 'Add it to rule');
		await person.send();
		expect(person.ending()).toMatchObject({state: 'extended'});
		expect((await customRulesThere(person.space)).rules).toMatchObject([
			{expression: 'ip.src in {192.0.2.1 192.0.2.9}'},
		]);
		await undo(person);
		expect((await customRulesThere(person.space)).rules).toMatchObject([{expression: 'ip.src eq 192.0.2.1'}]);
	});

	test('all of them want the name of the zone', async () => {
		const person = await emergencyIn();
		await ruleMade(person.space, await filterMade(person.space, 'ip.src eq 192.0.2.1'));
		await person.state().firewall.load(person.space.signal);
		await person.toSend('0.0.0.0/0');
		person.state().emergency.offerWays();
		await choose(person, 'Add it to rule');
		await person.send();
		expect(person.state().dialog.current).toMatchObject({kind: 'field', typed: shop.name});
		expect(writesOf(person)).toEqual([]);
	});
});

describe('all addresses', () => {
	test.each(['0.0.0.0/0', '::/0', '0.0.0.0/0 ::/0'])('%s want the name of the zone', async target => {
		const person = await sent(target);
		expect(person.state().dialog.current).toMatchObject({kind: 'field', typed: shop.name});
		expect(writesOf(person)).toEqual([]);
	});
});

describe('a full zone', () => {
	/** The plan Free has five rules. */
	const small: OpenedZone = {...shop, plan: 'free'};

	async function full() {
		const person = await emergencyIn({zone: small});
		for (let number = 0; number < 3; number++)
			await ruleMade(person.space, await filterMade(person.space, `http.request.uri.path eq "/${number}"`));
		const block = await ruleMade(person.space, await filterMade(person.space, 'ip.src eq 192.0.2.1'));
		const filter = await filterMade(person.space, 'http.request.uri.path eq "/old"');
		const paused = await ruleMade(person.space, filter, {paused: true, action: 'challenge'});
		await person.state().firewall.load(person.space.signal);
		return {...person, block, paused};
	}

	test('has the ways out before anything is sent', async () => {
		const person = await full();
		await person.toSend('192.0.2.9');
		expect(choiceIn(person).title).toBe('acme-moved.example has no room for one more rule');
		expect(choiceIn(person).choices.map(({value}) => value)).toEqual([
			`add ${person.block}`,
			`replace ${person.paused}`,
			'custom',
			'expression',
		]);
		expect(writesOf(person)).toEqual([]);
	});

	test('has the block in the place of a paused rule, and is as before once that is undone', async () => {
		const person = await full();
		const before = await rulesThere(person.space);
		await person.toSend('192.0.2.9');
		await choose(person, `In the place of paused rule ${person.paused}`);
		expect(requestsOf(person.emergency())).toMatchObject([{method: 'DELETE'}, {method: 'POST'}]);
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created', replaced: {id: person.paused}});
		expect(writesOf(person)).toEqual(['DELETE', 'POST']);
		await undo(person);
		expect(person.ending()).toMatchObject({state: 'undone'});
		const after = await rulesThere(person.space);
		expect(after).toHaveLength(5);
		expect(after.map(({filter}) => filter)).toEqual(before.map(({filter}) => filter));
		expect(after.at(-1)).toMatchObject({paused: true, action: 'challenge'});
	});

	test('has the ways out again where it turned out to be full', async () => {
		const person = await emergencyIn({zone: small});
		await person.toSend('192.0.2.9');
		for (let number = 0; number < 5; number++)
			await ruleMade(person.space, await filterMade(person.space, `http.request.uri.path eq "/${number}"`));
		await person.send();
		expect(person.ending()).toMatchObject({state: 'nothing', failure: {code: 'plan_lacks'}});
		await person.space.until(({firewall: {data: firewall}}) => firewall?.rules.length === 5);
		await person.choose('back to the request');
		expect(choiceIn(person).choices.map(({value}) => value)).toEqual(['custom', 'expression']);
	});

	test('of custom rules has a paused one become the block, in one call, and back', async () => {
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
		await person.space.until(({dialog: {current: dialog}}) => dialog !== undefined);
		expect(choiceIn(person).choices.map(({value}) => value)).toEqual([
			`replace ${before[2]?.id}`,
			'expression',
		]);
		await choose(person, 'In the place of');
		await person.send();
		expect(person.ending()).toMatchObject({state: 'created', custom: true, rule: {id: before[2]?.id}});
		expect((await customRulesThere(person.space)).rules[0]).toMatchObject({
			id: before[2]?.id,
			expression: 'ip.src eq 192.0.2.9',
			enabled: true,
		});
		await undo(person);
		const said = ({id, action, expression, enabled}: RulesetRule) => ({id, action, expression, enabled});
		expect((await customRulesThere(person.space)).rules.map(said)).toEqual(before.map(said));
	});
});

describe('going first', () => {
	test.each([
		[1, 0, 'Priority 0'],
		[0, 0, 'No priority is smaller than 0'],
	])('before a rule of priority %i with %i', async (there, priority) => {
		const person = await emergencyIn();
		const filter = await filterMade(person.space, 'ip.src eq 192.0.2.50');
		await ruleMade(person.space, filter, {action: 'allow', priority: there});
		await person.state().firewall.load(person.space.signal);
		await person.toSend('192.0.2.9');
		person.state().emergency.changeOrder();
		expect(requestsOf(person.emergency())).toMatchObject([{body: [{priority}]}]);
		expect(person.said().startsWith('No priority is smaller')).toBe(there === 0);
	});
});
