import type {Client} from '../service/client.ts';
import {readIfPresent, readResult} from '../service/read-result.ts';
import {readList} from '../service/reading.ts';
import type {JsonObject} from '../text/json.ts';
import {buildEditRequest, type RulesetEdit} from './edit.ts';
import {getEntryPointPath, getRulesetsPath} from './paths.ts';
import {type ReadPhase, type Ruleset, readRuleset, type WritablePhase} from './ruleset.ts';

/** Reads the entry point of a phase in a zone, if it has one. */
export function readRulesetEntryPoint(
	client: Client,
	zone: string,
	phase: ReadPhase,
	signal: AbortSignal,
): Promise<Ruleset | undefined> {
	return readIfPresent(async () =>
		readRuleset(await readRulesetResult(client, getEntryPointPath(zone, phase), signal)),
	);
}

/** Lists the versions of a ruleset that the service keeps, without rules, in its order. */
export async function listRulesetVersions(
	client: Client,
	zone: string,
	rulesetId: string,
	signal: AbortSignal,
): Promise<readonly Ruleset[]> {
	const result = await readRulesetResult(client, getRulesetsPath(zone, rulesetId, 'versions'), signal);
	return readList(result, 'a version of a ruleset', readRuleset);
}

/** Reads one version of a ruleset with its rules; undefined if the service does not keep it. */
export function readRulesetVersion(
	client: Client,
	zone: string,
	rulesetId: string,
	version: string,
	signal: AbortSignal,
): Promise<Ruleset | undefined> {
	return readIfPresent(async () =>
		readRuleset(
			await readRulesetResult(client, getRulesetsPath(zone, rulesetId, 'versions', version), signal),
		),
	);
}

/**
 * Sends an edit of an entry point and returns the whole ruleset. Never retries and never starts a migration.
 * `entryPoint` is the one that was read, undefined if the zone has none.
 */
export async function sendEdit(
	client: Client,
	zone: string,
	phase: WritablePhase,
	current: Ruleset | undefined,
	edit: RulesetEdit,
	signal: AbortSignal,
): Promise<Ruleset> {
	const {method, path, body} = buildEditRequest(zone, phase, current, edit);
	const {result} = await client.call(
		{
			method,
			path,
			...(body !== undefined && {body: {kind: 'json', value: body}}),
			repeat: 'never',
			writes: true,
			answers: 'listing',
			pretend: buildDryRunRuleset(phase, current, body),
		},
		signal,
	);
	return readRuleset(result);
}

const readRulesetResult = (client: Client, path: string, signal: AbortSignal): Promise<unknown> =>
	readResult(client, {path, answers: 'listing'}, signal);

/**
 * Builds the ruleset that a dry run returns instead of a response. Its id appears in the requests that would
 * follow.
 */
const buildDryRunRuleset = (phase: WritablePhase, current: Ruleset | undefined, body: unknown) => ({
	name: 'default',
	kind: 'zone',
	phase,
	version: '1',
	rules: [],
	...current,
	...(current ? {} : {id: '<id from step 1>', ...(body as JsonObject)}),
});
