/** What a token needs for the calls below a path, as the dashboard names it. The first match counts. */
const permissionsByPath: readonly (readonly [path: RegExp, resource: string])[] = [
	[/^\/accounts\/[^/]+\/storage\/kv\//, 'Account → Workers KV Storage'],
	[/^\/accounts\/[^/]+\/rules\/lists(?:[/?]|$)/, 'Account → Account Filter Lists'],
	[/^\/zones\/[^/]+\/rulesets(?:[/?]|$)/, 'Zone → WAF'],
	[/^\/zones\/[^/]+\/(?:filters|firewall|rate_limits)(?:[/?]|$)/, 'Zone → Firewall Services'],
	[/^\/graphql(?:[/?]|$)/, 'Zone → Analytics'],
	[/^\/zones(?:[/?]|$)/, 'Zone → Zone'],
];

/**
 * Returns the permission that a call needs: "Zone → WAF → Edit". Undefined if ledge does not know it. Source:
 * the service's list of API token permissions, and users' reports about rulesets.
 */
export function findNeededPermission({
	method,
	path,
}: {
	readonly method: string;
	readonly path: string;
}): string | undefined {
	const resource = permissionsByPath.find(([pattern]) => pattern.test(path))?.[1];
	if (resource === undefined) return undefined;
	return `${resource} → ${method === 'GET' || path.startsWith('/graphql') ? 'Read' : 'Edit'}`;
}
