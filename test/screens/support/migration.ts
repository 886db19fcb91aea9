import {
	computeFingerprint,
	type ManagedConfiguration,
} from '../../../source/migration/configuration/configuration.ts';
import {managedRulesets, thresholdRuleId} from '../../../source/migration/configuration/mapping.ts';
import type {Rehearsal} from '../../../source/migration/flow/rehearsal.ts';
import type {Verification} from '../../../source/migration/flow/verification.ts';
import type {MigrationRecord} from '../../../source/migration/journal/record.ts';
import type {Observation} from '../../../source/migration/machine/stage.ts';
import type {MigrationPlan} from '../../../source/migration/plan/plan.ts';
import type {MigrationState} from '../../../source/screens/migration/state.ts';
import {createBuffer} from '../../../source/text/buffer/buffer.ts';
import {buildBareSnapshot} from '../../support/snapshot.ts';

/** Milliseconds since the epoch: 2026-11-21 03:10 UTC. */
export const now = Date.UTC(2026, 10, 21, 3, 10);
export const minutes = (count: number): number => count * 60_000;

export const zone = {
	id: '8311e2d173ef02ba0404f6be43393fec',
	name: 'shop.example',
	plan: 'enterprise',
	label: 'Acme › zone shop.example',
	account: 'Acme',
} as const;

export const override = {
	id: '0eb4a31c59ef17fd0ff3c4f16d3e6f2c',
	urls: ['shop.example/checkout/*'],
	description: 'card payments',
	groups: {},
	rules: {},
	paused: false,
} as const;

export const configuration: ManagedConfiguration = {
	name: 'default',
	rules: [
		{
			action: 'skip',
			expression: 'ip.src in {192.0.2.0/24 198.51.100.0/24}',
			description: 'partners',
			action_parameters: {rulesets: [managedRulesets.owasp.id]},
		},
		{
			action: 'execute',
			expression: 'true',
			action_parameters: {
				id: managedRulesets.owasp.id,
				overrides: {
					rules: [{id: thresholdRuleId, action: 'log', score_threshold: 40}],
					categories: [
						{category: 'paranoia-level-3', enabled: false},
						{category: 'paranoia-level-4', enabled: false},
					],
				},
			},
		},
		{
			action: 'execute',
			expression: 'true',
			enabled: false,
			action_parameters: {
				id: managedRulesets.platform.id,
				overrides: {rules: [{id: '5de7edfa648c4d6891dc3e7f84534ffa', action: 'log'}]},
			},
		},
	],
};

export const configurationFingerprint = computeFingerprint(configuration);

export const plan: MigrationPlan = {
	fingerprint: configurationFingerprint,
	rules: configuration.rules.length,
	sections: [
		{
			title: 'OWASP Core',
			rows: [
				{what: 'sensitivity', now: 'High', after: 'PL2, 40 or higher'},
				{what: 'action', now: 'Simulate', after: 'Log'},
				{what: 'group overrides', now: '4', after: 'not migrated', mark: 'lost'},
			],
		},
		{
			title: 'Managed rules',
			rows: [
				{what: 'group Joomla', now: 'off', after: '12 rules disabled'},
				{what: 'rule 100173', now: 'challenge', after: 'managed challenge', mark: 'same'},
			],
		},
		{
			title: 'Exceptions',
			rows: [
				{what: 'page rule shop.example/static/*', now: 'WAF off', after: 'has no effect', mark: 'warning'},
			],
		},
	],
	warnings: ['The specification says both PL2 for all, and PL1 for Medium and Low.'],
	notMigrated: [
		{
			what: 'OWASP group',
			id: 'de677e5818985db1285d0e80225f06e5',
			setting: 'off',
			next: 'Override its rules.',
		},
	],
	edits: [{about: 'Managed Ruleset', before: 'on', after: 'off'}],
	mapping: [],
	reductions: [],
	weakenedRules: [],
};

export const snapshot = buildBareSnapshot({
	taken: new Date(now - minutes(2)).toISOString(),
	zone,
	check: {compatible: true, migration_state: 'start'},
	overrides: [override],
});

export const previousObservation: Observation = {
	at: now,
	stage: 'previous',
	check: {compatible: true, state: 'start'},
	status: {state: 'start', newWaf: 'disabled', oldWaf: 'enabled', created: undefined, source: undefined},
	entryPoint: {
		id: 'f0e1d2c3b4a5968778695a4b3c2d1e0f',
		version: '7',
		fingerprint: configurationFingerprint,
		rules: 3,
	},
};

export const reviewed = {
	fingerprint: configurationFingerprint,
	proposed: configurationFingerprint,
	rules: 3,
	at: now - minutes(1),
} as const;

export const backup = {
	folder:
		'/home/ada/.local/state/ledge/migrations/simulated/acme/shop.example-8311e2d1/backup-2026-11-21T0308Z',
	objects: 31,
	at: now - minutes(2),
} as const;

export const buildPut = (
	mode: 'validation' | 'pending',
	more: Partial<NonNullable<MigrationRecord['put']>> = {},
) => ({
	mode,
	fingerprint: configurationFingerprint,
	at: now - minutes(3),
	before: {stage: 'previous' as const, version: '7', fingerprint: configurationFingerprint},
	...more,
});

export const verification: Verification = {
	stage: 'complete',
	fingerprint: configurationFingerprint,
	managedRulesets: [
		{...managedRulesets.owasp, activity: 'on', level: 2, threshold: 40},
		{...managedRulesets.platform, activity: 'off'},
		{...managedRulesets.credentials, activity: 'not deployed'},
	],
	sameAsReviewed: true,
	differences: [],
	newWaf: 'enabled',
	oldWaf: 'disabled',
	findings: [],
};

export const rehearsal: Rehearsal = {
	goal: 'pending',
	ended: 'complete',
	fingerprint: configurationFingerprint,
	sameAsPlanned: true,
	differences: [],
	steps: ['The previous version was turned off.'],
};

export const blockedEligibility = {
	eligible: false,
	stage: 'previous',
	blockers: [
		{
			kind: 'URI overrides',
			hinders: true,
			sentence: '1 override by URI has to be deleted first.',
			ids: [override.id],
			next: 'Delete it here.',
		},
		{
			kind: 'firewall rules',
			hinders: true,
			sentence: '201 firewall rules are to be migrated, and 200 is the most.',
			ids: ['372e67954025e0ba6aaa6d586b9e0b59'],
			next: 'Ask the support.',
		},
	],
	unread: {},
	counts: {overrides: 1, firewallRules: 201, longestExpression: 5000},
} as const;

/** A migration that was reviewed, with the given properties replaced. */
export const migrationWith = ({
	record,
	...more
}: Partial<Omit<MigrationState, 'record'>> & {
	readonly record?: Partial<MigrationRecord>;
} = {}): MigrationState => ({
	id: 1,
	zone,
	step: 'review',
	phase: {name: 'asking'},
	record: {state: 'reviewed', reviewed, seen: previousObservation, backup, ...record},
	access: {name: 'open', isResumed: false},
	snapshot,
	eligibility: {
		eligible: true,
		stage: 'previous',
		blockers: [],
		unread: {},
		counts: {overrides: 0, firewallRules: 12, longestExpression: 311},
	},
	initialConfiguration: configuration,
	configuration,
	edits: [],
	plan,
	findings: [],
	view: 'comparison',
	showsProposed: false,
	cursor: 0,
	top: 0,
	furthestTops: {comparison: 0, json: 0},
	goal: 'pending',
	expectedInput: 'name of the zone',
	typedBuffer: createBuffer('', {singleLine: true}),
	backup,
	...more,
});
