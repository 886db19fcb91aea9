import {describe, expect, test} from 'vitest';
import {canonicalize} from '../../../source/firewall/expression/expressions.ts';
import {toCustomRules} from '../../../source/firewall/rules/custom-rule.ts';
import type {Rule} from '../../../source/firewall/rules/rule.ts';
import type {RulesetRule} from '../../../source/rulesets/ruleset.ts';
import {firewallInProcess} from '../../support/firewall-in-process.ts';
import {someOf} from '../../support/full.ts';

const entryPath = '/rulesets/phases/http_request_firewall_custom/entrypoint';

type Zone = {
	send<T>(method: string, path: string, body?: unknown): Promise<T>;
	custom(): Promise<{readonly id: string; readonly rules: readonly RulesetRule[]} | undefined>;
	rules(): Promise<readonly Rule[]>;
};

/** What another person can do at any moment, to rule `at` of those that exist. */
const changes: Readonly<Record<string, (zone: Zone, at: number) => Promise<unknown>>> = {
	'deletes a custom rule': (zone, at) =>
		withCustomRule(zone, at, (ruleset, rule) => zone.send('DELETE', `/rulesets/${ruleset}/rules/${rule.id}`)),
	'pauses a custom rule': (zone, at) =>
		withCustomRule(zone, at, (ruleset, rule) =>
			zone.send('PATCH', `/rulesets/${ruleset}/rules/${rule.id}`, {...rule, enabled: false}),
		),
	'changes the expression of a custom rule': (zone, at) =>
		withCustomRule(zone, at, (ruleset, rule) =>
			zone.send('PATCH', `/rulesets/${ruleset}/rules/${rule.id}`, {...rule, expression: 'ssl'}),
		),
	'empties the custom rules': zone => zone.send('PUT', entryPath, {rules: []}),
	'changes the action of a firewall rule': (zone, at) => withRule(zone, at, {action: 'js_challenge'}),
	'pauses a firewall rule': (zone, at) => withRule(zone, at, {paused: true}),
	'changes the priority of a firewall rule': (zone, at) => withRule(zone, at, {priority: 77}),
	'describes a firewall rule': (zone, at) => withRule(zone, at, {description: 'still needed'}),
	'changes a filter': (zone, at) => withFilter(zone, at, {expression: 'http.host eq "theirs.example"'}),
	'pauses a filter': (zone, at) => withFilter(zone, at, {paused: true}),
	'deletes a firewall rule': async (zone, at) => {
		const rule = (await zone.rules()).at(at);
		return rule && zone.send('DELETE', `/firewall/rules/${rule.id}`);
	},
};

async function withCustomRule(
	zone: Zone,
	at: number,
	act: (ruleset: string, rule: RulesetRule) => Promise<unknown>,
): Promise<void> {
	const ruleset = await zone.custom();
	const rule = ruleset?.rules.at(at);
	if (ruleset && rule) await act(ruleset.id, rule);
}

async function withRule(zone: Zone, at: number, more: object): Promise<void> {
	const rule = (await zone.rules()).at(at);
	if (rule) await zone.send('PUT', `/firewall/rules/${rule.id}`, {...rule, ...more});
}

async function withFilter(zone: Zone, at: number, more: object): Promise<void> {
	const filter = (await zone.rules()).at(at)?.filter;
	if (filter) await zone.send('PUT', `/filters/${filter.id}`, {...filter, ...more});
}

/** A request of the command under test, with the answer that it got. */
type Seen = {readonly method: string; readonly path: string; readonly result: unknown};

/**
 * Runs `firewall export --apply --delete-old` on a zone of three rules, two of which share a filter. The other person
 * acts right before the command's request number `moment`; never where it is undefined.
 */
async function applied(change?: (zone: Zone, at: number) => Promise<unknown>, moment?: number, at = 0) {
	const firewall = await firewallInProcess('pro');
	const shared = await firewall.addFilter('http.host eq "shared.example"');
	const office = await firewall.addFilter('ip.src in {192.0.2.0/24}');
	await firewall.addRule(office, {action: 'allow', priority: 1});
	await firewall.addRule(shared, {action: 'challenge', priority: 2});
	await firewall.addRule(shared, {action: 'block', priority: 3});
	const {simulator} = firewall.service;
	const pass = simulator.fetch.bind(simulator);
	const base = `/client/v4/zones/${firewall.zone.id}`;
	const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
		const answer = await pass(
			new Request(`http://simulated.invalid${base}${path}`, {
				method,
				headers: {Authorization: 'Bearer simulated', 'Content-Type': 'application/json'},
				...(body !== undefined && {body: JSON.stringify(body)}),
			}),
		);
		const {success, result, errors} = (await answer.json()) as {success: boolean; result: T; errors: unknown};
		if (!success && answer.status !== 404) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
		return result;
	};
	const zone: Zone = {
		send,
		custom: async () =>
			(await send<Awaited<ReturnType<Zone['custom']>> | null>('GET', entryPath)) ?? undefined,
		rules: () => send('GET', '/firewall/rules'),
	};
	const seen: Seen[] = [];
	simulator.fetch = async request => {
		if (seen.length === moment) await change?.(zone, at);
		const answer = await pass(request);
		const {result} = (await answer.clone().json()) as {result: unknown};
		seen.push({method: request.method, path: new URL(request.url).pathname.replace(base, ''), result});
		return answer;
	};
	const ended = await firewall.run([
		'export',
		'--apply',
		'--delete-old',
		'--confirm',
		firewall.zone.name,
		'--yes',
	]);
	simulator.fetch = pass;
	const before = seen.find(({path}) => path === '/firewall/rules')?.result ?? [];
	return {
		before: before as readonly Rule[],
		ended,
		seen,
		after: await zone.rules(),
		custom: (await zone.custom())?.rules ?? [],
	};
}

type Applied = Awaited<ReturnType<typeof applied>>;

const doesTheSame = (one: RulesetRule, other: RulesetRule): boolean =>
	one.action === other.action &&
	(one.enabled ?? true) === (other.enabled ?? true) &&
	canonicalize(one.expression) === canonicalize(other.expression);

/** Deletions of firewall rules that the reads right before them did not allow. */
function unfoundedDeletions({before, seen}: Applied): string[] {
	const wanted = toCustomRules(before).customRuleById;
	return seen.flatMap(({method, path}, index) => {
		if (method !== 'DELETE' || !path.startsWith('/firewall/rules/')) return [];
		const id = path.split('/').at(-1) ?? '';
		const last = seen.slice(0, index).findLastIndex(one => one.method === 'DELETE');
		const reads = seen.slice(last + 1, index);
		const rule = reads.findLast(one => one.path === `/firewall/rules/${id}`)?.result;
		const custom = reads.findLast(one => one.path === entryPath)?.result as
			| {rules: RulesetRule[]}
			| undefined;
		const made = wanted.get(id);
		const isReplaced = made && custom?.rules.some(one => doesTheSame(one, made));
		const isUnchanged =
			JSON.stringify(rule) === JSON.stringify(before.find(one => one.id === id)) && rule !== undefined;
		return isReplaced && isUnchanged ? [] : [`${index}: ${path}`];
	});
}

test('without concurrent changes all firewall rules are deleted, the last evaluated first', async () => {
	const done = await applied();
	expect(done.ended.code, done.ended.stderr).toBe(0);
	expect(done.after).toEqual([]);
	expect(done.custom).toHaveLength(3);
	expect(unfoundedDeletions(done)).toEqual([]);
	const deleted = done.seen.filter(({method, path}) => method === 'DELETE' && path.includes('/rules/'));
	expect(deleted.map(({path}) => path.split('/').at(-1))).toEqual(done.before.map(({id}) => id).toReversed());
});

describe.each(Object.entries(changes))('while another person %s', (_what, change) => {
	test('no firewall rule is deleted unless its custom rule was just seen', async () => {
		const {length} = (await applied()).seen;
		const moments = [0, 1, 2].flatMap(at => Array.from({length}, (_, moment) => ({moment, at})));
		for (const {moment, at} of someOf(moments)) {
			const done = await applied(change, moment, at);
			const said = `before request ${moment} of rule ${at}: exit ${done.ended.code}\n${done.ended.stderr}`;
			expect(unfoundedDeletions(done), said).toEqual([]);
			if (done.after.length > 0) expect(done.ended.code, said).not.toBe(0);
			else expect(done.ended.code, said).toBe(0);
			const isDeleting = done.seen.some(({method}) => method === 'DELETE');
			if (isDeleting)
				for (const {id} of done.after) expect(done.ended.stderr, said).toContain(`Kept rule ${id}`);
		}
	});
});
