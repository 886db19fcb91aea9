import {createScriptedClient} from '../service/scripted-transport.ts';

type Fields = readonly string[];
type Types = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A schema with both datasets of stores. */
export const storeSchema = {
	storage: {fields: ['max', 'dimensions'], dimensions: ['date', 'namespaceId']},
	operations: {
		fields: ['sum', 'avg', 'quantiles', 'dimensions'],
		dimensions: ['date', 'datetime', 'datetimeHour', 'actionType', 'namespaceId'],
	},
} as const satisfies StoreSchema;

type StoreSchema = {
	readonly storage?: {readonly fields: Fields; readonly dimensions: Fields};
	readonly operations?: {readonly fields: Fields; readonly dimensions: Fields};
};

const buildFieldTypes = (names: Fields, others: Readonly<Record<string, string>> = {}) =>
	Object.fromEntries(names.map(name => [name, others[name] ?? 'scalar']));

const buildTypes = ({storage, operations}: StoreSchema): Types => ({
	Viewer: {accounts: 'Account', zones: 'Zone'},
	Zone: {},
	Account: {
		...(storage && {kvStorageAdaptiveGroups: 'Storage'}),
		...(operations && {kvOperationsAdaptiveGroups: 'Operations'}),
	},
	...(storage && {
		Storage: buildFieldTypes(storage.fields, {dimensions: 'StorageDimensions'}),
		StorageDimensions: buildFieldTypes(storage.dimensions),
	}),
	...(operations && {
		Operations: buildFieldTypes(operations.fields, {dimensions: 'OperationsDimensions'}),
		OperationsDimensions: buildFieldTypes(operations.dimensions),
	}),
});

type Limits = Readonly<Record<string, number | boolean>>;

/** Limits of a dataset that no query in these tests reaches. */
export const generousLimits: Limits = {
	enabled: true,
	maxDuration: 31 * 86_400,
	maxNumberOfFields: 30,
	maxPageSize: 10_000,
	notOlderThan: 31 * 86_400,
};

export type AnalyticsScript = {
	readonly schema?: StoreSchema | 'closed';
	readonly limits?: Readonly<Record<string, Limits>>;
	/** Responds to a query for metrics; queries for the schema and the limits are not passed. */
	readonly data: (query: string) => Response;
};

/** Creates a client of a service with this schema and these limits, and records its queries for data. */
export function scriptedAnalytics({schema = storeSchema, limits = {}, data}: AnalyticsScript) {
	const queries: string[] = [];
	const {client, clock, sent} = createScriptedClient([
		({body}) => {
			const {query} = JSON.parse(String(body)) as {query: string};
			if (query.includes('__schema') || query.includes('__type'))
				return schema === 'closed'
					? Response.json({data: null, errors: [{message: 'introspection is off', path: null}]})
					: answerIntrospection(query, buildTypes(schema));
			const [, dataset] = /settings \{ (\w+)/.exec(query) ?? [];
			if (dataset !== undefined)
				return Response.json({
					data: {viewer: {accounts: [{settings: {[dataset]: limits[dataset] ?? generousLimits}}]}},
					errors: null,
				});
			queries.push(query);
			return data(query);
		},
	]);
	return {client, clock, sent, queries};
}

function answerIntrospection(query: string, types: Types): Response {
	const buildTypeReference = (name: string) => ({name, ofType: null});
	if (query.includes('__schema'))
		return Response.json({
			data: {__schema: {queryType: {fields: [{name: 'viewer', type: buildTypeReference('Viewer')}]}}},
			errors: null,
		});
	const typeMatches = [...query.matchAll(/(t\d+): __type\(name: "(\w+)"\)/g)];
	const typeEntries = typeMatches.map(([, alias = '', name = '']) => [
		alias,
		types[name] && {
			fields: Object.entries(types[name]).map(([field, typeName]) => ({
				name: field,
				type: buildTypeReference(typeName),
			})),
		},
	]);
	return Response.json({data: Object.fromEntries(typeEntries), errors: null});
}

/** A response with the data of one account, and errors. */
export const createDataResponse = (parts: object | null, errors: readonly object[] | null = null): Response =>
	Response.json({data: parts && {viewer: {accounts: [parts]}}, errors});
