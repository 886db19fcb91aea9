import type {ConfigurationFormat} from './discovery.ts';
import {type ItemShape, insertItem, type WritingStyle, writingStyle} from './insertion.ts';
import {jsonLayout} from './json-layout.ts';
import {type Container, itemAt} from './layout.ts';
import {listPath, type NamespaceEntry, propertiesOf} from './namespace-entry.ts';

/**
 * The text of a JSON file with the entry in it: merged into the element at `index` of its list, or, without one,
 * as a new element, with whatever is missing around it.
 */
export function editJson(
	text: string,
	format: ConfigurationFormat,
	entry: NamespaceEntry,
	index: number | undefined,
): string {
	if (index === undefined) return appended(text, format, entry);
	return Object.entries(propertiesOf(entry)).reduce(
		(edited, [name, value]) => withProperty(edited, format, [...listPath(entry), index], name, value),
		text,
	);
}

function appended(text: string, format: ConfigurationFormat, entry: NamespaceEntry): string {
	const style = writingStyle(text);
	const {container, missing} = deepestContainer(text, listPath(entry));
	const element = propertiesOf(entry);
	const [name, ...deeper] = missing;
	const inner: unknown = [element];
	return insertItem(text, container, {
		format,
		style,
		write: shape =>
			name === undefined
				? json(element, shape, style)
				: `${JSON.stringify(name)}: ${json(
						deeper.reduceRight((value, key) => ({[key]: value}), inner),
						shape,
						style,
					)}`,
	});
}

/** The innermost thing on the way to a path that exists, and the names that are missing below it. */
function deepestContainer(
	text: string,
	path: readonly string[],
): {readonly container: Container; readonly missing: readonly string[]} {
	const root = jsonLayout(text);
	for (let length = path.length; length > 0; length--) {
		const value = itemAt(root, path.slice(0, length))?.value;
		if (value && value.kind !== 'scalar') return {container: value, missing: path.slice(length)};
	}
	if (root.kind === 'scalar') throw new RangeError('A configuration file holds an object.');
	return {container: root, missing: path};
}

function withProperty(
	text: string,
	format: ConfigurationFormat,
	path: readonly (string | number)[],
	name: string,
	value: string,
): string {
	const element = itemAt(jsonLayout(text), path)?.value;
	if (element?.kind !== 'table') return text;
	const present = itemAt(element, [name])?.value;
	if (present) return text.slice(0, present.start) + JSON.stringify(value) + text.slice(present.end);
	return insertItem(text, element, {
		format,
		style: writingStyle(text),
		write: () => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
	});
}

function json(value: unknown, {indentation, spread}: ItemShape, {lineEnd, step}: WritingStyle): string {
	// Line feeds inside strings are written as escapes, so those that are left are between tokens.
	return spread
		? JSON.stringify(value, null, step).replaceAll('\n', lineEnd + indentation)
		: JSON.stringify(value, null, 1).replace(/\n */g, ' ');
}
