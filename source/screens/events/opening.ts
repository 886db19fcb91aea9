import type {LedgeStore} from '../../store/ledge-store.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {everywhere, noSettings, withFound} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {screenOf} from '../shell/screen-name.ts';
import {chooseZone, zoneLookedAt} from '../zones/area.ts';
import {openedZone, opensHere, selectedZone} from '../zones/slice.ts';
import {type Narrowing, spans} from './state.ts';

/** Opens the security events of a zone, narrowed by a rule if one is named, and reads them. */
export function openEvents(app: App, zone: OpenedZone, narrowing?: Narrowing): void {
	const {state} = app;
	state().events.open(zone, narrowing);
	state().navigation.go('events');
	const reading = state().events.data?.overview.reading;
	if (reading === 'unread' || reading === 'failed') readEvents(app);
	else refreshLater(app);
}

/** Reads what is looked at, then the names that are missing. */
export function readEvents(app: App, kind: 'read' | 'background' = 'read'): void {
	const {state} = app;
	const name = state().events.data?.zone.name ?? '';
	void state()
		.work.run(`reading security events of ${name}`, kind, signal => state().events.load(signal))
		.then(() => readNames(app))
		.finally(() => refreshLater(app));
}

/** Reads the single events where they are looked at, unless they were read. */
export function readSingleEvents(app: App): void {
	const {state} = app;
	const events = state().events.data;
	// What is being read reads them, too.
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

/** Milliseconds after which what is in front is refreshed: a long time is read with several queries, and changes less. */
const refreshAfter = (span: number): number => (span > spans['6 h'] ? 5 * 60_000 : 60_000);

/** Refreshes the events some time after they were read, as long as they are in front and nothing is typed or asked. */
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

/** S: the events of the zone that is looked at; else of the zone that was named, or is the only one; else the zones. */
function openEventsArea(app: App): void {
	const here = zoneLookedAt(app.state()) ?? app.state().events.data?.zone;
	if (here) openEvents(app, here);
	else chooseZone(app, 'events', openEvents);
}

/** From every screen, also by the words that people know them by. */
export const goEvents: Action = everywhere('go.events', ['S'], 'go to the security events of a zone', {
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
	unavailable: noSettings,
	run: openEventsArea,
});

/** Where the zones were gone to for their security events, enter opens those. */
export const zoneEvents: Action = {
	id: 'zones.events',
	keys: ['enter', 'l', 'right'],
	opens: true,
	title: 'open the security events of the zone',
	hint: 'security events',
	group: 'Zones',
	where: ['zones'],
	isHere: ({zones: {data: zones}}) => opensHere(zones) === 'events',
	...withFound(
		({zones: {data: zones}}) => selectedZone(zones),
		'there is no zone here',
		(app, zone) => openEvents(app, openedZone(zone)),
	),
};
