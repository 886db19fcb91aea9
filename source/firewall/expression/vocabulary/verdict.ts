import type {ExpressionFunction, Field} from './entries.ts';
import {
	advancedRateLimiting,
	countedFields,
	documentedIn,
	type FieldsIn,
	listedFields,
	listedFunctions,
	onlyIn,
	rateLimitingPlans,
} from './phase-tables.ts';
import {type Phase, phases, phasesInWords, usualPhase} from './phases.ts';
import type {Plan} from './plan.ts';
import {planHas} from './plan.ts';

/** Whether a field or function can be used in a phase, and if not, why. */
export type Verdict =
	| {readonly kind: 'allowed'}
	/** The service rejects it. */
	| {readonly kind: 'error'; readonly reason: string}
	/** The documentation does not mention it. */
	| {readonly kind: 'warning'; readonly reason: string};

const allowed: Verdict = {kind: 'allowed'};
/** Decides whether a field or function can be used in a phase. */
export const verdictOn = (one: Field | ExpressionFunction, phase: Phase): Verdict =>
	'parameters' in one ? onFunction(one, phase) : onField(one, phase);

/** Returns the lowest plan for a field in a phase: rate limiting rules of lower plans can use few fields. */
export function planIn(field: Field, phase: Phase): Pick<Field, 'plan' | 'addOn'> {
	if (!phase.startsWith('http_ratelimit')) return field;
	const {name} = field;
	// Fields documented for these rules need nothing else here, whatever they need in other rules.
	const {plan: own = 'free', addOn} = rateLimitingPlans.has(name) ? {} : field;
	const here = rateLimitingPlan(name, phase);
	const plan = planHas(own, here) ? own : here;
	const isBought = addOn || matches(advancedRateLimiting, name);
	return {...(plan !== 'free' && {plan}), ...(isBought && {addOn: true})};
}

function rateLimitingPlan(name: string, phase: Phase): Plan {
	const isCounted = phase !== 'http_ratelimit';
	if (isCounted && countedFields.has(name)) return 'business';
	const plan = rateLimitingPlans.get(name) ?? 'enterprise';
	return isCounted && !planHas(plan, 'business') ? 'business' : plan;
}

function onFunction({name, phases: own}: ExpressionFunction, phase: Phase): Verdict {
	if (own && !own.includes(phase)) return refused(name, own, phase);
	return isListed(listedFunctions[phase], name) ? allowed : unlisted(name, phase);
}

function onField(field: Field, phase: Phase): Verdict {
	const {name, exclusive, scope, phases: own} = field;
	const alone = (exclusive && own) || phasesOf(onlyIn, name);
	if (alone && !alone.includes(phase)) return refused(name, alone, phase);
	// The response firewall can use the fields of custom rules and those of responses.
	const asked = phase === 'http_response_firewall_custom' && !alone ? usualPhase : phase;
	if (own?.includes(asked)) return allowed;
	const list = listedFields[asked];
	const documented = phasesOf(documentedIn, name);
	if (documented && !documented.includes(asked)) return undocumented(field, documented, phase);
	const isForFew = !documented && scope !== undefined && scope !== 'response';
	if (isForFew && !(list && isListed(list, name))) return undocumented(field, own ?? [], phase);
	return isListed(list, name) ? allowed : unlisted(name, phase);
}

const refused = (name: string, where: readonly Phase[], phase: Phase): Verdict => ({
	kind: 'error',
	reason: `${name} can be used in ${phasesInWords(where)}, not in ${phases[phase].rules}.`,
});

const undocumented = ({name, scope}: Field, where: readonly Phase[], phase: Phase): Verdict => ({
	kind: 'warning',
	reason: `${name} is documented for ${[
		...(scope === 'account rulesets' ? ['rulesets of an account'] : []),
		...(where.length > 0 ? [phasesInWords(where)] : []),
	].join(', ')}, not for ${phases[phase].rules}.`,
});

const unlisted = (name: string, phase: Phase): Verdict => ({
	kind: 'warning',
	reason: `${name} is not in the documented list for ${phases[phase].rules}.`,
});

const phasesOf = (table: readonly FieldsIn[], name: string): readonly Phase[] | undefined =>
	table.find(({match}) => matches(match, name))?.phases;

/** True if a list contains a name, or if there is no list. */
const isListed = (list: string | undefined, name: string): boolean =>
	list === undefined || list.split(' ').some(pattern => matches(pattern, name));

function matches(pattern: string, name: string): boolean {
	if (pattern.endsWith('.*')) return name === pattern.slice(0, -2) || name.startsWith(pattern.slice(0, -1));
	return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
