import {sourceInWords} from '../../analytics/event-words.ts';
import {exceptionFor} from '../../events/exception.ts';
import {kindOfSource} from '../../events/rule-behind.ts';
import {addressExpression} from '../../firewall/rules/targets.ts';
import type {Has} from '../../store/ledge-store.ts';
import {rulesOf} from '../custom-rules/state.ts';
import {emergencyFor} from '../emergency/from-anywhere.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {browseManaged, notChangeable} from '../managed/actions.ts';
import {editRows} from '../managed-edit/edit-rows.ts';
import {proposeException} from '../managed-edit/exceptions.ts';
import {readRateLimits} from '../rate-limits/rate-limits.ts';
import type {App} from '../shell/app.ts';
import {screenOf} from '../shell/screen-name.ts';
import {readFirewall} from '../zones/actions.ts';
import {type EventsState, type Meant, meantIn} from './state.ts';

type MeantRule = NonNullable<Meant['rule']>;

/** Opens the rule of the row under the cursor, in the list that contains it. */
export function toRule(app: App, events: EventsState, {source, rule: id}: MeantRule): void {
	const {state} = app;
	const {zone} = events;
	const kind = kindOfSource(source);
	if (kind === 'previous' || kind === 'other' || id === undefined) {
		state().messages.warn(notListed(events, source));
		return;
	}
	switch (kind) {
		case 'custom':
			void toCustomRule(app, zone, id);
			break;
		case 'firewall':
			state().firewall.open(zone);
			state().firewall.point(id, zone.id);
			state().navigation.go('firewall');
			readFirewall(app);
			break;
		case 'managed':
			void toManagedRule(app, zone, id);
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
function notListed({zone}: EventsState, source: string): string {
	const kind = kindOfSource(source);
	if (kind === 'previous')
		return `A previous managed rule: M shows the migration of ${zone.name}, and what is overridden of them.`;
	return kind === 'other'
		? `Not a rule that ledge shows: it came from ${sourceInWords(source)}.`
		: 'The event does not name its rule.';
}

async function toCustomRule({state}: App, zone: OpenedZone, id: string): Promise<void> {
	state().customRules.open(zone);
	state().customRules.point(id, zone.id);
	state().navigation.go('customRules');
	const isRead = await state().work.run(`reading custom rules of ${zone.name}`, 'read', signal =>
		state().customRules.load(signal),
	);
	const customRules = state().customRules.data;
	if (isRead && customRules && !rulesOf(customRules).some(rule => rule.id === id))
		state().messages.warn(`${gone} ${id}.`);
}

const gone = 'The custom rule no longer exists:';

/** Opens the active managed rules. Returns true if they were read and are still in front. */
async function atManaged({state}: App, zone: OpenedZone): Promise<boolean> {
	state().managed.open(zone);
	state().navigation.go('managed');
	await state().managed.readInFront();
	const managed = state().managed.data;
	const dialog = state().dialog.current;
	if (screenOf(state()) !== 'managed' || managed?.zone.id !== zone.id || !managed.inForce || dialog)
		return false;
	state().managed.toStep('rules');
	return true;
}

async function toManagedRule(app: App, zone: OpenedZone, id: string): Promise<void> {
	const {state} = app;
	if (!(await atManaged(app, zone))) return;
	const managed = state().managed.data;
	const row = editRows(managed?.configuration ?? {name: '', rules: []}).findIndex(
		one => one.kind === 'rule' && one.rule.id === id,
	);
	if (managed && row >= 0) state().managed.move(row - managed.cursor);
	else if (managed?.inForce?.managed) browseManaged(app, id);
	else state().messages.warn('The managed rulesets could not be read.');
}

/** Starts an exception for the rule, host and path under the cursor. Sends nothing. */
export async function makeException(app: App, events: EventsState, {rule, host, path}: Meant): Promise<void> {
	const {state} = app;
	if (!rule) return;
	const first = exceptionFor({...rule, host, path}, events.rulesRead);
	if ('refused' in first && !first.needsCatalogue) return state().messages.warn(first.refused);
	if (!(await atManaged(app, events.zone))) return;
	const refused = notChangeable(state());
	if (refused !== undefined) return state().messages.warn(`No exception can be added: ${refused}`);
	const proposed = exceptionFor(
		{...rule, host, path},
		{...events.rulesRead, managed: state().managed.data?.inForce?.managed},
	);
	if ('refused' in proposed) return state().messages.warn(proposed.refused);
	proposeException(app, proposed.exception);
}

/** Starts an emergency block of the address under the cursor. Sends nothing. */
export function blockAddress(app: App, {zone}: EventsState, address: string): void {
	const expression = addressExpression(address);
	if (expression === undefined) app.state().messages.warn('What the event names is not one address.');
	else emergencyFor(app, zone, expression);
}

/** Returns the subject of the row under the cursor. */
export const meantHere = ({events: {data: events}}: Has<'events'>): Meant => meantIn(events);
