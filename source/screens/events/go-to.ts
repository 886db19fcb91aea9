import {formatEventSource} from '../../analytics/event-words.ts';
import {getRuleKind} from '../../events/event-rule.ts';
import {proposeEventException} from '../../events/exception.ts';
import {buildAddressExpression} from '../../firewall/rules/targets.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {getCustomRules} from '../custom-rules/state.ts';
import {openZoneEmergency} from '../emergency/entry-actions.ts';
import {browseManaged, getManagedBlockedReason} from '../managed/actions.ts';
import {buildEditRows} from '../managed-edit/edit-rows.ts';
import {proposeException} from '../managed-edit/exceptions.ts';
import {readRateLimits} from '../rate-limits/rate-limits.ts';
import type {App} from '../shell/app.ts';
import {getCurrentScreen} from '../shell/screen-name.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {readFirewall} from '../zones/actions.ts';
import {type EventSubject, type EventsState, resolveEventSubject} from './state.ts';

type SubjectRule = NonNullable<EventSubject['rule']>;

/** Opens the rule of the row under the cursor, in the list that contains it. */
export function goToRule(app: App, events: EventsState, {source, ruleId: id}: SubjectRule): void {
	const {state} = app;
	const {zone} = events;
	const kind = getRuleKind(source);
	if (kind === 'previous' || kind === 'other' || id === undefined) {
		state().messages.warn(describeUnlistedRule(events, source));
		return;
	}
	switch (kind) {
		case 'custom':
			void goToCustomRule(app, zone, id);
			break;
		case 'firewall':
			state().firewall.open(zone);
			state().firewall.focusRow(id, zone.id);
			state().navigation.go('firewall');
			readFirewall(app);
			break;
		case 'managed':
			void goToManagedRule(app, zone, id);
			break;
		case 'rate limit':
			state().rateLimits.open(zone);
			state().rateLimits.filter(id);
			state().navigation.go('rateLimits');
			readRateLimits(app);
			break;
		default:
			kind satisfies never;
	}
}

/** Explains why no list has the rule, and where to find it. */
function describeUnlistedRule({zone}: EventsState, source: string): string {
	const kind = getRuleKind(source);
	if (kind === 'previous')
		return `This rule belongs to the previous managed rules. Press 5 for the migration of ${zone.name}, including the overrides of these rules.`;
	return kind === 'other'
		? `ledge can't show this rule: the event came from ${formatEventSource(source)}.`
		: 'The event does not name its rule.';
}

async function goToCustomRule({state}: App, zone: ZoneWithLabel, id: string): Promise<void> {
	state().customRules.open(zone);
	state().customRules.focusRow(id, zone.id);
	state().navigation.go('customRules');
	const isRead = await state().work.run(`reading custom rules of ${zone.name}`, 'read', signal =>
		state().customRules.load(signal),
	);
	const customRules = state().customRules.data;
	if (isRead && customRules && !getCustomRules(customRules).some(rule => rule.id === id))
		state().messages.warn(`${missingRuleText} ${id}.`);
}

const missingRuleText = 'The custom rule no longer exists:';

/** Opens the active managed rules. Returns true if they were read and are still in front. */
async function openManagedRules({state}: App, zone: ZoneWithLabel): Promise<boolean> {
	state().managed.open(zone);
	state().navigation.go('managed');
	await state().managed.readAndOfferDraft();
	const managed = state().managed.data;
	const dialog = state().dialog.current;
	if (
		getCurrentScreen(state()) !== 'managed' ||
		managed?.zone.id !== zone.id ||
		!managed.activeRules ||
		dialog
	)
		return false;
	state().managed.toStep('rules');
	return true;
}

async function goToManagedRule(app: App, zone: ZoneWithLabel, id: string): Promise<void> {
	const {state} = app;
	if (!(await openManagedRules(app, zone))) return;
	const managed = state().managed.data;
	const row = buildEditRows(managed?.configuration ?? {name: '', rules: []}).findIndex(
		one => one.kind === 'rule' && one.rule.id === id,
	);
	if (managed && row >= 0) state().managed.move(row - managed.cursor);
	else if (managed?.activeRules?.catalogue) browseManaged(app, id);
	else state().messages.warn('The managed rulesets could not be read.');
}

/** Starts an exception for the rule, host and path under the cursor. Sends nothing. */
export async function startException(
	app: App,
	events: EventsState,
	{rule, host, path}: EventSubject,
): Promise<void> {
	const {state} = app;
	if (!rule) return;
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
