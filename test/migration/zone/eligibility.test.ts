import {describe, expect, test} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {assessEligibility, type EligibilityFacts} from '../../../source/migration/zone/eligibility.ts';
import type {JsonObject} from '../../../source/text/json.ts';

const zone = {id: 'z', name: 'acme.example', plan: 'business'} as const;
const eligible: EligibilityFacts = {
	zone,
	check: {compatible: true, state: 'start'},
	stage: 'previous',
	overrides: [],
	firewallRules: [],
};

const bypass = (id: string, more: JsonObject = {}, expression = 'ssl'): JsonObject => ({
	id,
	action: 'bypass',
	products: ['waf'],
	paused: false,
	filter: {id: `f${id}`, expression, paused: false},
	...more,
});
const bypasses = (count: number) => Array.from({length: count}, (_, index) => bypass(`r${index}`));

const assessFacts = (facts: Partial<EligibilityFacts>) => {
	const {eligible: isEligible, blockers} = assessEligibility({...eligible, ...facts});
	return {isEligible, kinds: blockers.map(({kind, hinders}) => `${kind}${hinders ? '' : ', no hindrance'}`)};
};

test('a zone that the service finds compatible is eligible', () => {
	expect(assessEligibility(eligible)).toEqual({
		eligible: true,
		stage: 'previous',
		blockers: [],
		unread: {},
		counts: {overrides: 0, firewallRules: 0, longestExpression: 0},
	});
});

test('data that was not read is not counted and does not block the zone', () => {
	const {check, stage} = eligible;
	const found = assessEligibility({zone, check, stage});
	expect(found.eligible).toBe(true);
	expect(found.counts).toEqual({
		overrides: undefined,
		firewallRules: undefined,
		longestExpression: undefined,
	});
});

describe('a zone that is not eligible', () => {
	test('is blocked by URI-based overrides, which are named', () => {
		const found = assessEligibility({
			...eligible,
			check: {compatible: false, state: undefined},
			overrides: [{id: 'o1'}, {id: 'o2'}],
		});
		expect(found.eligible).toBe(false);
		// The overrides explain why the service reports it as not eligible, so that is not a second blocker.
		expect(found.blockers.map(({kind}) => kind)).toEqual(['URI overrides']);
		expect(found.blockers[0]).toMatchObject({
			ids: ['o1', 'o2'],
			sentence:
				'The zone has 2 URI-based overrides, which cannot be migrated. The service reports that the zone is not eligible.',
		});
	});

	test('is blocked by a failed check and by overrides separately', () => {
		const check = {compatible: false, state: undefined, unanswered: 'no answer'};
		expect(assessFacts({check, overrides: [{id: 'o1'}]}).kinds).toEqual(['incompatible', 'URI overrides']);
	});

	test('is blocked by overrides even if the check missed them', () => {
		expect(assessFacts({overrides: [{id: 'o1'}]})).toEqual({isEligible: false, kinds: ['URI overrides']});
	});

	test('is blocked by the service without a visible reason', () => {
		const found = assessEligibility({...eligible, check: {compatible: false, state: undefined}});
		expect(found.eligible).toBe(false);
		expect(found.blockers[0]?.next).toMatch(/contact support/);
	});

	test('is blocked by 201 firewall rules to migrate, but not by 200', () => {
		expect(assessFacts({firewallRules: bypasses(200)})).toEqual({isEligible: true, kinds: []});
		const {blockers, counts} = assessEligibility({...eligible, firewallRules: bypasses(201)});
		expect(counts.firewallRules).toBe(201);
		expect(blockers).toHaveLength(1);
		expect(blockers[0]).toMatchObject({kind: 'firewall rules', hinders: true});
		expect(blockers[0]?.sentence).toMatch(/^201 .*at most 200/);
		expect(blockers[0]?.next).toMatch(/support/);
		expect(blockers[0]?.ids).toHaveLength(201);
	});

	test('counts paused rules, but not rules that bypass something else', () => {
		const paused = bypasses(201).map(rule => ({...rule, paused: true}));
		expect(assessFacts({firewallRules: paused}).kinds).toEqual(['firewall rules']);
		const others = [
			...bypasses(200),
			bypass('x', {products: ['bic']}),
			bypass('y', {action: 'allow', products: null}),
		];
		expect(assessFacts({firewallRules: others}).isEligible).toBe(true);
	});

	test('is blocked by an expression of 4,097 bytes, measured in bytes, but not by 4,096', () => {
		const longestRule = bypass('just', {}, 'é'.repeat(2048));
		const tooLongRule = bypass('over', {}, `${'é'.repeat(2048)}x`);
		expect(assessFacts({firewallRules: [longestRule]}).isEligible).toBe(true);
		const {blockers, counts} = assessEligibility({...eligible, firewallRules: [longestRule, tooLongRule]});
		expect(blockers).toHaveLength(1);
		expect(blockers[0]).toMatchObject({kind: 'expression length', ids: ['over']});
		expect(blockers[0]?.sentence).toContain('firewall rule over (4097 bytes)');
		expect(counts.longestExpression).toBe(4097);
	});

	test('is not blocked by a long expression of a rule that is not migrated', () => {
		const blocking = bypass('b', {action: 'block', products: null}, 'x'.repeat(5000));
		expect(assessFacts({firewallRules: [blocking]}).isEligible).toBe(true);
	});

	test('is blocked on the Free plan, with the message of the service', () => {
		expect(assessFacts({zone: {...zone, plan: 'free'}})).toEqual({isEligible: false, kinds: ['plan']});
		const missingCheckFailure = new Failure('not_eligible', 'No migration here.', {next: 'Go home.'});
		const {blockers} = assessEligibility({
			...eligible,
			missingCheckFailure,
			check: {compatible: false, state: undefined},
		});
		expect(blockers).toHaveLength(1);
		expect(blockers[0]).toMatchObject({kind: 'plan', sentence: 'No migration here.', next: 'Go home.'});
	});

	test.each(['pending', 'complete', 'unknown'] as const)('is blocked in the stage %s', stage => {
		expect(assessFacts({stage})).toEqual({isEligible: false, kinds: ['stage']});
	});

	test('shows an unknown state unchanged', () => {
		const found = assessEligibility({
			...eligible,
			stage: 'unknown',
			check: {compatible: true, state: 'sideways'},
		});
		expect(found.blockers[0]?.sentence).toContain('sideways');
	});
});

test('a zone in validation can continue', () => {
	expect(assessFacts({stage: 'validation'})).toEqual({isEligible: true, kinds: []});
});

test('a plan that could not be read is reported and does not block the zone', () => {
	expect(assessFacts({zone: {...zone, plan: undefined}})).toEqual({
		isEligible: true,
		kinds: ['plan, no hindrance'],
	});
});
