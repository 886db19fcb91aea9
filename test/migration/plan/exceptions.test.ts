import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../../source/text/json.ts';
import {bypass, pageRule, snapshotOf} from '../support/previous-zone.ts';
import {formatSectionRows, planOf, proposalOf} from '../support/previous-zone-plan.ts';

describe('exceptions', () => {
	test('for firewall rules are listed with their position', () => {
		const plan = planOf({
			firewallRules: [
				bypass('r1', 'ssl', {description: 'partners'}),
				bypass('r2', 'http.host eq "a"', {paused: true, products: ['bic', 'waf']}),
				bypass('r3', '', {filter: {id: 'f', deleted: true}}),
			],
		});
		expect(formatSectionRows(plan, 'Exceptions')).toEqual([
			'firewall rule "partners": bypass waf → skip, first rule',
			'firewall rule r2: bypass waf, bic, paused → skip, rule 2, off; still bypasses bic',
			'[same] firewall rule r3: bypass waf → nothing: its filter was deleted, so it matches nothing',
		]);
		expect(plan.notMigrated).toEqual([]);
	});

	test('that are missing are flagged and have to be recreated', () => {
		const plan = planOf({firewallRules: [bypass('r1', 'ssl')]}, {kind: 'rule removed', rule: 0});
		expect(formatSectionRows(plan, 'Exceptions')).toEqual([
			'[warning] firewall rule r1: bypass waf → no exception: managed rules will run there',
		]);
		expect(plan.notMigrated.map(({id}) => id)).toEqual(['r1']);
	});

	const pageRules = [
		pageRule('p1', 'acme.example/a/*', {id: 'waf', value: 'off'}),
		pageRule('p2', 'acme.example/b', {id: 'disable_security'}),
		pageRule('p3', 'acme.example/c', {id: 'waf', value: 'on'}),
		pageRule('p4', 'acme.example/d', {id: 'waf', value: 'off'}, 'disabled'),
	];

	test('for page rules are listed, and the page rules have no effect afterwards', () => {
		const plan = planOf({pageRules});
		expect(formatSectionRows(plan, 'Exceptions')).toEqual([
			'page rule acme.example/a/*: WAF off → skip, first rule; the page rule no longer has an effect',
			'page rule acme.example/b: Disable Security → skip, rule 2; it no longer affects managed rules',
			'[same] page rule acme.example/c: WAF on → the page rule no longer has an effect',
			'page rule acme.example/d: WAF off, not active → skip, rule 3, off; the page rule no longer has an effect',
		]);
		expect(plan.warnings.join()).not.toContain('has no exception');
	});

	test('for page rules that the service omits are flagged', () => {
		const {rules} = proposalOf(snapshotOf());
		const plan = planOf({pageRules: pageRules.slice(0, 1), proposed: {name: 'default', rules}});
		expect(formatSectionRows(plan, 'Exceptions')).toEqual([
			'[warning] page rule acme.example/a/*: WAF off → no exception, and the page rule no longer has an effect: managed rules will run there',
		]);
		expect(plan.warnings.join()).toContain('Page rule p1 (acme.example/a/*) has no exception');
		expect(plan.notMigrated).toMatchObject([
			{id: 'p1', next: expect.stringContaining('http.request.full_uri wildcard')},
		]);
	});

	test('for page rules that the service writes differently are not reported as differences', () => {
		const {rules} = proposalOf(snapshotOf({pageRules: pageRules.slice(0, 1)}));
		const expression = 'http.request.full_uri wildcard r"http*://acme.example/a/*"';
		const written = rules.map((one, index): JsonObject => (index === 0 ? {...one, expression} : one));
		const plan = planOf({pageRules: pageRules.slice(0, 1), proposed: {name: 'default', rules: written}});
		expect(plan.mapping).toEqual([]);
		expect(plan.warnings.join()).not.toContain('has no exception');
	});

	test('added by a person are shown', () => {
		const plan = planOf(
			{},
			{kind: 'exception added', exception: {expression: 'ssl', skips: {kind: 'all'}, description: 'office'}},
		);
		expect(formatSectionRows(plan, 'Exceptions')).toEqual([
			'exception "office": none → first rule: skips all managed rules where ssl',
		]);
	});
});
