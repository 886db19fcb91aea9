import {describe, expect, test} from 'vitest';
import {
	buildFilterDeleteChange,
	buildFilterUpdateChange,
	buildPriorityChange,
	buildRuleDeleteChange,
	buildRuleUpdateChange,
} from '../../../source/firewall/rules/changes.ts';
import {createFilter} from '../../../source/firewall/rules/create-filter.ts';
import {createRule} from '../../../source/firewall/rules/create-rule.ts';
import {deleteRule, planDeletion} from '../../../source/firewall/rules/delete-rule.ts';
import {createEmergencyRule, readStateBeforeEmergency} from '../../../source/firewall/rules/emergency.ts';
import {createCustomRule, readCustomRulePlan} from '../../../source/firewall/rules/emergency-custom-rule.ts';
import type {EmergencyDraft} from '../../../source/firewall/rules/emergency-draft.ts';
import type {Filter} from '../../../source/firewall/rules/filter.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import {readRulesetEntryPoint, sendEdit} from '../../../source/rulesets/calls.ts';
import {customPhase} from '../../../source/rulesets/ruleset.ts';
import {type Change, executeChange, settleChange} from '../../../source/service/settle.ts';
import {never, scriptedClock} from '../../service/scripted-transport.ts';
import {broken, openZone, type TestZone} from '../support/zone.ts';

const expression = 'ip.src in {192.0.2.0/24}';
const emergency: EmergencyDraft = {action: 'block', filter: {expression}};

/** What a write is said to have become, in the words that all of them share. */
type Said = {
	readonly is: 'done' | 'not done' | 'may arrive' | "someone else's" | 'unreadable';
	/** The ids that it is said to be about. */
	readonly ids?: readonly string[];
	readonly again?: (() => Promise<Said>) | undefined;
};

/** A write that is about to be sent, and what it does. */
type Write = {
	readonly method: string;
	readonly path: RegExp;
	send(): Promise<Said>;
	/** Whether the effect of this write exists, read past everything. */
	exists(): Promise<boolean>;
	/** What someone else does while the answer is waited for, so that the state differs from what was sent. */
	foreign(): Promise<unknown>;
	/** How the foreign change has to be called. */
	readonly foreignIs: Said['is'];
};

type Failed = {readonly failure: {readonly details: {readonly why?: string | undefined}}};

const unsureOf = ({failure}: Failed): Said['is'] =>
	failure.details.why?.includes('could not be read') ? 'unreadable' : 'may arrive';

/** A change of what exists, settled by itself. */
function changing<T, Other>(at: TestZone, change: Change<T, never, Other>): () => Promise<Said> {
	const said = (outcome: Awaited<ReturnType<typeof executeChange<T, never, Other>>>): Said => {
		const again =
			'unsettled' in outcome
				? async () => said(await settleChange(at.client, outcome.unsettled, {signal: never}))
				: undefined;
		switch (outcome.state) {
			case 'done':
				return {is: 'done'};
			case 'refused':
			case 'not done':
				return {is: 'not done'};
			case 'may still arrive':
				return {is: 'may arrive', again};
			case 'other':
				return {is: "someone else's", again};
			case 'unreadable':
				return {is: 'unreadable', again};
		}
	};
	return async () => said(await executeChange(at.client, change, {signal: never}));
}

const rulesIn = async (at: TestZone) => (await at.truth()).rules;
const filtersIn = async (at: TestZone) => (await at.truth()).filters;

/** A rule of its own, on a filter of its own. */
async function withRule(at: TestZone): Promise<{rule: Rule; filter: Filter}> {
	const filter = await at.filter('http.host eq "a.example"');
	return {filter, rule: await at.rule(filter, {action: 'challenge', priority: 5})};
}

const writes: Record<string, (at: TestZone) => Promise<Write>> = {
	async 'create filter'(at) {
		type Result = Awaited<ReturnType<typeof createFilter>>;
		const said = (result: Result): Said => {
			switch (result.state) {
				case 'made':
					return {is: 'done', ids: [result.filter.id]};
				case 'duplicate':
					return {is: "someone else's", ids: [result.filterId]};
				case 'nothing':
					return {is: 'not done'};
				case 'unsure':
					return {
						is: unsureOf(result),
						again: async () => said(await result.lookAgain(at.client, {signal: never})),
					};
			}
		};
		return {
			method: 'POST',
			path: /\/filters$/,
			send: async () => said(await createFilter(at.client, at.zone, {expression}, {signal: never})),
			exists: async () => (await filtersIn(at)).some(one => one.expression === expression),
			foreign: async () => at.rule(await at.filter(expression), {action: 'allow'}),
			foreignIs: "someone else's",
		};
	},

	async 'create rule: its filter'(at) {
		return {
			...(await rulesMade(at, {filter: {expression}, action: 'block'})),
			path: /\/filters$/,
			// The rule is not sent while nobody knows of its filter, and a look sends nothing.
			exists: async () => (await filtersIn(at)).some(one => one.expression === expression),
			foreign: async () => at.rule(await at.filter(expression), {action: 'allow'}),
			foreignIs: "someone else's",
		};
	},

	async 'create rule: on a new filter'(at) {
		const made = await rulesMade(at, {filter: {expression}, action: 'block'});
		return {
			...made,
			foreign: async () => {
				const [filter] = await filtersIn(at);
				if (filter) await at.rule(filter, {action: 'allow'});
			},
			foreignIs: 'may arrive',
		};
	},

	async 'create rule: on an existing filter'(at) {
		const filter = await at.filter(expression);
		await at.rule(filter, {action: 'block'});
		const before = new Set((await rulesIn(at)).map(({id}) => id));
		return {
			...(await rulesMade(at, {filter: {id: filter.id}, action: 'block'})),
			exists: async () => (await rulesIn(at)).some(({id, action}) => !before.has(id) && action === 'block'),
			foreign: () => at.rule(filter, {action: 'allow'}),
			foreignIs: 'may arrive',
		};
	},

	async 'emergency, combined'(at) {
		type Result = Awaited<ReturnType<typeof createEmergencyRule>>;
		const said = (result: Result): Said => {
			switch (result.state) {
				case 'created':
					return {is: result.alreadyExisted ? "someone else's" : 'done', ids: [result.rule.id ?? '']};
				case 'duplicate':
					return {is: "someone else's", ids: [result.filterId]};
				case 'unsure':
					return {
						is: unsureOf(result),
						again: async () => said(await result.lookAgain(at.client, {signal: never})),
					};
				case 'nothing':
				case 'filter left':
				case 'gone':
					return {is: 'not done'};
			}
		};
		return {
			method: 'POST',
			path: /\/firewall\/rules$/,
			async send() {
				const before = await readStateBeforeEmergency(at.client, at.zone, emergency, never);
				return said(await createEmergencyRule(at.client, at.zone, emergency, {signal: never, before}));
			},
			exists: async () =>
				(await rulesIn(at)).some(
					({action, filter}) =>
						action === 'block' && 'expression' in filter && filter.expression === expression,
				),
			foreign: async () => at.rule(await at.filter(expression), {action: 'allow'}),
			foreignIs: "someone else's",
		};
	},

	'emergency, custom rule, new ruleset': at => customRule(at, false),
	'emergency, custom rule, existing ruleset': at => customRule(at, true),

	async 'update rule'(at) {
		const {rule} = await withRule(at);
		return {
			method: 'PUT',
			path: /\/firewall\/rules\//,
			send: changing(at, buildRuleUpdateChange(at.zone, rule, {action: 'block', description: 'mine'})),
			exists: async () => (await rulesIn(at)).some(one => one.description === 'mine'),
			foreign: () => at.change('firewall/rules', {...bodyOf(rule), description: 'theirs'}),
			foreignIs: "someone else's",
		};
	},

	async 'set priority'(at) {
		const {rule} = await withRule(at);
		return {
			method: 'PATCH',
			path: /\/firewall\/rules\//,
			send: changing(at, buildPriorityChange(at.zone, rule, 9)),
			exists: async () => (await rulesIn(at)).some(one => one.priority === 9),
			foreign: () => at.change('firewall/rules', {...bodyOf(rule), priority: 77}),
			foreignIs: "someone else's",
		};
	},

	async pause(at) {
		const {rule} = await withRule(at);
		return {
			method: 'PUT',
			path: /\/firewall\/rules\//,
			send: changing(at, buildRuleUpdateChange(at.zone, rule, {paused: true})),
			exists: async () => (await rulesIn(at)).some(one => one.paused),
			foreign: () => at.change('firewall/rules', {...bodyOf(rule), action: 'allow'}),
			foreignIs: "someone else's",
		};
	},

	async 'update filter'(at) {
		const {filter} = await withRule(at);
		return {
			method: 'PUT',
			path: /\/filters\//,
			send: changing(at, buildFilterUpdateChange(at.zone, {...filter, expression}, filter)),
			exists: async () => (await filtersIn(at)).some(one => one.expression === expression),
			foreign: () => at.change('filters', {...filter, expression: 'http.host eq "theirs.example"'}),
			foreignIs: "someone else's",
		};
	},

	async 'delete rule'(at) {
		const {rule} = await withRule(at);
		return {
			method: 'DELETE',
			path: /\/firewall\/rules/,
			send: changing(at, buildRuleDeleteChange(at.zone, rule.id)),
			exists: async () => !(await rulesIn(at)).some(one => one.id === rule.id),
			foreign: () => at.change('firewall/rules', {...bodyOf(rule), priority: 77}),
			foreignIs: 'may arrive',
		};
	},

	async 'delete filter'(at) {
		const filter = await at.filter(expression);
		return {
			method: 'DELETE',
			path: /\/filters/,
			send: changing(at, buildFilterDeleteChange(at.zone, filter.id)),
			exists: async () => !(await filtersIn(at)).some(one => one.id === filter.id),
			foreign: () => at.rule(filter, {action: 'allow'}),
			foreignIs: 'may arrive',
		};
	},
};

const bodyOf = ({id, action, paused, priority, filter}: Rule) => ({
	id,
	action,
	paused,
	priority,
	filter: {id: filter.id},
});

async function rulesMade(
	at: TestZone,
	draft: Parameters<typeof createRule>[2],
): Promise<Pick<Write, 'method' | 'path' | 'send' | 'exists'>> {
	type Result = Awaited<ReturnType<typeof createRule>>;
	const said = (result: Result): Said => {
		switch (result.state) {
			case 'created':
				return {is: 'done', ids: [result.rule.id]};
			case 'duplicate':
				return {is: "someone else's", ids: [result.filterId]};
			case 'filter only':
				// What a look has found is the filter of the first call.
				return {is: result.failure.details.left?.includes('ledge found the filter') ? 'done' : 'not done'};
			case 'nothing':
				return {is: 'not done'};
			case 'unsure':
				return {
					is: unsureOf(result),
					again: async () => said(await result.lookAgain(at.client, {signal: never})),
				};
		}
	};
	return {
		method: 'POST',
		path: /\/firewall\/rules$/,
		send: async () => said(await createRule(at.client, at.zone, draft, {signal: never})),
		exists: async () => (await rulesIn(at)).some(({action}) => action === 'block'),
	};
}

async function customRule(at: TestZone, hasRuleset: boolean): Promise<Write> {
	const other = {action: 'challenge', expression: 'http.host eq "a.example"', enabled: true};
	const ruleset = () => readRulesetEntryPoint(at.direct, at.zone.id, customPhase, never);
	const add = async (rule: typeof other) => {
		const edit = {kind: 'add', rule} as const;
		return sendEdit(at.direct, at.zone.id, customPhase, await ruleset(), edit, never);
	};
	if (hasRuleset) await add(other);
	type Result = Awaited<ReturnType<typeof createCustomRule>>;
	const said = (result: Result): Said => {
		switch (result.state) {
			case 'created':
				return {is: result.alreadyExisted ? "someone else's" : 'done'};
			case 'nothing':
				return {is: 'not done'};
			case 'unsure':
				return {
					is: unsureOf(result),
					again: async () => said(await result.lookAgain(at.client, {signal: never})),
				};
			default:
				throw new Error(result.state);
		}
	};
	return {
		method: 'POST',
		path: /\/rulesets/,
		async send() {
			const plan = await readCustomRulePlan(at.client, at.zone, emergency, never);
			return said(await createCustomRule(at.client, at.zone, plan, {signal: never}));
		},
		exists: async () =>
			(await ruleset())?.rules.some(one => one.expression === expression && one.action === 'block') ?? false,
		foreign: () => add({...other, expression}),
		foreignIs: 'may arrive',
	};
}

/** A zone whose clock only waits move, and a write in it that the test decides about once it arrives. */
async function sending(
	name: string,
	arrives: (pass: () => Promise<Response>, write: Write) => Promise<Response>,
) {
	const clock = scriptedClock();
	const at = await openZone('enterprise', {clock});
	const write = await writes[name]?.(at);
	if (!write) throw new Error(`There is no write ${name}.`);
	const {method, path} = write;
	let isReadable = true;
	at.intercept((request, pass) => {
		if (request.method === 'GET') return isReadable ? undefined : Response.json(refusal, {status: 403});
		const isIt = request.method === method && path.test(new URL(request.url).pathname);
		return isIt ? arrives(pass, write) : undefined;
	});
	const arrived = () =>
		at.writes().filter(one => one.method === method && path.test(one.path.replace(/\?.*/, '')));
	return {
		at,
		clock,
		write,
		arrived,
		readable(is: boolean) {
			isReadable = is;
		},
	};
}

const refusal = {
	success: false,
	errors: [{code: 10_000, message: 'Authentication error'}],
	messages: [],
	result: null,
};
const failing = {success: false, errors: [{message: 'oops'}], messages: [], result: null};

describe.each(Object.keys(writes))('%s', name => {
	test('the connection breaks before the effect: it may still arrive, but not after two minutes', async () => {
		const {write, arrived, clock} = await sending(name, async () => broken());
		const said = await write.send();
		expect(said.is).toBe('may arrive');
		expect(await write.exists()).toBe(false);
		const soon = await said.again?.();
		expect(soon?.is).toBe('may arrive');
		clock.advance(120_000);
		expect((await soon?.again?.())?.is).toBe('not done');
		expect(arrived()).toHaveLength(1);
	});

	test('the service reports a failure, and nothing happened: not done', async () => {
		const {write, arrived} = await sending(name, async () => Response.json(failing, {status: 500}));
		expect((await write.send()).is).toBe('not done');
		expect(await write.exists()).toBe(false);
		expect(arrived()).toHaveLength(1);
	});

	test('a gateway gives up before the effect: it may still arrive', async () => {
		const {write, arrived} = await sending(name, async () => new Response('<html>502</html>', {status: 502}));
		expect((await write.send()).is).toBe('may arrive');
		expect(await write.exists()).toBe(false);
		expect(arrived()).toHaveLength(1);
	});

	test.each([
		['the connection breaks', () => broken()],
		['the service answers that it failed', () => Response.json(failing, {status: 500})],
		['a gateway gives up', () => new Response('<html>502</html>', {status: 502})],
		['an empty answer', () => new Response('', {status: 503})],
	])('%s after the effect: done', async (_name, answer) => {
		const {write, arrived} = await sending(name, async pass => {
			await pass();
			return answer();
		});
		expect((await write.send()).is).toBe('done');
		expect(await write.exists()).toBe(true);
		expect(arrived()).toHaveLength(1);
	});

	test('the effect comes after the check: ledge says that it may arrive, and the next check finds it', async () => {
		let arrive = async (): Promise<unknown> => undefined;
		const {write, arrived} = await sending(name, async pass => {
			arrive = pass;
			return broken();
		});
		const said = await write.send();
		expect(said.is).toBe('may arrive');
		expect(await write.exists()).toBe(false);
		await arrive();
		expect(await write.exists()).toBe(true);
		expect((await said.again?.())?.is).toBe('done');
		expect(arrived()).toHaveLength(1);
	});

	test('someone else is faster, and the connection breaks: their object is not claimed as ours', async () => {
		const {write, arrived} = await sending(name, async (_pass, {foreign}) => {
			await foreign();
			return broken();
		});
		expect((await write.send()).is).toBe(write.foreignIs);
		expect(await write.exists()).toBe(name === 'create filter' || name === 'create rule: its filter');
		expect(arrived()).toHaveLength(1);
	});

	test('the state cannot be read: ledge says so, and a later check settles it', async () => {
		const {write, arrived, readable} = await sending(name, async pass => {
			await pass();
			readable(false);
			return broken();
		});
		const said = await write.send();
		expect(said.is).toBe('unreadable');
		readable(true);
		expect((await said.again?.())?.is).toBe('done');
		expect(arrived()).toHaveLength(1);
	});
});

test('an older filter is never claimed as ours, whichever call comes first', async () => {
	const at = await openZone('enterprise', {clock: scriptedClock()});
	const there = await at.filter(expression);
	at.intercept(({method}) => (method === 'POST' ? broken() : undefined));
	const made = await createFilter(at.client, at.zone, {expression}, {signal: never});
	expect(made).toMatchObject({state: 'duplicate', filterId: there.id});
	const rule = await createRule(at.client, at.zone, {filter: {expression}, action: 'block'}, {signal: never});
	expect(rule).toMatchObject({state: 'duplicate', filterId: there.id});
	const before = await readStateBeforeEmergency(at.client, at.zone, emergency, never);
	const block = await createEmergencyRule(at.client, at.zone, emergency, {signal: never, before});
	expect(block).toMatchObject({state: 'duplicate', filterId: there.id});
	expect(await at.truth()).toEqual({filters: [there], rules: []});
});

test('deleting a rule and its filter with lost answers sends each call once', async () => {
	const at = await openZone('enterprise', {clock: scriptedClock()});
	const {rule} = await withRule(at);
	at.intercept(async (request, pass) => {
		if (request.method !== 'DELETE') return undefined;
		await pass();
		return broken();
	});
	const deletion = await deleteRule(at.client, at.zone, planDeletion(rule, [rule], 'delete'), {
		signal: never,
	});
	expect(deletion).toMatchObject({state: 'deleted', filter: {state: 'deleted'}});
	expect(await at.truth()).toEqual({filters: [], rules: []});
	expect(at.writes()).toHaveLength(2);
});
