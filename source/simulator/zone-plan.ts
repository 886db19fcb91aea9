import type {JsonObject} from '../json.ts';
import {isJsonObject} from '../json.ts';
import type {Plan} from '../service/plan.ts';
import {planOf} from '../service/plan.ts';

/** The plan of a zone of the world. */
export function planOfZone({plan}: JsonObject): Plan {
	const legacy = isJsonObject(plan) ? plan.legacy_id : undefined;
	return planOf(typeof legacy === 'string' ? legacy : undefined) ?? 'free';
}
