import {Failure} from '../failure.ts';
import type {Call} from '../service/call.ts';
import type {Client} from '../service/client.ts';
import {isAbsent} from '../service/outcome.ts';
import {advice, ledge} from '../text/advice.ts';
import {readRuleset} from './read-ruleset.ts';
import {customPhase, type Phase, type Ruleset, type RulesetRule} from './ruleset.ts';

/** Where a rule goes in its ruleset; `index` counts from 1, and an empty id is the beginning or the end. */
type Position = {readonly index: number} | {readonly before: string} | {readonly after: string};

/** A ruleset to be made: the entry point of a phase, as its kind is `zone`. */
type RulesetDraft = {
	readonly name: string;
	readonly phase: typeof customPhase;
	readonly description?: string | undefined;
	readonly rules: readonly RulesetRule[];
};

/** The path of the rulesets of a zone, and of one below it. Ids are never taken as they are. */
export const rulesetsPath = (zone: string, ...segments: readonly string[]): string =>
	['', 'zones', segment(zone), 'rulesets', ...segments.map(segment)].join('/');

export const entryPointPath = (zone: string, phase: Phase): string =>
	rulesetsPath(zone, 'phases', phase, 'entrypoint');

/** The ruleset at which a phase begins in a zone; `undefined` where there is none yet. */
export async function entryPoint(
	client: Client,
	zone: string,
	phase: Phase,
	signal: AbortSignal,
): Promise<Ruleset | undefined> {
	try {
		return await read(client, entryPointPath(zone, phase), signal);
	} catch (error) {
		if (isAbsent(error)) return undefined;
		throw error;
	}
}

export const rulesetById = (
	client: Client,
	zone: string,
	id: string,
	signal: AbortSignal,
): Promise<Ruleset> => read(client, rulesetsPath(zone, id), signal);

/** Makes the entry point of a phase, with its rules. Never repeated by itself; refused where there is one already. */
export function createRuleset(
	client: Client,
	zone: string,
	draft: RulesetDraft,
	signal: AbortSignal,
): Promise<Ruleset> {
	const value = {...draft, kind: 'zone'};
	return write(client, {method: 'POST', path: rulesetsPath(zone), value, pretend: pretended(value)}, signal);
}

/** Puts one more rule into a ruleset, at its end where no position is given, and returns all of it. Never repeated by itself. */
export function addRule(
	client: Client,
	zone: string,
	ruleset: string,
	rule: RulesetRule,
	{position}: {readonly position?: Position | undefined},
	signal: AbortSignal,
): Promise<Ruleset> {
	return write(
		client,
		{
			method: 'POST',
			path: rulesetsPath(zone, ruleset, 'rules'),
			value: {...rule, ...(position && {position})},
			pretend: {...pretended({rules: [rule]}), id: ruleset},
		},
		signal,
	);
}

/**
 * Replaces all custom rules of a zone; a rule that keeps its id stays itself. Never repeated by itself. Only for the
 * custom phase: the managed one begins a migration that cannot be undone, and has a way of its own.
 */
export function putEntryPoint(
	client: Client,
	zone: string,
	phase: typeof customPhase,
	rules: readonly RulesetRule[],
	signal: AbortSignal,
): Promise<Ruleset> {
	const value = {rules};
	const pretend = {...pretended(value), phase};
	return write(client, {method: 'PUT', path: entryPointPath(zone, phase), value, pretend}, signal);
}

async function read(client: Client, path: string, signal: AbortSignal): Promise<Ruleset> {
	const {result} = await client.call(
		{method: 'GET', path, repeat: 'always', writes: false, answers: 'listing'},
		signal,
	);
	return readRuleset(result);
}

type Write = {
	readonly method: Call['method'];
	readonly path: string;
	readonly value: unknown;
	readonly pretend: unknown;
};

async function write(
	client: Client,
	{method, path, value, pretend}: Write,
	signal: AbortSignal,
): Promise<Ruleset> {
	const {result} = await client.call(
		{method, path, body: {kind: 'json', value}, repeat: 'never', writes: true, answers: 'listing', pretend},
		signal,
	);
	return readRuleset(result);
}

/** What a dry run has instead of the ruleset that the service would have made. */
const pretended = (draft: Partial<RulesetDraft>) => ({
	id: '<id from step 1>',
	name: 'default',
	kind: 'zone',
	phase: customPhase,
	version: '1',
	...draft,
});

function segment(id: string): string {
	if (id === '.' || id === '..' || id === '')
		throw new Failure('usage', `"${id}" cannot be the id of a zone or ruleset.`, {
			next: advice`See \`${ledge('zones')}\` for the zones there are.`,
		});
	return encodeURIComponent(id);
}
