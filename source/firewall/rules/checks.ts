import {Failure, type FailureDetails} from '../../failure.ts';
import {isPlanAtLeast, type Plan, planNames, plans} from '../../service/plan.ts';
import {analyse, type Phase, type Problem} from '../expression/expressions.ts';
import {maxDescriptionCharacters, maxRefCharacters, maxRulesByPlan} from '../limits.ts';
import {bypassableProducts, type FirewallZone, type Rule, type RuleDraft, ruleActionNames} from './rule.ts';

/** A problem of a draft: an `error` would be refused by the service, a `warning` is unusual. */
export type Finding = {
	readonly severity: 'error' | 'warning';
	readonly about:
		| 'expression'
		| 'action'
		| 'products'
		| 'priority'
		| 'description'
		| 'ref'
		| 'quota'
		| 'response';
	readonly sentence: string;
	/** The failure of a command that stops at this finding. */
	readonly failure: Failure;
};

type About = Finding['about'];

/** Zone of a draft; `allowUnknown` accepts fields that ledge does not know. */
export type DraftZone = Pick<FirewallZone, 'plan'> & {readonly allowUnknown?: boolean | undefined};

/**
 * Checks a draft without calling the service: expression, action, products, lengths, and the plan's quota. If
 * the plan is unknown, limits of some plans are warnings.
 */
export function checkDraft(
	draft: RuleDraft,
	zone: DraftZone,
	existing?: {readonly rules: readonly Rule[]},
): readonly Finding[] {
	const {filter} = draft;
	return [
		...('id' in filter ? [] : checkExpression(filter.expression, zone, passingActions.has(draft.action))),
		...checkAction(draft, zone.plan),
		...checkProducts(draft, zone.plan),
		...checkPriority(draft.priority),
		...('id' in filter ? [] : checkTexts(filter, 'filter')),
		...checkTexts(draft, 'rule'),
		...(existing ? checkQuota(existing.rules.length, zone.plan) : []),
	];
}

const passingActions: ReadonlySet<string> = new Set(['allow', 'bypass']);

/** Checks an expression for a zone; analysis.ts returns the same problems with more positions. */
export function checkExpression(
	expression: string,
	{plan, allowUnknown}: DraftZone,
	letsThrough: boolean,
	phase?: Phase,
): readonly Finding[] {
	const {errors, warnings} = analyse(expression, {plan, letsThrough, allowUnknown, phase});
	const anywhere =
		errors.length > 0 && plan !== undefined ? analyse(expression, {allowUnknown, phase}).errors : errors;
	const isPlanProblem = (problem: Problem) => !anywhere.some(one => isSameProblem(one, problem));
	const formatPlace = ({line, column}: Problem) =>
		`It is at line ${line}, column ${column} of the expression.`;
	return [
		...errors.flatMap(one =>
			buildFindings('expression', isPlanProblem(one) ? 'plan_lacks' : 'expression_invalid', one.sentence, {
				why: formatPlace(one),
				next: one.correction && `Write there: ${one.correction.text}`,
			}),
		),
		...warnings.flatMap(one =>
			buildFindings('expression', 'expression_invalid', one.sentence, {why: formatPlace(one)}, 'warning'),
		),
	];
}

const isSameProblem = (one: Problem, other: Problem): boolean =>
	one.span.start === other.span.start && one.span.end === other.span.end && one.sentence === other.sentence;

function checkAction({action}: RuleDraft, plan: Plan | undefined): readonly Finding[] {
	if (!(ruleActionNames as readonly string[]).includes(action))
		return buildFindings('action', 'usage', `There is no action "${action}".`, {
			next: `There are: ${ruleActionNames.join(', ')}.`,
		});
	return action === 'log' ? checkPlanFeature('action', 'The action log', 'enterprise', plan) : [];
}

function checkProducts(
	{action, products: draftProducts = []}: RuleDraft,
	plan: Plan | undefined,
): readonly Finding[] {
	if (action !== 'bypass') {
		if (draftProducts.length === 0) return [];
		return buildFindings('products', 'usage', 'Products are for the action bypass only.', {
			why: `The action is ${action}.`,
			next: 'Leave the products out, or take the action bypass.',
		});
	}
	if (draftProducts.length === 0)
		return buildFindings(
			'products',
			'usage',
			'The action bypass needs to know which products it goes around.',
			{
				next: `Name one or more of: ${bypassableProducts.join(', ')}.`,
			},
		);
	return draftProducts.flatMap(product => {
		if (!bypassableProducts.includes(product))
			return buildFindings('products', 'usage', `There is no product "${product}" to bypass.`, {
				next: `There are: ${bypassableProducts.join(', ')}.`,
			});
		const paid = product === 'zoneLockdown' || product === 'waf';
		return paid ? checkPlanFeature('products', `Bypassing ${product}`, 'pro', plan) : [];
	});
}

/** The highest priority that fits the service's integers. */
const highestPriority = 2 ** 31 - 1;

function checkPriority(priority: number | null | undefined): readonly Finding[] {
	if (priority === undefined || priority === null) return [];
	if (Number.isInteger(priority) && priority >= 0 && priority <= highestPriority) return [];
	const sentence = `A priority is a whole number from 0 to ${highestPriority}, or none; ${priority} is not.`;
	return buildFindings('priority', 'usage', sentence);
}

export function checkTexts(
	{description = '', ref = ''}: Pick<RuleDraft, 'description' | 'ref'>,
	kind: 'filter' | 'rule',
): readonly Finding[] {
	return [
		...checkLength('description', `The description of the ${kind}`, description, maxDescriptionCharacters),
		...checkLength('ref', `The reference of the ${kind}`, ref, maxRefCharacters),
	];
}

function checkLength(about: About, name: string, text: string, maxCharacters: number): readonly Finding[] {
	const characters = [...text].length;
	if (characters <= maxCharacters) return [];
	return buildFindings(about, 'limit', `${name} is too long.`, {
		why: `It may have ${maxCharacters} characters; this one has ${characters}.`,
	});
}

export function checkQuota(
	existingCount: number,
	plan: Plan | undefined,
	ruleNoun: 'firewall rule' | 'custom rule' = 'firewall rule',
): readonly Finding[] {
	const smallestPlan = plans.find(one => maxRulesByPlan[one] > existingCount);
	const next = 'Delete a rule that is no longer needed, or raise the plan of the zone.';
	const buildFullFindings = (why: string) =>
		buildFindings('quota', 'plan_lacks', `The zone cannot have one more ${ruleNoun}.`, {why, next});
	if (smallestPlan === undefined)
		return buildFullFindings(
			`It has ${existingCount}, and no plan has more than ${maxRulesByPlan.enterprise}.`,
		);
	if (plan === undefined) {
		if (smallestPlan === 'free') return [];
		const why = `The zone has ${existingCount} rules; its plan is not known.`;
		const sentence = `One more ${ruleNoun} needs the plan ${planNames[smallestPlan]}.`;
		return buildFindings('quota', 'plan_lacks', sentence, {why, next}, 'warning');
	}
	if (maxRulesByPlan[plan] > existingCount) return [];
	return buildFullFindings(
		`The plan ${planNames[plan]} has ${maxRulesByPlan[plan]} rules, paused ones too; the zone has ${existingCount}.`,
	);
}

/** Returns an error if the plan is below `minPlan`, and a warning if the plan is unknown. */
export function checkPlanFeature(
	about: About,
	feature: string,
	minPlan: Plan,
	plan: Plan | undefined,
): readonly Finding[] {
	if (plan !== undefined && isPlanAtLeast(plan, minPlan)) return [];
	const planSuffix = minPlan === 'enterprise' ? '' : ' and above';
	const why =
		plan === undefined ? 'The plan of the zone is not known.' : `The zone has the plan ${planNames[plan]}.`;
	return buildFindings(
		about,
		'plan_lacks',
		`${feature} is for the plan ${planNames[minPlan]}${planSuffix} only.`,
		{why, next: 'Take another one, or raise the plan of the zone.'},
		plan === undefined ? 'warning' : 'error',
	);
}

export const buildFindings = (
	about: About,
	code: Failure['code'],
	sentence: string,
	details: FailureDetails = {},
	severity: Finding['severity'] = 'error',
): readonly Finding[] => [{severity, about, sentence, failure: new Failure(code, sentence, details)}];
