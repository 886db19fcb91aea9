import type {ConfigurationFormat} from './discovery.ts';

export type NamespaceEntry = {
	readonly binding: string;
	readonly id?: string | undefined;
	readonly previewId?: string | undefined;
	/** Its environment; default: the top level. */
	readonly environment?: string | undefined;
};

/** Returns the properties of an entry as in the file, in order. */
export function getEntryProperties({
	binding,
	id,
	previewId,
}: NamespaceEntry): Readonly<Record<string, string>> {
	return {
		binding,
		...(id !== undefined && {id}),
		...(previewId !== undefined && {preview_id: previewId}),
	};
}

/** Returns the path of the list that an entry belongs to. */
export const getEntryListPath = ({environment}: NamespaceEntry): readonly string[] =>
	environment === undefined ? ['kv_namespaces'] : ['env', environment, 'kv_namespaces'];

/**
 * Formats what `kv namespace create` prints for the configuration file, without a final line end: a table in
 * TOML, else an object indented by two spaces.
 */
export function formatEntrySnippet(format: ConfigurationFormat, entry: NamespaceEntry): string {
	if (format === 'toml') return formatTomlTable(entry).join('\n');
	const innermost: unknown = [getEntryProperties(entry)];
	const nestedTable = getEntryListPath(entry).reduceRight((nested, name) => ({[name]: nested}), innermost);
	return JSON.stringify(nestedTable, null, 2);
}

export const formatTomlTable = (entry: NamespaceEntry): readonly string[] => [
	`[[${getEntryListPath(entry).map(formatTomlKey).join('.')}]]`,
	...formatTomlProperties(entry),
];

export const formatTomlProperties = (entry: NamespaceEntry): readonly string[] =>
	Object.entries(getEntryProperties(entry)).map(([name, value]) => `${name} = ${formatTomlString(value)}`);

export const formatTomlKey = (key: string): string =>
	/^[A-Za-z0-9_-]+$/.test(key) ? key : formatTomlString(key);

/**
 * Formats a basic string. JSON's escapes are valid TOML; TOML also escapes DEL and has no lone surrogates.
 */
export const formatTomlString = (value: string): string =>
	JSON.stringify(value.toWellFormed()).replaceAll('\u007f', '\\u007F');

/**
 * Derives a binding from a namespace title: white space and `-` become `_`, other characters than
 * `[A-Za-z0-9_]` are dropped, repeated `_` are merged, a leading digit gets a `_` prefix; `KV` if nothing is
 * left.
 */
export function toBindingName(title: string): string {
	const name = title
		.replace(/[\s-]/g, '_')
		.replace(/[^A-Za-z0-9_]/g, '')
		.replace(/_+/g, '_');
	if (name === '' || name === '_') return 'KV';
	return /^\d/.test(name) ? `_${name}` : name;
}
