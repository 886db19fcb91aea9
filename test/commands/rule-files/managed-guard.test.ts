import {describe, expect, test} from 'vitest';
import {migrated, phases, type RulesTest, startRulesTest} from './support.ts';

/** Sample zones that have not completed their migration, by what they report. */
const otherZones = {
	previous: {id: 'd0e032749968114a09730950255c7c0f', name: 'acme.example'},
	validation: {id: 'c4e8a1f05b3d4c7e8f9a0b1c2d3e4f52', name: 'check.acme.example'},
	pending: {id: '5d2f8e1c4a7b4d3f9e6c0a1b2c3d4e63', name: 'turning.acme.example'},
};

const managedRules = `managed_rules:
  - action: execute
    expression: "true"
    action_parameters:
      id: efb7b8c949ac4650a09736fc376e9aee
`;
const customRules = 'custom_rules:\n  - action: block\n    expression: ssl\n';

const listManagedWrites = (writes: readonly string[]) =>
	writes.filter(write => write.includes(phases.managed) || write.includes('waf_migration'));

const respond = (status: number, body: object) =>
	new Response(JSON.stringify(body), {status, headers: {'content-type': 'application/json'}});
const refuse = (status: number, code: number) =>
	respond(status, {success: false, result: null, messages: [], errors: [{code, message: 'no'}]});
const accept = (result: unknown) => respond(200, {success: true, result, messages: [], errors: []});

const isStageRead = ({url}: Request) => url.includes('/waf_migration/');

describe('managed rules of a zone that has not completed its migration', () => {
	for (const [stage, zone] of Object.entries(otherZones))
		test(`are never sent in the stage ${stage}, and the other phases are`, async () => {
			const rulesTest = await startRulesTest({migrationSeconds: 3600});
			rulesTest.write('rules.yaml', customRules + managedRules);
			const {code, stderr} = await rulesTest.run(
				['apply', 'rules.yaml', '--confirm', zone.name, '--yes'],
				zone,
			);
			expect(code, stderr).toBe(1);
			expect(stderr).toContain('managed rules: left out.');
			const writes = rulesTest.takeWrites();
			expect(listManagedWrites(writes)).toEqual([]);
			expect(writes).toHaveLength(1);
			expect(stderr).toContain('Applied custom rules');
		});

	test('are neither sent by a file that has only them', async () => {
		const rulesTest = await startRulesTest();
		rulesTest.write('rules.yaml', managedRules);
		const zone = otherZones.previous;
		const {code, stderr} = await rulesTest.run(['apply', 'rules.yaml', '--confirm', zone.name], zone);
		expect(code).toBe(1);
		expect(stderr).toContain('Nothing to send.');
		expect(rulesTest.takeWrites()).toEqual([]);
		const difference = await rulesTest.run(['diff', 'rules.yaml', '--exit-code'], zone);
		expect(difference.code).toBe(1);
		expect(difference.stdout).toContain('managed rules: left out.');
	});

	test('are neither restored by an empty list', async () => {
		const rulesTest = await startRulesTest();
		rulesTest.write('rules.yaml', 'managed_rules: []\n');
		for (const zone of Object.values(otherZones))
			await rulesTest.run(['apply', 'rules.yaml', '--confirm', zone.name], zone);
		expect(rulesTest.takeWrites()).toEqual([]);
	});
});

/** What the service reports of the migration, in place of the truth. */
const reports: Readonly<Record<string, (request: Request) => Response | undefined>> = {
	'that it has not begun': request =>
		isStageRead(request)
			? accept(
					request.url.includes('/check')
						? {compatible: true, migration_state: 'start'}
						: {migration_state: 'start', old_waf_status: 'enabled', new_waf_status: 'disabled'},
				)
			: undefined,
	'an unknown state': request =>
		isStageRead(request) ? accept({compatible: false, migration_state: 'other'}) : undefined,
	'nothing, as the credential lacks the permission': request =>
		isStageRead(request) ? refuse(403, 9109) : undefined,
	'nothing, as the endpoint is gone': request => (isStageRead(request) ? refuse(410, 1) : undefined),
	'nothing, as it fails': request => (isStageRead(request) ? refuse(500, 1) : undefined),
};

/** Applies a change of managed rules to the migrated zone; the service reports this from the nth stage read on. */
async function applyWithReport(
	rulesTest: RulesTest,
	report: (request: Request) => Response | undefined,
	firstRead: number,
) {
	const {stdout} = await rulesTest.run(['export']);
	rulesTest.write('rules.yaml', stdout.replace('score_threshold: 40', 'score_threshold: 25'));
	rulesTest.takeRequests();
	let readCount = 0;
	rulesTest.setHook((_index, request) => {
		if (isStageRead(request)) readCount++;
		return readCount >= firstRead ? report(request) : undefined;
	});
	return rulesTest.run(['apply', 'rules.yaml', '--confirm', migrated.name]);
}

describe('managed rules are not sent if the service reports', () => {
	// The plan reads check and status, and so does the last look before the call.
	for (const [name, report] of Object.entries(reports))
		test.each([1, 3])(`${name}, from read %i on`, async firstRead => {
			const rulesTest = await startRulesTest();
			const {code, stderr} = await applyWithReport(rulesTest, report, firstRead);
			expect(code, stderr).toBeGreaterThan(0);
			expect(rulesTest.takeWrites(), stderr).toEqual([]);
		});

	test('but they are if it reports the end of the migration both times', async () => {
		const rulesTest = await startRulesTest();
		const {code} = await applyWithReport(rulesTest, () => undefined, 1);
		expect(code).toBe(0);
		expect(rulesTest.takeWrites()).toHaveLength(1);
	});
});
