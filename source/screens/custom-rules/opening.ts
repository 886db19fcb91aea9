import type {OpenedZone} from '../firewall/state.ts';
import {everywhere, noSettings, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {readCustomRules} from '../zones/actions.ts';
import {chooseZone, zoneLookedAt} from '../zones/area.ts';
import {openedZone, opensHere, selectedZone} from '../zones/slice.ts';

/** Goes to the custom rules of a zone, and reads them unless they were read. */
function openCustomRules(app: App, zone: OpenedZone): void {
	const {state} = app;
	state().zones.forgetOverview(zone.id);
	state().customRules.open(zone);
	state().navigation.go('customRules');
	const reading = state().customRules.data?.reading;
	if (reading === 'unread' || reading === 'failed') readCustomRules(app);
}

/** The custom rules of the zone that is looked at; else of the zone that was named, or is the only one; else the zones. */
export function openCustomRulesArea(app: App): void {
	const here = zoneLookedAt(app.state()) ?? app.state().customRules.data?.zone;
	if (here) openCustomRules(app, here);
	else chooseZone(app, 'custom rules', openCustomRules);
}

/** From every screen, also by the words that people know them by. */
export const goCustomRulesArea: Action = everywhere(
	'go.custom-rules',
	['R'],
	'go to the custom rules of a zone',
	{
		words: ['custom rules', 'waf custom rules', 'firewall rules', 'rate limits'],
		unavailable: noSettings,
		run: openCustomRulesArea,
	},
);

/** Where the zones were gone to for their custom rules, enter opens those. */
export const zoneCustomRules: Action = {
	id: 'zones.custom-rules',
	keys: ['enter', 'l', 'right'],
	title: 'open the custom rules of the zone',
	hint: 'custom rules',
	group: 'Zones',
	where: ['zones'],
	isHere: ({zones: {data: zones}}) => opensHere(zones) === 'custom rules',
	...withFound(
		({zones: {data: zones}}) => selectedZone(zones),
		'there is no zone here',
		(app, zone) => openCustomRules(app, openedZone(zone)),
	),
};
