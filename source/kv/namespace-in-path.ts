/** The id of the namespace in the path of a call, as `namespacePath` makes it; undefined in any other path. */
export function namespaceInPath(path: string): string | undefined {
	const [, id] = /^\/accounts\/[^/]*\/storage\/kv\/namespaces\/([^/]+)/.exec(path) ?? [];
	return id === undefined ? undefined : decodeURIComponent(id);
}
