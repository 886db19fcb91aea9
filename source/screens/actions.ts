import {screens} from '../store/screens.ts';
import {activityActions, goActivity} from './activity/actions.ts';
import {bulkActions, groupActions, selectionActions} from './bulk/actions.ts';
import {catalogueActions} from './catalogue/actions.ts';
import {compareActions, keysCompareActions} from './compare/actions.ts';
import {contextsActions} from './contexts/actions.ts';
import {customRulesActions, customRulesEntryActions} from './custom-rules/actions.ts';
import {customRulesArea} from './custom-rules/opening.ts';
import {editingActions} from './edit/actions.ts';
import {filesActions} from './edit/files.ts';
import {newKeyActions} from './edit/new-key.ts';
import {unsavedActions} from './edit/unsaved.ts';
import {emergencyActions} from './emergency/actions.ts';
import {emergencyEntryActions} from './emergency/entry-actions.ts';
import {eventsActions} from './events/actions.ts';
import {eventsArea} from './events/opening.ts';
import {ruleEventActions} from './events/rule-events.ts';
import {editFilterOfForm, firewallActions} from './firewall/lists/actions.ts';
import {editBlockingRule} from './firewall/lists/from-blockers.ts';
import {homeActions} from './home/actions.ts';
import {goIpLists} from './ip-lists/overview.ts';
import {jobsActions} from './jobs/actions.ts';
import {keyActions} from './key/actions.ts';
import {keysActions, keysViewActions} from './keys/actions.ts';
import {leftBehindActions, leftBehindEntryAction} from './left-behind/actions.ts';
import {managedActions} from './managed/actions.ts';
import {managedArea} from './managed/opening.ts';
import {mergeActions, mergeEntryActions} from './merge/actions.ts';
import {metricsActions, openMetricsAction} from './metrics/actions.ts';
import {migrationActions} from './migration/actions/actions.ts';
import {openZoneMigrationAction} from './migration/actions/open-migration.ts';
import {goNamespaces, namespaceActions} from './namespaces/actions.ts';
import {withPaletteRoute} from './palette-routes.ts';
import {createFormExits, createPlacesActions} from './places/actions.ts';
import {pinActions} from './places/pins.ts';
import {rateLimitEntryActions} from './rate-limits/rate-limits.ts';
import {renameActions} from './rename/actions.ts';
import {reviewActions} from './review/actions.ts';
import {openRulesetFormActions} from './ruleset-form/actions.ts';
import {customRuleKind, rateLimitKind} from './ruleset-form/kind.ts';
import {keysSearchActions, searchActions} from './search/actions.ts';
import type {Action} from './shell/app.ts';
import {dialogActions} from './shell/dialog-actions.ts';
import {globalActions, tooSmallActions} from './shell/global-actions.ts';
import {createMenuPaletteAction} from './shell/menu.ts';
import {createMovementActions} from './shell/movement.ts';
import {listScreens} from './shell/screen.ts';
import {openStatsActions, statsActions} from './stats/actions.ts';
import {buildRuleFormActions} from './stepped-form/rule-actions.ts';
import {keysTransferActions, transferActions} from './transfer/actions.ts';
import {trashActions} from './trash/actions.ts';
import {historyActions} from './trash/history.ts';
import {openValidationAction, validationActions} from './validation/actions.ts';
import {versionsActions} from './versions/versions.ts';
import {watchActions} from './watch/actions.ts';
import {firewallRuleKind} from './wizard/kind.ts';
import {zonesActions} from './zones/actions.ts';

// The order matters, see `actions`.
const screenActions: readonly Action[] = [
	...dialogActions,
	...namespaceActions,
	...selectionActions,
	...keysActions,
	...groupActions,
	...trashActions,
	...editingActions,
	...keysTransferActions,
	...keysViewActions,
	...renameActions,
	...keysCompareActions,
	...keysSearchActions,
	...openStatsActions,
	...newKeyActions,
	openMetricsAction,
	...metricsActions,
	...filesActions,
	...reviewActions,
	...keyActions,
	...watchActions,
	...historyActions,
	...bulkActions,
	openZoneMigrationAction,
	managedArea.zonesAction,
	customRulesArea.zonesAction,
	eventsArea.zonesAction,
	...zonesActions,
	...contextsActions,
	...managedActions,
	leftBehindEntryAction,
	...leftBehindActions,
	...openRulesetFormActions,
	...buildRuleFormActions(customRuleKind),
	...buildRuleFormActions(rateLimitKind),
	...customRulesActions,
	...customRulesEntryActions,
	...rateLimitEntryActions,
	...mergeEntryActions,
	...catalogueActions,
	...versionsActions,
	...listScreens(screens).flatMap(([, {actions = []}]) => actions),
	...mergeActions,
	...eventsActions,
	...ruleEventActions,
	...firewallActions,
	...buildRuleFormActions(firewallRuleKind, [editFilterOfForm]),
	...emergencyActions,
	...migrationActions,
	editBlockingRule,
	openValidationAction,
	...validationActions,
	createMenuPaletteAction(screens),
	...transferActions,
	...compareActions,
	...searchActions,
	...statsActions,
	...jobsActions,
	...activityActions,
	...homeActions,
	...createMovementActions(screens),
	...unsavedActions,
	...createPlacesActions(screens),
	...pinActions,
	goNamespaces,
	goIpLists,
	goActivity,
	managedArea.goAction,
	customRulesArea.goAction,
	eventsArea.goAction,
	...emergencyEntryActions,
	...globalActions,
	...tooSmallActions,
];

/** Ids of the actions that go to a place and also leave forms. */
const placeActionIds: ReadonlySet<string> = new Set([
	...'home namespaces zones firewall custom-rules managed events jobs activity contexts lists'
		.split(' ')
		.map(name => `go.${name}`),
	'edits.unsaved',
]);

/**
 * Every action of the screens: the source of key handler, hints, help, palette and readme. Of two with the
 * same key in one context, the first available one wins.
 */
export const actions: readonly Action[] = [
	...screenActions,
	...createFormExits(
		screens,
		screenActions.filter(({id}) => placeActionIds.has(id)),
	),
].map(withPaletteRoute);
