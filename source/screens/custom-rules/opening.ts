import {mustLoad} from '../list/reading.ts';
import type {App} from '../shell/app.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {readCustomRules} from '../zones/actions.ts';
import {createZoneArea} from '../zones/zone-area.ts';

/** Opens the custom rules of a zone, and reads them unless they are loaded. */
function openCustomRules(app: App, zone: ZoneWithLabel): void {
	const {state} = app;
	state().zones.forgetOverview(zone.id);
	state().customRules.open(zone);
	state().navigation.go('customRules');
	if (mustLoad(state().customRules.data)) readCustomRules(app);
}

export const customRulesArea = createZoneArea({
	destination: 'custom rules',
	id: 'custom-rules',
	noun: 'custom rules',
	hint: 'custom rules',
	key: '3',
	searchTerms: ['custom rules', 'waf custom rules', 'firewall rules', 'rate limits'],
	open: openCustomRules,
});
