import type {SimulatorOptions} from '../../../source/simulator/simulator.ts';
import type {JsonObject, JsonValue} from '../../../source/text/json.ts';
import {ask, createClockedSimulator, json, type Observation} from '../asking.ts';

/** Ids of the sample zones, by plan or by the case that they show. */
export const zones = {
	free: '61bf267f4af510ca281c94950d62fbea',
	pro: '6e23b63489e7241c0d871b10a397cebb',
	business: 'a947660370b0b679559176bf9d8aead4',
	enterprise: 'd0e032749968114a09730950255c7c0f',
	withOverrides: '37448c39c748f8ae404e1e10860b5954',
	withManyBypasses: 'b0a1d4c37e5f4b0e9a6c1f2d3e4b5a60',
	withLongExpression: '3f6e5d4c2b1a4e8f9d0c7b6a5f4e3d21',
	validating: 'c4e8a1f05b3d4c7e8f9a0b1c2d3e4f52',
	pending: '5d2f8e1c4a7b4d3f9e6c0a1b2c3d4e63',
	complete: '7b3a9d2e6c5f4e1a8d7b0c1d2e3f4a74',
	plain: '9e4c0b3f7d6a4f2b8c5e1d2c3b4a5f85',
} as const;

export const wafPackageIds = {
	platform: 'c504870194831cd12c3fc0284f294abb',
	owasp: 'a25a9a7e9c00afc1fb2e0245519d725b',
	requested: '1e334934fd7ae32ad705667f8c1057aa',
} as const;

export const platformRulesetId = 'efb7b8c949ac4650a09736fc376e9aee';
export const owaspRulesetId = '4814384a9e5d4991b9815dcfc25d2f1f';
export const anomalyScoreRuleId = '6179ae15870a4bb7b2d480d4843b323c';

const entryPointPath = '/rulesets/phases/http_request_firewall_managed/entrypoint';

/** A rule that runs a managed ruleset on all traffic. */
export const createSampleExecuteRule = (
	id: string = platformRulesetId,
	extraFields: JsonObject = {},
): JsonObject => ({
	action: 'execute',
	expression: 'true',
	action_parameters: {id},
	...extraFields,
});

/** Creates a simulator, and the calls about the migration of this sample zone. */
export function createSampleZone(which: keyof typeof zones, options: SimulatorOptions = {}) {
	const {simulator, clock} = createClockedSimulator({samples: true, rateLimit: false, ...options});
	const call = (method: string, path: string, body?: JsonValue): Promise<Observation> =>
		ask(simulator, `/zones/${zones[which]}${path}`, body === undefined ? {method} : json(method, body));
	return {
		simulator,
		clock,
		call,
		check: (query = '?phase_two=1') => call('GET', `/waf_migration/check${query}`),
		config: (query = '?phase_two=1') => call('GET', `/waf_migration/config${query}`),
		status: () => call('GET', '/waf_migration/status'),
		readEntryPoint: () => call('GET', entryPointPath),
		put: (rules: readonly JsonObject[], query = '') => call('PUT', `${entryPointPath}${query}`, {rules}),
		/** The PUT that migrates, in the form of the documentation. */
		migrate: (mode: string, rules: readonly JsonObject[] = [createSampleExecuteRule()]) =>
			call('PUT', `${entryPointPath}?waf_migration=${mode}&phase_two=1`, {name: 'default', rules}),
		async readState(): Promise<JsonValue | undefined> {
			return getResultObject(await call('GET', '/waf_migration/status')).migration_state;
		},
	};
}

export const getResultObject = ({result}: Observation): JsonObject => result as JsonObject;
export const getResultRules = (response: Observation): readonly JsonObject[] =>
	getResultObject(response).rules as readonly JsonObject[];
