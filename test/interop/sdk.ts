import assert from 'node:assert/strict';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Checks} from './checks.ts';
import {findScratchFolder} from './peer.ts';
import {run, start, stop, waitForOutput} from './process.ts';
import {builtLedge, createInteropEnvironment} from './programs.ts';
import {checkSdkLists, type SdkLists} from './sdk-lists.ts';

const version = '7.3.0';

/** Zones of the simulated account; the second one has a read-only old firewall API. */
const [zoneName, readOnlyZoneName] = ['done.acme.example', 'acme-shop.example'];

/** What the checks use of the SDK, whose own types are in the folder it is installed to. */
type Sdk = {
	readonly accounts: {list(): Promise<{readonly result: readonly {readonly id: string}[]}>};
	readonly zones: {list(): AsyncIterable<{readonly id: string; readonly name: string}>};
	readonly kv: {
		readonly namespaces: {
			create(parameters: object): Promise<SdkNamespace>;
			list(parameters: object): AsyncIterable<SdkNamespace>;
		};
	};
	readonly rules: {readonly lists: SdkLists};
	readonly rulesets: {
		readonly phases: {
			get(phase: string, parameters: object): Promise<SdkRuleset>;
			update(phase: string, parameters: object): Promise<SdkRuleset | null>;
		};
		readonly rules: {
			create(rulesetId: string, parameters: object): Promise<SdkRuleset | null>;
			edit(ruleId: string, parameters: object): Promise<SdkRuleset | null>;
			delete(ruleId: string, parameters: object): Promise<SdkRuleset | null>;
		};
	};
	readonly filters: {
		list(parameters: object): Promise<{readonly result: readonly object[]}>;
		create(parameters: object): Promise<unknown>;
	};
};

type SdkNamespace = {
	readonly id: string;
	readonly title: string;
	readonly jurisdiction?: string;
	readonly supports_url_encoding?: boolean;
};

type SdkRule = {readonly id: string; readonly enabled: boolean};

type SdkRuleset = {readonly id: string; readonly version: string; readonly rules: readonly SdkRule[]};

/** The vendor's SDK for TypeScript against `ledge simulate`: what it sends is answered as it expects. */
export async function checkSdk(checks: Checks, folder: string): Promise<void> {
	const options = ['--port', '0', '--memory', '--read-only-firewall', readOnlyZoneName];
	const server = start(process.execPath, [builtLedge, 'simulate', ...options], {
		cwd: folder,
		env: createInteropEnvironment(folder),
	});
	try {
		const url = /http:\/\/127\.0\.0\.1:\d+\/client\/v4/;
		const baseURL = url.exec(await waitForOutput(server, url, 20_000))?.[0];
		const {default: createSdk} = await import(pathToFileURL(await installSdk()).href);
		const sdk: Sdk = new createSdk({apiToken: 'simulated', baseURL, maxRetries: 0});
		await checkNamespaces(checks, sdk);
		await checkSdkLists(checks, sdk.rules.lists, (await sdk.accounts.list()).result[0]?.id);
		const zoneIds = new Map<string, string>();
		for await (const {name, id} of sdk.zones.list()) zoneIds.set(name, id);
		await checkRules(checks, sdk, zoneIds.get(zoneName) ?? '');
		await checkReadOnlyFirewall(checks, sdk, zoneIds.get(readOnlyZoneName) ?? '');
	} finally {
		stop(server);
	}
}

/** Installs the SDK outside the repository unless it is there already; returns its entry file. */
async function installSdk(): Promise<string> {
	const folder = findScratchFolder(`cloudflare-${version}`);
	const entryFile = join(folder, 'node_modules', 'cloudflare', 'index.mjs');
	if (existsSync(entryFile)) return entryFile;
	mkdirSync(folder, {recursive: true});
	process.stdout.write(`installing cloudflare ${version} into ${folder}\n`);
	writeFileSync(join(folder, 'package.json'), '{"name": "sdk", "private": true}\n');
	const words = ['install', '--no-audit', '--no-fund', `cloudflare@${version}`];
	const result = await run('npm', words, {cwd: folder, env: process.env});
	if (result.code !== 0) throw new Error(`The SDK could not be installed:\n${result.err}`);
	return entryFile;
}

async function checkNamespaces(checks: Checks, {accounts, kv: {namespaces}}: Sdk): Promise<void> {
	const account_id = (await accounts.list()).result[0]?.id;
	await checks.check('the SDK creates a namespace in a jurisdiction, and lists it', async () => {
		const created = await namespaces.create({account_id, title: 'kept', jurisdiction: 'eu'});
		const listed: SdkNamespace[] = [];
		for await (const namespace of namespaces.list({account_id})) listed.push(namespace);
		assert.deepEqual(
			listed.find(({id}) => id === created.id),
			{id: created.id, title: 'kept', jurisdiction: 'eu', supports_url_encoding: true},
		);
	});
	await checks.check('the SDK is told of a taken title and of an unknown jurisdiction', async () => {
		await assert.rejects(namespaces.create({account_id, title: 'kept'}), hasCode(400, 10_014));
		await assert.rejects(
			namespaces.create({account_id, title: 'other', jurisdiction: 'xx'}),
			hasCode(400, 10_010),
		);
	});
}

async function checkRules(checks: Checks, {rulesets: {phases, rules}}: Sdk, zone_id: string): Promise<void> {
	const phase = 'http_request_firewall_custom';
	const settings = {zone_id, action: 'block', expression: 'ip.src eq 192.0.2.77'};
	const getEntryPoint = () => phases.get(phase, {zone_id});
	const {id: ruleset_id, version: firstVersion} = await getEntryPoint();
	await checks.check('the SDK checks rules with dry_run, which changes nothing', async () => {
		const [rule] = (await getEntryPoint()).rules;
		const ruleId = rule?.id ?? '';
		assert.equal(await rules.create(ruleset_id, {...settings, dry_run: true}), null);
		assert.equal(await rules.edit(ruleId, {...settings, ruleset_id, dry_run: true}), null);
		assert.equal(await rules.delete(ruleId, {zone_id, ruleset_id, dry_run: true}), null);
		assert.equal(await phases.update(phase, {zone_id, rules: [], dry_run: true}), null);
		await assert.rejects(rules.create(ruleset_id, {...settings, expression: 'ip.src eq', dry_run: true}));
		assert.equal((await getEntryPoint()).version, firstVersion);
	});
	await checks.check('the SDK creates, changes and deletes a custom rule', async () => {
		const created = (await rules.create(ruleset_id, settings))?.rules.at(-1);
		const ruleId = created?.id ?? '';
		const edited = await rules.edit(ruleId, {...settings, ruleset_id, enabled: false});
		assert.equal(edited?.rules.find(({id}) => id === ruleId)?.enabled, false);
		const remaining = await rules.delete(ruleId, {zone_id, ruleset_id});
		assert.ok(!remaining?.rules.some(({id}) => id === ruleId));
	});
	await checks.check('the SDK reads rate limits', async () => {
		assert.ok((await phases.get('http_ratelimit', {zone_id})).rules.length > 0);
	});
}

async function checkReadOnlyFirewall(checks: Checks, {filters}: Sdk, zone_id: string): Promise<void> {
	await checks.check('the SDK reads filters of a retired zone, and is refused a new one', async () => {
		assert.ok((await filters.list({zone_id})).result.length > 0);
		const body = [{expression: 'ip.src eq 192.0.2.1'}];
		await assert.rejects(filters.create({zone_id, body}), hasCode(403, 10_020));
	});
}

/** Returns a test of an error of the SDK. */
const hasCode =
	(status: number, code: number) =>
	(error: unknown): boolean => {
		const {status: actualStatus, errors} = error as {
			readonly status?: number;
			readonly errors?: readonly {readonly code?: number}[];
		};
		assert.deepEqual([actualStatus, errors?.[0]?.code], [status, code]);
		return true;
	};
