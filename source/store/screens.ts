import {activityScreen} from '../screens/activity/actions.ts';
import {bulkScreen} from '../screens/bulk/screen.ts';
import {catalogueScreen} from '../screens/catalogue/actions.ts';
import {compareScreen} from '../screens/compare/screen.ts';
import {contextsScreen} from '../screens/contexts/actions.ts';
import {customRulesScreen} from '../screens/custom-rules/screen.ts';
import {editorScreen} from '../screens/edit/screen.ts';
import {emergencyKind} from '../screens/emergency/kind.ts';
import {eventsScreen} from '../screens/events/screen.ts';
import {firewallScreen} from '../screens/firewall/screen.ts';
import {homeScreen} from '../screens/home/screen.ts';
import {listItemsScreen} from '../screens/ip-lists/items.ts';
import {ipListsScreen} from '../screens/ip-lists/overview.ts';
import {jobsScreen} from '../screens/jobs/actions.ts';
import {keyScreen} from '../screens/key/screen.ts';
import {keysScreen} from '../screens/keys/screen.ts';
import {leftBehindScreen} from '../screens/left-behind/screen.ts';
import {managedScreen} from '../screens/managed/screen.ts';
import {mergeScreen} from '../screens/merge/screen.ts';
import {metricsScreen} from '../screens/metrics/actions.ts';
import {migrationScreen} from '../screens/migration/actions/screen.ts';
import {namespacesScreen} from '../screens/namespaces/screen.ts';
import {rateLimitsScreen} from '../screens/rate-limits/rate-limits.ts';
import {reviewScreen} from '../screens/review/screen.ts';
import {customRuleKind, rateLimitKind} from '../screens/ruleset-form/kind.ts';
import {searchScreen} from '../screens/search/screen.ts';
import type {Screens} from '../screens/shell/screen.ts';
import {statsScreen} from '../screens/stats/screen.ts';
import {createRuleFormScreen} from '../screens/stepped-form/rule-screen.ts';
import {transferScreen} from '../screens/transfer/screen.ts';
import {validationScreen} from '../screens/validation/screen.ts';
import {versionsScreen} from '../screens/versions/versions.ts';
import {firewallRuleKind} from '../screens/wizard/kind.ts';
import {zonesScreen} from '../screens/zones/screen.ts';

/** Every screen, in the order of the help groups. */
export const screens = {
	home: homeScreen,
	namespaces: namespacesScreen,
	metrics: metricsScreen,
	keys: keysScreen,
	key: keyScreen,
	editor: editorScreen,
	review: reviewScreen,
	bulk: bulkScreen,
	transfer: transferScreen,
	compare: compareScreen,
	search: searchScreen,
	stats: statsScreen,
	zones: zonesScreen,
	contexts: contextsScreen,
	customRules: customRulesScreen,
	customRule: createRuleFormScreen(customRuleKind),
	managed: managedScreen,
	leftBehind: leftBehindScreen,
	firewall: firewallScreen,
	events: eventsScreen,
	catalogue: catalogueScreen,
	versions: versionsScreen,
	rateLimits: rateLimitsScreen,
	rateLimit: createRuleFormScreen(rateLimitKind),
	ipLists: ipListsScreen,
	ipListItems: listItemsScreen,
	merge: mergeScreen,
	wizard: createRuleFormScreen(firewallRuleKind),
	emergency: createRuleFormScreen(emergencyKind),
	migration: migrationScreen,
	validation: validationScreen,
	jobs: jobsScreen,
	activity: activityScreen,
} satisfies Screens;
