import type {JsonObject, JsonValue} from '../../text/json.ts';
import {getUnavailableActionReason, getUnavailableProductReason} from '../accounts/missing-features.ts';
import type {Plan} from '../accounts/plan.ts';
import {readCommonTexts, readPaused, refuseInvalid} from './body-fields.ts';
import {acceptedActions, acceptedProducts} from './rule-values.ts';

/** The settings of a rule in a request, without its filter. */
export type RequestedSettings = {
	readonly paused: boolean;
	readonly action: string;
	readonly priority: number | null;
	readonly products?: readonly string[];
	readonly description?: string;
	readonly ref?: string;
};

const maxPriority = 2_147_483_647;

/**
 * Reads the settings of a rule; refuses what is invalid on every plan. `itemName` names the rule in refusals,
 * such as "rule at index 0".
 */
export function readRuleSettings(rule: JsonObject, itemName: string): RequestedSettings {
	const {action} = rule;
	if (action === undefined) return refuseInvalid(itemName, 'action is required');
	if (typeof action !== 'string' || !isKnownValue(acceptedActions, action))
		return refuseInvalid(
			itemName,
			`unknown action ${JSON.stringify(action)}; there are ${acceptedActions.join(', ')}`,
		);
	const productNames = readProducts(rule.products, action, itemName);
	return {
		paused: readPaused(rule, itemName),
		action,
		priority: readPriority(rule.priority, itemName),
		...(productNames.length > 0 && {products: productNames}),
		...readCommonTexts(rule, itemName),
	};
}

/** Reads a priority: lower numbers run first, null last. */
export function readPriority(priority: JsonValue | undefined, itemName: string): number | null {
	if (priority === undefined || priority === null) return null;
	if (typeof priority === 'number' && Number.isInteger(priority) && priority >= 0 && priority <= maxPriority)
		return priority;
	return refuseInvalid(itemName, `priority must be a whole number from 0 to ${maxPriority}, or null`);
}

function readProducts(value: JsonValue | undefined, action: string, itemName: string): readonly string[] {
	const productNames: JsonValue = value ?? [];
	if (!Array.isArray(productNames)) return refuseInvalid(itemName, 'products must be an array');
	if (action === 'bypass' && productNames.length === 0)
		return refuseInvalid(itemName, 'the action bypass needs products');
	if (action !== 'bypass' && productNames.length > 0)
		return refuseInvalid(itemName, `products go with the action bypass only, not with ${action}`);
	return productNames.map((product: JsonValue) =>
		typeof product === 'string' && isKnownValue(acceptedProducts, product)
			? product
			: refuseInvalid(
					itemName,
					`unknown product ${JSON.stringify(product)}; there are ${acceptedProducts.join(', ')}`,
				),
	);
}

/** Describes what the rule needs and the plan does not have; undefined if nothing. */
export const getUnavailableSettingReason = (
	{action, products: productNames = []}: RequestedSettings,
	plan: Plan,
): string | undefined =>
	getUnavailableActionReason(plan, action) ?? getUnavailableProductReason(plan, productNames);

const isKnownValue = (allowed: readonly string[], value: string): boolean => allowed.includes(value);
