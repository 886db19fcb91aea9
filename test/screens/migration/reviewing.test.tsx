import {describe} from 'vitest';
import {Failure} from '../../../source/failure.ts';
import {formatFingerprint} from '../../../source/migration/configuration/configuration.ts';
import {managedRulesets} from '../../../source/migration/configuration/mapping.ts';
import {configurationFingerprint, migrationWith, plan} from '../support/migration.ts';
import {type Situations, testSituations} from '../support/migration-rows.tsx';

const weakenedRule = 'Managed Ruleset: "Query #2" block → log, blocks less.';

const situations: Situations = {
	'review of a weaker rule': {
		migration: migrationWith({step: 'review', plan: {...plan, weakenedRules: [weakenedRule]}}),
		shows: [weakenedRule],
	},
	'confirmation of a weaker rule': {
		migration: migrationWith({step: 'confirm', plan: {...plan, weakenedRules: [weakenedRule]}}),
		shows: [weakenedRule],
	},
	review: {
		migration: migrationWith({step: 'review'}),
		shows: [
			formatFingerprint(configurationFingerprint),
			'3 rules',
			'PL2, 40 or higher',
			'12 rules disabled',
			'has no effect',
			'recreate manually',
			'de677e5818985db1285d0e80225f06e5',
		],
	},
	'review as JSON': {
		migration: migrationWith({step: 'review', view: 'json'}),
		shows: [
			managedRulesets.owasp.id,
			'score_threshold',
			'5de7edfa648c4d6891dc3e7f84534ffa',
			'198.51.100.0/24',
		],
	},
	'review of what cannot be sent': {
		migration: migrationWith({
			step: 'review',
			findings: [{severity: 'error', rule: 1, sentence: 'It skips nothing.'}],
		}),
		shows: ['Rule 2: It skips nothing.', 'cannot be sent'],
	},
	edit: {
		migration: migrationWith({step: 'edit', cursor: 0}),
		shows: ['partners', 'execute OWASP Core Ruleset', 'paranoia level PL2', 'ip.src in {192.0.2.0/24'],
	},
	'edit of an override': {
		migration: migrationWith({step: 'edit', cursor: 5}),
		shows: ['5de7edfa648c4d6891dc3e7f84534ffa: log', '1 change to the proposal'],
	},
	held: {
		migration: migrationWith({
			step: 'review',
			access: {
				name: 'held',
				failure: new Failure('job_running', 'Another process is using this zone.'),
			},
		}),
		shows: ['Another process is using this zone.'],
	},
};

describe('the future configuration and its edits', () => testSituations(situations));
