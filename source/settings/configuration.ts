import {Failure} from '../failure.ts';
import {formatDidYouMean, formatNameList} from '../text/closest-name.ts';
import {
	type ConfigurationFormat,
	type ConfigurationLocation,
	findConfiguration,
	formatPath,
	readConfigurationBytes,
} from './discovery.ts';
import {
	type ConfigurationDocument,
	createInvalidFailure,
	type DocumentTable,
	getProperty,
	isTable,
	parseDocument,
} from './document.ts';
import type {DocumentPath} from './layout.ts';
import type {Sourced} from './sourced.ts';

/** What ledge reads from the configuration file of a Worker project. */
export type Configuration = {
	/** Absolute path. */
	readonly file: string;
	/** Path for messages. */
	readonly shownAs: string;
	readonly format: ConfigurationFormat;
	/** Name of the Worker in the file, without an environment suffix. */
	readonly name?: string;
	/** Account of the active environment; unchecked, `resolveAccountId` in settings.ts checks it. */
	readonly accountId?: Sourced<string>;
	readonly environments: readonly string[];
	readonly environment?: string;
	readonly namespaces: readonly NamespaceBinding[];
	/** Sentences about non-blocking problems. */
	readonly warnings: readonly string[];
};

/** An entry of `kv_namespaces`; `line` is where it begins, from 1. */
export type NamespaceBinding = {
	readonly binding: string;
	readonly id?: string;
	readonly previewId?: string;
	/** True if `wrangler dev` reads it at the service, not locally. */
	readonly remote?: boolean;
	readonly line: number;
};

type ConfigurationQuery = {
	readonly cwd: string;
	/** Value of `--config`. */
	readonly configurationPath?: string | undefined;
	/** Requested environment; an empty name means none. */
	readonly environment?: Sourced<string> | undefined;
};

/**
 * Finds, reads and checks the configuration file, if any. Fails with `input_missing`, `configuration_invalid`
 * (with line and column) or `environment_unknown`.
 */
export async function readConfiguration(query: ConfigurationQuery): Promise<Configuration | undefined> {
	const location = findConfiguration(query.cwd, query.configurationPath);
	return location && loadConfiguration(location, query);
}

/**
 * Reads the configuration once per environment, the top level first. Empty without a file. Fails like
 * `readConfiguration`.
 */
export async function readAllEnvironments(
	query: Pick<ConfigurationQuery, 'cwd' | 'configurationPath'>,
): Promise<readonly Configuration[]> {
	const location = findConfiguration(query.cwd, query.configurationPath);
	if (!location) return [];
	const topLevel = await loadConfiguration(location, {cwd: query.cwd});
	const named = topLevel.environments.map(value =>
		loadConfiguration(location, {cwd: query.cwd, environment: {value, from: 'its name'}}),
	);
	return [topLevel, ...(await Promise.all(named))];
}

async function loadConfiguration(
	location: ConfigurationLocation,
	query: Pick<ConfigurationQuery, 'cwd' | 'environment'>,
): Promise<Configuration> {
	const shownAs = formatPath(location.file, query.cwd);
	const document = await parseDocument(
		decodeConfiguration(readConfigurationBytes(location.file, shownAs), shownAs),
		location.format,
		shownAs,
	);
	return buildConfiguration(document, location, query.environment);
}

/** Decodes a configuration file. Accepts only UTF-8, with or without a BOM; invalid bytes become U+FFFD. */
export function decodeConfiguration(bytes: Buffer, shownAs: string): string {
	const encoding = findForeignEncoding(bytes);
	if (encoding === undefined) return bytes.toString('utf8');
	throw new Failure(
		'configuration_invalid',
		`${shownAs}:1:1: the file is encoded in ${encoding}, not in UTF-8.`,
		{
			why: 'Its first bytes indicate that encoding.',
			next: `Save ${shownAs} as UTF-8.`,
		},
	);
}

function findForeignEncoding(bytes: Buffer): string | undefined {
	const byteOrderMark = bytes.toString('hex', 0, 4);
	if (byteOrderMark === '0000feff' || byteOrderMark === 'fffe0000') return 'UTF-32';
	return byteOrderMark.startsWith('feff') || byteOrderMark.startsWith('fffe') ? 'UTF-16' : undefined;
}

function buildConfiguration(
	document: ConfigurationDocument,
	location: ConfigurationLocation,
	environment: Sourced<string> | undefined,
): Configuration {
	const warnings: string[] = [];
	const {root, shownAs} = document;
	const environments = readEnvironments(document);
	const activeName = selectEnvironment(document, environments, environment, warnings);
	const table = (activeName === undefined ? undefined : environments.get(activeName)) ?? root;
	const path: DocumentPath = activeName !== undefined && table !== root ? ['env', activeName] : [];
	const name =
		readOptionalString(document, root, [], 'name') ?? readOptionalString(document, table, path, 'name');
	const accountId = readAccountId(document, table, path) ?? readAccountId(document, root, []);
	const namespaces = readBindings(document, table, path, warnings);
	if (table !== root && getProperty(table, 'kv_namespaces') === undefined) {
		const topLevelList = getProperty(root, 'kv_namespaces');
		if (Array.isArray(topLevelList) && topLevelList.length > 0)
			warnings.push(
				`${shownAs}: the environment "${activeName}" has no kv_namespaces of its own, and does not inherit those of the top level.`,
			);
	}
	return {
		file: location.file,
		shownAs,
		format: location.format,
		...(name !== undefined && {name}),
		...(accountId && {accountId}),
		environments: [...environments.keys()],
		...(activeName !== undefined && {environment: activeName}),
		namespaces,
		warnings,
	};
}

function readEnvironments(document: ConfigurationDocument): ReadonlyMap<string, DocumentTable> {
	const environmentTables = getProperty(document.root, 'env');
	if (environmentTables === undefined) return new Map();
	if (!isTable(environmentTables))
		throw createInvalidFailure(
			document,
			['env'],
			`"env" must contain one table for each environment, but is ${describeKind(environmentTables)}.`,
		);
	const environments = new Map<string, DocumentTable>();
	for (const [name, table] of Object.entries(environmentTables)) {
		if (!isTable(table))
			throw createInvalidFailure(
				document,
				['env', name],
				`the environment "${name}" must be a table, but is ${describeKind(table)}.`,
			);
		environments.set(name, table);
	}
	return environments;
}

function selectEnvironment(
	{shownAs}: ConfigurationDocument,
	environments: ReadonlyMap<string, DocumentTable>,
	requestedName: Sourced<string> | undefined,
	warnings: string[],
): string | undefined {
	if (requestedName === undefined || requestedName.value === '') return undefined;
	if (environments.has(requestedName.value)) return requestedName.value;
	if (environments.size === 0) {
		// As with wrangler: a file without any environment serves for all of them.
		warnings.push(
			`${shownAs} defines no environments: using its top level for "${requestedName.value}" (${requestedName.from}).`,
		);
		return requestedName.value;
	}
	const names = [...environments.keys()];
	throw new Failure('environment_unknown', `${shownAs} has no environment "${requestedName.value}".`, {
		why: `${requestedName.from} names it; the file has ${formatNameList(names)}.`,
		next: `${formatDidYouMean(requestedName.value, names)}Use one of these, or add a section env.${requestedName.value} to ${shownAs}.`,
	});
}

function readAccountId(
	document: ConfigurationDocument,
	table: DocumentTable,
	path: DocumentPath,
): Sourced<string> | undefined {
	const value = readOptionalString(document, table, path, 'account_id');
	// Templates have an empty one, which means none.
	if (value === undefined || value === '') return undefined;
	return {value, from: `${document.shownAs}:${getLine(document, [...path, 'account_id'])}`};
}

function readBindings(
	document: ConfigurationDocument,
	table: DocumentTable,
	tablePath: DocumentPath,
	warnings: string[],
): readonly NamespaceBinding[] {
	const path = [...tablePath, 'kv_namespaces'];
	const entries = getProperty(table, 'kv_namespaces');
	if (entries === undefined) return [];
	if (!Array.isArray(entries))
		throw createInvalidFailure(
			document,
			path,
			`"kv_namespaces" must be a list of bindings, but is ${describeKind(entries)}.`,
		);
	const bindingsByName = new Map<string, NamespaceBinding>();
	return entries.map((entry: unknown, index) => {
		const binding = readBinding(document, entry, [...path, index], warnings);
		const earlierBinding = bindingsByName.get(binding.binding);
		if (earlierBinding) {
			throw createInvalidFailure(
				document,
				[...path, index, 'binding'],
				`the binding "${binding.binding}" is defined twice: on line ${earlierBinding.line} and on line ${binding.line}.`,
			);
		}
		bindingsByName.set(binding.binding, binding);
		return binding;
	});
}

const knownProperties = new Set(['binding', 'id', 'preview_id', 'remote']);

function readBinding(
	document: ConfigurationDocument,
	entry: unknown,
	path: DocumentPath,
	warnings: string[],
): NamespaceBinding {
	if (!isTable(entry))
		throw createInvalidFailure(
			document,
			path,
			`an entry of "kv_namespaces" must be a table with a binding, but is ${describeKind(entry)}.`,
		);
	const binding = readNonEmptyString(document, entry, path, 'binding');
	if (binding === undefined)
		throw createInvalidFailure(
			document,
			path,
			'this entry of "kv_namespaces" has no "binding"; every entry needs one.',
		);
	const id = readNonEmptyString(document, entry, path, 'id');
	const previewId = readNonEmptyString(document, entry, path, 'preview_id');
	const remote = getProperty(entry, 'remote');
	if (remote !== undefined && typeof remote !== 'boolean')
		throw createInvalidFailure(
			document,
			[...path, 'remote'],
			`"remote" must be true or false, but is ${describeKind(remote)}.`,
		);
	const unknownNames = Object.keys(entry).filter(name => !knownProperties.has(name));
	if (unknownNames.length > 0)
		warnings.push(
			`${document.shownAs}:${getLine(document, path)}: the binding "${binding}" has unknown properties: ${formatNameList(unknownNames)}.`,
		);
	return {
		binding,
		...(id !== undefined && {id}),
		...(previewId !== undefined && {previewId}),
		...(remote === true && {remote}),
		// Computed on demand: it is rarely needed, and the file must be searched for it.
		get line() {
			return getLine(document, path);
		},
	};
}

function readNonEmptyString(
	document: ConfigurationDocument,
	table: DocumentTable,
	path: DocumentPath,
	name: string,
): string | undefined {
	const value = readOptionalString(document, table, path, name);
	if (value === '')
		throw createInvalidFailure(document, [...path, name], `"${name}" must be a non-empty string.`);
	return value;
}

function readOptionalString(
	document: ConfigurationDocument,
	table: DocumentTable,
	path: DocumentPath,
	name: string,
): string | undefined {
	const value = getProperty(table, name);
	if (value === undefined || typeof value === 'string') return value;
	throw createInvalidFailure(
		document,
		[...path, name],
		`"${name}" must be a string, but is ${describeKind(value)}.`,
	);
}

const getLine = (document: ConfigurationDocument, path: DocumentPath): number =>
	document.findPosition(path).line;

/** Describes the type of a value; never the value itself, which may be a misplaced secret. */
function describeKind(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	if (value instanceof Date) return 'a date';
	switch (typeof value) {
		case 'string':
			return 'a string';
		case 'boolean':
			return 'true or false';
		case 'number':
		case 'bigint':
			return 'a number';
		default:
			return 'a table';
	}
}
