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
import {buildErrorResponse} from '../../service/scripted-transport.ts';
import {zone} from '../support/answers.ts';
import {
	adminOverride,
	checkoutOverride,
	createOverridesBackup,
	createZoneWithOverrides,
	recordWork,
} from '../support/zone-with-overrides.ts';

type OverridesService = ReturnType<typeof createZoneWithOverrides>;

const deleteShown = (
	service: OverridesService,
	shown: readonly JsonObject[],
	backup: Snapshot | undefined,
	work = recordWork().work,
): Promise<readonly OverrideDeletion[]> =>
	deleteOverrides(service.client, zone, shown.map(parseWafOverride), backup, work);

const statesOf = (deletions: readonly OverrideDeletion[]) => deletions.map(({state}) => state);

describe('deleting an override', () => {
	test('removes an override that the backup contains', async () => {
		const service = createZoneWithOverrides([checkoutOverride, adminOverride]);
		const {said: messages, work} = recordWork();
		expect(
			statesOf(
				await deleteShown(
					service,
					[checkoutOverride],
					createOverridesBackup(checkoutOverride, adminOverride),
					work,
				),
			),
		).toEqual(['deleted']);
		expect(service.listOverrides()).toEqual([adminOverride]);
		expect(messages).toEqual(['sends delete override a1', 'wrote delete override a1']);
	});

	test.each<[string, Snapshot | undefined, string]>([
		['without a backup', undefined, 'unconfirmed'],
		['that the backup lacks', createOverridesBackup(adminOverride), 'unconfirmed'],
		[
			'with the backup of another zone',
			{...createOverridesBackup(checkoutOverride), zone: {...zone, id: 'elsewhere'}},
			'input_malformed',
		],
		[
			'that differs from the backup',
			createOverridesBackup({...checkoutOverride, paused: true}),
			'changed_meanwhile',
		],
	])('%s is refused', async (_name, backup, code) => {
		const service = createZoneWithOverrides([checkoutOverride]);
		expect(findDeletionFailure(await deleteShown(service, [checkoutOverride], backup))).toMatchObject({
			code,
			next: expect.stringMatching(/\w/),
			details: {left: expect.stringMatching(/kept|not deleted/)},
		});
		expect(service.listWrites()).toEqual([]);
	});

	test('keeps an override changed by someone else since the backup', async () => {
		const service = createZoneWithOverrides([checkoutOverride]);
		service.setOverrides([{...checkoutOverride, paused: true}]);
		expect(
			statesOf(await deleteShown(service, [checkoutOverride], createOverridesBackup(checkoutOverride))),
		).toEqual(['changed']);
		expect(service.listWrites()).toEqual([]);
	});

	test('changes nothing if it is already gone', async () => {
		const service = createZoneWithOverrides([checkoutOverride]);
		service.setOverrides([]);
		const {said: messages, work} = recordWork();
		const deletions = await deleteShown(
			service,
			[checkoutOverride],
			createOverridesBackup(checkoutOverride),
			work,
		);
		expect(statesOf(deletions)).toEqual(['gone before']);
		expect(findDeletionFailure(deletions)).toBeUndefined();
		expect(service.listWrites()).toEqual([]);
		expect(messages).toEqual([]);
	});

	test.each([
		['complete', 'already_migrated'],
		['pending', 'already_migrated'],
		['something new', 'not_eligible'],
	])('is refused in the stage %s', async (stage, code) => {
		const service = createZoneWithOverrides([checkoutOverride], {stage});
		expect(
			findDeletionFailure(
				await deleteShown(service, [checkoutOverride], createOverridesBackup(checkoutOverride)),
			),
		).toMatchObject({code});
		expect(service.listWrites()).toEqual([]);
	});

	test('reads again after a lost response, and finds the override deleted', async () => {
		const service = createZoneWithOverrides([checkoutOverride], {writeOutcome: 'lost after'});
		const {said: messages, work} = recordWork();
		expect(
			statesOf(await deleteShown(service, [checkoutOverride], createOverridesBackup(checkoutOverride), work)),
		).toEqual(['deleted']);
		expect(service.listWrites()).toHaveLength(1);
		expect(messages).toContain('wrote delete override a1');
	});

	test('reads again after a lost response, and sends nothing again if the override still exists', async () => {
		const service = createZoneWithOverrides([checkoutOverride, adminOverride], {writeOutcome: 'lost before'});
		const {said: messages, work} = recordWork();
		const deletions = await deleteShown(
			service,
			[checkoutOverride, adminOverride],
			createOverridesBackup(checkoutOverride, adminOverride),
			work,
		);
		expect(statesOf(deletions)).toEqual(['unknown', 'not tried']);
		expect(findDeletionFailure(deletions)).toMatchObject({
			details: {outcomeUnknown: true, left: expect.stringContaining('still exists')},
			next: expect.stringContaining(`ledge migration overrides list --zone-id ${zone.id}`),
		});
		expect(service.listWrites()).toHaveLength(1);
		expect(messages).not.toContain('wrote delete override a1');
	});

	test('is refused with --read-only, and only shown with --dry-run', async () => {
		const readOnlyZone = createZoneWithOverrides([checkoutOverride], {options: {readOnly: true}});
		expect(
			findDeletionFailure(
				await deleteShown(readOnlyZone, [checkoutOverride], createOverridesBackup(checkoutOverride)),
			),
		).toMatchObject({
			code: 'read_only',
		});
		const dryRunZone = createZoneWithOverrides([checkoutOverride], {options: {dryRun: true}});
		const {said: messages, work} = recordWork();
		await deleteShown(dryRunZone, [checkoutOverride], createOverridesBackup(checkoutOverride), work);
		expect([...readOnlyZone.listWrites(), ...dryRunZone.listWrites(), ...messages]).toEqual([]);
	});

	test.each(['.', '..'])('with the id "%s" makes no call to the service', async id => {
		const service = createZoneWithOverrides([checkoutOverride]);
		const odd = {...checkoutOverride, id};
		expect(findDeletionFailure(await deleteShown(service, [odd], createOverridesBackup(odd)))).toMatchObject({
			code: 'usage',
		});
		expect(service.sent).toEqual([]);
	});
});

describe('deleting several overrides', () => {
	const third: JsonObject = {id: 'c3', urls: ['shop.example/c*'], rules: {100001: 'simulate'}};

	test('keeps the one changed by someone else, deletes the others, and reports each', async () => {
		const service = createZoneWithOverrides([checkoutOverride, adminOverride, third]);
		const changed = {...adminOverride, paused: true};
		service.setOverrides([checkoutOverride, changed, third]);
		const deletions = await deleteShown(
			service,
			[checkoutOverride, adminOverride, third],
			createOverridesBackup(checkoutOverride, adminOverride, third),
		);
		expect(statesOf(deletions)).toEqual(['deleted', 'changed', 'deleted']);
		expect(service.listOverrides()).toEqual([changed]);
		expect(findDeletionFailure(deletions)?.details.left).toBe(
			'Deleted override a1 ("checkout").\nKept override b2: someone else changed it.\nDeleted override c3.',
		);
	});

	test('stops at a rejection, and lists what was not tried', async () => {
		const service = createZoneWithOverrides([checkoutOverride, adminOverride], {writeOutcome: 'refused'});
		const deletions = await deleteShown(
			service,
			[checkoutOverride, adminOverride],
			createOverridesBackup(checkoutOverride, adminOverride),
		);
		expect(statesOf(deletions)).toEqual(['failed', 'not tried']);
		expect(service.listOverrides()).toEqual([checkoutOverride, adminOverride]);
	});

	test('counts an override as gone if someone else deletes it after it was read', async () => {
		const service = createZoneWithOverrides([checkoutOverride, adminOverride]);
		service.answerWith('DELETE', 'a1', () => {
			service.setOverrides([adminOverride]);
			return buildErrorResponse(404, [{code: 1005, message: 'no such override'}]);
		});
		const deletions = await deleteShown(
			service,
			[checkoutOverride, adminOverride],
			createOverridesBackup(checkoutOverride, adminOverride),
		);
		expect(statesOf(deletions)).toEqual(['gone before', 'deleted']);
		expect(findDeletionFailure(deletions)).toBeUndefined();
	});
});

/** Responses to the DELETE, whether or not it takes effect. */
const unexpectedResponses: Readonly<Record<string, () => Response>> = {
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

describe.each(['before', 'after'] as const)('an unexpected response %s the effect', timing => {
	test.each(Object.entries(unexpectedResponses))('(%s) leads to a true sentence', async (name, respond) => {
		const service = createZoneWithOverrides([checkoutOverride, adminOverride]);
		service.answerWith('DELETE', 'a1', () => {
			if (timing === 'after') service.setOverrides([adminOverride]);
			return respond();
		});
		const deletions = await deleteShown(
			service,
			[checkoutOverride, adminOverride],
			createOverridesBackup(checkoutOverride, adminOverride),
		);
		const stillExists = service.listOverrides().some(({id}) => id === 'a1');
		const [first] = deletions;
		const sentence = first ? formatDeletionSentence(first) : '';
		if (sentence.startsWith('Deleted') || sentence.includes('already deleted'))
			expect(stillExists).toBe(false);
		// A refusal in the service's own envelope counts as not deleted, and so does 429 with any body: no
		// service deletes and then refuses.
		const isRefusal = /^(4\d\d with errors|429 .*)$/.test(name);
		if (sentence.includes('was not deleted') && !isRefusal) expect(stillExists).toBe(true);
		if (timing === 'after' && !isRefusal) expect(sentence).toMatch(/^Deleted/);
		if (timing === 'before') expect(sentence).not.toMatch(/^Deleted/);
		expect(service.listWrites().filter(write => write.endsWith('/a1'))).toHaveLength(1);
		expect(findDeletionFailure(deletions)?.details.left ?? sentence).toContain('a1');
	});
});
