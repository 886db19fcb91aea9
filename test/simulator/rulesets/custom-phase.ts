import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import type {Observation} from '../asking.ts';
import {firewall, type zones} from '../firewall/firewall.ts';

export const customEntryPoint = '/phases/http_request_firewall_custom/entrypoint';

export const block = (expression: string, more: JsonObject = {}): JsonObject => ({
	action: 'block',
	expression,
	...more,
});

/** The calls for the custom phase of a zone of a new world. */
export function customPhaseOf(plan: keyof typeof zones = 'enterprise') {
	const {simulator, rulesets} = firewall(plan);
	return {
		simulator,
		rulesets,
		/** Makes the entry point with rules of these expressions; its id and those of the rules. */
		async begin(...expressions: readonly string[]) {
			const made = rulesetIn(
				await rulesets('PUT', customEntryPoint, {rules: expressions.map(expression => block(expression))}),
			);
			return {id: made.id, rules: made.rules.map(({id}) => String(id))};
		},
		/** The expressions in the order of the rules, and the version. */
		async current() {
			const {rules, version} = rulesetIn(await rulesets('GET', customEntryPoint));
			return {expressions: rules.map(({expression}) => expression), version};
		},
	};
}

/** The ruleset of an answer. */
export function rulesetIn(seen: Observation) {
	if (!seen.success) throw new Error(`No ruleset: ${JSON.stringify(seen.errors)}`);
	return seen.result as JsonObject & {
		readonly id: string;
		readonly version: string;
		readonly rules: readonly JsonObject[];
	};
}

/** Status, code and place of the first error. */
export const complaint = ({
	status,
	errors: [error],
}: Observation): readonly [number, JsonValue, JsonValue] => [
	status,
	error?.code ?? null,
	(error?.source as JsonObject | undefined)?.pointer ?? null,
];
