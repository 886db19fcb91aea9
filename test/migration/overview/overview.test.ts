import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import type {MigrationRecord} from '../../../source/migration/journal/record.ts';
import type {UnfinishedMigration} from '../../../source/migration/journal/unfinished.ts';
import {type MachineState, migrationStates} from '../../../source/migration/machine/states.ts';
import {
	areCustomRulesNearlyFull,
	attentions,
	compareByAttention,
	getZoneAttention,
	getZoneProgress,
	needsAttention,
	type ZoneOverview,
} from '../../../source/migration/overview/overview.ts';
import {buildOverviewCells} from '../../../source/migration/overview/words.ts';
import {assessEligibility, type EligibilityFacts} from '../../../source/migration/zone/eligibility.ts';
import {zonePlans} from '../../../source/service/plan.ts';
import {zone} from '../support/answers.ts';

const put = {
	mode: 'pending',
	fingerprint: 'f'.repeat(64),
	at: 1,
	before: {stage: 'previous', version: undefined, fingerprint: undefined},
} as const;

const status = (oldWaf: string, newWaf: string) => ({
	state: 'start',
	oldWaf,
	newWaf,
	created: undefined,
	source: undefined,
});

/** What the service reports of a zone in a stage. */
function reported(stage: EligibilityFacts['stage'], more: Partial<EligibilityFacts> = {}) {
	const facts = {
		zone,
		check: {compatible: true, state: 'start'},
		stage,
		overrides: [],
		firewallRules: [],
		...more,
	};
	return {migration: {value: {eligibility: assessEligibility(facts), status: status('enabled', 'disabled')}}};
}

/** What a journal has of the zone; `holder` works on it. */
function journal(record: MigrationRecord): Pick<ZoneOverview, 'journal'> {
	const header = {id: 'j', kind: 'migration', created: 1, title: 't', target: {place: 'p'}, options: {}};
	const one = {id: 'j', folder: 'f', header, record, updated: 1, holder: undefined, zone} as const;
	return {journal: {value: one as UnfinishedMigration}};
}

const refusal = new Failure('credential_refused', 'The credential may not read rulesets.', {http: 403});
const of = (parts: Partial<ZoneOverview>): ZoneOverview => ({
	zone,
	journal: {value: undefined},
	customRules: {value: 0},
	...parts,
});
const free = of({zone: {...zone, plan: 'free'}, ...reported('previous', {zone: {...zone, plan: 'free'}})});
const overrides = [{id: 'o1'}, {id: 'o2'}];

describe('the migration progress of a zone', () => {
	test.each([
		['eligible', of(reported('previous'))],
		['blocked', of(reported('previous', {check: {compatible: false, state: undefined}, overrides}))],
		['blocked', of(reported('unknown'))],
		['validation', of(reported('validation'))],
		['pending', of(reported('pending'))],
		['complete', of(reported('complete'))],
		['none', free],
		['unknown', of({migration: {failure: refusal}})],
		['unread', of({})],
	] as const)('is "%s" according to the service', (standing, overview) => {
		expect(getZoneProgress(overview)).toBe(standing);
	});

	/** What the column has for each state that a journal can be left in, where the service was not read. */
	const words: Partial<Record<MachineState, string>> = {
		'sending validation': 'sending',
		'sending deploy': 'sending',
		'validation in doubt': 'in doubt',
		'deploy in doubt': 'in doubt',
		'starting validation': 'validation',
		validating: 'validation',
		'validating unreviewed': 'validation',
		'ready to update': 'validation',
		finishing: 'pending',
		'not taken': 'in doubt',
		'moved on': 'unfinished',
		'unknown stage': 'unfinished',
	};

	test.each(Object.entries(words))('follows a journal in the state "%s": %s', (state, standing) => {
		const record = {state: state as MachineState, put: {...put, came: 'given up'} as const};
		expect(getZoneProgress(of(journal(record)))).toBe(standing);
	});

	test('covers every unfinished state', () => {
		const none = ['unread', 'blocked', 'eligible', 'reviewed', 'complete'];
		expect(migrationStates.filter(state => !(state in words)).toSorted()).toEqual(none.toSorted());
	});

	test('is not finished while the journal has not reached the end', () => {
		expect(getZoneProgress(of({...journal({state: 'finishing', put}), ...reported('complete')}))).toBe(
			'unfinished',
		);
	});

	test('stays in doubt, whatever the service reports', () => {
		for (const stage of ['previous', 'validation', 'pending', 'complete', 'unknown'] as const)
			expect(getZoneProgress(of({...journal({state: 'deploy in doubt', put}), ...reported(stage)}))).toBe(
				'in doubt',
			);
	});

	test('is in doubt if the journal cannot be read, and the cells say why', () => {
		const failure = new Failure('journal_invalid', 'The journal is damaged.');
		const damaged = of({
			journal: {value: {id: zone.id, folder: 'f', zoneId: zone.id, failure}},
			...reported('complete'),
		});
		expect(getZoneProgress(damaged)).toBe('in doubt');
		expect(buildOverviewCells(damaged).about).toEqual(['The journal is damaged.']);
	});
});

describe('custom rules', () => {
	test.each([
		['free', 3, false],
		['free', 4, true],
		['pro', 17, false],
		['pro', 18, true],
		['business', 89, false],
		['business', 90, true],
		['enterprise', 899, false],
		['enterprise', 1000, true],
		['enterprise', 1001, true],
		[undefined, 1000, false],
	] as const)('on the plan %s are nearly full with %i: %s', (plan, value, isFull) => {
		const overview = of({zone: {...zone, plan}, customRules: {value}});
		expect(areCustomRulesNearlyFull(overview)).toBe(isFull);
	});

	test('have no limit on an unknown plan', () => {
		expect(buildOverviewCells(of({zone: {...zone, plan: undefined}, customRules: {value: 3}})).custom).toBe(
			'3',
		);
		expect(buildOverviewCells(of({customRules: {value: 3}})).custom).toBe('3/1000');
	});
});

test.each([
	['validation', ['both versions are on']],
	['pending', ['the previous version is being turned off']],
	['complete', []],
] as const)('a running migration that ledge did not start is explained: %s', (stage, about) => {
	expect(buildOverviewCells(of(reported(stage))).about).toEqual(about);
});

describe('a failed part', () => {
	test('does not hide the others', () => {
		const cells = buildOverviewCells(of({...reported('previous'), customRules: {failure: refusal}}));
		expect(cells).toMatchObject({old: 'enabled', new: 'disabled', migration: 'eligible', custom: 'unknown'});
		expect(cells.about).toEqual(['custom rules: The credential may not read rulesets.']);
		const other = buildOverviewCells(of({migration: {failure: refusal}, customRules: {value: 2}}));
		expect(other).toMatchObject({old: 'unknown', new: 'unknown', migration: 'unknown', custom: '2/1000'});
	});

	test('differs from a part that was not read yet', () => {
		const cells = buildOverviewCells({zone});
		expect(cells).toMatchObject({old: '', new: '', migration: '', custom: '', about: []});
	});

	test('differs from a part that the service does not report', () => {
		expect(buildOverviewCells({...free, migration: reported('previous').migration}).old).toBe('enabled');
		const {eligibility: found} = reported('previous').migration.value;
		const silent = of({migration: {value: {eligibility: found, status: undefined}}});
		expect(buildOverviewCells(silent)).toMatchObject({old: '–', new: '–', migration: 'eligible'});
	});

	test("of the journals leaves the service's answers intact", () => {
		const overview = of({journal: {failure: refusal}, ...reported('complete')});
		expect(getZoneProgress(overview)).toBe('complete');
		expect(getZoneAttention(overview)).toBe('not readable');
	});
});

/** A zone for each attention, in the order in which they come. */
const inOrder: readonly ZoneOverview[] = [
	of(journal({state: 'deploy in doubt', put})),
	of(reported('pending')),
	of(reported('previous')),
	of(reported('previous', {check: {compatible: false, state: undefined}})),
	of({...reported('complete'), customRules: {value: 1000}}),
	of({...reported('complete'), customRules: {failure: refusal}}),
	of(reported('complete')),
	free,
	of({}),
];

test('each kind of attention has its place', () => {
	expect(inOrder.map(getZoneAttention)).toEqual(attentions);
	expect(inOrder.map(needsAttention)).toEqual([true, true, true, true, true, true, false, false, false]);
	expect(inOrder.toReversed().toSorted(compareByAttention)).toEqual(inOrder);
});

test('nearly full custom rules do not hide more urgent attention', () => {
	for (const [at, overview] of inOrder.slice(0, 4).entries()) {
		expect(getZoneAttention({...overview, customRules: {value: 1000}})).toBe(attentions[at]);
		expect(getZoneAttention({...overview, customRules: {failure: refusal}})).toBe(attentions[at]);
	}
});

/** Zones of any kind, with names that are often equal. */
const anyOverview = fc
	.record({
		base: fc.constantFrom(...inOrder),
		name: fc.constantFrom('a.example', 'b.example', 'c.example'),
		id: fc.stringMatching(/^[0-9a-f]{6}$/),
		plan: fc.constantFrom(...zonePlans, undefined),
		customRules: fc.oneof(
			fc.constant(undefined),
			fc.constant({failure: refusal}),
			fc.record({value: fc.nat(1200)}),
		),
	})
	.map(({base, name, id, plan, customRules}) => ({...base, zone: {...zone, name, id, plan}, customRules}));

test('the order does not depend on the reading order of the zones, and never decreases in urgency', () => {
	fc.assert(
		fc.property(
			fc
				.uniqueArray(anyOverview, {selector: ({zone: {id}}) => id, maxLength: 12})
				.chain(zones => fc.tuple(fc.constant(zones), fc.shuffledSubarray(zones, {minLength: zones.length}))),
			([zones, shuffled]) => {
				const sorted = zones.toSorted(compareByAttention);
				expect(shuffled.toSorted(compareByAttention)).toEqual(sorted);
				for (const [at, overview] of sorted.entries()) {
					const before = sorted[at - 1];
					if (!before) continue;
					const places = [before, overview].map(one => attentions.indexOf(getZoneAttention(one)));
					expect(places[0]).toBeLessThanOrEqual(places[1] ?? -1);
					if (places[0] === places[1]) expect(before.zone.name <= overview.zone.name).toBe(true);
				}
			},
		),
	);
});

test('no cell shows a figure for a part that was not read', () => {
	fc.assert(
		fc.property(anyOverview, overview => {
			const cells = buildOverviewCells(overview);
			expect(/\d/.test(cells.custom)).toBe(
				overview.customRules !== undefined && 'value' in overview.customRules,
			);
			if (overview.migration === undefined) expect([cells.old, cells.new]).toEqual(['', '']);
		}),
	);
});
