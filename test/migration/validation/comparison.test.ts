import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {analyse} from '../../../source/firewall/expression/expressions.ts';
import {buildCandidateException} from '../../../source/migration/validation/candidates.ts';
import {compareVersions} from '../../../source/migration/validation/comparison.ts';
import {isStoppingAction} from '../../../source/migration/validation/versions.ts';
import {describeComparisonMethod, listCandidateFacts} from '../../../source/migration/validation/words.ts';
import {
	createVersionEvents,
	host,
	hour,
	otherRuleId,
	repeatEvent,
	rulesetId,
	type SampleEvent,
	sampleRuleId,
	validationStart,
} from './support.ts';

const anyEvents = fc.array(
	fc.record({
		version: fc.constantFrom('new' as const, 'previous' as const),
		rule: fc.constantFrom(sampleRuleId, otherRuleId),
		action: fc.constantFrom('block', 'managed_challenge', 'jschallenge', 'log', 'skip'),
		path: fc.constantFrom('/', '/import', '/search'),
		address: fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'),
		country: fc.constantFrom('DE', 'NL'),
		ray: fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5', 'r6'),
		at: fc.integer({min: validationStart, max: validationStart + 3 * hour - 1}),
	}),
	{maxLength: 40},
);
const anyPaths = fc.option(fc.array(fc.constantFrom('/', '/import', '/search'), {maxLength: 12}), {
	nil: undefined,
});

describe('a comparison of any events', () => {
	const anyInput = fc.record({all: anyEvents, before: anyPaths, single: fc.boolean()});
	const compareInput = ({
		all,
		before,
		single,
	}: {
		all: SampleEvent[];
		before: string[] | undefined;
		single: boolean;
	}) => compareVersions(createVersionEvents(all, {single, ...(before && {before})}));

	test('counts every event once as stopped, logged or skipped, and plots every stopped event', () => {
		fc.assert(
			fc.property(anyInput, input => {
				const {counts, rules, timeline} = compareInput(input);
				for (const version of ['new', 'previous'] as const) {
					const versionEvents = input.all.filter(event => event.version === version);
					const {stopped, logged, skipped} = counts[version];
					expect(stopped).toBe(versionEvents.filter(({action}) => isStoppingAction(action)).length);
					expect(logged).toBe(versionEvents.filter(({action}) => action === 'log').length);
					expect(stopped + logged + skipped).toBe(versionEvents.length);
					expect(timeline?.values[version].reduce((sum, value) => sum + value, 0)).toBe(stopped);
				}
				expect(rules.reduce((sum, {stopped}) => sum + stopped, 0)).toBe(
					counts.new.stopped + counts.previous.stopped,
				);
			}),
		);
	});

	test('never finds more stopped by one version alone than in total, and only candidates above the thresholds', () => {
		fc.assert(
			fc.property(anyInput, input => {
				const {places, candidates} = compareInput(input);
				for (const {stoppedAlone, stopped} of places) {
					expect(stoppedAlone).toBeGreaterThan(0);
					expect(stoppedAlone).toBeLessThanOrEqual(stopped);
				}
				for (const {
					version,
					stopped,
					stoppedAlone,
					addresses = 0,
					sharedAddresses = 0,
					maxPerAddress = 0,
				} of candidates) {
					expect(version).toBe('new');
					expect(stoppedAlone * 2).toBeGreaterThan(stopped);
					expect(addresses - sharedAddresses).toBeGreaterThanOrEqual(3);
					expect(maxPerAddress * 2).toBeLessThanOrEqual(stopped);
				}
			}),
		);
	});

	test('never gains a candidate from more requests stopped by the previous rules before validation', () => {
		fc.assert(
			fc.property(anyEvents, fc.array(fc.constantFrom('/', '/import'), {maxLength: 9}), (all, before) => {
				const nameCandidates = (more: string[]) =>
					compareVersions(createVersionEvents(all, {before: more})).candidates.map(
						({ruleId, path}) => `${ruleId} ${path}`,
					);
				expect(nameCandidates([])).toEqual(expect.arrayContaining(nameCandidates(before)));
			}),
		);
	});
});

describe('requests stopped by the previous rules', () => {
	test('are compared individually if every event is known', () => {
		const both = [
			{ray: '1', version: 'new'},
			{ray: '1', version: 'previous'},
		] as const;
		const {method, places} = compareVersions(createVersionEvents([...both, {ray: '2', version: 'previous'}]));
		expect(method).toBe('requests');
		expect(places.find(({version}) => version === 'previous')).toMatchObject({stopped: 2, stoppedAlone: 1});
	});

	test('are compared by path if some events are unknown', () => {
		const {method, places} = compareVersions(
			createVersionEvents([{version: 'previous'}, {version: 'previous'}, {version: 'new'}], {single: false}),
		);
		expect(method).toBe('paths');
		expect(places).toMatchObject([
			{version: 'previous', stopped: 2, stoppedAlone: 1, stoppedByOtherVersion: 1},
		]);
	});
});

describe('a candidate for an exception', () => {
	const findCandidates = (...[events, more]: Parameters<typeof createVersionEvents>) =>
		compareVersions(createVersionEvents(events, more)).candidates;

	test('is a rule at a path with requests from three addresses that no other rule stops', () => {
		expect(findCandidates(repeatEvent(3, 9), {before: []})).toMatchObject([
			{
				ruleId: sampleRuleId,
				host,
				path: '/import',
				stopped: 9,
				stoppedAlone: 9,
				addresses: 3,
				sharedAddresses: 0,
				maxPerAddress: 3,
				countries: 3,
			},
		]);
	});

	test('is not a rule triggered by only one or two addresses', () => {
		expect(findCandidates(repeatEvent(2, 40), {before: []})).toEqual([]);
		expect(findCandidates([...repeatEvent(3, 9), ...repeatEvent(1, 20)], {before: []})).toEqual([]);
	});

	test('is not a rule at a path where the previous rules stopped requests before validation', () => {
		expect(findCandidates(repeatEvent(4, 12), {before: Array.from({length: 6}, () => '/import')})).toEqual(
			[],
		);
		expect(
			findCandidates(repeatEvent(4, 12), {before: Array.from({length: 5}, () => '/import')}),
		).toHaveLength(1);
	});

	test('is not a rule triggered by addresses that trigger other rules, too', () => {
		const attack = repeatEvent(4, 12, {path: '/a'});
		const other = repeatEvent(4, 12, {path: '/b', rule: otherRuleId});
		expect(findCandidates([...attack, ...other], {before: []})).toEqual([]);
	});

	test('is shown without the facts that could not be read', () => {
		const events = {...createVersionEvents(repeatEvent(1, 4)), byAddress: undefined, byCountry: undefined};
		expect(compareVersions(events).candidates).toMatchObject([
			{stopped: 4, addresses: undefined, sharedAddresses: undefined, countries: undefined},
		]);
	});

	describe('names each fact that could not be read', () => {
		const listFacts = (events: ReturnType<typeof createVersionEvents>) => {
			const {candidates: found, isSampled} = compareVersions(events);
			return found.map(one => listCandidateFacts(one, isSampled).join('; ')).join('\n');
		};
		const completeEvents = createVersionEvents(repeatEvent(3, 9), {before: []});

		test.each([
			['nothing', completeEvents, undefined],
			[
				'addresses',
				{...completeEvents, byAddress: undefined},
				'addresses could not be read, so this may be a single attacker',
			],
			['countries', {...completeEvents, byCountry: undefined}, 'countries could not be read'],
			[
				'events before validation',
				{...completeEvents, earlierEvents: undefined},
				'what they stopped there before validation could not be read',
			],
			[
				'some addresses',
				{
					...completeEvents,
					byAddress: completeEvents.byAddress?.map(group => ({...group, count: group.count - 1})),
				},
				'from at least 3 addresses; the addresses of 3 requests could not be read',
			],
		] as const)('%s', (_what, events, sentence) => {
			expect(listFacts(events)).not.toBe('');
			if (sentence === undefined) expect(listFacts(events)).not.toContain('could not be read');
			else expect(listFacts(events)).toContain(sentence);
		});

		test('and explains why the comparison is limited', () => {
			const [, comparisonLimit] = describeComparisonMethod(
				compareVersions({...completeEvents, stoppingEvents: undefined}),
			);
			expect(comparisonLimit).toContain('too many, sampled or unreadable events');
			const [historyLimit] = describeComparisonMethod(
				compareVersions({...completeEvents, earlierEvents: undefined}),
			);
			expect(historyLimit).toContain('Events from before validation could not be read');
		});
	});

	test('has an exception for its rule, host and path only, whatever the path contains', () => {
		const [first] = findCandidates(repeatEvent(3, 9), {before: []});
		expect(first && buildCandidateException(first)).toEqual({
			expression: `(http.host eq "${host}" and http.request.uri.path eq "/import")`,
			skips: {kind: 'rules', rules: {[rulesetId]: [sampleRuleId]}},
		});
		fc.assert(
			fc.property(fc.string({unit: 'grapheme', minLength: 1}), path => {
				const {expression = ''} =
					buildCandidateException({ruleId: sampleRuleId, rulesetId, host, path}) ?? {};
				const {errors} = analyse(expression, {phase: 'http_request_firewall_managed', isMigrated: true});
				expect(errors).toEqual([]);
			}),
		);
	});

	test('has no exception if the ruleset of its rule is unknown', () => {
		expect(
			buildCandidateException({ruleId: sampleRuleId, rulesetId: undefined, host, path: '/'}),
		).toBeUndefined();
	});
});
