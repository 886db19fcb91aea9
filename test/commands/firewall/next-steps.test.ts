import {describe, expect, test} from 'vitest';
import {
	type FirewallInProcess,
	type Plan,
	startFirewallInProcess,
} from '../../support/firewall-in-process.ts';
import type {EndedRun} from '../../support/run.ts';

const expression = 'ip.src eq 192.0.2.1';
const create = ['rule', 'create', '--expression', expression, '--action', 'block'];
const block = ['emergency', '--expression', expression];
const refusal = {success: false, errors: [], messages: [], result: null};

/** Returns the response to a call in place of the service; `undefined` passes the call on. */
type Interceptor = (
	request: Request,
	pass: () => Promise<Response>,
) => Promise<Response | undefined> | undefined;

function interceptCalls({service: {simulator}}: FirewallInProcess, intercept: Interceptor): () => void {
	const originalFetch = simulator.fetch;
	Object.assign(simulator, {
		fetch: async (request: Request) =>
			(await intercept(request.clone(), () => originalFetch(request.clone()))) ?? originalFetch(request),
	});
	return () => void Object.assign(simulator, {fetch: originalFetch});
}

type Situation = {
	readonly plan?: Plan;
	/** Runs the command that ends in this situation; its output prints the next steps. */
	run(firewall: FirewallInProcess): Promise<EndedRun>;
	/** The printed commands in their order, with exit code and effect. Each is run in a new situation. */
	readonly steps: readonly {
		readonly begins: string;
		readonly code?: number;
		effect?(firewall: FirewallInProcess): Promise<unknown>;
	}[];
};

const expectBlockRule = async ({rules}: FirewallInProcess) =>
	expect(await rules()).toMatchObject([{action: 'block', filter: {expression}}]);

/** Runs a command with faults, and then removes them. */
async function during(
	firewall: FirewallInProcess,
	faults: string,
	words: readonly string[],
): Promise<EndedRun> {
	await firewall.service.setFaults(faults);
	const ended = await firewall.run(words);
	await firewall.service.setFaults('');
	return ended;
}

const situations: Record<string, Situation> = {
	'rule create: the second call is refused': {
		run: firewall => during(firewall, 'method=POST path=/firewall/rules status=429', create),
		steps: [{begins: 'rule create', effect: expectBlockRule}],
	},
	'rule create: the second call failed': {
		run: firewall => during(firewall, 'method=POST path=/firewall/rules status=503', create),
		steps: [{begins: 'rule create', effect: expectBlockRule}],
	},
	'rule create: the outcome of the second call is unknown, and it took no effect': {
		run: firewall => during(firewall, 'method=POST path=/firewall/rules html=502', create),
		steps: [{begins: 'rule list'}, {begins: 'rule create', effect: expectBlockRule}],
	},
	'rule create: nothing can be read after the first call': {
		run: firewall =>
			during(firewall, 'method=POST path=/filters lost-answer; method=GET status=403 after=3', create),
		steps: [{begins: 'filter list'}],
	},
	'rule create: a filter of the expression exists': {
		async run(firewall) {
			await firewall.addFilter(expression);
			return firewall.run(create);
		},
		steps: [{begins: 'rule create', effect: expectBlockRule}],
	},
	'rule create: on a filter that does not exist': {
		run: firewall => firewall.run(['rule', 'create', '--filter-id', 'f'.repeat(32), '--action', 'block']),
		steps: [{begins: 'filter list'}],
	},
	'rule create: the writes of firewall rules are retired': {
		async run(firewall) {
			await firewall.service.setFaults(
				'method=POST path=/filters status=410; method=POST path=/firewall/rules status=410',
			);
			return firewall.run(create);
		},
		steps: [
			{
				begins: 'rules create',
				effect: async ({service}) =>
					expect(
						service.writes().some(({path, status}) => path.includes('/rulesets') && status === 200),
					).toBe(true),
			},
			{begins: 'export'},
		],
	},
	'filter create: the outcome is unknown': {
		run: firewall =>
			during(firewall, 'method=POST path=/filters lost-answer; method=GET status=403 after=2', [
				'filter',
				'create',
				'--expression',
				expression,
			]),
		steps: [{begins: 'filter list'}],
	},
	'emergency: over the quota, though it was not full before': {
		plan: 'free',
		async run(firewall) {
			for (let number = 0; number < 4; number++)
				await firewall.addRule(await firewall.addFilter(`http.request.uri.path eq "/${number}"`));
			const stopIntercepting = interceptCalls(firewall, async ({method, url}) => {
				if (method !== 'POST' || !url.endsWith('/firewall/rules')) return undefined;
				stopIntercepting();
				await firewall.addRule(await firewall.addFilter('http.request.uri.path eq "/fifth"'));
				return undefined;
			});
			const ended = await firewall.run(block);
			expect(ended.stderr).not.toMatch(/send (it )?again/i);
			return ended;
		},
		steps: [
			{
				begins: 'emergency',
				effect: async firewall => expect(firewall.takeWrites().at(-1)?.path).toContain('/rulesets'),
			},
		],
	},
	'emergency: the rule on it is paused': {
		async run(firewall) {
			await firewall.addRule(await firewall.addFilter(expression), {paused: true});
			return firewall.run(block);
		},
		steps: [{begins: 'rule resume', effect: expectBlockRule}],
	},
	'emergency: the filter is paused': {
		async run(firewall) {
			await firewall.addRule(await firewall.addFilter(expression, {paused: true}));
			return firewall.run(block);
		},
		steps: [
			{
				begins: 'filter update',
				effect: async ({filters}) => expect(await filters()).toMatchObject([{paused: false}]),
			},
		],
	},
	'emergency: the filter has another rule': {
		async run(firewall) {
			await firewall.addRule(await firewall.addFilter(expression), {action: 'allow'});
			return firewall.run(block);
		},
		steps: [{begins: 'rule create', effect: async ({rules}) => expect(await rules()).toHaveLength(2)}],
	},
	'emergency: made, but paused': {
		run: firewall => firewall.run([...block, '--paused']),
		steps: [
			{
				begins: 'rule resume',
				effect: async ({rules}) => expect(await rules()).toMatchObject([{paused: false}]),
			},
		],
	},
	'emergency: only the filter is there, and the rule may still come': {
		async run(firewall) {
			const stopIntercepting = interceptCalls(firewall, async ({method, url}) => {
				if (method !== 'POST' || !url.endsWith('/firewall/rules')) return undefined;
				await firewall.addFilter(expression);
				return new Response('<html>', {status: 502});
			});
			const ended = await firewall.run(block);
			stopIntercepting();
			return ended;
		},
		steps: [{begins: 'rule list'}, {begins: 'rule create', effect: expectBlockRule}],
	},
	'emergency: nothing can be read': {
		run: firewall => during(firewall, 'method=POST lost-answer; method=GET status=403 after=3', block),
		steps: [{begins: 'rule list'}],
	},
	'emergency as a custom rule: the outcome is unknown': {
		async run(firewall) {
			await firewall.service.setFaults(
				'path=/firewall/rules status=410; path=/filters status=410; method=POST path=/rulesets html=502',
			);
			const ended = await firewall.run([...block, '--yes']);
			await firewall.service.setFaults('path=/firewall/rules status=410; path=/filters status=410');
			return ended;
		},
		steps: [{begins: 'emergency'}],
	},
	'rule update: it took no effect': {
		async run(firewall) {
			const rule = await firewall.addRule(await firewall.addFilter(expression));
			return during(firewall, 'method=PUT status=503', ['rule', 'update', rule, '--action', 'challenge']);
		},
		steps: [{begins: 'rule get'}],
	},
	'rule update: it may still take effect': {
		async run(firewall) {
			const rule = await firewall.addRule(await firewall.addFilter(expression));
			return during(firewall, 'method=PUT html=502', ['rule', 'update', rule, '--action', 'challenge']);
		},
		steps: [{begins: 'rule get'}],
	},
	'rule update: of a rule that does not exist': {
		run: firewall => firewall.run(['rule', 'update', 'f'.repeat(32), '--action', 'challenge']),
		steps: [{begins: 'rule list'}],
	},
	'rule update with its expression: the filter is changed, the rule is not': {
		async run(firewall) {
			const rule = await firewall.addRule(await firewall.addFilter('ip.src eq 192.0.2.9'));
			const words = ['rule', 'update', rule, '--expression', expression, '--action', 'challenge'];
			return during(firewall, 'method=PUT path=/firewall/rules status=429', words);
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
		async run(firewall) {
			await firewall.addFilter(expression);
			const filter = await firewall.addFilter('ip.src eq 192.0.2.9');
			await firewall.addRule(filter);
			return firewall.run(['filter', 'update', filter, '--expression', expression, '--yes']);
		},
		steps: [{begins: 'rule update', effect: expectBlockRule}],
	},
	'filter update: it may still take effect': {
		async run(firewall) {
			const filter = await firewall.addFilter('ip.src eq 192.0.2.9');
			return during(firewall, 'method=PUT html=502', [
				'filter',
				'update',
				filter,
				'--expression',
				expression,
			]);
		},
		steps: [{begins: 'filter get'}],
	},
	'rule delete: its filter could not be deleted': {
		async run(firewall) {
			const rule = await firewall.addRule(await firewall.addFilter(expression));
			return during(firewall, 'method=DELETE path=/filters status=503', ['rule', 'delete', rule, '--yes']);
		},
		steps: [{begins: 'filter delete', effect: async ({filters}) => expect(await filters()).toEqual([])}],
	},
	'rule delete: it may still take effect, and its filter is left then': {
		async run(firewall) {
			const rule = await firewall.addRule(await firewall.addFilter(expression));
			const ended = await during(firewall, 'method=DELETE path=/firewall/rules html=502', [
				'rule',
				'delete',
				rule,
				'--yes',
			]);
			// The first deletion takes effect late.
			await firewall.run(['rule', 'delete', rule, '--keep-filter', '--yes']);
			return ended;
		},
		steps: [
			{begins: 'rule list'},
			{begins: 'filter delete', effect: async ({filters}) => expect(await filters()).toEqual([])},
		],
	},
	'rule delete: the service keeps its filter for something else': {
		async run(firewall) {
			const rule = await firewall.addRule(await firewall.addFilter(expression));
			const stopIntercepting = interceptCalls(firewall, async ({method, url}) =>
				method === 'DELETE' && url.includes('/filters/')
					? Response.json({...refusal, errors: [{message: 'it is in use'}]}, {status: 400})
					: undefined,
			);
			const ended = await firewall.run(['rule', 'delete', rule, '--with-filter', '--yes']);
			stopIntercepting();
			return ended;
		},
		steps: [{begins: 'filter delete', effect: async ({filters}) => expect(await filters()).toEqual([])}],
	},
	'filter delete: it may still take effect': {
		async run(firewall) {
			const filter = await firewall.addFilter(expression);
			return during(firewall, 'method=DELETE html=502', ['filter', 'delete', filter, '--yes']);
		},
		steps: [{begins: 'filter list'}],
	},
	'filter get: of a filter that does not exist': {
		run: firewall => firewall.run(['filter', 'get', 'f'.repeat(32)]),
		steps: [{begins: 'filter list'}],
	},
	'rule get: a word that is no id': {
		run: firewall => firewall.run(['rule', 'get', '..']),
		steps: [{begins: 'rule list'}],
	},
};

/** The commands that a run has printed on stderr. */
const getPrintedCommands = ({stderr}: EndedRun): readonly string[] =>
	stderr.match(/ledge (?:firewall|rules) [^`\n]+/g) ?? [];

describe.each(Object.entries(situations))('%s', (_name, {plan, run, steps}) => {
	test.each(steps.map((step, index) => ({...step, index})))('$begins works as printed', async ({
		begins,
		index,
		code = 0,
		effect,
	}) => {
		const firewall = await startFirewallInProcess(plan ?? 'enterprise');
		const printed = getPrintedCommands(await run(firewall));
		expect(printed).toHaveLength(steps.length);
		const text = printed[index] ?? '';
		expect(text).toMatch(new RegExp(`^ledge (?:firewall )?${begins} `));
		expect(text).not.toMatch(/[<>]/);
		const ended = await firewall.runPrinted(`${text} --yes`);
		expect(ended, ended.stderr).toMatchObject({code});
		await effect?.(firewall);
	});
});
