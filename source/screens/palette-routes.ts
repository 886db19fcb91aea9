import type {LedgeState, StateWith} from '../store/ledge-store.ts';
import {openContexts} from './contexts/actions.ts';
import {openJobs} from './jobs/actions.ts';
import {openKey} from './key/actions.ts';
import {openKeys} from './keys/actions.ts';
import {getCurrentKeyName} from './keys/cursor-row.ts';
import {openNamespaces} from './namespaces/actions.ts';
import {askForNamespace, askForZone, pointAtNamespace, runWhenReady} from './palette-choices.ts';
import {getReadOnlyReason, getSettingsProblem} from './shell/action.ts';
import type {Action, App, PaletteRoute} from './shell/app.ts';
import {goHome} from './shell/global-actions.ts';
import {getCurrentScreen, type Screen} from './shell/screen-name.ts';
import {openFirewall, openZones, switchToCustomRules} from './zones/actions.ts';

/** How an action's screen is reached from another one. `needsNoRow`: its palette mode is `at once`. */
type ScreenRoute = {
	/** Describes what must be chosen on the way, if anything. */
	describeChoice(state: LedgeState, needsNoRow: boolean): string | undefined;
	/** True if the target row is chosen on the screen itself. */
	choosesOnScreen(state: LedgeState): boolean;
	/** Completes "Choose …": "a key and open it". */
	readonly choicePhrase: string;
	/**
	 * True if a shortcut opens the screen. On other screens, the palette then offers only its actions that
	 * need no row.
	 */
	readonly hasShortcut?: boolean;
	/** Goes there, then calls `onArrive` with whether the target is selected. */
	go(app: App, needsNoRow: boolean, onArrive: (isChosen: boolean) => void): void;
};

/** Replacement actions in a zone whose firewall rules are retired. */
const customRuleActions: Readonly<Record<string, string>> = {
	'firewall.new-rule': 'custom.new',
	'firewall.emergency': 'custom.emergency',
	'firewall.filter': 'custom.filter',
	'firewall.delete-ended': 'custom.delete-ended',
};

const isKeyOpen = (state: StateWith<'key'> & StateWith<'navigation', 'stack'>): boolean =>
	getCurrentScreen(state) === 'key' && state.key.data !== undefined;

const getKeyUnderCursor = (
	state: StateWith<'keys'> & StateWith<'navigation', 'stack'>,
): string | undefined =>
	getCurrentScreen(state) === 'keys' && state.keys.data ? getCurrentKeyName(state.keys.data) : undefined;

/** Goes to the keys of the open namespace, or asks for one and waits for its first keys. */
function goToKeys(app: App, title: string, onArrive: (wasOpen: boolean) => void): void {
	const keys = app.state().keys.data;
	const {go} = app.state().navigation;
	const closeKey = app.state().key.close;
	if (keys) {
		closeKey();
		go('keys');
		onArrive(true);
		return;
	}
	askForNamespace(app, title, row => {
		pointAtNamespace(app, row);
		openKeys(app, row);
		runWhenReady(
			app,
			['keys'],
			({keys: {data: openedKeys}}) =>
				openedKeys !== undefined && (openedKeys.index.count > 0 || openedKeys.listing.state === 'complete'),
			() => onArrive(false),
		);
	});
}

function goToZone(app: App, onArrive: () => void, ruleKind: 'firewall' | 'custom rules'): void {
	const firewall = app.state().firewall.data;
	const zones = app.state().zones.data;
	const open = (zone: Parameters<typeof openFirewall>[1]) => {
		goHome(app);
		app.state().zones.setDestination('firewall');
		if (zones.rows.length > 1) app.state().navigation.go('zones');
		if (ruleKind === 'firewall') openFirewall(app, zone);
		else {
			app.state().firewall.open(zone);
			app.state().navigation.go('firewall');
			switchToCustomRules(app);
		}
		runWhenReady(
			app,
			['firewall', 'customRules'],
			state =>
				getCurrentScreen(state) === 'customRules'
					? state.customRules.data?.reading === 'read'
					: state.firewall.data?.reading === 'read',
			onArrive,
		);
	};
	if (firewall && getCurrentScreen(app.state()) !== 'zones') open(firewall.zone);
	else askForZone(app, open);
}

/**
 * Creates the route to a screen that a shortcut opens. Only actions that need no row use it, so
 * `choicePhrase` and `choosesOnScreen` have no effect.
 */
const createListRoute = (open: (app: App) => void): ScreenRoute => ({
	choicePhrase: 'a row',
	hasShortcut: true,
	choosesOnScreen: () => true,
	describeChoice: () => undefined,
	go(app, _needsNoRow, onArrive) {
		open(app);
		onArrive(false);
	},
});

const screenRoutes: Partial<Readonly<Record<Screen, ScreenRoute>>> = {
	namespaces: {
		choicePhrase: 'a namespace',
		choosesOnScreen: () => false,
		describeChoice: (_state, needsNoRow) => (needsNoRow ? undefined : 'a namespace'),
		go(app, needsNoRow, onArrive) {
			if (!needsNoRow) {
				askForNamespace(app, 'Which namespace?', row => {
					pointAtNamespace(app, row);
					onArrive(true);
				});
				return;
			}
			app.state().work.cancelReads();
			app.state().keys.close();
			openNamespaces(app, app.state().namespaces.data.shownStorage);
			runWhenReady(
				app,
				['namespaces'],
				({namespaces: {data: namespaces}}) => namespaces.reading === 'read',
				() => onArrive(true),
			);
		},
	},
	keys: {
		choicePhrase: 'a key',
		choosesOnScreen: state => !isKeyOpen(state),
		describeChoice: (state, needsNoRow) =>
			state.keys.data
				? needsNoRow || isKeyOpen(state)
					? undefined
					: 'a key'
				: needsNoRow
					? 'a namespace'
					: 'a key',
		go(app, _needsNoRow, onArrive) {
			const isChosen = isKeyOpen(app.state());
			goToKeys(app, 'Which namespace?', wasOpen => onArrive(isChosen && wasOpen));
		},
	},
	key: {
		choicePhrase: 'a key and open it',
		choosesOnScreen: state => getKeyUnderCursor(state) === undefined,
		describeChoice: state => (getKeyUnderCursor(state) === undefined ? 'a key' : undefined),
		go(app, _needsNoRow, onArrive) {
			const name = getKeyUnderCursor(app.state());
			if (name === undefined) {
				goToKeys(app, 'Which namespace?', () => onArrive(false));
				return;
			}
			openKey(app, name);
			runWhenReady(
				app,
				['key'],
				({key: {data: key}}) => key?.reading === 'read' && key.view !== undefined,
				() => onArrive(true),
			);
		},
	},
	firewall: {
		choicePhrase: 'a rule or filter',
		choosesOnScreen: () => true,
		describeChoice: state =>
			state.firewall.data && getCurrentScreen(state) !== 'zones' ? undefined : 'a zone',
		go: (app, _needsNoRow, onArrive) => goToZone(app, () => onArrive(false), 'firewall'),
	},
	customRules: {
		choicePhrase: 'a custom rule',
		choosesOnScreen: () => true,
		describeChoice: state =>
			state.firewall.data && getCurrentScreen(state) !== 'zones' ? undefined : 'a zone',
		go: (app, _needsNoRow, onArrive) => goToZone(app, () => onArrive(false), 'custom rules'),
	},
	zones: createListRoute(openZones),
	contexts: createListRoute(openContexts),
	jobs: createListRoute(openJobs),
	activity: createListRoute(app => app.state().navigation.go('activity')),
};

/** Adds how the palette runs the action from other screens. */
export function withPaletteRoute(action: Action): Action {
	if (action.where === 'everywhere' || action.isMove || action.group === 'Dialogs' || action.group === 'Move')
		return action;
	const paletteRoute =
		action.paletteMode === 'in place'
			? {
					describeChoice: () => undefined,
					choosesOnScreen: () => false,
					getUnavailableReason: action.getUnavailableReason,
					run: action.run,
				}
			: buildPaletteRoute(action);
	return paletteRoute ? {...action, paletteRoute} : action;
}

function buildPaletteRoute(action: Action): PaletteRoute | undefined {
	const {where, getUnavailableReason, id, paletteMode} = action;
	const screen = where.includes('keys') ? 'keys' : where[0];
	const route = screen === undefined ? undefined : screenRoutes[screen as Screen];
	const needsNoRow = paletteMode === 'at once';
	if (!route || screen === undefined || paletteMode === 'never' || (route.hasShortcut && !needsNoRow))
		return undefined;
	return {
		describeChoice: state => route.describeChoice(state, needsNoRow),
		choosesOnScreen: state => !needsNoRow && route.choosesOnScreen(state),
		getUnavailableReason(state) {
			const reason = getUnavailableReason?.(state);
			const isTargetOpen =
				screen === 'keys' && state.keys.data !== undefined && (needsNoRow || isKeyOpen(state));
			if (reason !== undefined && (isTargetOpen || reason === getReadOnlyReason(state))) return reason;
			return getSettingsProblem(state);
		},
		run: (app, key) =>
			route.go(app, needsNoRow, isChosen => {
				const isOnScreen = getCurrentScreen(app.state()) === screen;
				const targetAction = isOnScreen ? action : app.actions.find(one => one.id === customRuleActions[id]);
				if (targetAction && (needsNoRow || isChosen)) performAction(app, targetAction, key);
				else if (needsNoRow) app.state().messages.warn(`${action.title}: not available here`);
				else
					app
						.state()
						.messages.say(
							action.keys[0] === undefined
								? `Choose ${route.choicePhrase}, then run this again: ${action.title}.`
								: `Choose ${route.choicePhrase}, then press ${action.keys[0]}: ${action.title}.`,
						);
			}),
	};
}

function performAction(
	app: App,
	{title, isActive, getUnavailableReason, run}: Action,
	key: Parameters<Action['run']>[1],
): void {
	const state = app.state();
	const reason = isActive?.(state) === false ? 'not available here' : getUnavailableReason?.(state);
	if (reason === undefined) run(app, key);
	else state.messages.warn(`${title}: ${reason}`);
}
