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
import {createScriptedClock, neverAbortedSignal} from '../../service/scripted-transport.ts';
import {breakConnection, openZone, type TestZone} from '../support/zone.ts';

const expression = 'ip.src in {192.0.2.0/24}';
const emergency: EmergencyDraft = {action: 'block', filter: {expression}};

/** What ledge reports about a write, in terms that all writes share. */
type Report = {
	readonly state: 'done' | 'not done' | 'may arrive' | "someone else's" | 'unreadable';
	/** The ids that the report names. */
	readonly ids?: readonly string[];
	readonly checkAgain?: (() => Promise<Report>) | undefined;
};

/** A write that is about to be sent, and what it does. */
type Write = {
	readonly method: string;
	readonly path: RegExp;
	send(): Promise<Report>;
	/** True if the service has the effect of this write. */
	exists(): Promise<boolean>;
	/** Changes the state as someone else before the response, so that it differs from what was sent. */
	interfere(): Promise<unknown>;
	/** What ledge has to report after that. */
	readonly stateAfterInterference: Report['state'];
};

type Failed = {readonly failure: {readonly details: {readonly why?: string | undefined}}};

const getUnsureState = ({failure}: Failed): Report['state'] =>
	failure.details.why?.includes('could not be read') ? 'unreadable' : 'may arrive';

/** Returns a function that sends a change. `checkAgain` settles it if its outcome is unknown. */
function createSender<T, Other>(testZone: TestZone, change: Change<T, never, Other>): () => Promise<Report> {
	const toReport = (outcome: Awaited<ReturnType<typeof executeChange<T, never, Other>>>): Report => {
		const checkAgain =
			'unsettled' in outcome
				? async () =>
						toReport(await settleChange(testZone.client, outcome.unsettled, {signal: neverAbortedSignal}))
				: undefined;
		switch (outcome.state) {
			case 'done':
				return {state: 'done'};
			case 'refused':
			case 'not done':
				return {state: 'not done'};
			case 'may still arrive':
				return {state: 'may arrive', checkAgain};
			case 'other':
				return {state: "someone else's", checkAgain};
			case 'unreadable':
				return {state: 'unreadable', checkAgain};
		}
	};
	return async () => toReport(await executeChange(testZone.client, change, {signal: neverAbortedSignal}));
}

const readRules = async (testZone: TestZone) => (await testZone.readState()).rules;
const readFilters = async (testZone: TestZone) => (await testZone.readState()).filters;

/** Creates a rule on a filter of its own. */
async function createRuleWithFilter(testZone: TestZone): Promise<{rule: Rule; filter: Filter}> {
	const filter = await testZone.createFilter('http.host eq "a.example"');
	return {filter, rule: await testZone.createRule(filter, {action: 'challenge', priority: 5})};
}

const writes: Record<string, (testZone: TestZone) => Promise<Write>> = {
	async 'create filter'(testZone) {
		type Result = Awaited<ReturnType<typeof createFilter>>;
		const toReport = (result: Result): Report => {
			switch (result.state) {
				case 'made':
					return {state: 'done', ids: [result.filter.id]};
				case 'duplicate':
					return {state: "someone else's", ids: [result.filterId]};
				case 'nothing':
					return {state: 'not done'};
				case 'unsure':
					return {
						state: getUnsureState(result),
						checkAgain: async () =>
							toReport(await result.lookAgain(testZone.client, {signal: neverAbortedSignal})),
					};
			}
		};
		return {
			method: 'POST',
			path: /\/filters$/,
			send: async () =>
				toReport(
					await createFilter(testZone.client, testZone.zone, {expression}, {signal: neverAbortedSignal}),
				),
			exists: async () => (await readFilters(testZone)).some(one => one.expression === expression),
			interfere: async () => testZone.createRule(await testZone.createFilter(expression), {action: 'allow'}),
			stateAfterInterference: "someone else's",
		};
	},

	async 'create rule: its filter'(testZone) {
		return {
			...(await buildRuleCreation(testZone, {filter: {expression}, action: 'block'})),
			path: /\/filters$/,
			// The rule is not sent while its filter is unknown, and checking sends nothing.
			exists: async () => (await readFilters(testZone)).some(one => one.expression === expression),
			interfere: async () => testZone.createRule(await testZone.createFilter(expression), {action: 'allow'}),
			stateAfterInterference: "someone else's",
		};
	},

	async 'create rule: on a new filter'(testZone) {
		const ruleCreation = await buildRuleCreation(testZone, {filter: {expression}, action: 'block'});
		return {
			...ruleCreation,
			interfere: async () => {
				const [filter] = await readFilters(testZone);
				if (filter) await testZone.createRule(filter, {action: 'allow'});
			},
			stateAfterInterference: 'may arrive',
		};
	},

	async 'create rule: on an existing filter'(testZone) {
		const filter = await testZone.createFilter(expression);
		await testZone.createRule(filter, {action: 'block'});
		const idsBefore = new Set((await readRules(testZone)).map(({id}) => id));
		return {
			...(await buildRuleCreation(testZone, {filter: {id: filter.id}, action: 'block'})),
			exists: async () =>
				(await readRules(testZone)).some(({id, action}) => !idsBefore.has(id) && action === 'block'),
			interfere: () => testZone.createRule(filter, {action: 'allow'}),
			stateAfterInterference: 'may arrive',
		};
	},

	async 'emergency, combined'(testZone) {
		type Result = Awaited<ReturnType<typeof createEmergencyRule>>;
		const toReport = (result: Result): Report => {
			switch (result.state) {
				case 'created':
					return {state: result.alreadyExisted ? "someone else's" : 'done', ids: [result.rule.id ?? '']};
				case 'duplicate':
					return {state: "someone else's", ids: [result.filterId]};
				case 'unsure':
					return {
						state: getUnsureState(result),
						checkAgain: async () =>
							toReport(await result.lookAgain(testZone.client, {signal: neverAbortedSignal})),
					};
				case 'nothing':
				case 'filter left':
				case 'gone':
					return {state: 'not done'};
			}
		};
		return {
			method: 'POST',
			path: /\/firewall\/rules$/,
			async send() {
				const before = await readStateBeforeEmergency(
					testZone.client,
					testZone.zone,
					emergency,
					neverAbortedSignal,
				);
				return toReport(
					await createEmergencyRule(testZone.client, testZone.zone, emergency, {
						signal: neverAbortedSignal,
						before,
					}),
				);
			},
			exists: async () =>
				(await readRules(testZone)).some(
					({action, filter}) =>
						action === 'block' && 'expression' in filter && filter.expression === expression,
				),
			interfere: async () => testZone.createRule(await testZone.createFilter(expression), {action: 'allow'}),
			stateAfterInterference: "someone else's",
		};
	},

	'emergency, custom rule, new ruleset': testZone => buildCustomRuleWrite(testZone, false),
	'emergency, custom rule, existing ruleset': testZone => buildCustomRuleWrite(testZone, true),

	async 'update rule'(testZone) {
		const {rule} = await createRuleWithFilter(testZone);
		return {
			method: 'PUT',
			path: /\/firewall\/rules\//,
			send: createSender(
				testZone,
				buildRuleUpdateChange(testZone.zone, rule, {action: 'block', description: 'mine'}),
			),
			exists: async () => (await readRules(testZone)).some(one => one.description === 'mine'),
			interfere: () => testZone.change('firewall/rules', {...toRequestBody(rule), description: 'theirs'}),
			stateAfterInterference: "someone else's",
		};
	},

	async 'set priority'(testZone) {
		const {rule} = await createRuleWithFilter(testZone);
		return {
			method: 'PATCH',
			path: /\/firewall\/rules\//,
			send: createSender(testZone, buildPriorityChange(testZone.zone, rule, 9)),
			exists: async () => (await readRules(testZone)).some(one => one.priority === 9),
			interfere: () => testZone.change('firewall/rules', {...toRequestBody(rule), priority: 77}),
			stateAfterInterference: "someone else's",
		};
	},

	async pause(testZone) {
		const {rule} = await createRuleWithFilter(testZone);
		return {
			method: 'PUT',
			path: /\/firewall\/rules\//,
			send: createSender(testZone, buildRuleUpdateChange(testZone.zone, rule, {paused: true})),
			exists: async () => (await readRules(testZone)).some(one => one.paused),
			interfere: () => testZone.change('firewall/rules', {...toRequestBody(rule), action: 'allow'}),
			stateAfterInterference: "someone else's",
		};
	},

	async 'update filter'(testZone) {
		const {filter} = await createRuleWithFilter(testZone);
		return {
			method: 'PUT',
			path: /\/filters\//,
			send: createSender(testZone, buildFilterUpdateChange(testZone.zone, {...filter, expression}, filter)),
			exists: async () => (await readFilters(testZone)).some(one => one.expression === expression),
			interfere: () => testZone.change('filters', {...filter, expression: 'http.host eq "theirs.example"'}),
			stateAfterInterference: "someone else's",
		};
	},

	async 'delete rule'(testZone) {
		const {rule} = await createRuleWithFilter(testZone);
		return {
			method: 'DELETE',
			path: /\/firewall\/rules/,
			send: createSender(testZone, buildRuleDeleteChange(testZone.zone, rule.id)),
			exists: async () => !(await readRules(testZone)).some(one => one.id === rule.id),
			interfere: () => testZone.change('firewall/rules', {...toRequestBody(rule), priority: 77}),
			stateAfterInterference: 'may arrive',
		};
	},

	async 'delete filter'(testZone) {
		const filter = await testZone.createFilter(expression);
		return {
			method: 'DELETE',
			path: /\/filters/,
			send: createSender(testZone, buildFilterDeleteChange(testZone.zone, filter.id)),
			exists: async () => !(await readFilters(testZone)).some(one => one.id === filter.id),
			interfere: () => testZone.createRule(filter, {action: 'allow'}),
			stateAfterInterference: 'may arrive',
		};
	},
};

const toRequestBody = ({id, action, paused, priority, filter}: Rule) => ({
	id,
	action,
	paused,
	priority,
	filter: {id: filter.id},
});

async function buildRuleCreation(
	testZone: TestZone,
	draft: Parameters<typeof createRule>[2],
): Promise<Pick<Write, 'method' | 'path' | 'send' | 'exists'>> {
	type Result = Awaited<ReturnType<typeof createRule>>;
	const toReport = (result: Result): Report => {
		switch (result.state) {
			case 'created':
				return {state: 'done', ids: [result.rule.id]};
			case 'duplicate':
				return {state: "someone else's", ids: [result.filterId]};
			case 'filter only':
				// The check has found the filter of the first call.
				return {state: result.failure.details.left?.includes('ledge found the filter') ? 'done' : 'not done'};
			case 'nothing':
				return {state: 'not done'};
			case 'unsure':
				return {
					state: getUnsureState(result),
					checkAgain: async () =>
						toReport(await result.lookAgain(testZone.client, {signal: neverAbortedSignal})),
				};
		}
	};
	return {
		method: 'POST',
		path: /\/firewall\/rules$/,
		send: async () =>
			toReport(await createRule(testZone.client, testZone.zone, draft, {signal: neverAbortedSignal})),
		exists: async () => (await readRules(testZone)).some(({action}) => action === 'block'),
	};
}

async function buildCustomRuleWrite(testZone: TestZone, hasRuleset: boolean): Promise<Write> {
	const other = {action: 'challenge', expression: 'http.host eq "a.example"', enabled: true};
	const readEntryPoint = () =>
		readRulesetEntryPoint(testZone.direct, testZone.zone.id, customPhase, neverAbortedSignal);
	const add = async (rule: typeof other) => {
		const edit = {kind: 'add', rule} as const;
		return sendEdit(
			testZone.direct,
			testZone.zone.id,
			customPhase,
			await readEntryPoint(),
			edit,
			neverAbortedSignal,
		);
	};
	if (hasRuleset) await add(other);
	type Result = Awaited<ReturnType<typeof createCustomRule>>;
	const toReport = (result: Result): Report => {
		switch (result.state) {
			case 'created':
				return {state: result.alreadyExisted ? "someone else's" : 'done'};
			case 'nothing':
				return {state: 'not done'};
			case 'unsure':
				return {
					state: getUnsureState(result),
					checkAgain: async () =>
						toReport(await result.lookAgain(testZone.client, {signal: neverAbortedSignal})),
				};
			default:
				throw new Error(result.state);
		}
	};
	return {
		method: 'POST',
		path: /\/rulesets/,
		async send() {
			const plan = await readCustomRulePlan(testZone.client, testZone.zone, emergency, neverAbortedSignal);
			return toReport(
				await createCustomRule(testZone.client, testZone.zone, plan, {signal: neverAbortedSignal}),
			);
		},
		exists: async () =>
			(await readEntryPoint())?.rules.some(one => one.expression === expression && one.action === 'block') ??
			false,
		interfere: () => add({...other, expression}),
		stateAfterInterference: 'may arrive',
	};
}

/** Prepares a write in a zone whose clock only waits move. `onArrival` decides what becomes of it. */
async function prepareWrite(
	name: string,
	onArrival: (pass: () => Promise<Response>, write: Write) => Promise<Response>,
) {
	const clock = createScriptedClock();
	const testZone = await openZone('enterprise', {clock});
	const write = await writes[name]?.(testZone);
	if (!write) throw new Error(`There is no write ${name}.`);
	const {method, path} = write;
	let isReadable = true;
	testZone.intercept((request, pass) => {
		if (request.method === 'GET') return isReadable ? undefined : Response.json(refusal, {status: 403});
		const isTestedWrite = request.method === method && path.test(new URL(request.url).pathname);
		return isTestedWrite ? onArrival(pass, write) : undefined;
	});
	const listArrivedWrites = () =>
		testZone.listWrites().filter(one => one.method === method && path.test(one.path.replace(/\?.*/, '')));
	return {
		at: testZone,
		clock,
		write,
		arrived: listArrivedWrites,
		setReadable(is: boolean) {
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
const failureBody = {success: false, errors: [{message: 'oops'}], messages: [], result: null};

describe.each(Object.keys(writes))('%s', name => {
	test('the connection breaks before the effect: it may still arrive, but not after two minutes', async () => {
		const {
			write,
			arrived: listArrivedWrites,
			clock,
		} = await prepareWrite(name, async () => breakConnection());
		const report = await write.send();
		expect(report.state).toBe('may arrive');
		expect(await write.exists()).toBe(false);
		const earlyReport = await report.checkAgain?.();
		expect(earlyReport?.state).toBe('may arrive');
		clock.advance(120_000);
		expect((await earlyReport?.checkAgain?.())?.state).toBe('not done');
		expect(listArrivedWrites()).toHaveLength(1);
	});

	test('the service reports a failure, and nothing happened: not done', async () => {
		const {write, arrived: listArrivedWrites} = await prepareWrite(name, async () =>
			Response.json(failureBody, {status: 500}),
		);
		expect((await write.send()).state).toBe('not done');
		expect(await write.exists()).toBe(false);
		expect(listArrivedWrites()).toHaveLength(1);
	});

	test('a gateway gives up before the effect: it may still arrive', async () => {
		const {write, arrived: listArrivedWrites} = await prepareWrite(
			name,
			async () => new Response('<html>502</html>', {status: 502}),
		);
		expect((await write.send()).state).toBe('may arrive');
		expect(await write.exists()).toBe(false);
		expect(listArrivedWrites()).toHaveLength(1);
	});

	test.each([
		['the connection breaks', () => breakConnection()],
		['the service answers that it failed', () => Response.json(failureBody, {status: 500})],
		['a gateway gives up', () => new Response('<html>502</html>', {status: 502})],
		['an empty answer', () => new Response('', {status: 503})],
	])('%s after the effect: done', async (_name, createResponse) => {
		const {write, arrived: listArrivedWrites} = await prepareWrite(name, async pass => {
			await pass();
			return createResponse();
		});
		expect((await write.send()).state).toBe('done');
		expect(await write.exists()).toBe(true);
		expect(listArrivedWrites()).toHaveLength(1);
	});

	test('the effect comes after the check: ledge says that it may arrive, and the next check finds it', async () => {
		let arrive = async (): Promise<unknown> => undefined;
		const {write, arrived: listArrivedWrites} = await prepareWrite(name, async pass => {
			arrive = pass;
			return breakConnection();
		});
		const report = await write.send();
		expect(report.state).toBe('may arrive');
		expect(await write.exists()).toBe(false);
		await arrive();
		expect(await write.exists()).toBe(true);
		expect((await report.checkAgain?.())?.state).toBe('done');
		expect(listArrivedWrites()).toHaveLength(1);
	});

	test('someone else is faster, and the connection breaks: their object is not claimed as ours', async () => {
		const {write, arrived: listArrivedWrites} = await prepareWrite(name, async (_pass, {interfere}) => {
			await interfere();
			return breakConnection();
		});
		expect((await write.send()).state).toBe(write.stateAfterInterference);
		expect(await write.exists()).toBe(name === 'create filter' || name === 'create rule: its filter');
		expect(listArrivedWrites()).toHaveLength(1);
	});

	test('the state cannot be read: ledge says so, and a later check settles it', async () => {
		const {
			write,
			arrived: listArrivedWrites,
			setReadable,
		} = await prepareWrite(name, async pass => {
			await pass();
			setReadable(false);
			return breakConnection();
		});
		const report = await write.send();
		expect(report.state).toBe('unreadable');
		setReadable(true);
		expect((await report.checkAgain?.())?.state).toBe('done');
		expect(listArrivedWrites()).toHaveLength(1);
	});
});

test('an older filter is never claimed as ours, whichever call comes first', async () => {
	const testZone = await openZone('enterprise', {clock: createScriptedClock()});
	const existingFilter = await testZone.createFilter(expression);
	testZone.intercept(({method}) => (method === 'POST' ? breakConnection() : undefined));
	const made = await createFilter(testZone.client, testZone.zone, {expression}, {signal: neverAbortedSignal});
	expect(made).toMatchObject({state: 'duplicate', filterId: existingFilter.id});
	const rule = await createRule(
		testZone.client,
		testZone.zone,
		{filter: {expression}, action: 'block'},
		{signal: neverAbortedSignal},
	);
	expect(rule).toMatchObject({state: 'duplicate', filterId: existingFilter.id});
	const before = await readStateBeforeEmergency(
		testZone.client,
		testZone.zone,
		emergency,
		neverAbortedSignal,
	);
	const block = await createEmergencyRule(testZone.client, testZone.zone, emergency, {
		signal: neverAbortedSignal,
		before,
	});
	expect(block).toMatchObject({state: 'duplicate', filterId: existingFilter.id});
	expect(await testZone.readState()).toEqual({filters: [existingFilter], rules: []});
});

test('deleting a rule and its filter with lost answers sends each call once', async () => {
	const testZone = await openZone('enterprise', {clock: createScriptedClock()});
	const {rule} = await createRuleWithFilter(testZone);
	testZone.intercept(async (request, pass) => {
		if (request.method !== 'DELETE') return undefined;
		await pass();
		return breakConnection();
	});
	const deletion = await deleteRule(testZone.client, testZone.zone, planDeletion(rule, [rule], 'delete'), {
		signal: neverAbortedSignal,
	});
	expect(deletion).toMatchObject({state: 'deleted', filter: {state: 'deleted'}});
	expect(await testZone.readState()).toEqual({filters: [], rules: []});
	expect(testZone.listWrites()).toHaveLength(2);
});
