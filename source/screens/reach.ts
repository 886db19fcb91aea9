import type {Has, LedgeState} from '../store/ledge-store.ts';
import {openContexts} from './contexts/actions.ts';
import {openJobs} from './jobs/actions.ts';
import {openKey} from './key/actions.ts';
import {openKeys} from './keys/actions.ts';
import {keyNameHere} from './keys/here.ts';
import {openNamespaces} from './namespaces/actions.ts';
import {chooseNamespace, chooseZone, once, pointAtNamespace} from './reach-choices.ts';
import {noSettings, readOnly} from './shell/action.ts';
import type {Action, App, Elsewhere} from './shell/app.ts';
import {goHome} from './shell/everywhere.ts';
import {type Screen, screenOf} from './shell/screen-name.ts';
import {goCustomRules, openFirewall, openZones} from './zones/actions.ts';

/** How an action's screen is reached from another one. */
type Reach = {
	/** Describes what must be chosen on the way, if anything. */
	needs(state: LedgeState, isAtOnce: boolean): string | undefined;
	/** True if the target row is chosen on the screen itself; `rowLabel` is its name. */
	isChosenThere(state: LedgeState): boolean;
	readonly row: string;
	/** True if its rows are one key away: then only actions on all of them are offered elsewhere. */
	readonly isNear?: boolean;
	/** Goes there, then calls `onArrive` with whether the target is selected. */
	go(app: App, isAtOnce: boolean, arrived: (isChosen: boolean) => void): void;
};

/** Replacement actions in a zone whose firewall rules are retired. */
const onCustomRules: Readonly<Record<string, string>> = {
	'firewall.new-rule': 'custom.new',
	'firewall.emergency': 'custom.emergency',
	'firewall.filter': 'custom.filter',
};

const isAtKey = (state: Has<'key'> & Has<'navigation', 'stack'>): boolean =>
	screenOf(state) === 'key' && state.key.data !== undefined;

const keyUnderCursor = (state: Has<'keys'> & Has<'navigation', 'stack'>): string | undefined =>
	screenOf(state) === 'keys' && state.keys.data ? keyNameHere(state.keys.data) : undefined;

/** Goes to the keys of the open namespace, or asks for one and waits for its first keys. */
function toKeys(app: App, title: string, arrived: (wasOpen: boolean) => void): void {
	const keys = app.state().keys.data;
	const {go} = app.state().navigation;
	const closeKey = app.state().key.close;
	if (keys) {
		closeKey();
		go('keys');
		arrived(true);
		return;
	}
	chooseNamespace(app, title, row => {
		pointAtNamespace(app, row);
		openKeys(app, row);
		once(
			app,
			['keys'],
			({keys: {data: opened}}) =>
				opened !== undefined && (opened.index.count > 0 || opened.listing.state === 'complete'),
			() => arrived(false),
		);
	});
}

function toZone(app: App, arrived: () => void, side: 'firewall' | 'custom rules'): void {
	const firewall = app.state().firewall.data;
	const zones = app.state().zones.data;
	const open = (zone: Parameters<typeof openFirewall>[1]) => {
		goHome(app);
		app.state().zones.openFor('firewall');
		if (zones.rows.length > 1) app.state().navigation.go('zones');
		if (side === 'firewall') openFirewall(app, zone);
		else {
			app.state().firewall.open(zone);
			app.state().navigation.go('firewall');
			goCustomRules(app);
		}
		once(
			app,
			['firewall', 'customRules'],
			state =>
				screenOf(state) === 'customRules'
					? state.customRules.data?.reading === 'read'
					: state.firewall.data?.reading === 'read',
			arrived,
		);
	};
	if (firewall && screenOf(app.state()) !== 'zones') open(firewall.zone);
	else chooseZone(app, open);
}

/** Creates the route to a screen that is one key away, with nothing to choose. */
const toList = (open: (app: App) => void): Reach => ({
	row: 'a row',
	isNear: true,
	isChosenThere: () => true,
	needs: () => undefined,
	go(app, _isAtOnce, arrived) {
		open(app);
		arrived(false);
	},
});

const reaches: Partial<Readonly<Record<Screen, Reach>>> = {
	namespaces: {
		row: 'a namespace',
		isChosenThere: () => false,
		needs: (_state, isAtOnce) => (isAtOnce ? undefined : 'a namespace'),
		go(app, isAtOnce, arrived) {
			if (!isAtOnce) {
				chooseNamespace(app, 'Which namespace?', row => {
					pointAtNamespace(app, row);
					arrived(true);
				});
				return;
			}
			app.state().work.cancelReads();
			app.state().keys.close();
			openNamespaces(app, app.state().namespaces.data.where);
			once(
				app,
				['namespaces'],
				({namespaces: {data: namespaces}}) => namespaces.reading === 'read',
				() => arrived(true),
			);
		},
	},
	keys: {
		row: 'a key',
		isChosenThere: state => !isAtKey(state),
		needs: (state, isAtOnce) =>
			state.keys.data
				? isAtOnce || isAtKey(state)
					? undefined
					: 'a key'
				: isAtOnce
					? 'a namespace'
					: 'a key',
		go(app, _isAtOnce, arrived) {
			const isChosen = isAtKey(app.state());
			toKeys(app, 'Of which namespace?', wasOpen => arrived(isChosen && wasOpen));
		},
	},
	key: {
		row: 'a key and open it',
		isChosenThere: state => keyUnderCursor(state) === undefined,
		needs: state => (keyUnderCursor(state) === undefined ? 'a key' : undefined),
		go(app, _isAtOnce, arrived) {
			const name = keyUnderCursor(app.state());
			if (name === undefined) {
				toKeys(app, 'Of which namespace?', () => arrived(false));
				return;
			}
			openKey(app, name);
			once(
				app,
				['key'],
				({key: {data: key}}) => key?.reading === 'read' && key.view !== undefined,
				() => arrived(true),
			);
		},
	},
	firewall: {
		row: 'a rule or filter',
		isChosenThere: () => true,
		needs: state => (state.firewall.data && screenOf(state) !== 'zones' ? undefined : 'a zone'),
		go: (app, _isAtOnce, arrived) => toZone(app, () => arrived(false), 'firewall'),
	},
	customRules: {
		row: 'a custom rule',
		isChosenThere: () => true,
		needs: state => (state.firewall.data && screenOf(state) !== 'zones' ? undefined : 'a zone'),
		go: (app, _isAtOnce, arrived) => toZone(app, () => arrived(false), 'custom rules'),
	},
	zones: toList(openZones),
	contexts: toList(openContexts),
	jobs: toList(openJobs),
	activity: toList(app => app.state().navigation.go('activity')),
};

/** Adds how the palette runs the action from other screens. */
export function withElsewhere(action: Action): Action {
	if (action.where === 'everywhere' || action.isMove || action.group === 'Dialogs' || action.group === 'Move')
		return action;
	const fromElsewhere =
		action.elsewhere === 'in place'
			? {needs: () => undefined, isChosenThere: () => false, unavailable: action.unavailable, run: action.run}
			: wayTo(action);
	return fromElsewhere ? {...action, fromElsewhere} : action;
}

function wayTo(action: Action): Elsewhere | undefined {
	const {where, unavailable, id, elsewhere} = action;
	const screen = where.includes('keys') ? 'keys' : where[0];
	const reach = screen === undefined ? undefined : reaches[screen as Screen];
	const isAtOnce = elsewhere === 'at once';
	if (!reach || screen === undefined || elsewhere === 'never' || (reach.isNear && !isAtOnce))
		return undefined;
	return {
		needs: state => reach.needs(state, isAtOnce),
		isChosenThere: state => !isAtOnce && reach.isChosenThere(state),
		unavailable(state) {
			const reason = unavailable?.(state);
			const isKnown = screen === 'keys' && state.keys.data !== undefined && (isAtOnce || isAtKey(state));
			if (reason !== undefined && (isKnown || reason === readOnly(state))) return reason;
			return noSettings(state);
		},
		run: (app, key) =>
			reach.go(app, isAtOnce, isChosen => {
				const isThere = screenOf(app.state()) === screen;
				const wanted = isThere ? action : app.actions.find(one => one.id === onCustomRules[id]);
				if (wanted && (isAtOnce || isChosen)) perform(app, wanted, key);
				else if (isAtOnce) app.state().messages.warn(`${action.title}: not possible here`);
				else app.state().messages.say(`Choose ${reach.row}: ${action.keys[0]} is then: ${action.title}.`);
			}),
	};
}

function perform(
	app: App,
	{title, isHere, unavailable, run}: Action,
	key: Parameters<Action['run']>[1],
): void {
	const state = app.state();
	const reason = isHere?.(state) === false ? 'it is not possible here' : unavailable?.(state);
	if (reason === undefined) run(app, key);
	else state.messages.warn(`${title}: ${reason}`);
}
