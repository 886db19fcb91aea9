import {asFailure, Failure} from '../../failure.ts';
import {rulesetsPath} from '../../rulesets/paths.ts';
import {managedPhase} from '../../rulesets/ruleset.ts';
import type {Client} from '../../service/client.ts';
import {checkPageCount} from '../../service/paging.ts';
import {malformed, readList, text} from '../../service/reading.ts';
import {isJsonObject, type JsonObject, objects} from '../../text/json.ts';
import {together} from './concurrent.ts';
import {get} from './requests.ts';
import {orWithheld} from './unavailable.ts';

/** A rule of a managed ruleset, with its defaults. */
export type ManagedRule = {
	readonly id: string;
	readonly description: string;
	readonly categories: readonly string[];
	/** Default action; a rule of OWASP only adds to the score. */
	readonly action: string;
	/** True if the rule is on by default. */
	readonly enabled: boolean;
	/** Only set for the OWASP rule that adds up the scores. */
	readonly score_threshold?: number;
};

/** A managed ruleset that a zone can execute; without `rules` if they cannot be read. */
export type ManagedContents = {
	readonly id: string;
	readonly name: string;
	/** A decimal number as text, if the list contains one. */
	readonly version?: string;
	readonly rules?: readonly ManagedRule[];
};

type Listed = Omit<ManagedContents, 'rules'>;

/** More than the pages of any zone. */
const mostPages = 20;

/**
 * Reads the managed rulesets that a zone can execute, with their rules. Throws if the list cannot be read; a
 * ruleset withheld by the service has no `rules`.
 */
export async function readManagedContents(
	client: Client,
	zone: string,
	signal: AbortSignal,
): Promise<readonly ManagedContents[]> {
	const listed = await listManaged(client, zone, signal);
	return together<readonly ManagedContents[]>(
		signal,
		listed.map(one => async (within: AbortSignal): Promise<ManagedContents> => {
			const rules = await rulesOf(client, zone, one.id, within);
			return {...one, ...(rules && {rules})};
		}),
	);
}

/**
 * Like `readManagedContents`, but returns a failure. Throws if interrupted or if the credential is refused.
 */
export async function tryManagedContents(
	client: Client,
	zone: string,
	signal: AbortSignal,
): Promise<readonly ManagedContents[] | Failure> {
	try {
		return await readManagedContents(client, zone, signal);
	} catch (error) {
		const failure = asFailure(error);
		if (failure.code === 'interrupted' || failure.details.http === 401) throw failure;
		return failure;
	}
}

async function listManaged(client: Client, zone: string, signal: AbortSignal): Promise<readonly Listed[]> {
	const found = new Map<string, Listed>();
	let cursor: string | undefined;
	for (let page = 0; page < mostPages; page++) {
		const {result, info} = await client.call(
			{
				method: 'GET',
				path: rulesetsPath(zone),
				...(cursor && {query: {cursor}}),
				repeat: 'always',
				writes: false,
				answers: 'listing',
			},
			signal,
		);
		const rulesets = readList(result, 'a ruleset', one => one as JsonObject);
		checkPageCount(info, rulesets.length);
		for (const item of rulesets) {
			const {name, kind, phase, version} = item;
			const id = text(item, 'id', 'a ruleset');
			if (kind === 'managed' && phase === managedPhase)
				found.set(id, {
					id,
					name: typeof name === 'string' ? name : id,
					...(typeof version === 'string' && {version}),
				});
		}
		if (!info.cursor || info.cursor === cursor) return [...found.values()];
		cursor = info.cursor;
	}
	throw malformed('end of the list of rulesets');
}

async function rulesOf(
	client: Client,
	zone: string,
	id: string,
	signal: AbortSignal,
): Promise<readonly ManagedRule[] | undefined> {
	const result = await orWithheld(get(client, rulesetsPath(zone, id), {}, signal));
	if (result instanceof Failure) return undefined;
	if (!isJsonObject(result)) throw malformed('managed ruleset');
	const rules = objects(result.rules).flatMap(managedRule);
	return rules.length === 0 ? undefined : rules;
}

function managedRule({id, description, categories, ...rule}: JsonObject): ManagedRule[] {
	if (typeof id !== 'string') return [];
	const {action, enabled, score_threshold: score} = rule;
	return [
		{
			id,
			description: typeof description === 'string' ? description : '',
			categories: Array.isArray(categories) ? categories.filter(one => typeof one === 'string') : [],
			action: typeof action === 'string' ? action : '',
			enabled: enabled !== false,
			...(typeof score === 'number' && {score_threshold: score}),
		},
	];
}
