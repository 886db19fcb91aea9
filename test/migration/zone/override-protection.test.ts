import {expect, test} from 'vitest';
import {parseWafOverride} from '../../../source/migration/zone/override.ts';
import {
	describeOverrideReduction,
	findOverrideReductions,
} from '../../../source/migration/zone/override-protection.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {buildBareSnapshot} from '../../support/snapshot.ts';
import {zone} from '../support/answers.ts';

const rule = (id: string, mode: string, group: string, defaultMode = 'challenge'): JsonObject => ({
	id,
	mode,
	default_mode: defaultMode,
	group: {id: group, name: group},
});

const snapshot = buildBareSnapshot({
	place: 'https://service.test',
	zone,
	packages: [
		{
			package: {id: 'p', name: 'Platform'},
			groups: [
				{id: 'on', mode: 'on'},
				{id: 'off', mode: 'off'},
			],
			rules: [rule('r1', 'default', 'on'), rule('r2', 'block', 'on'), rule('r3', 'default', 'off')],
		},
	],
});

const override = (parts: JsonObject) => parseWafOverride({id: 'a1', urls: ['shop.example/*'], ...parts});
const listStricterSettings = (parts: JsonObject, remainingOverrides: readonly JsonObject[] = []) =>
	findOverrideReductions('deleting', [override(parts)], snapshot, remainingOverrides.map(override)).map(
		one => one.changes,
	);

test.each<[string, JsonObject, readonly string[]]>([
	['blocks what is challenged', {rules: {r1: 'block'}}, ['rule r1 from block to challenge']],
	['does the same', {rules: {r1: 'challenge', r2: 'block'}}, []],
	['is weaker', {rules: {r1: 'disable', r2: 'simulate'}, groups: {on: 'disable'}}, []],
	['sets "default" for a rule that is stricter', {rules: {r2: 'default'}}, []],
	['sets "default" for a rule whose group is off', {rules: {r3: 'default'}}, ['rule r3 from default to off']],
	['turns a group on', {groups: {off: 'default'}}, ['group off from default to off']],
	['changes a rule that was not read', {rules: {r9: 'block'}}, ['rule r9 from block to an unknown action']],
	['turns off a rule that was not read', {rules: {r9: 'disable'}}, []],
	[
		'makes actions stricter',
		{rewrite_action: {challenge: 'block'}},
		['rules whose own action is challenge from block to challenge'],
	],
	['makes actions weaker', {rewrite_action: {block: 'challenge', simulate: 'disable'}}, []],
	['is paused', {rules: {r1: 'block'}, paused: true}, []],
])('deleting an override that %s lists only what it weakens', (_name, parts, stricter) => {
	expect(listStricterSettings(parts)).toEqual(stricter);
});

test('deleting an override that holds back a weaker one, which remains, lists what it weakens', () => {
	const remainingOverride = {id: 'b2', rules: {r1: 'disable'}};
	expect(listStricterSettings({rules: {r1: 'challenge'}}, [remainingOverride])).toEqual([
		'rule r1 from challenge to disable',
	]);
	expect(listStricterSettings({rules: {r1: 'challenge'}}, [{...remainingOverride, paused: true}])).toEqual(
		[],
	);
});

test('the sentence names the override, its URLs and what it changes', () => {
	const [found] = findOverrideReductions(
		'deleting',
		[override({description: 'login', rules: {r1: 'block'}})],
		snapshot,
		[],
	);
	expect(found && describeOverrideReduction('deleting', found)).toBe(
		'Deleting override "login" lowers protection at shop.example/*. It changes rule r1 from block to challenge.',
	);
});

const listWeakerSettings = (parts: JsonObject, present: readonly JsonObject[] = []) =>
	findOverrideReductions('restoring', [override(parts)], snapshot, present.map(override)).map(
		one => one.changes,
	);

test.each<[string, JsonObject, readonly string[]]>([
	['turns a rule off', {rules: {r1: 'disable'}}, ['rule r1 from challenge to disable']],
	['turns a group off', {groups: {on: 'disable'}}, ['group on from challenge or block to disable']],
	['sets "default" for a rule that is stricter', {rules: {r2: 'default'}}, ['rule r2 from block to default']],
	['does the same', {rules: {r1: 'challenge', r2: 'block'}}, []],
	['is stricter', {rules: {r1: 'block', r3: 'block'}}, []],
	[
		'changes a rule that was not read',
		{rules: {r9: 'simulate'}},
		['rule r9 from an unknown action to simulate'],
	],
	['blocks by a rule that was not read', {rules: {r9: 'block'}}, []],
	[
		'makes actions weaker',
		{rewrite_action: {block: 'challenge'}},
		['rules whose own action is block from block to challenge'],
	],
	['makes actions stricter', {rewrite_action: {challenge: 'block'}}, []],
	['is paused', {rules: {r1: 'disable'}, paused: true}, []],
])('restoring an override that %s lists only what it weakens', (_name, parts, weaker) => {
	expect(listWeakerSettings(parts)).toEqual(weaker);
});

test('restoring an override weaker than another one of the zone lists what it weakens', () => {
	const present = {id: 'b2', rules: {r3: 'block'}};
	expect(listWeakerSettings({rules: {r3: 'challenge'}}, [present])).toEqual([
		'rule r3 from block to challenge',
	]);
	expect(listWeakerSettings({rules: {r3: 'challenge'}}, [{...present, paused: true}])).toEqual([]);
});

test('the sentence about restoring names the override, its URLs and what it changes', () => {
	const [found] = findOverrideReductions(
		'restoring',
		[override({description: 'checkout', rules: {r1: 'disable'}})],
		snapshot,
		[],
	);
	expect(found && describeOverrideReduction('restoring', found)).toBe(
		'Restoring override "checkout" lowers protection at shop.example/*. It changes rule r1 from challenge to disable.',
	);
});
