import {requirePlan} from '../accounts/missing-features.ts';
import type {Plan} from '../accounts/plan.ts';
import {getRequestedZone} from '../accounts/zone-routes.ts';
import {refuseRequest} from '../http/answer.ts';
import type {RequestContext} from '../http/route.ts';
import {PreviousWaf} from './previous-waf.ts';
import {getServiceStage, readStageRecord} from './stored-stage.ts';

/** The zone of a request, and its previous managed rules. */
export type PreviousWafZone = {readonly id: string; readonly plan: Plan; readonly waf: PreviousWaf};

/** Returns the zone in the path; refuses it if its plan lacks these rules, or it has migrated. */
export function getPreviousWafZone(
	context: RequestContext,
	feature = 'managed rules',
	requiredPlan: Plan = 'pro',
): PreviousWafZone {
	const {id, plan} = getRequestedZone(context);
	requirePlan(plan, requiredPlan, feature);
	refuseMigratedZone(context, id);
	return {id, plan, waf: new PreviousWaf(context.world, id)};
}

/** Refuses the request with 410 if the zone has migrated, because it no longer has these settings. */
export function refuseMigratedZone({world, now}: RequestContext, zoneId: string): void {
	if (getServiceStage(readStageRecord(world, zoneId), now) !== 'complete') return;
	refuseRequest(410, {
		message:
			'This endpoint no longer works for the zone: it uses the new managed rules. Use the Rulesets API.',
	});
}
