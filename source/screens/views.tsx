import type {ComponentType} from 'react';
import type {Marks} from '../components/theme.ts';
import type {LedgeState} from '../store/ledge-store.ts';
import {Activity, activityStatus} from './activity/view.tsx';
import {Bulk, bulkStatus} from './bulk/view.tsx';
import {Catalogue, catalogueStatus} from './catalogue/view.tsx';
import {Compare, compareStatus, tellsCompare} from './compare/view.tsx';
import {Contexts, contextsStatus} from './contexts/view.tsx';
import {customRuleKind} from './custom-rule/kind.ts';
import {CustomRules, customRulesStatus} from './custom-rules/view.tsx';
import {withUnsaved} from './edit/unsaved-text.ts';
import {editorStatus} from './edit/verdict.ts';
import {Editor} from './edit/view.tsx';
import {emergencyKind} from './emergency/kind.ts';
import {Events, eventsStatus} from './events/view.tsx';
import {Firewall, firewallStatus} from './firewall/lists/view.tsx';
import {Home, homeStatus} from './home/view.tsx';
import {Jobs, jobsStatus} from './jobs/view.tsx';
import {keyStatus} from './key/status.ts';
import {Key} from './key/view.tsx';
import {Keys, keysStatus} from './keys/view.tsx';
import {LeftBehind, leftBehindStatus} from './left-behind/view.tsx';
import {managedStatus} from './managed/body.ts';
import {Managed} from './managed/view.tsx';
import {Merge, mergeStatus} from './merge/view.tsx';
import {Metrics, metricsStatus} from './metrics/view.tsx';
import {Migration, migrationStatus} from './migration/view/view.tsx';
import {Namespaces, namespaceStatus} from './namespaces/view.tsx';
import {RateLimits, rateLimitsStatus} from './rate-limits/view.tsx';
import {Review, reviewStatus} from './review/view.tsx';
import {Search, searchStatus} from './search/view.tsx';
import type {Screen} from './shell/screen-name.ts';
import {Stats, statsStatus} from './stats/view.tsx';
import {ruleFormBody, ruleFormStatus} from './stepped-form/rule-view.tsx';
import {Transfer, transferStatus} from './transfer/view.tsx';
import {Validation, validationStatus} from './validation/view.tsx';
import {Versions, versionsStatus} from './versions/view.tsx';
import {firewallRules} from './wizard/kind.ts';
import {Zones, zonesStatus} from './zones/view.tsx';

type ScreenView = {
	readonly Body: ComponentType;
	status(state: LedgeState, marks: Marks): string;
	/** True if the status reports the progress of a read, replacing its label. */
	readonly tellsRead?: (state: LedgeState) => boolean;
};

const customRuleView = {Body: ruleFormBody(customRuleKind), status: ruleFormStatus(customRuleKind)};
const emergencyView = {Body: ruleFormBody(emergencyKind), status: ruleFormStatus(emergencyKind)};
const wizardView = {Body: ruleFormBody(firewallRules), status: ruleFormStatus(firewallRules)};

const views: Readonly<Record<Screen, () => ScreenView>> = {
	home: () => ({Body: Home, status: homeStatus}),
	namespaces: () => ({Body: Namespaces, status: namespaceStatus}),
	metrics: () => ({Body: Metrics, status: metricsStatus}),
	keys: () => ({Body: Keys, status: withUnsaved(keysStatus)}),
	key: () => ({Body: Key, status: withUnsaved(keyStatus)}),
	editor: () => ({Body: Editor, status: editorStatus}),
	review: () => ({Body: Review, status: reviewStatus}),
	bulk: () => ({Body: Bulk, status: bulkStatus}),
	zones: () => ({Body: Zones, status: zonesStatus}),
	contexts: () => ({Body: Contexts, status: contextsStatus}),
	customRules: () => ({Body: CustomRules, status: customRulesStatus}),
	catalogue: () => ({Body: Catalogue, status: catalogueStatus}),
	leftBehind: () => ({Body: LeftBehind, status: leftBehindStatus}),
	managed: () => ({Body: Managed, status: managedStatus}),
	versions: () => ({Body: Versions, status: versionsStatus}),
	rateLimits: () => ({Body: RateLimits, status: rateLimitsStatus}),
	merge: () => ({Body: Merge, status: mergeStatus}),
	customRule: () => customRuleView,
	firewall: () => ({Body: Firewall, status: firewallStatus}),
	events: () => ({Body: Events, status: eventsStatus}),
	wizard: () => wizardView,
	emergency: () => emergencyView,
	migration: () => ({Body: Migration, status: migrationStatus}),
	validation: () => ({Body: Validation, status: validationStatus}),
	transfer: () => ({Body: Transfer, status: transferStatus}),
	compare: () => ({Body: Compare, status: compareStatus, tellsRead: tellsCompare}),
	search: () => ({Body: Search, status: searchStatus}),
	stats: () => ({Body: Stats, status: statsStatus}),
	jobs: () => ({Body: Jobs, status: jobsStatus}),
	activity: () => ({Body: Activity, status: activityStatus}),
};

/** Returns the view of a screen, which is loaded on first use (source/build/pieces.ts). */
export const viewOf = (screen: Screen): ScreenView => views[screen]();
