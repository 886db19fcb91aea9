import {describe, expect, test} from 'vitest';
import {themeOf} from '../../source/components/theme.ts';
import {Failure} from '../../source/failure.ts';
import {shownFingerprint} from '../../source/migration/configuration.ts';
import {managedRulesets} from '../../source/migration/mapping.ts';
import type {Rehearsal} from '../../source/migration/rehearsal.ts';
import type {Verification} from '../../source/migration/verification.ts';
import {Migration} from '../../source/screens/migration/migration.tsx';
import {widthOf} from '../../source/screens/migration/rows.ts';
import {viewOf} from '../../source/screens/migration/view.ts';
import {blockerRows, type MigrationState, migrationSteps} from '../../source/store/migration-state.ts';
import {columnsOf} from '../../source/text/columns.ts';
import {bufferOf} from '../../source/text/text-buffer.ts';
import {createTestStore} from '../store/support/store.ts';
import {appOf, draw} from './support/drawn.tsx';
import {
	backup,
	configuration,
	digits,
	migrationWith,
	minutes,
	override,
	plan,
	put,
	seen,
	snapshot,
	zone,
} from './support/migration.ts';

const sizes = [
	{columns: 60, rows: 15},
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
] as const;

type Size = {readonly columns: number; readonly rows: number};

/** The rows of a migration as they stand on a terminal of that size. */
async function rowsOf(migration: MigrationState, size: Size = sizes[1]): Promise<readonly string[]> {
	const app = appOf(createTestStore());
	app.store.setState({migration});
	const drawn = draw(app, <Migration />, size);
	await drawn.until(rows => rows.some(row => row !== ''));
	return drawn.rows();
}

/** What is read when scrolled through from the top to the end; of a list, with the cursor on each of its rows. */
async function allRows(migration: MigrationState, size: Size): Promise<readonly string[]> {
	const all: string[] = [];
	if (migration.step === 'blockers')
		for (const cursor of blockerRows(migration).keys())
			all.push(...(await rowsOf({...migration, cursor}, size)));
	const step = Math.max(1, size.rows - 12);
	for (let top = 0; top < 200; top += step) {
		const rows = await rowsOf({...migration, top}, size);
		if (all.length > 0 && rows.join('\n') === all.slice(-rows.length).join('\n')) break;
		all.push(...rows);
	}
	return all;
}

/** Without what stands in the columns of the steps: only letters and digits, so that broken words count as whole. */
const dense = (rows: readonly string[], size: Size): string =>
	rows
		.map(row => (size.columns >= 76 ? row.slice(size.columns < 110 ? 20 : 31) : row))
		.join('')
		.replaceAll(/\s/g, '');

const verification: Verification = {
	stage: 'complete',
	fingerprint: digits,
	managedRulesets: [
		{...managedRulesets.owasp, deployed: true, enabled: true, level: 2, threshold: 40},
		{...managedRulesets.platform, deployed: true, enabled: false},
		{...managedRulesets.credentials, deployed: false, enabled: false},
	],
	sameAsReviewed: true,
	differences: [],
	newWaf: 'enabled',
	oldWaf: 'disabled',
	findings: [],
};

const rehearsal: Rehearsal = {
	goal: 'pending',
	ended: 'complete',
	fingerprint: digits,
	sameAsPlanned: true,
	differences: [],
	mapping: [],
	cannotShow: ['How real requests are judged.'],
	steps: [{sentence: 'The previous version was turned off.', calls: ['PUT /zones/x → 200']}],
};

const blocked = {
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
	counts: {overrides: 1, firewallRules: 201, longestExpression: 5000},
} as const;

const failure = new Failure('not_eligible', 'The zone is not eligible.', {
	why: 'It has an override.',
	next: 'Delete it.',
});

/** Every step and phase that a person can come to, each with what must be seen in it. */
const situations: Readonly<
	Record<string, {readonly migration: MigrationState; readonly shows: readonly string[]}>
> = {
	zone: {migration: migrationWith({step: 'zone'}), shows: [zone.name, zone.id, 'enterprise', 'Acme']},
	'a zone taken up again': {
		migration: migrationWith({step: 'zone', isResumed: true}),
		shows: [zone.name, shownFingerprint(digits), 'and nothing sent', 'Go on'],
	},
	reading: {
		migration: migrationWith({step: 'zone', phase: {name: 'reading', what: 'rules', objects: 17}}),
		shows: ['Reading rules', '17 objects', 'esc stops it'],
	},
	eligibility: {
		migration: migrationWith({step: 'eligibility'}),
		shows: ['can migrate', 'previous version only', '"start"', 'version 7', '12 firewall rules', '311 bytes'],
	},
	'not eligible': {
		migration: migrationWith({step: 'eligibility', eligibility: blocked, record: {state: 'blocked'}}),
		shows: ['not eligible', '201', '5,000'],
	},
	'moved on': {
		migration: migrationWith({step: 'eligibility', record: {state: 'moved on'}}),
		shows: ['Someone else', zone.name, 'I have seen'],
	},
	'unknown stage': {
		migration: migrationWith({
			step: 'eligibility',
			record: {
				state: 'unknown stage',
				seen: {...seen, stage: 'unknown', check: {compatible: true, state: 'warp'}, status: undefined},
			},
		}),
		shows: ['nobody has seen', 'nothing is written', '"warp"'],
	},
	blockers: {
		migration: migrationWith({step: 'blockers', eligibility: blocked, cursor: 1}),
		shows: [override.id, 'card payments', '372e67954025e0ba6aaa6d586b9e0b59', 'Ask the support', 'backed up'],
	},
	'no blockers': {migration: migrationWith({step: 'blockers'}), shows: ['Nothing stands against', zone.name]},
	'deleting an override': {
		migration: migrationWith({
			step: 'blockers',
			eligibility: blocked,
			phase: {name: 'deleting', id: override.id},
		}),
		shows: ['Deleting override', override.id],
	},
	review: {
		migration: migrationWith({step: 'review'}),
		shows: [
			shownFingerprint(digits),
			'3 rules',
			'PL2, 40 or higher',
			'12 rules disabled',
			'has no effect',
			'recreated by hand',
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
		shows: ['5de7edfa648c4d6891dc3e7f84534ffa: log', '1 difference to the proposal'],
	},
	path: {migration: migrationWith({step: 'path'}), shows: ['Validation first', 'Direct', 'cannot be undone']},
	'path without Enterprise': {
		migration: migrationWith({step: 'path', zone: {...zone, plan: 'pro'}}),
		shows: ['Only Enterprise zones have validation; this one is pro.'],
	},
	rehearse: {
		migration: migrationWith({step: 'rehearse'}),
		shows: ['simulated service', zone.name, 'only read'],
	},
	rehearsing: {
		migration: migrationWith({step: 'rehearse', phase: {name: 'rehearsing', step: 'turning off'}}),
		shows: ['Rehearsing: turning off', 'Nothing of it reaches the zone'],
	},
	rehearsed: {
		migration: migrationWith({step: 'rehearse', rehearsal}),
		shows: ['As planned', shownFingerprint(digits), 'How real requests are judged', 'turned off'],
	},
	'rehearsed otherwise': {
		migration: migrationWith({
			step: 'rehearse',
			rehearsal: {
				...rehearsal,
				sameAsPlanned: false,
				ended: 'moved on',
				differences: [{about: 'rule 2', before: 'on', after: 'off'}],
			},
		}),
		shows: ['Not as planned', '"moved on"', 'rule 2', 'planned', 'was there'],
	},
	confirm: {
		migration: migrationWith({step: 'confirm'}),
		shows: [
			`turns the previous managed rules off for ${zone.name}, and cannot be undone`,
			'waf_migration=pending&phase_two=1',
			`3 rules, fingerprint ${shownFingerprint(digits)}`,
			backup.folder,
			'31 objects',
			"Type the zone's name",
		],
	},
	'confirm validation': {
		migration: migrationWith({step: 'confirm', goal: 'validation'}),
		shows: ['before the live traffic', zone.name, 'No way back', 'waf_migration=validation&phase_two=1'],
	},
	'confirm what was not reviewed': {
		migration: migrationWith({step: 'confirm', record: {state: 'eligible', reviewed: undefined}}),
		shows: ['not what was reviewed'],
	},
	'confirm what deploys nothing': {
		migration: migrationWith({
			step: 'confirm',
			asks: 'further word',
			configuration: {name: 'default', rules: []},
		}),
		shows: ['no managed ruleset at all', '"unprotected"'],
	},
	sending: {
		migration: migrationWith({
			step: 'deploy',
			phase: {name: 'sending', mode: 'pending'},
			record: {state: 'sending deploy', put: put('pending')},
		}),
		shows: ['turns the previous version off', 'cannot be called back', shownFingerprint(digits)],
	},
	'in doubt': {
		migration: migrationWith({
			step: 'deploy',
			phase: {name: 'looking', until: Date.UTC(2026, 10, 21, 3, 15)},
			record: {
				state: 'deploy in doubt',
				put: put('pending', {came: 'lost', why: 'the connection was reset'}),
			},
		}),
		shows: ['03:15 UTC', 'Nothing is sent again', 'the connection was reset'],
	},
	'doubt that nobody settled': {
		migration: migrationWith({
			step: 'deploy',
			record: {state: 'deploy in doubt', put: put('pending', {came: 'lost'})},
		}),
		shows: ['not known', 'never sent again by itself', 'Look at what is there now'],
	},
	refused: {
		migration: migrationWith({
			step: 'deploy',
			record: {state: 'not taken', put: put('pending', {came: 'refused', why: 'unknown field "x"'})},
		}),
		shows: ['refused it: nothing changed', 'unknown field "x"'],
	},
	'never arrived': {
		migration: migrationWith({
			step: 'deploy',
			record: {state: 'not taken', put: put('pending', {came: 'given up'})},
		}),
		shows: ['not there after five minutes', 'new confirmation'],
	},
	validating: {
		migration: migrationWith({
			step: 'watch',
			record: {
				state: 'validating',
				validatingSince: Date.now() - minutes(12),
				seen: {...seen, stage: 'validation'},
				put: put('validation', {came: 'accepted'}),
			},
		}),
		shows: [
			'Both versions are on',
			zone.name,
			'12 min',
			'activity log',
			'security events',
			'Ready to update',
		],
	},
	'validating other rules than were sent': {
		migration: migrationWith({
			step: 'watch',
			record: {
				state: 'validating',
				seen: {
					...seen,
					stage: 'validation',
					entryPoint: {id: 'e', version: '2', fingerprint: 'b'.repeat(16), rules: 1},
				},
				put: put('validation', {came: 'accepted'}),
			},
		}),
		shows: ['Both versions are on', 'not what was reviewed and sent'],
	},
	'ready to update': {
		migration: migrationWith({
			step: 'watch',
			record: {state: 'ready to update', seen: {...seen, stage: 'validation'}},
		}),
		shows: ['cannot be undone', 'Turn off previous version'],
	},
	finishing: {
		migration: migrationWith({
			step: 'watch',
			phase: {name: 'watching'},
			watched: {since: Date.now() - minutes(9), at: Date.now() - minutes(1)},
			record: {
				state: 'finishing',
				seen: {
					...seen,
					stage: 'pending',
					status: {
						state: 'pending',
						newWaf: 'enabled',
						oldWaf: 'enabled',
						created: undefined,
						source: undefined,
					},
				},
			},
		}),
		shows: [
			'being turned off',
			zone.name,
			'minutes to an hour',
			'"pending"',
			'since 9 min ago',
			'may be closed',
		],
	},
	done: {
		migration: migrationWith({
			step: 'done',
			verification,
			report: '/home/ada/.local/state/ledge/report.md',
			record: {
				state: 'complete',
				seen: {...seen, stage: 'complete'},
				put: put('pending', {came: 'accepted'}),
			},
		}),
		shows: [
			'is migrated: the new version only',
			'OWASP Core Ruleset, deployed, enabled, PL2, score 40 or higher',
			'Managed Ruleset, deployed, not enabled',
			'Exposed Credentials Check, not deployed',
			'no global switch',
			'de677e5818985db1285d0e80225f06e5',
			'/home/ada/.local/state/ledge/report.md',
			backup.folder,
		],
	},
	'done otherwise': {
		migration: migrationWith({
			step: 'done',
			verification: {
				...verification,
				sameAsReviewed: false,
				differences: [{about: 'rule 3', before: 'off', after: 'on'}],
				findings: ['What is deployed is not what was reviewed.'],
			},
			record: {state: 'complete'},
		}),
		shows: ['not what was reviewed', 'rule 3'],
	},
	failure: {
		migration: migrationWith({step: 'confirm', failure}),
		shows: ['The zone is not eligible.', 'It has an override.', 'Delete it.'],
	},
	'what is not in the journal': {
		migration: migrationWith({
			step: 'watch',
			unkept: new Failure('file_failed', 'The journal cannot be written.', {why: 'The disk is full.'}),
			record: {state: 'validating'},
		}),
		shows: ['The journal cannot be written.', 'The disk is full.', 'not in the journal', 'Ready to update'],
	},
	'confirm with a backup that lacks something': {
		migration: migrationWith({
			step: 'confirm',
			asks: 'word about the backup',
			failure: new Failure('unconfirmed', 'The backup is not complete; nothing was sent.', {
				why: 'Not read: the URI-based overrides (403)',
			}),
		}),
		shows: ['the URI-based overrides (403)', '"incomplete"'],
	},
	held: {
		migration: migrationWith({
			step: 'review',
			held: new Failure('job_running', 'Another process works on this zone.'),
		}),
		shows: ['Another process works on this zone.'],
	},
};

const named = Object.entries(situations).flatMap(([name, situation]) =>
	sizes.map(size => ({name, size, columns: size.columns, rows: size.rows, ...situation})),
);

test.each(named)('$name: all that matters is there, whole, at $columns×$rows', async ({
	migration,
	shows,
	size,
}) => {
	const text = dense(await allRows(migration, size), size);
	for (const wanted of shows) expect(text).toContain(wanted.replaceAll(/\s/g, ''));
});

test.each(named)('$name: no row is too wide or too many, at $columns×$rows', async ({migration, size}) => {
	const rows = await rowsOf(migration, size);
	expect(Math.max(...rows.map(columnsOf))).toBeLessThanOrEqual(size.columns);
	expect(rows.length).toBeLessThanOrEqual(size.rows - 4);
});

test.each(named)('$name: every row fits where it stands, at $columns×$rows', ({migration, size}) => {
	const {marks} = themeOf('dark', true);
	const {layout, body, tail} = viewOf(migration, size, marks, Date.now());
	for (const row of [...body.rows, ...tail]) expect(widthOf(row)).toBeLessThanOrEqual(layout.columns);
	for (const row of layout.side === undefined ? [] : (body.side ?? []))
		expect(widthOf(row)).toBeLessThanOrEqual(layout.side ?? 0);
});

test.each(
	migrationSteps.flatMap(step => sizes.map(size => ({step, size, ...size}))),
)('$step is named, at $columns×$rows', async ({step, size}) => {
	const rows = await rowsOf(migrationWith({step}), size);
	expect(rows.join('\n')).toMatch(
		size.rows === 15
			? new RegExp(`step ${migrationSteps.indexOf(step) + 1} of 11 · ${step}`)
			: new RegExp(`[●×] ${step}`),
	);
});

describe('the way ahead', () => {
	test('all steps stand beside the text at 80×24, with the border before deployment', async () => {
		const rows = await rowsOf(migrationWith({step: 'review'}));
		const marks = rows.map(row => row.slice(0, 20).trim()).filter(Boolean);
		expect(marks).toEqual([
			'✓ zone',
			'✓ eligibility',
			'✓ blockers',
			'● review',
			'○ edit',
			'○ path',
			'○ rehearse',
			'○ confirm',
			'─ no documented ─',
			'─ way back ─',
			'○ deploy',
			'○ watch',
			'○ done',
		]);
	});

	test('a wide screen has the comparison and, beside it, what is lost and changed', async () => {
		const rows = await rowsOf(migrationWith({step: 'review'}), sizes[2]);
		const at = (text: string) => rows.findIndex(row => row.includes(text));
		expect(at('OWASP Core')).toBeGreaterThanOrEqual(0);
		expect(rows[0]).toContain('PL1 for Medium and Low');
		expect(rows.join('\n')).toContain('Changed by you');
	});

	test('scrolling reaches the end of the comparison, and says how much more there is before', async () => {
		const small = sizes[0];
		const first = await rowsOf(migrationWith({step: 'review'}), small);
		expect(first.join('\n')).toMatch(/… \d+ more rows/);
		const last = await rowsOf(migrationWith({step: 'review', top: 1000}), small);
		expect(last.join('\n')).not.toMatch(/more rows/);
	});
});

describe('what is deployed in the end', () => {
	const done = (wanted: typeof configuration) =>
		rowsOf(
			migrationWith({step: 'done', verification, configuration: wanted, record: {state: 'complete'}}),
			sizes[2],
		);
	const markOf = (rows: readonly string[], name: string) =>
		rows
			.find(row => row.includes(name))
			?.slice(31)
			.trim()[0];

	test('does not warn of what was not meant to be deployed', async () => {
		const rows = await done(configuration);
		expect(markOf(rows, 'Exposed Credentials Check, not deployed')).toBe('–');
		expect(markOf(rows, 'Managed Ruleset, deployed, not enabled')).toBe('–');
	});

	test('warns of what was reviewed as deployed and is not', async () => {
		const rule = {
			action: 'execute',
			expression: 'true',
			action_parameters: {id: managedRulesets.credentials.id},
		};
		const rows = await done({...configuration, rules: [...configuration.rules, rule]});
		expect(markOf(rows, 'Exposed Credentials Check, not deployed')).toBe('!');
	});

	test('says what is not as it should be', async () => {
		const findings = ['No managed ruleset is on.'];
		const rows = await rowsOf(
			migrationWith({
				step: 'done',
				verification: {...verification, findings},
				record: {state: 'complete'},
			}),
			sizes[2],
		);
		expect(rows.join('\n')).toContain('! No managed ruleset is on.');
	});
});

describe('the point of no return', () => {
	test.each([
		'pending',
		'validation',
	] as const)('has all that counts in sight at once, at 60×15 (%s)', async goal => {
		const size = sizes[0];
		const text = dense(await rowsOf(migrationWith({step: 'confirm', goal}), size), size);
		for (const wanted of [
			zone.name,
			goal === 'pending' ? 'cannot be undone' : 'No way back',
			`waf_migration=${goal}`,
			shownFingerprint(digits),
			'31 objects',
			"Type the zone's name",
		])
			expect(text).toContain(wanted.replaceAll(/\s/g, ''));
	});

	test('has what is typed below what it asks for', async () => {
		const rows = await rowsOf(
			migrationWith({step: 'confirm', typed: bufferOf('shop.ex', {singleLine: true})}),
		);
		const asked = rows.findIndex(row => row.includes("Type the zone's name"));
		expect(rows[asked + 1]).toContain('shop.ex');
	});

	test('asks nothing of somebody who may only look', async () => {
		const held = new Failure('job_running', 'Another process works on this zone.');
		expect((await rowsOf(migrationWith({step: 'confirm', held}))).join('')).not.toContain('Type');
	});
});

describe('data of others', () => {
	const hostile = '\u001b[2J\u202egnp.exe\r\n\u0007名前\u009b31m';

	test.each(sizes)('does nothing to the terminal and keeps its rows, at $columns×$rows', async size => {
		const states = [
			migrationWith({step: 'zone', zone: {...zone, name: hostile, account: hostile}}),
			migrationWith({
				step: 'eligibility',
				record: {
					state: 'unknown stage',
					seen: {
						...seen,
						stage: 'unknown',
						check: {compatible: false, state: hostile},
						status: {state: hostile, newWaf: hostile, oldWaf: hostile, created: hostile, source: hostile},
					},
				},
				snapshot: {...snapshot, unread: [{what: hostile, why: hostile}]},
			}),
			migrationWith({
				step: 'blockers',
				snapshot: {...snapshot, overrides: [{...override, description: hostile, urls: [hostile]}]},
				eligibility: {
					...blocked,
					blockers: blocked.blockers.map(one => ({...one, sentence: hostile, next: hostile})),
				},
			}),
			migrationWith({
				step: 'review',
				plan: {
					...plan,
					sections: [{title: hostile, rows: [{what: hostile, now: hostile, after: hostile}]}],
					warnings: [hostile],
					notMigrated: [{what: hostile, id: hostile, setting: hostile, next: hostile}],
				},
			}),
			migrationWith({
				step: 'edit',
				configuration: {
					name: hostile,
					rules: [
						...configuration.rules,
						{action: hostile, expression: hostile, description: hostile, action_parameters: {id: hostile}},
					],
				},
				cursor: 9,
			}),
			migrationWith({
				step: 'review',
				view: 'json',
				configuration: {name: hostile, rules: [{action: 'log', expression: hostile}]},
			}),
			migrationWith({
				step: 'rehearse',
				rehearsal: {...rehearsal, cannotShow: [hostile], steps: [{sentence: hostile, calls: [hostile]}]},
			}),
			migrationWith({step: 'confirm', zone: {...zone, name: hostile}, backup: {...backup, folder: hostile}}),
			migrationWith({
				step: 'deploy',
				record: {state: 'not taken', put: put('pending', {came: 'refused', why: hostile})},
			}),
			migrationWith({
				step: 'done',
				verification: {
					...verification,
					newWaf: hostile,
					managedRulesets: [{...managedRulesets.owasp, name: hostile, deployed: true, enabled: true}],
				},
				report: hostile,
				record: {state: 'complete'},
			}),
			migrationWith({
				step: 'watch',
				failure: new Failure('refused_by_service', hostile, {why: hostile, next: hostile}),
			}),
		];
		for (const migration of states) {
			const rows = await rowsOf(migration, size);
			expect(Math.max(...rows.map(columnsOf))).toBeLessThanOrEqual(size.columns);
			expect(rows.length).toBeLessThanOrEqual(size.rows - 4);
			expect(rows.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
		}
	});
});
