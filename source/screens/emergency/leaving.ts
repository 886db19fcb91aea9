import {listing} from '../../firewall/continuation.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {commandAfter, sentenceOf} from './endings.ts';
import {type EmergencyState, type Ending, madeIn} from './state.ts';

/** Whether leaving loses what was typed, or leaves a filter that has no rule. */
export function isLost(emergency: EmergencyState | undefined): boolean {
	switch (emergency?.phase.name) {
		case 'asking':
		case 'reading':
			return expressionOf(emergency.editing).trim() !== '';
		case 'ended':
			return leavesSomething.has(emergency.phase.ending.state);
		default:
			return false;
	}
}

/** Endings after which what was typed is still of use, or something is left. */
const leavesSomething: ReadonlySet<Ending['state']> = new Set<Ending['state']>([
	'filter left',
	'duplicate',
	'nothing',
	'unsure',
]);

/** How it has ended so far, also while that is looked at again. */
function endingOf({phase}: EmergencyState): Ending | undefined {
	if (phase.name === 'ended') return phase.ending;
	return phase.name === 'reading' && phase.after.name === 'ended' ? phase.after.ending : undefined;
}

/** What is left by leaving: for the question before it. */
export function leavingLines(emergency: EmergencyState): readonly string[] {
	if (emergency.phase.name === 'sending')
		return ['It is stopped, and the current state is read and reported.'];
	const ending = endingOf(emergency);
	if (!ending) return ['Nothing was sent, so nothing is in force.'];
	const command = commandAfter(emergency);
	return [
		sentenceOf(ending),
		...(ending.state === 'filter left' && ending.failure.next && command === undefined
			? [ending.failure.next]
			: []),
		...(command === undefined ? [] : [madeIn(ending) ? 'To undo:' : 'To continue:', command]),
		...(ending.state === 'unsure' || ending.state === 'undo unsure'
			? [`See: ${listing(emergency.zone, 'rule')}`]
			: []),
	];
}

/** What is said once it is left, the way on first. */
export function leftSentence(emergency: EmergencyState): string | undefined {
	const ending = endingOf(emergency);
	if (ending?.state === 'filter left')
		return `Filter without its rule: u on it creates the rule. ${commandAfter(emergency) ?? ending.failure.next}`;
	return ending && sentenceOf(ending);
}

/** What has to be said on the ordinary screen when ledge is gone; nothing where all was seen and nothing is left. */
export function lastWordsOf(emergency: EmergencyState | undefined, isUnseen: boolean): string | undefined {
	if (!emergency) return undefined;
	const look = `See: ${listing(emergency.zone, 'rule')}`;
	if (emergency.phase.name === 'sending')
		return `The emergency was still being sent: whether it is in force is unknown. ${look}`;
	const ending = endingOf(emergency);
	switch (ending?.state) {
		case 'filter left':
			return `${sentenceOf(ending)} To continue: ${commandAfter(emergency) ?? ending.failure.next}`;
		case 'unsure':
		case 'undo unsure':
			return `${sentenceOf(ending)} ${ending.failure.next ?? look}`;
		case 'not undone':
			return isUnseen ? `${sentenceOf(ending)} ${ending.failure.next ?? look}` : undefined;
		default:
			return ending && isUnseen ? sentenceOf(ending) : undefined;
	}
}
