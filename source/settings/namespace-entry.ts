import type {ConfigurationFormat} from './discovery.ts';

export type NamespaceEntry = {
	readonly binding: string;
	readonly id?: string | undefined;
	readonly previewId?: string | undefined;
	/** The environment it belongs to; none: the top level. */
	readonly environment?: string | undefined;
};

/** The properties of an entry as the file has them, in the order they are written. */
export function propertiesOf({binding, id, previewId}: NamespaceEntry): Readonly<Record<string, string>> {
	return {
		binding,
		...(id !== undefined && {id}),
		...(previewId !== undefined && {preview_id: previewId}),
	};
}

/** Where the list of bindings is that an entry belongs to. */
export const listPath = ({environment}: NamespaceEntry): readonly string[] =>
	environment === undefined ? ['kv_namespaces'] : ['env', environment, 'kv_namespaces'];

/**
 * The text that `kv namespace create` prints for the configuration file,
 * without a line end behind it: a table in TOML, an object of two spaces' indentation otherwise.
 */
export function snippet(format: ConfigurationFormat, entry: NamespaceEntry): string {
	if (format === 'toml') return tomlTable(entry).join('\n');
	const innermost: unknown = [propertiesOf(entry)];
	const whole = listPath(entry).reduceRight((inner, name) => ({[name]: inner}), innermost);
	return JSON.stringify(whole, null, 2);
}

export const tomlTable = (entry: NamespaceEntry): readonly string[] => [
	`[[${listPath(entry).map(tomlKey).join('.')}]]`,
	...tomlProperties(entry),
];

export const tomlProperties = (entry: NamespaceEntry): readonly string[] =>
	Object.entries(propertiesOf(entry)).map(([name, value]) => `${name} = ${tomlString(value)}`);

export const tomlKey = (key: string): string => (/^[A-Za-z0-9_-]+$/.test(key) ? key : tomlString(key));

/** A basic string. JSON's escapes are valid TOML; TOML wants one for DEL too and knows no halves of characters. */
export const tomlString = (value: string): string =>
	JSON.stringify(value.toWellFormed()).replaceAll('\u007f', '\\u007F');

/**
 * A binding made from the title of a namespace: white space and `-` become `_`, what is
 * not `[A-Za-z0-9_]` is left out, several `_` become one, a leading digit gets a `_` before it, and `KV` serves
 * when nothing is left.
 */
export function bindingName(title: string): string {
	const name = title
		.replace(/[\s-]/g, '_')
		.replace(/[^A-Za-z0-9_]/g, '')
		.replace(/_+/g, '_');
	if (name === '' || name === '_') return 'KV';
	return /^\d/.test(name) ? `_${name}` : name;
}
