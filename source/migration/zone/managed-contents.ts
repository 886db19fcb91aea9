import {Failure, toFailure} from '../../failure.ts';
import {getRulesetsPath} from '../../rulesets/paths.ts';
import {managedPhase} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {checkPageCount} from '../../service/paging.ts';
import {createMalformedFailure, readList, requireText} from '../../service/response-fields.ts';
import {filterObjects, isJsonObject, type JsonObject} from '../../text/json.ts';
import {readConcurrently} from './concurrent.ts';
import {readResultWithExactNumbers} from './requests.ts';
import {toFailureIfWithheld} from './withheld.ts';

/** A rule of a managed ruleset, with its defaults. */
export type ManagedRule = {
	readonly id: string;
	readonly description: string;
	readonly categories: readonly string[];
	/** The default action. A rule of OWASP only adds to the score. */
	readonly action: string;
	/** True if the rule is on by default. */
	readonly enabled: boolean;
	/** Set only for the OWASP rule that acts on the total score. */
	readonly score_threshold?: number;
};

/** A managed ruleset that a zone can execute. It has no `rules` if they cannot be read. */
export type ManagedContents = {
	readonly id: string;
	readonly name: string;
	/** A decimal number as text. Undefined if the list does not report it. */
	readonly version?: string;
	readonly rules?: readonly ManagedRule[];
};

type ListedRuleset = Omit<ManagedContents, 'rules'>;

/** More pages than any zone has. */
const maxPages = 20;

/**
 * Reads the managed rulesets that a zone can execute, with their rules. Throws if the list cannot be read. A
 * ruleset that the service withholds has no `rules`.
 */
export async function readManagedContents(
	client: Client,
	zoneId: string,
	signal: AbortSignal,
): Promise<readonly ManagedContents[]> {
	const rulesets = await listManagedRulesets(client, zoneId, signal);
	return readConcurrently<readonly ManagedContents[]>(
		signal,
		rulesets.map(one => async (childSignal: AbortSignal): Promise<ManagedContents> => {
			const rules = await readRulesetRules(client, zoneId, one.id, childSignal);
			return {...one, ...(rules && {rules})};
		}),
	);
}

/**
 * Like `readManagedContents`, but returns a failure. Throws if interrupted or if the credential is refused.
 */
export async function tryReadManagedContents(
	client: Client,
	zoneId: string,
	signal: AbortSignal,
): Promise<readonly ManagedContents[] | Failure> {
	try {
		return await readManagedContents(client, zoneId, signal);
	} catch (error) {
		const failure = toFailure(error);
		if (failure.code === 'interrupted' || failure.details.http === 401) throw failure;
		return failure;
	}
}

async function listManagedRulesets(
	client: Client,
	zoneId: string,
	signal: AbortSignal,
): Promise<readonly ListedRuleset[]> {
	const rulesetsById = new Map<string, ListedRuleset>();
	let cursor: string | undefined;
	for (let page = 0; page < maxPages; page++) {
		const {result, info} = await client.call(
			{
				method: 'GET',
				path: getRulesetsPath(zoneId),
				...(cursor && {query: {cursor}}),
				repeat: 'always',
				writes: false,
				responseLimit: 'listing',
			},
			signal,
		);
		const rulesets = readList(result, 'a ruleset', one => one as JsonObject);
		checkPageCount(info, rulesets.length);
		for (const item of rulesets) {
			const {name, kind, phase, version} = item;
			const id = requireText(item, 'id', 'a ruleset');
			if (kind === 'managed' && phase === managedPhase)
				rulesetsById.set(id, {
					id,
					name: typeof name === 'string' ? name : id,
					...(typeof version === 'string' && {version}),
				});
		}
		if (!info.cursor || info.cursor === cursor) return [...rulesetsById.values()];
		cursor = info.cursor;
	}
	throw createMalformedFailure('end of the list of rulesets');
}

async function readRulesetRules(
	client: Client,
	zoneId: string,
	id: string,
	signal: AbortSignal,
): Promise<readonly ManagedRule[] | undefined> {
	const result = await toFailureIfWithheld(
		readResultWithExactNumbers(client, getRulesetsPath(zoneId, id), {}, signal),
	);
	if (result instanceof Failure) return undefined;
	if (!isJsonObject(result)) throw createMalformedFailure('managed ruleset');
	const rules = filterObjects(result.rules).flatMap(parseManagedRule);
	return rules.length === 0 ? undefined : rules;
}

function parseManagedRule({id, description, categories, ...rule}: JsonObject): ManagedRule[] {
	if (typeof id !== 'string') return [];
	const {action, enabled, score_threshold: scoreThreshold} = rule;
	return [
		{
			id,
			description: typeof description === 'string' ? description : '',
			categories: Array.isArray(categories) ? categories.filter(one => typeof one === 'string') : [],
			action: typeof action === 'string' ? action : '',
			enabled: enabled !== false,
			...(typeof scoreThreshold === 'number' && {score_threshold: scoreThreshold}),
		},
	];
}
