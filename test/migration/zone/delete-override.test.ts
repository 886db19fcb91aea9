import {describe, expect, test} from 'vitest';
import {
	deleteOverrides,
	findDeletionFailure,
	formatDeletionSentence,
	type OverrideDeletion,
} from '../../../source/migration/zone/delete-override.ts';
import {parseWafOverride} from '../../../source/migration/zone/override.ts';
import type {Snapshot} from '../../../source/migration/zone/snapshot.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {refused} from '../../service/scripted-transport.ts';
import {zone} from '../support/answers.ts';
import {backupOf, one, other, told, zoneWith} from '../support/zone-with-overrides.ts';

type At = ReturnType<typeof zoneWith>;

const deleted = (
	at: At,
	shown: readonly JsonObject[],
	backup: Snapshot | undefined,
	work = told().work,
): Promise<readonly OverrideDeletion[]> =>
	deleteOverrides(at.client, zone, shown.map(parseWafOverride), backup, work);

const statesOf = (all: readonly OverrideDeletion[]) => all.map(({state}) => state);

describe('deleting an override', () => {
	test('removes an override that the backup contains', async () => {
		const at = zoneWith([one, other]);
		const {said, work} = told();
		expect(statesOf(await deleted(at, [one], backupOf(one, other), work))).toEqual(['deleted']);
		expect(at.held()).toEqual([other]);
		expect(said).toEqual(['sends delete override a1', 'wrote delete override a1']);
	});

	test.each<[string, Snapshot | undefined, string]>([
		['without a backup', undefined, 'unconfirmed'],
		['that the backup lacks', backupOf(other), 'unconfirmed'],
		[
			'with the backup of another zone',
			{...backupOf(one), zone: {...zone, id: 'elsewhere'}},
			'input_malformed',
		],
		['that is otherwise in the backup', backupOf({...one, paused: true}), 'changed_meanwhile'],
	])('%s is refused', async (_name, backup, code) => {
		const at = zoneWith([one]);
		expect(findDeletionFailure(await deleted(at, [one], backup))).toMatchObject({
			code,
			next: expect.stringMatching(/\w/),
			details: {left: expect.stringMatching(/kept|not deleted/)},
		});
		expect(at.writes()).toEqual([]);
	});

	test('keeps an override changed by someone else since the backup', async () => {
		const at = zoneWith([one]);
		at.set([{...one, paused: true}]);
		expect(statesOf(await deleted(at, [one], backupOf(one)))).toEqual(['changed']);
		expect(at.writes()).toEqual([]);
	});

	test('changes nothing if it is already gone', async () => {
		const at = zoneWith([one]);
		at.set([]);
		const {said, work} = told();
		const all = await deleted(at, [one], backupOf(one), work);
		expect(statesOf(all)).toEqual(['gone before']);
		expect(findDeletionFailure(all)).toBeUndefined();
		expect(at.writes()).toEqual([]);
		expect(said).toEqual([]);
	});

	test.each([
		['complete', 'already_migrated'],
		['pending', 'already_migrated'],
		['something new', 'not_eligible'],
	])('is refused in the stage %s', async (stage, code) => {
		const at = zoneWith([one], {stage});
		expect(findDeletionFailure(await deleted(at, [one], backupOf(one)))).toMatchObject({code});
		expect(at.writes()).toEqual([]);
	});

	test('looks after a lost answer and finds the override gone', async () => {
		const at = zoneWith([one], {writes: 'lost after'});
		const {said, work} = told();
		expect(statesOf(await deleted(at, [one], backupOf(one), work))).toEqual(['deleted']);
		expect(at.writes()).toHaveLength(1);
		expect(said).toContain('wrote delete override a1');
	});

	test('looks after a lost answer and, finding the override, sends nothing again', async () => {
		const at = zoneWith([one, other], {writes: 'lost before'});
		const {said, work} = told();
		const all = await deleted(at, [one, other], backupOf(one, other), work);
		expect(statesOf(all)).toEqual(['unknown', 'not tried']);
		expect(findDeletionFailure(all)).toMatchObject({
			details: {outcomeUnknown: true, left: expect.stringContaining('still exists')},
			next: expect.stringContaining(`ledge migration overrides list --zone-id ${zone.id}`),
		});
		expect(at.writes()).toHaveLength(1);
		expect(said).not.toContain('wrote delete override a1');
	});

	test('is refused with --read-only, and only shown with --dry-run', async () => {
		const locked = zoneWith([one], {options: {readOnly: true}});
		expect(findDeletionFailure(await deleted(locked, [one], backupOf(one)))).toMatchObject({
			code: 'read_only',
		});
		const dry = zoneWith([one], {options: {dryRun: true}});
		const {said, work} = told();
		await deleted(dry, [one], backupOf(one), work);
		expect([...locked.writes(), ...dry.writes(), ...said]).toEqual([]);
	});

	test.each(['.', '..'])('with the id "%s" makes no call to the service', async id => {
		const at = zoneWith([one]);
		const odd = {...one, id};
		expect(findDeletionFailure(await deleted(at, [odd], backupOf(odd)))).toMatchObject({code: 'usage'});
		expect(at.sent).toEqual([]);
	});
});

describe('deleting several overrides', () => {
	const third: JsonObject = {id: 'c3', urls: ['shop.example/c*'], rules: {100001: 'simulate'}};

	test('keeps the one changed by someone else, deletes the others, and reports each', async () => {
		const at = zoneWith([one, other, third]);
		const changed = {...other, paused: true};
		at.set([one, changed, third]);
		const all = await deleted(at, [one, other, third], backupOf(one, other, third));
		expect(statesOf(all)).toEqual(['deleted', 'changed', 'deleted']);
		expect(at.held()).toEqual([changed]);
		expect(findDeletionFailure(all)?.details.left).toBe(
			'Deleted override a1 ("checkout").\nKept override b2: someone else changed it.\nDeleted override c3.',
		);
	});

	test('stops at a rejection, and lists what was not tried', async () => {
		const at = zoneWith([one, other], {writes: 'refused'});
		const all = await deleted(at, [one, other], backupOf(one, other));
		expect(statesOf(all)).toEqual(['failed', 'not tried']);
		expect(at.held()).toEqual([one, other]);
	});

	test('counts an override deleted by someone else after the look as gone', async () => {
		const at = zoneWith([one, other]);
		at.answer('DELETE', 'a1', () => {
			at.set([other]);
			return refused(404, [{code: 1005, message: 'no such override'}]);
		});
		const all = await deleted(at, [one, other], backupOf(one, other));
		expect(statesOf(all)).toEqual(['gone before', 'deleted']);
		expect(findDeletionFailure(all)).toBeUndefined();
	});
});

/** What the service can answer to the DELETE, whether or not it deletes. */
const oddAnswers: Readonly<Record<string, () => Response>> = {
	'an empty 200': () => new Response('', {status: 200}),
	null: () => new Response('null', {status: 200, headers: {'content-type': 'application/json'}}),
	'a list': () => new Response('[]', {status: 200, headers: {'content-type': 'application/json'}}),
	'half an envelope': () => new Response('{"success":true,"resu', {status: 200}),
	'a page': () => new Response('<html>busy</html>', {status: 200, headers: {'content-type': 'text/html'}}),
	'a redirect': () => new Response(null, {status: 302, headers: {location: 'https://elsewhere.example/'}}),
	'204': () => new Response(null, {status: 204}),
	...Object.fromEntries(
		[400, 401, 403, 404, 405, 408, 409, 410, 412, 421, 422, 425, 429, 500, 502, 503, 504, 520, 524].flatMap(
			status => [
				[
					`${status} with errors`,
					() => Response.json({success: false, errors: [{code: 1, message: 'no'}]}, {status}),
				],
				[`${status} without an envelope`, () => new Response('no', {status})],
			],
		),
	),
	'a cut': () => {
		throw new TypeError('fetch failed', {cause: Object.assign(new Error('reset'), {code: 'ECONNRESET'})});
	},
};

describe.each(['before', 'after'] as const)('an odd answer that comes %s the effect', when => {
	test.each(Object.entries(oddAnswers))('(%s) leads to a true sentence', async (name, answer) => {
		const at = zoneWith([one, other]);
		at.answer('DELETE', 'a1', () => {
			if (when === 'after') at.set([other]);
			return answer();
		});
		const all = await deleted(at, [one, other], backupOf(one, other));
		const isThere = at.held().some(({id}) => id === 'a1');
		const [first] = all;
		const sentence = first ? formatDeletionSentence(first) : '';
		if (sentence.startsWith('Deleted') || sentence.includes('already deleted')) expect(isThere).toBe(false);
		// A refusal in the service's own envelope is a fact, and so is 429 whatever its body: no service deletes and then refuses.
		const isRefusal = /^(4\d\d with errors|429 .*)$/.test(name);
		if (sentence.includes('was not deleted') && !isRefusal) expect(isThere).toBe(true);
		if (when === 'after' && !isRefusal) expect(sentence).toMatch(/^Deleted/);
		if (when === 'before') expect(sentence).not.toMatch(/^Deleted/);
		expect(at.writes().filter(write => write.endsWith('/a1'))).toHaveLength(1);
		expect(findDeletionFailure(all)?.details.left ?? sentence).toContain('a1');
	});
});
