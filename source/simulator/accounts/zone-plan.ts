import type {Plan} from '../../service/plan.ts';
import {planOf} from '../../service/plan.ts';
import type {JsonObject} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';

/** The plan of a zone of the world. */
export function planOfZone({plan}: JsonObject): Plan {
	const legacy = isJsonObject(plan) ? plan.legacy_id : undefined;
	return planOf(typeof legacy === 'string' ? legacy : undefined) ?? 'free';
}
