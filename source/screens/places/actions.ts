import {isFailure} from '../../failure.ts';
import {createKey} from '../../keyboard/key.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {LastPlace} from '../../state/last-place.ts';
import {isPinned} from '../../state/pins.ts';
import type {Recent} from '../../state/recent.ts';
import {openContexts} from '../contexts/actions.ts';
import {openEvents} from '../events/opening.ts';
import {openListItems} from '../ip-lists/items.ts';
import {openIpLists} from '../ip-lists/overview.ts';
import {openJobs} from '../jobs/actions.ts';
import {openKey} from '../key/actions.ts';
import {openKeys} from '../keys/actions.ts';
import type {NamespaceRow} from '../keys/namespace-rows.ts';
import {openManagedScreen} from '../managed/opening.ts';
import {openMigrationById} from '../migration/actions/open-migration.ts';
import {openNamespaces} from '../namespaces/actions.ts';
import type {Where} from '../namespaces/slice.ts';
import {openZoneRateLimits} from '../rate-limits/rate-limits.ts';
import {defineGlobalAction, getInputContext, isActionActive} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {goHome} from '../shell/global-actions.ts';
import {listMenuContexts} from '../shell/menu.ts';
import type {Screens} from '../shell/screen.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {openFirewall, openZones, switchToCustomRules} from '../zones/actions.ts';
import {
	formatPlaceName,
	getCurrentPlace,
	getPlaceId,
	isNamespaceGone,
	type KeysPlace,
	type Place,
	singlePlaces,
	zonePlaces,
} from './place.ts';
import {formatRecent} from './recents.ts';
import type {Direction} from './slice.ts';

const emptyReasons: Readonly<Record<Direction, string>> = {
	back: 'no previous screen in this session',
	forward: 'no next screen in this session',
};

/** Goes to the next place in a direction, and skips the current one and places that no longer exist. */
async function jumpToPlace(app: App, direction: Direction): Promise<void> {
	const {state} = app;
	const goneNames: string[] = [];
	const start = getCurrentPlace(state());
	for (;;) {
		const place = state().places.turnTo(direction);
		if (!place) {
			state().places.arrive();
			if (goneNames.length === 0) state().messages.warn(`There is ${emptyReasons[direction]}.`);
			break;
		}
		const isStart = start !== undefined && getPlaceId(place) === getPlaceId(start);
		const outcome = isStart ? 'closed' : await openPlace(app, place);
		// The user has gone elsewhere in the meantime.
		if (!state().places.isHeadedFor(place)) return;
		if (outcome === 'there') {
			state().places.arrive();
			break;
		}
		if (outcome === 'gone') goneNames.push(formatPlaceName(place));
		state().places.forget();
	}
	if (goneNames.length > 0) state().messages.warn(`No longer exists: ${goneNames.join(', ')}.`);
}

/** Shows a place again; resolves when it is known whether it exists. A `closed` one was ended by the user. */
async function openPlace(app: App, place: Place): Promise<'there' | 'gone' | 'closed'> {
	const {state} = app;
	switch (place.screen) {
		case 'keys':
			return openKeysPlace(app, place);
		case 'search': {
			const {data: search} = state().search;
			if (search?.request.namespace.name !== place.list.namespace.name) return 'closed';
			if ((await openKeysPlace(app, place.list)) === 'gone') return 'gone';
			if (getCurrentScreen(state()) === 'keys') state().navigation.go('search');
			return 'there';
		}
		case 'key': {
			if ((await openKeysPlace(app, place.list)) === 'gone') return 'gone';
			const isListed = state().keys.data?.namespace.name === place.list.namespace.name;
			if (getCurrentScreen(state()) !== 'keys' || !isListed) return 'there';
			await openKey(app, place.key);
			if (state().key.data?.name !== place.key || state().key.data?.reading !== 'absent') return 'there';
			state().key.close();
			return 'gone';
		}
		default:
			goHome(app);
			openFromHome(app, place);
			return 'there';
	}
}

/** Opens a place that needs no other one, from Home. */
function openFromHome(app: App, place: Exclude<Place, KeysPlace | {readonly list: KeysPlace}>) {
	const {state} = app;
	switch (place.screen) {
		case 'home':
			return;
		case 'zones':
			return openZones(app);
		case 'contexts':
			return openContexts(app);
		case 'jobs':
			return openJobs(app);
		case 'activity':
			return state().navigation.go('activity');
		case 'namespaces':
			return openNamespaces(app, place.where);
		case 'ipLists':
			return openIpLists(app);
		case 'ipListItems':
			openIpLists(app);
			return openListItems(app, place.list);
		case 'firewall':
			return openFirewall(app, place.zone);
		case 'customRules':
			state().firewall.open(place.zone);
			state().navigation.go('firewall');
			return switchToCustomRules(app);
		case 'rateLimits':
			openFirewall(app, place.zone);
			return openZoneRateLimits(app, place.zone);
		case 'managed':
			return openManagedScreen(app, place.zone);
		case 'events':
			return openEvents(app, place.zone);
		case 'migration':
			return openMigrationById(app, place.zone);
		default:
			return place satisfies never;
	}
}

/** Shows the keys of a namespace: as they are if still open, else listed with the filter and cursor. */
async function openKeysPlace(app: App, place: KeysPlace): Promise<'there' | 'gone'> {
	const {state} = app;
	if (isNamespaceGone(state(), place)) return 'gone';
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
	openAfterFinding(
		app,
		formatRecent(recent),
		async signal => {
			if (recent.kind === 'zone') {
				const zone = await findZone(app, recent.id, signal);
				return zone && {screen: 'firewall', zone};
			}
			const namespace = await findNamespace(app, recent, signal);
			return namespace && {screen: 'keys', namespace, filter: recent.filter, cursorName: undefined};
		},
		() => warnOfMissing(app, recent),
	);
}

/** Opens the place that `find` returns unless the user has gone elsewhere; calls `onMissing` if it is gone. */
function openAfterFinding(
	app: App,
	name: string,
	find: (signal: AbortSignal) => Promise<Place | undefined>,
	onMissing: () => void,
): void {
	const {state} = app;
	void state().work.run(`finding ${name}`, 'read', async signal => {
		const initialStack = state().navigation.stack;
		const place = await find(signal);
		if (state().navigation.stack !== initialStack || state().dialog.current) return;
		if (!place) onMissing();
		// Its own reads cancel this one.
		else void openPlace(app, place);
	});
}

/** Returns a zone by its id; undefined if it is gone. */
async function findZone({state}: App, id: string, signal: AbortSignal): Promise<ZoneWithLabel | undefined> {
	try {
		return await state().zones.loadById(id, signal);
	} catch (error) {
		if (isFailure(error, 'zone_not_found', 'not_found')) return undefined;
		throw error;
	}
}

/** Returns a namespace by its id, and loads the list if it is not shown; undefined if it is gone. */
async function findNamespace(
	{state}: App,
	{where, id}: {readonly where: Where; readonly id: string},
	signal: AbortSignal,
): Promise<NamespaceRow | undefined> {
	const namespaces = state().namespaces.data;
	if (namespaces.shownStorage !== where || namespaces.reading !== 'read')
		await state().namespaces.load(where, signal);
	return state().namespaces.data.rows.find(row => row.id === id);
}

/** Opens the screen where the previous run was left; says so if that is not stored or no longer exists. */
export function openLastPlace(app: App): void {
	const {readLast} = app.state().places;
	const {say, warn} = app.state().messages;
	const last = readLast();
	if (!last) {
		say('There is no last screen to open: none was stored for this service.');
		return;
	}
	const name = last.name ?? last.screen;
	openAfterFinding(
		app,
		name,
		signal => findLastPlace(app, last, signal),
		() => warn(`The last screen can't be opened again: ${name} no longer exists.`),
	);
}

async function findLastPlace(app: App, last: LastPlace, signal: AbortSignal): Promise<Place | undefined> {
	const {screen, where = 'remote', id = '', filter = '', cursorName, key = ''} = last;
	const singlePlace = singlePlaces.find(one => one === screen);
	if (singlePlace) return {screen: singlePlace};
	const zonePlace = zonePlaces.find(one => one === screen);
	if (zonePlace) {
		const zone = await findZone(app, id, signal);
		return zone && {screen: zonePlace, zone};
	}
	if (screen === 'namespaces') return {screen, where};
	if (screen !== 'keys' && screen !== 'key') return undefined;
	const namespace = await findNamespace(app, {where, id}, signal);
	if (!namespace) return undefined;
	const list: KeysPlace = {screen: 'keys', namespace, filter, cursorName};
	return screen === 'key' ? {screen, list, key} : list;
}

/** Says that a recent or pinned place is gone, and how to unpin it. */
function warnOfMissing({state}: App, recent: Recent): void {
	const name = recent.kind === 'zone' ? recent.name : recent.title;
	const advice = isPinned(state().places.pins, recent)
		? ` ${nameKey('pins.open', '*')} on Home unpins it.`
		: '';
	state().messages.warn(`No longer exists: ${name}.${advice}`);
}

/** Upper bound on the steps of a form. */
const maxSteps = 20;

/**
 * Leaves the screen like repeated esc, which may ask first. Calls `onLeft` after leaving, never if the
 * user stays.
 */
export function leaveByEsc(app: App, onLeft: () => void): void {
	const {state, store, actions} = app;
	const initialScreen = getCurrentScreen(state());
	// Each step back is one esc.
	for (let step = 0; step < maxSteps && !state().dialog.current; step++) {
		const context = getInputContext(state());
		const escAction = actions.find(
			one =>
				one.keys.includes('esc') &&
				isActionActive(one, context, state()) &&
				one.getUnavailableReason?.(state()) === undefined,
		);
		escAction?.run(app, createKey('esc', ''));
		if (getCurrentScreen(state()) !== initialScreen) {
			onLeft();
			return;
		}
	}
	if (!state().dialog.current) return;
	const unsubscribe = store.subscribe(currentState => {
		if (currentState.dialog.current) return;
		unsubscribe();
		// The choice runs right after the dialog closes.
		queueMicrotask(() => getCurrentScreen(state()) !== initialScreen && onLeft());
	});
}

/** True if leaving the screen closes a form, which may need a question. */
function isFormInFront(app: App): boolean {
	const state = app.state();
	const {textInput, getOpenForm, staysOpen} = state.navigation.screens[getCurrentScreen(state)];
	return !staysOpen?.(state) && (textInput !== undefined || getOpenForm?.(state) !== undefined);
}

const createJump = (direction: Direction): Pick<Action, 'getUnavailableReason' | 'run'> => ({
	getUnavailableReason: state => (state.places.hasPlace(direction) ? undefined : emptyReasons[direction]),
	run(app) {
		if (isFormInFront(app)) leaveByEsc(app, () => jumpAfterForm(app, direction));
		else void jumpToPlace(app, direction);
	},
});

/** Jumps after a form is left; back does nothing if leaving has led to a place already. */
function jumpAfterForm(app: App, direction: Direction): void {
	const isBack = direction === 'back' && getCurrentPlace(app.state()) !== undefined;
	if (!isBack) void jumpToPlace(app, direction);
}

/** Goes to an area from a form, which stays open or is left as esc does. */
function leaveForm(app: App, goToArea: () => void): void {
	const state = app.state();
	if (state.navigation.screens[getCurrentScreen(state)].staysOpen?.(state)) {
		state.work.cancelReads();
		goToArea();
	} else leaveByEsc(app, goToArea);
}

/** Creates variants of area actions for form steps without text input. */
export const createFormExits = (screens: Screens, areaActions: readonly Action[]): readonly Action[] =>
	areaActions.map(areaAction => ({
		...areaAction,
		id: `${areaAction.id}-menu`,
		where: listMenuContexts(screens),
		run: (app, key) => leaveForm(app, () => areaAction.run(app, key)),
	}));

/** Creates the actions that go back and forward through the places of this session. */
export const createPlacesActions = (screens: Screens): readonly Action[] => {
	const back = createJump('back');
	const forward = createJump('forward');
	const titles = [
		'go back to the list or detail visited before (never a form or a run)',
		'go forward to the list or detail visited after it',
	] as const;
	const menus = listMenuContexts(screens);
	return [
		defineGlobalAction('go.back', ['['], titles[0], {
			searchTerms: ['jump back', 'history', 'previous place'],
			...back,
		}),
		defineGlobalAction('go.forward', [']'], titles[1], {
			searchTerms: ['jump forward', 'next place'],
			...forward,
		}),
		defineGlobalAction('go.back-menu', ['['], titles[0], {where: menus, ...back}),
		defineGlobalAction('go.forward-menu', [']'], titles[1], {where: menus, ...forward}),
	];
};
