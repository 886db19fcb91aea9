import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import type {Observation} from '../asking.ts';
import {createFirewall, type zones} from '../firewall/firewall.ts';

export const customEntryPoint = '/phases/http_request_firewall_custom/entrypoint';

export const buildBlockRule = (expression: string, extraFields: JsonObject = {}): JsonObject => ({
	action: 'block',
	expression,
	...extraFields,
});

/** Creates a simulator, and the calls for the custom phase of its zone with this plan. */
export function createCustomPhase(plan: keyof typeof zones = 'enterprise') {
	const {simulator, rulesets: callRulesets} = createFirewall(plan);
	return {
		simulator,
		rulesets: callRulesets,
		/** Creates the entry point with rules of these expressions. Returns its id and those of the rules. */
		async createEntryPoint(...expressions: readonly string[]) {
			const ruleset = getRuleset(
				await callRulesets('PUT', customEntryPoint, {
					rules: expressions.map(expression => buildBlockRule(expression)),
				}),
			);
			return {id: ruleset.id, rules: ruleset.rules.map(({id}) => String(id))};
		},
		/** Reads the expressions in the order of the rules, and the version. */
		async readEntryPoint() {
			const {rules, version} = getRuleset(await callRulesets('GET', customEntryPoint));
			return {expressions: rules.map(({expression}) => expression), version};
		},
	};
}

/** The ruleset of a response. */
export function getRuleset(response: Observation) {
	if (!response.success) throw new Error(`No ruleset: ${JSON.stringify(response.errors)}`);
	return response.result as JsonObject & {
		readonly id: string;
		readonly version: string;
		readonly rules: readonly JsonObject[];
	};
}

/** The status, and the code and pointer of the first error. */
export const getFirstError = ({
	status,
	errors: [error],
}: Observation): readonly [number, JsonValue, JsonValue] => [
	status,
	error?.code ?? null,
	(error?.source as JsonObject | undefined)?.pointer ?? null,
];
