import type {Check, MigrationStatus, Stage} from './stage.ts';

/**
 * The stage that the service means (platform.md, "Zone migration"; the values of `migration_state` are those of
 * service-contract.md 6). The status counts, the check only where that says nothing. What nobody has seen before is
 * `unknown`, and so is what contradicts itself: nothing is written then (decision 36).
 */
export function stageOf(check: Check, status: MigrationStatus | undefined): Stage {
	const state = status?.state ?? check.state;
	switch (state) {
		case 'start':
			return 'previous';
		case 'default':
			// Nobody says what it means; a zone with only the new version has nothing left to migrate.
			return status?.newWaf === 'enabled' && status.oldWaf === 'disabled' ? 'unknown' : 'previous';
		case 'validation':
			return 'validation';
		case 'pending':
			return 'pending';
		case 'complete':
			return 'complete';
		case undefined:
			// Of a zone that is not eligible the check gives no state.
			return check.compatible || status?.newWaf === 'enabled' ? 'unknown' : 'previous';
		default:
			return 'unknown';
	}
}
