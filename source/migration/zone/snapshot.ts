import type {JsonObject} from '../../text/json.ts';
import type {ManagedContents} from './managed-contents.ts';
import type {MigrationZone} from './migration-zone.ts';
import type {UnreadReason} from './unavailable.ts';
/** A package of the previous managed rules with what is in it, each object as the service gave it. */
export type PackageSnapshot = {
	readonly package: JsonObject;
	readonly groups: readonly JsonObject[];
	readonly rules: readonly JsonObject[];
};

/**
 * Something that could not be read, and why, in words for a person. `isLacking`: the zone is known to have none of it, or
 * the service to have retired it. `isForbidden`: the credential may not read it.
 */
export type Unread = {
	readonly what: string;
	readonly why: string;
	readonly isLacking?: true;
	readonly isForbidden?: true;
};

/** The parts of a snapshot that are one object, or none. */
export const singleParts = ['check', 'status', 'waf', 'proposed', 'entryPoint'] as const;
/** Those that are a list of objects. */
export const listParts = ['overrides', 'firewallRules', 'filters', 'pageRules'] as const;

/** The parts of a snapshot, in words. */
export const parts = {
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
} as const satisfies Record<(typeof singleParts | typeof listParts)[number] | 'packages', string>;

/**
 * All that a zone holds before its migration, each object as the service gave it: what a backup keeps, what a plan is
 * worked out from, and what a rehearsal begins with. Nothing in it was made up or left out; what could not be read is
 * named in `unread`.
 */
export type Snapshot = {
	readonly version: 1;
	/** RFC 3339. */
	readonly taken: string;
	/** The origin of the service, or `simulated`. */
	readonly place: string;
	readonly zone: MigrationZone;
	/** `result` of the compatibility check; of a zone on the Free plan there is none. */
	readonly check: JsonObject | null;
	readonly status: JsonObject | null;
	/** `result` of `settings/waf`. */
	readonly waf: JsonObject | null;
	readonly packages: readonly PackageSnapshot[];
	readonly overrides: readonly JsonObject[];
	/** With their filters in them. */
	readonly firewallRules: readonly JsonObject[];
	readonly filters: readonly JsonObject[];
	readonly pageRules: readonly JsonObject[];
	/** The configuration that the service proposes; `null` where it proposes none. */
	readonly proposed: JsonObject | null;
	/** The entry point ruleset of the managed phase, as it is; `null` where there is none yet. */
	readonly entryPoint: JsonObject | null;
	readonly unread: readonly Unread[];
	/** The managed rulesets that the zone can execute, of the new version; not kept in a backup. */
	readonly managed?: readonly ManagedContents[] | undefined;
	/** Why they could not be read: ids in a configuration are not checked then. */
	readonly managedUnread?: string | undefined;
};

/** How many objects packages hold, each of them included. */
export const countPackages = (packages: readonly PackageSnapshot[]): number =>
	packages.reduce((sum, {groups, rules}) => sum + 1 + groups.length + rules.length, 0);

/** Why a part was not read; undefined if it was, or if the zone is known to have none. */
export function reasonUnread(unread: readonly Unread[], what: string): UnreadReason | undefined {
	const one = unread.find(part => part.what === what);
	if (!one || one.isLacking) return undefined;
	return one.isForbidden ? 'not allowed to read' : 'could not be read';
}
