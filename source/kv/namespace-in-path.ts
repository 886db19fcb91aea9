/** Returns the namespace id in an API path built by `buildNamespacePath`; undefined for other paths. */
export function parseNamespaceFromPath(path: string): string | undefined {
	const [, id] = /^\/accounts\/[^/]*\/storage\/kv\/namespaces\/([^/]+)/.exec(path) ?? [];
	return id === undefined ? undefined : decodeURIComponent(id);
}
