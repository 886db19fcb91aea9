import type {JsonObject} from '../../text/json.ts';
import {setRetirementState} from '../firewall/retirement.ts';
import {customRulesPhase, rateLimitRulesPhase} from '../rulesets/phase-names.ts';
import type {Resources} from './resources.ts';
import {addRuleset} from './seeded-world.ts';
import {migrationZones} from './zones.ts';

const firstUpdate = '2026-09-14T08:20:00.000000Z';
const secondUpdate = '2026-10-02T16:45:00.000000Z';

const buildSampleRule = (
	id: string,
	action: string,
	expression: string,
	extraFields: JsonObject,
): JsonObject => ({
	id,
	version: '1',
	ref: id,
	action,
	expression,
	enabled: true,
	last_updated: firstUpdate,
	...extraFields,
});

const officeRule = buildSampleRule('5f1c7a0e9b3d4c28a6e4d0b7f2913c01', 'skip', 'ip.src in {203.0.113.0/24}', {
	description: 'Office: past everything behind it',
	action_parameters: {ruleset: 'current', phases: ['http_ratelimit']},
	logging: {enabled: true},
});
const adminRule = buildSampleRule(
	'5f1c7a0e9b3d4c28a6e4d0b7f2913c02',
	'block',
	'starts_with(http.request.uri.path, "/admin") and not ip.src in {203.0.113.0/24}',
	{
		description: 'Administration from outside',
		action_parameters: {response: {status_code: 404, content_type: 'text/plain', content: 'Not found'}},
	},
);
const loginRule = buildSampleRule(
	'5f1c7a0e9b3d4c28a6e4d0b7f2913c03',
	'managed_challenge',
	'http.request.uri.path eq "/login" and http.request.method eq "POST"',
	{description: 'Logins'},
);
const scraperRule = buildSampleRule(
	'5f1c7a0e9b3d4c28a6e4d0b7f2913c04',
	'block',
	'lower(http.user_agent) contains "scrapy"',
	{description: 'Scrapers'},
);

/**
 * Two versions of a zone's custom rules, with stable ids. The second version pauses a rule and adds another.
 */
const rulesetVersions: readonly JsonObject[] = [
	{version: '1', last_updated: firstUpdate, rules: [officeRule, adminRule, loginRule]},
	{
		version: '2',
		last_updated: secondUpdate,
		rules: [
			officeRule,
			adminRule,
			{...loginRule, version: '2', enabled: false, last_updated: secondUpdate},
			scraperRule,
		],
	},
];

const addressCharacteristics = ['cf.colo.id', 'ip.src'];

const rateLimits: JsonObject = {
	id: 'c41d7e9a5b0f4d26b3a8e6f1d2c95b70',
	name: 'default',
	description: '',
	kind: 'zone',
	source: 'rate_limit',
	phase: rateLimitRulesPhase,
	version: '3',
	last_updated: secondUpdate,
	rules: [
		buildSampleRule('a92e4f6c1d3b4870b5e8c7f2d0416e01', 'block', 'http.request.uri.path eq "/login"', {
			description: 'Logins by address',
			ratelimit: {
				characteristics: addressCharacteristics,
				period: 60,
				requests_per_period: 20,
				mitigation_timeout: 600,
				requests_to_origin: false,
			},
		}),
		buildSampleRule(
			'a92e4f6c1d3b4870b5e8c7f2d0416e02',
			'managed_challenge',
			'http.request.uri.path contains "/search"',
			{
				description: 'Searches that fail',
				ratelimit: {
					characteristics: addressCharacteristics,
					period: 10,
					requests_per_period: 50,
					mitigation_timeout: 0,
					counting_expression: 'http.request.uri.path contains "/search" and http.response.code eq 404',
				},
			},
		),
		buildSampleRule(
			'a92e4f6c1d3b4870b5e8c7f2d0416e03',
			'block',
			'starts_with(http.request.uri.path, "/api/")',
			{
				description: 'API keys',
				enabled: false,
				action_parameters: {
					response: {status_code: 429, content_type: 'application/json', content: '{"error":"slow down"}'},
				},
				ratelimit: {
					characteristics: ['cf.colo.id', 'http.request.headers["x-api-key"]'],
					period: 60,
					requests_per_period: 1000,
					mitigation_timeout: 60,
				},
			},
		),
	],
};

/** Writes the custom rules and rate limits of the migrated sample zone, and retires its firewall rules. */
export function addCustomRuleSamples(resources: Resources, zoneId: string): void {
	if (zoneId !== migrationZones.done) return;
	setRetirementState({resources}, zoneId, 'retired');
	addRuleset(resources, zoneId, rateLimits);
	for (const version of rulesetVersions)
		addRuleset(resources, zoneId, {
			id: '2d7c4f0b1a9e4e53b8d6c0a3f5e71b20',
			name: 'default',
			description: '',
			kind: 'zone',
			source: 'firewall_custom',
			phase: customRulesPhase,
			...version,
		});
}
