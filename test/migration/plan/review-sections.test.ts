import {expect, test} from 'vitest';
import {applyEdit, type ConfigurationEdit} from '../../../source/migration/configuration/edits.ts';
import {planReview} from '../../../source/migration/plan/plan.ts';
import {
	countProposedSettings,
	getReviewSections,
	type ReviewSections,
} from '../../../source/migration/plan/review-sections.ts';
import type {Snapshot} from '../../../source/migration/zone/snapshot.ts';
import {buildBareSnapshot} from '../../support/snapshot.ts';
import {
	bypass,
	group,
	owaspPackage,
	pageRule,
	platformPackage,
	rule,
	snapshotOf,
} from '../support/previous-zone.ts';
import {proposalOf} from '../support/previous-zone-plan.ts';

const snapshot = snapshotOf({
	packages: [
		owaspPackage({sensitivity: 'high', action_mode: 'simulate'}, [group('o1', 'off')]),
		platformPackage([group('g', 'on')], [rule('r1', 'simulate'), rule('r2', 'challenge')]),
	],
	firewallRules: [bypass('b1', 'ip.src eq 192.0.2.1', {description: 'office'})],
	pageRules: [pageRule('p1', 'shop.example/static/*', {id: 'waf', value: 'off'})],
});

const divide = (from: Snapshot, ...edits: readonly ConfigurationEdit[]): ReviewSections =>
	getReviewSections(planReview(from, edits.reduce(applyEdit, proposalOf(from)), []), from);

const listSubjects = (sections: ReviewSections['notable']): readonly string[] =>
	sections.flatMap(({rows}) => rows.map(({what}) => what));

test('what the service proposes is set apart, unless it needs a check', () => {
	const {notable, proposed} = divide(snapshot);
	expect(listSubjects(notable)).toEqual(['1 group override', 'rule r2 (What r2 does)']);
	expect(listSubjects(proposed)).toEqual([
		'sensitivity',
		'action',
		'Web Application Firewall',
		'Managed Ruleset',
		'rule r1 (What r1 does)',
		'firewall rule "office"',
		'page rule shop.example/static/*',
	]);
});

test('what was changed is never set apart as proposed', () => {
	const {notable, proposed} = divide(snapshot, {kind: 'score threshold', points: 25});
	expect(listSubjects(notable)).toContain('sensitivity');
	expect(listSubjects(proposed)).not.toContain('sensitivity');
	expect(listSubjects(proposed)).toContain('action');
});

test('a row counts as proposed only as often as the service proposes it', () => {
	const proposedExecute = proposalOf(snapshot);
	const plan = planReview(snapshot, proposedExecute, []);
	const [section] = plan.sections;
	if (!section) throw new Error('no section');
	const doubled = {...plan, sections: [{...section, rows: [...section.rows, ...section.rows]}]};
	const {proposed} = getReviewSections(doubled, snapshot);
	expect(listSubjects(proposed)).toEqual(['sensitivity', 'action']);
});

test('without a proposal, everything has to be read', () => {
	const configuration = proposalOf(snapshot);
	const bare = {...snapshot, proposed: null};
	const sections = getReviewSections(planReview(bare, configuration, []), bare);
	expect(countProposedSettings(sections)).toBe(0);
	expect(listSubjects(sections.notable)).toHaveLength(9);
	expect(countProposedSettings(getReviewSections(planReview(snapshot, configuration, []), undefined))).toBe(
		0,
	);
});

test('in validation, everything has to be read if the active rules are not the proposal', () => {
	const {name, rules} = proposalOf(snapshot);
	const activate = (activeRules: typeof rules): Snapshot =>
		buildBareSnapshot({
			...snapshot,
			check: {compatible: true, migration_state: 'validation'},
			status: {migration_state: 'validation', new_waf_status: 'enabled', old_waf_status: 'enabled'},
			entryPoint: {
				id: 'f0e1d2c3b4a5968778695a4b3c2d1e0f',
				version: '3',
				rules: activeRules.map((one, index) => ({
					...one,
					id: `${index}`.padStart(32, '0'),
					version: '1',
				})),
			},
		});
	const count = (from: Snapshot, activeRules: typeof rules): number =>
		countProposedSettings(getReviewSections(planReview(from, {name, rules: activeRules}, []), from));
	expect(count(activate(rules), rules)).toBe(7);
	const renamed = rules.map(one => ({...one, description: `${one.description} by someone else`}));
	expect(count(activate(renamed), renamed)).toBe(0);
});
