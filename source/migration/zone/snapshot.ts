import type {JsonObject} from '../../text/json.ts';
import type {ManagedContents} from './managed-contents.ts';
import type {MigrationZone} from './migration-zone.ts';
import type {UnreadReason} from './withheld.ts';
/** A package of the previous managed rules with its groups and rules, as the service sent them. */
export type PackageSnapshot = {
	readonly package: JsonObject;
	readonly groups: readonly JsonObject[];
	readonly rules: readonly JsonObject[];
};

/**
 * A part that could not be read, and why. `isLacking`: the zone is known not to have it, or the service has
 * retired it. `isForbidden`: the credential lacks the permission.
 */
export type UnreadPart = {
	readonly what: string;
	readonly why: string;
	readonly isLacking?: true;
	readonly isForbidden?: true;
};

/** Parts of a snapshot with at most one object. */
export const singlePartKeys = ['check', 'status', 'waf', 'proposed', 'entryPoint'] as const;
/** Parts of a snapshot with a list of objects. */
export const arrayPartKeys = ['overrides', 'firewallRules', 'filters', 'pageRules'] as const;

/** Names of the parts, as shown in messages and as stored in `unread`. */
export const snapshotPartNames = {
	check: 'the compatibility check',
	status: 'the migration status',
	waf: 'the switch of the previous version',
	packages: 'the previous managed rules',
	overrides: 'the URI-based overrides',
	firewallRules: 'the firewall rules',
	filters: 'the filters',
	pageRules: 'the page rules',
	proposed: 'the proposed configuration',
	entryPoint: 'the entry point ruleset',
} as const satisfies Record<(typeof singlePartKeys | typeof arrayPartKeys)[number] | 'packages', string>;

/**
 * Everything that a zone has before its migration, as the service sent it: the basis of backups, plans and
 * rehearsals. Parts that could not be read are listed in `unread`.
 */
export type Snapshot = {
	readonly version: 1;
	/** RFC 3339. */
	readonly taken: string;
	/** The origin of the service, or `simulated`. */
	readonly place: string;
	readonly zone: MigrationZone;
	/** `result` of the compatibility check; `null` for a zone on the Free plan. */
	readonly check: JsonObject | null;
	readonly status: JsonObject | null;
	/** `result` of `settings/waf`. */
	readonly waf: JsonObject | null;
	readonly packages: readonly PackageSnapshot[];
	readonly overrides: readonly JsonObject[];
	/** Including their filters. */
	readonly firewallRules: readonly JsonObject[];
	readonly filters: readonly JsonObject[];
	readonly pageRules: readonly JsonObject[];
	/** The configuration that the service proposes; `null` if none. */
	readonly proposed: JsonObject | null;
	/** The current entry point ruleset of the managed phase; `null` if none exists yet. */
	readonly entryPoint: JsonObject | null;
	readonly unread: readonly UnreadPart[];
	/** The managed rulesets that the zone can execute; not saved in a backup. */
	readonly catalogue?: readonly ManagedContents[] | undefined;
	/** Why the managed rulesets could not be read. The ids in a configuration are then not checked. */
	readonly catalogueUnreadReason?: string | undefined;
};

/** Counts the objects of packages, including the packages. */
export const countPackages = (packages: readonly PackageSnapshot[]): number =>
	packages.reduce((sum, {groups, rules}) => sum + 1 + groups.length + rules.length, 0);

/** Returns why a part was not read. Undefined if it was read, or if the zone is known not to have it. */
export function findUnreadReason(unread: readonly UnreadPart[], what: string): UnreadReason | undefined {
	const unreadPart = unread.find(part => part.what === what);
	if (!unreadPart || unreadPart.isLacking) return undefined;
	return unreadPart.isForbidden ? 'not allowed to read' : 'could not be read';
}
