import {describe, expect, test} from 'vitest';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {buildPageRuleExpression} from '../../../source/migration/plan/expected.ts';
import {planMigration} from '../../../source/migration/plan/plan.ts';
import type {Snapshot} from '../../../source/migration/zone/snapshot.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {configurationOf, createExecuteRule} from '../support/configurations.ts';
import {
	bypass,
	group,
	owaspPackage,
	pageRule,
	platformPackage,
	rule,
	scoringRule,
	snapshotOf,
} from '../support/previous-zone.ts';

const {platform, owasp} = managedRulesets;

/** By id, the recreation of each setting that is left behind if only two plain rulesets are deployed. */
function planRecreations(parts: Partial<Snapshot>, deleted: readonly JsonObject[] = []) {
	const snapshot = snapshotOf(parts);
	const after = configurationOf(createExecuteRule(platform.id), createExecuteRule(owasp.id));
	const {notMigrated} = planMigration({...snapshot, proposed: null}, after, deleted);
	return new Map(notMigrated.map(({id, recreate}) => [id, recreate]));
}

const createOverride = (more: JsonObject): JsonObject => ({
	id: 'o1',
	urls: ['shop.example/api/*', 'api.example/*'],
	description: 'API',
	paused: false,
	...more,
});

describe('recreating settings that are left behind', () => {
	test('a firewall rule and a page rule become the exceptions of the mapping', () => {
		const found = planRecreations({
			firewallRules: [
				bypass('b1', 'ip.src eq 192.0.2.1', {description: 'partners'}),
				bypass('b2', 'ssl', {paused: true}),
			],
			pageRules: [pageRule('p1', 'shop.example/in/*', {id: 'waf', value: 'off'})],
		});
		expect(found.get('b1')).toEqual({
			kind: 'exception',
			exception: {
				expression: 'ip.src eq 192.0.2.1',
				description: 'partners',
				skips: {kind: 'all'},
				enabled: true,
			},
		});
		expect(found.get('b2')).toMatchObject({exception: {expression: 'ssl', enabled: false}});
		expect(found.get('p1')).toMatchObject({
			kind: 'exception',
			url: 'shop.example/in/*',
			exception: {expression: buildPageRuleExpression('shop.example/in/*'), skips: {kind: 'all'}},
		});
	});

	test('OWASP groups and rules become overrides that turn them off, found by name', () => {
		const found = planRecreations({
			packages: [
				owaspPackage(
					{sensitivity: 'high', action_mode: 'block'},
					[group('g1', 'off')],
					[scoringRule('r1', 'on', 'g1'), scoringRule('r2', 'off', 'g2')],
				),
			],
		});
		expect(found.get('g1')).toEqual({
			kind: 'rules overridden',
			wanted: {ruleset: owasp.id, ids: ['r1'], name: 'Group g1'},
			change: {enabled: false},
		});
		expect(found.get('r2')).toEqual({
			kind: 'rules overridden',
			wanted: {ruleset: owasp.id, ids: ['r2'], name: 'What r2 does'},
			change: {enabled: false},
		});
	});

	test.each([
		['disable', {enabled: false}],
		['simulate', {action: 'log', enabled: true}],
		['challenge', {action: 'managed_challenge', enabled: true}],
		['puzzle', undefined],
	])('a managed rule with the mode %s is listed, with a recreation if the mode is known', (mode, change) => {
		const found = planRecreations({packages: [platformPackage([group('g', 'on')], [rule('m1', mode)])]});
		expect(found.has('m1')).toBe(true);
		expect(found.get('m1')).toEqual(
			change && {
				kind: 'rules overridden',
				wanted: {ruleset: platform.id, ids: ['m1'], name: 'What m1 does'},
				change,
			},
		);
	});

	test('a managed rule of a group that is off is turned off, whatever its own mode', () => {
		const found = planRecreations({
			packages: [platformPackage([group('g', 'off')], [rule('m1', 'simulate')])],
		});
		expect(found.get('m1')).toMatchObject({change: {enabled: false}});
	});

	test('a rule made for a customer is left to a person', () => {
		const found = planRecreations({
			packages: [platformPackage([group('g', 'on')], [rule('c1', 'disable')], 'User-defined')],
		});
		expect([...found]).toEqual([['c1', undefined]]);
	});

	test('a URI override becomes an exception for its URLs that skips what it disabled, and the rest is listed', () => {
		const packages = [
			owaspPackage(undefined, [group('og', 'on')], []),
			platformPackage(
				[group('pg', 'on')],
				[rule('m1', 'default', 'pg'), rule('m2', 'default', 'pg'), rule('m3', 'default', 'other')],
			),
		];
		const raw = createOverride({
			groups: {pg: 'disable', og: 'disable'},
			rules: {m3: 'disable', m4: 'off', m5: 'simulate'},
			rewrite_action: {challenge: 'block'},
		});
		const found = planRecreations({packages, overrides: [raw]});
		expect(found.get('o1')).toEqual({
			kind: 'rules skipped',
			exception: {
				expression: `${buildPageRuleExpression('shop.example/api/*')} or ${buildPageRuleExpression('api.example/*')}`,
				description: 'URI override API',
				enabled: true,
			},
			wanted: [
				{ruleset: platform.id, ids: ['m1', 'm2'], name: 'Group pg'},
				{ruleset: owasp.id, ids: [], name: 'Group og'},
				{ruleset: platform.id, ids: ['m3'], name: 'What m3 does'},
				{ruleset: platform.id, ids: ['m4'], name: 'm4'},
			],
			rest: ['rule m5: simulate', 'challenge → block'],
		});
		expect(planRecreations({packages}, [raw]).get('o1')).toEqual(found.get('o1'));
	});

	test.each([
		['disables nothing', {rules: {m5: 'simulate'}}],
		['has no URL', {urls: [], rules: {m5: 'disable'}}],
	])('a URI override that %s is left to a person', (_what, more) => {
		const found = planRecreations({overrides: [createOverride(more)]});
		expect([...found]).toEqual([['o1', undefined]]);
	});

	test('a paused URI override becomes an exception that is off', () => {
		const found = planRecreations({overrides: [createOverride({rules: {m1: 'disable'}, paused: true})]});
		expect(found.get('o1')).toMatchObject({exception: {enabled: false}});
	});
});
