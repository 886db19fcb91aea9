import type {GraphQLFormattedError, GraphQLResolveInfo, GraphQLSchema} from 'graphql';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {account} from '../accounts/identities.ts';
import type {Fault} from '../faults/faults.ts';
import {type Answer, raw} from '../http/answer.ts';
import {parseJson} from '../http/body.ts';
import type {Ask} from '../http/route.ts';
import type {World} from '../world/world.ts';
import type {Dataset} from './datasets.ts';
import {buildSchema, execute, GraphQLError, parse, validate} from './graphql-language.ts';
import type {Row} from './grouping.ts';
import {mostZones} from './plan-limits.ts';
import {faultyProblem, problem} from './problems.ts';
import {type Place, planOfZone, rowsOf, settingsOf} from './rows.ts';
import {datasetsWithout, type Lacks, schemaOf} from './schema.ts';
import {selectedBelow} from './selection.ts';
import type {Sources} from './sources.ts';

const mostBytes = 1_000_000;

/** Answers a query. Errors in it are answered with status 200, except a body that is not JSON (400). */
export async function answerQuery(ask: Ask, sources: Sources): Promise<Answer> {
	const body = await ask.body(mostBytes);
	const given = body && parseJson(body);
	if (!isJsonObject(given) || typeof given.query !== 'string')
		return answerOf(400, null, [new GraphQLError('failed to recognize JSON request')], ask.now);
	const variables = isJsonObject(given.variables) ? given.variables : {};
	const {problem: fault, lacks, interval} = ask.quirks.analytics();
	const schema = builtSchema(lacks);
	const context: Context = {ask, sources, datasets: datasetsWithout(lacks), variables, fault, interval};
	const result = await resultOf(given.query, schema, context);
	const {data, errors} = fault === 'partial' ? partial(result) : result;
	return answerOf(200, data, errors, ask.now);
}

type Result = {readonly data: JsonObject | null; readonly errors: readonly GraphQLError[]};

async function resultOf(query: string, schema: GraphQLSchema, context: Context): Promise<Result> {
	try {
		const document = parse(query, {maxTokens: 20_000});
		const errors = validate(schema, document);
		if (errors.length > 0) return {data: null, errors};
		const rootValue = {viewer: viewerOf(context)};
		const result = await execute({schema, document, rootValue, variableValues: context.variables});
		return {data: (result.data ?? null) as JsonObject | null, errors: result.errors ?? []};
	} catch (error) {
		if (!(error instanceof GraphQLError)) throw error;
		return {data: null, errors: [error]};
	}
}

/** Replaces the rows of the first dataset by an error. */
function partial(result: Result): Result {
	const data = structuredClone(result.data) as Record<
		string,
		Record<string, Record<string, unknown>[]>
	> | null;
	for (const viewer of Object.keys(data ?? {}))
		for (const [scope, found] of Object.entries(data?.[viewer] ?? {}))
			for (const [index, one] of (Array.isArray(found) ? found : []).entries()) {
				const name = Object.keys(one).find(key => Array.isArray(one[key]));
				if (name === undefined) continue;
				one[name] = null;
				const path = [viewer, scope, index, name];
				const error = new GraphQLError('internal server error', {path});
				return {data: data as unknown as JsonObject, errors: [...result.errors, error]};
			}
	return result;
}

const schemas = new Map<string, GraphQLSchema>();
const mostSchemas = 20;

function builtSchema(lacks: Lacks): GraphQLSchema {
	const name = JSON.stringify(lacks);
	const schema = schemas.get(name) ?? buildSchema(schemaOf(datasetsWithout(lacks)));
	if (schemas.size >= mostSchemas) schemas.clear();
	schemas.set(name, schema);
	return schema;
}

/** Adds the time to each error, and writes its path as strings, as the service does. */
function answerOf(
	status: number,
	data: JsonObject | null,
	errors: readonly GraphQLError[],
	now: number,
): Answer {
	const timestamp = new Date(now).toISOString();
	const shown = errors.map(error => {
		const {message, path, extensions} = error.toJSON() as GraphQLFormattedError;
		return {message, path: path ? path.map(String) : null, extensions: {timestamp, ...extensions}};
	});
	const body = JSON.stringify({data, errors: shown.length > 0 ? shown : null});
	return {...raw(new TextEncoder().encode(body), {'content-type': 'application/json'}), status};
}

type Context = {
	readonly ask: Ask;
	readonly sources: Sources;
	readonly datasets: readonly Dataset[];
	readonly variables: JsonObject;
	readonly fault: Fault['analytics'];
	readonly interval: number | undefined;
};

type Resolver = (given: JsonObject, context: unknown, info: GraphQLResolveInfo) => unknown;

const viewerOf = (context: Context): Readonly<Record<string, Resolver>> => ({
	accounts: ({filter}) => accountsOf(context, tagsOf(filter, 'accountTag')),
	zones: ({filter}) => zonesOf(context, tagsOf(filter, 'zoneTag')),
});

/** Returns the accounts or zones that a filter names; throws if it names none. */
function tagsOf(filter: JsonValue | undefined, name: 'accountTag' | 'zoneTag'): readonly string[] {
	const {[name]: one, [`${name}_in`]: several} = isJsonObject(filter) ? filter : {};
	const tags = [one, ...(Array.isArray(several) ? several : [])].filter(tag => typeof tag === 'string');
	if (tags.length === 0) throw problem('arguments', `filter needs ${name}`);
	return [...new Set(tags)];
}

function accountsOf(context: Context, tags: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
	const {ask, sources} = context;
	if (tags.length > 1) throw problem('scope', '1 account');
	return tags.map(tag => {
		const world = sources.worlds[sources.accounts.findIndex(({id}) => id === tag)];
		if (!world || !ask.caller.may('account-analytics:read')) throw problem('not-authorized', 'account');
		return {accountTag: tag, ...scopeOf(context, 'account', world, undefined)};
	});
}

function zonesOf(context: Context, tags: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
	const {ask, sources} = context;
	const [world] = sources.worlds;
	if (tags.length > mostZones) throw problem('scope', `${mostZones} zones`);
	return tags.map(tag => {
		const zone = world.resources.get('zone', account.id, tag);
		if (!zone || !ask.caller.may('zone-analytics:read')) throw problem('not-authorized', 'zone');
		return {zoneTag: tag, ...scopeOf(context, 'zone', world, zone)};
	});
}

/** Builds the datasets of an account or a zone, and what its plan allows of them. */
function scopeOf(
	context: Context,
	scope: Dataset['scope'],
	world: World,
	zone: JsonObject | undefined,
): Readonly<Record<string, unknown>> {
	const {ask, sources, interval} = context;
	const place: Place = {world, zone, usage: sources.usage, now: ask.now, interval};
	const own = context.datasets.filter(dataset => dataset.scope === scope);
	const plan = zone && planOfZone(zone);
	return {
		...Object.fromEntries(own.map(dataset => [dataset.name, rowsResolver(dataset, place, context)])),
		settings: Object.fromEntries(own.map(dataset => [dataset.name, settingsOf(dataset, plan)])),
	};
}

const rowsResolver =
	(dataset: Dataset, place: Place, {variables, fault}: Context): Resolver =>
	({filter, limit, orderBy}, _context, info): readonly Row[] => {
		const failing = fault && faultyProblem(fault);
		if (failing) throw failing;
		const selected = selectedBelow(info.fieldNodes, info, variables);
		const parts = selected.map(({name, fields}) => ({name, below: selectedBelow(fields, info, variables)}));
		const dimensions = dataset.isGrouped
			? parts.filter(({name}) => name === 'dimensions').flatMap(({below}) => below.map(({name}) => name))
			: selected.map(({name}) => name).filter(name => name in dataset.dimensions);
		return rowsOf(
			{
				dataset,
				filter: isJsonObject(filter) ? filter : {},
				limit: Number(limit),
				orderBy: (Array.isArray(orderBy) ? orderBy : [orderBy ?? []].flat()).map(String),
				dimensions: dimensions.filter(name => name !== '__typename'),
				fields: parts.reduce((sum, {below}) => sum + Math.max(1, below.length), 0),
			},
			place,
		);
	};
