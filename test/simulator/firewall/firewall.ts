import type {Simulator, SimulatorOptions} from '../../../source/simulator/simulator.ts';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {ask, createClockedSimulator, json, type Observation} from '../asking.ts';

/** A zone of each plan. */
export const zones = {
	free: '61bf267f4af510ca281c94950d62fbea',
	pro: '6e23b63489e7241c0d871b10a397cebb',
	business: 'a947660370b0b679559176bf9d8aead4',
	enterprise: 'd0e032749968114a09730950255c7c0f',
};

export const unknownId = '0123456789abcdef0123456789abcdef';

/** Creates a simulator, and the calls for filters and rules of its zone with this plan. */
export function createFirewall(plan: keyof typeof zones = 'pro', options: SimulatorOptions = {}) {
	const {simulator} = createClockedSimulator({rateLimit: false, ...options});
	return {simulator, ...createZoneCalls(simulator, plan)};
}

export function createZoneCalls(simulator: Simulator, plan: keyof typeof zones) {
	const zone = `/zones/${zones[plan]}`;
	const call =
		(base: string) =>
		(method: string, path = '', body?: JsonValue): Promise<Observation> =>
			ask(simulator, `${base}${path}`, body === undefined ? {method} : json(method, body));
	const callFilters = call(`${zone}/filters`);
	const callRules = call(`${zone}/firewall/rules`);
	const callRulesets = call(`${zone}/rulesets`);
	return {
		filters: callFilters,
		rules: callRules,
		rulesets: callRulesets,
		/** Creates a filter, and returns its id. */
		async makeFilter(expression: string, extraFields: JsonObject = {}): Promise<string> {
			return getFirstId(await callFilters('POST', '', [{expression, ...extraFields}]));
		},
		/** Creates a rule on a filter, and returns its id. */
		async makeRule(filter: string, extraFields: JsonObject = {}): Promise<string> {
			return getFirstId(
				await callRules('POST', '', [{filter: {id: filter}, action: 'block', ...extraFields}]),
			);
		},
		/** Reads the expressions of all filters. */
		async readExpressions(): Promise<readonly JsonValue[]> {
			return getListedObjects(await callFilters('GET', '?per_page=100')).map(
				({expression}) => expression ?? null,
			);
		},
		/** Reads the number of rules. */
		async countRules(): Promise<number> {
			return Number((await callRules('GET')).info.total_count);
		},
	};
}

/** The objects of a list in a response. */
export const getListedObjects = ({result}: Observation): readonly JsonObject[] =>
	result as readonly JsonObject[];

export function getFirstId(response: Observation): string {
	const [first] = Array.isArray(response.result) ? getListedObjects(response) : [];
	if (first === undefined) throw new Error(`Nothing was made: ${JSON.stringify(response.errors)}`);
	return String(first.id);
}

/** Status and first message of a refusal. */
export const toRefusal = ({status, success, errors}: Observation) => ({
	status,
	success,
	message: errors[0]?.message,
});
