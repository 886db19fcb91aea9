import type {Failure} from '../../failure.ts';
import {checkDraft, type Finding} from '../../firewall/rules/checks.ts';
import type {LookAgain} from '../../firewall/rules/creation.ts';
import {emergencyRequest} from '../../firewall/rules/emergency.ts';
import {customRuleFindings, emergencyFindings} from '../../firewall/rules/emergency-check.ts';
import type {CustomRulePlan, EmergencyCustomRule} from '../../firewall/rules/emergency-custom-rule.ts';
import type {
	EmergencyBefore,
	EmergencyDraft,
	EmergencySettled,
} from '../../firewall/rules/emergency-draft.ts';
import type {EmergencyForm} from '../../firewall/rules/emergency-limits.ts';
import type {Made} from '../../firewall/rules/emergency-undo.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {sameMeaning} from '../../firewall/rules/filters.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {type Targets, targetsIn} from '../../firewall/rules/targets.ts';
import type {WritingRequest} from '../../firewall/rules/writing.ts';
import {editingOf, expressionOf} from '../expression-editor/editing.ts';
import type {FirewallState, OpenedZone} from '../firewall/state.ts';
import {wasRead} from '../shell/rereading.ts';
import type {WorkSubject} from '../shell/work-slice.ts';
import type {FormPhase, FormState} from '../stepped-form/state.ts';
import type {EmergencyAction} from '../stepped-form/words.ts';

export type Stage = 'expression' | 'action' | 'send';

/** How it is put in force: as the service has firewall rules, or as one custom rule where it no longer has them. */
type Way =
	| {readonly form: 'firewall rule'}
	/** Without a plan, the custom rules that exist were not read yet. `isChosen`: though there are firewall rules. */
	| {
			readonly form: 'custom rule';
			readonly plan: CustomRulePlan | undefined;
			readonly isChosen?: boolean;
	  };

/** How it ended; each of them reports the current state. */
export type Ending =
	| Exclude<EmergencySettled, {state: 'unsure'}>
	| ({readonly custom: true} & Extract<EmergencyCustomRule, {state: 'created'}>)
	/** What was made was undone. */
	| {readonly state: 'undone'; readonly made: Made; readonly sentence: string}
	/** It is in force still, or `isPartly` undone. */
	| {
			readonly state: 'not undone';
			readonly made: Made;
			readonly isPartly: boolean;
			readonly failure: Failure;
	  }
	/** The answer to the undoing was lost, and the state could not be read or may still change. */
	| {
			readonly state: 'undo unsure';
			readonly made: Made;
			readonly failure: Failure;
			readonly lookAgain: LookAgain<Ending>;
	  }
	/** The answer was lost, and the state could not be read or may still change. */
	| {
			readonly state: 'unsure';
			readonly failure: Failure;
			readonly lookAgain: LookAgain<Ending>;
	  };

/** What is done at this moment. */
export type Doing = 'rule' | 'undo' | 'looking';

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

/** What work on a rule of this form changes, where other screens wait for its end. */
export const subjectOf = (form: EmergencyForm): WorkSubject | undefined =>
	form === 'custom rule' ? {kind: 'custom rules'} : undefined;

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

/** Exactly what will be sent, in order; `undefined` while that depends on what has still to be read. */
export function requestsOf(emergency: EmergencyState): readonly WritingRequest[] | undefined {
	const {way, zone} = emergency;
	if (way.form === 'custom rule') return way.plan && [way.plan.request];
	return [emergencyRequest(zone, draftOf(emergency))];
}

/** What was made, as far as it can be undone: not what existed before. */
export function madeIn(ending: Ending): Made | undefined {
	switch (ending.state) {
		case 'created': {
			if (ending.already) return undefined;
			if ('custom' in ending)
				return ending.rule.id === undefined ? undefined : {form: 'custom rule', rule: ending.rule};
			return {form: 'firewall rule', rule: ending.rule};
		}
		case 'not undone':
		case 'undo unsure':
			return ending.made;
		default:
			return undefined;
	}
}

/** The rules that it goes before, or among which it is. */
export const rulesIn = (
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
): readonly Rule[] | undefined => listsOf(emergency, firewall)?.rules;

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

/** What can be said against it before anything is sent. */
export function findingsIn(
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
): readonly Finding[] {
	const draft = draftOf(emergency);
	const {way, zone} = emergency;
	if (way.form === 'custom rule')
		return [...checkDraft(draft, zone), ...(way.plan ? customRuleFindings(draft, zone, way.plan) : [])];
	const rules = rulesIn(emergency, firewall);
	// While they are being read, nothing is known of them yet; what is sent counts them first. Retired rules need no count.
	const isOpen = rules === undefined && (firewall?.reading !== 'failed' || firewall.failure?.code === 'gone');
	return isOpen ? checkDraft(draft, emergency.zone) : emergencyFindings(draft, emergency.zone, rules);
}

/** Why it cannot be sent, and what to do instead. */
export function obstacleIn(
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
): string | undefined {
	const wrong = findingsIn(emergency, firewall).find(({severity}) => severity === 'error');
	if (!wrong) return undefined;
	return [wrong.sentence, wrong.failure.details.why, wrong.about === 'quota' && waysSentence(emergency)]
		.filter(Boolean)
		.join(' ');
}

/** What makes room in a full zone. */
export const waysSentence = ({way}: EmergencyState): string =>
	way.form === 'custom rule'
		? 'Delete a custom rule first.'
		: 'u makes it a custom rule, which needs no room among them; or delete a rule first.';

/** What is typed, if that is only names of what is to be blocked: `203.0.113.9`, `/wp-login.php`. */
export const findTargets = ({
	editing,
}: Pick<EmergencyState, 'editing'>): Exclude<Targets, {kind: 'unknown'}> | undefined =>
	targetsIn(expressionOf(editing));

/** What enter does with these names. */
export function describeTargets(emergency: Pick<EmergencyState, 'editing'>): string | undefined {
	const targets = findTargets(emergency);
	if (targets?.kind === 'both')
		return 'enter asks whether both the address and the path must match, or either';
	return targets && `enter reads it as: ${targets.expression}`;
}

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
