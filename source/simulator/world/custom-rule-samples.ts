import {customPhase} from '../../rulesets/ruleset.ts';
import type {JsonObject} from '../../text/json.ts';
import {retireFirewall} from '../firewall/retired-firewall.ts';
import type {Resources} from './resources.ts';
import {addRuleset} from './seeded-world.ts';
import {migrationZones} from './zones.ts';

const first = '2026-09-14T08:20:00.000000Z';
const second = '2026-10-02T16:45:00.000000Z';

const rule = (id: string, action: string, expression: string, more: JsonObject): JsonObject => ({
	id,
	version: '1',
	ref: id,
	action,
	expression,
	enabled: true,
	last_updated: first,
	...more,
});

const office = rule('5f1c7a0e9b3d4c28a6e4d0b7f2913c01', 'skip', 'ip.src in {203.0.113.0/24}', {
	description: 'Office: past everything behind it',
	action_parameters: {ruleset: 'current', phases: ['http_ratelimit']},
	logging: {enabled: true},
});
const admin = rule(
	'5f1c7a0e9b3d4c28a6e4d0b7f2913c02',
	'block',
	'starts_with(http.request.uri.path, "/admin") and not ip.src in {203.0.113.0/24}',
	{
		description: 'Administration from outside',
		action_parameters: {response: {status_code: 404, content_type: 'text/plain', content: 'Not found'}},
	},
);
const login = rule(
	'5f1c7a0e9b3d4c28a6e4d0b7f2913c03',
	'managed_challenge',
	'http.request.uri.path eq "/login" and http.request.method eq "POST"',
	{description: 'Logins'},
);
const scrapers = rule(
	'5f1c7a0e9b3d4c28a6e4d0b7f2913c04',
	'block',
	'lower(http.user_agent) contains "scrapy"',
	{description: 'Scrapers'},
);

/** The custom rules of a zone in two versions, under ids that never change: in the second one a rule is paused, and one is new. */
const versions: readonly JsonObject[] = [
	{version: '1', last_updated: first, rules: [office, admin, login]},
	{
		version: '2',
		last_updated: second,
		rules: [office, admin, {...login, version: '2', enabled: false, last_updated: second}, scrapers],
	},
];

/** Writes the custom rules of a zone that has them; its firewall rules are gone. */
export function addCustomRuleSamples(resources: Resources, zone: string): void {
	if (zone !== migrationZones.done) return;
	retireFirewall({resources}, zone);
	for (const version of versions)
		addRuleset(resources, zone, {
			id: '2d7c4f0b1a9e4e53b8d6c0a3f5e71b20',
			name: 'default',
			description: '',
			kind: 'zone',
			source: 'firewall_custom',
			phase: customPhase,
			...version,
		});
}
