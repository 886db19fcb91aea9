import type {GraphQLFormattedError, GraphQLResolveInfo, GraphQLSchema} from 'graphql';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {simulatedAccount} from '../accounts/identities.ts';
import type {Fault} from '../faults/faults.ts';
import {buildRawAnswer, type ServiceAnswer} from '../http/answer.ts';
import {parseJsonBytes} from '../http/body.ts';
import type {RequestContext} from '../http/route.ts';
import type {World} from '../world/world.ts';
import type {DatasetDefinition} from './datasets.ts';
import {buildSchema, execute, GraphQLError, parse, validate} from './graphql-language.ts';
import type {AnswerRow} from './grouping.ts';
import {maxZonesPerQuery} from './plan-limits.ts';
import {createFaultProblem, createQueryProblem} from './problems.ts';
import {computeRows, getDatasetSettings, getPlanOfZone, type RowSource} from './rows.ts';
import {formatSchema, listAvailableDatasets, type SchemaGaps} from './schema.ts';
import {collectSelectedFields} from './selection.ts';
import type {AnalyticsSources} from './sources.ts';

const maxQueryBytes = 1_000_000;

/** Answers a query. Errors in the query are answered with status 200; a body that is not JSON gets 400. */
export async function answerQuery(
	request: RequestContext,
	sources: AnalyticsSources,
): Promise<ServiceAnswer> {
	const body = await request.readBody(maxQueryBytes);
	const queryBody = body && parseJsonBytes(body);
	if (!isJsonObject(queryBody) || typeof queryBody.query !== 'string')
		return buildQueryAnswer(400, null, [new GraphQLError('failed to recognize JSON request')], request.now);
	const variables = isJsonObject(queryBody.variables) ? queryBody.variables : {};
	const {problem: faultName, schemaGaps, sampleInterval} = request.quirks.getAnalyticsFaults();
	const schema = getCachedSchema(schemaGaps);
	const context: QueryContext = {
		request,
		sources,
		datasets: listAvailableDatasets(schemaGaps),
		variables,
		faultName,
		sampleInterval,
	};
	const result = await executeQuery(queryBody.query, schema, context);
	const {data, errors} = faultName === 'partial' ? failFirstDataset(result) : result;
	return buildQueryAnswer(200, data, errors, request.now);
}

type Result = {readonly data: JsonObject | null; readonly errors: readonly GraphQLError[]};

async function executeQuery(query: string, schema: GraphQLSchema, context: QueryContext): Promise<Result> {
	try {
		const document = parse(query, {maxTokens: 20_000});
		const errors = validate(schema, document);
		if (errors.length > 0) return {data: null, errors};
		const rootValue = {viewer: buildViewer(context)};
		const result = await execute({schema, document, rootValue, variableValues: context.variables});
		return {data: (result.data ?? null) as JsonObject | null, errors: result.errors ?? []};
	} catch (error) {
		if (!(error instanceof GraphQLError)) throw error;
		return {data: null, errors: [error]};
	}
}

/** Replaces the rows of the first dataset in the result by null, and adds an error. */
function failFirstDataset(result: Result): Result {
	const data = structuredClone(result.data) as Record<
		string,
		Record<string, Record<string, unknown>[]>
	> | null;
	for (const viewer of Object.keys(data ?? {}))
		for (const [scope, scopes] of Object.entries(data?.[viewer] ?? {}))
			for (const [index, scopeData] of (Array.isArray(scopes) ? scopes : []).entries()) {
				const name = Object.keys(scopeData).find(key => Array.isArray(scopeData[key]));
				if (name === undefined) continue;
				scopeData[name] = null;
				const path = [viewer, scope, index, name];
				const error = new GraphQLError('internal server error', {path});
				return {data: data as unknown as JsonObject, errors: [...result.errors, error]};
			}
	return result;
}

const schemas = new Map<string, GraphQLSchema>();
const maxSchemas = 20;

function getCachedSchema(schemaGaps: SchemaGaps): GraphQLSchema {
	const cacheKey = JSON.stringify(schemaGaps);
	const cachedSchema = schemas.get(cacheKey);
	if (cachedSchema) return cachedSchema;
	const schema = buildSchema(formatSchema(listAvailableDatasets(schemaGaps)));
	if (schemas.size >= maxSchemas) schemas.clear();
	schemas.set(cacheKey, schema);
	return schema;
}

/** Adds the time to each error, and writes its path as strings, as the service does. */
function buildQueryAnswer(
	status: number,
	data: JsonObject | null,
	errors: readonly GraphQLError[],
	now: number,
): ServiceAnswer {
	const timestamp = new Date(now).toISOString();
	const formattedErrors = errors.map(error => {
		const {message, path, extensions} = error.toJSON() as GraphQLFormattedError;
		return {message, path: path ? path.map(String) : null, extensions: {timestamp, ...extensions}};
	});
	const body = JSON.stringify({data, errors: formattedErrors.length > 0 ? formattedErrors : null});
	return {...buildRawAnswer(new TextEncoder().encode(body), {'content-type': 'application/json'}), status};
}

type QueryContext = {
	readonly request: RequestContext;
	readonly sources: AnalyticsSources;
	readonly datasets: readonly DatasetDefinition[];
	readonly variables: JsonObject;
	readonly faultName: Fault['analytics'];
	readonly sampleInterval: number | undefined;
};

type Resolver = (queryArguments: JsonObject, context: unknown, info: GraphQLResolveInfo) => unknown;

const buildViewer = (context: QueryContext): Readonly<Record<string, Resolver>> => ({
	accounts: ({filter}) => resolveAccountScopes(context, parseScopeTags(filter, 'accountTag')),
	zones: ({filter}) => resolveZoneScopes(context, parseScopeTags(filter, 'zoneTag')),
});

/** Returns the tags (ids) of the accounts or zones that a filter names; throws if it names none. */
function parseScopeTags(filter: JsonValue | undefined, name: 'accountTag' | 'zoneTag'): readonly string[] {
	const {[name]: singleTag, [`${name}_in`]: tagList} = isJsonObject(filter) ? filter : {};
	const tags = [singleTag, ...(Array.isArray(tagList) ? tagList : [])].filter(tag => typeof tag === 'string');
	if (tags.length === 0) throw createQueryProblem('arguments', `filter needs ${name}`);
	return [...new Set(tags)];
}

function resolveAccountScopes(
	context: QueryContext,
	tags: readonly string[],
): readonly Readonly<Record<string, unknown>>[] {
	const {request, sources} = context;
	if (tags.length > 1) throw createQueryProblem('scope', '1 account');
	return tags.map(tag => {
		const world = sources.worlds[sources.accounts.findIndex(({id}) => id === tag)];
		if (!world || !request.caller.hasGrant('account-analytics:read'))
			throw createQueryProblem('not-authorized', 'account');
		return {accountTag: tag, ...buildScope(context, 'account', world, undefined)};
	});
}

function resolveZoneScopes(
	context: QueryContext,
	tags: readonly string[],
): readonly Readonly<Record<string, unknown>>[] {
	const {request, sources} = context;
	const [world] = sources.worlds;
	if (tags.length > maxZonesPerQuery) throw createQueryProblem('scope', `${maxZonesPerQuery} zones`);
	return tags.map(tag => {
		const zone = world.resources.get('zone', simulatedAccount.id, tag);
		if (!zone || !request.caller.hasGrant('zone-analytics:read'))
			throw createQueryProblem('not-authorized', 'zone');
		return {zoneTag: tag, ...buildScope(context, 'zone', world, zone)};
	});
}

/**
 * Builds resolvers for the datasets of an account or a zone, and the limits of its plan for each dataset.
 */
function buildScope(
	context: QueryContext,
	scope: DatasetDefinition['scope'],
	world: World,
	zone: JsonObject | undefined,
): Readonly<Record<string, unknown>> {
	const {request, sources, sampleInterval} = context;
	const source: RowSource = {world, zone, usage: sources.usage, now: request.now, sampleInterval};
	const scopeDatasets = context.datasets.filter(dataset => dataset.scope === scope);
	const plan = zone && getPlanOfZone(zone);
	return {
		...Object.fromEntries(
			scopeDatasets.map(dataset => [dataset.name, createRowsResolver(dataset, source, context)]),
		),
		settings: Object.fromEntries(
			scopeDatasets.map(dataset => [dataset.name, getDatasetSettings(dataset, plan)]),
		),
	};
}

const createRowsResolver =
	(dataset: DatasetDefinition, source: RowSource, {variables, faultName}: QueryContext): Resolver =>
	({filter, limit, orderBy}, _context, info): readonly AnswerRow[] => {
		const faultError = faultName && createFaultProblem(faultName);
		if (faultError) throw faultError;
		const selectedNodes = collectSelectedFields(info.fieldNodes, info, variables);
		const selectedFields = selectedNodes.map(({name, fieldNodes}) => ({
			name,
			subfields: collectSelectedFields(fieldNodes, info, variables),
		}));
		const dimensions = dataset.isGrouped
			? selectedFields
					.filter(({name}) => name === 'dimensions')
					.flatMap(({subfields}) => subfields.map(({name}) => name))
			: selectedNodes.map(({name}) => name).filter(name => name in dataset.dimensions);
		return computeRows(
			{
				dataset,
				filter: isJsonObject(filter) ? filter : {},
				limit: Number(limit),
				orderBy: (Array.isArray(orderBy) ? orderBy : [orderBy ?? []].flat()).map(String),
				dimensions: dimensions.filter(name => name !== '__typename'),
				fieldCount: selectedFields.reduce((sum, {subfields}) => sum + Math.max(1, subfields.length), 0),
			},
			source,
		);
	};
