import type {Failure} from '../../failure.ts';
import {checkDraft, type Finding} from '../../firewall/rules/checks.ts';
import type {LookAgain} from '../../firewall/rules/creation.ts';
import {
	type EmergencyBefore,
	type EmergencyDraft,
	type EmergencySettled,
	emergencyRequest,
} from '../../firewall/rules/emergency.ts';
import {emergencyFindings} from '../../firewall/rules/emergency-check.ts';
import type {CustomRulePlan, EmergencyCustomRule} from '../../firewall/rules/emergency-custom-rule.ts';
import type {EmergencyForm} from '../../firewall/rules/emergency-limits.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {sameMeaning} from '../../firewall/rules/filters.ts';
import {expressionFor} from '../../firewall/rules/targets.ts';
import type {WritingRequest} from '../../firewall/rules/writing.ts';
import {editingOf, expressionOf} from '../expression-editor/editing.ts';
import {wasRead} from '../firewall/listed.ts';
import type {FirewallState, OpenedZone} from '../firewall/slice.ts';
import type {FormPhase, FormState} from '../stepped-form/state.ts';
import type {EmergencyAction} from '../wizard/words.ts';

export type Stage = 'expression' | 'action' | 'send';

/** How it is put in force: as the service has firewall rules, or as one custom rule where it no longer has them. */
type Way =
	| {readonly form: 'firewall rule'}
	/** Without a plan, the custom rules that exist were not read yet. `isChosen`: though there are firewall rules. */
	| {readonly form: 'custom rule'; readonly plan: CustomRulePlan | undefined; readonly isChosen?: boolean};

/** How it ended; each of them reports the current state. */
export type Ending =
	| Exclude<EmergencySettled, {state: 'unsure'}>
	| ({readonly custom: true} & Extract<EmergencyCustomRule, {state: 'created'}>)
	/** The answer was lost, and the state could not be read or may still change. */
	| {
			readonly state: 'unsure';
			readonly failure: Failure;
			readonly lookAgain: LookAgain<Ending>;
	  };

/** What is done at this moment. */
export type Doing = 'rule' | 'looking';

export type Phase =
	| FormPhase<Doing, Ending>
	| {
			readonly name: 'reading';
			readonly what: 'the custom rules' | 'the current state';
			readonly after: Phase;
	  };

/** A block that somebody is about to put in force. */
export type EmergencyState = FormState<Doing, Ending> & {
	readonly phase: Phase;
	readonly stage: Stage;
	readonly action: EmergencyAction;
	/** Whether it goes before the other rules, by a priority that is smaller than theirs. */
	readonly order: {readonly first: number} | 'as it comes';
	readonly way: Way;
	/** The address from which the person works on this machine, where that is known. */
	readonly own: string | undefined;
	/** The furthest that it was scrolled since what will be sent was last changed. */
	readonly seen: number;
};

export const beginning = (
	id: number,
	zone: OpenedZone,
	form: EmergencyForm,
	own?: string | undefined,
): EmergencyState => ({
	own,
	id,
	zone,
	stage: 'expression',
	editing: editingOf('', zone),
	action: 'block',
	order: 'as it comes',
	way: wayOf(form),
	shows: 'requests',
	top: 0,
	seen: 0,
	phase: {name: 'asking'},
});

export const wayOf = (form: EmergencyForm): Way =>
	form === 'custom rule' ? {form, plan: undefined} : {form};

/** Whether letters are text. */
export const isTyping = ({stage, phase}: EmergencyState): boolean =>
	phase.name === 'asking' && stage === 'expression';

/** The rule as it will be made. */
export const draftOf = ({editing, action, order, way}: EmergencyState): EmergencyDraft => ({
	action,
	...(order !== 'as it comes' && way.form === 'firewall rule' && {priority: order.first}),
	filter: {expression: expressionOf(editing)},
});

/** Exactly what will be sent; `undefined` while that depends on what has still to be read. */
export const requestOf = (emergency: EmergencyState): WritingRequest | undefined =>
	emergency.way.form === 'custom rule'
		? emergency.way.plan?.request
		: emergencyRequest(emergency.zone, draftOf(emergency));

/** The lists of its zone, if they were read. */
export const listsOf = (
	{zone}: EmergencyState,
	firewall: FirewallState | undefined,
): Pick<FirewallState, 'rules' | 'filters' | 'reading'> | undefined =>
	firewall?.zone.id === zone.id && wasRead(firewall) ? firewall : undefined;

/** What is known to have existed before it is sent. */
export function beforeIn(
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
): EmergencyBefore | undefined {
	const lists = listsOf(emergency, firewall);
	if (!lists || lists.reading === 'stale') return undefined;
	return {rules: lists.rules, filter: filterThere(emergency, firewall)};
}

/** What can be said against it before anything is sent. Nobody knows the quota of custom rules here. */
export function findingsIn(
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
): readonly Finding[] {
	const draft = draftOf(emergency);
	if (emergency.way.form === 'custom rule') return checkDraft(draft, emergency.zone);
	const rules = listsOf(emergency, firewall)?.rules;
	// While they are being read, nothing is known of them yet; what is sent counts them first.
	const isOpen = rules === undefined && firewall?.reading !== 'failed';
	return isOpen ? checkDraft(draft, emergency.zone) : emergencyFindings(draft, emergency.zone, rules);
}

/** Why it cannot be sent, and what to do instead. */
export function obstacleIn(
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
): string | undefined {
	const wrong = findingsIn(emergency, firewall).find(({severity}) => severity === 'error');
	if (!wrong) return undefined;
	const way =
		wrong.about === 'quota' ? 'u makes it a custom rule, which needs no room among them.' : undefined;
	return [wrong.sentence, wrong.failure.details.why, way].filter(Boolean).join(' ');
}

/** The expression for what is typed, where that is only names of what is to be blocked: `203.0.113.9`, `/wp-login.php`. */
export const meantIn = ({editing}: Pick<EmergencyState, 'editing'>): string | undefined =>
	expressionFor(expressionOf(editing));

/** A filter that has the expression already: the service refuses a second one. */
export function filterThere(
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
): Filter | undefined {
	const same = sameThere(emergency, firewall);
	return same?.expression === expressionOf(emergency.editing) ? same : undefined;
}

/** A filter that matches the same requests already, however it is written. */
export const sameThere = (
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
): Filter | undefined =>
	emergency.way.form === 'custom rule'
		? undefined
		: sameMeaning(listsOf(emergency, firewall)?.filters ?? [], expressionOf(emergency.editing));
