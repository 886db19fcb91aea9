import {type DatasetDefinition, datasets, listMeasureNames} from './datasets.ts';

/** Datasets that a deployment of the service lacks, and dimensions that all its datasets lack. */
export type SchemaGaps = {readonly datasets: readonly string[]; readonly dimensions: readonly string[]};

/** Returns the datasets and dimensions of a deployment with these gaps. */
export const listAvailableDatasets = (gaps: SchemaGaps): readonly DatasetDefinition[] =>
	datasets
		.filter(({name}) => !gaps.datasets.includes(name))
		.map(dataset => ({
			...dataset,
			dimensions: Object.fromEntries(
				Object.entries(dataset.dimensions).filter(([name]) => !gaps.dimensions.includes(name)),
			),
		}));

/** Writes the schema of these datasets in the GraphQL schema language. */
export const formatSchema = (availableDatasets: readonly DatasetDefinition[]): string =>
	[
		schemaHead,
		formatScopeTypes('Account', 'accountTag: string', 'account', availableDatasets),
		formatScopeTypes('Zone', 'zoneTag: string', 'zone', availableDatasets),
		...availableDatasets.map(formatDatasetTypes),
	].join('\n');

const schemaHead = `
scalar string
scalar boolean
scalar uint64
scalar float64
scalar Time
scalar Date

type Query { viewer: Viewer! }

type Viewer {
	accounts(filter: AccountFilter_InputObject!, limit: uint64): [Account!]!
	zones(filter: ZoneFilter_InputObject!, limit: uint64): [Zone!]!
}

input AccountFilter_InputObject { accountTag: string, accountTag_in: [string!] }
input ZoneFilter_InputObject { zoneTag: string, zoneTag_in: [string!] }

"What a plan allows of a dataset; times are in seconds."
type Settings {
	enabled: boolean!
	maxDuration: uint64!
	maxNumberOfFields: uint64!
	maxPageSize: uint64!
	notOlderThan: uint64!
	availableFields: [string!]!
}`;

function formatScopeTypes(
	type: string,
	tag: string,
	scope: DatasetDefinition['scope'],
	availableDatasets: readonly DatasetDefinition[],
): string {
	const scopeDatasets = availableDatasets.filter(dataset => dataset.scope === scope);
	const fields = scopeDatasets.map(
		({name, type: rowType}) =>
			`${name}(filter: ${rowType}Filter_InputObject, limit: uint64!, orderBy: [${rowType}OrderBy!]): [${rowType}!]!`,
	);
	const settings = scopeDatasets.map(({name}) => `${name}: Settings!`);
	return `type ${type} { ${tag} ${fields.join(' ')} ${settings.length > 0 ? `settings: ${type}Settings!` : ''} }
		${settings.length > 0 ? `type ${type}Settings { ${settings.join(' ')} }` : ''}`;
}

const comparisons = ['neq', 'gt', 'geq', 'lt', 'leq', 'like', 'notlike'] as const;

function formatDatasetTypes(dataset: DatasetDefinition): string {
	const {type, dimensions, measures, isGrouped} = dataset;
	const dimensionEntries = Object.entries(dimensions);
	const filters = dimensionEntries.flatMap(([name, scalar]) => [
		`${name}: ${scalar}`,
		...comparisons
			.filter(operator => scalar === 'string' || !operator.endsWith('like'))
			.map(operator => `${name}_${operator}: ${scalar}`),
		`${name}_in: [${scalar}!]`,
		`${name}_notin: [${scalar}!]`,
	]);
	const orders = [...Object.keys(dimensions), ...listMeasureNames(dataset)];
	const dimensionFields = dimensionEntries.map(([name, scalar]) => `${name}: ${scalar}!`).join(' ');
	const measureFields = Object.entries(measures).map(([name, kind]) =>
		typeof kind === 'string' ? `${name}: ${kind}!` : `${name}: ${type}${capitalizeName(name)}!`,
	);
	const measureTypes = Object.entries(measures).flatMap(([name, kind]) => {
		if (typeof kind === 'string') return [];
		const fields = Object.entries(kind).map(([part, scalar]) => `${part}: ${scalar}!`);
		return [`type ${type}${capitalizeName(name)} { ${fields.join(' ')} }`];
	});
	return [
		`input ${type}Filter_InputObject {
			${filters.join(' ')} AND: [${type}Filter_InputObject!] OR: [${type}Filter_InputObject!]
		}`,
		`enum ${type}OrderBy { ${orders.flatMap(name => [`${name}_ASC`, `${name}_DESC`]).join(' ')} }`,
		`type ${type} { ${isGrouped ? `dimensions: ${type}Dimensions!` : dimensionFields} ${measureFields.join(' ')} }`,
		...(isGrouped ? [`type ${type}Dimensions { ${dimensionFields} }`] : []),
		...measureTypes,
	].join('\n');
}

const capitalizeName = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
