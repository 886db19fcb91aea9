import {describe, expect, test} from 'vitest';
import {canonicalize} from '../../../source/firewall/expression/expressions.ts';
import {toCustomRules} from '../../../source/firewall/rules/custom-rule.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {startFirewallInProcess} from '../../support/firewall-in-process.ts';
import {everyThirdUnlessFull} from '../../support/full.ts';

const entryPath = '/rulesets/phases/http_request_firewall_custom/entrypoint';

type Zone = {
	send<T>(method: string, path: string, body?: unknown): Promise<T>;
	readCustomRuleset(): Promise<{readonly id: string; readonly rules: readonly RulesetRule[]} | undefined>;
	rules(): Promise<readonly Rule[]>;
};

/** What another person can do at any moment, to the existing rule with this index. */
const changes: Readonly<Record<string, (zone: Zone, ruleIndex: number) => Promise<unknown>>> = {
	'deletes a custom rule': (zone, ruleIndex) =>
		withCustomRule(zone, ruleIndex, (ruleset, rule) =>
			zone.send('DELETE', `/rulesets/${ruleset}/rules/${rule.id}`),
		),
	'pauses a custom rule': (zone, ruleIndex) =>
		withCustomRule(zone, ruleIndex, (ruleset, rule) =>
			zone.send('PATCH', `/rulesets/${ruleset}/rules/${rule.id}`, {...rule, enabled: false}),
		),
	'changes the expression of a custom rule': (zone, ruleIndex) =>
		withCustomRule(zone, ruleIndex, (ruleset, rule) =>
			zone.send('PATCH', `/rulesets/${ruleset}/rules/${rule.id}`, {...rule, expression: 'ssl'}),
		),
	'empties the custom rules': zone => zone.send('PUT', entryPath, {rules: []}),
	'changes the action of a firewall rule': (zone, ruleIndex) =>
		withRule(zone, ruleIndex, {action: 'js_challenge'}),
	'pauses a firewall rule': (zone, ruleIndex) => withRule(zone, ruleIndex, {paused: true}),
	'changes the priority of a firewall rule': (zone, ruleIndex) => withRule(zone, ruleIndex, {priority: 77}),
	'describes a firewall rule': (zone, ruleIndex) => withRule(zone, ruleIndex, {description: 'still needed'}),
	'changes a filter': (zone, ruleIndex) =>
		withFilter(zone, ruleIndex, {expression: 'http.host eq "theirs.example"'}),
	'pauses a filter': (zone, ruleIndex) => withFilter(zone, ruleIndex, {paused: true}),
	'deletes a firewall rule': async (zone, ruleIndex) => {
		const rule = (await zone.rules()).at(ruleIndex);
		return rule && zone.send('DELETE', `/firewall/rules/${rule.id}`);
	},
};

async function withCustomRule(
	zone: Zone,
	ruleIndex: number,
	act: (ruleset: string, rule: RulesetRule) => Promise<unknown>,
): Promise<void> {
	const ruleset = await zone.readCustomRuleset();
	const rule = ruleset?.rules.at(ruleIndex);
	if (ruleset && rule) await act(ruleset.id, rule);
}

async function withRule(zone: Zone, ruleIndex: number, more: object): Promise<void> {
	const rule = (await zone.rules()).at(ruleIndex);
	if (rule) await zone.send('PUT', `/firewall/rules/${rule.id}`, {...rule, ...more});
}

async function withFilter(zone: Zone, ruleIndex: number, more: object): Promise<void> {
	const filter = (await zone.rules()).at(ruleIndex)?.filter;
	if (filter) await zone.send('PUT', `/filters/${filter.id}`, {...filter, ...more});
}

/** A request of the command under test, with the result that it got. */
type SeenRequest = {readonly method: string; readonly path: string; readonly result: unknown};

/**
 * Runs `firewall export --apply --delete-old` on a zone of three rules, two of which share a filter. The other person
 * acts right before the command's request number `moment`; never where it is undefined.
 */
async function runApply(
	change?: (zone: Zone, ruleIndex: number) => Promise<unknown>,
	moment?: number,
	ruleIndex = 0,
) {
	const firewall = await startFirewallInProcess('pro');
	const shared = await firewall.addFilter('http.host eq "shared.example"');
	const office = await firewall.addFilter('ip.src in {192.0.2.0/24}');
	await firewall.addRule(office, {action: 'allow', priority: 1});
	await firewall.addRule(shared, {action: 'challenge', priority: 2});
	await firewall.addRule(shared, {action: 'block', priority: 3});
	const {simulator} = firewall.service;
	const originalFetch = simulator.fetch.bind(simulator);
	const base = `/client/v4/zones/${firewall.zone.id}`;
	const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
		const response = await originalFetch(
			new Request(`http://simulated.invalid${base}${path}`, {
				method,
				headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
				...(body !== undefined && {body: JSON.stringify(body)}),
			}),
		);
		const {success, result, errors} = (await response.json()) as {
			success: boolean;
			result: T;
			errors: unknown;
		};
		if (!success && response.status !== 404) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
		return result;
	};
	const zone: Zone = {
		send,
		readCustomRuleset: async () =>
			(await send<Awaited<ReturnType<Zone['readCustomRuleset']>> | null>('GET', entryPath)) ?? undefined,
		rules: () => send('GET', '/firewall/rules'),
	};
	const requests: SeenRequest[] = [];
	simulator.fetch = async request => {
		if (requests.length === moment) await change?.(zone, ruleIndex);
		const response = await originalFetch(request);
		const {result} = (await response.clone().json()) as {result: unknown};
		requests.push({method: request.method, path: new URL(request.url).pathname.replace(base, ''), result});
		return response;
	};
	const ended = await firewall.run([
		'export',
		'--apply',
		'--delete-old',
		'--confirm',
		firewall.zone.name,
		'--yes',
	]);
	simulator.fetch = originalFetch;
	const before = requests.find(({path}) => path === '/firewall/rules')?.result ?? [];
	return {
		before: before as readonly Rule[],
		ended,
		seen: requests,
		after: await zone.rules(),
		custom: (await zone.readCustomRuleset())?.rules ?? [],
	};
}

type ApplyRun = Awaited<ReturnType<typeof runApply>>;

const haveSameEffect = (one: RulesetRule, other: RulesetRule): boolean =>
	one.action === other.action &&
	(one.enabled ?? true) === (other.enabled ?? true) &&
	canonicalize(one.expression) === canonicalize(other.expression);

/** Deletions of firewall rules that the reads right before them did not allow. */
function findUnfoundedDeletions({before, seen: requests}: ApplyRun): string[] {
	const expectedRules = toCustomRules(before).customRuleById;
	return requests.flatMap(({method, path}, index) => {
		if (method !== 'DELETE' || !path.startsWith('/firewall/rules/')) return [];
		const id = path.split('/').at(-1) ?? '';
		const lastDeletionIndex = requests.slice(0, index).findLastIndex(one => one.method === 'DELETE');
		const reads = requests.slice(lastDeletionIndex + 1, index);
		const rule = reads.findLast(one => one.path === `/firewall/rules/${id}`)?.result;
		const custom = reads.findLast(one => one.path === entryPath)?.result as
			| {rules: RulesetRule[]}
			| undefined;
		const expectedRule = expectedRules.get(id);
		const isReplaced = expectedRule && custom?.rules.some(one => haveSameEffect(one, expectedRule));
		const isUnchanged =
			JSON.stringify(rule) === JSON.stringify(before.find(one => one.id === id)) && rule !== undefined;
		return isReplaced && isUnchanged ? [] : [`${index}: ${path}`];
	});
}

test('without concurrent changes all firewall rules are deleted, the last evaluated first', async () => {
	const done = await runApply();
	expect(done.ended.code, done.ended.stderr).toBe(0);
	expect(done.after).toEqual([]);
	expect(done.custom).toHaveLength(3);
	expect(findUnfoundedDeletions(done)).toEqual([]);
	const deleted = done.seen.filter(({method, path}) => method === 'DELETE' && path.includes('/rules/'));
	expect(deleted.map(({path}) => path.split('/').at(-1))).toEqual(done.before.map(({id}) => id).toReversed());
});

describe.each(Object.entries(changes))('while another person %s', (_what, change) => {
	test('no firewall rule is deleted unless its custom rule was just seen', async () => {
		const {length} = (await runApply()).seen;
		const moments = [0, 1, 2].flatMap(ruleIndex =>
			Array.from({length}, (_, moment) => ({moment, at: ruleIndex})),
		);
		for (const {moment, at: ruleIndex} of everyThirdUnlessFull(moments)) {
			const done = await runApply(change, moment, ruleIndex);
			const context = `before request ${moment} of rule ${ruleIndex}: exit ${done.ended.code}\n${done.ended.stderr}`;
			expect(findUnfoundedDeletions(done), context).toEqual([]);
			if (done.after.length > 0) expect(done.ended.code, context).not.toBe(0);
			else expect(done.ended.code, context).toBe(0);
			const isDeleting = done.seen.some(({method}) => method === 'DELETE');
			if (isDeleting)
				for (const {id} of done.after) expect(done.ended.stderr, context).toContain(`Kept rule ${id}`);
		}
	});
});
