import type {LedgeStore} from '../../store/ledge-store.ts';
import {mustLoad} from '../list/reading.ts';
import type {App} from '../shell/app.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {createZoneArea} from '../zones/zone-area.ts';
import {type Narrowing, spans} from './state.ts';

/** Opens the security events of a zone, filtered by `narrowing` if given, and reads them if missing or old. */
export function openEvents(app: App, zone: ZoneWithLabel, narrowing?: Narrowing): void {
	const {state} = app;
	state().events.open(zone, narrowing);
	// Back leads to the rule, also if the events were open below it.
	if (narrowing) state().navigation.leaveScreens(screen => screen === 'events');
	state().navigation.go('events');
	if (mustLoad(state().events.data?.overview) || state().events.isOutdated()) readEvents(app);
	else scheduleRefresh(app);
}

/** Reads the visible events, then missing names. */
export function readEvents(app: App, kind: 'read' | 'background' = 'read'): void {
	const {state} = app;
	const name = state().events.data?.zone.name ?? '';
	void state()
		.work.run(`loading security events of ${name}`, kind, signal => state().events.load(signal))
		.then(() => readRuleNames(app))
		.finally(() => scheduleRefresh(app));
}

/** Reads the single events if they are visible and unread. */
export function readSingleEvents(app: App): void {
	const {state} = app;
	const events = state().events.data;
	// A read in progress includes them.
	if (events?.list !== 'events' || ['unread', 'reading'].includes(events.overview.reading)) return;
	void state()
		.work.run(`loading individual events of ${events.zone.name}`, 'read', signal =>
			state().events.loadSingle(signal),
		)
		.then(() => readRuleNames(app));
}

function readRuleNames({state}: App): Promise<boolean> {
	return state().work.run('loading rule names', 'background', signal => state().events.loadRuleNames(signal));
}

const refreshes = new WeakMap<LedgeStore, NodeJS.Timeout>();

/**
 * Returns the refresh interval in milliseconds. Long spans need several queries and change less, so they
 * refresh less often.
 */
const getRefreshDelay = (spanMs: number): number => (spanMs > spans['6 h'] ? 5 * 60_000 : 60_000);

/** Schedules a refresh, which waits while another screen, a dialog or a text field is in front. */
function scheduleRefresh(app: App): void {
	const {state, store} = app;
	const events = state().events.data;
	clearTimeout(refreshes.get(store));
	if (!events) return;
	const refresh = () => {
		const currentState = state();
		const isInFront =
			getCurrentScreen(currentState) === 'events' &&
			!currentState.dialog.current &&
			!currentState.dialog.isFiltering;
		if (isInFront && currentState.events.data?.detail === undefined) readEvents(app, 'background');
		else scheduleRefresh(app);
	};
	refreshes.set(store, setTimeout(refresh, getRefreshDelay(spans[events.span])).unref());
}

export const eventsArea = createZoneArea({
	destination: 'events',
	id: 'events',
	noun: 'security events',
	hint: 'security events',
	key: '6',
	searchTerms: [
		'events',
		'what is happening',
		'activity log',
		'attacks',
		'blocked requests',
		'false positive',
		'why was i blocked',
		'ray',
		'traffic',
		'firewall events',
	],
	open: openEvents,
});
