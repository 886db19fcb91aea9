import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {readBackup, writeBackup} from '../../../source/migration/journal/backup.ts';
import {deleteOverrides} from '../../../source/migration/zone/delete-override.ts';
import type {MigrationZone} from '../../../source/migration/zone/migration-zone.ts';
import {readEligibilityFacts} from '../../../source/migration/zone/read-facts.ts';
import {readWafOverrides} from '../../../source/migration/zone/read-overrides.ts';
import {readSnapshot} from '../../../source/migration/zone/read-snapshot.ts';
import {restoreOverrides} from '../../../source/migration/zone/restore-overrides.ts';
import {createClient} from '../../../source/service/client.ts';
import {createFixedCredentials} from '../../../source/service/request-credentials.ts';
import {createTransport} from '../../../source/service/transport.ts';
import {listZones} from '../../../source/service/zones.ts';
import {createSimulator, type Simulator} from '../../../source/simulator/simulator.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../../source/text/json.ts';
import {never} from '../../service/scripted-transport.ts';
import {scratch} from '../../support/ledge.ts';
import {entryPointPath} from '../support/answers.ts';

const token = 'v1.0-5ecret-7oken';
const baseUrl = 'http://simulated.invalid/client/v4';

/** A client of a simulated service, with a credential that can be looked for. */
const clientOf = (simulator: Simulator) =>
	createClient({
		baseUrl,
		credentials: createFixedCredentials({Authorization: `Bearer ${token}`}),
		credentialVariables: [],
		userAgent: 'test',
		transport: async () =>
			createTransport((input, init) => simulator.fetch(new Request(input as string, init as RequestInit))),
	});

/** The sample world, a client of it, and what is there as it is read without ledge. */
function simulated() {
	const simulator = createSimulator({rateLimit: false, tokens: [token]});
	onTestFinished(() => simulator.close());
	const headers = {Authorization: `Bearer ${token}`};
	const client = clientOf(simulator);
	const ask = async (path: string): Promise<JsonValue> => {
		const answer = await simulator.fetch(new Request(`${baseUrl}${path}`, {headers}));
		return ((await answer.json()) as {result: JsonValue}).result;
	};
	const list = async (path: string): Promise<JsonObject[]> => {
		const all: JsonObject[] = [];
		for (let page = 1; ; page++) {
			const some = await ask(`${path}?page=${page}&per_page=50`);
			if (!Array.isArray(some) || some.length === 0) return all;
			all.push(...some.filter(isJsonObject));
		}
	};
	return {client, ask, list};
}

async function zonesOf({client}: ReturnType<typeof simulated>): Promise<MigrationZone[]> {
	const found = await Array.fromAsync(listZones(client, {}, never));
	return found.map(({id, name, level, account}) => ({
		id,
		name,
		plan: level,
		label: `zone ${name}`,
		account: account.name,
	}));
}

/** The first zone of the samples with an override. */
async function zoneWithOverrides(world: ReturnType<typeof simulated>): Promise<MigrationZone> {
	for (const zone of await zonesOf(world))
		if (zone.plan === 'enterprise' && (await readWafOverrides(world.client, zone.id, never)).length > 0)
			return zone;
	throw new Error('no sample has an override');
}

describe('all objects of the samples', () => {
	test('are in the backup of each zone with the previous version, and are read back from it', async () => {
		const world = simulated();
		const {client, ask, list} = world;
		let seen = 0;
		for (const zone of (await zonesOf(world)).filter(({plan}) => plan !== 'free')) {
			const taken = await readSnapshot(client, zone, 'simulated', {signal: never});
			if (taken.unread.some(({what}) => what === 'the previous managed rules')) continue;
			seen++;
			const back = readBackup(writeBackup(scratch(), taken).folder);
			const {catalogue, ...own} = taken;
			expect(catalogue?.every(({rules}) => rules && rules.length > 0)).toBe(true);
			expect(back).toEqual(own);
			const at = `/zones/${zone.id}`;
			const packages = await list(`${at}/firewall/waf/packages`);
			expect(back.packages).toEqual(
				await Promise.all(
					packages.map(async one => ({
						package: one,
						groups: await list(`${at}/firewall/waf/packages/${one.id}/groups`),
						rules: await list(`${at}/firewall/waf/packages/${one.id}/rules`),
					})),
				),
			);
			expect(back.overrides).toEqual(await list(`${at}/firewall/waf/overrides`));
			expect(back.firewallRules).toEqual(await list(`${at}/firewall/rules`));
			expect(back.filters).toEqual(await list(`${at}/filters`));
			expect(back.pageRules).toEqual(await ask(`${at}/pagerules`));
			expect(back.waf).toEqual(await ask(`${at}/settings/waf`));
			expect(back.check).toEqual(await ask(`${at}/waf_migration/check?phase_two=1`));
			expect(back.status).toEqual(await ask(`${at}/waf_migration/status`));
			expect(back.proposed).toEqual(await ask(`${at}/waf_migration/config?phase_two=1`));
			expect(back.entryPoint).toEqual(await ask(`${at}${entryPointPath}`));
		}
		expect(seen).toBeGreaterThan(2);
	});

	test('are saved without the credential', async () => {
		const world = simulated();
		const zone = await zoneWithOverrides(world);
		const taken = await readSnapshot(world.client, zone, 'simulated', {signal: never});
		const {folder} = writeBackup(scratch(), taken, {reviewed: {name: 'default', rules: []}});
		for (const name of readdirSync(folder))
			expect(readFileSync(join(folder, name), 'utf8'), name).not.toContain(token);
	});

	test('are the start of a rehearsal, with the same ids', async () => {
		const world = simulated();
		const zone = await zoneWithOverrides(world);
		const taken = await readSnapshot(world.client, zone, 'simulated', {signal: never});
		const rehearsal = createSimulator({seed: taken, rateLimit: false, tokens: [token]});
		onTestFinished(() => rehearsal.close());
		const again = await readSnapshot(clientOf(rehearsal), zone, 'simulated', {signal: never});
		const {packages, overrides, firewallRules, filters, pageRules} = taken;
		expect(again).toMatchObject({packages, overrides, firewallRules, filters, pageRules});
	});
});

test('a backed-up override is deleted, which makes the zone eligible, and then restored', async () => {
	const world = simulated();
	const zone = await zoneWithOverrides(world);
	const {client} = world;
	const before = await readWafOverrides(client, zone.id, never);
	const taken = await readSnapshot(client, zone, 'simulated', {signal: never});
	const backup = readBackup(writeBackup(scratch(), taken).folder);
	expect((await readEligibilityFacts(client, zone, never)).check.compatible).toBe(false);
	const deleted = await deleteOverrides(client, zone, before, backup, {signal: never});
	expect(deleted.map(({state}) => state)).toEqual(before.map(() => 'deleted'));
	expect((await readEligibilityFacts(client, zone, never)).check.compatible).toBe(true);
	const restored = await restoreOverrides(client, zone, backup, 'all', {signal: never});
	expect(restored.map(({state}) => state)).toEqual(before.map(() => 'restored'));
	const content = (all: typeof before) => all.map(({id: _, raw: __, ...rest}) => rest);
	expect(content(await readWafOverrides(client, zone.id, never))).toEqual(content(before));
	const again = await restoreOverrides(client, zone, backup, 'all', {signal: never});
	expect(again.map(({state}) => state)).toEqual(before.map(() => 'there already'));
});
