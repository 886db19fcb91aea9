import type {JsonObject, JsonValue} from '../../text/json.ts';
import type {Plan} from '../accounts/plan.ts';
import {getActionLack, getProductLack} from '../accounts/plan-lacks.ts';
import {acceptedActions, acceptedProducts} from './rule-values.ts';
import {readCommonTexts, readPaused, refuseInvalid} from './texts.ts';

/** The settings of a rule in a request, without its filter. */
export type GivenSettings = {
	readonly paused: boolean;
	readonly action: string;
	readonly priority: number | null;
	readonly products?: readonly string[];
	readonly description?: string;
	readonly ref?: string;
};

const maxPriority = 2_147_483_647;

/**
 * Reads the settings of a rule; refuses what is invalid on every plan. `where` names the rule: "rule at index
 * 0".
 */
export function readRuleSettings(given: JsonObject, where: string): GivenSettings {
	const {action} = given;
	if (action === undefined) return refuseInvalid(where, 'action is required');
	if (typeof action !== 'string' || !isKnownValue(acceptedActions, action))
		return refuseInvalid(
			where,
			`unknown action ${JSON.stringify(action)}; there are ${acceptedActions.join(', ')}`,
		);
	const productNames = readProducts(given.products, action, where);
	return {
		paused: readPaused(given, where),
		action,
		priority: readPriority(given.priority, where),
		...(productNames.length > 0 && {products: productNames}),
		...readCommonTexts(given, where),
	};
}

/** Reads a priority: lower numbers run first, null last. */
export function readPriority(priority: JsonValue | undefined, where: string): number | null {
	if (priority === undefined || priority === null) return null;
	if (typeof priority === 'number' && Number.isInteger(priority) && priority >= 0 && priority <= maxPriority)
		return priority;
	return refuseInvalid(where, `priority must be a whole number from 0 to ${maxPriority}, or null`);
}

function readProducts(given: JsonValue | undefined, action: string, where: string): readonly string[] {
	const productNames: JsonValue = given ?? [];
	if (!Array.isArray(productNames)) return refuseInvalid(where, 'products must be an array');
	if (action === 'bypass' && productNames.length === 0)
		return refuseInvalid(where, 'the action bypass needs products');
	if (action !== 'bypass' && productNames.length > 0)
		return refuseInvalid(where, `products go with the action bypass only, not with ${action}`);
	return productNames.map((product: JsonValue) =>
		typeof product === 'string' && isKnownValue(acceptedProducts, product)
			? product
			: refuseInvalid(
					where,
					`unknown product ${JSON.stringify(product)}; there are ${acceptedProducts.join(', ')}`,
				),
	);
}

/** Describes what the rule needs and the plan does not have; undefined if nothing. */
export const getPlanLack = (
	{action, products: productNames = []}: GivenSettings,
	plan: Plan,
): string | undefined => getActionLack(plan, action) ?? getProductLack(plan, productNames);

const isKnownValue = (known: readonly string[], one: string): boolean => known.includes(one);
