import type {Failure} from '../../failure.ts';
import {usersOf} from '../../firewall/rules/users.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {counted} from '../../text/figures.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import type {Outcome} from '../stepped-form/state.ts';
import {sentenceOf} from './ending.ts';
import {commandFor, isRetired} from './leaving.ts';
import type {Ending, Wizard} from './state.ts';

/** The current state, why, and what the service said. */
export function outcomeOf(wizard: Wizard, ending: Ending): Outcome {
	const heading = sentenceOf(ending);
	switch (ending.state) {
		case 'created': {
			const {rule, afterDoubt} = ending;
			return {
				tone: 'good',
				heading,
				facts: [
					`rule    ${rule.id}   ${rule.action}${rule.paused ? ', paused' : ''}, ${rule.priority === null ? 'no priority' : `priority ${rule.priority}`}`,
					`filter  ${rule.filter.id}   ${originOf(wizard, ending)}`,
					...('expression' in rule.filter ? [`        ${rule.filter.expression}`] : []),
					...(wizard.left === undefined ? [] : [`Filter ${wizard.left}, made before, has no rule.`]),
					...(afterDoubt ? ['An answer was lost; reading the current state found it.'] : []),
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
			const {message, details} = ending.failure;
			return {
				tone: 'warning',
				heading,
				facts: [
					...(command === undefined
						? []
						: [isRetired(wizard) ? 'As a custom rule:' : 'To continue later:', command]),
					...[message, details.why].filter(text => text !== undefined),
				],
			};
		}
		case 'unsure':
		case 'unsure of the change':
			return {tone: 'warning', heading, facts: allOf(ending.failure, [ending.failure.message])};
		case 'changed meanwhile':
			return {tone: 'warning', heading, facts: beside(wizard, ending.now)};
		case 'nothing':
			return {tone: 'failed', heading, facts: allOf(ending.failure)};
		default:
			return ending satisfies never;
	}
}

/** What is left and what to do come before the reason, which may be long. */
const allOf = ({next, details: {why, left}}: Failure, before: readonly string[] = []): readonly string[] =>
	[...before, left, next, why].filter(text => text !== undefined);

/** Where the filter of a rule comes from, and what else uses it. */
function originOf({own, rules}: Wizard, {rule, filter}: Extract<Ending, {state: 'created'}>): string {
	if (filter === 'made') return 'made for it';
	if (filter === 'found') return 'found after a lost answer';
	if (own?.id === rule.filter.id) return 'made for it, before';
	const others = usersOf(rule.filter.id, rules).filter(({id}) => id !== rule.id).length;
	if (others === 0) return 'was there, unused';
	return `was there, shared with ${counted(others, 'rule')}`;
}

type There = Extract<Ending, {state: 'changed meanwhile'}>['now'];

/** The current version, beside what was typed. */
function beside({purpose, editing, about, action}: Wizard, now: There): readonly string[] {
	if (!now) return [];
	const description = textOf(about.description);
	if ('expression' in now)
		return [
			...inColumns(['theirs', now.expression], ['mine', expressionOf(editing)]),
			...((now.description ?? '') === description
				? []
				: inColumns(['theirs', now.description ?? ''], ['mine', description])),
		];
	const typed = textOf(about.priority).trim();
	const theirs = inShort(now.action, now.priority === null ? '' : String(now.priority), now.paused);
	const filter = purpose.kind === 'change rule' && purpose.rule.filter.id !== now.filter.id;
	return [
		...inColumns(
			['theirs', [theirs, now.description].filter(Boolean).join('   ')],
			['mine', [inShort(action ?? '', typed, about.paused), description].filter(Boolean).join('   ')],
		),
		...(filter ? [`It refers to another filter now: ${now.filter.id}.`] : []),
	];
}

const inColumns = (...rows: readonly (readonly [string, string])[]): readonly string[] =>
	rows.map(([name, text]) => `${name.padEnd(7)} ${text}`);

const inShort = (action: string, priority: string, paused: boolean): string =>
	`${action}, ${priority === '' ? 'no priority' : `priority ${priority}`}${paused ? ', paused' : ''}`;

/** The command to continue where the wizard stopped between its two calls. */
export function commandOf(wizard: Wizard): string | undefined {
	const {phase} = wizard;
	return phase.name === 'ended' && phase.ending.state === 'filter only'
		? commandFor(wizard, phase.ending.filter.id)
		: undefined;
}
