import {describe, expect, test} from 'vitest';
import {type FirewallInProcess, firewallInProcess, type Plan} from '../../support/firewall-in-process.ts';
import type {Ended} from '../../support/run.ts';

const expression = 'ip.src eq 192.0.2.1';
const create = ['rule', 'create', '--expression', expression, '--action', 'block'];
const block = ['emergency', '--expression', expression];
const refusal = {success: false, errors: [], messages: [], result: null};

/** Answers of the service in place of its own: `undefined` lets a call through. */
type Answer = (request: Request, pass: () => Promise<Response>) => Promise<Response | undefined> | undefined;

function answering({service: {simulator}}: FirewallInProcess, answer: Answer): () => void {
	const pass = simulator.fetch;
	Object.assign(simulator, {
		fetch: async (request: Request) =>
			(await answer(request.clone(), () => pass(request.clone()))) ?? pass(request),
	});
	return () => void Object.assign(simulator, {fetch: pass});
}

type Situation = {
	readonly plan?: Plan;
	/** Runs what ends in this situation, and leaves it as a person finds it. */
	run(at: FirewallInProcess): Promise<Ended>;
	/** What the printed commands have to do, in their order, each from a new situation. */
	readonly steps: readonly {
		readonly begins: string;
		readonly code?: number;
		effect?(at: FirewallInProcess): Promise<unknown>;
	}[];
};

const isThere = async ({rules}: FirewallInProcess) =>
	expect(await rules()).toMatchObject([{action: 'block', filter: {expression}}]);

/** Runs with faults, which are gone afterwards. */
async function during(at: FirewallInProcess, faults: string, words: readonly string[]): Promise<Ended> {
	await at.service.setFaults(faults);
	const ended = await at.run(words);
	await at.service.setFaults('');
	return ended;
}

const situations: Record<string, Situation> = {
	'rule create: the second call is refused': {
		run: at => during(at, 'method=POST path=/firewall/rules status=429', create),
		steps: [{begins: 'rule create', effect: isThere}],
	},
	'rule create: the second call failed': {
		run: at => during(at, 'method=POST path=/firewall/rules status=503', create),
		steps: [{begins: 'rule create', effect: isThere}],
	},
	'rule create: the outcome of the second call is unknown, and it took no effect': {
		run: at => during(at, 'method=POST path=/firewall/rules html=502', create),
		steps: [{begins: 'rule list'}, {begins: 'rule create', effect: isThere}],
	},
	'rule create: nothing can be read after the first call': {
		run: at => during(at, 'method=POST path=/filters lost-answer; method=GET status=403 after=3', create),
		steps: [{begins: 'filter list'}],
	},
	'rule create: a filter of the expression exists': {
		async run(at) {
			await at.addFilter(expression);
			return at.run(create);
		},
		steps: [{begins: 'rule create', effect: isThere}],
	},
	'rule create: on a filter that does not exist': {
		run: at => at.run(['rule', 'create', '--filter-id', 'f'.repeat(32), '--action', 'block']),
		steps: [{begins: 'filter list'}],
	},
	'rule create: the writes of firewall rules are retired': {
		async run(at) {
			await at.service.setFaults(
				'method=POST path=/filters status=410; method=POST path=/firewall/rules status=410',
			);
			return at.run(create);
		},
		steps: [
			{
				begins: 'emergency',
				effect: async ({service}) =>
					expect(
						service.writes().some(({path, status}) => path.includes('/rulesets') && status === 200),
					).toBe(true),
			},
			{begins: 'export'},
		],
	},
	'filter create: the outcome is unknown': {
		run: at =>
			during(at, 'method=POST path=/filters lost-answer; method=GET status=403 after=2', [
				'filter',
				'create',
				'--expression',
				expression,
			]),
		steps: [{begins: 'filter list'}],
	},
	'emergency: over the quota, though it was not full before': {
		plan: 'free',
		async run(at) {
			for (let number = 0; number < 4; number++)
				await at.addRule(await at.addFilter(`http.request.uri.path eq "/${number}"`));
			const stop = answering(at, async ({method, url}) => {
				if (method !== 'POST' || !url.endsWith('/firewall/rules')) return undefined;
				stop();
				await at.addRule(await at.addFilter('http.request.uri.path eq "/fifth"'));
				return undefined;
			});
			const ended = await at.run(block);
			expect(ended.stderr).not.toMatch(/send (it )?again/i);
			return ended;
		},
		steps: [
			{begins: 'emergency', effect: async at => expect(at.writes().at(-1)?.path).toContain('/rulesets')},
		],
	},
	'emergency: the rule on it is paused': {
		async run(at) {
			await at.addRule(await at.addFilter(expression), {paused: true});
			return at.run(block);
		},
		steps: [{begins: 'rule resume', effect: isThere}],
	},
	'emergency: the filter is paused': {
		async run(at) {
			await at.addRule(await at.addFilter(expression, {paused: true}));
			return at.run(block);
		},
		steps: [
			{
				begins: 'filter update',
				effect: async ({filters}) => expect(await filters()).toMatchObject([{paused: false}]),
			},
		],
	},
	'emergency: the filter has another rule': {
		async run(at) {
			await at.addRule(await at.addFilter(expression), {action: 'allow'});
			return at.run(block);
		},
		steps: [{begins: 'rule create', effect: async ({rules}) => expect(await rules()).toHaveLength(2)}],
	},
	'emergency: made, but paused': {
		run: at => at.run([...block, '--paused']),
		steps: [
			{
				begins: 'rule resume',
				effect: async ({rules}) => expect(await rules()).toMatchObject([{paused: false}]),
			},
		],
	},
	'emergency: only the filter is there, and the rule may still come': {
		async run(at) {
			const stop = answering(at, async ({method, url}) => {
				if (method !== 'POST' || !url.endsWith('/firewall/rules')) return undefined;
				await at.addFilter(expression);
				return new Response('<html>', {status: 502});
			});
			const ended = await at.run(block);
			stop();
			return ended;
		},
		steps: [{begins: 'rule list'}, {begins: 'rule create', effect: isThere}],
	},
	'emergency: nothing can be read': {
		run: at => during(at, 'method=POST lost-answer; method=GET status=403 after=3', block),
		steps: [{begins: 'rule list'}],
	},
	'emergency as a custom rule: the outcome is unknown': {
		async run(at) {
			await at.service.setFaults(
				'path=/firewall/rules status=410; path=/filters status=410; method=POST path=/rulesets html=502',
			);
			const ended = await at.run([...block, '--yes']);
			await at.service.setFaults('path=/firewall/rules status=410; path=/filters status=410');
			return ended;
		},
		steps: [{begins: 'emergency'}],
	},
	'rule update: it took no effect': {
		async run(at) {
			const rule = await at.addRule(await at.addFilter(expression));
			return during(at, 'method=PUT status=503', ['rule', 'update', rule, '--action', 'challenge']);
		},
		steps: [{begins: 'rule get'}],
	},
	'rule update: it may still take effect': {
		async run(at) {
			const rule = await at.addRule(await at.addFilter(expression));
			return during(at, 'method=PUT html=502', ['rule', 'update', rule, '--action', 'challenge']);
		},
		steps: [{begins: 'rule get'}],
	},
	'rule update: of a rule that does not exist': {
		run: at => at.run(['rule', 'update', 'f'.repeat(32), '--action', 'challenge']),
		steps: [{begins: 'rule list'}],
	},
	'rule update with its expression: the filter is changed, the rule is not': {
		async run(at) {
			const rule = await at.addRule(await at.addFilter('ip.src eq 192.0.2.9'));
			const words = ['rule', 'update', rule, '--expression', expression, '--action', 'challenge'];
			return during(at, 'method=PUT path=/firewall/rules status=429', words);
		},
		steps: [
			{
				begins: 'rule update',
				effect: async ({rules}) =>
					expect(await rules()).toMatchObject([{action: 'challenge', filter: {expression}}]),
			},
			{
				begins: 'filter update',
				effect: async ({filters}) =>
					expect(await filters()).toMatchObject([{expression: 'ip.src eq 192.0.2.9'}]),
			},
		],
	},
	'filter update: another filter has the expression': {
		async run(at) {
			await at.addFilter(expression);
			const filter = await at.addFilter('ip.src eq 192.0.2.9');
			await at.addRule(filter);
			return at.run(['filter', 'update', filter, '--expression', expression, '--yes']);
		},
		steps: [{begins: 'rule update', effect: isThere}],
	},
	'filter update: it may still take effect': {
		async run(at) {
			const filter = await at.addFilter('ip.src eq 192.0.2.9');
			return during(at, 'method=PUT html=502', ['filter', 'update', filter, '--expression', expression]);
		},
		steps: [{begins: 'filter get'}],
	},
	'rule delete: its filter could not be deleted': {
		async run(at) {
			const rule = await at.addRule(await at.addFilter(expression));
			return during(at, 'method=DELETE path=/filters status=503', ['rule', 'delete', rule, '--yes']);
		},
		steps: [{begins: 'filter delete', effect: async ({filters}) => expect(await filters()).toEqual([])}],
	},
	'rule delete: it may still take effect, and its filter is left then': {
		async run(at) {
			const rule = await at.addRule(await at.addFilter(expression));
			const ended = await during(at, 'method=DELETE path=/firewall/rules html=502', [
				'rule',
				'delete',
				rule,
				'--yes',
			]);
			// What was on its way arrives.
			await at.run(['rule', 'delete', rule, '--keep-filter', '--yes']);
			return ended;
		},
		steps: [
			{begins: 'rule list'},
			{begins: 'filter delete', effect: async ({filters}) => expect(await filters()).toEqual([])},
		],
	},
	'rule delete: the service keeps its filter for something else': {
		async run(at) {
			const rule = await at.addRule(await at.addFilter(expression));
			const stop = answering(at, async ({method, url}) =>
				method === 'DELETE' && url.includes('/filters/')
					? Response.json({...refusal, errors: [{message: 'it is in use'}]}, {status: 400})
					: undefined,
			);
			const ended = await at.run(['rule', 'delete', rule, '--with-filter', '--yes']);
			stop();
			return ended;
		},
		steps: [{begins: 'filter delete', effect: async ({filters}) => expect(await filters()).toEqual([])}],
	},
	'filter delete: it may still take effect': {
		async run(at) {
			const filter = await at.addFilter(expression);
			return during(at, 'method=DELETE html=502', ['filter', 'delete', filter, '--yes']);
		},
		steps: [{begins: 'filter list'}],
	},
	'filter get: of a filter that does not exist': {
		run: at => at.run(['filter', 'get', 'f'.repeat(32)]),
		steps: [{begins: 'filter list'}],
	},
	'rule get: a word that is no id': {
		run: at => at.run(['rule', 'get', '..']),
		steps: [{begins: 'rule list'}],
	},
};

/** The commands that a text prints, as they stand there. */
const printedIn = ({stderr}: Ended): readonly string[] => stderr.match(/ledge firewall [^`\n]+/g) ?? [];

describe.each(Object.entries(situations))('%s', (_name, {plan, run, steps}) => {
	test.each(steps.map((step, index) => ({...step, index})))('$begins works as printed', async ({
		begins,
		index,
		code = 0,
		effect,
	}) => {
		const at = await firewallInProcess(plan ?? 'enterprise');
		const printed = printedIn(await run(at));
		expect(printed).toHaveLength(steps.length);
		const text = printed[index] ?? '';
		expect(text).toMatch(new RegExp(`^ledge firewall ${begins} `));
		expect(text).not.toMatch(/[<>]/);
		const ended = await at.runPrinted(`${text} --yes`);
		expect(ended, ended.stderr).toMatchObject({code});
		await effect?.(at);
	});
});
