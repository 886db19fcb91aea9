import {buildExpectedConfiguration} from '../../../source/migration/plan/expected.ts';
import type {PackageSnapshot, Snapshot} from '../../../source/migration/zone/snapshot.ts';
import type {JsonObject} from '../../../source/text/json.ts';
import {buildBareSnapshot} from '../../support/snapshot.ts';

/** The OWASP package as the service returns it, with these settings, groups and rules. */
export const owaspPackage = (
	settings: JsonObject = {sensitivity: 'high', action_mode: 'simulate'},
	groups: readonly JsonObject[] = [],
	rules: readonly JsonObject[] = [],
): PackageSnapshot => ({
	package: {id: 'owasp', name: 'OWASP ModSecurity Core Rule Set', detection_mode: 'anomaly', ...settings},
	groups,
	rules,
});

/** The package with the managed rules of the platform. */
export const platformPackage = (
	groups: readonly JsonObject[] = [],
	rules: readonly JsonObject[] = [],
	name = 'Platform',
): PackageSnapshot => ({
	package: {id: 'platform', name, detection_mode: 'traditional', status: 'active'},
	groups,
	rules,
});

export const group = (id: string, mode: 'on' | 'off', more: JsonObject = {}): JsonObject => ({
	id,
	name: `Group ${id}`,
	mode,
	rules_count: 1,
	modified_rules_count: 0,
	...more,
});

export const rule = (id: string, mode: string, groupId = 'g', more: JsonObject = {}): JsonObject => ({
	id,
	description: `What ${id} does`,
	mode,
	default_mode: 'block',
	group: {id: groupId, name: `Group ${groupId}`},
	...more,
});

/** A rule of the OWASP package is only on or off. */
export const scoringRule = (id: string, mode: 'on' | 'off', groupId: string): JsonObject => ({
	id,
	description: `What ${id} does`,
	mode,
	group: {id: groupId, name: `Group ${groupId}`},
});

export const bypass = (id: string, expression: string, more: JsonObject = {}): JsonObject => ({
	id,
	action: 'bypass',
	products: ['waf'],
	paused: false,
	description: '',
	filter: {id: `f-${id}`, expression, paused: false},
	...more,
});

export const pageRule = (id: string, url: string, action: JsonObject, status = 'active'): JsonObject => ({
	id,
	targets: [{target: 'url', constraint: {operator: 'matches', value: url}}],
	actions: [action],
	status,
	priority: 1,
});

/** A zone before its migration. Its proposal is that of the documented mapping unless `parts` has one. */
export function snapshotOf(parts: Partial<Snapshot> = {}): Snapshot {
	const snapshot = buildBareSnapshot({
		check: {compatible: true, migration_state: 'start'},
		waf: {id: 'waf', value: 'on'},
		packages: [owaspPackage(), platformPackage()],
		...parts,
	});
	if (parts.proposed !== undefined) return snapshot;
	const {name, rules} = buildExpectedConfiguration(snapshot);
	return {...snapshot, proposed: {name, rules}};
}
