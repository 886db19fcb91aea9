import {findQuotaError} from '../../firewall/rules/checks.ts';
import {formatRuleNames} from '../../firewall/rules/users.ts';
import {bypassesWaf, formatWafBypassWarning} from '../../firewall/rules/waf-bypass.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {formatQuantity} from '../../text/figures.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import {describeQuota} from '../stepped-form/descriptions.ts';
import {describeMakingRoom} from '../stepped-form/full-zone.ts';
import type {AnyRuleKind} from '../stepped-form/rule-form.ts';
import {buildRuleDraft, findDuplicateFilter, findRuleNeighbours, listWizardFindings} from './draft.ts';
import {withFilterChange} from './requests.ts';
import {getWizardExpression, isForRule, parseWizardPriority, type Wizard} from './state.ts';

/** Builds the text of the review, apart from findings and requests. */
export const describeWizardReview = (wizard: Wizard): ReturnType<AnyRuleKind['describeReview']> => ({
	summary: summarizeDraft(wizard),
	changes: listWizardChanges(wizard),
	warnings: listWarnings(wizard),
	concerns: listConcerns(wizard),
});

function listWarnings(wizard: Wizard): readonly string[] {
	const draft = buildRuleDraft(wizard);
	const duplicate = findDuplicateFilter(wizard);
	return [
		...(findWizardQuotaError(wizard)
			? [
					describeMakingRoom(
						wizard.rules,
						`${nameKey('go.custom-rules', '3')}, then ${nameKey('custom.new', 'a')} creates a custom rule`,
					),
				]
			: []),
		...(wizard.migrated && isForRule(wizard) && draft && bypassesWaf(draft)
			? [formatWafBypassWarning(draft, wizard.zone)]
			: []),
		...(duplicate
			? [
					duplicate.expression === getTypedExpression(wizard.editing)
						? `Filter ${duplicate.id} already has this expression: the service will reject a second one.`
						: `Filter ${duplicate.id} matches the same requests, but is written differently.`,
				]
			: []),
	];
}

/** Summarizes the draft in a paragraph of raw text: `block, priority 5, active: ssl`. */
function summarizeDraft(wizard: Wizard): readonly string[] {
	const {aboutFields, purpose, filter} = wizard;
	const state = formatState(aboutFields.paused);
	const expression = getWizardExpression(wizard).replaceAll(/\s*\n\s*/g, ' ');
	if (!isForRule(wizard))
		return purpose.kind === 'change filter' ? [] : [`a filter, ${state}: ${expression}`];
	const effect = [formatAction(wizard), formatPriority(getPriority(wizard)), state].join(', ');
	return [`${effect}: ${expression || `filter ${filter?.id ?? ''}`}`];
}

/** Lists the changes, one line each with its name. Raw text. */
function listWizardChanges(wizard: Wizard): readonly string[] {
	const {purpose, aboutFields} = wizard;
	const formatChange = (name: string, before: string, after: string) =>
		before === after ? [] : [`${name.padEnd(13)}from ${before} to ${after}`];
	const quoteText = (text: string | undefined) => (text ? `"${text}"` : 'none');
	switch (purpose.kind) {
		case 'change rule': {
			const {rule} = purpose;
			const formatProducts = (names: readonly string[]) => names.toSorted().join(', ') || 'none';
			return [
				...formatChange('action', rule.action, wizard.action ?? rule.action),
				...formatChange(
					'products',
					formatProducts(rule.action === 'bypass' ? (rule.products ?? []) : []),
					formatProducts(wizard.action === 'bypass' ? wizard.chosenNames : []),
				),
				...formatChange('priority', String(rule.priority ?? 'none'), String(getPriority(wizard) ?? 'none')),
				...formatChange('state', formatState(rule.paused), formatState(aboutFields.paused)),
				...formatChange(
					'description',
					quoteText(rule.description),
					quoteText(getBufferText(aboutFields.description)),
				),
			];
		}
		case 'change filter': {
			const {filter} = purpose;
			const newFilter = withFilterChange(wizard, filter);
			return [
				...(newFilter.expression === filter.expression
					? []
					: [`before       ${filter.expression}`, `after        ${newFilter.expression}`]),
				...formatChange('state', formatState(filter.paused), formatState(newFilter.paused)),
				...formatChange('description', quoteText(filter.description), quoteText(newFilter.description)),
			];
		}
		default:
			return [];
	}
}

/** Finds that the zone has no room for the new rule. */
const findWizardQuotaError = (wizard: Wizard) => findQuotaError(listWizardFindings(wizard));

const formatState = (paused: boolean | undefined): string => (paused ? 'paused' : 'active');

const formatPriority = (priority: number | null): string =>
	priority === null ? 'no priority' : `priority ${priority}`;

function getPriority(wizard: Wizard): number | null {
	const priority = parseWizardPriority(wizard);
	return typeof priority === 'number' ? priority : null;
}

const formatAction = ({action = 'no action', chosenNames}: Wizard): string =>
	action === 'bypass' ? `bypass of ${chosenNames.join(', ')}` : action;

/** Describes the affected rules, the position, and the quota. */
function listConcerns(wizard: Wizard): readonly string[] {
	const {purpose, zone, rules} = wizard;
	switch (purpose.kind) {
		case 'change filter': {
			const {rulesOnFilter} = purpose;
			return [
				rulesOnFilter.length === 0
					? 'No rule uses this filter.'
					: `It changes ${rulesOnFilter.length === 1 ? 'a rule' : formatQuantity(rulesOnFilter.length, 'rule')}: ${formatRuleNames(rulesOnFilter)}.`,
			];
		}
		case 'new filter':
			return [];
		default: {
			// It can't run, at any position.
			if (findWizardQuotaError(wizard)) return [];
			const {position, count} = findRuleNeighbours(wizard);
			const quota = purpose.kind === 'new rule' && describeQuota(zone, rules.length + 1, 'rules');
			const positionSentence = [`It will run at position ${position} of ${count}.`, quota]
				.filter(Boolean)
				.join(' ');
			return isForRule(wizard) ? [positionSentence] : [];
		}
	}
}
