import {Failure} from '../../../source/failure.ts';
import {
	computeFingerprint,
	type ManagedConfiguration,
} from '../../../source/migration/configuration/configuration.ts';
import type {ConfiguredRule} from '../../../source/migration/configuration/rule-overrides.ts';
import type {ReviewBasis} from '../../../source/migration/flow/reviewing.ts';
import type {MigrationRecord} from '../../../source/migration/journal/record.ts';
import {getEntryPointMark} from '../../../source/migration/machine/observation.ts';
import type {MigrationZone} from '../../../source/migration/zone/migration-zone.ts';
import {createClient} from '../../../source/service/client.ts';
import {createFixedCredentials} from '../../../source/service/request-credentials.ts';
import {envelope, refused, type Sent, scriptedClock, scriptedUrl} from '../../service/scripted-transport.ts';

/** How a call goes wrong. `killed …`: ledge is gone from then on. The others say what the caller sees. */
export type Cut =
	| 'killed before'
	| 'killed after'
	| 'aborted'
	| 'reset before'
	| 'answer lost'
	| 'timed out'
	| '503 after'
	| '400';

export const cuts: readonly Cut[] = [
	'killed before',
	'killed after',
	'aborted',
	'reset before',
	'answer lost',
	'timed out',
	'503 after',
	'400',
];

export type Put = {readonly mode: string | null; readonly body: {readonly rules: readonly ConfiguredRule[]}};
export type FakeStage = 'start' | 'validation' | 'pending' | 'complete';

export const zone: MigrationZone = {
	id: '0123456789abcdef0123456789abcdef',
	name: 'acme.example',
	plan: 'enterprise',
	label: 'Acme › zone acme.example',
	account: 'a1',
};

const execute = (id: string, overrides?: object): ConfiguredRule =>
	({
		action: 'execute',
		expression: 'true',
		description: '',
		enabled: true,
		action_parameters: {id, ...(overrides && {overrides})},
	}) as ConfiguredRule;

export const proposal: ManagedConfiguration = {
	name: 'default',
	rules: [
		execute('efb7b8c949ac4650a09736fc376e9aee'),
		execute('4814384a9e5d4991b9815dcfc25d2f1f', {
			categories: [
				{category: 'paranoia-level-3', enabled: false},
				{category: 'paranoia-level-4', enabled: false},
			],
			rules: [{id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 40, action: 'log'}],
		}),
	],
};

export const edited: ManagedConfiguration = {...proposal, rules: proposal.rules.slice(0, 1)};
export const foreign: ManagedConfiguration = {
	name: 'default',
	rules: [execute('c2e184081120413c86c3ab7e14069605'), ...proposal.rules],
};

/** What a person has seen who reviews now: the proposal, and the entry point that was looked at last. */
export const shown = ({record}: {readonly record: MigrationRecord}): ReviewBasis => ({
	proposed: computeFingerprint(proposal),
	entryPoint: record.seen && getEntryPointMark(record.seen),
});

/** Milliseconds that the service takes to turn the previous version off. */
const migrationTime = 20_000;

/** A zone of a service, as far as a migration asks for it, on a clock that only waits move. */
export function createFakeZone({dryRun = false}: {readonly dryRun?: boolean} = {}) {
	const clock = scriptedClock();
	const truth = {
		stage: 'start' as FakeStage,
		compatible: true,
		proposal: proposal as ManagedConfiguration,
		entryPoint: undefined as {version: number; rules: readonly ConfiguredRule[]} | undefined,
		completesAt: Number.POSITIVE_INFINITY,
		/** Called for each call, before it is served: throws, hangs, or lets it through and says what comes of it. */
		onCall: (_call: {readonly number: number; readonly isPut: boolean}): Cut | undefined => undefined,
		/** Replaces what a reading shows, as an older replica of the service would. */
		shows: (_what: 'status' | 'entry point'): 'now' | 'before' => 'now',
		overrides: [] as object[],
		firewallRules: [] as object[],
		pageRules: [] as object[],
		/** Paths below the zone that are refused with 403. */
		withheld: [] as string[],
	};
	let before = {stage: truth.stage, entryPoint: truth.entryPoint};
	const puts: (Put & {readonly checked: boolean})[] = [];
	const planned: string[] = [];
	let number = 0;
	/** What the last compatibility check before a PUT said. */
	let checked = false;
	let stop: () => void = () => {};
	let gone = Promise.withResolvers<void>();

	const stored = (rules: readonly ConfiguredRule[]): readonly ConfiguredRule[] =>
		rules.map((rule, index) => ({
			...rule,
			id: `rule${index}`,
			ref: `rule${index}`,
			version: '1',
			...(rule.action === 'execute' && {
				action_parameters: {...rule.action_parameters, version: 'latest'},
			}),
		}));

	function save(configuration: Pick<ManagedConfiguration, 'rules'>, stage: FakeStage): void {
		before = {stage: truth.stage, entryPoint: truth.entryPoint};
		truth.entryPoint = {version: (truth.entryPoint?.version ?? 0) + 1, rules: stored(configuration.rules)};
		truth.stage = stage;
		truth.completesAt = stage === 'pending' ? clock.now() + migrationTime : Number.POSITIVE_INFINITY;
	}

	const ruleset = (entryPoint: typeof truth.entryPoint) =>
		entryPoint
			? envelope({
					id: 'entry1',
					name: 'default',
					kind: 'zone',
					phase: 'http_request_firewall_managed',
					version: String(entryPoint.version),
					rules: entryPoint.rules,
				})
			: refused(404, [{code: 10003, message: 'could not find entrypoint ruleset'}]);

	function serve({method, url, body}: Sent): Response {
		if (clock.now() >= truth.completesAt) truth.stage = 'complete';
		const {pathname, searchParams} = new URL(url);
		const path = pathname.slice(pathname.indexOf(zone.id) + zone.id.length + 1);
		if (truth.withheld.includes(path)) return refused(403, [{code: 9109, message: 'not allowed'}]);
		const shown = (what: 'status' | 'entry point') => (truth.shows(what) === 'now' ? truth : before);
		switch (path) {
			case 'waf_migration/check':
				checked = truth.compatible;
				return truth.compatible
					? envelope({compatible: true, migration_state: shown('status').stage})
					: envelope({compatible: false});
			case 'waf_migration/status': {
				const {stage} = shown('status');
				return envelope({
					migration_state: stage,
					new_waf_status: stage === 'start' ? 'disabled' : 'enabled',
					old_waf_status: stage === 'complete' ? 'disabled' : 'enabled',
				});
			}
			case 'waf_migration/config':
				return envelope({name: truth.proposal.name, rules: truth.proposal.rules});
			case 'rulesets/phases/http_request_firewall_managed/entrypoint': {
				if (method === 'GET') return ruleset(shown('entry point').entryPoint);
				const mode = searchParams.get('waf_migration');
				const put: Put = {mode, body: JSON.parse(String(body))};
				puts.push({...put, checked});
				if (truth.stage === 'complete' || truth.stage === 'pending')
					return refused(400, [{code: 1, message: 'the migration cannot be reversed'}]);
				if (!truth.compatible) return refused(400, [{code: 1, message: 'not compatible'}]);
				save(put.body, mode === 'validation' ? 'validation' : 'pending');
				return ruleset(truth.entryPoint);
			}
			case 'settings/waf':
				return envelope({id: 'waf', value: 'on', editable: true});
			case 'firewall/waf/overrides':
				return envelope(truth.overrides);
			case 'firewall/rules':
				return envelope(truth.firewallRules);
			case 'pagerules':
				return envelope(truth.pageRules);
			default:
				return envelope([]);
		}
	}

	const lost = () => new Failure('connection_lost', 'The connection broke in the middle of an answer.');

	const client = createClient({
		baseUrl: scriptedUrl,
		credentials: createFixedCredentials({Authorization: 'Bearer s3cret-token'}),
		credentialVariables: [],
		userAgent: 'ledge/test',
		clock,
		dryRun,
		events: {planned: call => void planned.push(call.url)},
		transport: async () => async request => {
			const isPut = request.method === 'PUT';
			const cut = truth.onCall({number: ++number, isPut});
			const wire = async (answer: Response) => ({
				status: answer.status,
				headers: answer.headers,
				bytes: new Uint8Array(await answer.arrayBuffer()),
			});
			switch (cut) {
				case undefined:
					return wire(serve(request));
				case 'killed before':
					return die();
				case 'killed after':
					serve(request);
					return die();
				case 'aborted':
					serve(request);
					stop();
					throw lost();
				case 'reset before':
					throw lost();
				case 'answer lost':
					serve(request);
					throw lost();
				case 'timed out':
					serve(request);
					throw new Failure('timed_out', 'No answer in time.');
				case '503 after':
					serve(request);
					return wire(refused(503, []));
				case '400':
					return wire(refused(400, [{code: 1, message: 'no'}]));
				default:
					return cut satisfies never;
			}
		},
	});

	/** What a killed process does from then on. */
	function die(): Promise<never> {
		gone.resolve();
		return new Promise<never>(() => {});
	}

	return {
		client,
		clock,
		truth,
		puts: puts as readonly (typeof puts)[number][],
		planned: planned as readonly string[],
		calls: () => number,
		die,
		/** Someone else, in the dashboard. */
		save,
		/** Runs something as a process that a cut may kill or interrupt. */
		async process<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | 'killed'> {
			const controller = new AbortController();
			stop = () => controller.abort();
			gone = Promise.withResolvers<void>();
			return Promise.race([work(controller.signal), gone.promise.then(() => 'killed' as const)]);
		},
	};
}

export type FakeZone = ReturnType<typeof createFakeZone>;
