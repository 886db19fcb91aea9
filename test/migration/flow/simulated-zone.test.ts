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
import {neverAbortedSignal} from '../../service/scripted-transport.ts';
import {createScratchFolder} from '../../support/ledge.ts';
import {entryPointPath} from '../support/answers.ts';

const token = 'v1.0-5ecret-7oken';
const baseUrl = 'http://simulated.invalid/client/v4';

/** A client of a simulated service, with a token that the tests can search for. */
const clientOf = (simulator: Simulator) =>
	createClient({
		baseUrl,
		credentials: createFixedCredentials({Authorization: `Bearer ${token}`}),
		credentialVariables: [],
		userAgent: 'test',
		transport: async () =>
			createTransport((input, init) => simulator.fetch(new Request(input as string, init as RequestInit))),
	});

/** The sample world: a client of it, and functions that read it without ledge. */
function createWorld() {
	const simulator = createSimulator({rateLimit: false, tokens: [token]});
	onTestFinished(() => simulator.close());
	const headers = {Authorization: `Bearer ${token}`};
	const client = clientOf(simulator);
	const fetchResult = async (path: string): Promise<JsonValue> => {
		const response = await simulator.fetch(new Request(`${baseUrl}${path}`, {headers}));
		return ((await response.json()) as {result: JsonValue}).result;
	};
	const list = async (path: string): Promise<JsonObject[]> => {
		const items: JsonObject[] = [];
		for (let page = 1; ; page++) {
			const pageItems = await fetchResult(`${path}?page=${page}&per_page=50`);
			if (!Array.isArray(pageItems) || pageItems.length === 0) return items;
			items.push(...pageItems.filter(isJsonObject));
		}
	};
	return {client, fetchResult, list};
}

async function listMigrationZones({client}: ReturnType<typeof createWorld>): Promise<MigrationZone[]> {
	const found = await Array.fromAsync(listZones(client, {}, neverAbortedSignal));
	return found.map(({id, name, level, account}) => ({
		id,
		name,
		plan: level,
		label: `zone ${name}`,
		account: account.name,
	}));
}

/** The first Enterprise zone of the samples with an override. */
async function findZoneWithOverrides(world: ReturnType<typeof createWorld>): Promise<MigrationZone> {
	for (const zone of await listMigrationZones(world))
		if (
			zone.plan === 'enterprise' &&
			(await readWafOverrides(world.client, zone.id, neverAbortedSignal)).length > 0
		)
			return zone;
	throw new Error('no sample has an override');
}

describe('all objects of the samples', () => {
	test('are in the backup of each zone with the previous version, and are read back from it', async () => {
		const world = createWorld();
		const {client, fetchResult, list} = world;
		let zoneCount = 0;
		for (const zone of (await listMigrationZones(world)).filter(({plan}) => plan !== 'free')) {
			const snapshot = await readSnapshot(client, zone, 'simulated', {signal: neverAbortedSignal});
			if (snapshot.unread.some(({what}) => what === 'the previous managed rules')) continue;
			zoneCount++;
			const restoredSnapshot = readBackup(writeBackup(createScratchFolder(), snapshot).folder);
			const {catalogue, ...snapshotWithoutCatalogue} = snapshot;
			expect(catalogue?.every(({rules}) => rules && rules.length > 0)).toBe(true);
			expect(restoredSnapshot).toEqual(snapshotWithoutCatalogue);
			const zonePath = `/zones/${zone.id}`;
			const packages = await list(`${zonePath}/firewall/waf/packages`);
			expect(restoredSnapshot.packages).toEqual(
				await Promise.all(
					packages.map(async one => ({
						package: one,
						groups: await list(`${zonePath}/firewall/waf/packages/${one.id}/groups`),
						rules: await list(`${zonePath}/firewall/waf/packages/${one.id}/rules`),
					})),
				),
			);
			expect(restoredSnapshot.overrides).toEqual(await list(`${zonePath}/firewall/waf/overrides`));
			expect(restoredSnapshot.firewallRules).toEqual(await list(`${zonePath}/firewall/rules`));
			expect(restoredSnapshot.filters).toEqual(await list(`${zonePath}/filters`));
			expect(restoredSnapshot.pageRules).toEqual(await fetchResult(`${zonePath}/pagerules`));
			expect(restoredSnapshot.waf).toEqual(await fetchResult(`${zonePath}/settings/waf`));
			expect(restoredSnapshot.check).toEqual(
				await fetchResult(`${zonePath}/waf_migration/check?phase_two=1`),
			);
			expect(restoredSnapshot.status).toEqual(await fetchResult(`${zonePath}/waf_migration/status`));
			expect(restoredSnapshot.proposed).toEqual(
				await fetchResult(`${zonePath}/waf_migration/config?phase_two=1`),
			);
			expect(restoredSnapshot.entryPoint).toEqual(await fetchResult(`${zonePath}${entryPointPath}`));
		}
		expect(zoneCount).toBeGreaterThan(2);
	});

	test('are saved without the credential', async () => {
		const world = createWorld();
		const zone = await findZoneWithOverrides(world);
		const snapshot = await readSnapshot(world.client, zone, 'simulated', {signal: neverAbortedSignal});
		const {folder} = writeBackup(createScratchFolder(), snapshot, {reviewed: {name: 'default', rules: []}});
		for (const name of readdirSync(folder))
			expect(readFileSync(join(folder, name), 'utf8'), name).not.toContain(token);
	});

	test('are the start of a rehearsal, with the same ids', async () => {
		const world = createWorld();
		const zone = await findZoneWithOverrides(world);
		const snapshot = await readSnapshot(world.client, zone, 'simulated', {signal: neverAbortedSignal});
		const rehearsal = createSimulator({seed: snapshot, rateLimit: false, tokens: [token]});
		onTestFinished(() => rehearsal.close());
		const rehearsalSnapshot = await readSnapshot(clientOf(rehearsal), zone, 'simulated', {
			signal: neverAbortedSignal,
		});
		const {packages, overrides, firewallRules, filters, pageRules} = snapshot;
		expect(rehearsalSnapshot).toMatchObject({packages, overrides, firewallRules, filters, pageRules});
	});
});

test('a backed-up override is deleted, which makes the zone eligible, and then restored', async () => {
	const world = createWorld();
	const zone = await findZoneWithOverrides(world);
	const {client} = world;
	const before = await readWafOverrides(client, zone.id, neverAbortedSignal);
	const snapshot = await readSnapshot(client, zone, 'simulated', {signal: neverAbortedSignal});
	const backup = readBackup(writeBackup(createScratchFolder(), snapshot).folder);
	expect((await readEligibilityFacts(client, zone, neverAbortedSignal)).check.compatible).toBe(false);
	const deleted = await deleteOverrides(client, zone, before, backup, {signal: neverAbortedSignal});
	expect(deleted.map(({state}) => state)).toEqual(before.map(() => 'deleted'));
	expect((await readEligibilityFacts(client, zone, neverAbortedSignal)).check.compatible).toBe(true);
	const restored = await restoreOverrides(client, zone, backup, 'all', {signal: neverAbortedSignal});
	expect(restored.map(({state}) => state)).toEqual(before.map(() => 'restored'));
	const omitIds = (all: typeof before) => all.map(({id: _, raw: __, ...rest}) => rest);
	expect(omitIds(await readWafOverrides(client, zone.id, neverAbortedSignal))).toEqual(omitIds(before));
	const secondRestore = await restoreOverrides(client, zone, backup, 'all', {signal: neverAbortedSignal});
	expect(secondRestore.map(({state}) => state)).toEqual(before.map(() => 'there already'));
});
