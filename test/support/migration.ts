import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {buffer} from 'node:stream/consumers';
import {onTestFinished} from 'vitest';
import {
	computeFingerprint,
	type ManagedConfiguration,
} from '../../source/migration/configuration/configuration.ts';
import {getReviewBasis} from '../../source/migration/flow/reviewing.ts';
import {openMigrationFolder} from '../../source/migration/journal/folder.ts';
import {savePlanned} from '../../source/migration/journal/planned.ts';
import type {Snapshot} from '../../source/migration/zone/snapshot.ts';
import type {ZonePlan} from '../../source/service/plan.ts';
import {createSimulator, type LoggedCall} from '../../source/simulator/simulator.ts';
import type {JsonObject} from '../../source/text/json.ts';
import {createScratchFolder, type EndedRun, type LedgeOptions} from './ledge.ts';
import {ledgeOrProcess} from './run.ts';
import {buildBareSnapshot} from './snapshot.ts';

const zoneId = 'abcdef0123456789abcdef0123456789';
const token = 'token-of-the-migration-tests';
const managedRulesetId = 'efb7b8c949ac4650a09736fc376e9aee';
const owaspRulesetId = '4814384a9e5d4991b9815dcfc25d2f1f';
const account = 'Acme (simulated)';

/** What the simulated service proposes for the zone of these tests: an exception and both managed rulesets. */
export const proposedConfiguration: JsonObject & ManagedConfiguration = {
	name: 'default',
	rules: [
		{
			action: 'skip',
			action_parameters: {ruleset: 'current'},
			expression: 'ip.src in {198.51.100.0/24}',
			description: 'partners',
			enabled: true,
		},
		{
			action: 'execute',
			action_parameters: {
				id: managedRulesetId,
				overrides: {rules: [{id: 'a'.repeat(32), action: 'log', enabled: true}]},
			},
			expression: 'true',
			description: '',
			enabled: true,
		},
		{
			action: 'execute',
			action_parameters: {
				id: owaspRulesetId,
				overrides: {
					categories: [
						{category: 'paranoia-level-3', enabled: false},
						{category: 'paranoia-level-4', enabled: false},
					],
					rules: [{id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 40, action: 'log'}],
				},
			},
			expression: 'true',
			description: '',
			enabled: true,
		},
	],
};

/** The same, edited by a person. */
export const editedConfiguration: ManagedConfiguration = {
	...proposedConfiguration,
	rules: proposedConfiguration.rules.map((rule, index) =>
		index === 0 ? {...rule, description: 'partners, edited'} : rule,
	),
};

export const buildOverride = (id: string): JsonObject => ({
	id,
	urls: [`shop.example/${id.slice(0, 4)}/*`],
	rules: {'100015': 'disable'},
	rewrite_action: {block: 'challenge'},
	paused: false,
	priority: 1,
	description: `override ${id.slice(0, 4)}`,
});

export type ZoneParts = {
	readonly plan?: ZonePlan;
	readonly overrides?: readonly JsonObject[];
	/** How many firewall rules bypass the managed rules, and the expression of each. */
	readonly bypasses?: number;
	readonly expression?: string;
	/** What the service says of the zone, without saying why. */
	readonly compatible?: boolean;
	/** The stage in words of the service. */
	readonly stage?: 'start' | 'validation' | 'pending' | 'complete';
	readonly migrationSeconds?: number;
	/** What the service stores in place of what it is given. */
	readonly stores?: ManagedConfiguration;
};

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

function buildSeed(parts: ZoneParts): Snapshot {
	const {plan = 'pro', overrides = [], bypasses = 1, compatible = true, stage = 'start'} = parts;
	const filters = Array.from({length: bypasses}, (_none, index) => ({
		id: md5(`filter ${index}`),
		expression: parts.expression ?? `ip.src in {198.51.100.0/24} and http.request.uri.path eq "/${index}"`,
		paused: false,
	}));
	const buildPackage = (id: string, name: string, more: JsonObject) => ({
		package: {id, name, description: name, zone_id: zoneId, status: 'active', ...more},
		groups: [
			{
				id: md5(`${id} group`),
				name: `${name} group`,
				description: '',
				package_id: id,
				mode: 'off',
				allowed_modes: ['on', 'off'],
				rules_count: 1,
				modified_rules_count: 0,
			},
		],
		rules: [
			{
				id: md5(`${id} rule`),
				description: `${name} rule`,
				priority: '5',
				package_id: id,
				group: {id: md5(`${id} group`), name: `${name} group`},
				mode: 'on',
				allowed_modes: ['on', 'off'],
			},
		],
	});
	return buildBareSnapshot({
		zone: {id: zoneId, name: 'shop.example', plan, label: `${account} › zone shop.example`, account},
		check: {compatible: compatible && overrides.length === 0, migration_state: stage},
		status: {
			created: '2024-03-01T09:30:00Z',
			migration_state: stage,
			new_waf_status: 'disabled',
			old_waf_status: 'enabled',
			source: 'zone',
		},
		waf: {id: 'waf', value: 'on', editable: true, modified_on: '2024-03-01T09:30:00Z'},
		packages: [
			buildPackage(md5('owasp'), 'OWASP ModSecurity Core Rule Set', {
				detection_mode: 'anomaly',
				sensitivity: 'high',
				action_mode: 'simulate',
			}),
			buildPackage(md5('platform'), 'Platform', {detection_mode: 'traditional'}),
		],
		overrides,
		firewallRules: filters.map((filter, index) => ({
			id: md5(`rule ${index}`),
			paused: false,
			action: 'bypass',
			products: ['waf'],
			priority: null,
			description: 'partners',
			filter,
		})),
		filters,
		proposed: proposedConfiguration,
	});
}

/** A call at which something happens, by its number from 1 or by its request. */
export type CallPoint = {
	readonly is: (call: {readonly number: number; readonly method: string; readonly path: string}) => boolean;
	/** Before the service gets it, or after the service has responded, before that is passed on. */
	readonly when: 'before' | 'after';
	/**
	 * `hold`: no response ever comes. `cut`: the connection ends. `reset`: it is reset. `half`: it is reset
	 * after half of the response.
	 */
	readonly does: () => Promise<unknown> | 'hold' | 'cut' | 'reset' | 'half' | undefined;
};

export const isPut = ({method}: {readonly method: string}): boolean => method === 'PUT';

export type MigratingZone = {
	readonly id: string;
	readonly name: string;
	readonly url: string;
	/** The folder that ledge keeps its state in, the same for all runs. */
	readonly state: string;
	readonly cwd: string;
	/** Runs `ledge migration …` on the zone. */
	run(words: readonly string[], more?: LedgeOptions): Promise<EndedRun>;
	/** The same for `deploy` or `validate` of the proposal, confirmed, after a plan of it was shown. */
	send(
		word: 'deploy' | 'validate',
		more?: LedgeOptions & {readonly words?: readonly string[]},
	): Promise<EndedRun>;
	/** Registers what happens once, at the next call that matches. */
	onCall(point: CallPoint): void;
	/** The number of calls since the last `takeCallCount`, or since the beginning. */
	takeCallCount(): number;
	calls(): readonly LoggedCall[];
	/** The writes that the service saw, as `PUT pending`. */
	writes(): readonly string[];
	/** Makes these faults from now on. */
	setFaults(text: string): void;
	/** Sends a request to the service as another session would. Returns the result. */
	ask(method: string, path: string, body?: unknown): Promise<JsonObject>;
	/** From now on the credential may not read zones, neither this one nor which there are. */
	revokeZoneRead(): void;
	/** PUTs a configuration as another session would. */
	putElsewhere(mode: 'validation' | 'pending', configuration?: ManagedConfiguration): Promise<void>;
	/** Reads how the zone ended: its stage, and the fingerprint of the active configuration. */
	readFinalState(): Promise<{readonly stage: unknown; readonly fingerprint: string | undefined}>;
	/** The folder of the zone in the state directory, and the files in it. */
	folder(): string;
	files(): readonly string[];
};

/** Creates a zone in a simulated service, in this process, that processes of ledge work on. */
export async function createMigratingZone(parts: ZoneParts = {}): Promise<MigratingZone> {
	const simulator = createSimulator({
		seed: buildSeed(parts),
		migrationSeconds: parts.migrationSeconds ?? 0,
		rateLimit: false,
		tokens: [token, 'simulated'],
	});
	const points: CallPoint[] = [];
	let readsZones = true;
	/** The entry point after the last PUT. */
	let currentEntryPoint: JsonObject | null = null;
	let callNumber = 0;
	const runActionAt = async (
		when: CallPoint['when'],
		call: {number: number; method: string; path: string},
	) => {
		const point = points.find(one => one.when === when && one.is(call));
		if (!point) return undefined;
		points.splice(points.indexOf(point), 1);
		return point.does();
	};
	const endConnection = (outcome: unknown, response: ServerResponse): boolean => {
		if (outcome === 'cut') response.destroy();
		if (outcome === 'reset') response.socket?.resetAndDestroy();
		return outcome === 'hold' || outcome === 'cut' || outcome === 'reset';
	};
	const server = createServer(async (request, response) => {
		const {method = '', url = '', headers} = request;
		const call = {number: ++callNumber, method, path: url.split('?')[0] ?? ''};
		const sentBody = await buffer(request);
		const body = parts.stores && method === 'PUT' ? Buffer.from(JSON.stringify(parts.stores)) : sentBody;
		if (endConnection(await runActionAt('before', call), response)) return;
		if (!readsZones && /\/zones(\/[0-9a-f]{32})?$/.test(call.path)) {
			const errorBody = {success: false, result: null, errors: [{code: 10000, message: 'no Zone Read'}]};
			return void response
				.writeHead(403, {'content-type': 'application/json'})
				.end(JSON.stringify(errorBody));
		}
		const serviceRequest = new Request(`http://${headers.host}${url}`, {
			method,
			headers: {authorization: headers.authorization ?? '', 'content-type': 'application/json'},
			...(body.length > 0 && {body: new Uint8Array(body)}),
		});
		const answer = await simulator.fetch(serviceRequest).catch(() => undefined);
		if (!answer) return void response.destroy();
		const bytes = Buffer.from(await answer.arrayBuffer());
		if (method === 'PUT' && answer.ok) currentEntryPoint = JSON.parse(bytes.toString()).result;
		const outcome = await runActionAt('after', call);
		if (endConnection(outcome, response)) return;
		response.writeHead(answer.status, {
			'content-type': 'application/json',
			'content-length': bytes.length,
		});
		if (outcome !== 'half') return void response.end(bytes);
		response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.resetAndDestroy());
	});
	await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
		simulator.close();
	});
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`;
	const cwd = createScratchFolder();
	const state = join(cwd, 'state');
	const env = {
		CLOUDFLARE_API_BASE_URL: url,
		CLOUDFLARE_API_TOKEN: token,
		LEDGE_STATE_DIR: state,
		LEDGE_TIME_SCALE: '0.01',
	};
	writeFileSync(join(cwd, 'c.json'), JSON.stringify(proposedConfiguration));
	writeFileSync(join(cwd, 'edited.json'), JSON.stringify(editedConfiguration));
	const entryPoint = '/rulesets/phases/http_request_firewall_managed/entrypoint';
	const ask: MigratingZone['ask'] = async (method, path, body) => {
		const serviceRequest = new Request(`http://127.0.0.1/client/v4/zones/${zoneId}${path}`, {
			method,
			headers: {authorization: 'Bearer simulated', 'content-type': 'application/json'},
			...(body !== undefined && {body: JSON.stringify(body)}),
		});
		const {success, result, errors} = (await (await simulator.fetch(serviceRequest)).json()) as {
			success: boolean;
			result: JsonObject;
			errors: unknown;
		};
		if (!success) throw new Error(`${method} ${path}: ${JSON.stringify(errors)}`);
		if (method === 'PUT' && path.startsWith(entryPoint)) currentEntryPoint = result;
		return result;
	};
	/** Records the plan of the proposal as shown, which sending needs. */
	const saveShownPlan = () => {
		const target = {place: new URL(url).origin, zone: {id: zoneId, name: 'shop.example'}};
		const review = {
			...getReviewBasis({proposed: proposedConfiguration, entryPoint: currentEntryPoint}),
			fingerprint: computeFingerprint(proposedConfiguration),
			rules: proposedConfiguration.rules.length,
			at: Date.now(),
		};
		savePlanned(openMigrationFolder({LEDGE_STATE_DIR: state}, target), {
			review,
			configuration: proposedConfiguration,
		});
	};
	const run: MigratingZone['run'] = (words, {env: more, ...rest} = {}) =>
		ledgeOrProcess(['migration', ...words, '--zone-id', zoneId], {cwd, ...rest, env: {...env, ...more}});
	const folder = () => {
		const migrationsFolder = join(state, 'migrations');
		const [origin = ''] = readdirSync(migrationsFolder);
		const [zone = ''] = readdirSync(join(migrationsFolder, origin));
		return join(migrationsFolder, origin, zone);
	};
	return {
		id: zoneId,
		name: 'shop.example',
		url,
		state,
		cwd,
		run,
		send(word, {words = [], ...more} = {}) {
			saveShownPlan();
			return run(
				[
					word,
					'c.json',
					'--fingerprint',
					computeFingerprint(proposedConfiguration),
					'--confirm',
					'shop.example',
					...words,
				],
				more,
			);
		},
		onCall: point => void points.push(point),
		takeCallCount() {
			const callCount = callNumber;
			callNumber = 0;
			return callCount;
		},
		calls: () => simulator.calls.list(),
		writes: () =>
			simulator.calls
				.list()
				.filter(({method, path}) => method !== 'GET' && path !== '/graphql')
				.map(({method, path, query}) => {
					const mode = new URLSearchParams(query).get('waf_migration');
					return mode === null ? `${method} ${path.split('/').slice(3).join('/')}` : `${method} ${mode}`;
				}),
		setFaults: text => simulator.faults.replace(text),
		ask,
		revokeZoneRead() {
			readsZones = false;
		},
		putElsewhere: async (mode, configuration = proposedConfiguration) =>
			void (await ask('PUT', `${entryPoint}?waf_migration=${mode}&phase_two=1`, configuration)),
		async readFinalState() {
			const {migration_state: stage} = await ask('GET', '/waf_migration/status');
			const finalEntryPoint = await ask('GET', entryPoint).catch(() => undefined);
			const rules = finalEntryPoint?.rules as unknown as ManagedConfiguration['rules'] | undefined;
			return {stage, fingerprint: rules && computeFingerprint({rules})};
		},
		folder,
		files: () => (existsSync(join(state, 'migrations')) ? listFilesIn(folder()) : []),
	};
}

/** All files below a folder. */
export const listFilesIn = (folder: string): readonly string[] =>
	readdirSync(folder, {recursive: true, encoding: 'utf8'})
		.map(name => join(folder, name))
		.filter(path => statSync(path).isFile());

/** Whether a file is for its owner alone, and holds no credential. */
export const isPrivate = (path: string): boolean =>
	(statSync(path).mode & 0o777) === 0o600 && !readFileSync(path, 'utf8').includes(token);

/** The words of the commands between backticks in a text, each as a shell takes them. */
export const parseCommands = (text: string): readonly (readonly string[])[] =>
	[...text.matchAll(/`ledge (migration [^`\n]+)`/g)].map(([, line = '']) =>
		(line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map(word => word.replaceAll("'", '')),
	);
