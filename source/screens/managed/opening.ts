import type {OpenedZone} from '../firewall/state.ts';
import type {App} from '../shell/app.ts';
import {createArea} from '../zones/area.ts';

/** Goes to the managed rules in force of a zone, and reads them. */
export function openManaged(app: App, zone: OpenedZone): void {
	const {state} = app;
	state().zones.forgetOverview(zone.id);
	state().managed.open(zone);
	state().navigation.go('managed');
	readManaged(app);
}

/** Reads them; changes that an earlier run left are offered then. */
export function readManaged({state}: App): void {
	void state().managed.readInFront();
}

export const managedArea = createArea({
	opens: 'managed',
	id: 'managed',
	what: 'managed rules in force',
	hint: 'managed rules',
	key: 'W',
	words: ['managed rules', 'waf', 'owasp', 'rulesets', 'overrides', 'exceptions'],
	zone: ({managed: {data}}) => data?.zone,
	open: openManaged,
});
