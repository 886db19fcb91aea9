import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../source/json.ts';
import {type Configuration, fingerprint, readConfiguration} from '../../source/migration/configuration.ts';
import {applyEdit, type Edit} from '../../source/migration/edits.ts';
import {managedRulesets, paranoiaContradiction} from '../../source/migration/mapping.ts';
import {planMigration} from '../../source/migration/plan.ts';
import type {Snapshot} from '../../source/migration/snapshot.ts';
import {configurationOf} from './support/configurations.ts';
import {
	bypass,
	group,
	owaspPackage,
	pageRule,
	platformPackage,
	rule,
	scoringRule,
	snapshotOf,
} from './support/previous-zone.ts';

const {platform} = managedRulesets;

const proposalOf = ({proposed}: Snapshot): Configuration => readConfiguration(proposed, 'The proposal');

const planOf = (parts: Partial<Snapshot>, ...edits: readonly Edit[]) => {
	const snapshot = snapshotOf(parts);
	return planMigration(snapshot, edits.reduce(applyEdit, proposalOf(snapshot)));
};

/** The rows of a section, each as a line. */
const lines = ({sections}: ReturnType<typeof planMigration>, title: string) =>
	(sections.find(section => section.title === title)?.rows ?? []).map(
		({what, now, after, mark}) => `${mark ? `[${mark}] ` : ''}${what}: ${now} → ${after}`,
	);

test('a plan is JSON as it is, with the fingerprint and the number of rules', () => {
	const snapshot = snapshotOf();
	const plan = planMigration(snapshot, proposalOf(snapshot));
	expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
	expect(plan).toMatchObject({
		fingerprint: fingerprint(proposalOf(snapshot)),
		rules: 2,
		notMigrated: [],
		edits: [],
		mapping: [],
	});
	expect(plan.sections.map(({title}) => title)).toEqual([
		'OWASP Core',
		'Managed rules',
		'Exceptions',
		'To be recreated by hand',
	]);
});

describe('the OWASP settings', () => {
	test.each([
		['high', 'High → PL2 · 40 or higher'],
		['medium', 'Medium → PL1 · 25 or higher'],
		['low', 'Low → PL1 · 40 or higher'],
		['default', 'Default → PL2 · 40 or higher'],
	])('with the sensitivity %s', (sensitivity, row) => {
		const plan = planOf({packages: [owaspPackage({sensitivity, action_mode: 'simulate'})]});
		expect(lines(plan, 'OWASP Core')).toEqual([`sensitivity: ${row}`, 'action: Simulate → Log']);
	});

	test('with the level of the other sentence of the specification are marked', () => {
		const plan = planOf(
			{packages: [owaspPackage({sensitivity: 'medium', action_mode: 'block'})]},
			{kind: 'paranoia level', level: 2},
		);
		expect(lines(plan, 'OWASP Core')).toEqual([
			'[warning] sensitivity: Medium → PL2 · 25 or higher (the table says PL1 · 25 or higher)',
			'action: Block → Block',
		]);
	});

	test('always come with the two sentences that contradict each other', () => {
		expect(planOf({}).warnings).toContain(paranoiaContradiction);
		expect(planOf({packages: [platformPackage()]}).warnings).not.toContain(paranoiaContradiction);
	});

	test('with another action than the mapping says are marked', () => {
		const plan = planOf({}, {kind: 'threshold action', action: 'block'});
		expect(lines(plan, 'OWASP Core')[1]).toBe('[warning] action: Simulate → Block (the mapping says Log)');
	});

	test('of a package that is off', () => {
		const parts = {packages: [owaspPackage({sensitivity: 'off', action_mode: 'block'})]};
		expect(lines(planOf(parts), 'OWASP Core')).toEqual([
			'[same] sensitivity: Off → not deployed',
			'[same] action: Block → not deployed',
		]);
		const on = planOf(parts, {kind: 'ruleset deployed', ruleset: managedRulesets.owasp.id});
		expect(lines(on, 'OWASP Core')[0]).toMatch(
			/^\[warning\] sensitivity: Off → level as the ruleset has it · threshold as the ruleset has it: it is on$/,
		);
	});

	test('of groups and rules are lost, counted there and named with their ids to be recreated', () => {
		const plan = planOf({
			packages: [
				owaspPackage(
					{sensitivity: 'high', action_mode: 'block'},
					[group('g1', 'off'), group('g2', 'on')],
					[scoringRule('r1', 'off', 'g2'), scoringRule('r2', 'on', 'g2')],
				),
			],
		});
		expect(lines(plan, 'OWASP Core').slice(2)).toEqual([
			'[lost] 1 group override: off → not migrated: to be recreated by hand',
			'[lost] 1 rule override: off → not migrated: to be recreated by hand',
		]);
		expect(plan.notMigrated.map(({what, id, setting}) => [what, id, setting])).toEqual([
			['OWASP group "Group g1"', 'g1', 'off'],
			['OWASP rule "What r1 does"', 'r1', 'off'],
		]);
		expect(lines(plan, 'To be recreated by hand')).toHaveLength(2);
	});

	test('that the service counts and ledge cannot name are told', () => {
		const groups = [group('g', 'on', {modified_rules_count: 3})];
		const {warnings} = planOf({packages: [owaspPackage({}, groups)]});
		expect(warnings.join()).toContain('counts 3 changed rules, ledge can name 0');
	});
});

describe('managed rules', () => {
	const packages = [
		platformPackage(
			[group('g', 'on'), group('joomla', 'off')],
			[
				rule('r1', 'challenge'),
				rule('r2', 'default'),
				rule('r3', 'simulate'),
				rule('j1', 'default', 'joomla'),
				rule('j2', 'block', 'joomla'),
			],
		),
	];

	test('are each accounted for', () => {
		expect(lines(planOf({packages}), 'Managed rules')).toEqual([
			'Web Application Firewall: on → no switch any more: rulesets are deployed one by one',
			'Managed Ruleset: on → on',
			'group Group joomla: off → 2 rules turned off',
			'rule r1 (What r1 does): challenge → managed challenge',
			'rule r3 (What r3 does): simulate → log',
			'rule j2 (What j2 does): block, its group is off → off',
			'[same] 1 other rule of "Platform": by default → as the new ruleset has it',
		]);
	});

	test('that a person sets otherwise are marked, and named among the edits', () => {
		const plan = planOf(
			{packages},
			{kind: 'managed rule override', ruleset: platform.id, id: 'r3', action: 'block'},
		);
		expect(lines(plan, 'Managed rules')).toContain(
			'[warning] rule r3 (What r3 does): simulate → block (the mapping says log)',
		);
		expect(plan.edits).toEqual([
			{about: 'Managed Ruleset: managed rule r3', before: 'on, log', after: 'on, block'},
		]);
		expect(plan.notMigrated).toEqual([]);
	});

	test('that the service leaves out are to be recreated, and the mapping says so', () => {
		const proposed = proposalOf(snapshotOf({packages: [platformPackage()]}));
		const plan = planOf({packages, proposed: {name: 'default', rules: proposed.rules}});
		expect(lines(plan, 'Managed rules')).toContain(
			'[warning] group Group joomla: off → 0 of 2 rules turned off',
		);
		expect(plan.notMigrated.map(({id}) => id)).toEqual(['r1', 'r3', 'j1', 'j2']);
		expect(plan.mapping).toHaveLength(4);
		expect(plan.warnings.join()).toContain('differs from the documented mapping in 4 places');
	});

	test('with a mode that nobody knows are marked', () => {
		const plan = planOf({packages: [platformPackage([], [rule('r1', 'explode')])]});
		expect(lines(plan, 'Managed rules')[2]).toBe(
			'[warning] rule r1 (What r1 does): explode → as the new ruleset has it (the mapping does not know explode)',
		);
		expect(plan.notMigrated.map(({id}) => id)).toEqual(['r1']);
	});

	test('made for a customer that the service leaves out are for support to say', () => {
		const own = platformPackage([], [rule('c1', 'simulate')], 'Customer Requested');
		const {rules} = proposalOf(snapshotOf({packages: []}));
		const plan = planOf({packages: [own], proposed: {name: 'default', rules}});
		expect(plan.notMigrated).toMatchObject([{id: 'c1', next: expect.stringContaining('ask support')}]);
	});

	test('of a zone whose switch is off are warned of when they are deployed', () => {
		const parts = {packages, waf: {id: 'waf', value: 'off'}};
		expect(planOf(parts).warnings.join()).toContain('deploys no managed ruleset');
		const on = planOf(parts, {kind: 'rule enabled', rule: 0, enabled: true});
		expect(on.warnings.join()).toContain('With this configuration managed rules are on.');
		expect(lines(on, 'Managed rules')[0]).toMatch(/^\[warning\] Web Application Firewall: off/);
	});
});

describe('exceptions', () => {
	test('of firewall rules, each with its place', () => {
		const plan = planOf({
			firewallRules: [
				bypass('r1', 'ssl', {description: 'partners'}),
				bypass('r2', 'http.host eq "a"', {paused: true, products: ['bic', 'waf']}),
				bypass('r3', '', {filter: {id: 'f', deleted: true}}),
			],
		});
		expect(lines(plan, 'Exceptions')).toEqual([
			'firewall rule "partners": bypass waf → skip, first in order',
			'firewall rule r2: bypass waf, bic, paused → skip, rule 2, off; still bypasses bic',
			'[same] firewall rule r3: bypass waf → nothing: its filter is deleted, so it matches nothing',
		]);
		expect(plan.notMigrated).toEqual([]);
	});

	test('that are missing are flagged and to be recreated', () => {
		const plan = planOf({firewallRules: [bypass('r1', 'ssl')]}, {kind: 'rule removed', rule: 0});
		expect(lines(plan, 'Exceptions')).toEqual([
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

	test('of page rules, which have no effect themselves afterwards', () => {
		const plan = planOf({pageRules});
		expect(lines(plan, 'Exceptions')).toEqual([
			'page rule acme.example/a/*: WAF off → skip, first in order; the page rule has no effect any more',
			'page rule acme.example/b: Disable Security → skip, rule 2; it has no effect on managed rules any more',
			'[same] page rule acme.example/c: WAF on → the page rule has no effect any more',
			'page rule acme.example/d: WAF off, not active → skip, rule 3, off; the page rule has no effect any more',
		]);
		expect(plan.warnings.join()).not.toContain('has no exception');
	});

	test('of page rules for which the service makes none are flagged', () => {
		const {rules} = proposalOf(snapshotOf());
		const plan = planOf({pageRules: pageRules.slice(0, 1), proposed: {name: 'default', rules}});
		expect(lines(plan, 'Exceptions')).toEqual([
			'[warning] page rule acme.example/a/*: WAF off → no exception, and the page rule has no effect any more: managed rules will run there',
		]);
		expect(plan.warnings.join()).toContain('Page rule p1 (acme.example/a/*) has no exception');
		expect(plan.notMigrated).toMatchObject([
			{id: 'p1', next: expect.stringContaining('http.request.full_uri wildcard')},
		]);
	});

	test('of page rules written otherwise by the service are no difference', () => {
		const {rules} = proposalOf(snapshotOf({pageRules: pageRules.slice(0, 1)}));
		const expression = 'http.request.full_uri wildcard r"http*://acme.example/a/*"';
		const written = rules.map((one, index): JsonObject => (index === 0 ? {...one, expression} : one));
		const plan = planOf({pageRules: pageRules.slice(0, 1), proposed: {name: 'default', rules: written}});
		expect(plan.mapping).toEqual([]);
		expect(plan.warnings.join()).not.toContain('has no exception');
	});

	test('that a person adds are shown', () => {
		const plan = planOf(
			{},
			{kind: 'exception added', exception: {expression: 'ssl', skips: {kind: 'all'}, description: 'office'}},
		);
		expect(lines(plan, 'Exceptions')).toEqual([
			'exception "office": not there → first in order: skips all managed rules where ssl',
		]);
	});
});

test('URI-based overrides are named with all that they did', () => {
	const {notMigrated} = planOf({
		overrides: [
			{
				id: 'o1',
				urls: ['acme.example/shop*'],
				rules: {r1: 'disable'},
				groups: {g1: 'simulate'},
				rewrite_action: {challenge: 'block'},
				description: 'shop',
				paused: true,
			},
		],
	});
	expect(notMigrated).toMatchObject([
		{
			what: 'URI override "shop"',
			id: 'o1',
			setting: 'acme.example/shop*: group g1: simulate, rule r1: disable, challenge → block, paused',
		},
	]);
});

test('what could not be read is told', () => {
	const {warnings} = planOf({unread: [{what: 'Page rules', why: '403'}]});
	expect(warnings).toContain('Page rules could not be read: the plan does not show what becomes of it.');
});

test('a configuration that deploys nothing is warned of', () => {
	const {warnings} = planMigration(snapshotOf(), configurationOf());
	expect(warnings.join()).toContain('no managed rule protects the zone');
});
