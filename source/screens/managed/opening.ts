import type {App} from '../shell/app.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {createZoneArea} from '../zones/zone-area.ts';

/** Opens the active managed rules of a zone, and reads them. */
export function openManagedScreen(app: App, zone: ZoneWithLabel): void {
	const {state} = app;
	state().zones.forgetOverview(zone.id);
	state().managed.open(zone);
	state().navigation.go('managed');
	readManaged(app);
}

/** Reads the managed rules, then offers stored changes of an earlier session. */
export function readManaged({state}: App): void {
	void state().managed.readAndOfferDraft();
}

export const managedArea = createZoneArea({
	destination: 'managed',
	id: 'managed',
	noun: 'active managed rules',
	hint: 'managed rules',
	key: '4',
	searchTerms: ['managed rules', 'waf', 'owasp', 'rulesets', 'overrides', 'exceptions'],
	open: openManagedScreen,
});
