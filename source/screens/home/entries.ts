import {nameKey} from '../../keyboard/named-keys.ts';
import {needsAttention} from '../../migration/overview/overview.ts';
import type {LedgeState, StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {computePercent, formatPlainQuantity, formatQuantity} from '../../text/figures.ts';
import {openContexts} from '../contexts/actions.ts';
import {customRulesArea} from '../custom-rules/opening.ts';
import {formatDrafts, openDrafts} from '../drafts/actions.ts';
import {formatUnsavedEdits, openUnsavedEdits} from '../edit/unsaved.ts';
import {openJobs} from '../jobs/actions.ts';
import type {JobRow} from '../jobs/row.ts';
import {buildJobRows, listRunningWrites} from '../jobs/slice.ts';
import {managedArea} from '../managed/opening.ts';
import {openMigrationArea} from '../migration/actions/open-migration.ts';
import {openNamespaces} from '../namespaces/actions.ts';
import {openRecent} from '../places/actions.ts';
import {openPins} from '../places/pins.ts';
import {formatRecent} from '../places/recents.ts';
import type {App} from '../shell/app.ts';
import {describeWorkElsewhere, leaveSession} from '../shell/leaving.ts';
import {openFirewallArea, openZones} from '../zones/actions.ts';
import type {ZonesSlice} from '../zones/slice.ts';

type HomeEntry = {readonly value: string; readonly label: string; open(app: App): void};

/** Builds the menu of Home: the service first, or local data if that is the target. */
export function buildHomeEntries(state: LedgeState): readonly HomeEntry[] {
	const connection = state.connection.data;
	const callCounts = state.activity.data.count;
	const isSimulated = connection?.simulated === true;
	const unreadText = connection?.problem && "unknown: can't read the settings";
	const bindingCount = connection?.configuration?.bindings ?? 0;
	const bindingsText = bindingCount > 0 ? `${bindingCount} bound in ${connection?.configuration?.file}` : '';
	const noCredential =
		connection?.credentialProblem === undefined ? 'no credential found' : 'no usable credential';
	const isConnected = isSimulated || connection?.credential !== undefined;
	const service = createEntry(
		'service',
		'Key-value store',
		isSimulated
			? 'in the simulated service'
			: (unreadText ?? (connection?.credential ? bindingsText : noCredential)),
		app => openNamespaces(app, 'remote'),
	);
	const local = createEntry(
		'local',
		'Local data',
		unreadText ?? localDataTexts[connection?.localData.state ?? 'none'],
		app => openNamespaces(app, 'local'),
	);
	const unsavedText = formatUnsavedEdits(state);
	const draftsText = formatDrafts(state, Date.now());
	const entries = isSimulated
		? [service]
		: connection?.target === 'local' || !connection?.credential
			? [local, service]
			: [service, local];
	return [
		...entries,
		createEntry(
			'firewall',
			'Firewall rules',
			unreadText ?? (isConnected ? describeFirewall(state) : noCredential),
			openFirewallArea,
		),
		...buildRulesEntries(state),
		createEntry(
			'migration',
			'Migration',
			unreadText ?? (isConnected ? describeMigrations(state) : noCredential),
			app => openMigrationArea(app),
		),
		...buildZonesEntry(state),
		...(isConnected
			? []
			: [
					createEntry('simulated', 'Simulated service', 'try everything without an account', app =>
						changeService(app, 'the simulated service', 'simulated'),
					),
				]),
		...(isSimulated && connection.address.from === 'Home'
			? [
					createEntry('as started', 'Leave simulation', 'back to the service and local data', app =>
						changeService(app, 'the service', 'not simulated'),
					),
				]
			: []),
		...buildPinEntries(state),
		...buildRecentEntry(state),
		...buildAccountEntries(state),
		...(unsavedText === undefined
			? []
			: [createEntry('unsaved', 'Unsaved edits', toDrawable(unsavedText), openUnsavedEdits)]),
		...(draftsText === undefined ? [] : [createEntry('drafts', 'Draft', toDrawable(draftsText), openDrafts)]),
		createEntry('jobs', 'Jobs', describeJobs(state), openJobs),
		createEntry(
			'activity',
			'Activity',
			`${formatPlainQuantity(callCounts.all, 'call')} · ${callCounts.failed} failed`,
			app => app.state().navigation.go('activity'),
		),
	];
}

const localDataTexts = {
	exists: 'from your dev server',
	none: 'none yet',
	unreadable: 'cannot be read',
} as const;

const changeService = (app: App, serviceName: string, mode: 'simulated' | 'not simulated'): void =>
	leaveSession(app, `Switch to ${serviceName}`, () => app.terminal.restart({to: mode}));

/** Builds the entry of the active context; else that of the account if there are several. */
function buildAccountEntries({
	connection: {data: connection},
	contexts: {data: contexts},
}: StateWith<'connection' | 'contexts'>): readonly HomeEntry[] {
	if (!connection || connection.simulated) return [];
	const {account, isAccountChosen, context} = connection;
	if (context) return [createEntry('context', 'Context', `${context.name}; choose another`, openContexts)];
	const isUnclear = account.state === 'failed' && account.failure.code === 'account_unclear';
	if (!isUnclear && !isAccountChosen && contexts.accounts.length < 2) return [];
	const accountText =
		account.state === 'known' ? `${toDrawable(account.label)}; choose another` : 'choose one';
	return [createEntry('account', 'Account', accountText, openContexts)];
}

/** Describes the zone visited last, with its rules if loaded; else the number of zones. */
function describeFirewall({
	firewall: {data: firewall},
	zones: {data: zones},
	places: {lastZone = firewall?.zone},
}: StateWith<'firewall' | 'zones'> & StateWith<'places', 'lastZone'>): string {
	if (!lastZone)
		return zones.reading === 'read' ? formatQuantity(zones.rows.length, 'zone') : 'for your zones';
	const zone = `zone ${toDrawable(lastZone.name)}`;
	if (firewall?.zone.id !== lastZone.id || firewall.reading !== 'read') return zone;
	return `${zone} · ${formatQuantity(firewall.rules.length, 'rule')}, ${formatQuantity(firewall.filters.length, 'filter')}`;
}

/** Minimum rows to show the overview of the zones; `Z` opens it from every screen. */
const minOverviewRows = 18;

function buildZonesEntry(
	state: StateWith<'connection' | 'zones'> & StateWith<'navigation', 'viewport'>,
): readonly HomeEntry[] {
	if (state.navigation.viewport.rows < minOverviewRows || !isServiceReachable(state)) return [];
	return [createEntry('zones', 'Zones overview', describeZones(state.zones.data), openZones)];
}

/** True if there is a service to ask: the simulated one, or one with a credential. */
const isServiceReachable = ({connection: {data: connection}}: StateWith<'connection'>): boolean =>
	connection !== undefined &&
	(connection.simulated || connection.credential !== undefined) &&
	!connection.problem;

/** Minimum rows to show the rules, which have keys of their own. */
const minRulesRows = 24;

/** Builds the entries of custom and managed rules; they name the zone that they open. */
function buildRulesEntries(
	state: StateWith<'connection'> & StateWith<'navigation', 'viewport'> & StateWith<'places', 'lastZone'>,
): readonly HomeEntry[] {
	if (state.navigation.viewport.rows < minRulesRows || !isServiceReachable(state)) return [];
	const {lastZone} = state.places;
	const zone = lastZone && `zone ${toDrawable(lastZone.name)}`;
	return [
		createEntry('custom rules', 'Custom rules', zone ?? 'and rate limits', customRulesArea.open),
		createEntry('managed', 'Managed rules', zone ?? 'OWASP and others', managedArea.open),
	];
}

/** Maximum number of pins with an entry each; more are behind one entry. */
const maxPinEntries = 3;

/** Builds the entries of pinned places, if there is room. */
function buildPinEntries({
	places: {pins},
	navigation: {viewport},
}: StateWith<'places', 'pins'> & StateWith<'navigation', 'viewport'>): readonly HomeEntry[] {
	const names = pins.map(pin => toDrawable(formatRecent(pin)));
	if (pins.length === 0 || viewport.rows < minOverviewRows) return [];
	if (pins.length > (viewport.rows < minRulesRows ? 1 : maxPinEntries))
		return [createEntry('pinned', 'Pinned', `${pins.length}: ${names.join(', ')}`, openPins)];
	return pins.map((pin, index) =>
		createEntry(`pinned ${index}`, 'Pinned', names[index] ?? '', app => openRecent(app, pin)),
	);
}

/** Builds the entry of recent namespaces and zones, if there is room. */
function buildRecentEntry({
	places: {recents},
	navigation: {viewport},
}: StateWith<'places', 'recents'> & StateWith<'navigation', 'viewport'>): readonly HomeEntry[] {
	const [latest] = recents;
	if (!latest || viewport.rows < minOverviewRows) return [];
	return [createEntry('recent', 'Recent', toDrawable(formatRecent(latest)), askForRecent)];
}

function askForRecent(app: App): void {
	const {recents, forgetRecents} = app.state().places;
	const {open} = app.state().dialog;
	const {say} = app.state().messages;
	open({
		kind: 'choice',
		title: 'Open a recent namespace or zone',
		lines: [],
		choices: [
			...recents.map((recent, index) => ({value: `${index}`, label: toDrawable(formatRecent(recent))})),
			{value: 'clear', label: 'Clear this list'},
		],
		choose(value) {
			const recent = recents[Number(value)];
			if (recent) return openRecent(app, recent);
			forgetRecents();
			say('Recent namespaces and zones cleared.');
		},
	});
}

/** Describes how many zones need attention, once all are read. */
function describeZones({reading, rows, unreadIds}: ZonesSlice['data']): string {
	if (reading !== 'read' || unreadIds.size > 0 || rows.length === 0) return 'what each zone needs';
	const count = rows.filter(({overview}) => needsAttention(overview)).length;
	if (count === 0) return `${formatQuantity(rows.length, 'zone')}; none needs attention`;
	return `${count} of ${formatQuantity(rows.length, 'zone')} ${count === 1 ? 'needs' : 'need'} attention`;
}

/** Describes the open migration; else those in progress or of unknown outcome. */
function describeMigrations({
	migration: {data: migration},
	jobs: {data: jobs},
}: StateWith<'migration' | 'jobs'>): string {
	if (migration) return `of ${toDrawable(migration.zone.name)}`;
	const [firstMigration, ...others] = jobs.migrations.flatMap(one => ('zone' in one ? [one] : []));
	if (!firstMigration) return 'new managed rules; no rollback';
	if (others.length > 0) return `${others.length + 1} in progress`;
	return `${toDrawable(firstMigration.zone.name)}: ${firstMigration.record.state}`;
}

/** Describes the job of this session, or the resumable ones. */
function describeJobs(
	state: StateWith<'work', 'elsewhere' | 'list'> &
		StateWith<'jobs' | 'migration' | 'bulk' | 'transfer'> &
		StateWith<'navigation', 'screens'>,
): string {
	const rows = buildJobRows(state);
	const runningJob = rows.find(row => row.state === 'here');
	if (runningJob) return `${describeJobProgress(runningJob)}: ${runningJob.name}`;
	const [write] = listRunningWrites(state);
	if (write) return `running: ${toDrawable(write.label)}`;
	const [firstUnfinished, ...others] = rows.filter(row => row.state === 'unfinished');
	if (!firstUnfinished && state.work.elsewhere.length > 0)
		return `${state.work.elsewhere.map(describeWorkElsewhere).join(', ')}, running`;
	if (!firstUnfinished && state.jobs.data.reading !== 'read')
		return `not loaded (${nameKey('reload', 'ctrl-r')})`;
	if (!firstUnfinished) return 'none unfinished';
	if (others.length > 0) return `${others.length + 1} unfinished`;
	// The entry of the migration has its state.
	const {zone, title, name} = firstUnfinished;
	return `1 unfinished: ${zone ? title : name}`;
}

/** Describes the progress of a job of this session. */
function describeJobProgress({isPaused, done, total}: JobRow): string {
	const state = isPaused ? 'paused' : 'running';
	if (!done) return state;
	return `${state}, ${total === undefined ? formatQuantity(done, 'key') : `${computePercent(done, total)}%`}`;
}

/** Creates an entry: its name padded to a column, then the text. */
const createEntry = (value: string, name: string, text: string, open: HomeEntry['open']): HomeEntry => ({
	value,
	label: `${name.padEnd(21)}${text}`,
	open,
});
