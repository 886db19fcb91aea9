import {describe, expect, test} from 'vitest';
import {parseEditWords, parseSkipWords} from '../../source/managed/edit-words.ts';
import {resolveRuleset} from '../../source/managed/names.ts';
import type {ManagedRulesState} from '../../source/managed/state.ts';
import {managedRulesets, thresholdRuleId} from '../../source/migration/configuration/mapping.ts';
import {openManagedZone} from './support.ts';

const {platform, owasp, credentials} = managedRulesets;
const unknownId = 'f'.repeat(32);
let cachedState: ManagedRulesState | undefined;

/** Reads the migrated sample zone, once for all tests. */
async function readActiveState(): Promise<ManagedRulesState> {
	cachedState ??= await (await openManagedZone()).read();
	return cachedState;
}

const getFirstRuleId = ({catalogue}: ManagedRulesState): string =>
	catalogue?.find(({id}) => id === platform.id)?.rules?.[0]?.id ?? '';

describe('words for edits', () => {
	test('are applied in the order of their dependencies', async () => {
		const rule = getFirstRuleId(await readActiveState());
		const edits = parseEditWords(
			{
				remove: ['platform'],
				deploy: ['credentials'],
				off: ['credentials'],
				ruleset: ['owasp=log'],
				category: ['paranoia-level-3=on,block'],
				rule: [`${rule}=default`, `owasp:${thresholdRuleId}=off`],
				paranoia: 3,
				threshold: 25,
				thresholdAction: 'block',
			},
			await readActiveState(),
		);
		expect(edits).toEqual([
			{kind: 'ruleset deployed', ruleset: credentials.id},
			{kind: 'rule enabled', rule: 2, enabled: false},
			{kind: 'ruleset override', ruleset: owasp.id, action: 'log'},
			{
				kind: 'category override',
				ruleset: owasp.id,
				category: 'paranoia-level-3',
				enabled: true,
				action: 'block',
			},
			{kind: 'managed rule override', ruleset: platform.id, id: rule, action: 'default', enabled: 'default'},
			{kind: 'managed rule override', ruleset: owasp.id, id: thresholdRuleId, enabled: false},
			{kind: 'paranoia level', level: 3},
			{kind: 'score threshold', points: 25},
			{kind: 'threshold action', action: 'block'},
			{kind: 'rule removed', rule: 0},
		]);
	});

	test('remove several rules from last to first', async () => {
		expect(parseEditWords({remove: ['platform', 'owasp', 'platform']}, await readActiveState())).toEqual([
			{kind: 'rule removed', rule: 1},
			{kind: 'rule removed', rule: 0},
		]);
	});

	test.each<[string, Parameters<typeof parseEditWords>[0], string]>([
		['an unknown ruleset', {deploy: ['owas']}, 'usage'],
		['a ruleset that is not deployed', {off: ['credentials']}, 'usage'],
		['no value', {rule: [thresholdRuleId]}, 'usage'],
		['an invalid value', {rule: [`${thresholdRuleId}=allow`]}, 'usage'],
		['an id that no ruleset has', {rule: [`${unknownId}=log`]}, 'not_found'],
		['a category that no ruleset has', {category: ['nothing=off']}, 'not_found'],
		['an invalid level', {paranoia: 5}, 'usage'],
		['an invalid action', {thresholdAction: 'skip'}, 'usage'],
	])('%s is refused', async (_what, words, code) => {
		const state = await readActiveState();
		expect(() => parseEditWords(words, state)).toThrow(expect.objectContaining({code}));
	});

	test.each(['949110', 'owasp:949110'])('name a rule of OWASP by its number: %s', async word => {
		expect(parseEditWords({rule: [`${word}=log`]}, await readActiveState())).toEqual([
			{kind: 'managed rule override', ruleset: owasp.id, id: thresholdRuleId, action: 'log'},
		]);
	});

	test('need an id with its ruleset only if the catalogue is unknown', async () => {
		const stateWithoutCatalogue = {...(await readActiveState()), catalogue: undefined};
		const rule = getFirstRuleId(await readActiveState());
		expect(() => parseEditWords({rule: [`${rule}=log`]}, stateWithoutCatalogue)).toThrow(/unknown/);
		expect(parseEditWords({rule: [`platform:${rule}=log`]}, stateWithoutCatalogue)).toEqual([
			{kind: 'managed rule override', ruleset: platform.id, id: rule, action: 'log'},
		]);
	});
});

test.each([
	['platform', platform.id],
	['managed', platform.id],
	['OWASP', owasp.id],
	['owasp core ruleset', owasp.id],
	[credentials.id, credentials.id],
	[unknownId, unknownId],
])('%s names a ruleset', async (word, id) => {
	expect(resolveRuleset(word, await readActiveState())).toBe(id);
});

describe('the skip words of an exception', () => {
	test.each<[readonly string[], object]>([
		[['all'], {kind: 'all'}],
		[['owasp'], {kind: 'rulesets', ids: [owasp.id]}],
		[['owasp,platform', 'owasp'], {kind: 'rulesets', ids: [owasp.id, platform.id]}],
		[[`owasp:${thresholdRuleId}`], {kind: 'rules', rules: {[owasp.id]: [thresholdRuleId]}}],
		[[thresholdRuleId], {kind: 'rules', rules: {[owasp.id]: [thresholdRuleId]}}],
		[['owasp:949110'], {kind: 'rules', rules: {[owasp.id]: [thresholdRuleId]}}],
		[['949110'], {kind: 'rules', rules: {[owasp.id]: [thresholdRuleId]}}],
		[
			[`owasp:${thresholdRuleId},${unknownId}`, `owasp:${thresholdRuleId}`],
			{kind: 'rules', rules: {[owasp.id]: [thresholdRuleId, unknownId]}},
		],
	])('%j', async (words, skips) => {
		expect(parseSkipWords(words, await readActiveState())).toEqual(skips);
	});

	test.each([
		[['all', 'owasp']],
		[['owasp', thresholdRuleId]],
		[['everything']],
	])('%j is refused', async words => {
		const state = await readActiveState();
		expect(() => parseSkipWords(words, state)).toThrow(expect.objectContaining({code: 'usage'}));
	});
});
