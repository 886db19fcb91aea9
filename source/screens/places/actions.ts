import {pressed} from '../../keyboard/key.ts';
import type {Recent} from '../../state/recent.ts';
import {openContexts} from '../contexts/actions.ts';
import {openEvents} from '../events/opening.ts';
import {openJobs} from '../jobs/actions.ts';
import {openKey} from '../key/actions.ts';
import {openKeys} from '../keys/actions.ts';
import {openManaged} from '../managed/opening.ts';
import {openMigrationOf} from '../migration/actions/opening.ts';
import {openNamespaces} from '../namespaces/actions.ts';
import {belongsTo, contextOf, everywhere} from '../shell/action.ts';
import type {Action, App, Context} from '../shell/app.ts';
import {goHome} from '../shell/everywhere.ts';
import {entriesOf, type Screens} from '../shell/screen.ts';
import {screenOf} from '../shell/screen-name.ts';
import {goCustomRules, openFirewall, openZones} from '../zones/actions.ts';
import {isGone, type KeysPlace, type Place, placeName, placeOf} from './place.ts';
import {recentName} from './recents.ts';
import type {Direction} from './slice.ts';

/** Goes to the next place in a direction that still exists. */
async function jump(app: App, direction: Direction): Promise<void> {
	const {state} = app;
	const gone: string[] = [];
	for (;;) {
		const place = state().places.turnTo(direction);
		if (!place) {
			state().places.arrive();
			break;
		}
		const found = await open(app, place);
		// // The user has gone elsewhere in the meantime.
		if (!state().places.isHeadedFor(place)) return;
		if (found === 'there') {
			state().places.arrive();
			break;
		}
		gone.push(placeName(place));
		state().places.forget();
	}
	if (gone.length > 0) state().messages.warn(`Gone since: ${gone.join(', ')}.`);
}

/** Shows a place again; resolves when it is known whether it exists. */
async function open(app: App, place: Place): Promise<'there' | 'gone'> {
	const {state} = app;
	switch (place.screen) {
		case 'home':
			goHome(app);
			return 'there';
		case 'zones':
			openZones(app);
			return 'there';
		case 'contexts':
			goHome(app);
			openContexts(app);
			return 'there';
		case 'jobs':
			goHome(app);
			openJobs(app);
			return 'there';
		case 'activity':
			goHome(app);
			state().navigation.go('activity');
			return 'there';
		case 'namespaces':
			goHome(app);
			openNamespaces(app, place.where);
			return 'there';
		case 'keys':
			return openList(app, place);
		case 'key': {
			if ((await openList(app, place.list)) === 'gone') return 'gone';
			const isListed = state().keys.data?.namespace.name === place.list.namespace.name;
			if (screenOf(state()) !== 'keys' || !isListed) return 'there';
			await openKey(app, place.key);
			if (state().key.data?.name !== place.key || state().key.data?.reading !== 'absent') return 'there';
			state().key.close();
			return 'gone';
		}
		case 'firewall':
			goHome(app);
			openFirewall(app, place.zone);
			return 'there';
		case 'customRules':
			goHome(app);
			state().firewall.open(place.zone);
			state().navigation.go('firewall');
			goCustomRules(app);
			return 'there';
		case 'managed':
			goHome(app);
			openManaged(app, place.zone);
			return 'there';
		case 'events':
			goHome(app);
			openEvents(app, place.zone);
			return 'there';
		case 'migration':
			goHome(app);
			openMigrationOf(app, place.zone);
			return 'there';
		default:
			return place satisfies never;
	}
}

/** Shows the keys of a namespace: as they are if still open, else listed with the filter and cursor. */
async function openList(app: App, place: KeysPlace): Promise<'there' | 'gone'> {
	const {state} = app;
	if (isGone(state(), place)) return 'gone';
	const isOpen = state().keys.data?.namespace.name === place.namespace.name;
	state().work.cancelReads();
	if (!isOpen) state().keys.close();
	state().navigation.go('home');
	openNamespaces(app, place.namespace.where);
	if (isOpen) {
		state().key.close();
		state().navigation.go('keys');
	} else await openKeys(app, place.namespace, place);
	return 'there';
}

/** Opens a recent namespace or zone; warns if it is gone. */
export function openRecent(app: App, recent: Recent): void {
	const {state} = app;
	void state().work.run(`looking for ${recentName(recent)}`, 'read', async signal => {
		const from = state().navigation.stack;
		const isThere = () => state().navigation.stack === from && !state().dialog.current;
		if (recent.kind === 'zone') {
			const zone = await state().zones.byId(recent.id, signal);
			if (isThere()) openFirewall(app, zone);
			return;
		}
		const {where, id, filter} = recent;
		const namespaces = state().namespaces.data;
		if (namespaces.where !== where || namespaces.reading !== 'read')
			await state().namespaces.load(where, signal);
		const namespace = state().namespaces.data.rows.find(row => row.id === id);
		if (!isThere()) return;
		if (namespace) void openList(app, {screen: 'keys', namespace, filter, on: undefined});
		else state().messages.warn(`Gone since: ${recent.title}.`);
	});
}

/** Upper bound on the steps of a form. */
const mostSteps = 20;

/** Leaves the form as esc does, which may ask; calls `then` once it is left, and never if the user stays. */
function leaveForm(app: App, then: () => void): void {
	const {state, store, actions} = app;
	const from = screenOf(state());
	// Each step back is one esc.
	for (let step = 0; step < mostSteps && !state().dialog.current; step++) {
		const context = contextOf(state());
		const leaving = actions.find(
			one =>
				one.keys.includes('esc') &&
				belongsTo(one, context, state()) &&
				one.unavailable?.(state()) === undefined,
		);
		leaving?.run(app, pressed('esc', ''));
		if (screenOf(state()) !== from) {
			then();
			return;
		}
	}
	if (!state().dialog.current) return;
	const stop = store.subscribe(now => {
		if (now.dialog.current) return;
		stop();
		// // The choice runs right after the dialog closes.
		queueMicrotask(() => screenOf(state()) !== from && then());
	});
}

/** True if leaving the screen may need a question. */
function isForm(app: App): boolean {
	const state = app.state();
	const {text, openForm} = state.navigation.screens[screenOf(state)];
	return text !== undefined || openForm?.(state) !== undefined;
}

const jumping = (direction: Direction, none: string): Pick<Action, 'unavailable' | 'run'> => ({
	unavailable: state => (state.places.hasPlace(direction) ? undefined : none),
	run(app) {
		if (isForm(app)) leaveForm(app, () => leftFor(app, direction));
		else void jump(app, direction);
	},
});

/** Jumps after a form is left; back does nothing if leaving has led to a place already. */
function leftFor(app: App, direction: Direction): void {
	const isBack = direction === 'back' && placeOf(app.state()) !== undefined;
	if (!isBack) void jump(app, direction);
}

/** Lists the contexts of forms in which letters are not text. */
const menusOf = (screens: Screens): readonly Context[] =>
	entriesOf(screens).flatMap(([screen, {text}]): Context[] => (text ? [`${screen} menu`] : []));

/** Creates variants of area actions for form steps without text input: the form is left as esc does. */
export const fromForms = (screens: Screens, ways: readonly Action[]): readonly Action[] =>
	ways.map(way => ({
		...way,
		id: `${way.id}-menu`,
		where: menusOf(screens),
		run: (app, key) => leaveForm(app, () => way.run(app, key)),
	}));

/** Creates the actions that go back and forward through the places of this session. */
export const placesActions = (screens: Screens): readonly Action[] => {
	const back = jumping('back', 'there is no place before this one in this session');
	const forward = jumping('forward', 'there is no place after this one in this session');
	const titles = ['back to the place before in this session', 'forward to the place after it'] as const;
	const menus = menusOf(screens);
	return [
		everywhere('go.back', ['['], titles[0], {words: ['jump back', 'history', 'previous place'], ...back}),
		everywhere('go.forward', [']'], titles[1], {words: ['jump forward', 'next place'], ...forward}),
		everywhere('go.back-menu', ['['], titles[0], {where: menus, ...back}),
		everywhere('go.forward-menu', [']'], titles[1], {where: menus, ...forward}),
	];
};
