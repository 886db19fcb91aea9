import type {Plan} from '../accounts/plan.ts';
import {refuseBelow} from '../accounts/plan-lacks.ts';
import {zoneNamed} from '../accounts/zone-routes.ts';
import {refuse} from '../http/answer.ts';
import type {Ask} from '../http/route.ts';
import {PreviousWaf} from './previous-waf.ts';
import {readStage, stageAt} from './stored-stage.ts';

/** The zone of a request for previous managed rules. */
export type PreviousZone = {readonly id: string; readonly plan: Plan; readonly waf: PreviousWaf};

/** Returns the zone in the path; refuses it if its plan lacks these rules, or it has migrated. */
export function previousZone(ask: Ask, what = 'managed rules', needed: Plan = 'pro'): PreviousZone {
	const {id, plan} = zoneNamed(ask);
	refuseBelow(plan, needed, what);
	refuseGone(ask, id);
	return {id, plan, waf: new PreviousWaf(ask.world, id)};
}

/** Refuses what a zone no longer has after its migration with 410. */
export function refuseGone({world, now}: Ask, zone: string): void {
	if (stageAt(readStage(world, zone), now) !== 'complete') return;
	refuse(410, {
		message:
			'This endpoint no longer works for the zone: it uses the new managed rules. Use the Rulesets API.',
	});
}
