import type {OpenedZone} from '../firewall/state.ts';
import type {App} from '../shell/app.ts';
import {createArea} from '../zones/area.ts';

/** Opens the active managed rules of a zone, and reads them. */
export function openManaged(app: App, zone: OpenedZone): void {
	const {state} = app;
	state().zones.forgetOverview(zone.id);
	state().managed.open(zone);
	state().navigation.go('managed');
	readManaged(app);
}

/** Reads the managed rules, then offers stored changes of an earlier session. */
export function readManaged({state}: App): void {
	void state().managed.readInFront();
}

export const managedArea = createArea({
	destination: 'managed',
	id: 'managed',
	noun: 'managed rules in force',
	hint: 'managed rules',
	key: 'W',
	searchTerms: ['managed rules', 'waf', 'owasp', 'rulesets', 'overrides', 'exceptions'],
	getZone: ({managed: {data}}) => data?.zone,
	open: openManaged,
});
