import type {JsonObject} from '../../text/json.ts';
import type {Check, MigrationStatus, Stage} from './stage.ts';

/**
 * Determines the stage from the service's answers. The status counts; the check only if the status has no
 * state. A contradiction or an unknown word is `unknown`, and then nothing is written.
 */
export function stageOf(check: Check, status: MigrationStatus | undefined): Stage {
	const stated = stageStated(status, check);
	return status?.state !== undefined && isBeyond(check.state, stated) ? 'unknown' : stated;
}

function stageStated(status: MigrationStatus | undefined, check: Check): Stage {
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
const reached: Readonly<Record<string, number>> = {
	start: 0,
	default: 0,
	validation: 1,
	pending: 2,
	complete: 3,
};
const reachedBy = {previous: 0, validation: 1, pending: 2, complete: 3, unknown: 0} as const;

/**
 * True if the check is ahead of the status, or unknown: one of them is wrong. A check that is behind is fine:
 * it is documented only for the time before the migration.
 */
const isBeyond = (checked: string | undefined, stated: Stage): boolean =>
	checked !== undefined && !((reached[checked] ?? Number.POSITIVE_INFINITY) <= reachedBy[stated]);

/** Quotes both answers, to explain an unknown stage. */
export function answersInWords(check: Check, status: MigrationStatus | undefined): string {
	const {state, newWaf, oldWaf} = status ?? {};
	const of = (what: string, said: string | undefined) => (said === undefined ? [] : [`${what} "${said}"`]);
	const stated = [
		...of('state', state),
		...of('new version', newWaf),
		...of('previous version', oldWaf),
	].join(', ');
	const checked = [
		...(check.unanswered === undefined ? [check.compatible ? 'compatible' : 'not compatible'] : []),
		...of('state', check.state),
	].join(', ');
	return `The check says: ${checked || 'nothing'}. The status says: ${stated || 'nothing'}.`;
}

export const unknownInWords = (check: Check, status: MigrationStatus | undefined): string =>
	`Nobody knows what state the service means. ${answersInWords(check, status)}`;

/**
 * Reads a word from an answer of the service. Another type is converted to JSON, and is then an unknown word.
 */
export function wordIn(result: JsonObject, name: string): string | undefined {
	const value = result[name];
	if (value === undefined || value === null) return undefined;
	return typeof value === 'string' ? value : JSON.stringify(value);
}
