import type {Plan} from '../accounts/plan.ts';
import {refuseBelow} from '../accounts/plan-lacks.ts';
import {zoneNamed} from '../accounts/zone-routes.ts';
import {refuse} from '../http/answer.ts';
import type {Ask} from '../http/route.ts';
import {PreviousWaf} from './previous-waf.ts';
import {readStage, stageAt} from './stored-stage.ts';

/** What a request for previous managed rules is about. */
export type PreviousZone = {readonly id: string; readonly plan: Plan; readonly waf: PreviousWaf};

/** The zone that the path names, unless its plan has no such rules or it has left them behind. */
export function previousZone(ask: Ask, what = 'managed rules', needed: Plan = 'pro'): PreviousZone {
	const {id, plan} = zoneNamed(ask);
	refuseBelow(plan, needed, what);
	refuseGone(ask, id);
	return {id, plan, waf: new PreviousWaf(ask.world, id)};
}

/** Ends the work on a request for something that a zone no longer has after its migration. */
export function refuseGone({world, now}: Ask, zone: string): void {
	if (stageAt(readStage(world, zone), now) !== 'complete') return;
	refuse(410, {
		message:
			'This endpoint no longer works for the zone: it uses the new managed rules. Use the Rulesets API.',
	});
}
