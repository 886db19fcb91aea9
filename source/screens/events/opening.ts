import type {LedgeStore} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {needsReading} from '../list/reading.ts';
import type {App} from '../shell/app.ts';
import {screenOf} from '../shell/screen-name.ts';
import {createArea} from '../zones/area.ts';
import {type Narrowing, spans} from './state.ts';

/** Opens the security events of a zone, filtered by `narrowing` if given, and reads them. */
export function openEvents(app: App, zone: OpenedZone, narrowing?: Narrowing): void {
	const {state} = app;
	state().events.open(zone, narrowing);
	state().navigation.go('events');
	if (needsReading(state().events.data?.overview)) readEvents(app);
	else refreshLater(app);
}

/** Reads the visible events, then missing names. */
export function readEvents(app: App, kind: 'read' | 'background' = 'read'): void {
	const {state} = app;
	const name = state().events.data?.zone.name ?? '';
	void state()
		.work.run(`reading security events of ${name}`, kind, signal => state().events.load(signal))
		.then(() => readNames(app))
		.finally(() => refreshLater(app));
}

/** Reads the single events if they are visible and unread. */
export function readSingleEvents(app: App): void {
	const {state} = app;
	const events = state().events.data;
	// A read in progress includes them.
	if (events?.list !== 'events' || ['unread', 'reading'].includes(events.overview.reading)) return;
	void state()
		.work.run(`reading single events of ${events.zone.name}`, 'read', signal =>
			state().events.loadSingle(signal),
		)
		.then(() => readNames(app));
}

function readNames({state}: App): Promise<boolean> {
	return state().work.run('reading the names of rules', 'background', signal =>
		state().events.nameRules(signal),
	);
}

const refreshes = new WeakMap<LedgeStore, NodeJS.Timeout>();

/**
 * Returns the refresh interval in milliseconds. Long spans need several queries and change less, so they
 * refresh less often.
 */
const refreshAfter = (span: number): number => (span > spans['6 h'] ? 5 * 60_000 : 60_000);

/** Schedules a refresh, which waits while another screen, a dialog or a text field is in front. */
function refreshLater(app: App): void {
	const {state, store} = app;
	const events = state().events.data;
	clearTimeout(refreshes.get(store));
	if (!events) return;
	const refresh = () => {
		const now = state();
		const isInFront = screenOf(now) === 'events' && !now.dialog.current && !now.dialog.isFiltering;
		if (isInFront && now.events.data?.detail === undefined) readEvents(app, 'background');
		else refreshLater(app);
	};
	refreshes.set(store, setTimeout(refresh, refreshAfter(spans[events.span])).unref());
}

export const eventsArea = createArea({
	opens: 'events',
	id: 'events',
	what: 'security events',
	hint: 'security events',
	key: 'S',
	words: [
		'events',
		'activity log',
		'attacks',
		'blocked requests',
		'false positive',
		'why was i blocked',
		'ray',
		'traffic',
		'firewall events',
	],
	zone: ({events: {data}}) => data?.zone,
	open: openEvents,
});
