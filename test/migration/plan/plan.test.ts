import {describe, expect, test} from 'vitest';
import {computeFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {planMigration} from '../../../source/migration/plan/plan.ts';
import {configurationOf} from '../support/configurations.ts';
import {
	group,
	owaspPackage,
	platformPackage,
	rule,
	scoringRule,
	snapshotOf,
} from '../support/previous-zone.ts';
import {formatSectionRows, planOf, proposalOf} from '../support/previous-zone-plan.ts';

const {platform} = managedRulesets;

test('a plan is plain JSON, with the fingerprint and the number of rules', () => {
	const snapshot = snapshotOf();
	const plan = planMigration(snapshot, proposalOf(snapshot));
	expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
	expect(plan).toMatchObject({
		fingerprint: computeFingerprint(proposalOf(snapshot)),
		rules: 2,
		notMigrated: [],
		edits: [],
		reductions: [],
		mapping: [],
	});
	expect(plan.sections.map(({title}) => title)).toEqual(['OWASP Core', 'Managed rules', 'Exceptions']);
});

describe('the OWASP settings', () => {
	test.each([
		['high', 'High → PL2 · Medium, 40 or higher'],
		['medium', 'Medium → PL1 · High, 25 or higher'],
		['low', 'Low → PL1 · Medium, 40 or higher'],
		['default', 'Default → PL2 · Medium, 40 or higher'],
	])('are mapped with the sensitivity %s', (sensitivity, row) => {
		const plan = planOf({packages: [owaspPackage({sensitivity, action_mode: 'simulate'})]});
		expect(formatSectionRows(plan, 'OWASP Core')).toEqual([`sensitivity: ${row}`, 'action: Simulate → Log']);
	});

	test('with a level other than the mapped one are marked', () => {
		const plan = planOf(
			{packages: [owaspPackage({sensitivity: 'medium', action_mode: 'block'})]},
			{kind: 'paranoia level', level: 2},
		);
		expect(formatSectionRows(plan, 'OWASP Core')).toEqual([
			'[warning] sensitivity: Medium → PL2 · High, 25 or higher, not PL1 · High, 25 or higher as documented',
			'action: Block → Block',
		]);
	});

	test('come with the level and the contradiction of the documentation if there is an OWASP package', () => {
		const findWarning = (...input: Parameters<typeof planOf>) =>
			planOf(...input).warnings.find(text => text.startsWith('OWASP: '));
		const packages = [owaspPackage({sensitivity: 'medium'})];
		expect(findWarning({packages})).toMatch(
			/^OWASP: This configuration sets PL1 · High, 25 or higher .*PL2 for every zone/,
		);
		expect(findWarning({packages}, {kind: 'paranoia level', level: 2})).toContain('sets PL2 · ');
		expect(findWarning({packages: [platformPackage()]})).toBeUndefined();
		const snapshot = snapshotOf({packages});
		const rules = [
			{action: 'execute', action_parameters: {id: managedRulesets.owasp.id}, expression: 'true'},
		];
		expect(planMigration(snapshot, configurationOf(...rules)).warnings[0]).toMatch(
			/^OWASP: This configuration sets no paranoia level .*is unknown/,
		);
	});

	test('with an action other than the mapped one are marked', () => {
		const plan = planOf({}, {kind: 'threshold action', action: 'block'});
		expect(formatSectionRows(plan, 'OWASP Core')[1]).toBe(
			'[warning] action: Simulate → Block, not Log as documented',
		);
	});

	test('after an edit that blocks less are listed with the effect', () => {
		const parts = {packages: [owaspPackage({sensitivity: 'high', action_mode: 'block'})]};
		expect(planOf(parts, {kind: 'score threshold', points: 60}).reductions).toEqual([
			'OWASP: score threshold 40 → 60, blocks less.',
		]);
		expect(planOf(parts, {kind: 'score threshold', points: 25}).reductions).toEqual([]);
	});

	test('of a package that is off are mapped', () => {
		const parts = {packages: [owaspPackage({sensitivity: 'off', action_mode: 'block'})]};
		expect(formatSectionRows(planOf(parts), 'OWASP Core')).toEqual([
			'[same] sensitivity: Off → not deployed',
			'[same] action: Block → not deployed',
		]);
		const deployedPlan = planOf(parts, {kind: 'ruleset deployed', ruleset: managedRulesets.owasp.id});
		expect(formatSectionRows(deployedPlan, 'OWASP Core')[0]).toMatch(
			/^\[warning\] sensitivity: Off → default level · default threshold: it is on$/,
		);
	});

	test('of groups and rules are lost, counted, and listed with their ids to be recreated', () => {
		const plan = planOf({
			packages: [
				owaspPackage(
					{sensitivity: 'high', action_mode: 'block'},
					[group('g1', 'off'), group('g2', 'on')],
					[scoringRule('r1', 'off', 'g2'), scoringRule('r2', 'on', 'g2')],
				),
			],
		});
		expect(formatSectionRows(plan, 'OWASP Core').slice(2)).toEqual([
			'[lost] 1 group override: off → ON unless turned off here; recreate manually',
			'[lost] 1 rule override: off → ON unless turned off here; recreate manually',
		]);
		expect(plan.notMigrated.map(({what, id, setting}) => [what, id, setting])).toEqual([
			['OWASP group "Group g1"', 'g1', 'off'],
			['OWASP rule "What r1 does"', 'r1', 'off'],
		]);
	});

	test('of groups and rules of a package that was off are not listed, since they had no effect', () => {
		const plan = planOf({
			packages: [
				owaspPackage(
					{sensitivity: 'off', action_mode: 'block'},
					[group('g1', 'off'), group('g2', 'on', {modified_rules_count: 3})],
					[scoringRule('r1', 'off', 'g2')],
				),
			],
		});
		expect(formatSectionRows(plan, 'OWASP Core')).toHaveLength(2);
		expect(plan.notMigrated).toEqual([]);
		expect(plan.warnings.join()).not.toContain('OWASP group');
	});

	test('with a new action are marked as changed', () => {
		const planWithAction = (action_mode: string) =>
			planOf({packages: [owaspPackage({sensitivity: 'high', action_mode})]});
		expect(formatSectionRows(planWithAction('challenge'), 'OWASP Core')[1]).toBe(
			'[changed] action: Challenge → Managed challenge, a different action than before',
		);
		expect(formatSectionRows(planWithAction('block'), 'OWASP Core')[1]).toBe('action: Block → Block');
		expect(formatSectionRows(planWithAction('simulate'), 'OWASP Core')[1]).toBe('action: Simulate → Log');
	});

	test('that are counted by the service but unknown to ledge are reported', () => {
		const groups = [group('g', 'on', {modified_rules_count: 3})];
		const {warnings} = planOf({packages: [owaspPackage({}, groups)]});
		expect(warnings.join()).toContain('counts 3 changed rules, but ledge can name only 0');
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

	test('are all accounted for', () => {
		expect(formatSectionRows(planOf({packages}), 'Managed rules')).toEqual([
			'Web Application Firewall: on → no switch: rulesets are deployed individually',
			'Managed Ruleset: on → on',
			'group Group joomla: off → 2 rules turned off',
			'[changed] rule r1 (What r1 does): challenge → managed challenge, a different action than before',
			'rule r3 (What r3 does): simulate → log',
			'rule j2 (What j2 does): block, its group is off → off',
			'[same] 1 other rule of "Platform": by default → new ruleset default',
		]);
	});

	test('changed by a person are marked and listed among the edits', () => {
		const plan = planOf(
			{packages},
			{kind: 'managed rule override', ruleset: platform.id, id: 'r3', action: 'block'},
		);
		expect(formatSectionRows(plan, 'Managed rules')).toContain(
			'[warning] rule r3 (What r3 does): simulate → block, not log as documented',
		);
		expect(plan.edits).toEqual([
			{about: 'Managed Ruleset: managed rule r3', before: 'on, log', after: 'on, block'},
		]);
		expect(plan.notMigrated).toEqual([]);
	});

	test('omitted by the service have to be recreated, and the mapping says so', () => {
		const proposed = proposalOf(snapshotOf({packages: [platformPackage()]}));
		const plan = planOf({packages, proposed: {name: 'default', rules: proposed.rules}});
		expect(formatSectionRows(plan, 'Managed rules')).toContain(
			'[warning] group Group joomla: off → 0 of 2 rules turned off',
		);
		expect(plan.notMigrated.map(({id}) => id)).toEqual(['r1', 'r3', 'j1', 'j2']);
		expect(plan.mapping).toHaveLength(4);
		expect(plan.warnings.join()).toContain('differs from the documented mapping in 4 places');
	});

	test('are off with their category or ruleset', () => {
		const proposed = proposalOf(snapshotOf({packages: [platformPackage()]}));
		const catalogue = [
			{
				id: platform.id,
				name: platform.name,
				rules: ['j1', 'j2', 'r1', 'r3'].map(id => ({
					id,
					description: '',
					categories: [id.startsWith('j') ? 'joomla' : 'other'],
					action: 'block',
					enabled: true,
				})),
			},
		];
		const planEdited = (...edits: Parameters<typeof planOf>[1][]) =>
			planOf({packages, catalogue, proposed: {name: 'default', rules: proposed.rules}}, ...edits);
		const categoryOff = {
			kind: 'category override',
			ruleset: platform.id,
			category: 'joomla',
			enabled: false,
		} as const;
		const categoryPlan = planEdited(categoryOff);
		expect(formatSectionRows(categoryPlan, 'Managed rules')).toContain(
			'group Group joomla: off → 2 rules turned off',
		);
		expect(categoryPlan.notMigrated.map(({id}) => id)).toEqual(['r1', 'r3']);
		const partlyOn = planEdited(categoryOff, {
			kind: 'managed rule override',
			ruleset: platform.id,
			id: 'j1',
			enabled: true,
		});
		expect(formatSectionRows(partlyOn, 'Managed rules')).toContain(
			'[warning] group Group joomla: off → 1 of 2 rules turned off',
		);
		const rulesetOff = planEdited({kind: 'ruleset override', ruleset: platform.id, enabled: false});
		expect(formatSectionRows(rulesetOff, 'Managed rules')).toContain(
			'group Group joomla: off → 2 rules turned off',
		);
	});

	test('with an unknown mode are marked', () => {
		const plan = planOf({packages: [platformPackage([], [rule('r1', 'explode')])]});
		expect(formatSectionRows(plan, 'Managed rules')[2]).toBe(
			'[warning] rule r1 (What r1 does): explode → new ruleset default (nothing documented for explode)',
		);
		expect(plan.notMigrated.map(({id}) => id)).toEqual(['r1']);
	});

	test('made for a customer and omitted by the service are left to support', () => {
		const customerPackage = platformPackage([], [rule('c1', 'simulate')], 'Customer Requested');
		const {rules} = proposalOf(snapshotOf({packages: []}));
		const plan = planOf({packages: [customerPackage], proposed: {name: 'default', rules}});
		expect(plan.notMigrated).toMatchObject([{id: 'c1', next: expect.stringContaining('ask support')}]);
	});

	test('of a zone with the switch off come with a warning when deployed', () => {
		const parts = {packages, waf: {id: 'waf', value: 'off'}};
		expect(planOf(parts).warnings.join()).toContain('deploys no managed ruleset');
		const deployedPlan = planOf(parts, {kind: 'rule enabled', rule: 0, enabled: true});
		expect(deployedPlan.warnings.join()).toContain('This configuration turns managed rules on.');
		expect(formatSectionRows(deployedPlan, 'Managed rules')[0]).toMatch(
			/^\[warning\] Web Application Firewall: off/,
		);
	});
});

test('the end of support in the Terraform provider is among the warnings', () => {
	const {warnings} = planOf({});
	expect(warnings.join('\n')).toMatch(/provider version 3\.35.*version 4\.x does not support them/);
});

test('URI-based overrides are listed with everything they did', () => {
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

test('a configuration that deploys nothing comes with a warning', () => {
	const {warnings} = planMigration(snapshotOf(), configurationOf());
	expect(warnings.join()).toContain('no managed rule will protect the zone');
});
