import {Failure} from '../../failure.ts';
import {rulePause} from '../../firewall/continuation.ts';
import {describeInForce} from '../../firewall/rules/earlier-rules.ts';
import {undoCommand} from '../../firewall/rules/emergency-undo.ts';
import {continueOn} from '../../firewall/rules/next-step.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import {expressionOf, isAtRest} from '../firewall/listed.ts';
import type {Place} from '../firewall/state.ts';
import {draftOf, type EmergencyState, type Ending, madeIn} from './state.ts';

/** What can be chosen once it was sent. */
export type Choice = {
	readonly does:
		| 'leave'
		| 'use the filter'
		| 'change the expression'
		| 'back to the request'
		| 'look again'
		| 'undo';
	readonly label: string;
};

const leave = (label = 'Leave'): Choice => ({does: 'leave', label});
const undo = (label: string): Choice => ({does: 'undo', label});
const expression: Choice = {does: 'change the expression', label: 'Back to the expression'};

/** The ways on from how it ended; the first one loses nothing. */
export function choicesOf({phase, editing}: EmergencyState): readonly Choice[] {
	if (phase.name !== 'ended') return [];
	const {ending} = phase;
	switch (ending.state) {
		case 'created':
			return [leave('Done'), ...(madeIn(ending) ? [undo('Undo it (u)')] : [])];
		case 'undone':
			return [leave('Done'), expression];
		case 'not undone':
			return [leave(), undo('Look at the current state, and undo it again (u)')];
		case 'undo unsure':
			return [{does: 'look again', label: 'Check again'}, undo('Undo it again (u)'), leave()];
		case 'filter left':
			if (ending.isFull)
				return [
					{does: 'back to the request', label: 'Back to the request, to block it otherwise'},
					leave('Leave it, and continue later with the command'),
				];
			return [
				{does: 'use the filter', label: 'Make the rule on that filter (rule wizard)'},
				leave('Leave it, and continue later with the command (y copies it)'),
			];
		case 'duplicate':
			return [
				{does: 'use the filter', label: 'Make the rule on that filter (rule wizard)'},
				expression,
				leave(),
			];
		case 'nothing': {
			const request: Choice = {does: 'back to the request', label: 'Back to the request'};
			return editing.refusal ? [expression, request, leave()] : [request, expression, leave()];
		}
		case 'unsure':
			return [
				{does: 'look again', label: 'Check again'},
				// Sent again, it is found where it exists by then, and no second one is made.
				{does: 'back to the request', label: 'Back to the request, to send it again'},
				leave(),
			];
		default:
			return ending satisfies never;
	}
}

/** The current state, in a sentence. */
export function sentenceOf(ending: Ending): string {
	switch (ending.state) {
		case 'created':
			return createdSentence(ending);
		case 'undone':
			return `Undone. ${ending.sentence}`;
		case 'not undone':
			return ending.isPartly
				? `No longer in force, but not all is undone: ${ending.failure.message}`
				: `Not undone: ${ending.failure.message}`;
		case 'undo unsure':
			return 'Whether it is undone is unknown.';
		case 'filter left':
			return `Not in force: the rule was not created. Its filter ${ending.filter.id} was.`;
		case 'duplicate':
			return `Not in force: nothing was created, filter ${ending.filterId} has this expression already.`;
		case 'nothing':
			return `Not in force: ${ending.failure.message}`;
		case 'unsure':
			return 'Whether it is in force is unknown.';
		default:
			return ending satisfies never;
	}
}

const ruleIn = (ending: Extract<Ending, {state: 'created'}>): string =>
	`${'custom' in ending ? 'custom rule' : 'rule'} ${formatRuleName(ending.rule)}`;

function createdSentence(ending: Extract<Ending, {state: 'created'}>): string {
	const inForce = findInForce(ending);
	if (!inForce) return `Not in force: ${ruleIn(ending)} exists, but is paused.`;
	return `${inForce.heading}${ending.already ? ' Nothing was created.' : ''}`;
}

/** Whether what was made is in force beside the rules before it; undefined if it is paused, or not made. */
export function findInForce(ending: Ending): ReturnType<typeof describeInForce> | undefined {
	switch (ending.state) {
		case 'created': {
			const {rule} = ending;
			const isPaused = 'custom' in ending ? ending.rule.enabled === false : isAtRest(ending.rule);
			if (isPaused) return undefined;
			const expression = ('filter' in rule ? expressionOf(rule) : rule.expression) ?? '';
			const block = {action: rule.action, expression};
			const heading = ending.already ? 'already' : 'created';
			return describeInForce(heading, ruleIn(ending), block, ending.earlier);
		}
		default:
			return undefined;
	}
}

/** The id of the filter that a rule can be made on. */
function filterLeft(ending: Ending): string | undefined {
	switch (ending.state) {
		case 'filter left':
			return ending.filter.id;
		case 'duplicate':
			return ending.filterId;
		default:
			return undefined;
	}
}

/** The command that goes on, or takes it back. */
export function commandAfter(emergency: EmergencyState): string | undefined {
	const {phase, zone} = emergency;
	if (phase.name !== 'ended') return undefined;
	const {ending} = phase;
	if (ending.state === 'filter left' && ending.isFull) return undefined;
	const filter = filterLeft(ending);
	if (filter !== undefined) {
		const draft = draftOf(emergency);
		return continueOn(zone, draft, {...draft.filter, id: filter});
	}
	const made = madeIn(ending);
	if (made) return undoCommand(zone, made);
	return ending.state === 'created' && !('custom' in ending) ? rulePause(zone, ending.rule.id) : undefined;
}

/** Why nothing was made, for the audit log: what is in force already was refused, too. */
export function unmade(
	done: Ending | {readonly state: 'gone'; readonly failure: Failure},
): Failure | undefined {
	if ('failure' in done) return done.failure;
	return done.state === 'created' && done.already
		? new Failure('already_exists', 'It is in force already.')
		: undefined;
}

/** Endings after which nothing has to be decided. */
export const doneStates: ReadonlySet<Ending['state']> = new Set<Ending['state']>(['created', 'undone']);

/** The lists of the zone that may show something else now. */
export function listsChangedBy(ending: Ending): 'firewall' | 'customRules' | undefined {
	switch (ending.state) {
		case 'nothing':
			// The zone turned out to have no room for it: the lists show that.
			return ending.failure.code === 'plan_lacks' || ending.failure.code === 'changed_meanwhile'
				? 'firewall'
				: undefined;
		case 'undone':
		case 'not undone':
		case 'undo unsure':
			return ending.made.form === 'firewall rule' ? 'firewall' : 'customRules';
		default:
			return 'custom' in ending ? 'customRules' : 'firewall';
	}
}

/** What the cursor of the lists goes to. */
export function listedIn(ending: Ending): Place | undefined {
	const id = ending.state === 'created' ? ending.rule.id : undefined;
	return id === undefined ? undefined : {kind: 'rule', id};
}
