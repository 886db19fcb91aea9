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
import {
	buildEnvelope,
	buildErrorResponse,
	createScriptedClock,
	type SentRequest,
	scriptedUrl,
} from '../../service/scripted-transport.ts';

/** How a call goes wrong. `killed …`: ledge is killed at this call. The others say what the caller sees. */
export type CallCut =
	| 'killed before'
	| 'killed after'
	| 'aborted'
	| 'reset before'
	| 'answer lost'
	| 'timed out'
	| '503 after'
	| '400';

export const callCuts: readonly CallCut[] = [
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

const createProposedRule = (id: string, overrides?: object): ConfiguredRule =>
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
		createProposedRule('efb7b8c949ac4650a09736fc376e9aee'),
		createProposedRule('4814384a9e5d4991b9815dcfc25d2f1f', {
			categories: [
				{category: 'paranoia-level-3', enabled: false},
				{category: 'paranoia-level-4', enabled: false},
			],
			rules: [{id: '6179ae15870a4bb7b2d480d4843b323c', score_threshold: 40, action: 'log'}],
		}),
	],
};

export const editedProposal: ManagedConfiguration = {...proposal, rules: proposal.rules.slice(0, 1)};
export const foreignConfiguration: ManagedConfiguration = {
	name: 'default',
	rules: [createProposedRule('c2e184081120413c86c3ab7e14069605'), ...proposal.rules],
};

/** The basis of a review made now: the proposal, and the entry point as last read. */
export const createReviewBasis = ({record}: {readonly record: MigrationRecord}): ReviewBasis => ({
	proposed: computeFingerprint(proposal),
	entryPoint: record.seen && getEntryPointMark(record.seen),
});

/** Milliseconds until the service has turned off the previous version. */
const migrationTime = 20_000;

/** A service with one zone and the routes that a migration uses, on a clock that only waits advance. */
export function createFakeZone({dryRun = false}: {readonly dryRun?: boolean} = {}) {
	const clock = createScriptedClock();
	const truth = {
		stage: 'start' as FakeStage,
		compatible: true,
		proposal: proposal as ManagedConfiguration,
		entryPoint: undefined as {version: number; rules: readonly ConfiguredRule[]} | undefined,
		completesAt: Number.POSITIVE_INFINITY,
		/** Called for each call before it is served. Returns how the call goes wrong, if it does. */
		onCall: (_call: {readonly number: number; readonly isPut: boolean}): CallCut | undefined => undefined,
		/** Which state a reading shows; `before` is that of an outdated replica. */
		chooseShown: (_what: 'status' | 'entry point'): 'now' | 'before' => 'now',
		overrides: [] as object[],
		firewallRules: [] as object[],
		pageRules: [] as object[],
		/** Paths below the zone that get 403. */
		forbiddenPaths: [] as string[],
	};
	const versions = new Map<number, typeof truth.entryPoint>();
	let previousState = {stage: truth.stage, entryPoint: truth.entryPoint};
	const puts: (Put & {readonly checked: boolean})[] = [];
	const plannedUrls: string[] = [];
	let callCount = 0;
	/** The result of the last compatibility check. */
	let checkedCompatible = false;
	let abortProcess: () => void = () => {};
	let killSignal = Promise.withResolvers<void>();

	const toStoredRules = (rules: readonly ConfiguredRule[]): readonly ConfiguredRule[] =>
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
		previousState = {stage: truth.stage, entryPoint: truth.entryPoint};
		truth.entryPoint = {
			version: (truth.entryPoint?.version ?? 0) + 1,
			rules: toStoredRules(configuration.rules),
		};
		versions.set(truth.entryPoint.version, truth.entryPoint);
		truth.stage = stage;
		truth.completesAt = stage === 'pending' ? clock.now() + migrationTime : Number.POSITIVE_INFINITY;
	}

	const respondWithRuleset = (entryPoint: typeof truth.entryPoint) =>
		entryPoint
			? buildEnvelope({
					id: 'entry1',
					name: 'default',
					kind: 'zone',
					phase: 'http_request_firewall_managed',
					version: String(entryPoint.version),
					rules: entryPoint.rules,
				})
			: buildErrorResponse(404, [{code: 10003, message: 'could not find entrypoint ruleset'}]);

	function serve({method, url, body}: SentRequest): Response {
		if (clock.now() >= truth.completesAt) truth.stage = 'complete';
		const {pathname, searchParams} = new URL(url);
		const path = pathname.slice(pathname.indexOf(zone.id) + zone.id.length + 1);
		if (truth.forbiddenPaths.includes(path))
			return buildErrorResponse(403, [{code: 9109, message: 'not allowed'}]);
		const [, version] = /^rulesets\/entry1\/versions\/(\d+)$/.exec(path) ?? [];
		if (version !== undefined) return respondWithRuleset(versions.get(Number(version)));
		const getShownState = (what: 'status' | 'entry point') =>
			truth.chooseShown(what) === 'now' ? truth : previousState;
		switch (path) {
			case 'waf_migration/check':
				checkedCompatible = truth.compatible;
				return truth.compatible
					? buildEnvelope({compatible: true, migration_state: getShownState('status').stage})
					: buildEnvelope({compatible: false});
			case 'waf_migration/status': {
				const {stage} = getShownState('status');
				return buildEnvelope({
					migration_state: stage,
					new_waf_status: stage === 'start' ? 'disabled' : 'enabled',
					old_waf_status: stage === 'complete' ? 'disabled' : 'enabled',
				});
			}
			case 'waf_migration/config':
				return buildEnvelope({name: truth.proposal.name, rules: truth.proposal.rules});
			case 'rulesets/phases/http_request_firewall_managed/entrypoint': {
				if (method === 'GET') return respondWithRuleset(getShownState('entry point').entryPoint);
				const mode = searchParams.get('waf_migration');
				const put: Put = {mode, body: JSON.parse(String(body))};
				puts.push({...put, checked: checkedCompatible});
				if (truth.stage === 'complete' || truth.stage === 'pending')
					return buildErrorResponse(400, [{code: 1, message: 'the migration cannot be reversed'}]);
				if (!truth.compatible) return buildErrorResponse(400, [{code: 1, message: 'not compatible'}]);
				save(put.body, mode === 'validation' ? 'validation' : 'pending');
				return respondWithRuleset(truth.entryPoint);
			}
			case 'settings/waf':
				return buildEnvelope({id: 'waf', value: 'on', editable: true});
			case 'firewall/waf/overrides':
				return buildEnvelope(truth.overrides);
			case 'firewall/rules':
				return buildEnvelope(truth.firewallRules);
			case 'pagerules':
				return buildEnvelope(truth.pageRules);
			default:
				return buildEnvelope([]);
		}
	}

	const createConnectionLoss = () =>
		new Failure('connection_lost', 'The connection broke in the middle of an answer.');

	const client = createClient({
		baseUrl: scriptedUrl,
		credentials: createFixedCredentials({Authorization: 'Bearer s3cret-token'}),
		credentialVariables: [],
		userAgent: 'ledge/test',
		clock,
		dryRun,
		events: {planned: call => void plannedUrls.push(call.url)},
		transport: async () => async request => {
			const isPut = request.method === 'PUT';
			const cut = truth.onCall({number: ++callCount, isPut});
			const toTransportResponse = async (answer: Response) => ({
				status: answer.status,
				headers: answer.headers,
				bytes: new Uint8Array(await answer.arrayBuffer()),
			});
			switch (cut) {
				case undefined:
					return toTransportResponse(serve(request));
				case 'killed before':
					return die();
				case 'killed after':
					serve(request);
					return die();
				case 'aborted':
					serve(request);
					abortProcess();
					throw createConnectionLoss();
				case 'reset before':
					throw createConnectionLoss();
				case 'answer lost':
					serve(request);
					throw createConnectionLoss();
				case 'timed out':
					serve(request);
					throw new Failure('timed_out', 'No answer in time.');
				case '503 after':
					serve(request);
					return toTransportResponse(buildErrorResponse(503, []));
				case '400':
					return toTransportResponse(buildErrorResponse(400, [{code: 1, message: 'no'}]));
				default:
					return cut satisfies never;
			}
		},
	});

	/** Ends `runProcess` with `killed`; the killed work never continues. */
	function die(): Promise<never> {
		killSignal.resolve();
		return new Promise<never>(() => {});
	}

	return {
		client,
		clock,
		truth,
		puts: puts as readonly (typeof puts)[number][],
		plannedUrls: plannedUrls as readonly string[],
		countCalls: () => callCount,
		die,
		/** Saves a configuration as someone else, in the dashboard. */
		save,
		/** Runs `work` as a process that a cut may kill or interrupt. */
		async runProcess<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | 'killed'> {
			const controller = new AbortController();
			abortProcess = () => controller.abort();
			killSignal = Promise.withResolvers<void>();
			return Promise.race([work(controller.signal), killSignal.promise.then(() => 'killed' as const)]);
		},
	};
}

export type FakeZone = ReturnType<typeof createFakeZone>;
