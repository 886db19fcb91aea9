import type {JsonObject, JsonValue} from '../../text/json.ts';
import type {Plan} from '../accounts/plan.ts';
import {lackedAction, lackedProduct} from '../accounts/plan-lacks.ts';
import {actions, products} from './rule-values.ts';
import {invalid, readPaused, readTexts} from './texts.ts';

/** The settings of a rule in a request, without its filter. */
export type GivenSettings = {
	readonly paused: boolean;
	readonly action: string;
	readonly priority: number | null;
	readonly products?: readonly string[];
	readonly description?: string;
	readonly ref?: string;
};

const mostPriority = 2_147_483_647;

/**
 * Reads the settings of a rule; refuses what is invalid on every plan. `where` names the rule: "rule at index
 * 0".
 */
export function readSettings(given: JsonObject, where: string): GivenSettings {
	const {action} = given;
	if (action === undefined) return invalid(where, 'action is required');
	if (typeof action !== 'string' || !includes(actions, action))
		return invalid(where, `unknown action ${JSON.stringify(action)}; there are ${actions.join(', ')}`);
	const named = readProducts(given.products, action, where);
	return {
		paused: readPaused(given, where),
		action,
		priority: readPriority(given.priority, where),
		...(named.length > 0 && {products: named}),
		...readTexts(given, where),
	};
}

/** Reads a priority: lower numbers run first, null last. */
export function readPriority(priority: JsonValue | undefined, where: string): number | null {
	if (priority === undefined || priority === null) return null;
	if (typeof priority === 'number' && Number.isInteger(priority) && priority >= 0 && priority <= mostPriority)
		return priority;
	return invalid(where, `priority must be a whole number from 0 to ${mostPriority}, or null`);
}

function readProducts(given: JsonValue | undefined, action: string, where: string): readonly string[] {
	const named: JsonValue = given ?? [];
	if (!Array.isArray(named)) return invalid(where, 'products must be an array');
	if (action === 'bypass' && named.length === 0) return invalid(where, 'the action bypass needs products');
	if (action !== 'bypass' && named.length > 0)
		return invalid(where, `products go with the action bypass only, not with ${action}`);
	return named.map((product: JsonValue) =>
		typeof product === 'string' && includes(products, product)
			? product
			: invalid(where, `unknown product ${JSON.stringify(product)}; there are ${products.join(', ')}`),
	);
}

/** Describes what the rule needs and the plan does not have; undefined if nothing. */
export const lacking = ({action, products: named = []}: GivenSettings, plan: Plan): string | undefined =>
	lackedAction(plan, action) ?? lackedProduct(plan, named);

const includes = (known: readonly string[], one: string): boolean => known.includes(one);
