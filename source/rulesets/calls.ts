import type {Client} from '../service/client.ts';
import {readIfPresent, readResult} from '../service/read-result.ts';
import {readList} from '../service/response-fields.ts';
import type {JsonObject} from '../text/json.ts';
import {buildEditRequest, type RulesetEdit} from './edit.ts';
import {getEntryPointPath, getRulesetsPath} from './paths.ts';
import {type Ruleset, type RulesetPhase, readRuleset} from './ruleset.ts';

/** Reads the entry point of a phase in a zone, if it has one. */
export function readRulesetEntryPoint(
	client: Client,
	zoneId: string,
	phase: RulesetPhase,
	signal: AbortSignal,
): Promise<Ruleset | undefined> {
	return readIfPresent(async () =>
		readRuleset(await readRulesetResult(client, getEntryPointPath(zoneId, phase), signal)),
	);
}

/** Lists the versions of a ruleset that the service keeps, without rules, in its order. */
export async function listRulesetVersions(
	client: Client,
	zoneId: string,
	rulesetId: string,
	signal: AbortSignal,
): Promise<readonly Ruleset[]> {
	const result = await readRulesetResult(client, getRulesetsPath(zoneId, rulesetId, 'versions'), signal);
	return readList(result, 'a version of a ruleset', readRuleset);
}

/** Reads one version of a ruleset with its rules; undefined if the service does not keep it. */
export function readRulesetVersion(
	client: Client,
	zoneId: string,
	rulesetId: string,
	version: string,
	signal: AbortSignal,
): Promise<Ruleset | undefined> {
	return readIfPresent(async () =>
		readRuleset(
			await readRulesetResult(client, getRulesetsPath(zoneId, rulesetId, 'versions', version), signal),
		),
	);
}

/**
 * Sends an edit of an entry point and returns the whole ruleset. Never retries and never starts a migration.
 * `entryPoint` is the one that was read, undefined if the zone has none.
 */
export async function sendEdit(
	client: Client,
	zoneId: string,
	phase: RulesetPhase,
	entryPoint: Ruleset | undefined,
	edit: RulesetEdit,
	signal: AbortSignal,
): Promise<Ruleset> {
	const request = buildEditRequest(zoneId, phase, entryPoint, edit);
	const {method, path, body} = request;
	const {result} = await client.call(
		{
			method,
			path,
			...(body !== undefined && {body: {kind: 'json', value: body}}),
			repeat: 'never',
			writes: true,
			responseLimit: 'listing',
			dryRunResult: buildDryRunRuleset(phase, entryPoint, body),
			async askService() {
				const {askServiceAboutChange} = await import('./ask-service.ts');
				return askServiceAboutChange(client, zoneId, phase, request, signal);
			},
		},
		signal,
	);
	return readRuleset(result);
}

const readRulesetResult = (client: Client, path: string, signal: AbortSignal): Promise<unknown> =>
	readResult(client, {path, responseLimit: 'listing'}, signal);

/**
 * Builds the ruleset that a dry run returns instead of a response. Its id appears in the requests that would
 * follow.
 */
const buildDryRunRuleset = (phase: RulesetPhase, entryPoint: Ruleset | undefined, body: unknown) => ({
	name: 'default',
	kind: 'zone',
	phase,
	version: '1',
	rules: [],
	...entryPoint,
	...(entryPoint ? {} : {id: '<id from step 1>', ...(body as JsonObject)}),
});
