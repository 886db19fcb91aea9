import type {ExpressionFunction, Field} from './entries.ts';
import {
	advancedRateLimitingFields,
	countedFields,
	documentedPhases,
	exclusivePhases,
	type FieldPhases,
	listedFields,
	listedFunctions,
	rateLimitingPlans,
} from './phase-tables.ts';
import {defaultPhase, formatPhases, type Phase, phases} from './phases.ts';
import type {Plan} from './plan.ts';
import {hasRequiredPlan} from './plan.ts';

/** Whether a field or function can be used in a phase, and if not, why. */
export type Verdict =
	| {readonly kind: 'allowed'}
	/** The service rejects it. `isCertain`: whatever the date of the tables, since such rules never have its value. */
	| {readonly kind: 'error'; readonly reason: string; readonly isCertain: boolean}
	/** The documentation does not mention it. */
	| {readonly kind: 'warning'; readonly reason: string};

const allowed: Verdict = {kind: 'allowed'};
/** Decides whether a field or function can be used in a phase. */
export const getVerdict = (entry: Field | ExpressionFunction, phase: Phase): Verdict =>
	'parameters' in entry ? checkFunction(entry, phase) : checkField(entry, phase);

/** Returns the lowest plan for a field in a phase: rate limiting rules of lower plans can use few fields. */
export function getRequiredPlan(field: Field, phase: Phase): Pick<Field, 'plan' | 'addOn'> {
	if (!phase.startsWith('http_ratelimit')) return field;
	const {name} = field;
	// Fields documented for these rules need nothing else here, whatever they need in other rules.
	const {plan: requiredPlan = 'free', addOn} = rateLimitingPlans.has(name) ? {} : field;
	const phasePlan = getRateLimitingPlan(name, phase);
	const plan = hasRequiredPlan(requiredPlan, phasePlan) ? requiredPlan : phasePlan;
	const needsAddOn = addOn || matchesName(advancedRateLimitingFields, name);
	return {...(plan !== 'free' && {plan}), ...(needsAddOn && {addOn: true})};
}

function getRateLimitingPlan(name: string, phase: Phase): Plan {
	// The only other phase of rate limiting rules is that of their counting expressions.
	const isCountingExpression = phase !== 'http_ratelimit';
	if (isCountingExpression && countedFields.has(name)) return 'business';
	const plan = rateLimitingPlans.get(name) ?? 'enterprise';
	return isCountingExpression && !hasRequiredPlan(plan, 'business') ? 'business' : plan;
}

function checkFunction({name, phases: ownPhases}: ExpressionFunction, phase: Phase): Verdict {
	if (ownPhases && !ownPhases.includes(phase)) return createRefusal(name, ownPhases, phase, false);
	return isListed(listedFunctions[phase], name) ? allowed : createUnlistedWarning(name, phase);
}

function checkField(field: Field, phase: Phase): Verdict {
	const {name, exclusive, scope, phases: ownPhases} = field;
	const allowedPhases = (exclusive && ownPhases) || findFieldPhases(exclusivePhases, name);
	if (allowedPhases && !allowedPhases.includes(phase))
		return createRefusal(name, allowedPhases, phase, isOfAnotherSide(allowedPhases, phase));
	// The response firewall can use the fields of custom rules and those of responses.
	const effectivePhase = phase === 'http_response_firewall_custom' && !allowedPhases ? defaultPhase : phase;
	if (ownPhases?.includes(effectivePhase)) return allowed;
	const fieldPatterns = listedFields[effectivePhase];
	const phasesInDocumentation = findFieldPhases(documentedPhases, name);
	if (phasesInDocumentation && !phasesInDocumentation.includes(effectivePhase))
		return createUndocumentedWarning(field, phasesInDocumentation, phase);
	// Fields of transform rules and account rulesets are valid elsewhere only if the phase lists them.
	const isForOtherRules = !phasesInDocumentation && scope !== undefined && scope !== 'response';
	if (isForOtherRules && !(fieldPatterns && isListed(fieldPatterns, name)))
		return createUndocumentedWarning(field, ownPhases ?? [], phase);
	return isListed(fieldPatterns, name) ? allowed : createUnlistedWarning(name, phase);
}

const createRefusal = (
	name: string,
	validPhases: readonly Phase[],
	phase: Phase,
	isCertain: boolean,
): Verdict => ({
	kind: 'error',
	reason: `${name} is only available in ${formatPhases(validPhases)}, not in ${phases[phase].ruleNoun}.`,
	isCertain,
});

/** True if a phase looks at requests, and the others only at responses, or only at packets. */
const isOfAnotherSide = (validPhases: readonly Phase[], phase: Phase): boolean => {
	const {side} = phases[phase];
	return validPhases.every(one => phases[one].side !== 'request' && phases[one].side !== side);
};

const createUndocumentedWarning = (
	{name, scope}: Field,
	validPhases: readonly Phase[],
	phase: Phase,
): Verdict => ({
	kind: 'warning',
	reason: `${name} is documented for ${[
		...(scope === 'account rulesets' ? ['account rulesets'] : []),
		...(validPhases.length > 0 ? [formatPhases(validPhases)] : []),
	].join(', ')}, not for ${phases[phase].ruleNoun}.`,
});

const createUnlistedWarning = (name: string, phase: Phase): Verdict => ({
	kind: 'warning',
	reason: `${name} is not documented for ${phases[phase].ruleNoun}.`,
});

const findFieldPhases = (table: readonly FieldPhases[], name: string): readonly Phase[] | undefined =>
	table.find(({match}) => matchesName(match, name))?.phases;

/** True if a list contains a name, or if there is no list. */
const isListed = (patterns: string | undefined, name: string): boolean =>
	patterns === undefined || patterns.split(' ').some(pattern => matchesName(pattern, name));

function matchesName(pattern: string, name: string): boolean {
	if (pattern.endsWith('.*')) return name === pattern.slice(0, -2) || name.startsWith(pattern.slice(0, -1));
	return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
