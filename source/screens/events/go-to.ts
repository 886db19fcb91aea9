import {formatEventSource} from '../../analytics/event-words.ts';
import {getRuleKind, resolveEventRule} from '../../events/event-rule.ts';
import {proposeEventException} from '../../events/exception.ts';
import {buildAddressExpression, buildHostPathExpression} from '../../firewall/rules/targets.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import type {ManagedContents} from '../../migration/zone/managed-contents.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {openZoneEmergency} from '../emergency/entry-actions.ts';
import {getFirewallBlockedReason} from '../firewall/lists/targets.ts';
import {browseManaged, getManagedBlockedReason} from '../managed/actions.ts';
import {buildEditRows} from '../managed-edit/edit-rows.ts';
import {proposeException} from '../managed-edit/exceptions.ts';
import type {App} from '../shell/app.ts';
import {getCurrentScreen, type Screen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {openRuleForm} from '../stepped-form/rule-actions.ts';
import {firewallRuleKind} from '../wizard/kind.ts';
import {type EventSubject, type EventsState, resolveEventSubject} from './state.ts';

type SubjectRule = NonNullable<EventSubject['rule']>;

/** Opens the rule of the row under the cursor in the list that contains it. Stays here if it is gone. */
export function goToRule(app: App, events: EventsState, rule: SubjectRule): void {
	const {state} = app;
	const {zone} = events;
	const {source, ruleId: id} = rule;
	const kind = getRuleKind(source);
	if (kind === 'previous') {
		void explainPreviousRule(app, {
			current: `ledge does not list the previous managed rules; ${nameKey('go.migration', '5')} opens the migration, which replaces them.`,
			migrated: `This rule is off since the migration; ${nameKey('go.managed', '4')} shows the new managed rules.`,
		});
		return;
	}
	if (kind === 'other' || id === undefined) {
		state().messages.warn(describeUnlistedRule(source));
		return;
	}
	const missingText = describeMissingRule(events, rule);
	if (kind === 'managed') void goToManagedRule(app, zone, id, missingText);
	else void goToListedRule(app, zone, ruleLists[kind], id, missingText);
}

/** The lists that contain rules, by the kind of the rules. */
const ruleLists = {
	custom: {screen: 'customRules', label: 'custom rules'},
	firewall: {screen: 'firewall', label: 'firewall rules'},
	'rate limit': {screen: 'rateLimits', label: 'rate limits'},
} as const;

/** Says that a rule is gone, with its name and id as far as they are known. */
function describeMissingRule({knownRules}: EventsState, rule: SubjectRule): string {
	const {id, name} = resolveEventRule(rule, knownRules);
	return `This rule no longer exists: ${[id, name === undefined ? undefined : toDrawable(name)].filter(Boolean).join(', ')}`;
}

/** Reads a list, then goes to the rule in it. Warns and stays if the list does not have it. */
async function goToListedRule(
	{state}: App,
	zone: ZoneWithLabel,
	{screen, label}: (typeof ruleLists)[keyof typeof ruleLists],
	id: string,
	missingText: string,
): Promise<void> {
	state()[screen].open(zone);
	const isRead = await state().work.run(`loading ${label} of ${zone.name}`, 'read', signal =>
		state()[screen].load(signal),
	);
	if (!isRead || getCurrentScreen(state()) !== 'events' || state().dialog.current) return;
	const {data} = state()[screen];
	const rules = data && 'rules' in data ? data.rules : data?.rows;
	if (!rules?.some(rule => rule.id === id)) return state().messages.warn(missingText);
	state()[screen].focusRow(id, zone.id);
	openAboveEvents(state(), screen);
}

/** Opens a screen above the events, also if it was open below them: back leads to the events. */
function openAboveEvents({navigation}: StateWith<'navigation', 'leaveScreens' | 'go'>, screen: Screen): void {
	navigation.leaveScreens(one => one === screen);
	navigation.go(screen);
}

/** Explains why no list has the rule, and where to find it. */
function describeUnlistedRule(source: string): string {
	return getRuleKind(source) === 'other'
		? `ledge can't show this rule: the event came from ${formatEventSource(source)}.`
		: 'The event does not name its rule.';
}

/** Says what to do about a rule of the previous managed rules, which a migrated zone no longer runs. */
async function explainPreviousRule(
	app: App,
	advice: Readonly<Record<'current' | 'migrated', string>>,
): Promise<void> {
	const isMigrated = await readMigrated(app);
	if (getCurrentScreen(app.state()) === 'events')
		app.state().messages.warn(advice[isMigrated ? 'migrated' : 'current']);
}

async function readMigrated({state}: App): Promise<boolean> {
	let isMigrated = false;
	await state().work.run('loading the migration status', 'read', async () => {
		isMigrated = await state().events.readMigrated();
	});
	return isMigrated;
}

/**
 * Opens the form of a firewall rule that lets requests like this pass the previous managed rules, unless the zone
 * has migrated. Sends nothing.
 */
async function startBypass(
	app: App,
	{zone}: EventsState,
	{address = '', host, path}: EventSubject,
): Promise<void> {
	const {state} = app;
	const isMigrated = await readMigrated(app);
	if (getCurrentScreen(state()) !== 'events' || state().dialog.current) return;
	if (isMigrated) {
		state().messages.warn('Nothing to let through: this rule is off since the migration.');
		return;
	}
	state().firewall.open(zone);
	const isRead = await state().work.run(`loading firewall rules of ${zone.name}`, 'read', signal =>
		state().firewall.load(signal),
	);
	if (!isRead || getCurrentScreen(state()) !== 'events' || state().dialog.current) return;
	const blockedReason = getFirewallBlockedReason(state());
	if (blockedReason !== undefined) return state().messages.warn(`Can't create a rule: ${blockedReason}`);
	const conditions = [
		buildAddressExpression(address),
		path === undefined ? undefined : buildHostPathExpression(host, path),
	];
	const bypassExpression = conditions.filter(condition => condition !== undefined).join(' and ');
	openRuleForm(app, firewallRuleKind, {kind: 'new rule', bypassExpression});
}

/**
 * Reads the active managed rules, then opens them, and offers a draft of them. Returns true if they are in
 * front: the user has not gone elsewhere, and there is no draft.
 */
async function openManagedRules({state}: App, zone: ZoneWithLabel): Promise<boolean> {
	state().managed.open(zone);
	const isRead = await state().managed.read();
	const {managed, dialog} = state();
	if (!isRead || getCurrentScreen(state()) !== 'events' || dialog.current) return false;
	if (managed.data?.zone.id !== zone.id || !managed.data.activeRules) return false;
	openAboveEvents(state(), 'managed');
	managed.toStep('rules');
	managed.offerDraft();
	return !state().dialog.current;
}

async function goToManagedRule(
	app: App,
	zone: ZoneWithLabel,
	id: string,
	missingText: string,
): Promise<void> {
	const {state} = app;
	if (!(await openManagedRules(app, zone))) return;
	const managed = state().managed.data;
	const row = buildEditRows(managed?.configuration ?? {name: '', rules: []}).findIndex(
		one => one.kind === 'rule' && one.rule.id === id,
	);
	if (managed && row >= 0) state().managed.move(row - managed.cursor);
	else if (managed?.activeRules?.catalogue && isRuleMissing(managed.activeRules.catalogue, id)) {
		state().navigation.go('events');
		state().messages.warn(missingText);
	} else if (managed?.activeRules?.catalogue)
		browseManaged(app, {query: id, onLeave: () => state().navigation.go('events')});
	else state().messages.warn('The managed rulesets could not be read.');
}

/** True if all managed rulesets could be read and none has the rule. */
const isRuleMissing = (catalogue: readonly ManagedContents[], id: string): boolean =>
	catalogue.every(({rules}) => rules?.every(one => one.id !== id) === true);

/** Starts an exception for the rule, host and path under the cursor, or else a bypass. Sends nothing. */
export async function startException(app: App, events: EventsState, subject: EventSubject): Promise<void> {
	const {state} = app;
	const {rule, host, path} = subject;
	if (!rule) return;
	if (getRuleKind(rule.source) === 'previous') return startBypass(app, events, subject);
	const initialProposal = proposeEventException({...rule, host, path}, events.knownRules);
	if ('refused' in initialProposal && !initialProposal.needsCatalogue)
		return state().messages.warn(initialProposal.refused);
	if (!(await openManagedRules(app, events.zone))) return;
	const blockedReason = getManagedBlockedReason(state());
	if (blockedReason !== undefined) return state().messages.warn(`Can't add an exception: ${blockedReason}`);
	const proposal = proposeEventException(
		{...rule, host, path},
		{...events.knownRules, managed: state().managed.data?.activeRules?.catalogue},
	);
	if ('refused' in proposal) return state().messages.warn(proposal.refused);
	state().dialog.leadBackTo(() => state().navigation.go('events'));
	proposeException(app, proposal.exception);
}

/** Starts an emergency block of the address under the cursor. Sends nothing. */
export function blockAddress(app: App, {zone}: EventsState, address: string): void {
	const expression = buildAddressExpression(address);
	if (expression === undefined) app.state().messages.warn('The event does not contain a single IP address.');
	else openZoneEmergency(app, zone, expression);
}

/** Returns the subject of the row under the cursor. */
export const getEventSubject = ({events: {data: events}}: StateWith<'events'>): EventSubject =>
	resolveEventSubject(events);
