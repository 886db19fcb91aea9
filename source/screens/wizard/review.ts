import {named} from '../../firewall/rules/users.ts';
import {bypassesWaf, wafBypassWarning} from '../../firewall/rules/waf-bypass.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {counted} from '../../text/figures.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import type {AnyRuleKind} from '../stepped-form/rule-form.ts';
import {describeQuota} from '../stepped-form/words.ts';
import {draftOf, neighboursOf, sameFilter} from './draft.ts';
import {changedFilter} from './requests.ts';
import {expressionHere, isOfRule, priorityOf, type Wizard} from './state.ts';

/** Builds the text of the review, apart from findings and requests. */
export const describeReview = (wizard: Wizard): ReturnType<AnyRuleKind['review']> => ({
	summary: summary(wizard),
	changes: changes(wizard),
	warnings: warnings(wizard),
	concerns: concerns(wizard),
});

function warnings(wizard: Wizard): readonly string[] {
	const draft = draftOf(wizard);
	const same = sameFilter(wizard);
	return [
		...(wizard.migrated && isOfRule(wizard) && draft && bypassesWaf(draft)
			? [wafBypassWarning(draft, wizard.zone)]
			: []),
		...(same
			? [
					same.expression === expressionOf(wizard.editing)
						? `Filter ${same.id} has this expression already: the service will refuse a second one.`
						: `Filter ${same.id} matches the same requests, written differently.`,
				]
			: []),
	];
}

/** Summarizes the draft in a paragraph of raw text: `block, priority 5, in force: ssl`. */
function summary(wizard: Wizard): readonly string[] {
	const {about, purpose, filter} = wizard;
	const state = inForce(about.paused);
	const expression = expressionHere(wizard).replaceAll(/\s*\n\s*/g, ' ');
	if (!isOfRule(wizard)) return purpose.kind === 'change filter' ? [] : [`a filter, ${state}: ${expression}`];
	const does = [doesOf(wizard), inOrder(priorityNow(wizard)), state].join(', ');
	return [`${does}: ${expression || `filter ${filter?.id ?? ''}`}`];
}

/** Lists the changes, one line each with its name. Raw text. */
function changes(wizard: Wizard): readonly string[] {
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
					products(wizard.action === 'bypass' ? wizard.chosen : []),
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

const doesOf = ({action = 'no action', chosen}: Wizard): string =>
	action === 'bypass' ? `bypass of ${chosen.join(', ')}` : action;

/** Describes the affected rules, the place in the order, and the quota. */
function concerns(wizard: Wizard): readonly string[] {
	const {purpose, zone, rules} = wizard;
	switch (purpose.kind) {
		case 'change filter': {
			const {users} = purpose;
			return [
				users.length === 0
					? 'No rule uses this filter.'
					: `It changes ${users.length === 1 ? 'a rule' : counted(users.length, 'rule')}: ${named(users)}.`,
			];
		}
		case 'new filter':
			return [];
		default: {
			const {place: at, of} = neighboursOf(wizard);
			const quota = purpose.kind === 'new rule' && describeQuota(zone, rules.length + 1, 'rules');
			const place = [`It will be evaluated as number ${at} of ${of}.`, quota].filter(Boolean).join(' ');
			return isOfRule(wizard) ? [place] : [];
		}
	}
}
