import {scriptedClient} from '../service/scripted-transport.ts';

type Fields = readonly string[];
type Types = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What a deployment has of the two datasets of stores. */
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

const scalars = (names: Fields, others: Readonly<Record<string, string>> = {}) =>
	Object.fromEntries(names.map(name => [name, others[name] ?? 'scalar']));

const typesOf = ({storage, operations}: StoreSchema): Types => ({
	Viewer: {accounts: 'Account', zones: 'Zone'},
	Zone: {},
	Account: {
		...(storage && {kvStorageAdaptiveGroups: 'Storage'}),
		...(operations && {kvOperationsAdaptiveGroups: 'Operations'}),
	},
	...(storage && {
		Storage: scalars(storage.fields, {dimensions: 'StorageDimensions'}),
		StorageDimensions: scalars(storage.dimensions),
	}),
	...(operations && {
		Operations: scalars(operations.fields, {dimensions: 'OperationsDimensions'}),
		OperationsDimensions: scalars(operations.dimensions),
	}),
});

type Limits = Readonly<Record<string, number | boolean>>;

/** What the service allows; more than anybody asks for. */
export const generous: Limits = {
	enabled: true,
	maxDuration: 31 * 86_400,
	maxNumberOfFields: 30,
	maxPageSize: 10_000,
	notOlderThan: 31 * 86_400,
};

export type Answers = {
	readonly schema?: StoreSchema | 'closed';
	readonly limits?: Readonly<Record<string, Limits>>;
	/** The answer to a query for numbers. */
	readonly data: (query: string) => Response;
};

/** A client of a service whose analytics answer so, and the queries for numbers that it got. */
export function scriptedAnalytics({schema = storeSchema, limits = {}, data}: Answers) {
	const queries: string[] = [];
	const {client, clock, sent} = scriptedClient([
		({body}) => {
			const {query} = JSON.parse(String(body)) as {query: string};
			if (query.includes('__schema') || query.includes('__type'))
				return schema === 'closed'
					? Response.json({data: null, errors: [{message: 'introspection is off', path: null}]})
					: introspected(query, typesOf(schema));
			const [, dataset] = /settings \{ (\w+)/.exec(query) ?? [];
			if (dataset !== undefined)
				return Response.json({
					data: {viewer: {accounts: [{settings: {[dataset]: limits[dataset] ?? generous}}]}},
					errors: null,
				});
			queries.push(query);
			return data(query);
		},
	]);
	return {client, clock, sent, queries};
}

function introspected(query: string, types: Types): Response {
	const type = (name: string) => ({name, ofType: null});
	if (query.includes('__schema'))
		return Response.json({
			data: {__schema: {queryType: {fields: [{name: 'viewer', type: type('Viewer')}]}}},
			errors: null,
		});
	const asked = [...query.matchAll(/(t\d+): __type\(name: "(\w+)"\)/g)];
	const found = asked.map(([, alias = '', name = '']) => [
		alias,
		types[name] && {
			fields: Object.entries(types[name]).map(([field, of]) => ({name: field, type: type(of)})),
		},
	]);
	return Response.json({data: Object.fromEntries(found), errors: null});
}

/** An answer with these parts, and the errors beside them. */
export const answered = (parts: object | null, errors: readonly object[] | null = null): Response =>
	Response.json({data: parts && {viewer: {accounts: [parts]}}, errors});
