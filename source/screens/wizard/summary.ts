import {textOf} from '../../text/buffer/buffer.ts';
import {changedFilter} from './requests.ts';
import {expressionHere, isOfRule, priorityOf, type Wizard} from './state.ts';

/** What it will do, in a paragraph of data as it is: `block, priority 5, in force: ssl`. */
export function summary(wizard: Wizard): readonly string[] {
	const {about, purpose, filter} = wizard;
	const state = inForce(about.paused);
	const expression = expressionHere(wizard).replaceAll(/\s*\n\s*/g, ' ');
	if (!isOfRule(wizard)) return purpose.kind === 'change filter' ? [] : [`a filter, ${state}: ${expression}`];
	const does = [doesOf(wizard), inOrder(priorityNow(wizard)), state].join(', ');
	return [`${does}: ${expression || `filter ${filter?.id ?? ''}`}`];
}

/** What a change changes, each in a line with its name. Data as it is. */
export function changes(wizard: Wizard): readonly string[] {
	const {purpose, about} = wizard;
	const line = (name: string, before: string, after: string) =>
		before === after ? [] : [`${name.padEnd(13)}from ${before} to ${after}`];
	const said = (text: string | undefined) => (text ? `"${text}"` : 'none');
	switch (purpose.kind) {
		case 'change rule': {
			const {rule} = purpose;
			const products = (names: readonly string[]) => names.toSorted().join(', ') || 'none';
			return [
				...line('action', rule.action, wizard.action ?? rule.action),
				...line(
					'products',
					products(rule.action === 'bypass' ? (rule.products ?? []) : []),
					products(wizard.action === 'bypass' ? wizard.products : []),
				),
				...line('priority', String(rule.priority ?? 'none'), String(priorityNow(wizard) ?? 'none')),
				...line('state', inForce(rule.paused), inForce(about.paused)),
				...line('description', said(rule.description), said(textOf(about.description))),
			];
		}
		case 'change filter': {
			const {filter} = purpose;
			const wanted = changedFilter(wizard, filter);
			return [
				...(wanted.expression === filter.expression
					? []
					: [`now          ${filter.expression}`, `then         ${wanted.expression}`]),
				...line('state', inForce(filter.paused), inForce(wanted.paused)),
				...line('description', said(filter.description), said(wanted.description)),
			];
		}
		default:
			return [];
	}
}

const inForce = (paused: boolean | undefined): string => (paused ? 'paused' : 'in force');

const inOrder = (priority: number | null): string =>
	priority === null ? 'no priority' : `priority ${priority}`;

function priorityNow(wizard: Wizard): number | null {
	const priority = priorityOf(wizard);
	return typeof priority === 'number' ? priority : null;
}

const doesOf = ({action = 'no action', products}: Wizard): string =>
	action === 'bypass' ? `bypass of ${products.join(', ')}` : action;
