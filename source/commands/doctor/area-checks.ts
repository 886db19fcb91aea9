import {buildLimitsQuery, type Dataset, getPlanSettings} from '../../analytics/datasets.ts';
import {classifyQueryError, type ProblemKind, toProblem} from '../../analytics/problem.ts';
import type {Failure} from '../../failure.ts';
import {getFiltersPath, getFirewallRulesPath} from '../../firewall/paths.ts';
import {buildNamespacesPath} from '../../kv/namespaces.ts';
import {buildListsPath} from '../../lists/account-lists.ts';
import {getCheckPath, getPackagesPath} from '../../migration/zone/paths.ts';
import {phaseTwoQuery} from '../../migration/zone/requests.ts';
import {isWithoutManagedRules} from '../../migration/zone/withheld.ts';
import {getEntryPointPath} from '../../rulesets/paths.ts';
import {customPhase, managedPhase, rateLimitPhase} from '../../rulesets/ruleset.ts';
import type {Call} from '../../service/call.ts';
import {isAbsent} from '../../service/outcome.ts';
import {type AnswerShape, answerShapes} from './answer-shapes.ts';
import type {Check, CheckResult} from './check.ts';
import {describeFailedCall} from './failed-call.ts';
import {
	findReadPermission,
	judgeAnswer,
	type Prober,
	readForCheck,
	repeatWhenLost,
	runProbe,
} from './probe.ts';
import type {CheckedZone} from './sign-in-checks.ts';

/** An area of the service: one read tells whether it works. */
type Area = {
	readonly name: string;
	readonly title: string;
	/** What has to be known before it can be read. */
	readonly owner: 'account' | 'zone';
	readonly permission?: string;
	readonly read: ((id: string) => AreaRead) | {readonly dataset: Dataset};
	/** `old firewall` and `old managed rules` are APIs that the service retires, zone by zone. */
	readonly kind?: 'old firewall' | 'old managed rules' | 'entry point';
};

type AreaRead = {
	readonly path: string;
	readonly query?: Readonly<Record<string, number>>;
	readonly shape: AnswerShape;
};

const firstPage = {page: 1, per_page: 50};

const buildEntryPointRead =
	(phase: Parameters<typeof getEntryPointPath>[1], shape: AnswerShape) =>
	(id: string): AreaRead => ({path: getEntryPointPath(id, phase), shape});

const areas: readonly Area[] = [
	{
		name: 'kv',
		title: 'key-value store',
		owner: 'account',
		read: id => ({path: buildNamespacesPath(id), query: firstPage, shape: answerShapes.namespaces}),
	},
	{
		name: 'kvMetrics',
		title: 'store metrics',
		owner: 'account',
		permission: 'Account → Account Analytics → Read',
		read: {dataset: 'kvStorageAdaptiveGroups'},
	},
	{
		name: 'lists',
		title: 'lists',
		owner: 'account',
		read: id => ({path: buildListsPath(id), shape: answerShapes.lists}),
	},
	{
		name: 'filters',
		title: 'filters',
		owner: 'zone',
		kind: 'old firewall',
		read: id => ({path: getFiltersPath(id), query: firstPage, shape: answerShapes.filters}),
	},
	{
		name: 'firewallRules',
		title: 'firewall rules',
		owner: 'zone',
		kind: 'old firewall',
		read: id => ({path: getFirewallRulesPath(id), query: firstPage, shape: answerShapes.firewallRules}),
	},
	{
		name: 'customRules',
		title: 'custom rules',
		owner: 'zone',
		kind: 'entry point',
		read: buildEntryPointRead(customPhase, answerShapes.ruleset),
	},
	{
		name: 'rateLimits',
		title: 'rate limits',
		owner: 'zone',
		kind: 'entry point',
		read: buildEntryPointRead(rateLimitPhase, answerShapes.rateLimits),
	},
	{
		name: 'managedRules',
		title: 'managed rules',
		owner: 'zone',
		kind: 'entry point',
		read: buildEntryPointRead(managedPhase, answerShapes.ruleset),
	},
	{
		name: 'migration',
		title: 'migration',
		owner: 'zone',
		kind: 'old managed rules',
		// The service documents none. The simulated service, and users, go by that of rulesets.
		permission: 'Zone → WAF → Read',
		read: id => ({path: getCheckPath(id), query: phaseTwoQuery, shape: answerShapes.migrationCheck}),
	},
	{
		name: 'previousRules',
		title: 'previous rules',
		owner: 'zone',
		kind: 'old managed rules',
		read: id => ({path: getPackagesPath(id), query: firstPage, shape: answerShapes.packages}),
	},
	{
		name: 'events',
		title: 'security events',
		owner: 'zone',
		permission: 'Zone → Analytics → Read',
		read: {dataset: 'firewallEventsAdaptiveGroups'},
	},
];

/** Checks every area with one read each. Without an account or a zone, its areas are skipped. */
export const checkAreas = (
	prober: Prober,
	accountId: string | undefined,
	zone: CheckedZone | undefined,
): Promise<readonly Check[]> =>
	Promise.all(
		areas.map(area => {
			const id = area.owner === 'account' ? accountId : zone?.id;
			return id === undefined
				? skipArea(area, `no ${area.owner} selected`)
				: checkArea(prober, area, id, zone);
		}),
	);

export const skipAllAreas = (why: string): readonly Check[] => areas.map(area => skipArea(area, why));

const skipArea = ({name, title}: Area, why: string): Check => ({
	name,
	title,
	state: 'skipped',
	finding: `not checked: ${why}`,
});

function checkArea(
	prober: Prober,
	{read, kind, ...area}: Area,
	id: string,
	zone: CheckedZone | undefined,
): Promise<Check> {
	if (typeof read !== 'function')
		return runProbe(prober, area, () => queryLimits(prober, area, read.dataset, id));
	const {path, query, shape} = read(id);
	const permission = area.permission ?? findReadPermission(path);
	return runProbe(
		prober,
		{...area, permission},
		async () => judgeAnswer(await readForCheck(prober, path, query), shape, 'read works'),
		failure => explainExpectedFailure(failure, kind, zone, permission),
	);
}

/** Explains an expected failure: no ruleset yet, the Free plan, or a retired API. Undefined for any other. */
function explainExpectedFailure(
	failure: Failure,
	kind: Area['kind'],
	zone: CheckedZone | undefined,
	permission: string | undefined,
): CheckResult | undefined {
	const described = describeFailedCall(failure, permission);
	if (kind === 'entry point' && isAbsent(failure)) return {state: 'ok', finding: 'read works, no rules yet'};
	if (kind === 'old managed rules' && zone && isWithoutManagedRules({plan: zone.plan}, failure))
		return {...described, state: 'note', finding: 'none on the Free plan', next: undefined};
	if (kind === 'old firewall' && failure.code === 'gone')
		return {...described, state: 'note', next: 'Use custom rules instead: ledge rules.'};
	if (kind === 'old managed rules' && failure.code === 'gone')
		return {...described, state: 'note', next: 'Use the new managed rules: ledge managed.'};
	if (kind?.startsWith('old') && failure.details.http === 504)
		return {
			...described,
			state: 'note',
			finding: 'no answer from the old API (HTTP 504), which is in retirement',
			next: undefined,
		};
	return undefined;
}

const findings: Partial<Record<ProblemKind, Pick<CheckResult, 'state' | 'finding'>>> = {
	'not here': {state: 'note', finding: 'not available from this service'},
	'not in plan': {state: 'note', finding: 'not in this plan'},
	'no budget': {state: 'failed', finding: 'throttled: too many queries'},
	busy: {state: 'failed', finding: 'too many queries at the same time'},
};

/** Reads the plan limits of a dataset: a query, sent with POST, that changes nothing and returns no figures. */
async function queryLimits(
	{client, limitedSignal}: Prober,
	{permission}: Pick<Area, 'permission'>,
	dataset: Dataset,
	id: string,
): Promise<CheckResult> {
	const call: Call = {
		method: 'POST',
		path: '/graphql',
		body: {kind: 'json', value: {query: buildLimitsQuery(dataset, id), variables: {}}},
		repeat: 'never',
		writes: false,
	};
	const {status, data, errors} = await repeatWhenLost(() => client.query(call, limitedSignal)).catch(
		(failure: Failure) => {
			if (toProblem(failure).kind !== 'not here') throw failure;
			return {status: failure.details.http ?? 404, data: undefined, errors: [{message: '', path: []}]};
		},
	);
	const [error] = errors;
	if (error) {
		const {kind} = classifyQueryError(error, status);
		if (kind === 'not allowed')
			return {
				state: 'failed',
				finding: 'not permitted',
				http: status,
				next: permission && `Add the permission ${permission} to the token.`,
			};
		return {...(findings[kind] ?? {state: 'failed', finding: `the query failed: ${kind}`}), http: status};
	}
	const settings = getPlanSettings(data, dataset);
	if (!settings) return {state: 'failed', finding: 'the answer lacks what ledge needs', http: status};
	return settings.enabled === false
		? {state: 'note', finding: 'not in this plan'}
		: {state: 'ok', finding: 'read works'};
}
