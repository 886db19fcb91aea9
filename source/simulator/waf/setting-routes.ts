import type {JsonObject} from '../../text/json.ts';
import {planHas} from '../accounts/plan.ts';
import {zoneNamed} from '../accounts/zone-routes.ts';
import {type Answer, done, refuse} from '../http/answer.ts';
import {objectOf, readJson} from '../http/json-request.ts';
import type {Ask, Route} from '../http/route.ts';
import {PreviousWaf} from './previous-waf.ts';
import {previousZone, refuseGone} from './previous-zone.ts';

const path = '/zones/:zone/settings/waf';

/** Routes for the switch of the previous managed rules. */
export const settingRoutes: readonly Route[] = [
	{method: 'GET', path, grant: 'settings:read', answer: ask => done(setting(ask))},
	{method: 'PATCH', path, grant: 'settings:write', answer: changeSetting},
];

function setting(ask: Ask): JsonObject {
	const {id, plan} = zoneNamed(ask);
	// A zone without managed rules has the switch too: off, and not editable.
	if (!planHas(plan, 'pro')) return {id: 'waf', value: 'off', editable: false, modified_on: null};
	refuseGone(ask, id);
	const waf = new PreviousWaf(ask.world, id);
	return {id: 'waf', value: waf.isOn ? 'on' : 'off', editable: true, modified_on: waf.switched};
}

async function changeSetting(ask: Ask): Promise<Answer> {
	const {value} = objectOf(await readJson(ask), 'a setting');
	if (value !== 'on' && value !== 'off') return refuse(400, {message: 'value must be on or off'});
	return ask.world.transaction(() => {
		previousZone(ask).waf.switch(value, ask.now);
		return done(setting(ask));
	});
}
