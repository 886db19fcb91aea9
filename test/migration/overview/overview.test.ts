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
function createReported(stage: EligibilityFacts['stage'], more: Partial<EligibilityFacts> = {}) {
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

/** The part of an overview that a journal with this record provides. */
function createJournalPart(record: MigrationRecord): Pick<ZoneOverview, 'journal'> {
	const header = {id: 'j', kind: 'migration', created: 1, title: 't', target: {place: 'p'}, options: {}};
	const unfinishedMigration = {
		id: 'j',
		folder: 'f',
		header,
		record,
		updated: 1,
		holder: undefined,
		zone,
	} as const;
	return {journal: {value: unfinishedMigration as UnfinishedMigration}};
}

const refusal = new Failure('credential_refused', 'The credential may not read rulesets.', {http: 403});
const createOverview = (parts: Partial<ZoneOverview>): ZoneOverview => ({
	zone,
	journal: {value: undefined},
	customRules: {value: 0},
	...parts,
});
const freeOverview = createOverview({
	zone: {...zone, plan: 'free'},
	...createReported('previous', {zone: {...zone, plan: 'free'}}),
});
const overrides = [{id: 'o1'}, {id: 'o2'}];

describe('the migration progress of a zone', () => {
	test.each([
		['eligible', createOverview(createReported('previous'))],
		[
			'blocked',
			createOverview(createReported('previous', {check: {compatible: false, state: undefined}, overrides})),
		],
		['blocked', createOverview(createReported('unknown'))],
		['validation', createOverview(createReported('validation'))],
		['pending', createOverview(createReported('pending'))],
		['complete', createOverview(createReported('complete'))],
		['none', freeOverview],
		['unknown', createOverview({migration: {failure: refusal}})],
		['unread', createOverview({})],
	] as const)('is "%s" according to the service', (expected, overview) => {
		expect(getZoneProgress(overview)).toBe(expected);
	});

	/** The progress shown for each state of a journal if the service was not read. */
	const expectedProgress: Partial<Record<MachineState, string>> = {
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

	test.each(
		Object.entries(expectedProgress),
	)('follows a journal in the state "%s": %s', (state, expected) => {
		const record = {state: state as MachineState, put: {...put, came: 'given up'} as const};
		expect(getZoneProgress(createOverview(createJournalPart(record)))).toBe(expected);
	});

	test('covers every unfinished state', () => {
		const otherStates = ['unread', 'blocked', 'eligible', 'reviewed', 'complete'];
		expect(migrationStates.filter(state => !(state in expectedProgress)).toSorted()).toEqual(
			otherStates.toSorted(),
		);
	});

	test('is unfinished until the journal has reached the end', () => {
		expect(
			getZoneProgress(
				createOverview({...createJournalPart({state: 'finishing', put}), ...createReported('complete')}),
			),
		).toBe('unfinished');
	});

	test('stays in doubt, whatever the service reports', () => {
		for (const stage of ['previous', 'validation', 'pending', 'complete', 'unknown'] as const)
			expect(
				getZoneProgress(
					createOverview({...createJournalPart({state: 'deploy in doubt', put}), ...createReported(stage)}),
				),
			).toBe('in doubt');
	});

	test('is in doubt if the journal cannot be read, and the cells say why', () => {
		const failure = new Failure('journal_invalid', 'The journal is damaged.');
		const damaged = createOverview({
			journal: {value: {id: zone.id, folder: 'f', zoneId: zone.id, failure}},
			...createReported('complete'),
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
		const overview = createOverview({zone: {...zone, plan}, customRules: {value}});
		expect(areCustomRulesNearlyFull(overview)).toBe(isFull);
	});

	test('have no limit on an unknown plan', () => {
		expect(
			buildOverviewCells(createOverview({zone: {...zone, plan: undefined}, customRules: {value: 3}})).custom,
		).toBe('3');
		expect(buildOverviewCells(createOverview({customRules: {value: 3}})).custom).toBe('3/1,000');
	});
});

test.each([
	['validation', ['both versions are on']],
	['pending', ['the previous version is being turned off']],
	['complete', []],
] as const)('a running migration that ledge did not start is explained: %s', (stage, about) => {
	expect(buildOverviewCells(createOverview(createReported(stage))).about).toEqual(about);
});

describe('a failed part', () => {
	test('does not hide the others', () => {
		const cells = buildOverviewCells(
			createOverview({...createReported('previous'), customRules: {failure: refusal}}),
		);
		expect(cells).toMatchObject({old: 'enabled', new: 'disabled', migration: 'eligible', custom: 'unknown'});
		expect(cells.about).toEqual(['custom rules: The credential may not read rulesets.']);
		const other = buildOverviewCells(
			createOverview({migration: {failure: refusal}, customRules: {value: 2}}),
		);
		expect(other).toMatchObject({old: 'unknown', new: 'unknown', migration: 'unknown', custom: '2/1,000'});
	});

	test('differs from a part that was not read yet', () => {
		const cells = buildOverviewCells({zone});
		expect(cells).toMatchObject({old: '', new: '', migration: '', custom: '', about: []});
	});

	test('differs from a part that the service does not report', () => {
		expect(buildOverviewCells({...freeOverview, migration: createReported('previous').migration}).old).toBe(
			'enabled',
		);
		const {eligibility: found} = createReported('previous').migration.value;
		const overviewWithoutStatus = createOverview({
			migration: {value: {eligibility: found, status: undefined}},
		});
		expect(buildOverviewCells(overviewWithoutStatus)).toMatchObject({
			old: '–',
			new: '–',
			migration: 'eligible',
		});
	});

	test("of the journals leaves the service's responses intact", () => {
		const overview = createOverview({journal: {failure: refusal}, ...createReported('complete')});
		expect(getZoneProgress(overview)).toBe('complete');
		expect(getZoneAttention(overview)).toBe('not readable');
	});
});

/** A zone for each kind of attention, in the order of `attentions`. */
const overviewsByAttention: readonly ZoneOverview[] = [
	createOverview(createJournalPart({state: 'deploy in doubt', put})),
	createOverview(createReported('pending')),
	createOverview(createReported('previous')),
	createOverview(createReported('previous', {check: {compatible: false, state: undefined}})),
	createOverview({...createReported('complete'), customRules: {value: 1000}}),
	createOverview({...createReported('complete'), customRules: {failure: refusal}}),
	createOverview(createReported('complete')),
	freeOverview,
	createOverview({}),
];

test('zones are sorted by attention', () => {
	expect(overviewsByAttention.map(getZoneAttention)).toEqual(attentions);
	expect(overviewsByAttention.map(needsAttention)).toEqual([
		true,
		true,
		true,
		true,
		true,
		true,
		false,
		false,
		false,
	]);
	expect(overviewsByAttention.toReversed().toSorted(compareByAttention)).toEqual(overviewsByAttention);
});

test('nearly full custom rules do not hide more urgent attention', () => {
	for (const [at, overview] of overviewsByAttention.slice(0, 4).entries()) {
		expect(getZoneAttention({...overview, customRules: {value: 1000}})).toBe(attentions[at]);
		expect(getZoneAttention({...overview, customRules: {failure: refusal}})).toBe(attentions[at]);
	}
});

/** Zones of any kind, with names that are often equal. */
const anyOverview = fc
	.record({
		base: fc.constantFrom(...overviewsByAttention),
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
					const ranks = [before, overview].map(one => attentions.indexOf(getZoneAttention(one)));
					expect(ranks[0]).toBeLessThanOrEqual(ranks[1] ?? -1);
					if (ranks[0] === ranks[1]) expect(before.zone.name <= overview.zone.name).toBe(true);
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
