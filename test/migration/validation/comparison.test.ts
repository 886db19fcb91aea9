import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {analyse} from '../../../source/firewall/expression/expressions.ts';
import {buildCandidateException} from '../../../source/migration/validation/candidates.ts';
import {compareVersions} from '../../../source/migration/validation/comparison.ts';
import {isStoppingAction} from '../../../source/migration/validation/versions.ts';
import {describeComparisonMethod, listCandidateFacts} from '../../../source/migration/validation/words.ts';
import {
	eventsOf,
	from,
	type Happened,
	host,
	hour,
	otherRule,
	rule,
	rulesetId,
	validationStart,
} from './support.ts';

const happened = fc.array(
	fc.record({
		version: fc.constantFrom('new' as const, 'previous' as const),
		rule: fc.constantFrom(rule, otherRule),
		action: fc.constantFrom('block', 'managed_challenge', 'jschallenge', 'log', 'skip'),
		path: fc.constantFrom('/', '/import', '/search'),
		address: fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'),
		country: fc.constantFrom('DE', 'NL'),
		ray: fc.constantFrom('r1', 'r2', 'r3', 'r4', 'r5', 'r6'),
		at: fc.integer({min: validationStart, max: validationStart + 3 * hour - 1}),
	}),
	{maxLength: 40},
);
const paths = fc.option(fc.array(fc.constantFrom('/', '/import', '/search'), {maxLength: 12}), {
	nil: undefined,
});

describe('a comparison of any events', () => {
	const anything = fc.record({all: happened, before: paths, single: fc.boolean()});
	const compared = ({
		all,
		before,
		single,
	}: {
		all: Happened[];
		before: string[] | undefined;
		single: boolean;
	}) => compareVersions(eventsOf(all, {single, ...(before && {before})}));

	test('counts every event once as stopped, logged or skipped, and plots every stopped event', () => {
		fc.assert(
			fc.property(anything, one => {
				const {counts, rules, timeline} = compared(one);
				for (const version of ['new', 'previous'] as const) {
					const its = one.all.filter(event => event.version === version);
					const {stopped, logged, skipped} = counts[version];
					expect(stopped).toBe(its.filter(({action}) => isStoppingAction(action)).length);
					expect(logged).toBe(its.filter(({action}) => action === 'log').length);
					expect(stopped + logged + skipped).toBe(its.length);
					expect(timeline?.values[version].reduce((sum, value) => sum + value, 0)).toBe(stopped);
				}
				expect(rules.reduce((sum, {stopped}) => sum + stopped, 0)).toBe(
					counts.new.stopped + counts.previous.stopped,
				);
			}),
		);
	});

	test('never finds more stopped by one version alone than it stopped in total, and takes each candidate from these places', () => {
		fc.assert(
			fc.property(anything, one => {
				const {places, candidates} = compared(one);
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

	test('never gains a candidate from more events stopped by the previous rules before', () => {
		fc.assert(
			fc.property(happened, fc.array(fc.constantFrom('/', '/import'), {maxLength: 9}), (all, before) => {
				const names = (more: string[]) =>
					compareVersions(eventsOf(all, {before: more})).candidates.map(
						({ruleId: of, path}) => `${of} ${path}`,
					);
				expect(names([])).toEqual(expect.arrayContaining(names(before)));
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
		const {method, places} = compareVersions(eventsOf([...both, {ray: '2', version: 'previous'}]));
		expect(method).toBe('requests');
		expect(places.find(({version}) => version === 'previous')).toMatchObject({stopped: 2, stoppedAlone: 1});
	});

	test('are compared by path if some events are unknown', () => {
		const {method, places} = compareVersions(
			eventsOf([{version: 'previous'}, {version: 'previous'}, {version: 'new'}], {single: false}),
		);
		expect(method).toBe('paths');
		expect(places).toMatchObject([
			{version: 'previous', stopped: 2, stoppedAlone: 1, stoppedByOtherVersion: 1},
		]);
	});
});

describe('a candidate for an exception', () => {
	const candidates = (...[events, more]: Parameters<typeof eventsOf>) =>
		compareVersions(eventsOf(events, more)).candidates;

	test('is a rule at a path with requests from three addresses that no other rule stops', () => {
		expect(candidates(from(3, 9), {before: []})).toMatchObject([
			{
				ruleId: rule,
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
		expect(candidates(from(2, 40), {before: []})).toEqual([]);
		expect(candidates([...from(3, 9), ...from(1, 20)], {before: []})).toEqual([]);
	});

	test('is not a rule at a path where the previous rules stopped requests before', () => {
		expect(candidates(from(4, 12), {before: Array.from({length: 6}, () => '/import')})).toEqual([]);
		expect(candidates(from(4, 12), {before: Array.from({length: 5}, () => '/import')})).toHaveLength(1);
	});

	test('is not a rule triggered by addresses that trigger other rules, too', () => {
		const attack = from(4, 12, {path: '/a'});
		const other = from(4, 12, {path: '/b', rule: otherRule});
		expect(candidates([...attack, ...other], {before: []})).toEqual([]);
	});

	test('is shown without the facts that could not be read', () => {
		const events = {...eventsOf(from(1, 4)), byAddress: undefined, byCountry: undefined};
		expect(compareVersions(events).candidates).toMatchObject([
			{stopped: 4, addresses: undefined, sharedAddresses: undefined, countries: undefined},
		]);
	});

	describe('names each fact that could not be read', () => {
		const facts = (events: ReturnType<typeof eventsOf>) => {
			const {candidates: found, isSampled} = compareVersions(events);
			return found.map(one => listCandidateFacts(one, isSampled).join('; ')).join('\n');
		};
		const all = eventsOf(from(3, 9), {before: []});

		test.each([
			['nothing', all, undefined],
			[
				'addresses',
				{...all, byAddress: undefined},
				'addresses could not be read, so this may be a single attacker',
			],
			['countries', {...all, byCountry: undefined}, 'countries could not be read'],
			[
				'events before validation',
				{...all, earlierEvents: undefined},
				'what they stopped there before validation could not be read',
			],
			[
				'some addresses',
				{...all, byAddress: all.byAddress?.map(group => ({...group, count: group.count - 1}))},
				'from at least 3 addresses; the addresses of 3 requests could not be read',
			],
		] as const)('%s', (_what, events, sentence) => {
			expect(facts(events)).not.toBe('');
			if (sentence === undefined) expect(facts(events)).not.toContain('could not be read');
			else expect(facts(events)).toContain(sentence);
		});

		test('and explains why the comparison is limited', () => {
			const [, single] = describeComparisonMethod(compareVersions({...all, stoppingEvents: undefined}));
			expect(single).toContain('too many, sampled or unreadable events');
			const [before] = describeComparisonMethod(compareVersions({...all, earlierEvents: undefined}));
			expect(before).toContain('Events from before validation could not be read');
		});
	});

	test('has an exception for its rule, host and path only, whatever the path contains', () => {
		const [first] = candidates(from(3, 9), {before: []});
		expect(first && buildCandidateException(first)).toEqual({
			expression: `(http.host eq "${host}" and http.request.uri.path eq "/import")`,
			skips: {kind: 'rules', rules: {[rulesetId]: [rule]}},
		});
		fc.assert(
			fc.property(fc.string({unit: 'grapheme', minLength: 1}), path => {
				const {expression = ''} = buildCandidateException({ruleId: rule, rulesetId, host, path}) ?? {};
				const {errors} = analyse(expression, {phase: 'http_request_firewall_managed', isMigrated: true});
				expect(errors).toEqual([]);
			}),
		);
	});

	test('has no exception if the ruleset of its rule is unknown', () => {
		expect(buildCandidateException({ruleId: rule, rulesetId: undefined, host, path: '/'})).toBeUndefined();
	});
});
