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
