import type {ComponentType} from 'react';
import type {Marks} from '../components/theme.ts';
import type {LedgeState} from '../store/ledge-store.ts';
import {screens} from '../store/screens.ts';
import {Bulk, formatBulkStatus} from './bulk/view.tsx';
import {Catalogue, formatCatalogueStatus} from './catalogue/view.tsx';
import {Compare, formatCompareStatus, showsCompareProgress} from './compare/view.tsx';
import {Contexts, formatContextsStatus} from './contexts/view.tsx';
import {formatEditorStatus} from './edit/assessment.ts';
import {withUnsavedNotice} from './edit/unsaved-notice.ts';
import {Editor} from './edit/view.tsx';
import {emergencyKind} from './emergency/kind.ts';
import {Events, formatEventsStatus} from './events/view.tsx';
import {Firewall, formatFirewallStatus} from './firewall/lists/view.tsx';
import {getHomeStatus, Home} from './home/view.tsx';
import {formatJobsStatus, Jobs} from './jobs/view.tsx';
import {formatKeyStatus} from './key/status.ts';
import {Key} from './key/view.tsx';
import {formatKeysStatus, Keys} from './keys/view.tsx';
import {formatLeftBehindStatus, LeftBehind} from './left-behind/view.tsx';
import type {DescribedView, ListScreenDefinition} from './list/screen.ts';
import {ListWithDetail} from './list/with-detail.tsx';
import {formatManagedStatus} from './managed/body.ts';
import {Managed} from './managed/view.tsx';
import {formatMergeStatus, Merge} from './merge/view.tsx';
import {formatMetricsStatus, Metrics} from './metrics/view.tsx';
import {getMigrationStatus, Migration} from './migration/view/view.tsx';
import {formatNamespaceStatus, Namespaces} from './namespaces/view.tsx';
import {formatReviewStatus, Review} from './review/view.tsx';
import {customRuleKind, rateLimitKind} from './ruleset-form/kind.ts';
import {formatSearchStatus, Search} from './search/view.tsx';
import type {ScreenDefinition} from './shell/screen.ts';
import type {Screen} from './shell/screen-name.ts';
import {useLedge} from './shell/use-ledge.ts';
import {formatStatsStatus, Stats} from './stats/view.tsx';
import type {AnyRuleKind} from './stepped-form/rule-form.ts';
import {createRuleFormBody, createRuleFormStatus} from './stepped-form/rule-view.tsx';
import {formatTransferStatus, Transfer} from './transfer/view.tsx';
import {getValidationStatus, Validation} from './validation/view.tsx';
import {firewallRuleKind} from './wizard/kind.ts';
import {formatZonesStatus, Zones} from './zones/view.tsx';

type ScreenView = {
	readonly Body: ComponentType;
	formatStatus(state: LedgeState, marks: Marks): string;
	/** True if the status reports the progress of a read, replacing its label. */
	readonly showsReadProgress?: (state: LedgeState) => boolean;
};

const createRuleFormView = (kind: AnyRuleKind): ScreenView => ({
	Body: createRuleFormBody(kind),
	formatStatus: createRuleFormStatus(kind),
});

/** The views of screens that need more than a described list. */
const views: Readonly<Partial<Record<Screen, () => ScreenView>>> = {
	home: () => ({Body: Home, formatStatus: getHomeStatus}),
	namespaces: () => ({Body: Namespaces, formatStatus: formatNamespaceStatus}),
	metrics: () => ({Body: Metrics, formatStatus: formatMetricsStatus}),
	keys: () => ({Body: Keys, formatStatus: withUnsavedNotice(formatKeysStatus)}),
	key: () => ({Body: Key, formatStatus: withUnsavedNotice(formatKeyStatus)}),
	editor: () => ({Body: Editor, formatStatus: formatEditorStatus}),
	review: () => ({Body: Review, formatStatus: formatReviewStatus}),
	bulk: () => ({Body: Bulk, formatStatus: formatBulkStatus}),
	zones: () => ({Body: Zones, formatStatus: formatZonesStatus}),
	contexts: () => ({Body: Contexts, formatStatus: formatContextsStatus}),
	catalogue: () => ({Body: Catalogue, formatStatus: formatCatalogueStatus}),
	leftBehind: () => ({Body: LeftBehind, formatStatus: formatLeftBehindStatus}),
	managed: () => ({Body: Managed, formatStatus: formatManagedStatus}),
	merge: () => ({Body: Merge, formatStatus: formatMergeStatus}),
	customRule: () => createRuleFormView(customRuleKind),
	rateLimit: () => createRuleFormView(rateLimitKind),
	firewall: () => ({Body: Firewall, formatStatus: formatFirewallStatus}),
	events: () => ({Body: Events, formatStatus: formatEventsStatus}),
	wizard: () => createRuleFormView(firewallRuleKind),
	emergency: () => createRuleFormView(emergencyKind),
	migration: () => ({Body: Migration, formatStatus: getMigrationStatus}),
	validation: () => ({Body: Validation, formatStatus: getValidationStatus}),
	transfer: () => ({Body: Transfer, formatStatus: formatTransferStatus}),
	compare: () => ({
		Body: Compare,
		formatStatus: formatCompareStatus,
		showsReadProgress: showsCompareProgress,
	}),
	search: () => ({Body: Search, formatStatus: formatSearchStatus}),
	stats: () => ({Body: Stats, formatStatus: formatStatsStatus}),
	jobs: () => ({Body: Jobs, formatStatus: formatJobsStatus}),
};

const definitions: Readonly<Record<Screen, ScreenDefinition & Pick<Partial<ListScreenDefinition>, 'view'>>> =
	screens;

function createListView({getData, formatStatus, ...view}: DescribedView): ScreenView {
	return {Body: () => <ListWithDetail {...view} data={useLedge(getData)} />, formatStatus};
}

const createdViews: Partial<Record<Screen, ScreenView>> = {};

/** Returns the view of a screen, which is loaded on first use (source/build/bundle-in-pieces.ts). */
export function getScreenView(screen: Screen): ScreenView {
	const {view: listView} = definitions[screen];
	const view = createdViews[screen] ?? views[screen]?.() ?? (listView && createListView(listView));
	if (!view) throw new Error(`Add the view of ${screen} to source/screens/views.tsx.`);
	createdViews[screen] = view;
	return view;
}
