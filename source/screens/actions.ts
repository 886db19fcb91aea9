import {screens} from '../store/screens.ts';
import {activityActions, goActivity} from './activity/actions.ts';
import {bulkActions, groupActions, selectionActions} from './bulk/actions.ts';
import {catalogueActions} from './catalogue/actions.ts';
import {compareActions, keysCompareActions} from './compare/actions.ts';
import {contextsActions} from './contexts/actions.ts';
import {openCustomRuleActions} from './custom-rule/actions.ts';
import {customRuleKind} from './custom-rule/kind.ts';
import {customRulesActions, toCustomRules} from './custom-rules/actions.ts';
import {customRulesArea} from './custom-rules/opening.ts';
import {editingActions, newKeyActions} from './edit/actions.ts';
import {filesActions} from './edit/files.ts';
import {unsavedActions} from './edit/unsaved.ts';
import {emergencyActions} from './emergency/actions.ts';
import {goEmergency} from './emergency/from-anywhere.ts';
import {eventsActions} from './events/actions.ts';
import {ruleEvents} from './events/from-rules.ts';
import {eventsArea} from './events/opening.ts';
import {firewallActions} from './firewall/lists/actions.ts';
import {editBlockingRule} from './firewall/lists/from-blockers.ts';
import {homeActions} from './home/actions.ts';
import {jobsActions} from './jobs/actions.ts';
import {keyActions} from './key/actions.ts';
import {keysActions, narrowingActions} from './keys/actions.ts';
import {leftBehindActions, toLeftBehind} from './left-behind/actions.ts';
import {managedActions} from './managed/actions.ts';
import {managedArea} from './managed/opening.ts';
import {mergeActions, toMerge} from './merge/actions.ts';
import {metricsActions, toMetrics} from './metrics/actions.ts';
import {migrationActions} from './migration/actions/actions.ts';
import {zoneMigration} from './migration/actions/opening.ts';
import {goNamespaces, namespaceActions} from './namespaces/actions.ts';
import {fromForms, placesActions} from './places/actions.ts';
import {rateLimitsActions, toRateLimits} from './rate-limits/rate-limits.ts';
import {withElsewhere} from './reach.ts';
import {renameActions} from './rename/actions.ts';
import {reviewActions} from './review/actions.ts';
import {keysSearchActions, searchActions} from './search/actions.ts';
import type {Action} from './shell/app.ts';
import {dialogActions} from './shell/dialog-actions.ts';
import {everywhereActions, tooSmallActions} from './shell/everywhere.ts';
import {menuPalette} from './shell/menu.ts';
import {movementActions} from './shell/movement.ts';
import {statsActions, toStats} from './stats/actions.ts';
import {ruleFormActions} from './stepped-form/rule-actions.ts';
import {keysTransferActions, transferActions} from './transfer/actions.ts';
import {trashActions} from './trash/actions.ts';
import {toValidation, validationActions} from './validation/actions.ts';
import {versionsActions} from './versions/versions.ts';
import {firewallRules} from './wizard/kind.ts';
import {zonesActions} from './zones/actions.ts';

/** In this order: of two actions with the same key in one context, the first available one wins. */
const declared: readonly Action[] = [
	...dialogActions,
	...namespaceActions,
	...selectionActions,
	...keysActions,
	...groupActions,
	...trashActions,
	...editingActions,
	...keysTransferActions,
	...narrowingActions,
	...renameActions,
	...keysCompareActions,
	...keysSearchActions,
	...toStats,
	...newKeyActions,
	toMetrics,
	...metricsActions,
	...filesActions,
	...reviewActions,
	...keyActions,
	...bulkActions,
	zoneMigration,
	managedArea.fromZones,
	customRulesArea.fromZones,
	eventsArea.fromZones,
	...zonesActions,
	...contextsActions,
	...managedActions,
	toLeftBehind,
	...leftBehindActions,
	...openCustomRuleActions,
	...ruleFormActions(customRuleKind),
	...customRulesActions,
	...toCustomRules,
	...toRateLimits,
	...toMerge,
	...catalogueActions,
	...versionsActions,
	...rateLimitsActions,
	...mergeActions,
	...eventsActions,
	...ruleEvents,
	...firewallActions,
	...ruleFormActions(firewallRules),
	...emergencyActions,
	...migrationActions,
	editBlockingRule,
	toValidation,
	...validationActions,
	menuPalette(screens),
	...transferActions,
	...compareActions,
	...searchActions,
	...statsActions,
	...jobsActions,
	...activityActions,
	...homeActions,
	...movementActions(screens),
	...unsavedActions,
	...placesActions(screens),
	goNamespaces,
	goActivity,
	managedArea.goes,
	customRulesArea.goes,
	eventsArea.goes,
	...goEmergency,
	...everywhereActions,
	...tooSmallActions,
];

/** Ids of area actions that also leave forms. */
const areas: ReadonlySet<string> = new Set(
	'home namespaces zones firewall custom-rules managed events jobs activity'
		.split(' ')
		.map(name => `go.${name}`),
);

/**
 * Every action of the screens: the source of key handler, hints, help, palette and readme. Of two with the
 * same key in one context, the first available one wins.
 */
export const actions: readonly Action[] = [
	...declared,
	...fromForms(
		screens,
		declared.filter(({id}) => areas.has(id)),
	),
].map(withElsewhere);
