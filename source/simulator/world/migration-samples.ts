import type {JsonObject} from '../../text/json.ts';
import {managedRulesPhase} from '../rulesets/phase-names.ts';
import {deriveGroupId, deriveRuleId, packageIds} from '../waf/catalogue.ts';
import {newManagedRulesets, owaspThresholdRuleId} from '../waf/managed-ids.ts';
import {type Deviations, setDeviations} from '../waf/previous-waf.ts';
import {getStoredOverrides} from '../waf/stored-overrides.ts';
import {getStoredPageRules} from '../waf/stored-page-rules.ts';
import type {WorldDatabase} from './database.ts';
import type {Resources} from './resources.ts';
import {addRuleset, addStage} from './seeded-world.ts';
import {migrationZones} from './zones.ts';

/** Builders of the settings that differ from the defaults of the previous managed rules, by zone id. */
const deviationBuilders: Readonly<Record<string, () => Deviations>> = {
	[migrationZones.acme]: () => ({
		packages: {[packageIds.owasp]: {sensitivity: 'medium', action_mode: 'simulate'}},
		groups: {
			[deriveGroupId('Platform Flash')]: 'off',
			[deriveGroupId('Platform Plone')]: 'on',
			[deriveGroupId('OWASP Bad Robots')]: 'off',
			[deriveGroupId('OWASP Tight Security')]: 'on',
		},
		rules: {
			[deriveRuleId('Platform WordPress', 3)]: 'simulate',
			[deriveRuleId('Platform WordPress', 12)]: 'disable',
			[deriveRuleId('Platform WordPress', 61)]: 'off',
			[deriveRuleId('Platform Specials', 8)]: 'challenge',
			[deriveRuleId('Platform Specials', 11)]: 'block',
			[deriveRuleId('Requested Bots', 2)]: 'disable',
			'960006': 'off',
			'981231': 'off',
		},
	}),
	[migrationZones.shop]: () => ({
		packages: {[packageIds.owasp]: {sensitivity: 'low', action_mode: 'block'}},
		groups: {[deriveGroupId('Platform Plone')]: 'on'},
		rules: {[deriveRuleId('Platform Magento', 4)]: 'simulate', [deriveRuleId('Platform PHP', 9)]: 'disable'},
	}),
	[migrationZones.pay]: () => ({
		packages: {[packageIds.owasp]: {sensitivity: 'high', action_mode: 'challenge'}},
		rules: {[deriveRuleId('Platform Miscellaneous', 1)]: 'challenge', '960032': 'off'},
	}),
	[migrationZones.legacy]: () => ({
		packages: {[packageIds.owasp]: {sensitivity: 'medium', action_mode: 'block'}},
		groups: {[deriveGroupId('Platform Drupal')]: 'off'},
	}),
	[migrationZones.check]: () => ({
		packages: {[packageIds.owasp]: {sensitivity: 'default', action_mode: 'challenge'}},
		rules: {[deriveRuleId('Platform PHP', 2)]: 'simulate'},
	}),
	[migrationZones.plain]: () => ({packages: {[packageIds.owasp]: {sensitivity: 'off'}}}),
};

/** URI-based overrides, which block a migration. One contains control sequences. */
const overrides: readonly JsonObject[] = [
	{
		id: '94a1d7ce5d80bd3a8c1dcd8b40eb6f0a',
		urls: ['acme-legacy.example/wp-admin/*'],
		rules: {
			[deriveRuleId('Platform WordPress', 1)]: 'disable',
			[deriveRuleId('Platform WordPress', 2)]: 'simulate',
		},
		rewrite_action: {block: 'challenge'},
		paused: false,
		priority: 1,
		description: 'Editors upload plug-ins',
	},
	{
		id: 'de677e5818985db1285d0e80225f06e5',
		urls: ['acme-legacy.example/api/*', '*.acme-legacy.example/api/*'],
		groups: {[deriveGroupId('Platform Specials')]: 'default'},
		rewrite_action: {challenge: 'block', simulate: 'disable'},
		paused: false,
		priority: -10,
		description: '\u001b]0;owned\u0007Login \u202egnp.exe\u202c "; rm -rf / #\r\n\u001b[2J $(id)',
	},
	{
		id: '1ea1c5a2d2e3c35b87f6c0a36c14eb66',
		urls: ['acme-legacy.example/müller/東京*'],
		groups: {[deriveGroupId('Platform PHP')]: 'disable'},
		paused: true,
		priority: 0,
		description: '',
	},
];

const buildPageRule = (
	id: string,
	urlPattern: string,
	action: JsonObject,
	extraFields: JsonObject = {},
): JsonObject => ({
	id,
	targets: [{target: 'url', constraint: {operator: 'matches', value: urlPattern}}],
	actions: [action],
	status: 'active',
	priority: 1,
	...extraFields,
});

const pageRules: Readonly<Record<string, readonly JsonObject[]>> = {
	[migrationZones.acme]: [
		buildPageRule('9a7806061c88ada191ed06f989cc3dac', 'acme.example/internal/*', {id: 'disable_security'}),
		buildPageRule('3c25cd1f7ab3f0ef6fd3dcb1ce1c9ff1', 'https://acme.example/upload/*', {
			id: 'waf',
			value: 'off',
		}),
		buildPageRule(
			'f16dcbb2dd9f4f8ea9a0cba0e7d4c1aa',
			'*.acme.example/old/*',
			{id: 'waf', value: 'off'},
			{
				status: 'disabled',
			},
		),
		buildPageRule('0f0e2c47c3a3e0b1d4e3c6bb5ad3f5b2', 'acme.example/login*', {id: 'waf', value: 'on'}),
		buildPageRule('c2a7b1d05f5e6f9ad0b7cf7b1f7d7e13', 'acme.example/winter', {
			id: 'forwarding_url',
			value: {url: 'https://acme.example/', status_code: 302},
		}),
	],
	[migrationZones.shop]: [
		buildPageRule('6b1f0d3de2b0cc6a5f0c9c1a7d0a4b20', 'acme-shop.example/feed/*', {id: 'disable_security'}),
	],
	[migrationZones.pay]: [
		buildPageRule('51c0a9ab3d1f4a7c8b7e0a9be5c6d7f8', 'acme-pay.example/pay/*', {id: 'waf', value: 'on'}),
		buildPageRule('a8d3c0e1f2b34c5d6e7f8091a2b3c4d5', 'acme-pay.example/callback', {id: 'waf', value: 'off'}),
	],
};

/**
 * Writes a zone's previous managed rules, what blocks their migration, and its stage as of `now`, in
 * milliseconds.
 */
export function addMigrationSamples(
	database: WorldDatabase,
	resources: Resources,
	zoneId: string,
	now: number,
): void {
	const buildDeviations = deviationBuilders[zoneId];
	if (buildDeviations) setDeviations(resources, zoneId, buildDeviations());
	for (const rule of pageRules[zoneId] ?? []) getStoredPageRules({resources}, zoneId).put(rule);
	switch (zoneId) {
		case migrationZones.legacy:
			for (const override of overrides) getStoredOverrides({resources}, zoneId).put(override);
			return;
		case migrationZones.bulk:
			addManyBypassRules(database);
			return;
		case migrationZones.long:
			addLongBypassRule(resources);
			return;
		case migrationZones.check:
			addRuleset(resources, zoneId, buildEntryPoint('5c1b7a0e4d3f4c2b9a8e7d6c5b4a3f21', 'log'));
			addStage(resources, zoneId, 'validation', now);
			return;
		case migrationZones.migrating:
			addRuleset(resources, zoneId, buildEntryPoint('7e2d8b1f5c4a4d3e8b9f6c5d4a3b2e10', 'block'));
			addStage(resources, zoneId, 'pending', now);
			return;
		case migrationZones.done:
			addRuleset(resources, zoneId, buildEntryPoint('8f3e9c2a6d5b4e4f9c8a7d6e5b4c3f09', 'managed_challenge'));
			addStage(resources, zoneId, 'complete', now);
			return;
		default:
	}
}

const bypassCount = 230;

/**
 * Adds more bypass rules than can be migrated. Runs inside SQLite, because a loop in JavaScript would take
 * longer than all other samples.
 */
function addManyBypassRules(database: WorldDatabase): void {
	const insertNumberedObjects = (kind: string, id: string, body: string) =>
		database
			.prepare(
				`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${bypassCount})
				INSERT INTO resources (kind, parent, id, body) SELECT ?, ?, printf('${id}', n), ${body} FROM numbers`,
			)
			.run(kind, migrationZones.bulk);
	const filterIdFormat = 'b17e00000000000000000000f1%06x';
	const ruleIdFormat = 'b17e00000000000000000000a1%06x';
	insertNumberedObjects(
		'filter',
		filterIdFormat,
		`json_object('id', printf('${filterIdFormat}', n), 'expression',
			printf('ip.src eq 198.51.100.%d and http.request.uri.path eq "/partner/%03d"', n % 250 + 1, n),
			'paused', json('false'))`,
	);
	insertNumberedObjects(
		'firewall-rule',
		ruleIdFormat,
		`json_object('id', printf('${ruleIdFormat}', n), 'paused', json(CASE n % 40 WHEN 0 THEN 'true' ELSE 'false' END),
			'action', 'bypass', 'priority', NULL, 'products', json('["waf"]'),
			'description', printf('Partner %03d', n), 'filter', printf('${filterIdFormat}', n))`,
	);
}

/** Adds a bypass rule whose expression is too large to migrate. */
function addLongBypassRule(resources: Resources): void {
	const filterId = '4d1c6b7a8e9f4a5b8c7d6e5f4a3b2c1d';
	const ruleId = '2e1f0d9c8b7a4f6e9d8c7b6a5f4e3d2c';
	const networks = Array.from({length: 250}, (_, index) => `2001:db8:${(index + 16).toString(16)}::/48`);
	resources.set('filter', migrationZones.long, filterId, {
		id: filterId,
		expression: `ip.src in {${networks.join(' ')}}`,
		paused: false,
		description: 'Every branch office by itself',
	});
	resources.set('firewall-rule', migrationZones.long, ruleId, {
		id: ruleId,
		paused: false,
		action: 'bypass',
		priority: null,
		products: ['waf'],
		description: 'Branch offices',
		filter: filterId,
	});
}

const updateTime = '2026-10-01T03:10:00.000000Z';

/** Builds the entry point that executes the managed rulesets. */
function buildEntryPoint(id: string, action: string): JsonObject & {readonly id: string} {
	const buildRule = (number: number, rulesetId: string, overrides: JsonObject): JsonObject => ({
		id: `${id.slice(0, 30)}0${number}`,
		version: '1',
		ref: `${id.slice(0, 30)}0${number}`,
		action: 'execute',
		action_parameters: {version: 'latest', id: rulesetId, overrides},
		expression: 'true',
		description: '',
		enabled: true,
		last_updated: updateTime,
	});
	return {
		id,
		kind: 'zone',
		name: 'default',
		description: '',
		source: 'firewall_managed',
		phase: managedRulesPhase,
		rules: [
			buildRule(1, newManagedRulesets.platform.id, {
				rules: [{id: deriveRuleId('Platform PHP', 2), action: 'log', enabled: true}],
			}),
			buildRule(2, newManagedRulesets.owasp.id, {
				categories: [3, 4].map(level => ({category: `paranoia-level-${level}`, enabled: false})),
				rules: [{id: owaspThresholdRuleId, score_threshold: 40, action}],
			}),
		],
		version: '1',
		last_updated: updateTime,
	};
}
