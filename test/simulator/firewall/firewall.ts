import type {Simulator, SimulatorOptions} from '../../../source/simulator/simulator.ts';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {ask, json, type Observation, withClock} from '../asking.ts';

/** A zone of each plan. */
export const zones = {
	free: '61bf267f4af510ca281c94950d62fbea',
	pro: '6e23b63489e7241c0d871b10a397cebb',
	business: 'a947660370b0b679559176bf9d8aead4',
	enterprise: 'd0e032749968114a09730950255c7c0f',
};

export const unknownId = '0123456789abcdef0123456789abcdef';

/** The calls for filters and rules of one zone of a new world. */
export function firewall(plan: keyof typeof zones = 'pro', options: SimulatorOptions = {}) {
	const {simulator} = withClock({rateLimit: false, ...options});
	return {simulator, ...callsOf(simulator, plan)};
}

export function callsOf(simulator: Simulator, plan: keyof typeof zones) {
	const zone = `/zones/${zones[plan]}`;
	const call =
		(base: string) =>
		(method: string, path = '', body?: JsonValue): Promise<Observation> =>
			ask(simulator, `${base}${path}`, body === undefined ? {method} : json(method, body));
	const filters = call(`${zone}/filters`);
	const rules = call(`${zone}/firewall/rules`);
	const rulesets = call(`${zone}/rulesets`);
	return {
		filters,
		rules,
		rulesets,
		/** Makes a filter; its id. */
		async makeFilter(expression: string, more: JsonObject = {}): Promise<string> {
			return firstId(await filters('POST', '', [{expression, ...more}]));
		},
		/** Makes a rule on a filter; its id. */
		async makeRule(filter: string, more: JsonObject = {}): Promise<string> {
			return firstId(await rules('POST', '', [{filter: {id: filter}, action: 'block', ...more}]));
		},
		/** The expressions of the filters there are. */
		async expressions(): Promise<readonly JsonValue[]> {
			return listed(await filters('GET', '?per_page=100')).map(({expression}) => expression ?? null);
		},
		/** How many rules there are. */
		async ruleCount(): Promise<number> {
			return Number((await rules('GET')).info.total_count);
		},
	};
}

/** The objects of a list in an answer. */
export const listed = ({result}: Observation): readonly JsonObject[] => result as readonly JsonObject[];

export function firstId(seen: Observation): string {
	const [first] = Array.isArray(seen.result) ? listed(seen) : [];
	if (first === undefined) throw new Error(`Nothing was made: ${JSON.stringify(seen.errors)}`);
	return String(first.id);
}

/** Status and first message of a refusal. */
export const refusal = ({status, success, errors}: Observation) => ({
	status,
	success,
	message: errors[0]?.message,
});
