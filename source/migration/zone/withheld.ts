import {type Failure, isFailure} from '../../failure.ts';
import {getOutcome, isConclusiveFailure} from '../../service/outcome.ts';
import {isPlanAtLeast} from '../../service/plan.ts';
import type {MigrationZone} from './migration-zone.ts';

/**
 * True if the service itself withholds the resource: it is retired, absent, not in the plan, or not
 * permitted. Responses from a system in front of the service do not count. If the credential is unknown (400,
 * 401), nothing can be read.
 */
export function isWithheld(failure: Failure): boolean {
	if (failure.code === 'not_eligible') return true;
	switch (getOutcome(failure)) {
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

/**
 * Returns the failure instead of throwing it if the service withholds the resource. The caller decides what
 * it means.
 */
export async function toFailureIfWithheld<T>(reading: Promise<T>): Promise<T | Failure> {
	try {
		return await reading;
	} catch (error) {
		if (isFailure(error) && isWithheld(error)) return error;
		throw error;
	}
}

/** Why a part of a zone is unknown, in words that follow the part's name. */
export type UnreadReason = 'not allowed to read' | 'could not be read';

/** Returns why a part could not be read: 403 means that the credential lacks a permission. */
export const toUnreadReason = ({details: {http}}: Failure): UnreadReason =>
	http === 403 ? 'not allowed to read' : 'could not be read';

/**
 * True if the failure withholds the resource because the zone is on the Free plan, which never had the
 * previous managed rules. On another or an unknown plan, a refusal says nothing about the zone.
 */
export const isWithoutManagedRules = (
	{plan}: Partial<Pick<MigrationZone, 'plan'>>,
	failure: Failure,
): boolean => plan !== undefined && !isPlanAtLeast(plan, 'pro') && isWithheld(failure);

/** True if the failure shows that the zone does not have the part. */
export const isKnownAbsence = (zone: Pick<MigrationZone, 'plan'>, failure: Failure): boolean =>
	isConclusiveFailure(failure) || isWithoutManagedRules(zone, failure);
