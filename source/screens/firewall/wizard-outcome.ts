import {continuation} from '../../firewall/continuation.ts';
import {draftOf} from '../../store/wizard-draft.ts';
import {sentenceOf} from '../../store/wizard-slice.ts';
import type {Ending, Wizard} from '../../store/wizard-state.ts';

/** How it ended, in paragraphs of data as it is. */
export type Outcome = {
	readonly tone: 'good' | 'warning' | 'failed';
	readonly heading: string;
	readonly facts: readonly string[];
};

/** What is there now, why, and what was said about it. */
export function outcomeOf(wizard: Wizard, ending: Ending): Outcome {
	const heading = sentenceOf(ending);
	switch (ending.state) {
		case 'created': {
			const {rule, filter, afterDoubt} = ending;
			return {
				tone: 'good',
				heading,
				facts: [
					`rule    ${rule.id}   ${rule.action}${rule.paused ? ', paused' : ''}, ${rule.priority === null ? 'no priority' : `priority ${rule.priority}`}`,
					`filter  ${rule.filter.id}   ${filter === 'made' ? 'made for it' : 'was there, and is shared'}`,
					...('expression' in rule.filter ? [`        ${rule.filter.expression}`] : []),
					...(afterDoubt ? ['An answer was lost; it was found by reading what is there.'] : []),
				],
			};
		}
		case 'filter made':
			return {tone: 'good', heading, facts: [ending.filter.expression, 'No rule uses it yet.']};
		case 'changed':
		case 'filter deleted':
			return {tone: 'good', heading, facts: []};
		case 'duplicate':
			return {
				tone: 'warning',
				heading,
				facts: ['A zone has each expression only once; rules can share a filter.'],
			};
		case 'filter only': {
			const command = commandOf(wizard);
			return {
				tone: 'warning',
				heading,
				facts: [...saidBy(ending), ...(command === undefined ? [] : [`On with it later:`, command])],
			};
		}
		case 'unsure':
		case 'unsure of the change':
			return {tone: 'warning', heading, facts: saidBy(ending)};
		case 'changed meanwhile':
			return {tone: 'warning', heading, facts: ending.now ? inShort(ending.now) : []};
		case 'nothing': {
			const {why, left, next} = ending.failure.details;
			return {tone: 'failed', heading, facts: [why, left, next].filter(text => text !== undefined)};
		}
		default:
			return ending satisfies never;
	}
}

const saidBy = ({failure}: {failure: {message: string; details: {why?: string | undefined}}}): string[] =>
	[failure.message, failure.details.why].filter(text => text !== undefined);

function inShort(now: NonNullable<Extract<Ending, {state: 'changed meanwhile'}>['now']>): readonly string[] {
	if ('expression' in now) return ['It is now:', now.expression, now.description ?? ''];
	const {action, priority, paused, description} = now;
	return [
		`It is now: ${action}, ${priority === null ? 'no priority' : `priority ${priority}`}${paused ? ', paused' : ''}`,
		description ?? '',
	];
}

/** The command that goes on where the wizard stopped between its two calls. */
export function commandOf(wizard: Wizard): string | undefined {
	const {phase} = wizard;
	if (phase.name !== 'ended' || phase.ending.state !== 'filter only') return undefined;
	const draft = draftOf(wizard);
	return draft && continuation(wizard.zone, draft, phase.ending.filter.id);
}
