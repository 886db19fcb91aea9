import {listing} from '../../firewall/continuation.ts';
import {emergencyCommand} from '../../firewall/rules/emergency-command.ts';
import {continueOn} from '../../firewall/rules/next-step.ts';
import {draftOf} from './draft.ts';
import {isUnused, sentenceOf} from './ending.ts';
import {expressionHere, isTouched, type Wizard} from './state.ts';

/** Whether leaving loses something that was typed or chosen, or leaves a filter that has no rule. */
export function isLost(wizard: Wizard | undefined): boolean {
	switch (wizard?.phase.name) {
		case 'asking':
			return wizard.left !== undefined || isTouched(wizard);
		case 'ended':
			return wizard.left !== undefined || isUnused(wizard.phase.ending);
		default:
			return false;
	}
}

/** How far it has come, while it is asked: nothing has been sent, or a filter is there already. */
export const sentSoFar = ({left}: Pick<Wizard, 'left'>): string =>
	left === undefined ? 'nothing has been sent' : `filter ${left} exists; the rule has not been sent`;

/** The shell command that makes the rule of the filter that has none; as a custom rule where rules are gone. */
export function commandFor(wizard: Wizard, filterId: string | undefined): string | undefined {
	const draft = draftOf(wizard);
	if (!draft || filterId === undefined) return undefined;
	return isRetired(wizard)
		? emergencyCommand(wizard.zone, draft, expressionHere(wizard) || wizard.editing.analysis.text)
		: continueOn(wizard.zone, draft, {id: filterId, expression: expressionHere(wizard) || undefined});
}

/** Whether the service answered that it no longer has firewall rules. */
export const isRetired = ({phase}: Pick<Wizard, 'phase'>): boolean =>
	phase.name === 'ended' && 'failure' in phase.ending && phase.ending.failure.code === 'gone';

/** What is left by leaving: for the question before it. */
export function leavingLines(wizard: Wizard): readonly string[] {
	const {left, phase} = wizard;
	const ending = phase.name === 'ended' ? phase.ending : undefined;
	const isKnown = ending?.state !== 'unsure' && ending?.state !== 'unsure of the change';
	const command = commandFor(wizard, left);
	return [
		left !== undefined
			? `Filter ${left} exists without its rule.`
			: ending
				? isKnown
					? 'Nothing was created.'
					: sentenceOf(ending)
				: 'Nothing was sent.',
		...(command === undefined ? [] : ['To continue:', command]),
	];
}

/** What is said once the wizard is left, the way on first. */
export function leftSentence(wizard: Wizard): string | undefined {
	const {left, phase} = wizard;
	if (left === undefined) return phase.name === 'ended' ? sentenceOf(phase.ending) : undefined;
	const command = commandFor(wizard, left) ?? left;
	return isRetired(wizard)
		? `Filter without a rule; ! still blocks. ${command}`
		: `Filter without a rule: u on it creates the rule. ${command}`;
}

/** What has to be said on the ordinary screen when ledge is gone; nothing where all was seen and nothing is left. */
export function lastWordsOf(wizard: Wizard | undefined, isUnseen: boolean): string | undefined {
	if (!wizard) return undefined;
	const {left, phase, zone} = wizard;
	const look = `See: ${listing(zone, 'rule')}`;
	if (phase.name === 'sending')
		return `It was still being sent: the outcome is unknown${left === undefined ? '' : `, but for filter ${left}`}. ${look}`;
	const ending = phase.name === 'ended' ? phase.ending : undefined;
	if (left !== undefined) {
		const command = commandFor(wizard, left);
		return `Filter ${left} exists without its rule.${command === undefined ? '' : ` To continue: ${command}`}`;
	}
	if (ending?.state === 'unsure' || ending?.state === 'unsure of the change')
		return `${sentenceOf(ending)} ${look}`;
	return ending && isUnseen ? sentenceOf(ending) : undefined;
}
