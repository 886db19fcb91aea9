import {Failure, type FailureDetails} from '../../failure.ts';
import {isPlanAtLeast, type ZonePlan, zonePlanNames, zonePlans} from '../../service/plan.ts';
import {formatQuantity} from '../../text/figures.ts';
import {analyse, type ExpressionProblem, type Phase} from '../expression/expressions.ts';
import {
	customDescriptionBytes,
	maxDescriptionCharacters,
	maxRefCharacters,
	maxRulesByPlan,
} from '../limits.ts';
import {bypassableProducts, type FirewallZone, type Rule, type RuleDraft, ruleActionNames} from './rule.ts';

/** A problem of a draft: an `error` would be refused by the service, a `warning` is unusual. */
export type DraftFinding = {
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

type About = DraftFinding['about'];

/** Zone of a draft; `allowUnknown` accepts fields that ledge does not know. */
export type DraftZone = Pick<FirewallZone, 'plan'> & {readonly allowUnknown?: boolean | undefined};

/**
 * Checks a draft without calling the service: expression, action, products, lengths, and, with `zoneState`,
 * the plan's quota. If the plan is unknown, limits of some plans are warnings.
 */
export function checkDraft(
	draft: RuleDraft,
	zone: DraftZone,
	zoneState?: {readonly rules: readonly Rule[]},
): readonly DraftFinding[] {
	const {filter} = draft;
	return [
		...('id' in filter ? [] : checkExpression(filter.expression, zone, passingActions.has(draft.action))),
		...checkAction(draft, zone.plan),
		...checkProducts(draft, zone.plan),
		...checkPriority(draft.priority),
		...('id' in filter ? [] : checkTexts(filter, 'filter')),
		...checkTexts(draft, 'rule'),
		...(zoneState ? checkQuota(zoneState.rules.length, zone.plan) : []),
	];
}

const passingActions: ReadonlySet<string> = new Set(['allow', 'bypass']);

/** Checks an expression for a zone; analysis.ts returns the same problems with more positions. */
export function checkExpression(
	expression: string,
	{plan, allowUnknown}: DraftZone,
	letsThrough: boolean,
	phase?: Phase,
): readonly DraftFinding[] {
	const {errors, warnings} = analyse(expression, {plan, letsThrough, allowUnknown, phase});
	// Errors without a plan: any other error is due to the plan.
	const planIndependentErrors =
		errors.length > 0 && plan !== undefined ? analyse(expression, {allowUnknown, phase}).errors : errors;
	const isPlanProblem = (problem: ExpressionProblem) =>
		!planIndependentErrors.some(one => isSameProblem(one, problem));
	const formatPosition = ({line, column}: ExpressionProblem) =>
		`At line ${line}, column ${column} of the expression.`;
	return [
		...errors.flatMap(one =>
			buildFindings('expression', isPlanProblem(one) ? 'plan_lacks' : 'expression_invalid', one.sentence, {
				why: formatPosition(one),
				next: one.correction && `Use this instead: ${one.correction.text}`,
			}),
		),
		...warnings.flatMap(one =>
			buildFindings('expression', 'expression_invalid', one.sentence, {why: formatPosition(one)}, 'warning'),
		),
	];
}

const isSameProblem = (one: ExpressionProblem, other: ExpressionProblem): boolean =>
	one.span.start === other.span.start && one.span.end === other.span.end && one.sentence === other.sentence;

function checkAction({action}: RuleDraft, plan: ZonePlan | undefined): readonly DraftFinding[] {
	if (!(ruleActionNames as readonly string[]).includes(action))
		return buildFindings('action', 'usage', `Unknown action "${action}".`, {
			next: `Use one of: ${ruleActionNames.join(', ')}.`,
		});
	return action === 'log' ? checkPlanFeature('action', 'The log action', 'enterprise', plan) : [];
}

function checkProducts(
	{action, products: draftProducts = []}: RuleDraft,
	plan: ZonePlan | undefined,
): readonly DraftFinding[] {
	if (action !== 'bypass') {
		if (draftProducts.length === 0) return [];
		return buildFindings('products', 'usage', 'Only the bypass action takes products.', {
			why: `The action is ${action}.`,
			next: 'Remove the products, or use the bypass action.',
		});
	}
	if (draftProducts.length === 0)
		return buildFindings('products', 'usage', 'The bypass action needs at least one product to bypass.', {
			next: `Name one or more of: ${bypassableProducts.join(', ')}.`,
		});
	return draftProducts.flatMap(product => {
		if (!bypassableProducts.includes(product))
			return buildFindings('products', 'usage', `Unknown product "${product}".`, {
				next: `Use one or more of: ${bypassableProducts.join(', ')}.`,
			});
		const isPaid = product === 'zoneLockdown' || product === 'waf';
		return isPaid ? checkPlanFeature('products', `Bypassing ${product}`, 'pro', plan) : [];
	});
}

/** The highest priority that fits the service's integers. */
const highestPriority = 2 ** 31 - 1;

function checkPriority(priority: number | null | undefined): readonly DraftFinding[] {
	if (priority === undefined || priority === null) return [];
	if (Number.isInteger(priority) && priority >= 0 && priority <= highestPriority) return [];
	const sentence = `Invalid priority ${priority}: use a whole number from 0 to ${highestPriority}, or none.`;
	return buildFindings('priority', 'usage', sentence);
}

export function checkTexts(
	{description = '', ref = ''}: Pick<RuleDraft, 'description' | 'ref'>,
	kind: 'filter' | 'rule' | 'custom rule',
): readonly DraftFinding[] {
	const noun = kind === 'custom rule' ? 'rule' : kind;
	const name = `The description of the ${noun}`;
	return [
		...(kind === 'custom rule'
			? checkBytes('description', name, description, customDescriptionBytes.rule)
			: checkLength('description', name, description, maxDescriptionCharacters)),
		...checkLength('ref', `The reference of the ${noun}`, ref, maxRefCharacters),
	];
}

function checkBytes(about: About, name: string, text: string, maxBytes: number): readonly DraftFinding[] {
	const bytes = Buffer.byteLength(text);
	if (bytes <= maxBytes) return [];
	return buildFindings(about, 'limit', `${name} is too long.`, {
		why: `It has ${formatQuantity(bytes, 'byte')}; the limit is ${formatQuantity(maxBytes, 'byte')}.`,
	});
}

function checkLength(
	about: About,
	name: string,
	text: string,
	maxCharacters: number,
): readonly DraftFinding[] {
	const characters = [...text].length;
	if (characters <= maxCharacters) return [];
	return buildFindings(about, 'limit', `${name} is too long.`, {
		why: `It has ${characters} characters; the limit is ${maxCharacters}.`,
	});
}

/** Finds that the zone has no room for another rule. */
export const findQuotaError = (findings: readonly DraftFinding[]): DraftFinding | undefined =>
	findings.find(({about, severity}) => about === 'quota' && severity === 'error');

export function checkQuota(
	existingCount: number,
	plan: ZonePlan | undefined,
	ruleNoun: 'firewall rule' | 'custom rule' = 'firewall rule',
): readonly DraftFinding[] {
	const smallestPlan = zonePlans.find(one => maxRulesByPlan[one] > existingCount);
	const next = 'Delete a rule you no longer need, or upgrade the plan of the zone.';
	const buildFullFindings = (why: string) =>
		buildFindings('quota', 'plan_lacks', `Rule limit reached: the zone can't have another ${ruleNoun}.`, {
			why,
			next,
		});
	if (smallestPlan === undefined)
		return buildFullFindings(
			`It has ${existingCount}; no plan allows more than ${maxRulesByPlan.enterprise}.`,
		);
	if (plan === undefined) {
		if (smallestPlan === 'free') return [];
		const why = `The zone has ${existingCount} rules; its plan is unknown.`;
		const sentence = `Another ${ruleNoun} needs the ${zonePlanNames[smallestPlan]} plan.`;
		return buildFindings('quota', 'plan_lacks', sentence, {why, next}, 'warning');
	}
	if (maxRulesByPlan[plan] > existingCount) return [];
	return buildFullFindings(
		`The ${zonePlanNames[plan]} plan allows ${maxRulesByPlan[plan]}, including paused rules; the zone has ${existingCount}.`,
	);
}

/** Returns an error if the plan is below `minPlan`, and a warning if the plan is unknown. */
export function checkPlanFeature(
	about: About,
	feature: string,
	minPlan: ZonePlan,
	plan: ZonePlan | undefined,
): readonly DraftFinding[] {
	if (plan !== undefined && isPlanAtLeast(plan, minPlan)) return [];
	const planSuffix = minPlan === 'enterprise' ? '' : ' or higher';
	const why =
		plan === undefined
			? 'The plan of the zone is unknown.'
			: `The zone is on the ${zonePlanNames[plan]} plan.`;
	return buildFindings(
		about,
		'plan_lacks',
		`${feature} needs the ${zonePlanNames[minPlan]} plan${planSuffix}.`,
		{why, next: 'Choose another one, or upgrade the plan of the zone.'},
		plan === undefined ? 'warning' : 'error',
	);
}

export const buildFindings = (
	about: About,
	code: Failure['code'],
	sentence: string,
	details: FailureDetails = {},
	severity: DraftFinding['severity'] = 'error',
): readonly DraftFinding[] => [{severity, about, sentence, failure: new Failure(code, sentence, details)}];
