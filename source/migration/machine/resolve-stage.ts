import type {JsonObject} from '../../text/json.ts';
import type {CompatibilityCheck, MigrationStage, MigrationStatus} from './stage.ts';

/**
 * Determines the stage from the service's responses. The status decides; the check is used only if the status
 * has no state. If they contradict each other or contain an unknown word, the stage is `unknown`, and nothing
 * is written.
 */
export function resolveMigrationStage(
	check: CompatibilityCheck,
	status: MigrationStatus | undefined,
): MigrationStage {
	const statusStage = resolveStatusStage(status, check);
	return status?.state !== undefined && isCheckAhead(check.state, statusStage) ? 'unknown' : statusStage;
}

function resolveStatusStage(status: MigrationStatus | undefined, check: CompatibilityCheck): MigrationStage {
	const {newWaf, oldWaf} = status ?? {};
	switch (status?.state ?? check.state) {
		case 'start':
			return newWaf === 'enabled' && oldWaf === 'disabled' ? 'unknown' : 'previous';
		case 'default':
			// Undocumented. A zone with the new version on is not at the beginning of a migration.
			return newWaf === 'enabled' ? 'unknown' : 'previous';
		case 'validation':
			return 'validation';
		case 'pending':
			return 'pending';
		case 'complete':
			return newWaf === 'disabled' && oldWaf === 'enabled' ? 'unknown' : 'complete';
		case undefined:
			// For a zone that is not eligible, the check has no state.
			return check.compatible || newWaf === 'enabled' ? 'unknown' : 'previous';
		default:
			return 'unknown';
	}
}

/** Order of the states named by the service. */
const stateRanks: Readonly<Record<string, number>> = {
	start: 0,
	default: 0,
	validation: 1,
	pending: 2,
	complete: 3,
};
const stageRanks = {previous: 0, validation: 1, pending: 2, complete: 3, unknown: 0} as const;

/**
 * True if the check is ahead of the status, or has an unknown state: one of them is wrong. A check that is
 * behind the status is fine: it is documented only for the time before the migration.
 */
const isCheckAhead = (checkState: string | undefined, statusStage: MigrationStage): boolean =>
	checkState !== undefined &&
	!((stateRanks[checkState] ?? Number.POSITIVE_INFINITY) <= stageRanks[statusStage]);

/** Quotes both responses, to explain an unknown stage. */
export function describeServiceResponses(
	check: CompatibilityCheck,
	status: MigrationStatus | undefined,
): string {
	const {state, newWaf, oldWaf} = status ?? {};
	const quoteField = (label: string, value: string | undefined) =>
		value === undefined ? [] : [`${label} "${value}"`];
	const statusText = [
		...quoteField('state', state),
		...quoteField('new version', newWaf),
		...quoteField('previous version', oldWaf),
	].join(', ');
	const checkText = [
		...(check.unanswered === undefined ? [check.compatible ? 'compatible' : 'not compatible'] : []),
		...quoteField('state', check.state),
	].join(', ');
	return `The check reports: ${checkText || 'nothing'}. The status reports: ${statusText || 'nothing'}.`;
}

export const describeUnknownStage = (
	check: CompatibilityCheck,
	status: MigrationStatus | undefined,
): string =>
	`The service's responses don't make it clear which state the zone is in. ${describeServiceResponses(check, status)}`;

/**
 * Reads a word from a response of the service. A value that is not a string is converted to JSON, and is then
 * an unknown word.
 */
export function readServiceWord(result: JsonObject, name: string): string | undefined {
	const value = result[name];
	if (value === undefined || value === null) return undefined;
	return typeof value === 'string' ? value : JSON.stringify(value);
}
