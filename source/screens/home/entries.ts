import {needsAttention} from '../../migration/overview/overview.ts';
import type {Has, LedgeState} from '../../store/ledge-store.ts';
import {drawable} from '../../text/columns.ts';
import {counted, percent} from '../../text/figures.ts';
import {openContexts} from '../contexts/actions.ts';
import {customRulesArea} from '../custom-rules/opening.ts';
import {draftsInWords, openDrafts} from '../drafts/actions.ts';
import {openUnsaved, unsavedInWords} from '../edit/unsaved.ts';
import {openJobs} from '../jobs/actions.ts';
import type {JobRow} from '../jobs/row.ts';
import {jobRows} from '../jobs/slice.ts';
import {managedArea} from '../managed/opening.ts';
import {openMigrationArea} from '../migration/actions/opening.ts';
import {openNamespaces} from '../namespaces/actions.ts';
import {openRecent} from '../places/actions.ts';
import {recentName} from '../places/recents.ts';
import type {App} from '../shell/app.ts';
import {elsewhereWords, leaveSession} from '../shell/leaving.ts';
import {openFirewallArea, openZones} from '../zones/actions.ts';
import type {ZonesSlice} from '../zones/slice.ts';

type HomeEntry = {readonly value: string; readonly label: string; open(app: App): void};

/** Builds the menu of Home: the service first, or local data if that is the target. */
export function homeEntries(state: LedgeState): readonly HomeEntry[] {
	const connection = state.connection.data;
	const callCount = state.activity.count;
	const simulated = connection?.simulated === true;
	const unread = connection?.problem && 'not known: the settings cannot be read';
	const bindings = connection?.configuration?.bindings ?? 0;
	const bound = bindings > 0 ? `${bindings} bound in ${connection?.configuration?.file}` : '';
	const uncredited =
		connection?.credentialProblem === undefined ? 'no credential found' : 'no usable credential';
	const service: HomeEntry = {
		value: 'service',
		label: named(
			'Key-value store',
			simulated ? 'of the simulated service' : (unread ?? (connection?.credential ? bound : uncredited)),
		),
		open: app => openNamespaces(app, 'remote'),
	};
	const local: HomeEntry = {
		value: 'local',
		label: named('Local data', unread ?? localDataWords[connection?.localData.state ?? 'none']),
		open: app => openNamespaces(app, 'local'),
	};
	const unsaved = unsavedInWords(state);
	const drafts = draftsInWords(state, Date.now());
	const entries = simulated
		? [service]
		: connection?.target === 'local' || !connection?.credential
			? [local, service]
			: [service, local];
	return [
		...entries,
		{
			value: 'firewall',
			label: named(
				'Firewall rules',
				unread ?? (simulated || connection?.credential ? firewallInWords(state) : uncredited),
			),
			open: openFirewallArea,
		},
		...rulesEntries(state),
		{
			value: 'migration',
			label: named(
				'Migration',
				unread ?? (simulated || connection?.credential ? migrationInWords(state) : uncredited),
			),
			open: app => openMigrationArea(app),
		},
		...zonesEntry(state),
		...(simulated || connection?.credential
			? []
			: [
					{
						value: 'simulated',
						label: named('Simulated service', 'try everything, without an account'),
						open: (app: App) => change(app, 'the simulated service', 'simulated'),
					},
				]),
		...(simulated && connection.address.from === 'Home'
			? [
					{
						value: 'as started',
						label: named('Leave simulation', 'back to the service and local data'),
						open: (app: App) => change(app, 'the service', 'not simulated'),
					},
				]
			: []),
		...recentEntry(state),
		...accountEntries(state),
		...(unsaved === undefined
			? []
			: [{value: 'unsaved', label: named('Unsaved edits', drawable(unsaved)), open: openUnsaved}]),
		...(drafts === undefined
			? []
			: [{value: 'drafts', label: named('Draft', drawable(drafts)), open: openDrafts}]),
		{value: 'jobs', label: named('Jobs', jobsInWords(state)), open: openJobs},
		{
			value: 'activity',
			label: named(
				'Activity',
				`${callCount.all} ${callCount.all === 1 ? 'call' : 'calls'} · ${callCount.failed} failed`,
			),
			open: app => app.state().navigation.go('activity'),
		},
	];
}

const localDataWords = {
	exists: 'of your dev server',
	none: 'none yet',
	unreadable: 'cannot be read',
} as const;

const change = (app: App, what: string, to: 'simulated' | 'not simulated'): void =>
	leaveSession(app, `Change to ${what}`, () => app.terminal.restart({to}));

/** Builds the entry of the active context; else that of the account if there are several. */
function accountEntries({
	connection: {data: connection},
	contexts: {data: contexts},
}: Has<'connection' | 'contexts'>): readonly HomeEntry[] {
	if (!connection || connection.simulated) return [];
	const {account, isAccountChosen, context} = connection;
	if (context)
		return [
			{value: 'context', label: named('Context', `${context.name}; choose another`), open: openContexts},
		];
	const isUnclear = account.state === 'failed' && account.failure.code === 'account_unclear';
	if (!isUnclear && !isAccountChosen && contexts.accounts.length < 2) return [];
	const about = account.state === 'known' ? `${drawable(account.label)}; choose another` : 'choose one';
	return [{value: 'account', label: named('Account', about), open: openContexts}];
}

/** Describes the last zone and its rules if loaded; else the number of zones. */
function firewallInWords({
	firewall: {data: firewall},
	zones: {data: zones},
}: Has<'firewall' | 'zones'>): string {
	if (!firewall) return zones.reading === 'read' ? counted(zones.rows.length, 'zone') : 'of your zones';
	const zone = `zone ${drawable(firewall.zone.name)}`;
	if (firewall.reading !== 'read') return zone;
	return `${zone} · ${counted(firewall.rules.length, 'rule')}, ${counted(firewall.filters.length, 'filter')}`;
}

/** Minimum rows to show the overview of the zones; `Z` opens it from every screen. */
const overviewRows = 18;

function zonesEntry({
	connection: {data: connection},
	navigation: {viewport},
	zones: {data: zones},
}: Has<'connection' | 'zones'> & Has<'navigation', 'viewport'>): readonly HomeEntry[] {
	const isReachable = connection?.simulated === true || connection?.credential !== undefined;
	if (viewport.rows < overviewRows || !isReachable || connection.problem) return [];
	return [{value: 'zones', label: named('Zones overview', zonesInWords(zones)), open: openZones}];
}

/** Minimum rows to show the rules, which have keys of their own. */
const rulesRows = 24;

/** Builds the entries of custom and managed rules. */
function rulesEntries({
	connection: {data: connection},
	navigation: {viewport},
}: Has<'connection'> & Has<'navigation', 'viewport'>): readonly HomeEntry[] {
	const isReachable = connection?.simulated === true || connection?.credential !== undefined;
	if (viewport.rows < rulesRows || !isReachable || connection.problem) return [];
	return [
		{value: 'custom rules', label: named('Custom rules', 'and rate limits'), open: customRulesArea.open},
		{value: 'managed', label: named('Managed rules', 'in force: OWASP and others'), open: managedArea.open},
	];
}

/** Builds the entry of recent namespaces and zones, if there is room. */
function recentEntry({
	places: {recents},
	navigation: {viewport},
}: Has<'places', 'recents'> & Has<'navigation', 'viewport'>): readonly HomeEntry[] {
	const [latest] = recents;
	if (!latest || viewport.rows < overviewRows) return [];
	return [{value: 'recent', label: named('Recent', drawable(recentName(latest))), open: chooseRecent}];
}

function chooseRecent(app: App): void {
	const {recents, forgetRecents} = app.state().places;
	const {open} = app.state().dialog;
	const {say} = app.state().messages;
	open({
		kind: 'choice',
		title: 'Open a recent namespace or zone',
		lines: [],
		choices: [
			...recents.map((recent, at) => ({value: `${at}`, label: drawable(recentName(recent))})),
			{value: 'clear', label: 'Clear this list'},
		],
		choose(value) {
			const recent = recents[Number(value)];
			if (recent) return openRecent(app, recent);
			forgetRecents();
			say('The list of recent namespaces and zones is empty.');
		},
	});
}

/** Describes how many zones need attention, once all are read. */
function zonesInWords({reading, rows, unread}: ZonesSlice['data']): string {
	if (reading !== 'read' || unread.size > 0 || rows.length === 0) return 'what each zone needs';
	const count = rows.filter(({overview}) => needsAttention(overview)).length;
	if (count === 0) return `${counted(rows.length, 'zone')}; none needs attention`;
	return `${count} of ${counted(rows.length, 'zone')} ${count === 1 ? 'needs' : 'need'} attention`;
}

/** Describes the open migration; else those in progress or of unknown outcome. */
function migrationInWords({
	migration: {data: migration},
	jobs: {data: jobs},
}: Has<'migration' | 'jobs'>): string {
	if (migration) return `of ${drawable(migration.zone.name)}`;
	const [first, ...others] = jobs.migrations.flatMap(one => ('zone' in one ? [one] : []));
	if (!first) return 'new managed rules; no way back';
	if (others.length > 0) return `${others.length + 1} in progress`;
	return `${drawable(first.zone.name)}: ${first.record.state}`;
}

/** Describes the job of this session, or the resumable ones. */
function jobsInWords(
	state: Has<'work', 'elsewhere'> &
		Has<'jobs' | 'migration' | 'bulk' | 'transfer'> &
		Has<'navigation', 'screens'>,
): string {
	const rows = jobRows(state);
	const here = rows.find(row => row.state === 'here');
	if (here) return `${farIn(here)}: ${here.name}`;
	const [first, ...others] = rows.filter(row => row.state === 'unfinished');
	if (!first && state.work.elsewhere.length > 0)
		return `${state.work.elsewhere.map(elsewhereWords).join(', ')}, under way`;
	if (!first && state.jobs.data.reading !== 'read') return 'not loaded (ctrl-r)';
	if (!first) return 'none unfinished';
	return others.length === 0 ? `1 unfinished: ${first.name}` : `${others.length + 1} unfinished`;
}

/** Describes the progress of a job of this session. */
function farIn({isPaused, done, total}: JobRow): string {
	const state = isPaused ? 'paused' : 'under way';
	if (!done) return state;
	return `${state}, ${total === undefined ? counted(done, 'key') : `${percent(done, total)} %`}`;
}

/** Formats an entry: the name padded to a column, then the text. */
const named = (name: string, about: string): string => `${name.padEnd(21)}${about}`;
