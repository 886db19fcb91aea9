import {isPinned, type Pin, togglePin} from '../../state/pins.ts';
import {toDrawable} from '../../text/columns.ts';
import {getShownGroupPrefix} from '../keys/cursor-row.ts';
import {getSelectedNamespace} from '../namespaces/slice.ts';
import {createActionFactory, withSelection} from '../shell/action.ts';
import type {Action, App} from '../shell/app.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import {getSelectedZone} from '../zones/slice.ts';
import {openRecent} from './actions.ts';
import {getCurrentPlace} from './place.ts';
import {formatRecent, toRecent} from './recents.ts';

/** Returns what can be pinned: the row under the cursor, the prefix of the group or filter, else what is shown. */
function findPin(state: Parameters<typeof getCurrentPlace>[0]): Pin | undefined {
	switch (getCurrentScreen(state)) {
		case 'namespaces': {
			const row = getSelectedNamespace(state.namespaces.data);
			return row?.id === undefined
				? undefined
				: {kind: 'namespace', where: row.where, id: row.id, title: row.title, filter: ''};
		}
		case 'zones': {
			const zone = getSelectedZone(state.zones.data)?.overview.zone;
			return zone && {kind: 'zone', id: zone.id, name: zone.name};
		}
		default: {
			const place = getCurrentPlace(state);
			const pin = place && toRecent(place);
			if (pin?.kind !== 'namespace') return pin;
			const keys = state.keys.data;
			const prefix = keys && (getShownGroupPrefix(keys) ?? keys.prefixKeys?.prefix);
			return {...pin, filter: prefix ? `^${prefix}` : ''};
		}
	}
}

function togglePinned({state}: App, pin: Pin): void {
	const wasPinned = isPinned(state().places.pins, pin);
	if (!state().places.changePins(pins => togglePin(pins, pin))) return;
	const name = toDrawable(formatRecent(pin));
	state().messages.say(`${wasPinned ? 'No longer pinned' : 'Pinned to Home'}: ${name}`);
}

/** Lists the pins, to open one, move it to the top or unpin it. */
export function openPins(app: App): void {
	const {pins} = app.state().places;
	app.state().dialog.open({
		kind: 'choice',
		title: 'Pinned',
		lines: [],
		choices: pins.map((pin, index) => ({value: `${index}`, label: toDrawable(formatRecent(pin))})),
		choose(value) {
			const pin = pins[Number(value)];
			if (pin) askAboutPin(app, pin);
		},
	});
}

function askAboutPin(app: App, pin: Pin): void {
	app.state().dialog.open({
		kind: 'choice',
		title: toDrawable(formatRecent(pin)),
		lines: [],
		choices: [
			{value: 'open', label: 'Open'},
			{value: 'first', label: 'Move to the top'},
			{value: 'unpin', label: 'Unpin'},
		],
		choose(value) {
			if (value === 'open') openRecent(app, pin);
			else if (value === 'unpin') togglePinned(app, pin);
			else app.state().places.changePins(pins => [pin, ...togglePin(pins, pin)]);
		},
	});
}

export const pinActions: readonly Action[] = [
	createActionFactory('Move', [
		'namespaces',
		'keys',
		'zones',
		'firewall',
		'customRules',
		'rateLimits',
		'managed',
	])('pins.toggle', ['*'], 'pin to Home, or unpin', {
		searchTerms: ['favourite', 'favorite', 'bookmark', 'star', 'pin'],
		paletteMode: 'never',
		...withSelection(findPin, 'there is nothing to pin', togglePinned),
	}),
	createActionFactory('Move', ['home'])('pins.open', ['*'], 'open, order or unpin what is pinned', {
		searchTerms: ['favourites', 'favorites', 'bookmarks', 'pins', 'pinned'],
		getUnavailableReason: ({places: {pins}}) =>
			pins.length > 0 ? undefined : 'nothing is pinned; * in a list pins a namespace, prefix or zone',
		run: openPins,
	}),
];
