import type {OpenedZone} from '../firewall/state.ts';
import {needsReading} from '../list/reading.ts';
import type {App} from '../shell/app.ts';
import {readCustomRules} from '../zones/actions.ts';
import {createArea} from '../zones/area.ts';

/** Opens the custom rules of a zone, and reads them unless they are loaded. */
function openCustomRules(app: App, zone: OpenedZone): void {
	const {state} = app;
	state().zones.forgetOverview(zone.id);
	state().customRules.open(zone);
	state().navigation.go('customRules');
	if (needsReading(state().customRules.data)) readCustomRules(app);
}

export const customRulesArea = createArea({
	opens: 'custom rules',
	id: 'custom-rules',
	what: 'custom rules',
	hint: 'custom rules',
	key: 'R',
	words: ['custom rules', 'waf custom rules', 'firewall rules', 'rate limits'],
	zone: ({customRules: {data}}) => data?.zone,
	open: openCustomRules,
});
