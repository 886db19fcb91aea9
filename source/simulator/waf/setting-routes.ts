import type {JsonObject} from '../../text/json.ts';
import {hasRequiredPlan} from '../accounts/plan.ts';
import {getRequestedZone} from '../accounts/zone-routes.ts';
import {buildSuccessAnswer, refuseRequest, type ServiceAnswer} from '../http/answer.ts';
import {readJsonBody, requireObject} from '../http/json-request.ts';
import type {RequestContext, Route} from '../http/route.ts';
import {PreviousWaf} from './previous-waf.ts';
import {getPreviousWafZone, refuseMigratedZone} from './previous-waf-zone.ts';

const path = '/zones/:zone/settings/waf';

/** Routes for the switch of the previous managed rules. */
export const settingRoutes: readonly Route[] = [
	{
		method: 'GET',
		path,
		grant: 'settings:read',
		answer: context => buildSuccessAnswer(buildWafSetting(context)),
	},
	{method: 'PATCH', path, grant: 'settings:write', answer: changeSetting},
];

function buildWafSetting(context: RequestContext): JsonObject {
	const {id, plan} = getRequestedZone(context);
	// A zone without managed rules has the switch, too; it is off and cannot be changed.
	if (!hasRequiredPlan(plan, 'pro')) return {id: 'waf', value: 'off', editable: false, modified_on: null};
	refuseMigratedZone(context, id);
	const waf = new PreviousWaf(context.world, id);
	return {id: 'waf', value: waf.isOn ? 'on' : 'off', editable: true, modified_on: waf.lastSwitchTime};
}

async function changeSetting(context: RequestContext): Promise<ServiceAnswer> {
	const {value} = requireObject(await readJsonBody(context), 'a setting');
	if (value !== 'on' && value !== 'off') return refuseRequest(400, {message: 'value must be on or off'});
	return context.world.runTransaction(() => {
		getPreviousWafZone(context).waf.setSwitch(value, context.now);
		return buildSuccessAnswer(buildWafSetting(context));
	});
}
