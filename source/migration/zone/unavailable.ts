import {type Failure, isFailure} from '../../failure.ts';
import {isFact, outcomeOf} from '../../service/outcome.ts';
import {planHas} from '../../service/plan.ts';
import type {MigrationZone} from './migration-zone.ts';

/**
 * Whether the service itself answers that it withholds what was asked for: retired, absent, not in the plan, not
 * for this credential. That says only that it was not read. What something in front of the service answered is no
 * answer of the service; with a credential that it does not know at all (400, 401) nothing can be read.
 */
export function isWithheld(failure: Failure): boolean {
	if (failure.code === 'not_eligible') return true;
	switch (outcomeOf(failure)) {
		case 'refused':
		case 'refused without a reason':
		case 'absent':
		case 'unrouted':
		case 'retired':
			return true;
		case 'not allowed':
			return failure.details.http === 403;
		default:
			return false;
	}
}

/** A reading, or that the service withholds it: what that means, another reading may say. */
export async function orWithheld<T>(reading: Promise<T>): Promise<T | Failure> {
	try {
		return await reading;
	} catch (error) {
		if (isFailure(error) && isWithheld(error)) return error;
		throw error;
	}
}

/** Why a part of a zone is not known, in words that follow its name. */
export type UnreadReason = 'not allowed to read' | 'could not be read';

/** Returns why a read failed: 403 means that the credential lacks a permission. */
export const unreadReason = ({details: {http}}: Failure): UnreadReason =>
	http === 403 ? 'not allowed to read' : 'could not be read';

/**
 * Whether a zone has no previous managed rules, so that the service withholds all that is about them: it is of the Free
 * plan. On another or an unknown plan, a refusal shows nothing about the zone.
 */
export const isWithoutManagedRules = (
	{plan}: Partial<Pick<MigrationZone, 'plan'>>,
	failure: Failure,
): boolean => plan !== undefined && !planHas(plan, 'pro') && isWithheld(failure);

/** Whether what could not be read is known not to exist in the zone. */
export const isKnownLack = (zone: Pick<MigrationZone, 'plan'>, failure: Failure): boolean =>
	isFact(failure) || isWithoutManagedRules(zone, failure);
