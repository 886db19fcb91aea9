import type {JsonObject} from '../../text/json.ts';
import type {Check, MigrationStatus, Stage} from './stage.ts';

/**
 * The stage that the service means. The status counts, the check only where that says nothing. What nobody has seen before is
 * `unknown`, and so is what contradicts itself: nothing is written then.
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
			// Its meaning is not documented; a zone with the new version on is not where a migration begins.
			return newWaf === 'enabled' ? 'unknown' : 'previous';
		case 'validation':
			return 'validation';
		case 'pending':
			return 'pending';
		case 'complete':
			return newWaf === 'disabled' && oldWaf === 'enabled' ? 'unknown' : 'complete';
		case undefined:
			// Of a zone that is not eligible the check has no state.
			return check.compatible || newWaf === 'enabled' ? 'unknown' : 'previous';
		default:
			return 'unknown';
	}
}

/** How far the states are that the service names. */
const reached: Readonly<Record<string, number>> = {
	start: 0,
	default: 0,
	validation: 1,
	pending: 2,
	complete: 3,
};
const reachedBy = {previous: 0, validation: 1, pending: 2, complete: 3, unknown: 0} as const;

/**
 * Whether the check is further than the status, or where nobody has been: one of both is wrong. A check that is behind
 * is none: it is only documented for what comes before the migration.
 */
const isBeyond = (checked: string | undefined, stated: Stage): boolean =>
	checked !== undefined && !((reached[checked] ?? Number.POSITIVE_INFINITY) <= reachedBy[stated]);

/** Both answers as they are, to explain an unknown stage. */
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

/** The same as a sentence about an unknown stage. */
export const unknownInWords = (check: Check, status: MigrationStatus | undefined): string =>
	`Nobody knows what state the service means. ${answersInWords(check, status)}`;

/** A word of the service. Anything but a string is kept as it was written, and is thus unknown. */
export function wordIn(result: JsonObject, name: string): string | undefined {
	const value = result[name];
	if (value === undefined || value === null) return undefined;
	return typeof value === 'string' ? value : JSON.stringify(value);
}
