import {describe, expect, test} from 'vitest';
import type {JsonObject} from '../../source/json.ts';
import {deleteOverride, overrides, readOverride, restoreOverrides} from '../../source/migration/overrides.ts';
import type {Snapshot} from '../../source/migration/snapshot.ts';
import type {ClientOptions} from '../../source/service/client.ts';
import {envelope, never, refused} from '../service/scripted-transport.ts';
import {type Answers, answering, paged, zone} from './support/answers.ts';

const path = '/firewall/waf/overrides';
const one: JsonObject = {
	id: 'a1',
	urls: ['shop.example/checkout*'],
	rules: {100015: 'disable'},
	rewrite_action: {block: 'challenge'},
	priority: 5,
	paused: false,
	description: 'checkout',
	newer: {field: true},
};
const other: JsonObject = {id: 'b2', urls: ['shop.example/admin*'], groups: {g: 'block'}};

const backupOf = (...held: readonly JsonObject[]): Snapshot => ({
	version: 1,
	taken: '2026-11-21T03:10:42.123Z',
	place: 'https://service.test',
	zone,
	check: null,
	status: null,
	waf: null,
	packages: [],
	overrides: held,
	firewallRules: [],
	filters: [],
	pageRules: [],
	proposed: null,
	entryPoint: null,
	unread: [],
});

const lost = (): never => {
	throw new TypeError('fetch failed', {cause: Object.assign(new Error('reset'), {code: 'ECONNRESET'})});
};

/** A zone that has these overrides; `writes` may lose answers, before or after they take effect. */
function zoneWith(
	held: readonly JsonObject[],
	{
		writes = 'answered',
		stage = 'start',
		options = {},
	}: {
		writes?: 'answered' | 'lost after' | 'lost before' | 'refused';
		stage?: string;
		options?: Partial<ClientOptions>;
	} = {},
) {
	let now = [...held];
	let made = 0;
	const written = (change: () => object): Response => {
		if (writes === 'refused') return refused(400, [{message: 'no more overrides'}]);
		if (writes === 'lost before') lost();
		const result = change();
		return writes === 'lost after' ? lost() : envelope(result);
	};
	const routes: Answers = {
		'GET /waf_migration/check': {compatible: false},
		'GET /waf_migration/status': {migration_state: stage},
		[`GET ${path}`]: (request, query) => paged(now)(request, query),
		[`POST ${path}`]: ({body}) =>
			written(() => {
				// As a service does that gives what was not said.
				const created = {
					priority: 0,
					description: '',
					paused: false,
					...JSON.parse(String(body)),
					id: `new${++made}`,
				};
				now.push(created);
				return created;
			}),
	};
	const byId: Answers = Object.fromEntries(
		held.flatMap(({id}): [string, Answers[string]][] => [
			[
				`GET ${path}/${id}`,
				() => {
					const found = now.find(override => override.id === id);
					return found ? envelope(found) : refused(404, [{code: 1005, message: 'no such override'}]);
				},
			],
			[
				`DELETE ${path}/${id}`,
				() =>
					written(() => {
						now = now.filter(override => override.id !== id);
						return {id};
					}),
			],
		]),
	);
	const at = answering({...byId, ...routes}, options);
	return {
		...at,
		held: () => now,
		writes: () => at.asked().filter(asked => !asked.startsWith('GET')),
		set(next: readonly JsonObject[]) {
			now = [...next];
		},
	};
}

const told = () => {
	const said: string[] = [];
	return {
		said,
		work: {
			signal: never,
			sends: (what: string) => void said.push(`sends ${what}`),
			wrote: (what: string) => void said.push(`wrote ${what}`),
		},
	};
};

describe('reading overrides', () => {
	test('what is known is typed, and all of it kept', async () => {
		const [read] = await overrides(zoneWith([one]).client, zone.id, never);
		expect(read).toEqual({
			id: 'a1',
			urls: ['shop.example/checkout*'],
			groups: {},
			rules: {100015: 'disable'},
			rewriteAction: {block: 'challenge'},
			paused: false,
			priority: 5,
			description: 'checkout',
			raw: one,
		});
	});

	test('what is of no known kind is left out of the types', () => {
		expect(
			readOverride({id: 'x', urls: 'all', groups: [], rules: {a: 1, b: 'log'}, paused: 'yes'}),
		).toMatchObject({
			urls: [],
			groups: {},
			rules: {b: 'log'},
			paused: false,
			priority: undefined,
		});
	});
});

describe('deleting an override', () => {
	test('that the backup holds', async () => {
		const at = zoneWith([one, other]);
		const {said, work} = told();
		expect(await deleteOverride(at.client, zone, 'a1', backupOf(one, other), work)).toEqual({
			state: 'deleted',
			id: 'a1',
		});
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
		await expect(deleteOverride(at.client, zone, 'a1', backup, told().work)).rejects.toMatchObject({
			code,
			details: {next: expect.stringMatching(/\w/)},
		});
		expect(at.writes()).toEqual([]);
	});

	test('that is gone already changes nothing', async () => {
		const at = zoneWith([one]);
		at.set([]);
		const {said, work} = told();
		expect(await deleteOverride(at.client, zone, 'a1', backupOf(one), work)).toEqual({
			state: 'gone before',
			id: 'a1',
		});
		expect(at.writes()).toEqual([]);
		expect(said).toEqual([]);
	});

	test.each([
		['complete', 'already_migrated'],
		['pending', 'already_migrated'],
		['something new', 'not_eligible'],
	])('in the stage %s is refused', async (stage, code) => {
		const at = zoneWith([one], {stage});
		await expect(deleteOverride(at.client, zone, 'a1', backupOf(one), told().work)).rejects.toMatchObject({
			code,
		});
		expect(at.writes()).toEqual([]);
	});

	test('after a lost answer it is looked, and found gone', async () => {
		const at = zoneWith([one], {writes: 'lost after'});
		const {said, work} = told();
		expect(await deleteOverride(at.client, zone, 'a1', backupOf(one), work)).toMatchObject({
			state: 'deleted',
		});
		expect(at.writes()).toHaveLength(1);
		expect(said).toContain('wrote delete override a1');
	});

	test('after a lost answer it is looked, and found still there: nothing is sent again', async () => {
		const at = zoneWith([one], {writes: 'lost before'});
		const {said, work} = told();
		await expect(deleteOverride(at.client, zone, 'a1', backupOf(one), work)).rejects.toMatchObject({
			details: {
				doubtful: true,
				left: expect.stringContaining('still there'),
				next: expect.stringContaining(`ledge migration overrides list --zone-id ${zone.id}`),
			},
		});
		expect(at.writes()).toHaveLength(1);
		expect(said).not.toContain('wrote delete override a1');
	});

	test('is kept from by --read-only, and only shown by --dry-run', async () => {
		const locked = zoneWith([one], {options: {readOnly: true}});
		await expect(deleteOverride(locked.client, zone, 'a1', backupOf(one), told().work)).rejects.toMatchObject(
			{
				code: 'read_only',
			},
		);
		const dry = zoneWith([one], {options: {dryRun: true}});
		const {said, work} = told();
		await deleteOverride(dry.client, zone, 'a1', backupOf(one), work);
		expect([...locked.writes(), ...dry.writes(), ...said]).toEqual([]);
	});

	test.each(['', '.', '..'])('of the id "%s" asks nothing of the service', async id => {
		const at = zoneWith([one]);
		await expect(
			deleteOverride(at.client, zone, id, backupOf({...one, id}), told().work),
		).rejects.toMatchObject({
			code: 'usage',
		});
		expect(at.sent).toEqual([]);
	});
});

describe('restoring overrides', () => {
	test('brings them back as they were, and tells their new ids', async () => {
		const at = zoneWith([]);
		const {said, work} = told();
		expect(await restoreOverrides(at.client, zone, backupOf(one, other), 'all', work)).toEqual([
			{state: 'restored', id: 'a1', as: 'new1'},
			{state: 'restored', id: 'b2', as: 'new2'},
		]);
		expect(at.held()).toMatchObject([
			{...one, id: 'new1'},
			{...other, id: 'new2'},
		]);
		expect(said).toContain('wrote restore override a1 as new1');
	});

	test('sends nothing that the service gives by itself, and nothing empty', async () => {
		const at = zoneWith([]);
		const held = {...one, groups: {}, created_on: 'x', modified_on: 'y', zone_id: zone.id};
		await restoreOverrides(at.client, zone, backupOf(held), 'all', told().work);
		const {id: _, ...body} = one;
		expect(JSON.parse(String(at.sent.find(({method}) => method === 'POST')?.body))).toEqual(body);
	});

	test('only those that were asked for', async () => {
		const at = zoneWith([]);
		expect(await restoreOverrides(at.client, zone, backupOf(one, other), ['b2', 'b2'], told().work)).toEqual([
			{state: 'restored', id: 'b2', as: 'new1'},
		]);
	});

	test('an id that is not in the backup is refused before anything is asked', async () => {
		const at = zoneWith([]);
		await expect(restoreOverrides(at.client, zone, backupOf(one), ['zz'], told().work)).rejects.toMatchObject(
			{code: 'not_found', details: {next: expect.stringContaining('a1')}},
		);
		expect(at.sent).toEqual([]);
	});

	test('never twice: what is there, or was brought back before, is left alone', async () => {
		const at = zoneWith([one]);
		const again = () => restoreOverrides(at.client, zone, backupOf(one, other), 'all', told().work);
		expect(await again()).toEqual([
			{state: 'there already', id: 'a1', as: 'a1'},
			{state: 'restored', id: 'b2', as: 'new1'},
		]);
		expect(await again()).toEqual([
			{state: 'there already', id: 'a1', as: 'a1'},
			{state: 'there already', id: 'b2', as: 'new1'},
		]);
		expect(at.held()).toHaveLength(2);
	});

	test('two of the same content both come back, and no third', async () => {
		const twin = {...one, id: 'a2'};
		const at = zoneWith([one]);
		const again = () => restoreOverrides(at.client, zone, backupOf(one, twin), 'all', told().work);
		await again();
		expect(await again()).toEqual([
			{state: 'there already', id: 'a1', as: 'a1'},
			{state: 'there already', id: 'a2', as: 'new1'},
		]);
		expect(at.held()).toHaveLength(2);
	});

	test('one that was changed since is left as it is', async () => {
		const at = zoneWith([{...one, paused: true}]);
		expect(await restoreOverrides(at.client, zone, backupOf(one), 'all', told().work)).toEqual([
			{state: 'there otherwise', id: 'a1', as: 'a1'},
		]);
		expect(at.writes()).toEqual([]);
	});

	test('after a lost answer the new one is found, and not made again', async () => {
		const at = zoneWith([], {writes: 'lost after'});
		expect(await restoreOverrides(at.client, zone, backupOf(one), 'all', told().work)).toEqual([
			{state: 'restored', id: 'a1', as: 'new1'},
		]);
		expect(at.writes()).toHaveLength(1);
	});

	test('after a lost answer a twin that was there before is not taken for it', async () => {
		const twin = {...one, id: 'a2'};
		const at = zoneWith([one], {writes: 'lost before'});
		expect(await restoreOverrides(at.client, zone, backupOf(one, twin), ['a2'], told().work)).toMatchObject([
			{state: 'failed', id: 'a2', failure: {details: {doubtful: true}}},
		]);
	});

	test('the first failure ends it, and what was not tried is said', async () => {
		const at = zoneWith([], {writes: 'refused'});
		expect(await restoreOverrides(at.client, zone, backupOf(one, other), 'all', told().work)).toMatchObject([
			{state: 'failed', id: 'a1', failure: {code: 'refused_by_service'}},
			{state: 'not tried', id: 'b2'},
		]);
		expect(at.writes()).toHaveLength(1);
	});

	test('after the migration there is nothing to bring them back to', async () => {
		const at = zoneWith([], {stage: 'complete'});
		await expect(restoreOverrides(at.client, zone, backupOf(one), 'all', told().work)).rejects.toMatchObject({
			code: 'already_migrated',
			details: {next: expect.stringContaining('exceptions')},
		});
		expect(at.writes()).toEqual([]);
	});

	test('into another zone is refused', async () => {
		const at = zoneWith([]);
		const elsewhere = {...backupOf(one), zone: {...zone, id: 'elsewhere', name: 'elsewhere.example'}};
		await expect(restoreOverrides(at.client, zone, elsewhere, 'all', told().work)).rejects.toMatchObject({
			code: 'input_malformed',
			details: {why: expect.stringContaining('elsewhere.example')},
		});
		expect(at.sent).toEqual([]);
	});
});
